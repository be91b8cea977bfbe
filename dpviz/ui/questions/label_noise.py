"""What does noise on context and labels buy?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz.export.comparison_tables import noise_map_table
from dpviz.export.curve_tables import curves_table
from dpviz.figures import Band, bands_chart
from dpviz.figures.densities import overlap
from dpviz.figures.palette import STYLES, Style
from dpviz.figures.parts import Spec
from dpviz.planning import ScenarioCurves, label_noise
from dpviz.scenario import Scenario
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import exact_curves, figure_of, known_curves
from dpviz.ui.data_controls import comparison_settings
from dpviz.ui.filling import Filled
from dpviz.ui.frame import Answer, Question
from dpviz.ui.pins import draw_pin_rows, named_curves, pinned_bands
from dpviz.ui.questions.noise_map import complete_map, draw_map
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.state import State
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import view_choice
from dpviz.wording import label_noise as words
from dpviz.wording.epsilon_tiers import TIERS_SOURCE
from dpviz.wording.findings import curves_description
from dpviz.wording.label_noise import noise_in_units
from dpviz.wording.numbers import joined
from dpviz.wording.texts import with_formulas


def draw_in_units(state: State) -> None:
    """Draw what the noise comes to in the data's unit."""
    with st.container():  # always there, so that what is below stays where it is
        if said := noise_in_units(state.scenario):
            st.caption(plain(said))


chart_control = view_choice("noise_chart", key="noise_view", shows_label=False)
Runs = list[tuple[str, ScenarioCurves]]


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownNoise:
    """What is known of the runs with more or less noise.

    Args:
        own: the scenario's own curves.
        plain: those of the same run without noise on windows.
        others: those with each other noise on labels; ``None`` where they are to come.
        filled: what is still to come.
    """

    own: ScenarioCurves
    plain: ScenarioCurves
    others: tuple[ScenarioCurves | None, ...]
    filled: Filled[Any]


def known_noise(scenario: Scenario, *, with_others: bool) -> KnownNoise:
    """Return what is known.

    Args:
        scenario: the scenario.
        with_others: whether runs with other noise on labels are asked for, too.

    Raises:
        ScenarioError: no bound covers the scenario's own noise.
    """
    others = label_noise.compared_noises(scenario)
    asked = [scenario, label_noise.without_noise(scenario), *(others if with_others else ())]
    known = known_curves([label_noise.same_bounds(run) for run in asked], first=2)
    found = [
        None if curves is None else replace(curves, scenario=run)
        for run, curves in zip(asked, known.curves, strict=True)
    ]
    own, plain = (
        replace(curves, scenario=run) for run, curves in zip(asked, known.at_once, strict=False)
    )
    return KnownNoise(own=own, plain=plain, others=tuple(found[2:]), filled=known.filled)


def named_runs(known: KnownNoise) -> Runs:
    """Return the known curves by name, the scenario's own first."""
    others = [curves for curves in known.others if curves is not None]
    return [
        (words.forecast_label(known.own.scenario, is_own=True), known.own),
        *((words.forecast_label(curves.scenario), curves) for curves in others),
    ]


def draw_curves(state: State, known: KnownNoise) -> Filled[Any]:
    """Draw delta against epsilon for each noise on labels."""
    runs = named_runs(known)
    pins, pins_filled = pinned_bands(state)
    named = [*runs, *named_curves(pins)]
    title = words.noise_title(known.own, known.plain)

    def chart() -> Spec:
        bands = [
            Band(
                curves=curves,
                label=name,
                style=_style(curves.scenario, is_own=at == 0),
                short=words.short_label(curves.scenario, is_own=at == 0),
            )
            for at, (name, curves) in enumerate(runs)
        ]
        return bands_chart(
            [*bands, *pins],
            identity="label-noise",
            legend_title=words.legend_title(known.own.scenario),
        )

    frame.draw_answer(
        headline=with_formulas(words.noise_headline(known.own, known.plain)),
        curves=known.own,
        figure_json=figure_of("label noise chart", [*named, known.plain], chart),
        alt=curves_description(title, named),
        key="label_noise",
        caption=joined(text("label_noise_caption").strip(), TIERS_SOURCE),
        handle=controls.delta_handle(known.own.scenario.delta),
        progress=known.filled.progress,
    )
    return pins_filled


def _style(scenario: Scenario, *, is_own: bool) -> Style:
    # A curve keeps its style while the scenario's own noise moves past it.
    return STYLES[
        0 if is_own else 1 + label_noise.FORECAST_NOISES.index(scenario.noise.forecast_noise)
    ]


def draw_why(state: State) -> None:
    """Draw what the noise leaves of one value, and what that is worth."""
    scenario = state.scenario
    st.header("Why: how much of a change shows", anchor=False)
    st.markdown(words.overlap_explanation(scenario))
    context, labels = st.columns(2)
    with context:
        if scenario.shape is not None and scenario.shape.context_length == 0:
            st.markdown("These windows read no context.")
        else:
            _draw_overlap(scenario, "context")
    with labels:
        _draw_overlap(scenario, "forecast")
    for said in _worth(scenario):
        st.markdown(said)


def _draw_overlap(scenario: Scenario, part: str) -> None:
    value = label_noise.noised_value(scenario, part)
    draw_chart(
        figure_of("overlap", [part, value], lambda: overlap(part, value)),
        key=f"overlap_{part}",
        alt=words.overlap_description(part, value),
        height=280,
        file_name=f"dpviz-noise-on-{part}",
    )


def _worth(scenario: Scenario) -> Sequence[str]:
    said = (words.rate_sentence(scenario), words.equivalent_sentence(scenario))
    return [sentence for sentence in said if sentence]


def csv(state: State) -> str:
    """Return the numbers of the chart."""
    scenario = state.scenario
    if state.view.noise_chart == "map":
        return noise_map_table(complete_map(scenario)).csv()
    runs = [scenario, *label_noise.compared_noises(scenario)]
    return curves_table(
        [
            (
                words.forecast_label(run, is_own=at == 0),
                replace(exact_curves(label_noise.same_bounds(run)), scenario=run),
            )
            for at, run in enumerate(runs)
        ]
    ).csv()


def answer(state: State) -> Answer:
    """Draw the curves or the map, then why it is so."""
    chart_control(state)
    is_map = state.view.noise_chart == "map"
    known = known_noise(state.scenario, with_others=not is_map)
    if is_map:
        yield draw_map(known.own, known.plain)
    else:
        yield draw_curves(state, known)
    draw_pin_rows(state, state.scenario, {})
    draw_why(state)
    draw_certificate(known.own)
    draw_code([(name, run.scenario) for name, run in named_runs(known)])
    yield known.filled


QUESTION = Question(
    settings=comparison_settings(
        data_controls.augmentation_controls,
        draw_in_units,
        data_controls.change_boxes,
        data_controls.channels_box,
        folded=(data_controls.folded_data, data_controls.folded_relation),
    ),
    in_lessons={"labels": (data_controls.noise_on("forecast_noise"),)},
    answer=answer,
    csv=csv,
    file="dpviz-label-noise.csv",
    shows_pins=lambda _: True,
)
