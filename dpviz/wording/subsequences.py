"""What a comparison of numbers of windows per series says, as sentences that stay true."""

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

from dpviz.guarantees import Bound
from dpviz.planning.comparison import refusal
from dpviz.planning.curves import POINTS_PER_DECADE, ScenarioCurves
from dpviz.planning.order import Order, Stretch, is_anywhere, winning_region
from dpviz.planning.over_steps import DeltaOverSteps, steps_won
from dpviz.scenario import Scenario
from dpviz.wording.findings import band_words
from dpviz.wording.hit_laws import windows_label
from dpviz.wording.markup import DELTA_OVER_STEPS, chart_description
from dpviz.wording.numbers import (
    counted,
    joined,
    listed,
    power_of_ten,
    rounded,
    rounded_down,
    rounded_up,
)
from dpviz.wording.scope import conditions, protected_in, scheme_name
from dpviz.wording.setting_values import labelled
from dpviz.wording.theorems import bound_label, brief_source
from dpviz.wording.training_length import breaks_off

# Beyond 3 digits a crossing would claim more than the epsilons that were looked at can tell.
_CROSSING_DIGITS = 3
_MOST_PLACES = 2  # a chart's title cannot hold more
# What orders of curves rest on.
CHECKED = f"checked at {POINTS_PER_DECADE} values of ε per decade"


def curves_title(
    one: ScenarioCurves, others: Sequence[ScenarioCurves] | None, *, goes_on: bool = False
) -> str:
    """Return where one run is provably more private than all others, once these are computed.

    ``goes_on`` says whether they are to come; else what is lacking costs too much.
    """
    after = f"After {counted(one.scenario.num_steps, 'step')}"
    if others is None:
        # Without a number: the browser draws a chart some moments after it shows a sentence.
        lacks = "bounds on runs with more windows per series are being computed"
        return f"{after}: {lacks if goes_on else 'not all runs are computed'}"
    if not others:
        size = one.scenario.sampling.batch_size
        return f"In batches of {size:,} no other number of windows per series is compared"
    region = winning_region(one, others)
    run, whole = f"{after}, {scenario_label(one.scenario)}", f"wherever {_seen(one)}"
    undecided = ""
    if is_anywhere(Order.FIRST, region):
        title = f"{run} is provably the most private {_won(region, whole)}"
    else:
        better, undecided = _better_than_some(one, others, whole)
        title = f"{run} is {better}"
    if is_anywhere(Order.SECOND, region):
        is_won = is_anywhere(Order.FIRST, region)
        lost = "not the most private" if is_won else "less private than some other"
        title += f", and provably {lost} {places(region, Order.SECOND, whole)}"
    return title + undecided


def _better_than_some(
    one: ScenarioCurves, others: Sequence[ScenarioCurves], whole: str
) -> tuple[str, str]:
    """Return than which one run is more private, and against which no order is proven."""
    beaten, undecided = [], []
    for other in others:
        region = winning_region(one, [other])
        if is_anywhere(Order.FIRST, region):
            beaten.append(other)
        elif not is_anywhere(Order.SECOND, region):
            undecided.append(other)
    region = winning_region(one, beaten) if beaten else ()
    if not is_anywhere(Order.FIRST, region):
        return "not provably the most private at any ε", ""
    ending = f"; against {_of(undecided)} no order is proven" if undecided else ""
    return f"provably more private than {_of(beaten)} {_won(region, whole)}", ending


def _won(region: Sequence[Stretch], whole: str) -> str:
    told = places(region, Order.FIRST, whole)
    # "above" is no claim about what was not looked at
    is_open = len(region) > 1 and region[-1].order is Order.FIRST
    return f"{told}, {whole}" if is_open else told


def _of(runs: Sequence[ScenarioCurves]) -> str:
    return listed([str(run.scenario.sampling.num_subsequences) for run in runs])


