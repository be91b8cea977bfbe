"""The quantities that planning varies while all else stays: how each is read, set and walked."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from dpviz.planning.search import Ladder
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import DataShape, Scenario, ScenarioError, Training
from dpviz.scenario.mechanism import (
    LARGEST_AUGMENTATION,
    LARGEST_BATCH,
    MOST_STEPS,
    NOISE_MULTIPLIER_RANGE,
)
from dpviz.scenario.number_text import number_rounded

NOISE_DIGITS = 5
# Neighbouring candidates of the noise multiplier differ by this in their logarithm.
_NOISE_STEP = 5e-4
# With less noise on labels than this, two values that differ by v are told apart for certain.
_SMALLEST_LABEL_NOISE = 0.01
_LABEL_NOISE_STEP = 0.01
# How far the values around a scenario's own go to either side, and how many there are.
_REACH = 16.0
_NOISE_REACH = 4.0
_MOST_VALUES = 17
_LABEL_NOISES = (
    *(0.0, 0.1, 0.2, 0.3, 0.5, 0.7),
    *(1.0, 1.5, 2.0, 3.0, 5.0, 7.0),
    *(10.0, 20.0, 50.0, 100.0),
)


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """One thing that is varied.

    Args:
        with_value: raises :class:`ScenarioError` where a value is not allowed beside the rest.
        ladder: returns the values to search, from the easiest to the hardest to meet a goal with;
            ``None`` where their order is not known.
        around: returns values around the scenario's own, to draw a map of.
    """

    value: Callable[[Scenario], float]
    with_value: Callable[[Scenario, float], Scenario]
    ladder: Callable[[Scenario], Ladder] | None = None
    around: Callable[[Scenario], Iterable[float]] | None = None


def value_of(scenario: Scenario, quantity: str) -> float:
    """Return the scenario's own value of a quantity."""
    return QUANTITIES[quantity].value(scenario)


def with_value(scenario: Scenario, quantity: str, value: float) -> Scenario:
    """Return the scenario with another value of a quantity.

    Training stays the same number of steps or epochs, whichever it is counted in.
    """
    return QUANTITIES[quantity].with_value(scenario, value)


def fixed_quantities(scenario: Scenario) -> set[str]:
    """Return what cannot vary: rates have no lengths and batches, one bag no windows per series."""
    fixed = {"batch_size", "relation_width", "context_length"} if scenario.shape is None else set()
    return fixed | ({"num_subsequences"} if scenario.sampling.is_bag else set())


def rungs_of(scenario: Scenario, quantity: str) -> tuple[Ladder, Callable[[int], Scenario]]:
    """Return the rungs of a quantity whose order is known, and the scenario at each.

    Raises ``ScenarioError`` where the scenario does not depend on the quantity.
    """
    varied = QUANTITIES[quantity]
    assert varied.ladder is not None
    ladder = varied.ladder(scenario)
    return ladder, lambda rung: varied.with_value(scenario, ladder.value(rung))


def with_windows_per_series(scenario: Scenario, windows: int) -> Scenario:
    """Return the scenario with another number of windows per series, all else as it is set.

    With rates the batch size says nothing: a batch has as many series as before.
    """
    sampling = scenario.sampling
    if windows == sampling.num_subsequences:
        return scenario
    size = sampling.batch_size
    if not isinstance(scenario.data, DataShape):
        size = sampling.series_per_batch * windows
    return replace(scenario, sampling=replace(sampling, batch_size=size, num_subsequences=windows))


def shape_of(scenario: Scenario, field: str) -> DataShape:
    """Return the data's shape, which a quantity needs, or raise ``ScenarioError`` for rates."""
    if not isinstance(scenario.data, DataShape):
        raise ScenarioError(field, None, "rates do not depend on it; give the data's shape")
    return scenario.data


def _noise(field: str, ladder: Ladder, around: Callable[[Scenario], Iterable[float]]) -> Quantity:
    return Quantity(
        value=lambda scenario: float(getattr(scenario.noise, field)),
        with_value=lambda scenario, value: replace(
            scenario, noise=replace(scenario.noise, **{field: value})
        ),
        ladder=lambda _: ladder,
        around=around,
    )


def _noise_multipliers() -> Ladder:
    smallest, largest = NOISE_MULTIPLIER_RANGE

    def value(rung: int) -> float:
        sigma = number_rounded(largest * math.exp(-_NOISE_STEP * rung), NOISE_DIGITS, up=True)
        return max(smallest, min(largest, sigma))

    last = math.ceil(math.log(largest / smallest) / _NOISE_STEP)
    return Ladder(first=0, last=last, per_unit=1.0 / _NOISE_STEP, value=value)


def _label_noises() -> Ladder:
    """Return noise on labels from the largest allowed to none at all, the last rung."""
    last = math.ceil(math.log(LARGEST_AUGMENTATION / _SMALLEST_LABEL_NOISE) / _LABEL_NOISE_STEP)

    def value(rung: int) -> float:
        sigma = LARGEST_AUGMENTATION * math.exp(-_LABEL_NOISE_STEP * rung)
        return 0.0 if rung == last else number_rounded(sigma, 3, up=True)

    return Ladder(first=0, last=last, per_unit=1.0 / _LABEL_NOISE_STEP, value=value)


