"""The main sentence over a comparison of numbers of windows per series, with its scope."""

from collections.abc import Sequence

import numpy as np

from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.over_steps import DeltaOverSteps
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.over_steps import epsilon_text
from dpviz.wording.scope import TOP_LEVEL_NAMES, protected_unit
from dpviz.wording.subsequences import batch_notes, epochs_note, scenario_label, winner_title


def curves_headline(one: ScenarioCurves, others: Sequence[ScenarioCurves]) -> str:
    """Return who wins where, and epsilon of the first and the last run, as Markdown.

    >>> from dpviz.planning.curves import curves_of
    >>> from dpviz.planning.subsequences import with_subsequences
    >>> from dpviz.scenario import PRESETS
    >>> runs = [curves_of(with_subsequences(PRESETS["toy"].scenario, w)) for w in (1, 8)]
    >>> text = curves_headline(runs[0], runs[1:])
    >>> "**1 window per series: ε ≤ 19.03" in text
    True
    """
    scenario = one.scenario
    delta = power_of_ten(scenario.delta)
    told = "; ".join(f"**{_epsilon(curves)}**" for curves in (one, *others[-1:]))
    hidden = protected_unit(scenario.relation, scenario.units)
    scheme = TOP_LEVEL_NAMES[scenario.sampling.top_level]
    finding = f"{winner_title(one, others)}. " if others else ""
    return f"{finding}At δ = {delta}, for {hidden}, {scheme}: {told}."


def steps_headline(one: DeltaOverSteps, others: Sequence[DeltaOverSteps]) -> str:
    """Return delta of the first and the last run at the end, as Markdown."""
    scenario = one.scenario
    hidden = protected_unit(scenario.relation, scenario.units)
    last = counted(int(one.steps[-1]), "step")
    told = "; ".join(f"**{_delta(run)}**" for run in (one, *others[-1:]))
    scheme = TOP_LEVEL_NAMES[scenario.sampling.top_level]
    return f"After {last}, at ε = {epsilon_text(one.epsilon)}, for {hidden}, {scheme}: {told}."


def run_notes(scenarios: Sequence[Scenario]) -> list[str]:
    """Return what the compared runs have in common, and where they have not."""
    return [epochs_note(scenarios), *batch_notes(scenarios)]


def _epsilon(curves: ScenarioCurves) -> str:
    label = scenario_label(curves.scenario)
    if curves.epsilon_upper is None:
        return f"{label}: no finite ε proven"
    told = f"{label}: ε ≤ {rounded_up(curves.epsilon_upper)}"
    if curves.epsilon_lower is None:
        return told
    return f"{told} (≥ {rounded_down(curves.epsilon_lower)} attained)"


def _delta(run: DeltaOverSteps) -> str:
    told = f"{scenario_label(run.scenario)}: δ ≤ {rounded_up(_last(run.upper.delta_high), 3)}"
    if run.lower is None:
        return told
    return f"{told} (≥ {rounded_down(_last(run.lower.delta_low), 3)} attained)"


def _last(values: np.ndarray) -> float:
    return float(values[-1])