def order_sentences(one: ScenarioCurves, others: Sequence[ScenarioCurves]) -> list[str]:
    """Return where the order with the first run is proven, for others that are alike together."""
    alike: dict[str, list[Scenario]] = {}
    for other in others:
        alike.setdefault(_order(one, other), []).append(other.scenario)
    said = []
    for order, (*few, last) in alike.items():
        windows = [f"{run.sampling.num_subsequences:,}" for run in few]
        said.append(f"Against {listed([*windows, scenario_label(last)])}{order}")
    return said


def looked_at(one: ScenarioCurves) -> str:
    """Return what a proven stretch of epsilon rests on."""
    return (
        f"Proven: the upper bound on δ lies below the lower bounds of the others, {CHECKED}, "
        f"wherever either δ ≥ {power_of_ten(one.smallest_delta)}."
    )


def _order(one: ScenarioCurves, other: ScenarioCurves) -> str:
    if one.lower is None and other.lower is None:
        return ": no order is proven: these settings have no lower bound."
    region = winning_region(one, [other])
    said = [
        f"provably {word} private {places(region, order, 'throughout')}"
        for order, word in ((Order.FIRST, "more"), (Order.SECOND, "less"))
        if is_anywhere(order, region)
    ]
    if not said:
        return ": no order is proven at any ε."
    return f", wherever {_seen(one)}: {'; '.join(said)}."


def _seen(one: ScenarioCurves) -> str:
    # In the tail that was not looked at another order may hold.
    return f"δ ≥ {power_of_ten(one.smallest_delta)}"


def places(region: Sequence[Stretch], order: Order, whole: str) -> str:
    """Return the stretches of one order, each rounded to its inside, or a word for all there is."""
    found = [stretch for stretch in region if stretch.order is order]
    if len(found) > _MOST_PLACES:
        start = rounded_up(found[0].start, _CROSSING_DIGITS)
        end = rounded_down(found[-1].end, _CROSSING_DIGITS)
        return f"at {len(found)} places between ε = {start} and {end}"
    return listed([place(one, region, "near", _CROSSING_DIGITS) or whole for one in found])


def place(stretch: Stretch, region: Sequence[Stretch], single: str, digits: int) -> str:
    """Return where one of the stretches lies, rounded to its inside; empty if there is no other.

    ``single`` is the word before an epsilon that is a stretch by itself.
    """
    start, end = rounded_up(stretch.start, digits), rounded_down(stretch.end, digits)
    if len(region) == 1:
        return ""
    if stretch is region[0]:
        return f"below ε = {end}"
    if stretch is region[-1]:
        return f"above ε = {start}"
    if stretch.start == stretch.end:
        return f"{single} ε = {rounded(stretch.start, digits)}"
    return f"from ε = {start} to {end}"


def how_to_read(*runs: ScenarioCurves | DeltaOverSteps) -> str:
    """Return what the lines of runs mean."""
    least = band_words(*runs, drawn="Thin line: lower bound, attained by some model.")
    return f"All runs have the same batch size Λ and noise σ. Thick line: upper bound. {least}"


def epochs_note(first: Scenario, last: Scenario) -> str:
    """Return what the same number of steps comes to in epochs."""
    name = "begun epoch" if breaks_off(first) or breaks_off(last) else "epoch"
    told, longest = _epochs(last, name), _epochs(first, name)
    if told != longest:
        told = f"{told.removesuffix(f' {name}s')} with {last.sampling.num_subsequences:,}"
        told = f"{longest} with {scenario_label(first)}, {told}"
    return f"All make {counted(first.num_steps, 'step')}: {told}."


def _epochs(run: Scenario, name: str) -> str:
    """Return the length of a run in epochs; of walks those begun, as their bounds count these."""
    if run.sampling.is_walk or run.num_steps % run.steps_per_epoch == 0:
        return counted(run.num_epochs, name)
    if run.num_steps < run.steps_per_epoch:
        return "less than one epoch"
    many = rounded(run.num_steps / run.steps_per_epoch, 3)
    return f"about {many} epoch{'' if many == '1' else 's'}"


