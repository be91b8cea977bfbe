"""What does noise on context and labels buy? As curves, and as a map of both noises."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dpviz.accounting import Bracket
from dpviz.export.comparison_tables import noise_map_table
from dpviz.export.table import Table
from dpviz.figures import Band
from dpviz.figures.densities import overlap
from dpviz.figures.maps import map_chart
from dpviz.figures.parts import STYLES
from dpviz.guarantees import covers_noise_on_windows
from dpviz.planning import ScenarioCurves, label_noise
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_integer
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.bands import draw_bands, exact_table
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import Known, exact_curves, known_curves, part_of
from dpviz.ui.filling import fill_in, first_of_each, result_of, waits_for_all
from dpviz.ui.lesson_links import viewed_lesson
from dpviz.ui.page import said_below, say
from dpviz.ui.pins import draw_pin_rows
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.state import State, change
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice
from dpviz.wording import label_noise as words
from dpviz.wording.findings import band_words
from dpviz.wording.numbers import joined
from dpviz.wording.proven_epsilon import TIERS_SOURCE
from dpviz.wording.scope import conditions


def _known_map(own: ScenarioCurves) -> label_noise.NoiseMap:
    base = label_noise.without_noise(own.scenario)
    if not covers_noise_on_windows(base):
        return label_noise.uncovered_map(base, own.upper.bracket)
    if (problem := label_noise.untold_by_rates(base)) is not None:
        raise problem
    rows = [part_of(label_noise.rates_of_row, base, noise) for noise in label_noise.NOISES]
    rates = np.array(first_of_each([[row] for row in rows]))
    distinct = np.unique(rates).tolist()
    # All that epsilon depends on: other data, or another relation, have the same table.
    bounds = {rate: label_noise.bound_at_rate(base, rate) for rate in distinct}
    parts = {rate: part_of(label_noise.epsilon_of, bounds[rate], base.delta) for rate in distinct}
    if waits_for_all():  # for no rate that the map can do without
        table: dict[float, Bracket] = {}
        while missing := label_noise.rates_to_come(distinct, table):
            table[missing[0]] = result_of(parts[missing[0]])
        return label_noise.noise_map(base, rates, table)
    result_of(parts[distinct[-1]])  # stands for all others until they are known
    known = fill_in(list(parts.values()), only_known=True, awaits=False).by(distinct)
    asked = [*known, *label_noise.rates_to_come(distinct, known)]
    return label_noise.noise_map(base, rates, fill_in([parts[rate] for rate in asked]).by(asked))


def _draw_map(own: ScenarioCurves, plain: ScenarioCurves) -> None:
    shown, scenario = _known_map(own), own.scenario
    needed = conditions([label_noise.noisy_bound(scenario)])
    frame.draw_answer(
        headline=words.noise_headline(own, plain),
        curves=own,
        figure=lambda: map_chart(shown, scenario),
        made_of=[scenario, shown.epsilon.tolist()],
        alt=words.map_description(shown, scenario),
        key="noise_map",
        caption=joined(text("noise_map_caption"), words.coarseness(shown), needed),
        on_click=lambda point: change(lambda before: at_place(before, point)),
    )


def at_place(before: Scenario, point: Mapping[str, Any]) -> Scenario:
    """Return the scenario with the noise at a place of the map: column and row are its x and y."""
    return label_noise.with_noise(
        before,
        context=_noise_at("context_noise", point.get("x")),
        forecast=_noise_at("forecast_noise", point.get("y")),
    )


def _noise_at(field: str, place: object) -> float:
    try:
        return label_noise.NOISES[checked_integer(field, place, 0, len(label_noise.NOISES) - 1)]
    except ScenarioError:
        raise ScenarioError(field, place, "it must be a field of the map") from None


def _known_noise(state: State) -> Known:
    """Return what is known of the run, of it without noise on windows, and of each other noise."""
    scenario = state.scenario
    others: list[Scenario] = []
    if state.view.noise_chart != "map":
        # A lesson compares with no noise on labels, and with noise without end.
        is_lesson = viewed_lesson(state) is not None
        noises = label_noise.LIMITS_OF_NOISE if is_lesson else label_noise.FORECAST_NOISES
        others = label_noise.compared_noises(scenario, noises)
    return known_curves([scenario, label_noise.without_noise(scenario), *others], first=2)


def _named_runs(known: Known) -> list[tuple[str, ScenarioCurves]]:
    others = [curves for curves in known.curves[2:] if curves is not None]
    return [
        (words.forecast_label(known.own.scenario, is_own=True), known.own),
        *((words.forecast_label(curves.scenario), curves) for curves in others),
    ]


def _draw_curves(state: State, known: Known) -> None:
    own, plain = known.at_once
    noises = label_noise.FORECAST_NOISES
    bands = [
        Band(
            curves=curves,
            label=name,
            # A curve keeps its style while the scenario's own noise moves past it.
            style=STYLES[0 if at == 0 else 1 + noises.index(curves.scenario.noise.forecast_noise)],
            short=words.short_label(curves, is_own=at == 0),
            is_beside=at > 0,
        )
        for at, (name, curves) in enumerate(_named_runs(known))
    ]
    draw_bands(
        bands,
        key="label_noise",
        headline=words.noise_headline(own, plain),
        title=words.noise_title(own, plain),
        caption=joined("Lines: upper bounds.", band_words(own), TIERS_SOURCE),
        beside=state,
        warns=True,
        legend_title=words.legend_title(own.scenario),
        is_close=True,
    )


def _draw_why(state: State) -> None:
    scenario = state.scenario
    st.header("Why: how much of a change shows", anchor=False)
    say(words.overlap_explanation(scenario))
    context, labels = st.columns(2)
    with context:
        if scenario.shape is not None and scenario.shape.context_length == 0:
            st.markdown("These windows read no context.")
        else:
            _draw_overlap(scenario, "context")
    with labels:
        _draw_overlap(scenario, "forecast")
    for said in filter(None, (words.rate_sentence(scenario), words.equivalent_sentence(scenario))):
        say(said)


def _draw_overlap(scenario: Scenario, part: str) -> None:
    value = label_noise.noised_value(scenario, part)
    draw_chart(
        lambda: overlap(part, value),
        made_of=[part, value],
        key=f"overlap_{part}",
        alt=words.overlap_description(part, value),
        height=280,
        file_name=f"dpviz-noise-on-{part}",
    )


def _table(state: State) -> Table:
    scenario = state.scenario
    if state.view.noise_chart == "map":
        return noise_map_table(_known_map(exact_curves(scenario)))
    runs = enumerate([scenario, *label_noise.compared_noises(scenario)])
    return exact_table((words.forecast_label(run, is_own=at == 0), run) for at, run in runs)


def _answer(state: State) -> Answer:
    view_choice("noise_chart", key="noise_view", shows_label=False)(state)
    known = _known_noise(state)
    if state.view.noise_chart == "map":
        _draw_map(*known.at_once)
    else:
        _draw_curves(state, known)
    yield
    draw_pin_rows(state, state.scenario, {})
    _draw_why(state)
    draw_certificate(known.own)
    draw_code([(name, run.scenario) for name, run in _named_runs(known)])


QUESTION = Question(
    settings=data_controls.comparison_settings(
        data_controls.augmentation_controls,
        said_below(lambda state: words.noise_in_units(state.scenario)),
        data_controls.change_boxes,
        data_controls.channels_box,
        folded=(data_controls.folded_data, data_controls.folded_relation),
    ),
    in_lessons={"labels": (controls.noise_on("forecast_noise"),)},
    answer=_answer,
    table=_table,
    file="dpviz-label-noise.csv",
    shows_pins=lambda _: True,
)
