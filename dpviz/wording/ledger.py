"""What a budget ledger says, as sentences and as a table."""

from collections.abc import Sequence

from dpviz.guarantees import Bound
from dpviz.planning.ledger import Ledger, Room, Total
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import NOISE_MULTIPLIER_RANGE
from dpviz.wording.markup import markdown_table, plain
from dpviz.wording.numbers import (
    counted_in,
    digits_within,
    epsilon_at_most,
    in_full,
    joined,
    listed,
    power_of_ten,
    rounded,
    rounded_down,
    rounded_up,
)
from dpviz.wording.scope import protected_unit, relation_name
from dpviz.wording.theorems import brief_source, extension_mark, named_theorem, named_theorems

# Around the headline of runs that the visitor has not entered.
EXAMPLE = "Example, a pilot and a main run on traffic. "
EMPTY = "Your ledger is empty: *Add to the ledger* makes the current settings its first run."
# Pairs compose if each one was fixed before the outcomes: docs/sweeps.md has a counterexample.
ADAPTIVITY = (
    "Fix noise, windows, sampling and longest training of all runs beforehand: fewer steps, more "
    "noise or no run are covered. Model, features and learning rate may follow from earlier runs"
)
# Whose the lower bound is.
OF_ALL, OF_ONE = "all runs together", "the run that leaks most by itself"
# Runs that are said to be on the same data may be on other values of them: of a moving window.
SAME_VALUES = "on the same values"
_NOT_FINITE = "no finite ε is proven"
# For the longest training, and for the least noise.
_NO_ROOM = (
    "- not even the shortest training at this noise",
    f"- not even with the largest noise tried, σ = {NOISE_MULTIPLIER_RANGE[1]:g}",
)


def left_sentence(found: Ledger, target_epsilon: float) -> str:
    """Return what a budget leaves for one more release, as Markdown."""
    budget = f"ε = {power_of_ten(target_epsilon)} at δ = {power_of_ten(found.delta)}"
    if found.upper.high is None or found.upper.high > target_epsilon:
        return f"**Nothing is left of the budget**, {budget}: the upper bound exceeds it."
    half, left = power_of_ten(found.delta / 2.0), found.left_of(target_epsilon)
    if left == 0.0:
        return (
            "**Nothing is left for a release outside of the ledger** (basic composition): the runs "
            f"keep within the budget, {budget}, but at δ = {half}, with the other half for the "
            "release, their upper bound reaches its ε. One more run in the ledger may still fit: "
            "it is composed with them."
        )
    return (
        f"**Left: ε = {rounded_down(left)} at δ = {half}** for one more release within the "
        f"budget, {budget} (basic composition)."
    )


def ledger_headline(found: Ledger, target_epsilon: float) -> str:
    """Return what the budget leaves, and the total with its meaning, as Markdown."""
    return f"{left_sentence(found, target_epsilon)} {total_sentence(found)}"


def total_sentence(found: Ledger) -> str:
    """Return what all runs give away together, with its meaning, as Markdown."""
    are_several, bounds, least = len(found.rows) > 1, [row.bound for row in found.rows], ""
    total = _proven(found.upper.high)
    # Not how many: one may be several that were trained alike.
    together = "All together" if are_several else "So far"
    mark = max(map(extension_mark, bounds))  # the longest: empty where none has one
    if found.lower is not None and found.lower.low:
        same = f" {SAME_VALUES}" if are_several else ""
        whose = same if found.lower_is_of_all else " from one row alone"
        source = named_theorems(found.lower_bounds)
        least = f"; ≥ {rounded_down(found.lower.low)} by {source}{whose}"
    first = found.rows[0].scenario  # the series of others may be longer
    return (
        f"**{together}: {total}** at δ = {power_of_ten(found.delta)} (upper bound, composed from "
        f"{named_theorems(bounds)}{mark}{least}), for "
        f"{plain(protected_unit(first.relation, first.units))}."
    )


def next_sentence(found: Ledger, with_next: Total | None) -> str:
    """Return what all runs and the current settings give away, as Markdown; empty if not known."""
    if with_next is None:
        return ""
    new = [one for one in with_next.conditions if one not in found.conditions]
    total = f"**{_proven(with_next.epsilon)}**{_only_if(new)}"
    known = {(row.bound.theorem, row.bound.extension) for row in found.rows}
    is_known = (with_next.last.theorem, with_next.last.extension) in known
    its_bound = "" if is_known else _its_bound(with_next.last)
    return f"With the current settings as one more run{its_bound}: {total}."


