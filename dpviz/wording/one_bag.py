"""What a stock accountant promises about one bag of windows, and what is true, as sentences."""

from dpviz.planning import Order, ScenarioCurves, proven_order, proven_order_at_delta
from dpviz.planning.one_bag import bag_size, has_one_length, is_one_record, shape_of
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.protection import conditions
from dpviz.wording.scope import composed_units, named_theorem, protected_unit
from dpviz.wording.subsequences import places

BAG = "one bag"
_WAYS = {Order.FIRST: "drawing series first", Order.SECOND: "drawing from one bag"}


def series_first_label(scenario: Scenario) -> str:
    """Return the name of a run that draws series first; without a comma, for tables.

    >>> from dpviz.scenario import PRESETS
    >>> series_first_label(PRESETS["toy"].scenario)
    'series first (1 window each)'
    """
    sampling = scenario.sampling
    mean = " on average" if sampling.bottom_level == "poisson" else ""
    return f"series first ({counted(sampling.num_subsequences, 'window')} each{mean})"


def bag_title(bag: ScenarioCurves) -> str:
    """Return what one bag does to one individual at the scenario's delta, as a chart's title.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.one_bag import bag_run
    >>> from dpviz.scenario import PRESETS
    >>> bag_title(curves_of(bag_run(PRESETS["toy"].scenario)))
    'At δ = 10⁻⁷ a stock accountant promises ε ≤ 11.55 for one window; for one individual at \
least 20.11 is true'
    """
    delta, promise = power_of_ten(bag.scenario.delta), bag.epsilon_upper
    if promise is None:
        start = f"At δ = {delta} a stock accountant promises no finite ε"
    else:
        start = f"At δ = {delta} a stock accountant promises ε ≤ {rounded_up(promise)}"
    if is_one_record(bag.scenario):
        return f"{start}, which holds for an individual in one window"
    if exceeds_promise(bag):
        assert bag.epsilon_lower is not None
        least = rounded_down(bag.epsilon_lower)
        return f"{start} for one window; for one individual at least {least} is true"
    return f"{start} for one window; nothing is proven against it"


def bag_headline(bag: ScenarioCurves, first: ScenarioCurves | None) -> str:
    """Return the promise, the truth as far as it is proven, and the other way, as Markdown.

    Args:
        bag: the run that draws its batches from one bag.
        first: the one that draws series first; ``None`` where there is none.
    """
    bounds = [bag.upper.bound] + ([] if first is None else [first.upper.bound])
    steps, delta = counted(bag.scenario.num_steps, "step"), power_of_ten(bag.scenario.delta)
    parts = [
        f"After {steps} with batches from one bag, at δ = {delta}: {_promise(bag)}",
        _truth(bag),
        _other_way(bag, first),
        conditions(bounds),
    ]
    return " ".join(part for part in parts if part)


def exceeds_promise(bag: ScenarioCurves) -> bool:
    """Return whether more is proven true for one individual than is promised for one window."""
    lower, upper = bag.epsilon_lower, bag.epsilon_upper
    return lower is not None and upper is not None and bool(lower > upper)


def order_by_epsilon(bag: ScenarioCurves, first: ScenarioCurves | None) -> str:
    """Return where in epsilon which way is proven to be the more private one, as Markdown."""
    if first is None or bag.lower is None:
        return ""
    region = proven_order(first, bag)
    told = f"By ε, wherever δ is not below {power_of_ten(bag.smallest_delta)}: "
    orders = {stretch.order for stretch in region}
    parts = [
        f"{way} is **proven more private for one individual {places(region, order, 'throughout')}**"
        for order, way in _WAYS.items()
        if order in orders
    ]
    if not parts:
        return f"{told}neither way is proven more private for one individual at any ε."
    text = f"{told}{'; '.join(parts)}."
    if Order.UNPROVEN not in orders:
        return text
    why = ": the bag's line for an individual is a lower bound only" * bool(
        bag.upper.bound.protects
    )
    return f"{text} Elsewhere no order is proven{why}."


