"""delta as a function of epsilon, known on a grid and bounded from one side."""

from dataclasses import dataclass

import numpy as np

from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.privacy_loss import FloatArray


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
        position = (np.asarray(epsilon, dtype=np.float64) - self.start) / self.interval
        # Beyond the grid the last value holds on either side: it is 0 where rounded down.
        position = np.minimum(position, len(self.delta) - 1.0)
        index = np.clip(np.floor(position), 0, len(self.delta) - 2).astype(np.int64)
        share = np.expm1((position - index) * self.interval) / np.expm1(self.interval)
        share = np.clip(share, 0.0, 1.0)
        inside = (1 - share) * self.delta[index] + share * self.delta[index + 1]
        before = position < 0
        if not np.any(before):
            return np.asarray(inside)
        if self.rounding is Rounding.DOWN:
            return np.where(before, self.delta[0], inside)
        # Before the grid, convexity in alpha: the line from delta = 1 at alpha = 0.
        alpha_share = np.exp(np.minimum(position, 0.0) * self.interval)
        return np.where(before, 1.0 - alpha_share * (1.0 - self.delta[0]), inside)

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
            return max(0.0, self.start + float(np.log((1.0 - delta) / (1.0 - self.delta[0]))))
        k = int(above[-1])
        if k == len(self.delta) - 1:
            return None
        share = (self.delta[k] - delta) / (self.delta[k] - self.delta[k + 1])
        step = np.log1p(share * np.expm1(self.interval))
        return max(0.0, float(self.start + k * self.interval + step))
