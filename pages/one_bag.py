"""What does a stock accountant promise about one bag of windows, and what is true?"""

from collections.abc import Iterator

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export import curves_csv, sweep_csv
from dpviz.ui import controls, data_controls, frame, one_bag_answer, one_bag_lengths
from dpviz.ui.address import current
from dpviz.ui.compute import exact_curves
from dpviz.ui.filling import go_on
from dpviz.ui.one_bag_controls import bag_settings, chart_control
from dpviz.ui.page import require_router
from dpviz.ui.shown_code import draw_code
from dpviz.wording.one_bag import loader_label

require_router()
state = current()
QUESTION = "Is a stock accountant's promise true?"


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    bag_settings(state)
    if state.scenario.sampling.top_level == "flat":
        controls.bottom_level_control(state)
    controls.noise_control(state)
    controls.training_control(state)
    data_controls.folded_controls(state)


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    chart_control(state)
    scenario = state.scenario
    sides = one_bag_answer.known_sides(scenario)
    if state.view.bag_chart == "curve":
        filled = one_bag_answer.draw_curves(sides)
    else:
        filled = one_bag_lengths.draw_lengths(scenario, sides)
    yield
    one_bag_answer.draw_loaders(sides)
    one_bag_answer.draw_why(scenario)
    one_bag_answer.draw_notes(scenario)
    for at, (label, curves) in enumerate(sides.named):
        frame.draw_certificate(curves, label, at=at)
    draw_code([(label, curves.scenario) for label, curves in sides.named])
    go_on(filled)


def csv() -> str:
    """Return the numbers of the chart."""
    if state.view.bag_chart == "lengths":
        return sweep_csv(
            one_bag_lengths.lengths_lines(state.scenario),
            x_name="window_length",
            x_meaning="L_C + L_F, in values; N, T and the batch size stay",
        )
    runs = map(exact_curves, one_bag_answer.all_runs(state.scenario))
    return curves_csv([(loader_label(run.scenario), run) for run in runs])


frame.page_head(state, QUESTION, csv, "dpviz-one-bag.csv")
frame.explore(state, draw_settings, draw_answer)
frame.draw_theory()
