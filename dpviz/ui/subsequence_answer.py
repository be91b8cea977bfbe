"""The answer of the comparison of windows per series: its charts and sentences."""

from collections.abc import Sequence

import streamlit as st

from dpviz.export import hits_csv
from dpviz.figures import Band, Shade, bands_chart, figure_json
from dpviz.figures.hit_weights import hit_weights
from dpviz.figures.over_steps import over_steps
from dpviz.figures.palette import STYLES
from dpviz.planning import Order
from dpviz.planning.order import winning_region
from dpviz.planning.subsequences import hit_law
from dpviz.scenario import Scenario
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import content, curves_part, fill_in_whole, known_curves, steps_parts
from dpviz.ui.filling import Filled, result_of
from dpviz.ui.page import folded
from dpviz.ui.state import State
from dpviz.ui.subsequence_controls import compared_steps
from dpviz.ui.texts import text
from dpviz.wording import subsequences as words
from dpviz.wording.findings import curves_description
from dpviz.wording.over_steps import over_steps_description
from dpviz.wording.subsequence_headlines import curves_headline, curves_title, steps_headline
from dpviz.wording.tables import bounds_table


def draw_curves(scenarios: Sequence[Scenario]) -> Filled:
    """Draw delta against epsilon for each number of windows."""
    fill_in_whole("windows", [curves_part(scenario) for scenario in scenarios])
    known = known_curves(scenarios)
    named = zip(scenarios, known.curves, STYLES, strict=False)
    bands = [
        Band(
            curves=curves,
            label=words.scenario_label(scenario),
            style=style,
            short=str(scenario.sampling.num_subsequences),
        )
        for scenario, curves, style in named
        if curves
    ]
    one, *others = [band.curves for band in bands]
    runs = [(band.label, band.curves) for band in bands]
    is_complete = known.filled.is_complete
    inputs = [*runs, is_complete]
    title, headline = content(
        "subsequences words",
        inputs,
        lambda: (
            curves_title(one, others, is_complete=is_complete),
            curves_headline(one, others, is_complete=is_complete),
        ),
    )

    def chart() -> str:
        shades = [
            Shade(start=stretch.start, end=stretch.end, label=f"{bands[0].label} wins")
            for stretch in (winning_region(one, others) if others and is_complete else ())
            if stretch.order is Order.FIRST
        ]
        return figure_json(
            bands_chart(
                bands,
                title=title,
                identity="subsequences",
                shaded=shades,
                legend_title="Windows per series λ",
            )
        )

    frame.draw_answer(
        headline=headline,
        figure_json=content("subsequences chart", inputs, chart),
        alt=curves_description(title, runs),
        key="subsequences",
        caption=f"{text('subsequences_caption')} {words.looked_at(one)}",
        progress=known.filled.progress,
    )
    with folded("Which order is proven where, and every bound", key="open_orders") as is_open:
        if is_open:
            st.markdown("\n".join(f"- {said}" for said in words.order_sentences(one, others)))
            st.markdown(bounds_table(runs))
    return known.filled


def draw_steps(state: State, scenarios: Sequence[Scenario]) -> Filled:
    """Draw delta over training steps at one epsilon."""
    parts = steps_parts(scenarios, state.view.fixed_epsilon, compared_steps(state))
    result_of(parts[0])  # what the others are compared with
    filled = fill_in_whole("steps of windows", parts)
    runs = [run for run in filled.results if run is not None]
    is_complete = filled.is_complete

    def chart() -> str:
        return figure_json(over_steps(runs, is_complete=is_complete))

    inputs = [*runs, is_complete]
    headline, description = content(
        "steps words",
        inputs,
        lambda: (
            steps_headline(runs[0], runs[1:], is_complete=is_complete),
            over_steps_description(runs, is_complete=is_complete),
        ),
    )
    frame.draw_answer(
        headline=headline,
        figure_json=content("steps chart", inputs, chart),
        alt=description,
        key="over_steps",
        caption=text("over_steps_caption"),
        progress=filled.progress,
    )
    return filled


def draw_why(scenarios: Sequence[Scenario]) -> None:
    """Draw how many sensitive windows a batch has."""

    def told_and_drawn() -> tuple[str, str, str]:
        laws = [hit_law(scenario) for scenario in scenarios]
        chart = figure_json(hit_weights(laws))
        return words.hits_explanation(laws), words.hits_description(laws), chart

    explanation, description, chart = content("hits", scenarios, told_and_drawn)
    st.header("Why: how many sensitive windows one batch has", anchor=False)
    st.markdown(explanation)
    draw_chart(
        chart,
        key="hit_weights",
        alt=description,
        height=380,
        file_name="dpviz-hit-weights",
    )
    st.download_button(
        "Download these weights as CSV",
        lambda: hits_csv([hit_law(scenario) for scenario in scenarios]),
        "dpviz-hit-weights.csv",
        "text/csv",
        on_click="ignore",
    )
