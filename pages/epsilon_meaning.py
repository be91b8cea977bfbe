"""What does epsilon mean?"""

from collections.abc import Iterator

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export.attack_rates_csv import attack_rates_csv
from dpviz.ui import attack_answer, controls, data_controls, frame
from dpviz.ui.address import current
from dpviz.ui.compute import exact_curves
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.shown_code import draw_code

require_router()
state = current()
QUESTION = "What does epsilon mean?"


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    attack_answer.attacker_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.rate_controls(state)
    controls.folded_sampling(state)
    data_controls.folded_controls(state)


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    attack_answer.axes_control(state)
    told, filled = attack_answer.known_told(state)
    attack_answer.draw_rates(state, told, filled)
    yield
    attack_answer.draw_beliefs(told)
    frame.draw_certificate(told.curves)
    draw_code([("now", state.scenario)], attack_answer.code_rates(state))
    go_on(filled)


def csv() -> str:
    """Return the numbers of the chart."""
    return attack_rates_csv(attack_answer.exact_told(state, exact_curves(state.scenario)))


frame.page_head(state, QUESTION, csv, "dpviz-attack-rates.csv")
frame.explore(state, draw_settings, draw_answer)
frame.draw_theory()
