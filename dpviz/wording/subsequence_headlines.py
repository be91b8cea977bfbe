"""The main sentence over a comparison of numbers of windows per series, with its scope."""

from collections.abc import Sequence

import numpy as np

from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.over_steps import DeltaOverSteps
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.over_steps import epsilon_text, is_as_in_the_paper
from dpviz.wording.protection import conditions
from dpviz.wording.scope import protected_in, scheme_name
from dpviz.wording.subsequences import batch_notes, epochs_note, scenario_label, winner_title
from dpviz.wording.theorems import brief_source


def curves_title(
    one: ScenarioCurves, others: Sequence[ScenarioCurves], *, is_complete: bool = True
) -> str:
    """Return the chart's finding; none is claimed before all runs are computed."""
    if is_complete:
        return winner_title(one, others)
    after = counted(one.scenario.num_steps, "step")
    # Without a number: the browser draws a chart some moments after it shows a sentence.
    return f"After {after}: not all runs are computed so far"


def curves_headline(
    one: ScenarioCurves, others: Sequence[ScenarioCurves], *, is_complete: bool = True
) -> str:
    """Return who wins where, and epsilon of the first and the last run, as Markdown.

    Before all runs are computed it is about the first alone: which one is the last would change.

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
    quoted = (one, *others[-1:]) if is_complete else (one,)
    told = "; ".join(f"**{_epsilon(curves)}**" for curves in quoted)
    hidden = protected_in(scenario)
    scheme = scheme_name(scenario.sampling)
    finding = f"{curves_title(one, others, is_complete=is_complete)}. "
    needed = conditions([curves.upper.bound for curves in quoted])
    return f"{finding}At δ = {delta}, for {hidden}, {scheme}: {told}. {needed}".rstrip()


def steps_headline(
    one: DeltaOverSteps, others: Sequence[DeltaOverSteps], *, is_complete: bool = True
) -> str:
    """Return delta of the first and the last run at the end, as Markdown.

    Before all runs are computed, of the first alone.
    """
    scenario = one.scenario
    hidden = protected_in(scenario)
    last = counted(int(one.steps[-1]), "step")
    quoted = (one, *others[-1:]) if is_complete else (one,)
    told = "; ".join(f"**{_delta(run)}**" for run in quoted)
    scheme = scheme_name(scenario.sampling)
    needed = conditions([run.upper.bounds[-1] for run in quoted])
    start = f"After {last}, at ε = {epsilon_text(one.epsilon)}, for {hidden}, {scheme}"
    return f"{start}: {told}. {needed}".rstrip()


def run_notes(scenarios: Sequence[Scenario]) -> list[str]:
    """Return what the compared runs have in common, and where they have not."""
    return [epochs_note(scenarios), *batch_notes(scenarios)]


def _epsilon(curves: ScenarioCurves) -> str:
    label = scenario_label(curves.scenario)
    if curves.epsilon_upper is None:
        return f"{label}: no finite ε proven"
    told, source = (
        f"{label}: ε ≤ {rounded_up(curves.epsilon_upper)}",
        brief_source(curves.upper.bound),
    )
    if curves.epsilon_lower is None:
        return f"{told} ({source})"
    return f"{told} ({source}; ≥ {rounded_down(curves.epsilon_lower)} attained)"


def _delta(run: DeltaOverSteps) -> str:
    told = f"{scenario_label(run.scenario)}: δ ≤ {rounded_up(_last(run.upper.delta_high), 3)}"
    source = brief_source(run.upper.bounds[-1])
    if run.lower is None or is_as_in_the_paper(run):
        return f"{told} ({source})"
    return f"{told} ({source}; ≥ {rounded_down(_last(run.lower.delta_low), 3)} attained)"


def _last(values: np.ndarray) -> float:
    return float(values[-1])
