"""What an attacker really sees of one episode, for gradients that are bad for privacy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf, nextafter

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp, ndtr

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.gaussian import gaussian_delta
from dpviz.guarantees import SUBSTITUTION_SHIFT
from dpviz.multistage.draw import StagedDraw
from dpviz.multistage.guarantee import PRINTED_SHIFT, epsilon_before

# Weight of each mean. Equal means are one component.
Mixture = Mapping[float, float]
_DEVIATIONS = 12.0
_POINTS_PER_MEAN = 2001
# Beyond it e^epsilon is no double; 0 is a true lower bound.
_LARGEST_EPSILON = 700.0
# Of a normal distribution function within 12 deviations: its argument's own rounding included.
_RELATIVE_ERROR = 1e-13
# Of an epsilon before the draw.
_ROUNDING = 2.0**-48
WHOLE = -1


def hockey_stick(first: Mixture, second: Mixture, sigma: float, epsilon: float) -> float:
    """Return sup over sets E of first(E) - e^epsilon second(E).

    The set is where the likelihood ratio exceeds e^epsilon: intervals, whose ends are looked for
    between points around every mean. An interval that was missed would make the result smaller, and
    what rounding may have added is taken off: it is never too large.

    Args:
        first: weights by mean, as of ``second``; each component is normal with deviation ``sigma``.
        epsilon: at least 0, in nats.

    >>> round(hockey_stick({2.0: 0.5, 0.0: 0.5}, {0.0: 1.0}, 1.0, 0.0), 4)
    0.3413
    """
    if epsilon > _LARGEST_EPSILON:
        return 0.0
    means = np.array(sorted({*first, *second}))
    around = np.linspace(-_DEVIATIONS * sigma, _DEVIATIONS * sigma, _POINTS_PER_MEAN)
    points = np.unique((means[:, None] + around).ravel())

    def excess(x: FloatArray) -> FloatArray:
        return _log_density(first, x, sigma) - _log_density(second, x, sigma) - epsilon

    values = excess(points)
    inside = values > 0.0
    changes = np.flatnonzero(inside[1:] != inside[:-1])
    ends = [
        float(brentq(lambda x: float(excess(np.array([x]))[0]), points[at], points[at + 1]))
        for at in changes
    ]
    if inside[0]:
        ends.insert(0, -np.inf)
    if inside[-1]:
        ends.append(np.inf)
    total = 0.0
    for left, right in zip(ends[::2], ends[1::2], strict=True):
        least, too_much = _mass(first, left, right, sigma)
        most, too_little = _mass(second, left, right, sigma)
        gain = least - too_much - np.exp(epsilon) * (most + too_little)
        total += max(0.0, float(gain))
    return total


def _log_density(mixture: Mixture, x: FloatArray, sigma: float) -> FloatArray:
    means, weights = _arrays(mixture)
    exponents = -0.5 * ((x[:, None] - means) / sigma) ** 2
    return np.asarray(logsumexp(exponents, b=weights, axis=1))


def _mass(mixture: Mixture, left: float, right: float, sigma: float) -> tuple[float, float]:
    """Return the mass between two outcomes, and how far rounding may have moved it."""
    means, weights = _arrays(mixture)
    low, high = (left - means) / sigma, (right - means) / sigma
    # On the side where the tails are small, so that small masses keep their digits.
    flip = low > 0.0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    below, above = ndtr(low), ndtr(high)
    return float(weights @ (above - below)), _RELATIVE_ERROR * float(weights @ (above + below))


def _arrays(mixture: Mixture) -> tuple[FloatArray, FloatArray]:
    return np.array(list(mixture.keys())), np.array(list(mixture.values()))


@dataclass(frozen=True, kw_only=True)
class Attained:
    """delta that some gradients give one episode (exact for them): the worst case is no better.

    Args:
        crowd: level, from 0, of the unit within which the other records' gradients equal the one
            that the record is replaced by, while all outside of it are opposite; ``WHOLE`` where
            all are the same.
    """

    delta: float
    crowd: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One episode at one epsilon, in nats: claims beside the truth.

    Args:
        printed: delta as printed. No bound.
        corrected_distance: delta of the printed formula if the record is replaced, with 2 C for C.
            No bound where a drawn unit gives several records.
        proven: delta by Proposition 1, an upper bound.
        attained: the largest delta of the gradients tried, a lower bound.
    """

    epsilon: float
    printed: float
    corrected_distance: float
    proven: float
    attained: Attained


def comparison(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Comparison:
    """Return claims beside the truth, for one episode and the replacement of one record."""
    return Comparison(
        epsilon=epsilon,
        printed=_claimed(draw, noise_multiplier, epsilon, draw.rate, PRINTED_SHIFT),
        corrected_distance=_claimed(draw, noise_multiplier, epsilon, draw.rate, SUBSTITUTION_SHIFT),
        proven=proven_delta(draw, noise_multiplier, epsilon),
        attained=attained(draw, noise_multiplier, epsilon),
    )


def proven_delta(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> float:
    """Return delta of one episode at its own epsilon by Proposition 1, an upper bound."""
    return _claimed(draw, noise_multiplier, epsilon, draw.inner_rate, SUBSTITUTION_SHIFT)


def _claimed(
    draw: StagedDraw, noise_multiplier: float, epsilon: float, rate: float, shift: float
) -> float:
    """Return eta delta_M, rounded up, at the epsilon that a draw of this rate makes this one."""
    before = epsilon_before(rate, epsilon) * (1.0 - _ROUNDING)
    return nextafter(draw.rate * float(gaussian_delta(before, shift / noise_multiplier)), inf)


def attained(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Attained:
    """Return the largest delta among the gradients that are tried."""
    found = [
        Attained(
            delta=max(
                hockey_stick(first, second, noise_multiplier, epsilon),
                hockey_stick(second, first, noise_multiplier, epsilon),
            ),
            crowd=crowd,
        )
        for crowd, first, second in _candidates(draw)
    ]
    return max(found, key=lambda one: one.delta)


def _candidates(draw: StagedDraw) -> Iterator[tuple[int, Mixture, Mixture]]:
    """Yield the laws of the noiseless sum on both data sets, in units of C, from some origin.

    The record's gradient is +C on the first data set and -C on the second, where all records of
    its crowd have -C and all others +C.
    """
    yield WHOLE, _law({0.0: 1.0 - draw.rate, SUBSTITUTION_SHIFT: draw.rate}), {0.0: 1.0}
    for level in range(len(draw.levels) - 1):
        drawn = StagedDraw(levels=draw.levels[: level + 1]).rate
        if drawn == 1.0:
            continue
        within = StagedDraw(levels=draw.levels[level + 1 :]).rate
        elsewhere = SUBSTITUTION_SHIFT * draw.records_of_unit(level)
        with_record = _law({0.0: drawn * (1.0 - within), SUBSTITUTION_SHIFT: drawn * within})
        with_record[elsewhere] = with_record.get(elsewhere, 0.0) + (1.0 - drawn)
        yield level, with_record, {0.0: drawn, elsewhere: 1.0 - drawn}


def _law(weights: dict[float, float]) -> dict[float, float]:
    return {mean: weight for mean, weight in weights.items() if weight > 0.0}
