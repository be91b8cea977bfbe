"""The live picture of sampling, as plain data: series, windows, and what each setting costs.

``dpviz/ui/browser/picture.js`` draws it. Bounds on epsilon are looked up there, never computed: the
handles stop where this module has a bound.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dpviz.planning.proven import ProvenEpsilon
from dpviz.scenario import DataShape, Noise, Sampling, Scenario, Training
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.proven_epsilon import HARDLY_ANY_PROTECTION
from dpviz.wording.scope import protected_in
from dpviz.wording.theorems import named_theorem

WINDOW_LENGTHS = (8, 12, 16, 24, 32, 40, 48)
WINDOWS_PER_SERIES = (1, 2, 4, 8)  # divisors of the batch, which therefore stays the same
# What the picture begins with: the secret away from the ends, where most windows hold it.
_FIRST = {"windowLength": 24, "windowsPerSeries": 2, "series": 2, "value": 57}
_FORECAST = 6
_SHAPE = DataShape(
    num_series=8, series_lengths=(100,), context_length=_FORECAST, forecast_length=_FORECAST
)
_SCENARIO = Scenario(
    data=_SHAPE,
    sampling=Sampling(batch_size=8),
    noise=Noise(noise_multiplier=8.0),
    training=Training(unit="steps", count=100),
    delta=1e-5,
)


def picture_scenario(window_length: int, windows_per_series: int) -> Scenario:
    """Return the training that the picture shows, with other windows.

    >>> picture_scenario(24, 2).top_rate, picture_scenario(24, 2).touched_windows
    (0.5, 24)
    """
    return replace(
        _SCENARIO,
        data=replace(_SHAPE, context_length=window_length - _FORECAST),
        sampling=replace(_SCENARIO.sampling, num_subsequences=windows_per_series),
    )


def picture_scenarios() -> list[Scenario]:
    """Return every training that the handles can set, those seen first in front."""
    first = _FIRST["windowsPerSeries"]
    per_series = sorted(WINDOWS_PER_SERIES, key=lambda many: (many != first, many))
    near = sorted(WINDOW_LENGTHS, key=lambda length: abs(length - _FIRST["windowLength"]))
    return [picture_scenario(length, many) for many in per_series for length in near]


def sampling_picture(costs: Sequence[ProvenEpsilon | None]) -> dict[str, Any]:
    """Return what the browser draws; ``costs`` are those of :func:`picture_scenarios`, so far."""
    unit = protected_in(_SCENARIO)
    noise = f"noise multiplier σ = {_SCENARIO.noise.noise_multiplier:g}"
    return {
        "series": _series().round(3).tolist(),
        "length": _SHAPE.series_lengths[0],
        "forecast": _FORECAST,
        "batch": _SCENARIO.sampling.batch_size,
        "windowLengths": WINDOW_LENGTHS,
        "windowsPerSeries": WINDOWS_PER_SERIES,
        "first": _FIRST,
        "steps": counted(_SCENARIO.num_steps, "step"),
        "training": f"{counted(_SCENARIO.num_steps, 'such step')} with clipped gradients and "
        f"{noise}",
        "hides": f"{unit}, as long as the draws stay secret",
        "delta": power_of_ten(_SCENARIO.delta),
        "costs": [_cost(cost) for cost in costs if cost is not None],
    }


def _cost(cost: ProvenEpsilon) -> dict[str, Any]:
    shape, upper, lower = cost.scenario.given_shape, cost.epsilon_upper, cost.epsilon_lower
    return {
        "windowLength": shape.window_length,
        "windowsPerSeries": cost.scenario.sampling.num_subsequences,
        "upper": upper,
        "lower": lower,
        "atMost": None if upper is None else rounded_up(upper, 3),
        "atLeast": None if lower is None else rounded_down(lower, 3),
        "isWeak": upper is None or upper > HARDLY_ANY_PROTECTION,
        "theorem": named_theorem(cost.upper.bound.theorem),
    }


def _series() -> np.ndarray:
    """Return made-up series between -1 and 1, shape (series, values)."""
    rng = np.random.default_rng(7)
    count, length = _SHAPE.num_series, _SHAPE.series_lengths[0]
    time = np.arange(length)
    phase = rng.uniform(0, 6, (count, 1))
    waves = np.sin(time / 4.2 + phase) + 0.5 * np.sin(time / 1.7 + 2 * phase)
    values = waves + 0.25 * rng.standard_normal((count, length))
    return np.asarray(values / np.abs(values).max(axis=1, keepdims=True))
