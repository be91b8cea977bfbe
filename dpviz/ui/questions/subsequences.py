"""How many subsequences per series?"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

import streamlit as st

from dpviz.export.curve_tables import steps_table
from dpviz.export.drawing_tables import hits_table
from dpviz.export.table import Table
from dpviz.figures import Band
from dpviz.figures.delta_lines import over_steps
from dpviz.figures.densities import hit_weights
from dpviz.figures.parts import STYLES
from dpviz.planning import Order
from dpviz.planning.comparison import refusal
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.order import winning_region
from dpviz.planning.over_steps import (
    COARSE_DELTA_TOLERANCE,
    DeltaOverSteps,
    after_steps,
    coarse_steps,
    delta_over_steps,
    steps_to_show,
)
from dpviz.planning.subsequences import possible_subsequences, with_subsequences
from dpviz.scenario import Scenario
from dpviz.ui import compute, controls, frame
from dpviz.ui.bands import draw_bands, exact_table
from dpviz.ui.chart import draw_chart
from dpviz.ui.data_controls import comparison_settings
from dpviz.ui.filling import (
    WHOLE_SECONDS,
    Filled,
    fill_in,
    fill_in_behind,
    is_known,
    waits_for_all,
)
from dpviz.ui.number_control import view_number
from dpviz.ui.page import folded, say
from dpviz.ui.pins import draw_pin_rows
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_code, offer_csv
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice
from dpviz.wording import hit_laws as hit_words
from dpviz.wording import subsequences as words
from dpviz.wording.findings import bounds_table
from dpviz.wording.numbers import counted, joined
from dpviz.wording.proven_epsilon import TIERS_SOURCE
from dpviz.wording.scope import per_series

_STEPS = (1, 100, 1000, 0)
_CHART_NAMES = {"curve": "δ against ε", "training": "δ over training steps"}


def _possible_runs(state: State) -> list[Scenario]:
    """Return the run with each number of windows that the batch size allows, one window first."""
    base = state.scenario
    if state.view.compared_steps:
        base = after_steps(base, state.view.compared_steps)
    # One window is refused where no number is possible, which says why.
    return [with_subsequences(base, windows) for windows in possible_subsequences(base) or (1,)]


def _compared_runs(state: State) -> tuple[list[Scenario], list[Scenario]]:
    """Return the runs that are compared, and those that no bound covers if it covers others."""
    runs = _possible_runs(state)
    if runs[0].relation.series_per_person == 1:  # all are covered, or none
        return runs, []
    covered = [run for run in runs if not refusal(run)]
    return (covered, [run for run in runs if run not in covered]) if covered else (runs, [])


def _chart_controls(state: State) -> None:
    # After one step there is no course of training to draw.
    choices = [count for count in _STEPS if count != 1 or state.view.chart == "curve"]
    counts = sorted({*choices, state.view.compared_steps}, key=lambda count: count or float("inf"))
    names = {count: counted(count, "step") for count in counts}
    names |= {0: f"the run: {counted(state.scenario.num_steps, 'step')}"}
    with st.container(horizontal=True):
        view_choice("chart", name=_CHART_NAMES.__getitem__, key="subsequences_view")(state)
        name = names.__getitem__
        view_choice("compared_steps", options=counts, name=name, label="After")(state)
    if state.view.chart == "training":
        view_number("fixed_epsilon")(state)


def _draw_curves(state: State, scenarios: Sequence[Scenario]) -> None:
    known = compute.known_curves(scenarios, is_whole=True)
    named = [
        (str(scenario.sampling.num_subsequences), scenario, curves, style)
        for scenario, curves, style in zip(scenarios, known.curves, STYLES, strict=False)
    ]
    bands = [
        Band(curves=curves, label=words.scenario_label(scenario), style=style, short=short)
        for short, scenario, curves, style in named
        if curves
    ]
    one, *others = [band.curves for band in bands]
    runs = [(band.label, band.curves) for band in bands]
    is_whole, is_complete = None not in known.curves, known.filled.is_complete
    own = state.scenario.sampling.num_subsequences
    region = winning_region(one, others) if others and is_whole else ()
    won = [stretch for stretch in region if stretch.order is Order.FIRST]
    # What coarse bounds prove holds; what they do not prove, finer ones may.
    is_told = is_complete or (is_whole and bool(won or not others))
    told = others if is_told else None
    goes_on = bool(known.filled.to_come)
    title, headline = compute.content(
        "subsequences words",
        [*runs, is_told, own, goes_on],
        lambda: (
            words.curves_title(one, told, goes_on=goes_on),
            words.curves_headline(one, told, own, goes_on=goes_on),
        ),
    )

    draw_bands(
        bands,
        key="subsequences",
        headline=headline,
        title=title,
        finding=words.epochs_note(scenarios[0], scenarios[-1]),
        caption=joined(
            words.how_to_read(one, *others),
            words.looked_at(one) if len(scenarios) > 1 else "",
            TIERS_SOURCE,
        ),
        beside=state,
        shaded=lambda: [(stretch, f"{bands[0].label} wins") for stretch in won],
        legend_title="Windows per series λ",
        told=[is_told],
        awaited=[
            (short, style)
            for short, scenario, curves, style in named
            if not curves and scenario not in known.left_out
        ],
    )
    with folded("Proven orders and all bounds", key="open_orders") as is_open:
        if is_open:
            say("\n".join(f"- {said}" for said in words.order_sentences(one, others)))
            say(bounds_table([(f"λ = {band.short}", band.curves) for band in bands]))
            st.markdown(text("subsequences_theorem"))


def _known_steps(state: State, scenarios: Sequence[Scenario]) -> Filled[DeltaOverSteps]:
    steps = steps_to_show(state.view.compared_steps or state.scenario.num_steps)
    epsilon = state.view.fixed_epsilon
    parts = [compute.part_of(delta_over_steps, run, epsilon, steps) for run in scenarios]
    # The first is what the others are compared with.
    if waits_for_all() or is_known(parts[0]) or coarse_steps(steps) == steps:
        return fill_in(parts, first=1, budget=WHOLE_SECONDS)
    rough = compute.part_of(
        delta_over_steps,
        scenarios[0],
        epsilon,
        coarse_steps(steps),
        tolerance=COARSE_DELTA_TOLERANCE,
    )
    one, filled = fill_in_behind(rough, parts, budget=WHOLE_SECONDS)
    if filled.results[0] is not None:
        return filled
    return replace(filled, results=(one, *[None] * (len(parts) - 1)))


def _draw_steps(state: State, scenarios: Sequence[Scenario]) -> None:
    filled = _known_steps(state, scenarios)
    places, is_complete = filled.results, filled.is_complete
    one, *others = (run for run in places if run is not None)
    frame.draw_answer(
        headline=words.steps_headline(
            one, others if is_complete else None, state.scenario.sampling.num_subsequences
        ),
        figure=lambda: over_steps(places),
        made_of=places,
        alt=words.over_steps_description([one, *others], is_complete=is_complete),
        key="over_steps",
        caption=words.how_to_read(one, *others),
    )


def _draw_why(scenarios: Sequence[Scenario]) -> None:
    laws = cache(lambda: [hit_law(scenario) for scenario in scenarios])
    explanation, description = compute.content(
        "hits",
        scenarios,
        lambda: (
            joined(hit_words.hits_explanation(laws()), *per_series(scenarios[0])),
            hit_words.hits_description(laws()),
        ),
    )
    st.header("Why: hits per batch", anchor=False)
    st.markdown(explanation)
    draw_chart(
        lambda: hit_weights(laws()),
        made_of=scenarios,
        key="hit_weights",
        alt=description,
        height=380,
    )
    offer_csv(
        "Download hits per batch as CSV",
        lambda: hits_table([(law.windows, law) for law in laws()], "windows_per_series", "lambda"),
        "dpviz-hit-weights.csv",
    )


def _answer(state: State) -> Answer:
    _chart_controls(state)
    runs, uncovered = _compared_runs(state)
    draw = _draw_curves if state.view.chart == "curve" else _draw_steps
    draw(state, runs)
    for note in words.uncovered_notes(uncovered):
        st.caption(note)  # beside the answer: the settings' own number may be one of them
    yield
    draw_pin_rows(state, state.scenario, {})
    _draw_why(runs)
    for note in words.batch_notes(runs):
        st.caption(note)
    draw_code([(words.scenario_label(run), run) for run in runs])


def _table(state: State) -> Table:
    runs, _ = _compared_runs(state)
    if state.view.chart == "curve":
        return exact_table((words.scenario_label(run), run) for run in runs)
    known = _known_steps(state, runs).results
    return steps_table([run for run in known if run is not None])


QUESTION = Question(
    settings=comparison_settings(
        sampling=(
            partial(controls.top_level_control, of_several_windows=True),
            controls.bottom_level_control,
        )
    ),
    in_lessons={"windows": (controls.noise_control,)},
    answer=_answer,
    table=_table,
    file="dpviz-subsequences.csv",
    shows_pins=lambda _: True,
)
