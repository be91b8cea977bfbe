"""Rates under label noise and noise on contexts: Theorem G.1, extended in docs/augmentation.md."""

from dataclasses import replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from dpviz.scenario import DataShape, Noise, Relation

FloatArray = NDArray[np.float64]
PLACEMENT = "dpviz's extension: its rate q is computed for the worst place of the protected values"
# The sums below add numbers from 0 to 1; what they, and a distance, round away is added again.
_SUM_ROUNDING = 2.0**-50


def condition_on_changes(relation: Relation) -> str:
    """Return what has to hold where noise on windows is credited: v as a number, if it is one.

    >>> condition_on_changes(Relation(max_change=1500.0))
    'no value changes by more than v = 1,500, the unit of the noise on windows'
    """
    v, many = relation.max_change, relation.num_channels
    of_channels = f" in any of {many:,} channels" if many > 1 else ""
    number = "" if v is None else f" = {v:,}".removesuffix(".0")
    return f"no value changes{of_channels} by more than v{number}, the unit of the noise on windows"


def total_variation(shift: float, sigma: float) -> float:
    """Return the total variation distance of N(0, sigma) and N(shift, sigma), to the nearest.

    >>> total_variation(1.0, 0.0), total_variation(0.0, 0.0)
    (1.0, 0.0)
    """
    if sigma == 0.0:
        return 1.0 if shift > 0.0 else 0.0
    return float(erf(shift / (2.0 * sqrt(2.0) * sigma)))


def augmented_rate(shape: DataShape, length: int, relation: Relation, noise: Noise) -> float:
    """Return the largest (1 / T) sum of tau_t over where the individual's values may lie.

    tau_t is the total variation distance of the noised window at start position t between the
    two data sets. It depends on how many of the individual's values fall into the context (a_t)
    and the forecast (b_t) only, and so on their distance to t.

    Args:
        noise: sigma_C and sigma_F, in units of the largest change.
    """
    positions = length - shape.forecast_length + 1
    # With room for all values of the series it does not matter where they may lie.
    if relation.level == "event" or relation.width >= length:
        return min(_worst_sum(shape, length, relation, noise) / positions, 1.0)
    # Values anywhere: tau is subadditive over them, and no window is changed by more than all.
    touched = relation.touched_windows(shape, positions)
    of_one = _worst_sum(shape, length, replace(relation, width=1), noise)
    least = min(noise.context_noise, noise.forecast_noise)
    if shape.context_length == 0:
        least = noise.forecast_noise
    all_values = sqrt(relation.width * relation.num_channels)
    together = touched * total_variation(all_values, least) * (1.0 + 2.0 * _SUM_ROUNDING)
    return min(relation.width * of_one / positions, together / positions, touched / positions)


def clean_rate(shape: DataShape, length: int, relation: Relation, noise: Noise) -> float:
    """Return the largest part of a series' windows that show a changed value without noise.

    Of context and forecast, those without noise; the individual's values in a row, at their worst
    place. Rounded down.
    """
    positions = length - shape.forecast_length + 1
    return clean_windows(shape, length, relation, noise) / positions * (1.0 - _SUM_ROUNDING)


def clean_windows(shape: DataShape, length: int, relation: Relation, noise: Noise) -> int:
    """Return how many windows of a series show a changed value without noise."""
    return round(_worst_sum(shape, length, relation, noise, only_certain=True))


def told_rates(
    shape: DataShape, length: int, relation: Relation, noise: Noise
) -> tuple[float, float]:
    """Return the parts of a series' windows that tell the data sets apart rightly, and wrongly.

    At start position t a best guess at which data set the noised window is of is right with
    probability (1 + tau_t) / 2; untouched windows tell nothing. The individual's values in a row,
    at their worst place.
    """
    positions = length - shape.forecast_length + 1
    total, tau, _ = worst_place(shape, length, relation, noise)
    touched = len(tau)
    total = min(total * (1.0 - _SUM_ROUNDING * (touched + 2)), touched)
    return (touched + total) / (2 * positions), (touched - total) / (2 * positions)


