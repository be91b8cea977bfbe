"""The values of a quantity to search, from the easiest to the hardest to meet a goal with."""

import math
from collections.abc import Callable
from dataclasses import replace

from dpviz.planning.search import Ladder
from dpviz.scenario import DataShape, Noise, Scenario, ScenarioError, Training
from dpviz.scenario.mechanism import (
    LARGEST_AUGMENTATION,
    LARGEST_BATCH,
    MOST_STEPS,
    NOISE_MULTIPLIER_RANGE,
)

NOISE_DIGITS = 5
# Neighbouring candidates of the noise multiplier differ by this in their logarithm.
_NOISE_STEP = 5e-4
# With less noise on labels than this, two values that differ by v are told apart for certain.
_SMALLEST_LABEL_NOISE = 0.01
_LABEL_NOISE_STEP = 0.01
Rungs = tuple[Ladder, Callable[[int], Scenario]]


def rungs_of(scenario: Scenario, quantity: str) -> Rungs:
    """Return the rungs of a quantity, and the scenario at each.

    Args:
        scenario: the training set-up; its own value of the quantity is of no effect.
        quantity: any of the quantities but windows per series, whose order is not known.

    Raises:
        ScenarioError: the scenario does not depend on the quantity.

    >>> from dpviz.scenario import PRESETS
    >>> ladder, at = rungs_of(PRESETS["toy"].scenario, "steps")
    >>> ladder.last, at(7).num_steps
    (10000000, 7)
    """
    return _LADDERS[quantity](scenario)


def _noise_multipliers(scenario: Scenario) -> Rungs:
    smallest, largest = NOISE_MULTIPLIER_RANGE

    def at(rung: int) -> Scenario:
        sigma = _rounded_up(largest * math.exp(-_NOISE_STEP * rung))
        noise: Noise = replace(scenario.noise, noise_multiplier=max(smallest, min(largest, sigma)))
        return replace(scenario, noise=noise)

    last = math.ceil(math.log(largest / smallest) / _NOISE_STEP)
    return Ladder(first=0, last=last, per_unit=1.0 / _NOISE_STEP), at


def _rounded_up(value: float, digits: int = NOISE_DIGITS) -> float:
    place = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return float(f"{math.ceil(value / place) * place:.{digits}g}")


def _forecast_noises(scenario: Scenario) -> Rungs:
    """Return noise on labels from the largest allowed to none at all, the last rung."""
    last = math.ceil(math.log(LARGEST_AUGMENTATION / _SMALLEST_LABEL_NOISE) / _LABEL_NOISE_STEP)

    def at(rung: int) -> Scenario:
        sigma = _rounded_up(LARGEST_AUGMENTATION * math.exp(-_LABEL_NOISE_STEP * rung), 3)
        noise = replace(scenario.noise, forecast_noise=0.0 if rung == last else sigma)
        return replace(scenario, noise=noise)

    return Ladder(first=0, last=last, per_unit=1.0 / _LABEL_NOISE_STEP), at


def _steps(scenario: Scenario) -> Rungs:
    return Ladder(first=1, last=MOST_STEPS), lambda count: replace(
        scenario, training=Training(unit="steps", count=count)
    )


def _epochs(scenario: Scenario) -> Rungs:
    one = replace(scenario, training=Training(unit="epochs", count=1))
    return Ladder(first=1, last=MOST_STEPS // one.steps_per_epoch), lambda count: replace(
        scenario, training=Training(unit="epochs", count=count)
    )


def _batch_sizes(scenario: Scenario) -> Rungs:
    shape, sampling, training = scenario.data, scenario.sampling, scenario.training
    if not isinstance(shape, DataShape):
        raise ScenarioError("batch_size", None, "rates do not depend on it: give the data's shape")
    largest = min(sampling.largest_batch(shape), LARGEST_BATCH)
    smallest = sampling.num_subsequences
    if training.unit == "epochs":
        # A smaller batch makes more steps of these epochs than a scenario holds.
        too_many = MOST_STEPS // training.count + 1
        smallest = max(smallest, sampling.largest_batch(shape) // too_many + 1)
    return Ladder(first=smallest, last=largest), lambda size: replace(
        scenario, sampling=replace(sampling, batch_size=size)
    )


_LADDERS = {
    "noise_multiplier": _noise_multipliers,
    "forecast_noise": _forecast_noises,
    "steps": _steps,
    "epochs": _epochs,
    "batch_size": _batch_sizes,
}
