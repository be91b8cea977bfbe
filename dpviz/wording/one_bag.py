"""What a standard accountant promises about one bag, what is true, and why: hits per batch."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import permutations

from dpviz.planning import Order, ScenarioCurves, proven_order, proven_order_at_delta
from dpviz.planning.hit_laws import HitLaw, have_equal_means
from dpviz.planning.one_bag import (
    bag_run,
    bag_size,
    formula_rate,
    has_one_length,
    is_one_record,
    shape_of,
)
from dpviz.planning.proven import ProvenEpsilon, SweepPoint
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import AT_RANDOM, COINS, FIXED_NUMBER, MOST_SUBSEQUENCES
from dpviz.wording.hit_laws import A_HIT, SHARED_NOISE, laws_description
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    epsilon_at_most,
    joined,
    listed,
    no_less,
    power_of_ten,
    rounded,
    rounded_down,
    rounded_up,
)
from dpviz.wording.scope import Runs, conditions, per_series, protected_in, scheme_name
from dpviz.wording.subsequences import batch_notes, places, scenario_label
from dpviz.wording.theorems import composed_source, named_theorem

_most = partial(epsilon_at_most, none="no finite ε")
PROMISE = "standard accountant, one window"
_BAG_LABELS = {FIXED_NUMBER: "one bag (fixed batch size)", COINS: "one bag (each window by a coin)"}


def loader_label(scenario: Scenario) -> str:
    """Return the name of a way to draw batches; without a comma, for tables."""
    sampling = scenario.sampling
    if sampling.is_bag:
        return _BAG_LABELS[sampling.bottom_level]
    mean = " on average" if sampling.takes_windows_by_coins else ""
    return f"series first ({counted(sampling.num_subsequences, 'window')} each{mean})"


def bag_title(bag: ScenarioCurves, promise: ScenarioCurves) -> str:
    """Return what is promised and what is proven at the scenario's delta, as a chart's title."""
    most, promised = _most(bag.epsilon_upper), _most(promise.epsilon_upper)
    if bag.epsilon_upper is not None and bag.epsilon_lower:
        most = f"{rounded_down(bag.epsilon_lower)} to {rounded_up(bag.epsilon_upper)}"
    end = f"; {most} is proven for one individual"
    if is_one_record(bag.scenario):
        end = ", which holds for an individual in one window"
    delta = power_of_ten(bag.scenario.delta)
    return f"At δ = {delta} a standard accountant promises {promised}{end}"


def bag_headline(bag: ScenarioCurves, promise: ScenarioCurves) -> str:
    """Return what a standard accountant promises, and what is proven of an individual."""
    scenario, bound = bag.scenario, promise.upper.bound
    return joined(
        f"A standard accountant promises **{_most(promise.epsilon_upper)} for one replaced "
        f"window** at δ = {power_of_ten(scenario.delta)} ({composed_source(bound)}): "
        f"{scheme_name(scenario.sampling)}.",
        _truth(bag, promise),
        conditions([bag.upper.bound]),
    )


def loaders_table(runs: Runs, promises: Runs) -> str:
    """Return what each way to draw batches promises whom, as a Markdown table."""
    told, rows = dict(promises), []
    for label, curves in runs:
        window = _most(told[label].epsilon_upper) if label in told else "not made"
        lower = curves.epsilon_lower
        least = "none proven" if lower is None else f"≥ {rounded_down(lower)}"
        rows.append([label, _most(curves.epsilon_upper), least, window])
    first = f"Batches, δ = {power_of_ten(runs[0][1].scenario.delta)}"
    return markdown_table([first, "ε of an individual, at most", "at least", PROMISE], rows)


def loaders_order(runs: Runs, *, tells_order: bool = True) -> str:
    """Return which way is provably more private, as Markdown, and what the bounds need.

    Without ``tells_order`` only the latter: the former is a lesson's answer.
    """
    headline, *others = [curves.upper.bound for _, curves in runs]
    return joined(
        _order_at_delta(runs) if tells_order else "",
        conditions([bound for bound in others if bound.theorem != headline.theorem]),
    )


def order_by_epsilon(bag: ScenarioCurves, first: ScenarioCurves | None) -> str:
    """Return where in epsilon the bag, or ``first``, is provably more private, as Markdown."""
    if first is None:
        return ""
    region = proven_order(first, bag)
    ways = {Order.FIRST: "drawing series first", Order.SECOND: loader_label(bag.scenario)}
    orders = {stretch.order for stretch in region}
    told = "; ".join(
        f"{way} is **provably more private for one individual "
        f"{places(region, order, 'throughout')}**"
        for order, way in ways.items()
        if order in orders
    )
    told = told or f"neither of {' and '.join(ways.values())} is proven the more private"
    is_open = Order.UNPROVEN in orders and len(orders) > 1
    return joined(
        f"By ε, wherever δ ≥ {power_of_ten(bag.smallest_delta)}: {told}.",
        "Elsewhere no order is proven." if is_open else "",
    )


def individual(scenario: Scenario) -> str:
    """Return one individual, and in how many of the bag's windows it is."""
    of_bag = "several windows of the bag"
    if has_one_length(scenario):
        windows, total = scenario.windows_of_a_person, bag_size(shape_of(scenario))
        most = "" if windows == 1 else "up to "
        of_bag = f"{most}{windows:,} of the bag's {counted(total, 'window')}"
    return f"one individual ({protected_in(scenario)}, in {of_bag})"


