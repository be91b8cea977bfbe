"""Plans: the one quantity left open that just meets a goal, on the sound side.

All searches compare what an upper bound quotes, so what they return is private enough, and the next
looser value is not known to be. That bound is never the closer one of Proposition 23, which takes
up to minutes for each value: :func:`closer_noise_progress` finds the noise that it saves.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, Curve, best_upper
from dpviz.accounting.closer_upper import closer_progress
from dpviz.guarantees import Bound, guarantee_for
from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.proven import Proven
from dpviz.planning.quantities import CALIBRATED, rungs_of, shape_of, with_windows_per_series
from dpviz.planning.search import (
    Ladder,
    TooManyLooksError,
    largest_size,
    last_met,
    last_met_exactly,
)
from dpviz.planning.subsequences import check_not_one_bag
from dpviz.planning.target import Goal, Target, unmet
from dpviz.planning.target import excess as excess_of
from dpviz.planning.target import least_excess as least_excess_of
from dpviz.scenario import DataShape, Scenario, ScenarioError, Training
from dpviz.scenario.errors import checked_choice

_COARSE_TOLERANCE = 0.1
# Windows per series that are looked at: each number of series in a batch starts a search.
_MOST_SEARCHED = 64
# A coarse epsilon is at most this much too large; measured 5 %.
_COARSE_EXCESS = 0.2
# Less noise by Proposition 23: how often that is computed, where the next sigma aims below the
# target, how far below it is close enough (all of ln epsilon), and over how many rungs its slope is
# guessed.
_MOST_CLOSER, _AIMED_BELOW, _CLOSE_ENOUGH, _GUESSED_OVER = 4, 1e-3, 3e-3, 100


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """A scenario that meets a target.

    Args:
        at_limit: whether the quantity is the loosest that is searched: the target may be met with
            room.
        is_complete: whether all looser values are known not to meet the target. A search among many
            batch sizes may be cut.
    """

    scenario: Scenario
    at_limit: bool
    is_complete: bool = True

    @property
    def bound(self) -> Bound:
        """The upper bound on its run, by which it meets the target."""
        return guarantee_for(self.scenario).upper


def calibrated(scenario: Scenario, quantity: str, target: Goal) -> Scenario:
    """Return the scenario of :func:`calibration`."""
    return calibration(scenario, quantity, target).scenario


def calibration(scenario: Scenario, quantity: str, target: Goal) -> Calibration:
    """Return the scenario with one quantity replaced so that it just meets the target.

    The smallest noise multiplier (to 0.05 %) or label noise (to 1 %), or the largest number of
    steps, epochs, windows in a batch or windows per series: one of ``CALIBRATED``. The scenario's
    ``delta`` becomes that of a target (epsilon, delta).

    Raises:
        ScenarioError: no value meets the target, or no bound covers the scenario.
    """
    checked_choice("quantity", quantity, CALIBRATED)
    scenario = target.applied_to(scenario)
    if quantity == "num_subsequences":
        return _most_subsequences(scenario, target)
    ladder, scenario_at = rungs_of(scenario, quantity)
    # A walk composes epochs, whose number is the same whatever a batch holds.
    falls = scenario.training.unit == "epochs" and not scenario.sampling.is_walk
    is_monotone = quantity != "batch_size" or not falls  # as the steps do with a larger batch

    def excess(
        at: int, tolerance: float = DEFAULT_TOLERANCE, *, only_quoted: bool = False
    ) -> float:
        return excess_of(scenario_at(at), target, tolerance, only_quoted=only_quoted)

    def least_excess(low: int, high: int, tolerance: float) -> float:
        steps = Training(unit="steps", count=scenario_at(high).num_steps)
        return least_excess_of(replace(scenario_at(low), training=steps), target, tolerance)

    is_complete = True
    end: Scenario | None = None
    if is_monotone:
        last = last_met_exactly(excess, ladder)
    else:
        end = scenario_at(ladder.last)
        windows = end.sampling.largest_batch(shape_of(end, quantity))
        try:
            last = largest_size(excess, least_excess, windows=windows, sizes=ladder)
        except TooManyLooksError:
            last, is_complete = last_met_exactly(excess, ladder), False
    if last is None:
        raise unmet(scenario_at(ladder.first), quantity, target, end)
    return Calibration(
        scenario=scenario_at(last), at_limit=last == ladder.last, is_complete=is_complete
    )


def _most_subsequences(scenario: Scenario, target: Goal) -> Calibration:
    """Return the scenario with the most windows per series that meet the target.

    For as many series in a batch, and epochs of a walk, epsilon grows with the windows of each
    series. Where one more window makes room for one series less, or so much longer epochs that
    steps begin fewer of them, it may fall: there the search starts again. It looks at up to 64
    windows, or at what is set.
    """
    check_not_one_bag(scenario)
    sampling = scenario.sampling
    last = max(_MOST_SEARCHED, sampling.num_subsequences)
    first = 1
    if isinstance(scenario.data, DataShape):
        last = min(last, sampling.batch_size)
        per_window = replace(sampling, num_subsequences=1).largest_batch(scenario.data)
        first = -(-sampling.batch_size // per_window)

    def excess(windows: int, tolerance: float = DEFAULT_TOLERANCE) -> float:
        try:
            return excess_of(with_windows_per_series(scenario, windows), target, tolerance)
        except ScenarioError:  # not allowed beside the rest, or not covered
            return math.inf

    def alike(windows: int) -> tuple[int, int]:
        """Return what stays the same while epsilon grows: series of a batch, epochs of a walk."""
        epochs = 0
        if sampling.is_walk and scenario.training.unit == "steps":
            epochs = with_windows_per_series(scenario, windows).num_epochs
        return sampling.batch_size // windows, epochs

    begins = [first]
    if isinstance(scenario.data, DataShape):
        later = range(first + 1, last + 1)
        begins += [windows for windows in later if alike(windows) != alike(windows - 1)]
    end = last
    for begin in reversed(begins):
        if begin == first or excess(begin, _COARSE_TOLERANCE) <= _COARSE_EXCESS:
            found = last_met(excess, Ladder(first=begin, last=end), start=begin)
            if found is not None:
                found_scenario = with_windows_per_series(scenario, found)
                return Calibration(scenario=found_scenario, at_limit=found == last)
        end = begin - 1
    raise unmet(with_windows_per_series(scenario, first), "num_subsequences", target)


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What was found for the open quantity, or why nothing was: one of the two is ``None``.

    Args:
        found: the settings that just meet the goal.
        problem: names the field; an :class:`~dpviz.planning.target.UnmetError` where values were
            searched.
    """

    quantity: str
    goal: Goal
    found: Calibration | None
    problem: ScenarioError | None


