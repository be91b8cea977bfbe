"""What epsilon over the course of training says, as sentences that stay true."""

from collections.abc import Sequence

from dpviz.planning.budget import UsedUp, counts_alike, first_exceeding
from dpviz.planning.proven import ProvenEpsilon
from dpviz.planning.target import Target
from dpviz.scenario import Scenario
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import counted, counted_in, joined, no_less, power_of_ten, rounded_up
from dpviz.wording.proven_epsilon import epsilon_range
from dpviz.wording.scope import caveats, protected_in, run_length
from dpviz.wording.theorems import named_theorem, qualified_label, whole_meaning


def training_length(scenario: Scenario, count: int) -> str:
    """Return a number of steps or epochs in the scenario's own training unit."""
    return counted_in(count, scenario.training.unit)


def _told(target: Target) -> str:
    return f"{power_of_ten(target.epsilon)} at δ = {power_of_ten(target.delta)}"


def budget_title(
    scenario: Scenario, points: Sequence[ProvenEpsilon], used_up: UsedUp | None = None
) -> str:
    """Return what the chart shows, as a finding."""
    if used_up is not None:
        return _target_title(scenario, used_up)
    delta, own = power_of_ten(scenario.delta), scenario.training.count
    known = {point.count: point.epsilon_upper for point in points}
    parts = [
        f"ε ≤ {rounded_up(epsilon)} after {training_length(scenario, count)}"
        for count in sorted({min(known, default=own), own})
        if (epsilon := known.get(count)) is not None
    ]
    if parts:
        return f"{', '.join(parts)}, at δ = {delta}"
    if own in known:
        return f"No finite ε is proven at δ = {delta}"
    return f"ε over {training_length(scenario, own)}, at δ = {delta}"


def budget_description(
    scenario: Scenario, points: Sequence[ProvenEpsilon], used_up: UsedUp | None = None
) -> str:
    """Return the chart's content for those who cannot see it."""
    unit, delta = scenario.training.unit, scenario.delta
    ordered = sorted(points, key=lambda point: point.count)
    parts = [budget_title(scenario, ordered, used_up) + "."]
    parts.append(
        f"Epsilon at delta {delta!r} against training {unit}, on logarithmic axes, known at "
        f"{counted(len(ordered), 'number')} of {unit}. It never falls."
    )
    # The first, the scenario's own and the last; a screen reader gets no table read out.
    counts = {point.count for point in (*ordered[:1], *ordered[-1:])} | {scenario.training.count}
    for point in ordered:
        if point.count in counts:
            length = training_length(scenario, point.count)
            parts.append(f"After {length} epsilon is {epsilon_range(point)}.")
    if used_up is not None:  # its sentence says for whom, and what it rests on
        parts.append(target_sentence(scenario, used_up, ordered).replace("**", ""))
    elif ordered:
        parts.append(f"The upper bound protects {protected_in(scenario)}.")
        parts.append(caveats(ordered[-1].upper.bound))
    return joined(*parts)


def target_sentence(
    scenario: Scenario, used_up: UsedUp, points: Sequence[ProvenEpsilon] = ()
) -> str:
    """Return where the target is used up, as Markdown.

    Some points of the line may show that the target is really exceeded, which the end of an upper
    bound does not.
    """
    target, whom = _told(used_up.target), protected_in(scenario)
    meaning, quoted = whole_meaning(used_up.upper.bound), used_up.upper.quoted
    told = f"**ε ≤ {target} is proven for up to {training_length(scenario, used_up.count)}**"
    if used_up.is_endless:
        told += f", the longest that can be set, for {whom} ({meaning})."
    elif used_up.count:
        told += f" for {whom} ({meaning}). {_left_over(scenario, used_up.count)}"
    else:
        least = "no finite ε is proven for it"
        if quoted is not None:
            least = f"it has ε ≤ {rounded_up(quoted)}"
        told = (
            f"**Not even {counted_in(1, used_up.unit)} is proven to stay within ε = {target}** for "
            f"{whom}: {least} ({meaning})."
        )
    exceeding = first_exceeding(points, used_up.target.epsilon)
    if exceeding is None or exceeding.lower is None or not exceeding.epsilon_lower:
        return told
    length = training_length(scenario, exceeding.count)
    theorem = named_theorem(exceeding.lower.bound.theorem)
    least = no_less(exceeding.epsilon_lower)
    return f"{told} After {length} {least} ({theorem}, attained lower bound)."


def target_label(target_epsilon: float, used_up: UsedUp | None = None) -> tuple[str, ...]:
    """Return the target and what became of it, as short lines for a chart."""
    target = f"target ε = {power_of_ten(target_epsilon)}"
    if used_up is None:
        return (target,)
    if used_up.count == 0:
        return target, f"not proven even for {counted_in(1, used_up.unit)}"
    end = "not used up by" if used_up.is_endless else "used up after"
    return target, f"{end} {counted_in(used_up.count, used_up.unit)}"


def nothing_drawn(scenario: Scenario, points: Sequence[ProvenEpsilon]) -> str:
    """Return why there is no line: what is 0 or infinite has no place on a logarithmic axis."""
    if not points or any(point.epsilon_upper or point.epsilon_lower for point in points):
        return ""
    # Epsilon never falls: what is true of the longest training is true of those before it.
    last = max(points, key=lambda point: point.count)
    delta = power_of_ten(scenario.delta)
    if last.epsilon_upper is None:
        return f"No finite ε is proven at δ = {delta}"
    longest = training_length(scenario, counts_alike(scenario, last)[1])
    return f"ε is 0 at δ = {delta} for up to {longest}"


def where_told(scenario: Scenario, counts: tuple[int, int]) -> str:
    """Return after how much training a bound holds: the first and the last of some counts."""
    first, last = counts
    start = "" if first == last else f"{first:,} to "
    return f"after {start}{training_length(scenario, last)}"


def _target_title(scenario: Scenario, used_up: UsedUp) -> str:
    own = training_length(scenario, scenario.training.count)
    if used_up.is_endless:
        end = f"is never used up, by {training_length(scenario, used_up.largest)}"
    elif used_up.count == 0:
        end = f"is not proven even for {counted_in(1, used_up.unit)}"
    elif used_up.count < scenario.training.count:
        end = f"is used up after {used_up.count:,} of {own}"
    elif used_up.count == scenario.training.count:
        end = f"lasts for exactly {own}"
    else:
        end = f"lasts for {own}, and is used up after {used_up.count:,}"
    return f"ε = {_told(used_up.target)} {end}"


def _left_over(scenario: Scenario, count: int) -> str:
    difference, own = count - scenario.training.count, run_length(scenario)
    if difference == 0:
        return f"That is exactly your {own}."
    length = training_length(scenario, abs(difference))
    return f"That is {length} {'more' if difference > 0 else 'fewer'} than your {own}."


def lasting_table(rows: Sequence[tuple[str, UsedUp | None]]) -> str:
    """Return how long a target lasts in several runs, as a Markdown table; ``None``: not ready."""
    told = [(name, "…" if found is None else _lasting(found)) for name, found in rows]
    return markdown_table(["Run", "The budget lasts for"], told)


def _lasting(found: UsedUp) -> str:
    least = "at least " if found.is_endless else ""  # more cannot be set
    length = f"{least}{counted_in(found.count, found.unit)}"
    if found.count == 0:
        length = f"not even {counted_in(1, found.unit)}"
    return f"{length} ({qualified_label(found.upper.bound)})"