def individual(scenario: Scenario) -> str:
    """Return one individual, and in how many of the bag's windows it is.

    >>> from dpviz.scenario import PRESETS
    >>> individual(PRESETS["toy"].scenario)
    "one individual (any single value of one series, in up to 2 of the bag's 6,400 windows)"
    """
    hidden = protected_unit(scenario.relation, scenario.units)
    if not has_one_length(scenario):
        return f"one individual ({hidden}, in several windows of the bag)"
    total = bag_size(shape_of(scenario))
    most = "" if scenario.touched_windows == 1 else "up to "
    return (
        f"one individual ({hidden}, in {most}{scenario.touched_windows:,} of the bag's "
        f"{counted(total, 'window')})"
    )


def _promise(bag: ScenarioCurves) -> str:
    bound = bag.upper.bound
    source = f"{named_theorem(bound.theorem)} composed over {composed_units(bound)}"
    number = "no finite ε" if bag.epsilon_upper is None else f"ε ≤ {rounded_up(bag.epsilon_upper)}"
    return (
        "a stock accountant, for which each window is a record that may be replaced, would promise "
        f"**{number} for one window** ({source})."
    )


def _truth(bag: ScenarioCurves) -> str:
    scenario, lower = bag.scenario, bag.lower
    whom = individual(scenario)
    if is_one_record(scenario):
        return f"It **holds for {whom}**: one record is one individual here."
    if lower is None:
        return (
            f"For {whom} **nothing is proven**: {_why_no_lower_bound(bag)}. dpviz offers no upper "
            "bound either."
        )
    source = f"{named_theorem(lower.bound.theorem)}, attained lower bound"
    least = bag.epsilon_lower
    if not least:
        return f"For {whom} **no ε above 0 is proven** ({source}), and dpviz offers no upper bound."
    told = rounded_down(least)
    if exceeds_promise(bag) or bag.epsilon_upper is None:
        more = _times(bag) if exceeds_promise(bag) else ""
        return (
            f"For {whom} **at least ε = {told} is true** ({source}){more}; dpviz offers no "
            "upper bound for it."
        )
    return (
        f"For {whom} only ε ≥ {told} is proven ({source}), which is not more: **at this δ nothing "
        "is proven against the promise**, and without an upper bound nothing for it."
    )


def _times(bag: ScenarioCurves) -> str:
    assert bag.epsilon_lower is not None
    if not bag.epsilon_upper:
        return ", more than was promised"
    times = bag.epsilon_lower / bag.epsilon_upper
    if times < 1.1:
        return ", more than was promised"
    return f", more than {rounded_down(times, 2)} times what was promised"


def _why_no_lower_bound(bag: ScenarioCurves) -> str:
    if not has_one_length(bag.scenario):
        return (
            "the series have several lengths, so how many windows the bag has is not known, and "
            "Proposition C.2 needs that number"
        )
    return "Proposition C.2 does not cover noise on context or labels"


def _other_way(bag: ScenarioCurves, first: ScenarioCurves | None) -> str:
    if first is None:
        return (
            "**No structured side exists**: a batch this large would need more than 64 windows of "
            "each series."
        )
    scenario, bound = first.scenario, first.upper.bound
    label = series_first_label(scenario).replace(" (", ", ").replace(")", ",")
    source = f"upper bound, {named_theorem(bound.theorem)} composed over {composed_units(bound)}"
    if first.epsilon_upper is None:
        return f"For drawing {label} no finite ε is proven for the individual either ({source})."
    told = f"Drawing {label} **guarantees the individual ε ≤ {rounded_up(first.epsilon_upper)}**"
    if proven_order_at_delta(first, bag) is Order.FIRST:
        return f"{told} ({source}): **proven more private** than one bag at this δ."
    if proven_order_at_delta(first, bag) is Order.SECOND:
        return f"{told} ({source}): one bag is proven more private at this δ."
    return f"{told} ({source}); which of the two ways is more private is not proven at this δ."