def _truth(bag: ScenarioCurves, promise: ScenarioCurves) -> str:
    least, lower = bag.epsilon_lower, bag.lower
    most = (
        f"For {individual(bag.scenario)} **{_most(bag.epsilon_upper)}** (upper bound, "
        f"{named_theorem(bag.upper.bound.theorem)})"
    )
    if lower is None:
        why = ""
        if shape_of(bag.scenario).longest_positions is None:
            why = ": series of several lengths leave the number of windows unknown"
        return f"{most}, and no lower bound{why}."
    if not least:
        return f"{most}."
    return (
        f"{most}; **{no_less(least)}** ({named_theorem(lower.bound.theorem)}, attained lower bound)"
        f"{_times(least, promise.epsilon_upper)}."
    )


def _times(least: float, promised: float | None) -> str:
    if promised is None or least <= promised:
        return ""
    if not promised or least / promised < 1.1:
        return ", which exceeds the promise"
    return f", at least {rounded_down(least / promised, 2)} times the promise"


def _order_at_delta(runs: Runs) -> str:
    """Return which of all ways are provably more private than which at the scenario's delta."""
    wins: dict[str, list[str]] = {label: [] for label, _ in runs}
    for (one, here), (other, there) in permutations(runs, 2):
        if proven_order_at_delta(here, there) is Order.FIRST:
            wins[one].append(other)
    if not any(wins.values()):
        return "No order is proven at this δ."
    by_wins = sorted(wins, key=lambda label: -len(wins[label]))
    if [len(wins[label]) for label in by_wins] == list(range(len(runs)))[::-1]:
        return f"Proven at this δ, the most private first: **{', '.join(by_wins)}**."
    proven = [f"{better} before {' and '.join(worse)}" for better, worse in wins.items() if worse]
    return f"Provably more private at this δ: **{'; '.join(proven)}**."


def length_name(length: int) -> str:
    """Return a window length in words, as in "with ..."."""
    return f"windows of {counted(length, 'value')}"


def lengths_title(
    bag: Sequence[SweepPoint], promise: ProvenEpsilon, *, is_complete: bool = True
) -> str:
    """Return at which lengths more is true than a standard accountant promises, as a title."""
    delta = power_of_ten(bag[0].scenario.delta)
    if not is_complete:
        # Without a number: the browser draws a chart some moments after it shows a sentence.
        return f"At δ = {delta}: not all window lengths are computed"
    more = [point for point in bag if _above(point.proven.epsilon_lower, promise)]
    if not more:
        return f"At δ = {delta} no bound contradicts the promise at these window lengths"
    where = _lengths(more, bag)
    return f"Windows of {where}: one individual's loss exceeds the promise, at δ = {delta}"


