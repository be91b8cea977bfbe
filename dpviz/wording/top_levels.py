"""Ways of choosing series compared, in sentences that stay true."""

from collections.abc import Mapping, Sequence

from dpviz.planning import Order, ScenarioCurves, Stretch, proven_order, proven_order_at_delta
from dpviz.planning.curves import EPSILON_GRID
from dpviz.scenario import Rates, Scenario
from dpviz.scenario.data import most_steps_of_a_pass
from dpviz.scenario.mechanism import BINS, ONE_BAG, SHUFFLED
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    epsilon_at_most,
    joined,
    listed,
    power_of_ten,
    rounded_down,
)
from dpviz.wording.scope import conditions, protected_in, run_length
from dpviz.wording.subsequences import place
from dpviz.wording.theorems import brief_source, named_theorem

LABELS = ("drawn at random", "walked through")
BY_COINS, BY_BINS = "drawn by coins", "put into bins"
# What is said of these two where they win.
_OTHERS = {BY_COINS: "drawing series by coins", BY_BINS: "putting series into bins"}
_WINS = {
    Order.FIRST: "drawing series at random is provably more private than a walk",
    Order.SECOND: "a walk is provably more private than drawing series at random",
    Order.UNPROVEN: "neither random draws nor a walk is provably more private",
}
# What the settings have that is compared in the place of it.
INSTEAD_OF = {
    SHUFFLED: "Your settings shuffle the series anew each epoch. The walk compared has one known "
    "order: its upper bound holds for a shuffle, too; its lower bound does not, nor that anything "
    "is more private than the walk.",
    BINS: "Of your bins only the upper bound of a walk is proven.",
    ONE_BAG: "Your settings draw windows from one bag; the ways compared choose series first.",
}
# Beside draws of a fixed number of series; a walk is no draw (docs/tighter-bounds.md, 2 and 3).
WHY_COINS = (
    "No other series takes the place of one that is left out, so gradient sums with and without it "
    "differ less."
)
WHAT_COINS_ASK = (
    "With coins the batch size varies and must stay secret; the sum is divided by the fixed Λ."
)
WHAT_BINS_ASK = (
    "Bins: each epoch puts each series into one batch, independently at random, which a shuffle "
    "does not; batch sizes vary and must stay secret, as with coins."
)
_ATTAINED = " attained"
_DIGITS = 4
_SHORT = {Order.FIRST: "drawn wins", Order.SECOND: "walked wins", Order.UNPROVEN: "unproven"}
_SAME = "the same"
_ALL_SAME = f"every batch draws every series, so all these ways are {_SAME}"


def order_title(drawn: ScenarioCurves, walked: ScenarioCurves, *others: ScenarioCurves) -> str:
    """Return which way is provably more private at the scenario's delta, as a chart's title.

    ``others`` are coins and bins, where these are compared, too.
    """
    words = capitalised(_verdict(drawn, walked, *others).partition(";")[0])
    return words if _are_same(drawn) else f"{words}, at δ = {power_of_ten(drawn.scenario.delta)}"


def _are_same(drawn: ScenarioCurves) -> bool:
    return drawn.scenario.top_rate == 1.0


def _verdict(drawn: ScenarioCurves, walked: ScenarioCurves, *others: ScenarioCurves) -> str:
    if _are_same(drawn):
        return _ALL_SAME
    for at, (words, one) in enumerate(zip(_OTHERS.values(), others, strict=False)):
        if _wins(one, drawn, walked, *others[:at], *others[at + 1 :]):
            return f"{words} is provably the most private of these"
    order = proven_order_at_delta(drawn, walked)
    beaten: list[tuple[str, Sequence[ScenarioCurves]]]
    beaten = [("random draws and a walk", (drawn, walked))]
    if order is Order.UNPROVEN:
        rest = "; between random draws and a walk no order is proven"
        beaten += [(f"a walk{rest}", (walked,)), (f"random draws{rest}", (drawn,))]
    for told, losers in beaten:
        named = zip(_OTHERS.values(), others, strict=False)
        if better := [words for words, one in named if _wins(one, *losers)]:
            are = "is" if len(better) == 1 else "are"
            return f"{listed(better)} {are} provably more private than {told}"
    return _WINS[order]


