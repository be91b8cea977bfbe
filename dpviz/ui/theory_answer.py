"""The answer to whether the theory holds: simulated attacks beside the bounds."""

from functools import partial

import streamlit as st

from dpviz.export.theory_code import theory_code
from dpviz.export.theory_csv import theory_csv
from dpviz.figures import figure_json
from dpviz.figures.theory_check import theory_check_chart
from dpviz.planning.simulated_attack import (
    TheoryCheck,
    part_sizes,
    simulated_attack,
    summed,
    theory_check,
)
from dpviz.planning.worst_case import WorstCase, after_units, worst_case
from dpviz.scenario import to_json
from dpviz.ui import frame
from dpviz.ui.compute import content, exact_curves, known_curves
from dpviz.ui.filling import Filled, fill_in, result_of, together
from dpviz.ui.page import folded
from dpviz.ui.shared import Part
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording import theory_check as words

KEY = "theory_check"


def known_check(state: State) -> tuple[TheoryCheck, Filled]:
    """Return the check by as many runs as there are by now, and what is still to come.

    Raises:
        ScenarioError: no bound covers the scenario, or it cannot be simulated.
        TooCostlyError: even coarse bounds would cost too much.
    """
    case = worst_case(state.scenario)
    parts = _parts(state, case)
    known = known_curves([after_units(state.scenario, state.view.simulated_units)])
    curves = known.curves[0]
    assert curves is not None  # the first one is there at once, be it coarse
    first = result_of(parts[0])
    filled = fill_in(parts)
    counts = [found for found in filled.results if found is not None] or [first]
    return theory_check(case, curves, summed(counts)), together(known.filled, filled)


def exact_check(state: State) -> TheoryCheck:
    """Return the check by all runs, however long it takes."""
    case = worst_case(state.scenario)
    counts = [result_of(part) for part in _parts(state, case)]
    curves = exact_curves(after_units(state.scenario, state.view.simulated_units))
    return theory_check(case, curves, summed(counts))


def draw_check(state: State, check: TheoryCheck, filled: Filled) -> None:
    """Draw the band of what was simulated beside the bounds."""
    view = state.view

    def chart() -> str:
        identity = f"theory {to_json(check.case.scenario)} {view.simulated_units}"
        return figure_json(theory_check_chart(check, view.fixed_epsilon, identity=identity))

    inputs = [check.curves, view.simulated_units, check.runs, view.drawing_seed, view.fixed_epsilon]
    note = ""
    if not filled.to_come:
        note = words.fewer_runs_note(view.simulated_runs, check.runs)
    frame.draw_answer(
        headline=words.theory_headline(check, view.fixed_epsilon),
        figure_json=content("theory check", inputs, chart),
        alt=words.theory_description(check, view.fixed_epsilon),
        key=KEY,
        finding=words.verdict(check, view.fixed_epsilon, view.drawing_seed),
        caption=" ".join(filter(None, [text("theory_caption"), note])),
        progress=filled.progress,
    )


def draw_reach(check: TheoryCheck) -> None:
    """Draw what was simulated exactly, and what that can and cannot show."""
    with folded("What this can show, and what it cannot", key="open_reach") as is_open:
        if is_open:
            st.markdown(f"{words.construction(check)}\n\n{text('theory_reach')}")


def draw_code(state: State, check: TheoryCheck) -> None:
    """Draw the code that simulates the same runs."""
    with folded("Show the code", key="open_code") as is_open:
        if is_open:
            view = state.view
            sizes = part_sizes(check.case, view.simulated_units, view.simulated_runs)
            st.caption("The same runs, and what is proven, from Python:")
            st.code(
                theory_code(state.scenario, view.simulated_units, sizes, view.drawing_seed),
                language="python",
            )


def check_csv(state: State) -> str:
    """Return all tested epsilons as CSV."""
    return theory_csv(exact_check(state), state.view.drawing_seed)


def _parts(state: State, case: WorstCase) -> list[Part]:
    units, seed = state.view.simulated_units, state.view.drawing_seed
    told = to_json(case.scenario)
    return [
        Part(
            key=f"attack {seed} {at} {runs} {units} {told}",
            compute=partial(simulated_attack, case, units, runs, seed, at),
        )
        for at, runs in enumerate(part_sizes(case, units, state.view.simulated_runs))
    ]