def lengths_finding(bag: Sequence[SweepPoint], first: Sequence[SweepPoint]) -> str:
    """Return at which lengths which way is proven to be the more private one, as Markdown."""
    if not first:
        return ""
    others = {point.x: point.proven for point in first}
    pairs = [(point, others[point.x]) for point in bag if point.x in others]
    first_wins = [point for point, other in pairs if _above(point.proven.epsilon_lower, other)]
    bag_wins = [point for point, other in pairs if _above(other.epsilon_lower, point.proven)]
    parts = [
        f"{way} is **provably more private for one individual with windows of "
        f"{_lengths(points, bag)}**"
        for way, points in (
            ("drawing series first", first_wins),
            (loader_label(bag[0].scenario), bag_wins),
        )
        if points
    ]
    at = f"At δ = {power_of_ten(bag[0].scenario.delta)}"
    if not parts:
        ways = f"neither drawing series first nor {loader_label(bag[0].scenario)}"
        none = "is proven the more private for one individual"
        return f"{at} {ways} {none}, with windows of any of these lengths."
    is_decided = len(first_wins) + len(bag_wins) == len(bag)
    rest = "" if is_decided else " No order is proven for the other lengths."
    return f"{at} {'; '.join(parts)}.{rest}"


def _above(lower: float | None, proven: ProvenEpsilon) -> bool:
    upper = proven.epsilon_upper
    return lower is not None and upper is not None and lower > upper


def _lengths(some: Sequence[SweepPoint], every: Sequence[SweepPoint]) -> str:
    """Return lengths as a range, if they are neighbours among all, or as a list."""
    found = sorted(int(point.x) for point in some)
    ordered = sorted(int(point.x) for point in every)
    first = ordered.index(found[0])
    if len(found) > 1 and ordered[first : first + len(found)] == found:
        return f"{found[0]:,} to {found[-1]:,} values"
    return f"{listed([f'{length:,}' for length in found])} value{'' if found == [1] else 's'}"


def bag_notes(scenario: Scenario, first: Scenario | None) -> list[str]:
    """Return what was compared, and where the settings do not fit the paper's comparison."""
    told = [*filter(None, [_own_scheme(scenario, first)]), *_what_was_compared(scenario, first)]
    if first is None:
        most = counted(MOST_SUBSEQUENCES, "window")
        told.append(f"Series first is not possible: such a batch needs more than {most} of each.")
    else:
        windows, series = first.sampling.num_subsequences, shape_of(scenario).num_series
        if scenario.sampling.is_bag and windows > 1:
            told.append(
                f"A batch of {first.sampling.batch_size:,} windows out of {series:,} series needs "
                f"at least {windows:,} of each."
            )
        told += batch_notes([first])
    positions = shape_of(scenario).start_positions
    if scenario.touched_windows == positions and has_one_length(scenario):
        has = f"A series has only {counted(positions, 'window')}"
        all_of = "" if positions == 1 else "all of "
        told.append(f"{has}, {all_of}which can hold one individual: longer windows change nothing.")
    return told


def shape_note(scenario: Scenario) -> str:
    """Return what bag and batch are made of, in numbers.

    >>> from dpviz.scenario import PRESETS
    >>> shape_note(PRESETS["toy"].scenario)
    'N_total = 320 series · 20 windows each = 6,400 windows; Λ = 32 of them in a batch, \
Λ / N_total = 0.005; L_C + L_F = 1 + 1 values'
    """
    shape, size = shape_of(scenario), scenario.sampling.batch_size
    total = bag_size(shape)
    least, rate = "", rounded(size / total)
    if not has_one_length(scenario):
        least, rate = "at least ", f"at most {rounded_up(size / total)}"
    return (
        f"N_total = {shape.num_series:,} series · {least}{counted(shape.start_positions, 'window')}"
        f" each = {least}{counted(total, 'window')}; Λ = {size:,} of them in a batch, Λ / N_total ="
        f" {rate}; L_C + L_F = {shape.context_length:,} + {shape.forecast_length:,} values"
    )


