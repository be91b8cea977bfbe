"""What delta over the training steps says, as sentences that stay true."""

from collections.abc import Sequence
from itertools import groupby

from dpviz.guarantees import Kind
from dpviz.planning.over_steps import DeltaOverSteps, steps_won
from dpviz.wording.numbers import counted, listed, rounded_down, rounded_up
from dpviz.wording.subsequences import scenario_label
from dpviz.wording.theorems import bound_label


def over_steps_title(
    one: DeltaOverSteps, others: Sequence[DeltaOverSteps], *, is_complete: bool = True
) -> str:
    """Return after which of the steps one run is proven the most private, as a finding.

    Before all runs are computed, none is claimed.
    """
    if not is_complete:
        # Without a number: the browser draws a chart some moments after it shows a sentence.
        return f"At ε = {epsilon_text(one.epsilon)}: not all runs are computed so far"
    start = f"At ε = {epsilon_text(one.epsilon)}, {scenario_label(one.scenario)}"
    drawn = any(is_as_in_the_paper(run) for run in others)
    if not others:
        return f"How δ {start[0].lower()}{start[1:]}, grows with the steps"
    yes, no = "is proven the most private", "is not proven the most private"
    if drawn:
        yes, no = (f"{has} the smallest δ as the paper compares" for has in ("has", "has not"))
    won = steps_won(one, others)
    if not won:
        return f"{start} {no} after any of these steps"
    if len(won) == len(one.steps):
        return f"{start} {yes} after each of these steps"
    places = {step: place for place, step in enumerate(one.steps.tolist())}
    runs = []
    for _, group in groupby(enumerate(won), key=lambda pair: places[pair[1]] - pair[0]):
        members = [step for _, step in group]
        runs.append(
            f"{members[0]:,}" if len(members) == 1 else f"{members[0]:,} to {members[-1]:,}"
        )
    return f"{start} {yes} after {listed(runs)} steps"


def over_steps_description(runs: Sequence[DeltaOverSteps], *, is_complete: bool = True) -> str:
    """Return the chart of delta over steps for those who cannot see it."""
    parts = [over_steps_title(runs[0], runs[1:], is_complete=is_complete) + "."]
    last = int(runs[0].steps[-1])
    for run in runs:
        text = f"at most {rounded_up(float(run.upper.delta_high[-1]), 3)}"
        if run.lower is not None and not is_as_in_the_paper(run):
            text += f" and at least {rounded_down(float(run.lower.delta_low[-1]), 3)}"
        parts.append(
            f"{scenario_label(run.scenario)}: after {counted(last, 'step')} delta is {text}, "
            f"{bound_label(run.upper.bounds[-1])}."
        )
    return " ".join([*parts, "Delta, on a logarithmic axis, grows with the steps."])


def is_as_in_the_paper(run: DeltaOverSteps) -> bool:
    """Whether the lower line of a run is the paper's, and no bound after several units."""
    return run.lower is not None and any(
        bound.kind_after_composition is Kind.UNPROVEN for bound in run.lower.bounds
    )


def epsilon_text(epsilon: float) -> str:
    """Return an epsilon with all its digits: a rounded one would not belong to its delta.

    >>> epsilon_text(4.0), epsilon_text(0.15)
    ('4', '0.15')
    """
    return repr(epsilon).removesuffix(".0")