def order_headline(drawn: ScenarioCurves, walked: ScenarioCurves, *others: ScenarioCurves) -> str:
    """Return who wins and each epsilon, with the scope, as Markdown; arguments as above."""
    scenario, ways = drawn.scenario, (drawn, walked, *others)
    scope = f"at δ = {power_of_ten(scenario.delta)}, for {protected_in(scenario)}"
    told = [f"**{capitalised(_verdict(*ways))}**: after {run_length(scenario)}, {scope}."]
    names = (*LABELS, *_OTHERS)[: len(ways)]
    for at, (name, one) in enumerate(zip(names, ways, strict=True)):
        is_worse = at >= len(LABELS) and _wins(walked, one)
        less = ", provably less private than a walk" if is_worse else ""
        told.append(f"{capitalised(name)}: {_bounds(one)}{less}.")
    return joined(*told, conditions([one.upper.bound for one in ways], names))


def order_by_epsilon(drawn: ScenarioCurves, walked: ScenarioCurves) -> str:
    """Return where in epsilon which way is proven to have the smaller delta, as a sentence.

    It is empty where both are the same.
    """
    if _are_same(drawn):
        return ""
    stretches, smallest = proven_order(drawn, walked), power_of_ten(drawn.smallest_delta)
    if not stretches:
        first = power_of_ten(float(EPSILON_GRID[1]))
        return f"δ is below {smallest} at every ε from {first} on, with either way."
    return f"Wherever δ ≥ {smallest}, {_by_stretch(stretches, _WINS)}."


def order_cell(stretches: Sequence[Stretch]) -> str:
    """Return the same in a few words, for a table."""
    if not stretches:
        return "δ negligible at every ε"
    if len(stretches) == 1:
        return f"{_SHORT[stretches[0].order]} throughout"
    return _by_stretch(stretches, _SHORT)


def _by_stretch(stretches: Sequence[Stretch], words: Mapping[Order, str]) -> str:
    places = [joined(place(one, stretches, "at", _DIGITS), words[one.order]) for one in stretches]
    return "; ".join(places)


def orders_table(
    names: Sequence[str], rows: Sequence[tuple[str, Sequence[ScenarioCurves | None]]]
) -> str:
    """Return who wins after each length of training, as a Markdown table; ``None``: not ready."""
    known = [one for _, ways in rows for one in ways[:2] if one is not None]
    after, told = "After", "By ε"
    if known:
        after = f"ε at δ = {power_of_ten(known[0].scenario.delta)} (≥: attained) after"
        told += f", wherever δ ≥ {power_of_ten(min(one.smallest_delta for one in known))}"
    heads = after, *map(capitalised, names), "Random draws or walk", told
    lines = []
    for length, ways in rows:
        there = [one for one in ways if one is not None]
        if len(there) < len(ways):
            lines.append([length, *["…"] * (len(heads) - 1)])
            continue
        orders = [_SAME, _SAME]
        if not _are_same(there[0]):
            at_delta = _SHORT[proven_order_at_delta(*there[:2])]
            orders = [at_delta, order_cell(proven_order(*there[:2]))]
        epsilons = [_epsilons(one).removesuffix(_ATTAINED) for one in there]
        lines.append([length, *epsilons, *orders])
    return markdown_table(heads, lines)


def short_epoch_note(scenario: Scenario) -> str:
    """Return that an epoch of rates given directly is no pass over all series; empty if it is."""
    if not isinstance(scenario.data, Rates):
        return ""
    most = most_steps_of_a_pass(scenario.data.top_rate)
    if scenario.steps_per_epoch == most:
        return ""
    steps = counted(scenario.steps_per_epoch, "step")
    return (
        f"An epoch has {steps} here, of the {most:,} that ρ allows: a walk then uses the same "
        "series in every epoch, and meets the protected values more often. Set the steps per epoch "
        "under data and windows."
    )


def _wins(one: ScenarioCurves, *others: ScenarioCurves) -> bool:
    return all(proven_order_at_delta(one, other) is Order.FIRST for other in others)


def _bounds(curves: ScenarioCurves) -> str:
    """Return both bounds, each with its theorem, as Markdown."""
    upper, lower, source = curves.upper.bound, curves.lower, brief_source(curves.upper.bound)
    if lower is None or not curves.epsilon_lower or lower.bound.theorem == upper.theorem:
        return f"**{_epsilons(curves)}** ({source})"
    told = f"**{epsilon_at_most(curves.epsilon_upper)}** ({source})"
    least = rounded_down(curves.epsilon_lower)
    return f"{told}, **≥ {least}** ({named_theorem(lower.bound.theorem)}, attained)"


def _epsilons(curves: ScenarioCurves) -> str:
    upper = epsilon_at_most(curves.epsilon_upper)
    if curves.epsilon_upper is None or not curves.epsilon_lower:
        return upper  # that epsilon is at least 0 tells nothing
    return f"{upper}, ≥ {rounded_down(curves.epsilon_lower)}{_ATTAINED}"
