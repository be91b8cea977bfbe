"""Does the theory hold? Simulated attacks beside the bounds."""

from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.accounting import takes_new_directions
from dpviz.export.drawing_tables import theory_table
from dpviz.export.programs import theory_code
from dpviz.figures.delta_lines import theory_check_chart
from dpviz.planning import simulated_attack as attacks
from dpviz.planning.simulated_attack import TheoryCheck
from dpviz.planning.worst_case import WorstCase, after_units, worst_case
from dpviz.risk.empirical_delta import CoupledCounts
from dpviz.scenario import PRESETS, DataShape, to_json
from dpviz.ui import controls, frame
from dpviz.ui.compute import known_curves, part_of
from dpviz.ui.data_controls import DRAWN, augmentation_controls, way_back_to_batches
from dpviz.ui.filling import fill_in
from dpviz.ui.number_control import view_number
from dpviz.ui.page import fold, folded_text, when
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_certificate, folded_code
from dpviz.ui.results import Part
from dpviz.ui.state import START, State, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button, draw_anew, view_choice
from dpviz.wording import theory_check as words
from dpviz.wording.findings import band_words
from dpviz.wording.numbers import joined
from dpviz.wording.texts import with_formulas

_TOY = PRESETS["toy"].scenario
# Attacks on it succeed often enough for all bounds to be compared with counts.
EXAMPLE = replace(
    _TOY,
    data=DataShape(num_series=32, series_lengths=(20,), context_length=1, forecast_length=1),
    sampling=replace(_TOY.sampling, batch_size=16),
    noise=replace(_TOY.noise, noise_multiplier=0.5),
)


def _is_example(state: State) -> bool:
    """Return whether the example is tested: until a visitor has settings, or where they say so."""
    tested = state.view.tested_settings
    return tested == "example" or (tested == "fitting" and state.scenario == START)


def _tested(state: State) -> State:
    """Return the state with the scenario that is tested; the visitor's own stays as it is."""
    return replace(state, scenario=EXAMPLE) if _is_example(state) else state


def _known_check(state: State) -> tuple[TheoryCheck, bool]:
    """Return what is known, and whether all runs are counted."""
    case = worst_case(state.scenario)
    run = after_units(state.scenario, state.view.simulated_units)
    curves = known_curves([run]).own
    filled = fill_in(_parts(state, case), first=1)
    counts = [found for found in filled.results if found is not None]
    # Last: it is no part of the answer.
    asked = [part_of(attacks.conjectured, run)] if takes_new_directions(run) else []
    dotted = fill_in(asked, only_known=bool(filled.to_come))
    return attacks.theory_check(
        case, curves, attacks.summed(counts), *dotted.results
    ), not filled.to_come


def _draw_check(state: State, check: TheoryCheck, *, has_all_runs: bool) -> None:
    view, epsilon = state.view, state.view.fixed_epsilon
    is_dotted = check.conjecture is not None
    # Parts may come in another order: of which runs the counts are, only they tell.
    counted = check.band.estimate.tolist()
    identity = f"theory {to_json(check.case.scenario)} {view.simulated_units}"
    is_too_rare = words.is_too_rare(check, view.simulated_runs)
    note = words.fewer_runs_note(view.simulated_runs, check.runs) if has_all_runs else ""
    frame.draw_answer(
        headline=words.theory_headline(check, epsilon),
        figure=lambda: theory_check_chart(check, epsilon, identity=identity),
        made_of=[check.curves, check.runs, counted, view.drawing_seed, epsilon, is_dotted],
        alt=words.theory_description(check, epsilon),
        key="theory_check",
        finding=words.too_rare_sentence(check)
        if is_too_rare
        else words.verdict(check, epsilon, view.drawing_seed),
        caption=joined(
            text("theory_caption").strip(),
            band_words(check, drawn="*Thin line*: lower bound."),
            "Below one run, nothing is drawn.",
            words.conjecture_note(check),
            note,
        ),
    )
    if is_too_rare and not _is_example(state):
        act_button(
            "Test a small example",
            lambda: change_view(lambda: {"tested_settings": "example"}),
            key="test_example",
            icon=":material/science:",
            explains="Its bounds are large enough to be counted. Your settings stay as they are.",
        )


def _parts(state: State, case: WorstCase) -> list[Part[CoupledCounts]]:
    units, seed = state.view.simulated_units, state.view.drawing_seed
    told = to_json(case.scenario)
    return [
        Part(
            key=f"attack {seed} {at} {runs} {units} {told}",
            compute=partial(attacks.simulated_attack, case, units, runs, seed, at),
        )
        for at, runs in enumerate(attacks.part_sizes(case, units, state.view.simulated_runs))
    ]


def _answer(state: State) -> Answer:
    state = _tested(state)
    check, has_all_runs = _known_check(state)
    _draw_check(state, check, has_all_runs=has_all_runs)
    yield
    folded_text(
        "What this can show, and what it cannot",
        "open_reach",
        lambda: f"{words.construction(check)}\n\n{text('theory_reach')}",
    )
    draw_certificate(check.curves)
    view = state.view

    def code() -> list[tuple[str, str, str]]:
        sizes = attacks.part_sizes(check.case, view.simulated_units, view.simulated_runs)
        program = theory_code(state.scenario, view.simulated_units, sizes, view.drawing_seed)
        return [("The same runs, and what is proven, from Python:", program, "python")]

    folded_code(code)


QUESTION = Question(
    introduction="theory_introduction",
    settings=(
        view_choice(
            "tested_settings",
            options=("example", "own"),
            value=lambda state: "example" if _is_example(state) else "own",
        ),
        when(_is_example, lambda _: st.caption(with_formulas(words.example_sentence(EXAMPLE)))),
        when(lambda state: not _is_example(state), controls.preset_control, way_back_to_batches),
        view_number(
            "simulated_units",
            explanation="Noisy gradients that the attacker sees in each run. A walk (in order, "
            "shuffled, in bins) uses a series once an epoch: of these it counts epochs.",
        ),
        view_number("simulated_runs", explanation="The band shrinks with the root of that number."),
        view_number("fixed_epsilon", explanation="The nearest tested one stands for it."),
        draw_anew(
            "drawing_seed",
            "simulate_anew",
            "Simulates other runs. The same seed gives the same runs, on any computer.",
        ),
        when(
            lambda state: not _is_example(state),
            *DRAWN,
            fold(
                "Noise on context and labels",
                "open_augmentation",
                lambda _: st.caption(
                    "Drawn anew for each window, as in training. Attacks look at what has no "
                    "noise, or test what has."
                ),
                augmentation_controls,
            ),
        ),
    ),
    answer=_answer,
    table=lambda state: theory_table(_known_check(_tested(state))[0], state.view.drawing_seed),
    file="dpviz-theory-check.csv",
    saved=lambda state: _tested(state).scenario,
    held=lambda state: [_tested(state).scenario],
    shows_own=lambda state: not _is_example(state),
    pinned=lambda state: EXAMPLE if _is_example(state) else None,
)
