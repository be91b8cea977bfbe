"""What does noise on context and labels buy?"""

from collections.abc import Iterator

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import controls, data_controls, frame, label_noise_answer
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.label_noise_answer import draw_curves, draw_why, known_noise, named_runs
from dpviz.ui.label_noise_controls import chart_control, noise_settings
from dpviz.ui.noise_map_answer import draw_map
from dpviz.ui.page import require_router
from dpviz.ui.shown_code import draw_code

require_router()
state = current()
QUESTION = "What does noise on context and labels buy?"


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    noise_settings(state)
    controls.rate_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.folded_sampling(state)
    data_controls.folded_controls(state, with_augmentation=False)


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    chart_control(state)
    is_map = state.view.noise_chart == "map"
    known = known_noise(state.scenario, with_others=not is_map)
    filled = known.filled
    if is_map:
        filled = draw_map(known.own, known.plain)
    else:
        draw_curves(known)
    yield
    draw_why(state)
    frame.draw_certificate(known.own)
    draw_code([(name, run.scenario) for name, run in named_runs(known)])
    go_on(known.filled)
    go_on(filled)


def csv() -> str:
    """Return the numbers of the chart."""
    return label_noise_answer.csv(state)


frame.page_head(state, QUESTION, csv, "dpviz-label-noise.csv")
frame.explore(state, draw_settings, draw_answer)
frame.draw_theory()