def batch_notes(scenarios: Sequence[Scenario]) -> list[str]:
    """Return which runs draw smaller batches than the batch size says, and why."""
    shape, notes = scenarios[0].known_shape, list[str]()
    if shape is None:
        return notes
    ways, positions = [one.sampling for one in scenarios], shape.start_positions
    if less := [one for one in ways if one.windows_per_batch < one.batch_size]:
        windows, filled, series = (
            listed([f"{getattr(one, name):,}" for one in less])
            for name in ("num_subsequences", "windows_per_batch", "series_per_batch")
        )
        notes.append(
            f"With {windows} windows per series a batch holds {filled} windows, not "
            f"{less[0].batch_size:,}: it has room for {series} series."
        )
    more = [f"{one.num_subsequences:,}" for one in ways if one.num_subsequences > positions]
    if more and ways[0].takes_windows_by_coins:
        windows = listed(more).replace(" and ", " or ")
        notes.append(
            f"{'A' if shape.is_of_one_length else 'The shortest'} series has only "
            f"{counted(positions, 'window')}, not {windows}: each is drawn for sure, and the batch "
            "is smaller."
        )
    return notes


def uncovered_notes(scenarios: Sequence[Scenario]) -> list[str]:
    """Return which numbers of windows are not compared, if any, and why no bound covers them."""
    if not scenarios:
        return []
    windows = listed([f"{one.sampling.num_subsequences:,}" for one in scenarios])
    return [f"Not compared: λ = {windows}. {labelled(refusal(scenarios[0]))}"]


def scenario_label(scenario: Scenario) -> str:
    """Return a run's windows per series in words; drawn independently, it is their mean."""
    label = windows_label(scenario.sampling.num_subsequences)
    return f"{label} on average" if scenario.sampling.takes_windows_by_coins else label


def over_steps_title(one: DeltaOverSteps, others: Sequence[DeltaOverSteps] | None) -> str:
    """Return after which steps one run is provably the most private, once all are computed."""
    if others is None:
        return f"At ε = {epsilon_text(one.epsilon)}: not all runs are computed"
    run = f"ε = {epsilon_text(one.epsilon)}, {scenario_label(one.scenario)}"
    if not others:
        return f"How δ at {run}, grows with the steps"
    won = steps_won(one, others)
    if not won:
        return f"At {run} is not provably the most private after any of these steps"
    if len(won) == len(one.steps):
        return f"At {run} is provably the most private after each of these steps"
    runs = []
    for is_won, group in groupby(one.steps.tolist(), key=won.__contains__):
        first, *more = group
        if is_won:
            runs.append(f"{first:,} to {more[-1]:,}" if more else f"{first:,}")
    steps = "step" if won == (1,) else "steps"
    return f"At {run} is provably the most private after {listed(runs)} {steps}"


def over_steps_description(runs: Sequence[DeltaOverSteps], *, is_complete: bool = True) -> str:
    """Return the chart of delta over steps for those who cannot see it."""
    title, lines = over_steps_title(runs[0], runs[1:] if is_complete else None), []
    last = int(runs[0].steps[-1])
    for run in runs:
        most, upper = rounded_up(float(run.upper.delta_high[-1]), 3), run.upper.bounds[-1]
        text = f"at most {most} ({bound_label(upper)})"
        if run.lower is not None:
            least, lower = rounded_down(float(run.lower.delta_low[-1]), 3), run.lower.bounds[-1]
            text += f" and at least {least} ({bound_label(lower)})"
        says = f"after {counted(last, 'step')} delta is {text}"
        lines.append((scenario_label(run.scenario), says))
    whom = f"Protected is {protected_in(runs[0].scenario)}."
    needed = conditions([run.upper.bounds[-1] for run in runs])
    return chart_description(title, lines, whom, needed, DELTA_OVER_STEPS)


def epsilon_text(epsilon: float) -> str:
    """Return an epsilon with all its digits: a rounded one would not belong to its delta."""
    return repr(epsilon).removesuffix(".0")


