"""Single changes of a plan that halve its privacy loss, or the noise on its gradients."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from dpviz.planning.calibrate import calibration
from dpviz.planning.over_steps import under_top_level
from dpviz.planning.quantities import shape_of, value_of
from dpviz.planning.target import Goal
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.mechanism import COINS

# Noise that is at most this much above one half counts as halved: quantities are rounded.
_HALF = 0.5 * (1.0 + 1e-9)
# Relative to the sum of a run's gradients, the noise on that sum is as sigma / sqrt(steps): where a
# quarter of the steps is left it doubles by that alone, as much as half of sigma gains.
_LEAST_STEPS = 0.25
# How finely batch sizes are told apart; each costs a calibration of the noise.
_BATCH_RESOLUTION = 0.02


@dataclass(frozen=True, kw_only=True)
class Way:
    """One change of a quantity that meets a goal; the noise multiplier may follow it."""

    quantity: str
    before: float
    after: float
    scenario: Scenario

    @property
    def factor(self) -> float:
        """How many times more or less there is of the quantity, above 1; infinite from none."""
        if min(self.before, self.after) <= 0.0:
            return 1.0 if self.before == self.after else math.inf
        return max(self.before, self.after) / min(self.before, self.after)


def noise_per_gradient(scenario: Scenario) -> float:
    """Return the deviation of the noise on the average of a batch's gradients, in clipping norms.

    It is sigma / Lambda, and of bins sigma K / (N lambda): another Lambda with as many bins makes
    the same batches, whose sum is then divided by another number, signal and noise alike.
    """
    return scenario.noise.noise_multiplier / scenario.mean_batch_size


def ways_to_less_loss(scenario: Scenario) -> tuple[str, ...]:
    """Return what could be changed for less privacy loss."""
    several = scenario.sampling.num_subsequences > 1
    return (
        "noise_multiplier",
        scenario.training.unit,
        *(("batch_size",) if scenario.shape is not None else ()),
        *(("num_subsequences",) if several else ()),
        "forecast_noise",
    )


def ways_to_less_noise(scenario: Scenario) -> tuple[str, ...]:
    """Return what could be changed for less noise.

    With rates, fewer windows per series make smaller batches, whose averages are noisier.
    """
    fixed = ("noise_multiplier", *(("num_subsequences",) if scenario.shape is None else ()))
    return tuple(name for name in ways_to_less_loss(scenario) if name not in fixed)


def leaves_enough_training(way: Way, before: Scenario) -> bool:
    """Return whether a way leaves a quarter of the steps, or more."""
    return way.scenario.num_steps >= _LEAST_STEPS * before.num_steps


def by_coins(scenario: Scenario) -> Scenario | None:
    """Return the run with each series drawn by a coin; ``None`` if it is, or does not fit."""
    if scenario.sampling.takes_series_by_coins:
        return None
    try:
        return under_top_level(scenario, COINS)
    except ScenarioError:
        return None


def ways_found(
    search: Callable[[Scenario, str, Goal], Way | None],
    scenario: Scenario,
    quantity: str,
    goal: Goal,
) -> tuple[Way, ...]:
    """Return the way that a search finds, or none, as a result that can be kept either way."""
    found = search(scenario, quantity, goal)
    return () if found is None else (found,)


def to_less_loss(scenario: Scenario, quantity: str, stricter: Goal) -> Way | None:
    """Return the least change of a quantity that meets a stricter goal not met yet, if any does."""
    return _changed(scenario, _calibrated(scenario, quantity, stricter), quantity)


def to_less_noise(scenario: Scenario, quantity: str, goal: Goal) -> Way | None:
    """Return the least change of a quantity with which half the noise still meets the goal.

    Half of the noise on the *averaged* gradient: with a larger batch the noise multiplier follows
    what the goal then needs, with anything else it is half of what it was. ``None`` where nothing
    allowed does.
    """
    if quantity == "batch_size":
        return _changed(scenario, _larger_batch(scenario, goal), quantity)
    half = 0.5 * scenario.noise.noise_multiplier
    halved = None
    with suppress(ScenarioError):
        halved = replace(scenario, noise=replace(scenario.noise, noise_multiplier=half))
    after = None if halved is None else _calibrated(halved, quantity, goal)
    # Fewer windows of each series can make fewer bins, and smaller batches.
    if after is not None and noise_per_gradient(after) > _HALF * noise_per_gradient(scenario):
        return None
    return _changed(scenario, after, quantity)


def _calibrated(scenario: Scenario, quantity: str, goal: Goal) -> Scenario | None:
    with suppress(ScenarioError):
        return replace(calibration(scenario, quantity, goal).scenario, delta=scenario.delta)
    return None


def _changed(before: Scenario, after: Scenario | None, quantity: str) -> Way | None:
    if after is None:
        return None
    old, new = value_of(before, quantity), value_of(after, quantity)
    grows = quantity in ("noise_multiplier", "forecast_noise")
    if quantity == "batch_size":  # larger for less noise, and smaller for less loss
        grows = noise_per_gradient(after) < noise_per_gradient(before)
    # What a search returns is the loosest value: the plan's own may be stricter already.
    if new == old or (new > old) != grows:
        return None
    return Way(quantity=quantity, before=float(old), after=float(new), scenario=after)


def _larger_batch(scenario: Scenario, goal: Goal) -> Scenario | None:
    """Return the smallest batch found that halves the noise per gradient at the goal.

    Only whole series are drawn: sizes in between would divide the same sum by more.
    """
    shape, sampling = shape_of(scenario, "batch_size"), scenario.sampling
    wanted = _HALF * noise_per_gradient(scenario)
    windows = sampling.num_subsequences

    @cache
    def at(series: int) -> Scenario | None:
        with suppress(ScenarioError):
            larger = replace(sampling, batch_size=series * windows)
            return _calibrated(replace(scenario, sampling=larger), "noise_multiplier", goal)
        return None

    def is_enough(series: int) -> bool:
        found = at(series)
        return found is not None and noise_per_gradient(found) <= wanted

    first, last = sampling.series_per_batch + 1, sampling.largest_batch(shape) // windows
    if first > last or not is_enough(last):
        return None
    return at(_smallest(is_enough, first, last))


def _smallest(is_enough: Callable[[int], bool], first: int, last: int) -> int:
    """Return the smallest number that is enough, to ``_BATCH_RESOLUTION``; the last one is."""
    low, high = first - 1, last
    while high - low > max(1, _BATCH_RESOLUTION * high):
        middle = max(low + 1, min(high - 1, round(math.sqrt(max(low, 1) * high))))
        if is_enough(middle):
            high = middle
        else:
            low = middle
    return high
