"""Sample series, or walk through them?"""

from collections.abc import Iterator

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export import curves_csv
from dpviz.ui import controls, data_controls, frame, order_answer
from dpviz.ui.address import current
from dpviz.ui.compute import exact_curves
from dpviz.ui.filling import go_on
from dpviz.ui.order_controls import all_ways, compared_length, length_control
from dpviz.ui.page import require_router
from dpviz.ui.shown_code import draw_code

require_router()
state = current()


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    controls.rate_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.subsequence_controls(state)
    data_controls.folded_controls(state)


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    length_control(state)
    ways = order_answer.known_ways(state)
    order_answer.draw_order(ways)
    yield
    order_answer.draw_table(state, ways)
    name, curves = ways.under(state.scenario.sampling.top_level)
    frame.draw_certificate(curves, name)
    draw_code([(label, one.scenario) for label, one in ways.runs])
    go_on(ways.filled)


def csv() -> str:
    """Return the numbers of the chart."""
    runs = all_ways(state, compared_length(state))
    return curves_csv(list(zip(order_answer.NAMES, map(exact_curves, runs), strict=True)))


frame.page_head(state, "Sample series, or walk through them?", csv, "dpviz-sample-or-walk.csv")
frame.explore(state, draw_settings, draw_answer)
frame.draw_theory()
