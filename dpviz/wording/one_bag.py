"""What a stock accountant promises about one bag, what is true, and what the loader is worth."""

from collections.abc import Sequence
from itertools import combinations

from dpviz.planning import Order, ScenarioCurves, proven_order, proven_order_at_delta
from dpviz.planning.one_bag import bag_size, has_one_length, is_one_record, shape_of
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import COINS, FIXED_NUMBER
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.protection import conditions
from dpviz.wording.scope import protected_in, scheme_name
from dpviz.wording.subsequences import places
from dpviz.wording.theorems import composed_source, named_theorem

Runs = Sequence[tuple[str, ScenarioCurves]]
PROMISE = "stock promise for one window"
_BAG_LABELS = {FIXED_NUMBER: "one bag (fixed batch size)", COINS: "one bag (each window by a coin)"}


def loader_label(scenario: Scenario) -> str:
    """Return the name of a way to draw batches; without a comma, for tables.

    >>> from dpviz.scenario import PRESETS
    >>> loader_label(PRESETS["toy"].scenario)
    'series first (1 window each)'
    """
    sampling = scenario.sampling
    if sampling.is_bag:
        return _BAG_LABELS[sampling.bottom_level]
    mean = " on average" if sampling.takes_windows_by_coins else ""
    return f"series first ({counted(sampling.num_subsequences, 'window')} each{mean})"


def bag_title(bag: ScenarioCurves, promise: ScenarioCurves) -> str:
    """Return what is promised and what is proven at the scenario's delta, as a chart's title.

    Args:
        bag: the visitor's own bag, or one of fixed size.
        promise: the same as a stock accountant counts it.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.one_bag import promise_run
    >>> from dpviz.planning.one_bag import bag_run
    >>> from dpviz.scenario import PRESETS
    >>> run = bag_run(PRESETS["toy"].scenario)
    >>> bag_title(curves_of(run), curves_of(promise_run(run)))
    'At δ = 10⁻⁷ a stock accountant promises ε ≤ 11.55; for one individual 20.11 to 21.52 is proven'
    """
    start = f"At δ = {power_of_ten(bag.scenario.delta)} a stock accountant promises"
    start += f" {_most(promise.epsilon_upper)}"
    if is_one_record(bag.scenario):
        return f"{start}, which holds for an individual in one window"
    most = "no finite ε" if bag.epsilon_upper is None else rounded_up(bag.epsilon_upper)
    if bag.epsilon_upper is not None and bag.epsilon_lower:
        most = f"{rounded_down(bag.epsilon_lower)} to {most}"
    elif bag.epsilon_upper is not None:
        most = f"ε ≤ {most}"
    return f"{start}; for one individual {most} is proven"


def bag_headline(bag: ScenarioCurves, promise: ScenarioCurves, others: Runs) -> str:
    """Return the promise, what is proven of an individual, and the proven order, as Markdown.

    Args:
        bag: the visitor's own bag, or one of fixed size.
        promise: the same as a stock accountant counts it.
        others: the other ways to draw batches, with their names.
    """
    scenario, bound = bag.scenario, promise.upper.bound
    source = composed_source(bound)
    parts = [
        f"After {counted(scenario.num_steps, 'step')} with {scheme_name(scenario.sampling)}, at "
        f"δ = {power_of_ten(scenario.delta)}: a stock accountant, for which each window is a "
        f"record that may be replaced, promises **{_most(promise.epsilon_upper)} for one window** "
        f"({source}).",
        _truth(bag, promise),
        _order_at_delta([(loader_label(scenario), bag), *others]),
        conditions([bag.upper.bound, *(curves.upper.bound for _, curves in others)]),
    ]
    return " ".join(part for part in parts if part)


def loaders_table(runs: Runs, promises: Runs) -> str:
    """Return what each way to draw batches promises whom, as a Markdown table.

    Args:
        runs: every way, with its name.
        promises: of those that are bags, as a stock accountant counts them.
    """
    told = dict(promises)
    delta = power_of_ten(runs[0][1].scenario.delta)
    lines = [
        f"| Batches, δ = {delta} | ε of an individual, at most | at least | {PROMISE} |",
        "| --- | --- | --- | --- |",
    ]
    for label, curves in runs:
        window = _most(told[label].epsilon_upper) if label in told else "not made"
        lower = curves.epsilon_lower
        least = "none proven" if lower is None else f"≥ {rounded_down(lower)}"
        lines.append(f"| {label} | {_most(curves.epsilon_upper)} | {least} | {window} |")
    return "\n".join(lines)