def _its_bound(bound: Bound) -> str:
    """Return what the next run's own bound is, in brackets."""
    return f" (its bound: {_extended(named_theorem(bound.theorem), bound)})"


def _extended(source: str, bound: Bound) -> str:
    return "; ".join(filter(None, (source, bound.extension)))


def _only_if(conditions: Sequence[str]) -> str:
    return f", only if {listed(conditions)}" if conditions else ""


def lower_words(found: Ledger) -> str:
    """Return whose the lower bound is, and by what."""
    if found.lower is None:
        return "none proven"
    same = f", if {SAME_VALUES}" if len(found.rows) > 1 else ""
    whose = f"of {OF_ALL}{same}" if found.lower_is_of_all else f"of {OF_ONE}"
    return f"{whose}, by {named_theorems(found.lower_bounds)}"


def ledger_description(found: Ledger, with_next: Total | None = None) -> str:
    """Return the chart in words."""
    bars = [f"{row.name}: {_proven(row.alone.quoted)} alone" for row in found.rows]
    total = f"All together: {_proven(found.upper.high)}"
    if with_next is not None:
        total += f"; with one more run: {_proven(with_next.epsilon)}"
    start = f"Bars of epsilon at delta {found.delta!r}, upper bounds"
    return f"{start}. {'; '.join(bars)}. {total}."


def ledger_finding(found: Ledger) -> str:
    """Return who is covered, and under which conditions."""
    covered = plain(relation_name(found.rows[0].scenario.relation))
    needed = [f"Only if {condition}." for condition in found.conditions]
    return joined(f"Covered is {covered}. {ADAPTIVITY}.", *needed)


def ledger_table(found: Ledger) -> str:
    """Return what each run adds as a Markdown table."""
    at_most = "ε\N{NO-BREAK SPACE}≤"
    heads = [
        "Run",
        "Trains",
        "Bound",
        f"Alone: {at_most}",
        f"All others: {at_most}",
        "Share of variance",
    ]
    rows = [
        [
            plain(row.name),
            _training(row.scenario),
            _extended(brief_source(row.bound), row.bound),
            _at_most(row.alone.quoted),
            _at_most(row.without),
            f"about {rounded(100.0 * row.share, 2)} %",
        ]
        for row in found.rows
    ]
    return markdown_table(heads, rows)


def _training(scenario: Scenario) -> str:
    training = scenario.training
    length = counted_in(training.count, training.unit)
    return f"{length} at σ = {in_full(scenario.noise.noise_multiplier)}"


def _proven(epsilon: float | None) -> str:
    return epsilon_at_most(epsilon, _NOT_FINITE)


def _at_most(epsilon: float | None) -> str:
    return "not finite" if epsilon is None else rounded_up(epsilon)


def room_sentences(
    found: Sequence[Room | str | None], target_epsilon: float, delta: float, runs: int
) -> list[str]:
    """Return what a budget leaves for the current settings as the next run.

    ``found`` are longest training and least noise: a sentence where there is no room, ``None``
    where it is still to come. Budget and delta are of all runs together.
    """
    before = "beside those above" if runs else "as the first run"
    lines = [
        f"Within ε = {power_of_ten(target_epsilon)} at δ = {power_of_ten(delta)} for all runs "
        f"together, planned beforehand, the current settings {before} may train:"
    ]
    for at, room in enumerate(found):
        if room is None:
            lines.append("- …")
        elif isinstance(room, str):
            lines.append(_NO_ROOM[at])
        else:
            training, sigma = room.scenario.training, room.scenario.noise.noise_multiplier
            length = counted_in(training.count, training.unit)
            what = (
                f"for at most **{length}** at σ = {in_full(sigma)}"
                if at == 0
                else f"for {length} at a noise multiplier σ of at least **{in_full(sigma)}**"
            )
            limit = f", the {('largest', 'least')[at]} that is tried" if room.at_limit else ""
            most = rounded_up(room.epsilon, digits_within(target_epsilon, room.epsilon))
            total = f"ε ≤ {most} in all{_only_if(room.conditions)}"
            lines.append(f"- {what}{limit}: then {total}{_its_bound(room.bound)}")
    return lines
