"""Epsilon over the course of training, and where a target epsilon is used up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, best_upper
from dpviz.guarantees import Kind, Unit, guarantee_for
from dpviz.planning.calibrate import calibrated
from dpviz.planning.proven import Proven, ProvenEpsilon, epsilon_of, proven_epsilon
from dpviz.planning.quantities import most_training
from dpviz.planning.target import Target
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.mechanism import MOST_STEPS

# A chart goes on to this multiple of the scenario's own training.
_BEYOND = 3
_MOST_COUNTS = 20
# Leading digits of the counts, the densest first; the last ones cover every decade there is.
_DIGITS = ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 5, 7), (1, 2, 3, 6), (1, 2, 5))
# A count beside the scenario's own, with a wider bracket, would say nothing new.
_NEAR = 1.2
# An epsilon that is only told to lie below a target may be too large by a few percent.
_ROUGH_TOLERANCE = 0.1


@dataclass(frozen=True, kw_only=True)
class UsedUp:
    """The longest training whose upper bound still meets a target.

    Args:
        count: the most steps or epochs (``unit``), 0 if not even one meets the target.
        largest: the most that a scenario may have.
        upper: the upper bound on epsilon after ``count``; after 1 where that is 0.
    """

    target: Target
    unit: str
    count: int
    largest: int
    upper: Proven

    @property
    def is_endless(self) -> bool:
        """Whether even the longest training meets the target."""
        return self.count == self.largest


def trained_for(scenario: Scenario, count: int) -> Scenario:
    """Return the scenario with another number of steps or epochs, in its own training unit."""
    return replace(scenario, training=replace(scenario.training, count=count))


def budget_counts(scenario: Scenario) -> tuple[int, ...]:
    """Return the steps or epochs at which to look: round numbers, and the scenario's own.

    At most 23 of them, from 1 to up to three times the scenario's own. Where a walk through the
    series is counted in steps, epsilon grows only where an epoch begins: each count is then the
    first step of some epoch, or the scenario's own.
    """
    own, last = scenario.training.count, most_training(scenario)
    last = min(_BEYOND * own, last)
    is_staircase = (
        scenario.training.unit == "steps" and guarantee_for(scenario).upper.unit is Unit.EPOCH
    )
    width = scenario.steps_per_epoch if is_staircase else 1
    own_tread = -(-own // width)
    treads = [
        tread
        for tread in _round_numbers(-(-last // width))
        if max(tread, own_tread) >= _NEAR * min(tread, own_tread)
    ]
    return tuple(sorted([own, *((tread - 1) * width + 1 for tread in treads)]))


def budget_point(
    scenario: Scenario,
    count: int,
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    may_change_direction: bool = True,
) -> ProvenEpsilon:
    """Return epsilon after so many steps or epochs, in the scenario's own training unit.

    All counts share one grid of the privacy loss unless a refinement is needed.
    """
    return proven_epsilon(
        trained_for(scenario, count), tolerance=tolerance, may_change_direction=may_change_direction
    )


def counts_alike(
    scenario: Scenario, point: ProvenEpsilon, *, from_below: bool = False
) -> tuple[int, int]:
    """Return the first and the last count of which a point's upper bound holds as it is told.

    These differ where epochs are composed and steps counted: a part of an epoch counts whole. With
    ``from_below`` the lower bound has to hold, too: where series are in no fixed order it may be
    attained by the point's own count alone, and is so after any longer training.
    """
    count, sampling = point.count, scenario.sampling
    if scenario.training.unit == "epochs" or point.upper.bound.unit is Unit.STEP:
        return count, count
    width = scenario.steps_per_epoch
    first = (count - 1) // width * width + 1
    last = min(first + width - 1, MOST_STEPS)
    # Of bins whole epochs alone are exact.
    is_exact = sampling.has_bins and point.upper.bound.kind_after_composition is Kind.TIGHT
    if is_exact or (from_below and point.lower is not None and not sampling.is_walk_in_order):
        first = count
    return first, last


def used_up(scenario: Scenario, target_epsilon: float) -> UsedUp:
    """Return the longest training whose upper bound meets a target at the scenario's delta.

    That one more step or epoch does not meet it says nothing about what training really gives away;
    the lower bound does.

    Raises:
        ScenarioError: the target is out of range, or no bound covers the scenario.
    """
    target = Target(epsilon=target_epsilon, delta=scenario.delta)
    unit, largest = scenario.training.unit, most_training(scenario)
    try:
        count = calibrated(scenario, unit, target).training.count
    except ScenarioError as problem:
        if problem.field != "target_epsilon":
            raise
        count = 0
    if count == largest:
        after_all = _upper_after(scenario, largest, _ROUGH_TOLERANCE)
        high = min(target.epsilon, after_all.quoted or target.epsilon)  # both are upper bounds
        upper = Proven(bound=after_all.bound, bracket=Bracket(low=after_all.bracket.low, high=high))
    else:
        upper = _upper_after(scenario, max(count, 1))
    return UsedUp(target=target, unit=unit, count=count, largest=largest, upper=upper)


def first_exceeding(points: Sequence[ProvenEpsilon], target_epsilon: float) -> ProvenEpsilon | None:
    """Return the first of some points whose lower bound lies above a target."""
    beyond = [point for point in points if (point.epsilon_lower or 0.0) > target_epsilon]
    return min(beyond, key=lambda point: point.count, default=None)


def _upper_after(scenario: Scenario, count: int, tolerance: float = DEFAULT_TOLERANCE) -> Proven:
    upper = best_upper(trained_for(scenario, count), tolerance=tolerance)
    return epsilon_of(upper, scenario.delta)


def _round_numbers(last: int) -> list[int]:
    """Return round numbers up to ``last``, as dense as fits."""
    numbers: list[int] = []
    for digits in _DIGITS:
        found = (digit * 10**power for power in range(len(str(last))) for digit in digits)
        numbers = [number for number in found if number <= last]
        if len(numbers) <= _MOST_COUNTS:
            break
    return numbers