def told_apart(
    shape: DataShape, length: int, relation: Relation, noise: Noise
) -> list[tuple[int, float]]:
    """Return numbers n of windows each of which has a tau_t of at least the one beside it.

    The individual's values in a row, at their worst place. Listed are the n with the largest
    n tau and with the largest n tau^2: which attack on them tells more depends on what is drawn.
    """
    _, tau, _ = worst_place(shape, length, relation, noise)
    falling = np.sort(tau)[::-1] * (1.0 - _SUM_ROUNDING)
    numbers = np.arange(1, len(falling) + 1)
    best = {int(np.argmax(numbers * falling**power)) for power in (1, 2)}
    return [(place + 1, float(falling[place])) for place in sorted(best)]


def _worst_sum(
    shape: DataShape, length: int, relation: Relation, noise: Noise, *, only_certain: bool = False
) -> float:
    total, _, _ = worst_place(shape, length, relation, noise, only_certain=only_certain)
    # One addition rounds by at most a unit in the last place.
    return total * (1.0 + _SUM_ROUNDING * (2 * relation.width + 2 * shape.window_length))


def worst_place(
    shape: DataShape, length: int, relation: Relation, noise: Noise, *, only_certain: bool = False
) -> tuple[float, FloatArray, int]:
    """Return the largest sum of tau_t, those of the windows touched there, and the first value.

    The individual's values lie in a row; the first one is counted from 0.

    Args:
        only_certain: whether windows count by what they show without noise, as for
            :func:`clean_windows`; else by tau_t, as for :func:`told_rates`.
    """
    width = min(relation.width, length)
    context, forecast = shape.context_length, shape.forecast_length
    positions = length - forecast + 1
    # d = first changed value minus t: outside of this range the window is not touched, or there
    # is no such start position. (Large tau_t that no sum has would spoil the cumulated ones.)
    first = max(1 - width - context, 1 - positions)
    last = min(forecast - 1, length - width)
    d = np.arange(first, last + 1)
    in_context = np.maximum(np.minimum(d + width, 0) - np.maximum(d, -context), 0)
    in_forecast = np.maximum(np.minimum(d + width, forecast) - np.maximum(d, 0), 0)
    is_touched = (in_context > 0) | (in_forecast > 0)
    if only_certain:
        in_context = in_context if noise.context_noise == 0.0 else np.zeros_like(in_context)
        in_forecast = in_forecast if noise.forecast_noise == 0.0 else np.zeros_like(in_forecast)
    tau = _window_distance(in_context, in_forecast, relation.num_channels, noise)
    if positions >= len(tau):
        # One place has them all: in a long series, away from its ends.
        return float(np.sum(tau)), tau[is_touched], last
    cumulated = np.concatenate([[0.0], np.cumsum(tau)])
    # Values from s on are touched by t = 0 .. T - 1, that is by d = s - T + 1 .. s.
    s = np.arange(0, min(length - width, last + positions) + 1)
    high = np.clip(s - first + 1, 0, len(tau))
    low = np.clip(s - positions + 1 - first, 0, len(tau))
    sums = cumulated[high] - cumulated[low]
    at = int(np.argmax(sums))
    here = slice(low[at], high[at])
    return float(sums[at]), tau[here][is_touched[here]], at


def _window_distance(
    in_context: NDArray[np.int64], in_forecast: NDArray[np.int64], channels: int, noise: Noise
) -> FloatArray:
    squares = np.zeros(len(in_context))
    certain = np.zeros(len(in_context), dtype=bool)
    for count, sigma in (
        (in_context, noise.context_noise),
        (in_forecast, noise.forecast_noise),
    ):
        if sigma == 0.0:
            certain |= count > 0
        else:
            # The quotient first: a tiny sigma's square would be 0.
            with np.errstate(over="ignore"):
                squares += (np.sqrt(count * channels) / sigma) ** 2
    return np.where(certain, 1.0, erf(np.sqrt(squares) / (2.0 * np.sqrt(2.0))))
