"""Does the theory hold? Simulated attacks beside the bounds, and a game."""

from collections.abc import Iterator

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame, theory_answer
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.game import draw_game
from dpviz.ui.page import require_router
from dpviz.ui.theory_controls import theory_settings

require_router()
state = current()


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    check, filled = theory_answer.known_check(state)
    theory_answer.draw_check(state, check, filled)
    yield
    theory_answer.draw_reach(check)
    draw_game(state)
    frame.draw_certificate(check.curves)
    theory_answer.draw_code(state, check)
    go_on(filled)


frame.page_head(
    state,
    "Does the theory hold?",
    lambda: theory_answer.check_csv(state),
    "dpviz-theory-check.csv",
)
frame.explore(state, lambda: theory_settings(state), draw_answer)
frame.draw_theory()
