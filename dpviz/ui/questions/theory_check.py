"""Does the theory hold? Simulated attacks beside the bounds, and a game."""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.export.drawing_tables import theory_table
from dpviz.export.programs import theory_code
from dpviz.figures.delta_lines import theory_check_chart
from dpviz.figures.parts import Spec
from dpviz.planning.simulated_attack import (
    AttackCounts,
    TheoryCheck,
    part_sizes,
    simulated_attack,
    summed,
    theory_check,
)
from dpviz.planning.worst_case import WorstCase, after_units, worst_case
from dpviz.scenario import to_json
from dpviz.ui import controls, frame
from dpviz.ui.compute import exact_curves, figure_of, known_curves
from dpviz.ui.data_controls import DRAWN, augmentation_controls, way_back_to_batches
from dpviz.ui.filling import Filled, fill_in, result_of, together
from dpviz.ui.frame import Answer, Question
from dpviz.ui.number_control import view_number
from dpviz.ui.page import fold, folded_text
from dpviz.ui.rests_on import draw_certificate, folded_code
from dpviz.ui.shared import Part
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import draw_anew
from dpviz.wording import theory_check as words
from dpviz.wording.numbers import joined

KEY = "theory_check"


def known_check(state: State) -> tuple[TheoryCheck, Filled[Any]]:
    """Return the check by as many runs as there are by now, and what is still to come.

    Raises:
        ScenarioError: no bound covers the scenario, or it cannot be simulated.
        TooCostlyError: even coarse bounds would cost too much.
    """
    case = worst_case(state.scenario)
    parts = _parts(state, case)
    known = known_curves([after_units(state.scenario, state.view.simulated_units)])
    first = result_of(parts[0])
    filled = fill_in(parts)
    counts = [found for found in filled.results if found is not None] or [first]
    return theory_check(case, known.own, summed(counts)), together(known.filled, filled)


def exact_check(state: State) -> TheoryCheck:
    """Return the check by all runs, however long it takes."""
    case = worst_case(state.scenario)
    counts = [result_of(part) for part in _parts(state, case)]
    curves = exact_curves(after_units(state.scenario, state.view.simulated_units))
    return theory_check(case, curves, summed(counts))


def draw_check(state: State, check: TheoryCheck, filled: Filled[Any]) -> None:
    """Draw the band of what was simulated beside the bounds."""
    view = state.view

    def chart() -> Spec:
        identity = f"theory {to_json(check.case.scenario)} {view.simulated_units}"
        return theory_check_chart(check, view.fixed_epsilon, identity=identity)

    inputs = [check.curves, view.simulated_units, check.runs, view.drawing_seed, view.fixed_epsilon]
    note = ""
    if not filled.to_come:
        note = words.fewer_runs_note(view.simulated_runs, check.runs)
    frame.draw_answer(
        headline=words.theory_headline(check, view.fixed_epsilon),
        figure_json=figure_of("theory check", inputs, chart),
        alt=words.theory_description(check, view.fixed_epsilon),
        key=KEY,
        finding=words.verdict(check, view.fixed_epsilon, view.drawing_seed),
        caption=joined(text("theory_caption"), note),
        progress=filled.progress,
    )


def draw_reach(check: TheoryCheck) -> None:
    """Draw what was simulated exactly, and what that can and cannot show."""
    folded_text(
        "What this can show, and what it cannot",
        "open_reach",
        lambda: f"{words.construction(check)}\n\n{text('theory_reach')}",
    )


def check_csv(state: State) -> str:
    """Return all tested epsilons as CSV."""
    return theory_table(exact_check(state), state.view.drawing_seed).csv()


def _parts(state: State, case: WorstCase) -> list[Part[AttackCounts]]:
    units, seed = state.view.simulated_units, state.view.drawing_seed
    told = to_json(case.scenario)
    return [
        Part(
            key=f"attack {seed} {at} {runs} {units} {told}",
            compute=partial(simulated_attack, case, units, runs, seed, at),
        )
        for at, runs in enumerate(part_sizes(case, units, state.view.simulated_runs))
    ]


def answer(state: State) -> Answer:
    """Draw the simulated attacks beside the bounds, then a game of the same."""
    check, filled = known_check(state)
    draw_check(state, check, filled)
    yield filled
    draw_reach(check)
    draw_certificate(check.curves)
    folded_code(lambda: [_code(state, check)])


def _code(state: State, check: TheoryCheck) -> tuple[str, str, str]:
    view = state.view
    sizes = part_sizes(check.case, view.simulated_units, view.simulated_runs)
    program = theory_code(state.scenario, view.simulated_units, sizes, view.drawing_seed)
    return "The same runs, and what is proven, from Python:", program, "python"


QUESTION = Question(
    introduction="theory_introduction",
    settings=(
        controls.preset_control,
        way_back_to_batches,
        view_number(
            "simulated_units",
            explanation="How many noisy gradients the attacker sees in each run. Of series that "
            "are walked through it is one of each epoch: the step that uses the series.",
        ),
        view_number(
            "simulated_runs",
            explanation="How often the attack is tried on both data sets. The band shrinks with "
            "the root of that number.",
        ),
        view_number(
            "fixed_epsilon",
            explanation="The ε that the sentence over the chart is about: the nearest tested one.",
        ),
        draw_anew(
            "drawing_seed",
            "simulate_anew",
            "Simulates other runs. The same seed gives the same runs, on any computer.",
        ),
        *DRAWN,
        fold(
            "Noise on context and labels",
            "open_augmentation",
            lambda _: st.caption(
                "Drawn anew for each window, as in training. Attacks look at what has no noise, or "
                "test what has."
            ),
            augmentation_controls,
        ),
    ),
    answer=answer,
    csv=check_csv,
    file="dpviz-theory-check.csv",
)
