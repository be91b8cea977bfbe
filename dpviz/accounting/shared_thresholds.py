"""Where counts that share one threshold have a given likelihood ratio."""

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.log_masses import log_of_sum

_NEWTON_STEPS, _HALVINGS = 60, 64


class SharedThresholds:
    """Thresholds that the first counts share, and from which loss on they do.

    Args:
        distances: d_i of the counts above 0, increasing.
        weights: w_i.
        none: weight of the count 0, which shares the first one's threshold.
    """

    def __init__(self, distances: FloatArray, weights: FloatArray, none: float) -> None:
        self._d, self._w, self._none = distances, weights, none
        self.sums = np.cumsum(weights)
        self.joins = self._losses_at_which_counts_join()

    def credit(self, losses: FloatArray) -> FloatArray:
        """Return what Q_0 has to spare for higher counts, in units of alpha."""
        return np.asarray(-np.expm1(-losses) * self._none)

    def threshold(self, last: int, losses: FloatArray) -> FloatArray:
        """Return y at which the counts up to ``last`` have the losses, by Newton's method.

        From the right, where the logarithm of a sum of exponentials, which is convex, sends no
        step too far.
        """
        d, w = self._d[: last + 1, None], self._w[: last + 1, None]
        wanted = losses + np.log(self.sums[last] + self.credit(losses))
        y = np.asarray(((wanted - np.log(w)) / d + d / 2).min(axis=0))
        furthest = float(d[-1, 0])
        for _ in range(_NEWTON_STEPS):
            exponents = d * y - d * d / 2 + np.log(w)
            peak = exponents.max(axis=0)
            terms = np.exp(exponents - peak)
            total = terms.sum(axis=0)
            slope = (d * terms).sum(axis=0) / total
            step = (peak + np.log(total) - wanted) / slope
            y = y - step
            # Of y itself, and of the exponents, which rounding of as much changes.
            rounding = 1.0 + np.abs(y) + (np.abs(wanted) + furthest * np.abs(y) + furthest) / slope
            if np.all(np.abs(step) <= 4.0 * UNIT_ROUNDOFF * rounding):
                break
        return y

    def _losses_at_which_counts_join(self) -> FloatArray:
        """Return for each count after the first the loss from which on it shares the threshold.

        There its own one, at which e^(d y - d^2 / 2) = alpha, is the shared one.
        """
        d, size = self._d, len(self._d)
        constant = np.log(self._w) - d * d / 2
        before = np.where(np.tri(size - 1, size, dtype=bool), constant, -np.inf)
        none = np.full((size - 1, 1), np.log(self._none) if self._none > 0.0 else -np.inf)
        log_total = np.log(self.sums[:-1] + self._none)
        furthest = float(d[-1] + (1.0 - np.log(self._w.min())) / d[0])
        low, high = np.full(size - 1, -furthest), np.full(size - 1, furthest)
        for _ in range(_HALVINGS):
            y = (low + high) / 2
            # ln of the likelihood ratio of the counts before each, and none, at y.
            terms = np.hstack([before + y[:, None] * d, none])
            ratio = log_of_sum(terms.T) - log_total
            joins = ratio <= d[1:] * y - d[1:] * d[1:] / 2
            low, high = np.where(joins, low, y), np.where(joins, y, high)
        return np.maximum.accumulate(np.maximum(d[1:] * high - d[1:] * d[1:] / 2, 0.0))
