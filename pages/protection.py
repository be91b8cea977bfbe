"""Who is protected?"""

from collections.abc import Iterator

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export import sweep_csv
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.compute import known_curves
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.protected_widths import all_widths, draw_widths
from dpviz.ui.protection_answer import draw_not_covered, draw_series
from dpviz.ui.protection_controls import protection_settings
from dpviz.ui.shown_code import draw_code

require_router()
state = current()


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    known = known_curves([state.scenario])
    (curves,) = known.curves
    assert curves is not None  # the first of them is there at once, be it coarse
    draw_series(state, curves)
    draw_not_covered(curves)
    widths = None
    yield
    if curves.scenario.shape is not None:
        widths = draw_widths(state, curves)
    frame.draw_certificate(curves)
    draw_code([("now", state.scenario)])
    go_on(known.filled)
    if widths is not None:
        go_on(widths)


def csv() -> str:
    """Return the numbers of the chart of epsilon against w."""
    return sweep_csv(
        all_widths(state.scenario),
        x_name="protected_values",
        x_meaning="w, how many values of one series one individual may change",
    )


frame.page_head(state, "Who is protected?", csv, "dpviz-protection.csv")
frame.explore(state, lambda: protection_settings(state), draw_answer)
frame.draw_theory()