def _multipliers_around(scenario: Scenario) -> set[float]:
    own, (low, high) = scenario.noise.noise_multiplier, NOISE_MULTIPLIER_RANGE
    ends = max(low, own / _NOISE_REACH), min(high, own * _NOISE_REACH)
    return {min(max(_two_digits(one), low), high) for one in _between(*ends)}


def _whole_number(
    value: Callable[[Scenario], int],
    with_value: Callable[[Scenario, int], Scenario],
    limits: Callable[[Scenario], tuple[int, int]],
    *,
    scale: Callable[[Scenario], int] = lambda _: 1,
    ladder: Callable[[Scenario], Ladder] | None = None,
) -> Quantity:
    """Return a quantity with whole numbers around the own one, at even ratios within limits.

    ``scale`` returns below what number the quantity hardly matters: the numbers go well beyond.
    """

    def around(scenario: Scenario) -> set[int]:
        own, (low, high) = value(scenario), limits(scenario)
        ends = max(low, own / _REACH), min(high, max(own, scale(scenario)) * _REACH)
        within = (round(_two_digits(one) if low < one < high else one) for one in _between(*ends))
        return {min(max(one, low), high) for one in within}

    return Quantity(
        value=value,
        with_value=lambda scenario, number: with_value(scenario, int(number)),
        ladder=ladder,
        around=around,
    )


def _between(low: float, high: float) -> list[float]:
    """Return numbers at even ratios, beside which there is room for the scenario's own."""
    return [float(one) for one in np.geomspace(low, high, _MOST_VALUES - 1)]


def _two_digits(value: float) -> float:
    """Return what is easy to read beside an axis, at most a twentieth away."""
    return float(f"{value:.2g}")


def _training(unit: str) -> Quantity:
    """Return training counted in a unit, whichever the scenario's own is."""

    def with_count(scenario: Scenario, count: float) -> Scenario:
        return replace(scenario, training=Training(unit=unit, count=int(count)))

    def ladder(scenario: Scenario) -> Ladder:
        return Ladder(first=1, last=most_training(with_count(scenario, 1)))

    return Quantity(
        value=lambda scenario: scenario.num_steps if unit == "steps" else scenario.num_epochs,
        with_value=with_count,
        ladder=ladder,
    )


def most_training(scenario: Scenario) -> int:
    """Return the most steps or epochs that a scenario may have, in its own unit."""
    return MOST_STEPS // (scenario.steps_per_epoch if scenario.training.unit == "epochs" else 1)


def _batch_sizes(scenario: Scenario) -> Ladder:
    shape, sampling, training = (
        shape_of(scenario, "batch_size"),
        scenario.sampling,
        scenario.training,
    )
    windows, smallest = sampling.largest_batch(shape), sampling.num_subsequences
    if training.unit == "epochs":
        # A smaller batch makes more steps of these epochs than a scenario holds.
        too_many = MOST_STEPS // training.count + 1
        smallest = max(smallest, windows // too_many + 1)
    return Ladder(first=smallest, last=min(windows, LARGEST_BATCH))


def _with_windows(scenario: Scenario, windows: float) -> Scenario:
    if scenario.shape is None:
        return with_windows_per_series(scenario, int(windows))
    return replace(with_subsequences(scenario, int(windows)), training=scenario.training)


def _context_length(scenario: Scenario) -> int:
    return shape_of(scenario, "context_length").context_length


def _longest(scenario: Scenario) -> int:
    return shape_of(scenario, "series_length").series_lengths[-1]


QUANTITIES = {
    "noise_multiplier": _noise("noise_multiplier", _noise_multipliers(), _multipliers_around),
    "steps": _training("steps"),
    "epochs": _training("epochs"),
    "training": _whole_number(
        lambda scenario: scenario.training.count,
        lambda scenario, count: replace(scenario, training=replace(scenario.training, count=count)),
        lambda scenario: (1, max(1, most_training(scenario))),
    ),
    "batch_size": _whole_number(
        lambda scenario: scenario.sampling.batch_size,
        lambda scenario, size: scenario.with_shape_value("batch_size", size)[0],
        lambda scenario: (_batch_sizes(scenario).first, _batch_sizes(scenario).last),
        ladder=_batch_sizes,
    ),
    "num_subsequences": Quantity(
        value=lambda scenario: scenario.sampling.num_subsequences,
        with_value=_with_windows,
        around=lambda _: (1, 2, 4, 8, 16, 32, 64),
    ),
    "relation_width": _whole_number(
        lambda scenario: scenario.relation.width,
        lambda scenario, width: replace(scenario, relation=replace(scenario.relation, width=width)),
        lambda scenario: (1, max(_longest(scenario), scenario.relation.width)),
        # Windows of length l touch l + w - 1 of w values in a row: the first ones hide w - 1.
        scale=lambda scenario: (
            shape_of(scenario, "relation_width").window_length
            if scenario.relation.level == "event"
            else 1
        ),
    ),
    "context_length": _whole_number(
        _context_length,
        lambda scenario, length: scenario.with_shape_value("context_length", length)[0],
        lambda scenario: (1, max(_longest(scenario), _context_length(scenario))),
    ),
    "forecast_noise": _noise("forecast_noise", _label_noises(), lambda _: _LABEL_NOISES),
}
# What a plan may leave open.
CALIBRATED = (
    "noise_multiplier",
    "steps",
    "epochs",
    "batch_size",
    "num_subsequences",
    "forecast_noise",
)
# What may vary on a map, in the order in which axes are offered.
MAPPED = tuple(name for name, one in QUANTITIES.items() if one.around is not None)
