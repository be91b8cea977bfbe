"""Sample series, or walk through them?"""

import streamlit as st

from dpviz.export import curves_csv
from dpviz.figures import Band, Shade, bands_chart, figure_json
from dpviz.figures.palette import STYLES
from dpviz.planning import Order, curves_of, proven_order
from dpviz.planning.top_levels import WALKS
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.compute import content, known_curves
from dpviz.ui.order_controls import (
    LENGTH_NAMES,
    both_ways,
    compared_length,
    length_control,
    possible_lengths,
)
from dpviz.ui.page import require_router
from dpviz.ui.shared import go_on
from dpviz.ui.state import current
from dpviz.ui.texts import text
from dpviz.wording.findings import curves_description
from dpviz.wording.top_levels import (
    LABELS,
    order_by_epsilon,
    order_headline,
    order_title,
    orders_table,
    short_epoch_note,
)

require_router()
state = current()
WINS = {Order.FIRST: "drawn at random wins", Order.SECOND: "walking wins"}


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    controls.rate_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.subsequence_controls(state)
    data_controls.folded_controls(state)


@st.fragment
def explore() -> None:
    """Draw the settings and the answer to them."""
    with frame.answer_beside_settings(state, draw_settings) as below:
        length_control(state)
        chosen, possible = compared_length(state), possible_lengths(state)
        lengths = [chosen, *(length for length in possible if length != chosen)]
        known = known_curves(
            [run for length in lengths for run in both_ways(state, length)], first=2
        )
        drawn, walked = known.curves[:2]
        if drawn is None or walked is None:
            go_on(known.filled)
            return
        runs = list(zip(LABELS, (drawn, walked), strict=True))
        title = order_title(drawn, walked)

        def chart() -> str:
            stretches = proven_order(drawn, walked)
            shades = [
                Shade(start=stretch.start, end=stretch.end, label=WINS[stretch.order])
                for stretch in stretches
                if stretch.order in WINS and len(stretches) > 1
            ]
            bands = [
                Band(curves=curves, label=label, style=style)
                for (label, curves), style in zip(runs, STYLES, strict=False)
            ]
            return figure_json(
                bands_chart(bands, title=title, identity="sample-or-walk", shaded=shades)
            )

        frame.draw_answer(
            headline=f"{order_headline(drawn, walked)} {order_by_epsilon(drawn, walked)}",
            figure_json=content("order chart", runs, chart),
            alt=curves_description(title, runs),
            key="sample_or_walk",
            caption=text("order_caption"),
            progress=known.filled.progress,
        )
        with below:
            rows = {
                length: (known.curves[2 * at], known.curves[2 * at + 1])
                for at, length in enumerate(lengths)
            }
            st.markdown(
                orders_table([(LENGTH_NAMES[length], *rows[length]) for length in possible])
            )
            if note := short_epoch_note(state.scenario):
                st.caption(note)
            name, curves = runs[state.scenario.sampling.top_level in WALKS]
            frame.draw_certificate(curves, name)
            frame.draw_code([(label, curves.scenario) for label, curves in runs])
        go_on(known.filled)


def csv() -> str:
    """Return the numbers of the chart."""
    pair = both_ways(state, compared_length(state))
    return curves_csv(list(zip(LABELS, map(curves_of, pair), strict=True)))


frame.page_head(state, "Sample series, or walk through them?", csv, "dpviz-sample-or-walk.csv")
explore()
frame.draw_theory()