def exceeds_promise(bag: ScenarioCurves, promise: ScenarioCurves) -> bool:
    """Return whether more is proven true for one individual than is promised for one window."""
    lower, upper = bag.epsilon_lower, promise.epsilon_upper
    return lower is not None and upper is not None and bool(lower > upper)


def order_by_epsilon(bag: ScenarioCurves, first: ScenarioCurves | None) -> str:
    """Return where in epsilon which of two ways is proven more private, as Markdown.

    Args:
        bag: the visitor's own bag, or one of fixed size.
        first: the run that draws series first; ``None`` where there is none.
    """
    if first is None:
        return ""
    region = proven_order(first, bag)
    told = f"By ε, wherever δ is not below {power_of_ten(bag.smallest_delta)}: "
    ways = {Order.FIRST: "drawing series first", Order.SECOND: loader_label(bag.scenario)}
    orders = {stretch.order for stretch in region}
    parts = [
        f"{way} is **proven more private for one individual {places(region, order, 'throughout')}**"
        for order, way in ways.items()
        if order in orders
    ]
    if not parts:
        return f"{told}neither of {' and '.join(ways.values())} is proven the more private."
    elsewhere = " Elsewhere no order is proven." if Order.UNPROVEN in orders else ""
    return f"{told}{'; '.join(parts)}.{elsewhere}"


def individual(scenario: Scenario) -> str:
    """Return one individual, and in how many of the bag's windows it is.

    >>> from dpviz.scenario import PRESETS
    >>> individual(PRESETS["toy"].scenario)
    "one individual (any single value of one series, in up to 2 of the bag's 6,400 windows)"
    """
    hidden = protected_in(scenario)
    if not has_one_length(scenario):
        return f"one individual ({hidden}, in several windows of the bag)"
    total = bag_size(shape_of(scenario))
    most = "" if scenario.touched_windows == 1 else "up to "
    return (
        f"one individual ({hidden}, in {most}{scenario.touched_windows:,} of the bag's "
        f"{counted(total, 'window')})"
    )


def _most(epsilon: float | None) -> str:
    return "no finite ε" if epsilon is None else f"ε ≤ {rounded_up(epsilon)}"


def _truth(bag: ScenarioCurves, promise: ScenarioCurves) -> str:
    whom, bound, lower = individual(bag.scenario), bag.upper.bound, bag.lower
    most = f"**{_most(bag.epsilon_upper)}** is proven ({named_theorem(bound.theorem)})"
    if lower is None:
        return f"For {whom} {most}, and no lower bound: {_why_no_lower_bound(bag)}."
    least = bag.epsilon_lower
    if not least:
        return f"For {whom} {most}."
    source = f"{named_theorem(lower.bound.theorem)}, attained lower bound"
    told = f"For {whom} {most}, and **at least ε = {rounded_down(least)} is true** ({source})"
    return f"{told}{_times(least, promise.epsilon_upper)}."


def _times(least: float, promised: float | None) -> str:
    if promised is None or least <= promised:
        return ""
    if not promised or least / promised < 1.1:
        return ", more than was promised"
    return f", more than {rounded_down(least / promised, 2)} times what was promised"


def _why_no_lower_bound(bag: ScenarioCurves) -> str:
    if not has_one_length(bag.scenario):
        return "the series have several lengths, so how many windows the bag has is not known"
    return "none covers noise on context or labels"


def _order_at_delta(runs: Runs) -> str:
    """Return which of all ways are proven more private than which at the scenario's delta."""
    wins: dict[str, list[str]] = {label: [] for label, _ in runs}
    for (one, here), (other, there) in combinations(runs, 2):
        order = proven_order_at_delta(here, there)
        if order is not Order.UNPROVEN:
            better, worse = (one, other) if order is Order.FIRST else (other, one)
            wins[better].append(worse)
    if not any(wins.values()):
        return "Which way of drawing batches is more private is not proven at this δ."
    by_wins = sorted(wins, key=lambda label: -len(wins[label]))
    if [len(wins[label]) for label in by_wins] == list(range(len(runs)))[::-1]:
        return f"Proven at this δ, the most private first: **{', '.join(by_wins)}**."
    proven = [f"{better} before {' and '.join(worse)}" for better, worse in wins.items() if worse]
    return f"Proven more private at this δ: **{'; '.join(proven)}**."
