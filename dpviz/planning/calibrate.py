"""The one quantity left open that just meets a goal, on the sound side.

The goal is a target (epsilon, delta) or a limit of what an attacker gains. All searches compare
what an upper bound quotes, so what they return is private enough, and the next looser value is not
known to be.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from dpviz.accounting import DEFAULT_TOLERANCE
from dpviz.planning.ladders import rungs_of
from dpviz.planning.search import Ladder, largest_size, last_met
from dpviz.planning.target import QUANTITIES, Goal, Target, none_meets, unreachable, value_of
from dpviz.planning.target import excess as excess_of
from dpviz.planning.target import least_excess as least_excess_of
from dpviz.scenario import DataShape, Scenario, ScenarioError, Training
from dpviz.scenario.errors import checked_choice

__all__ = [
    "QUANTITIES",
    "Calibration",
    "Target",
    "calibrated",
    "calibration",
    "value_of",
    "with_windows_per_series",
]

_COARSE_TOLERANCE = 0.1
# Windows per series that are looked at: each number of series in a batch starts a search.
_MOST_SEARCHED = 64
_SMALL_STRIDE = 5e-4
# A coarse epsilon is at most this much too large; measured 5 %.
_COARSE_EXCESS = 0.2


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """A scenario that meets a target.

    Args:
        scenario: the training set-up with the quantity found.
        at_limit: whether the quantity is the loosest of all that are searched, so that the
            target may be met with room.
        is_complete: whether all looser values are known not to meet the target. A search among
            many batch sizes may be cut; what it returns meets the target nevertheless.
    """

    scenario: Scenario
    at_limit: bool
    is_complete: bool = True


def calibrated(scenario: Scenario, quantity: str, target: Goal) -> Scenario:
    """Return the scenario of :func:`calibration`.

    >>> from dpviz.scenario import PRESETS
    >>> found = calibrated(
    ...     PRESETS["toy"].scenario, "noise_multiplier", Target(epsilon=4.0, delta=1e-7))
    >>> f"{found.noise.noise_multiplier:.2f}"
    '1.72'
    """
    return calibration(scenario, quantity, target).scenario


def calibration(scenario: Scenario, quantity: str, target: Goal) -> Calibration:
    """Return the scenario with one quantity replaced so that it just meets the target.

    The smallest noise multiplier (to 0.05 %) or label noise (to 1 %), or the largest number of
    steps, epochs, windows in a batch or windows per series.

    Args:
        scenario: the training set-up; its own value of the quantity is of no effect, and its
            ``delta`` becomes that of a target (epsilon, delta).
        quantity: one of ``QUANTITIES``.
        target: what to meet.

    Raises:
        ScenarioError: no value meets the target, or no bound covers the scenario.

    >>> from dpviz.scenario import PRESETS
    >>> calibration(PRESETS["toy"].scenario, "steps", Target(epsilon=1e8, delta=1e-7)).at_limit
    True
    """
    checked_choice("quantity", quantity, QUANTITIES)
    scenario = target.applied_to(scenario)
    if quantity == "num_subsequences":
        return _most_subsequences(scenario, target)
    ladder, scenario_at = rungs_of(scenario, quantity)
    is_monotone = quantity != "batch_size" or not _steps_fall_with_the_batch(scenario)
    if is_monotone:
        found, is_complete = _last_met(scenario_at, ladder, target), True
    else:
        found, is_complete = _largest_batch(scenario_at, ladder, target)
    if found is None:
        first, last = scenario_at(ladder.first), scenario_at(ladder.last)
        if not is_monotone:
            raise none_meets(first, last, quantity, target)
        raise unreachable(first, quantity, target)
    return Calibration(
        scenario=scenario_at(found), at_limit=found == ladder.last, is_complete=is_complete
    )


def _last_met(scenario_at: Callable[[int], Scenario], ladder: Ladder, target: Goal) -> int | None:
    def excess(tolerance: float, *, only_quoted: bool = False) -> Callable[[int], float]:
        return lambda rung: excess_of(scenario_at(rung), target, tolerance, only_quoted=only_quoted)

    # Most of the search goes by what is quick; the last word is with what is exact, which mostly
    # agrees.
    start = ladder.middle
    for tolerance, resolution in ((_COARSE_TOLERANCE, 0.02), (DEFAULT_TOLERANCE, 0.0)):
        quick = excess(tolerance, only_quoted=True)
        found = last_met(quick, ladder, start=start, resolution=resolution)
        start = ladder.first if found is None else found
    return last_met(excess(DEFAULT_TOLERANCE), ladder, start=start, stride=_SMALL_STRIDE)


def _steps_fall_with_the_batch(scenario: Scenario) -> bool:
    # A walk composes epochs, whose number is the same whatever a batch holds.
    is_walk = scenario.sampling.is_walk
    return scenario.training.unit == "epochs" and not is_walk


def _largest_batch(
    scenario_at: Callable[[int], Scenario], ladder: Ladder, target: Goal
) -> tuple[int | None, bool]:
    """Return the largest batch size that meets the target, and whether it is known to be."""

    def excess(size: int) -> float:
        return excess_of(scenario_at(size), target, DEFAULT_TOLERANCE)

    def least_excess(low: int, high: int, tolerance: float) -> float:
        steps = Training(unit="steps", count=scenario_at(high).num_steps)
        return least_excess_of(replace(scenario_at(low), training=steps), target, tolerance)

    one = scenario_at(ladder.last)
    assert isinstance(one.data, DataShape)  # rates have been refused
    windows = one.sampling.largest_batch(one.data)
    largest = largest_size(
        excess, least_excess, windows=windows, first=ladder.first, last=ladder.last
    )
    if largest.is_complete:
        return largest.size, True
    return _last_met(scenario_at, ladder, target), False


def _most_subsequences(scenario: Scenario, target: Goal) -> Calibration:
    """Return the scenario with the most windows per series that meet the target.

    For the same number of series in a batch, epsilon grows with the windows of each. Where one
    more window makes room for one series less, it may fall: there the search starts again. It
    looks at up to 64 windows, or at what is set.
    """
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

    def series(windows: int) -> int:
        return sampling.batch_size // windows

    ladder = Ladder(first=first, last=last)
    found = last_met(excess, ladder, start=first)
    if isinstance(scenario.data, DataShape):
        for windows in range(last, found or first, -1):
            room_for_fewer = series(windows) < series(windows - 1) if windows > 1 else False
            if room_for_fewer and excess(windows, _COARSE_TOLERANCE) <= _COARSE_EXCESS:
                same_series = Ladder(
                    first=windows, last=min(last, sampling.batch_size // series(windows))
                )
                better = last_met(excess, same_series, start=windows)
                if better is not None:
                    found = better
                    break
    if found is None:
        raise unreachable(with_windows_per_series(scenario, first), "num_subsequences", target)
    return Calibration(scenario=with_windows_per_series(scenario, found), at_limit=found == last)


def with_windows_per_series(scenario: Scenario, windows: int) -> Scenario:
    """Return the scenario with another number of windows per series, all else as it is set.

    With rates the batch size says nothing: a batch has as many series as before.

    Raises:
        ScenarioError: the number is not allowed beside the rest.
    """
    sampling = scenario.sampling
    if windows == sampling.num_subsequences:
        return scenario
    size = sampling.batch_size
    if not isinstance(scenario.data, DataShape):
        size = sampling.series_per_batch * windows
    return replace(scenario, sampling=replace(sampling, batch_size=size, num_subsequences=windows))
