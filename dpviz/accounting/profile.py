"""delta as a function of epsilon, known on a grid and bounded from one side.

While it is summed up it is in units of M(t)^s e^(-t epsilon), from masses of the tilted sum.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.tilted_sum import TiltedSum

# Relative rounding error of a place on the grid. Where delta falls by orders of magnitude from
# one grid point to the next, reading it that far to the wrong side would show.
_PLACE_ERROR = 8.0 * UNIT_ROUNDOFF
# Absolute rounding error of the share of a grid step that has been passed.
_SHARE_ERROR = 8.0 * UNIT_ROUNDOFF


@dataclass(frozen=True, kw_only=True, eq=False)
class Profile:
    """One-sided values of delta(epsilon) at epsilon = start + i * interval.

    In alpha = e^epsilon the exact profile is convex, and the profile of a distribution on the
    grid is a polygon with corners at the grid. So the straight line between two values is an
    upper bound where the values are (UP), and a lower bound where they are lower bounds on a
    grid distribution (DOWN).

    Args:
        rounding: UP if the values are upper bounds, DOWN if they are lower bounds.
        start: the first epsilon; may lie below 0.
        delta: the values, not increasing, shape (points,).
    """

    rounding: Rounding
    interval: float
    start: float
    delta: FloatArray

    def delta_at(self, epsilon: FloatArray) -> FloatArray:
        """Return the bound on delta at each epsilon >= 0, shape as given."""
        error = self._side * _PLACE_ERROR
        place = np.asarray(epsilon, dtype=np.float64) * (1.0 - error) - error * abs(self.start)
        position = (place - self.start) / self.interval
        # Beyond the grid the last value holds on either side: it is 0 where rounded down.
        position = np.minimum(position, len(self.delta) - 1.0)
        index = np.clip(np.floor(position), 0, len(self.delta) - 2).astype(np.int64)
        share = np.expm1((position - index) * self.interval) / np.expm1(self.interval)
        left, right = self.delta[index], self.delta[index + 1]
        # The share is off by some units in the last place. In this form, and cut to the two
        # values, rounding cannot make the bound increase anywhere.
        kept = 1.0 - share + self._side * _SHARE_ERROR
        kept = np.where(position < len(self.delta) - 1.0, np.clip(kept, 0.0, 1.0), 0.0)
        inside = right + kept * (left - right)
        inside = np.clip(inside, right, left)
        before = position < 0
        if not np.any(before):
            return np.asarray(inside)
        if self.rounding is Rounding.DOWN:
            return np.asarray(np.where(before, self.delta[0], inside))
        # Before the grid, convexity in alpha: the line from delta = 1 at alpha = 0.
        rise = -np.expm1(np.minimum(position, 0.0) * self.interval)
        return np.asarray(np.where(before, self.delta[0] + rise * (1.0 - self.delta[0]), inside))

    def epsilon_at(self, delta: float) -> float | None:
        """Return the smallest epsilon >= 0 whose bound on delta is at most ``delta``.

        ``None`` where the grid ends first.

        Raises:
            ValueError: delta is less than 0, or no number.
        """
        if not delta >= 0.0:  # so NaN, with which no comparison holds
            raise ValueError(f"delta = {delta!r} is not allowed: it must be from 0 to 1")
        if float(self.delta_at(np.zeros(1))[0]) <= delta:
            return 0.0
        above = len(self.delta) - int(np.searchsorted(self.delta[::-1], delta, side="right"))
        if above == 0:
            # The bound crosses delta before the grid begins.
            if self.rounding is Rounding.DOWN:
                return 0.0
            step = float(np.log((1.0 - delta) / (1.0 - self.delta[0])))
            return self._rounded(self.start + step)
        if above == len(self.delta):
            return None
        k = above - 1
        share = (self.delta[k] - delta) / (self.delta[k] - self.delta[k + 1])
        step = float(np.log1p(share * np.expm1(self.interval)))
        return self._rounded(self.start + k * self.interval + step)

    def _rounded(self, place: float) -> float:
        error = _PLACE_ERROR * (1.0 + abs(place) + abs(self.start))
        return max(0.0, float(place + self._side * error))

    @property
    def _side(self) -> float:
        """1 where a larger delta or epsilon is on the safe side, -1 where a smaller one is."""
        return 1.0 if self.rounding is Rounding.UP else -1.0


# A block of the sums covers a decay by e^-200: its powers neither overflow nor lose more than some
# hundred units in the last place (200 for the logarithm, 200 for the exponential, twice).
_MOST_DECAY = 200.0
POWERS_ROUNDING = 1000.0
_SHORT_BLOCK = 64


def scaled_profile(mass: FloatArray, interval: float, tilt: float) -> FloatArray:
    """Return delta(l_k) e^(t l_k) / M(t)^s for tilted masses at evenly spaced losses.

    Summation from the top, all terms positive: with U_k the tilted mass above k discounted by
    e^-(l_j - l_(k+1)), the profile falls by (1 - e^-h) U_k from l_k to l_(k+1).
    """
    shrink = np.exp(-tilt * interval)
    above = np.append(mass[1:], 0.0)
    discounted = shrink * _recurrence(above, shrink * np.exp(-interval))
    return _recurrence(-np.expm1(-interval) * discounted, shrink)


def _recurrence(terms: FloatArray, factor: float) -> FloatArray:
    """Return y with y_k = terms_k + factor y_(k+1), from the last entry backwards.

    The terms are not negative. Each y_k is off by at most a relative (n + ``POWERS_ROUNDING``)
    units in the last place, and by e^-200 of the largest.
    """
    decay = -float(np.log(factor)) if factor > 0.0 else np.inf
    block = len(terms) if decay * len(terms) <= _MOST_DECAY else int(_MOST_DECAY / decay)
    if block < _SHORT_BLOCK:
        return _by_doubling(terms, factor)
    # In units of factor^-k the recurrence is a plain sum, in blocks so that nothing overflows.
    blocks = -(-len(terms) // block)
    backwards = np.zeros((blocks, block))
    backwards.reshape(-1)[: len(terms)] = terms[::-1]
    powers = np.exp(-decay * np.arange(block))
    backwards /= powers
    sums = np.cumsum(backwards, axis=1, out=backwards)
    sums *= powers
    for at in range(1, blocks):
        sums[at] += factor * sums[at - 1, -1] * powers
    return np.asarray(sums.reshape(-1)[: len(terms)][::-1])


def _by_doubling(terms: FloatArray, factor: float) -> FloatArray:
    """Return what :func:`_recurrence` does: after each pass y_k sums twice as many terms."""
    y = terms.copy()
    reach, weight = 1, factor
    while reach < len(y) and weight > 0.0:
        y[:-reach] += weight * y[reach:]
        reach, weight = 2 * reach, weight * weight
    return y


def weights_norm(size: int, interval: float, tilt: float) -> float:
    """Return a bound on the 2-norm of what the masses count for in :func:`scaled_profile`.

    A mass n points above counts e^(-t n h) (1 - e^(-n h)), for n = 1, ..., size. The second
    factor is at most 1 - e^(-size h), and at most n h; sums of powers do the rest.
    """
    shrink = float(np.exp(-2.0 * tilt * interval))
    left = float(-np.expm1(-2.0 * tilt * interval))
    widest = float(-np.expm1(-size * interval))
    squares = [size * widest**2]
    if left > 1e-90:
        squares.append(shrink / left * widest**2)
        squares.append(interval**2 * shrink * (1.0 + shrink) / left**3)
    # The room is for rounding, and for underflow.
    return 1.001 * float(np.sqrt(min(squares))) + 1e-150


def delta_of_tilted_sum(
    tilted: TiltedSum,
    mass: FloatArray,
    losses: FloatArray,
    *,
    interval: float,
    origins: float,
    size: int,
    absolute: float,
    rounding: Rounding,
) -> tuple[FloatArray, FloatArray]:
    """Return a bound on delta at the losses of a sum, from its tilted masses there, and its error.

    Args:
        mass: of the sum, at each of the losses.
        losses: where delta is bounded, evenly spaced.
        origins: the sum of the absolute values that the losses' origin is the sum of.
        absolute: bound on the error of what the masses sum up to.
    """
    scaled = scaled_profile(mass, interval, tilted.tilt)
    log_unit = tilted.log_scale - tilted.tilt * losses
    # The sums over the window round once for each point, the exponent by its larger term.
    exponent = tilted.log_scales + abs(tilted.tilt) * origins + np.abs(tilted.tilt * losses)
    sums = 4.0 * size + 4.0 * POWERS_ROUNDING
    off = tilted.relative_error + UNIT_ROUNDOFF * (sums + 2.0 * exponent)
    with np.errstate(over="ignore"):
        unit = np.exp(np.minimum(log_unit, 700.0))
        if rounding is Rounding.UP:
            delta = unit * (scaled + absolute) * (1.0 + off)
        else:
            delta = unit * np.maximum(scaled - absolute, 0.0) * (1.0 - off)
        return np.asarray(delta), np.asarray(unit * absolute + off * delta)