def _own_scheme(scenario: Scenario, first: Scenario | None) -> str:
    own = scenario.sampling
    if own.is_bag or first is None:
        return ""
    way = (
        "Your settings draw series by coins, which may be far more private; the comparison draws a "
        "fixed number of series at random. [Sample or walk](sample_or_walk) compares these two."
        if own.top_level == COINS
        else f"Your settings have {scheme_name(own)}; the comparison draws series at random, whose "
        "bound is per step like the bag's."
    )
    windows = f"Series first has the {scenario_label(first)} of your settings; a bag has no λ."
    has_several = own.num_subsequences > 1 or own.takes_windows_by_coins
    return joined(way if own.top_level != AT_RANDOM else "", windows if has_several else "")


def _what_was_compared(scenario: Scenario, first: Scenario | None) -> Iterator[str]:
    if scenario.training.unit == "epochs":
        other, over = (first, "series") if scenario.sampling.is_bag else (bag_run(scenario), "bag")
        each = f", each of {counted(scenario.steps_per_epoch, 'step')}"
        yield joined(
            f"All make {counted(scenario.num_steps, 'step')}: "
            f"{counted(scenario.num_epochs, 'epoch')} of your settings"
            f"{each if scenario.num_epochs > 1 else ''}.",
            "" if other is None else f"An epoch over the {over} has {other.steps_per_epoch:,}.",
        )
    if not has_one_length(scenario):
        reach = "the longest; its lower bound counts all as in the longest"
        if shape_of(scenario).longest_positions is None:
            reach = "one of any length"
        yield (
            "Of several lengths, a bag's upper bound counts windows as in the shortest series, and "
            f"those of an individual as in {reach}."
        )
    if (rate := formula_rate(scenario)) > 1.0:
        yield (
            f"Λ (L_C + L_F) / N_total = {rounded(rate, 3)} is above 1: the paper's Fig. 13 has no "
            "such setting. Compared is what this data set allows."
        )


_Named = list[tuple[str, HitLaw]]


def bag_hits_title(bag: Scenario, first: Scenario | None) -> str:
    """Return what the chart of the two laws shows, as a finding."""
    of_bag, of_first = _can_share(bag), first is not None and _can_share(first)
    whom = "one individual" if bag.relation.series_per_person == 1 else "one series of a person"
    if of_bag and first is not None and not of_first:
        return f"From one bag several windows of {whom} can share a batch; else one at most"
    if of_first and not of_bag:
        return f"Series first, several draws can hit {whom}; from one bag, one at most"
    if of_bag:
        return f"Several windows of {whom} can share a batch"
    return f"At most one window of {whom} is in a batch"


def bag_hits_explanation(bag: Scenario, named: _Named) -> str:
    """Return why it matters how many windows of one individual fall together."""
    laws = [law for _, law in named]
    parts = [A_HIT, *per_series(bag)]
    if not is_one_record(bag):
        parts.append(
            "A standard accountant counts one window, in a batch with probability "
            f"{rounded(bag.top_rate, 3)} and never twice."
        )
    means = "; ".join(f"{name}: {rounded(law.mean, 3)}" for name, law in named)
    on_average = f"Hits of one individual per batch, on average: {means}."
    if len(named) > 1 and have_equal_means(laws):
        mean = rounded(laws[0].mean, 3)
        hits = "hit" if mean == "1" else "hits"
        on_average = f"Either way a batch has {mean} {hits} of one individual on average."
    chances = "; ".join(f"{name}: {_chance(law)}" for name, law in named)
    parts.append(f"{on_average} Chance of two or more: {chances}. {SHARED_NOISE}")
    if not has_one_length(bag):
        parts.append("Series of several lengths count as the shortest.")
    return " ".join(parts)


def bag_hits_description(title: str, named: _Named) -> str:
    """Return the chart of the laws for those who cannot see it."""
    return laws_description(title, [(capitalised(name), law, _chance(law)) for name, law in named])


def _can_share(scenario: Scenario) -> bool:
    """Return whether a batch can have two hits; a chance may be too small to be listed."""
    sampling, touched = scenario.sampling, scenario.relation.touched_windows(scenario.given_shape)
    if sampling.is_bag:
        return min(touched, sampling.batch_size) > 1
    return (touched if sampling.takes_windows_by_coins else sampling.num_subsequences) > 1


def _chance(law: HitLaw) -> str:
    if (chance := law.at_least(2)) > 0.0:
        return rounded(chance, 3)
    return "none" if law.remainder == 0.0 else "below 10⁻⁴⁰"
