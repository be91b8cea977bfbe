"""delta as a function of epsilon, known on a grid and bounded from one side."""

from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.loss_distribution import Rounding

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
        interval: grid distance, in nats.
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
        """
        if float(self.delta_at(np.zeros(1))[0]) <= delta:
            return 0.0
        above = np.flatnonzero(self.delta > delta)
        if len(above) == 0:
            # The bound crosses delta before the grid begins.
            if self.rounding is Rounding.DOWN:
                return 0.0
            step = float(np.log((1.0 - delta) / (1.0 - self.delta[0])))
            return self._rounded(self.start + step)
        k = int(above[-1])
        if k == len(self.delta) - 1:
            return None
        share = (self.delta[k] - delta) / (self.delta[k] - self.delta[k + 1])
        step = float(np.log1p(share * np.expm1(self.interval)))
        return self._rounded(self.start + k * self.interval + step)

    def _rounded(self, place: float) -> float:
        error = _PLACE_ERROR * (1.0 + abs(place) + abs(self.start))
        return max(0.0, place + self._side * error)

    @property
    def _side(self) -> float:
        """1 where a larger delta or epsilon is on the safe side, -1 where a smaller one is."""
        return 1.0 if self.rounding is Rounding.UP else -1.0