def curves_headline(
    one: ScenarioCurves,
    others: Sequence[ScenarioCurves] | None,
    own_windows: int = 1,
    *,
    goes_on: bool = False,
) -> str:
    """Return who wins where, and epsilon of the first and the last run, as Markdown.

    The run of the visitor's ``own_windows`` is told, too. Before all runs are computed it is about
    the first alone: which one is the last would change. Other arguments are as for
    :func:`curves_title`.
    """
    scenario, runs = one.scenario, others or ()
    quoted = one, *_own_and_last(runs, own_windows)
    told = "; ".join(_epsilon(curves) for curves in quoted)
    return joined(
        f"{curves_title(one, others, goes_on=goes_on)}.",
        _against_some(one, runs),
        f"At δ = {power_of_ten(scenario.delta)}, {_for_whom(scenario)}: {told}.",
        conditions([curves.upper.bound for curves in quoted]),
    )


def _against_some(one: ScenarioCurves, others: Sequence[ScenarioCurves]) -> str:
    """Return whom one run beats further than all; empty where it beats all as far, or never."""
    region = winning_region(one, others) if others else ()
    if len(region) < 2 or not is_anywhere(Order.FIRST, region):
        return ""
    orders = [[part.order for part in winning_region(one, [other])] for other in others]
    beaten = [run for run, order in zip(others, orders, strict=True) if order == [Order.FIRST]]
    # The title has said where, if its own stretch goes on up to there.
    where = "throughout" if region[-1].order is Order.FIRST else f"wherever {_seen(one)}"
    return f"It is provably more private than {_of(beaten)} {where}." if beaten else ""


_Run = TypeVar("_Run", ScenarioCurves, DeltaOverSteps)


def _own_and_last(runs: Sequence[_Run], own: int) -> list[_Run]:
    counts = [run.scenario.sampling.num_subsequences for run in runs]
    return [run for run, count in zip(runs, counts, strict=True) if count in (own, counts[-1])]


def steps_headline(
    one: DeltaOverSteps, others: Sequence[DeltaOverSteps] | None, own_windows: int = 1
) -> str:
    """Return who wins, and delta of the first and the last run at the end, as Markdown.

    The run of the visitor's ``own_windows`` is told, too. Before all runs are computed it is about
    the first alone.
    """
    last, whom = counted(int(one.steps[-1]), "step"), _for_whom(one.scenario)
    quoted = one, *_own_and_last(others or (), own_windows)
    told = "; ".join(_delta(run) for run in quoted)
    needed = conditions([run.upper.bounds[-1] for run in quoted])
    if not others:
        return joined(f"After {last}, at ε = {epsilon_text(one.epsilon)}, {whom}: {told}.", needed)
    return joined(f"{over_steps_title(one, others)}.", f"After {last}, {whom}: {told}.", needed)


def _for_whom(scenario: Scenario) -> str:
    return f"for {protected_in(scenario)}, {scheme_name(scenario.sampling)}"


def _epsilon(curves: ScenarioCurves) -> str:
    if curves.epsilon_upper is None:
        return f"**{scenario_label(curves.scenario)}: no finite ε proven**"
    least = rounded_down(curves.epsilon_lower) if curves.epsilon_lower else None
    most = f"ε ≤ {rounded_up(curves.epsilon_upper)}"
    return _both(curves.scenario, most, curves.upper.bound, least)


def _delta(run: DeltaOverSteps) -> str:
    lowest = 0.0 if run.lower is None else float(run.lower.delta_low[-1])
    least = rounded_down(lowest, 3) if lowest else None
    most = f"δ ≤ {rounded_up(float(run.upper.delta_high[-1]), 3)}"
    return _both(run.scenario, most, run.upper.bounds[-1], least)


def _both(scenario: Scenario, most: str, bound: Bound, least: str | None) -> str:
    attained = "" if least is None else f"; ≥ {least} attained"
    return f"**{scenario_label(scenario)}: {most}** ({brief_source(bound)}{attained})"