def plan(scenario: Scenario, quantity: str, goal: Goal) -> Planned:
    """Return the value that just meets a goal, on the sound side, or why there is none."""
    try:
        found, problem = calibration(scenario, quantity, goal), None
    except ScenarioError as refused:
        found, problem = None, refused
    return Planned(quantity=quantity, goal=goal, found=found, problem=problem)


def with_goal_proven(planned: Planned, curves: ScenarioCurves) -> ScenarioCurves:
    """Return curves of the run that was found, quoting no larger epsilon than the search proved.

    Curves that are not exact yet may quote more than the goal that the search found met: both are
    upper bounds by one theorem, and the smaller one holds. Goals that are no epsilon change
    nothing. Raises ``ValueError`` if the curves are of another run.
    """
    goal, upper = planned.goal, curves.upper
    if planned.found is None or curves.scenario != planned.found.scenario:
        raise ValueError("curves is of another run: nothing was proven of it")
    if not isinstance(goal, Target) or goal.delta != curves.scenario.delta:
        return curves
    quoted = upper.bracket.high
    if quoted is not None and quoted <= goal.epsilon:
        return curves
    bracket = Bracket(low=upper.bracket.low, high=goal.epsilon)
    return replace(
        curves, upper=replace(upper, at_delta=Proven(bound=upper.bound, bracket=bracket))
    )


@dataclass(frozen=True, kw_only=True)
class CloserNoise:
    """Less noise, with which Proposition 23 proves a target.

    Args:
        curve: of Proposition 23; its epsilon at the target's delta is at most the target's.
        classical: of the bound that all else rests on, at that noise; it misses the target.
    """

    scenario: Scenario
    curve: Curve
    classical: Curve


def closer_noise_progress(
    planned: Scenario, target: Target
) -> Iterator[tuple[float, CloserNoise | None]]:
    """Yield which part is done, and at last less noise than was planned, if there is any.

    What is found was computed in full at that noise, and meets the target. Still less noise may.
    What was planned is of :func:`calibration` for the noise multiplier and the same target.
    """
    ladder, scenario_at = rungs_of(planned, "noise_multiplier")
    largest = ladder.value(ladder.first)
    first = ladder.nearest(math.log(largest / planned.noise.noise_multiplier))
    last = min(first + _GUESSED_OVER, ladder.last)
    tried: dict[int, float] = {}
    best, rung, slope = None, first, 0.0
    while first <= rung <= ladder.last and rung not in tried and len(tried) < _MOST_CLOSER:
        scenario, curve = scenario_at(rung), None
        for share, found in closer_progress(guarantee_for(scenario).upper, target.delta):
            yield (len(tried) + share) / (_MOST_CLOSER + 1), None
            curve = found
        if curve is None:
            break
        excess = tried[rung] = target.excess(curve)
        if excess <= 0.0 and rung > first and (best is None or rung > best[0]):
            best = rung, scenario, curve
        if -_CLOSE_ENOUGH <= excess <= 0.0:
            break
        if len(tried) == 1:
            ends = [
                excess_of(scenario_at(one), target, DEFAULT_TOLERANCE, only_quoted=True)
                for one in (first, last)
            ]
            slope = (ends[1] - ends[0]) / max(last - first, 1)
        else:
            one, other = list(tried.items())[-2:]
            slope = (other[1] - one[1]) / (other[0] - one[0])
        if not 0.0 < slope < math.inf:
            break
        rung += math.floor((-_AIMED_BELOW - excess) / slope)
    if best is None:
        yield 1.0, None
        return
    _, scenario, curve = best
    classical = best_upper(scenario, at_delta=target.delta)
    yield 1.0, CloserNoise(scenario=scenario, curve=curve, classical=classical)
