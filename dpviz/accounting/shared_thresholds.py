"""Where counts that share one threshold have a given likelihood ratio."""

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray

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
        for _ in range(_NEWTON_STEPS):
            exponents = d * y - d * d / 2 + np.log(w)
            peak = exponents.max(axis=0)
            terms = np.exp(exponents - peak)
            total = terms.sum(axis=0)
            step = (peak + np.log(total) - wanted) * total / (d * terms).sum(axis=0)
            y = y - step
            if np.all(np.abs(step) <= 4.0 * UNIT_ROUNDOFF * (1.0 + np.abs(y))):
                break
        return y

    def _losses_at_which_counts_join(self) -> FloatArray:
        """Return for each count after the first the loss from which on it shares the threshold.

        There its own one, at which e^(d y - d^2 / 2) = alpha, is the shared one.
        """
        joins = []
        furthest = float(self._d[-1] + (1.0 - np.log(self._w.min())) / self._d[0])
        for at in range(1, len(self._d)):
            d, low, high = self._d[at], -furthest, furthest
            for _ in range(_HALVINGS):
                y = (low + high) / 2
                low, high = (low, y) if self._excess(at, y) <= d * y - d * d / 2 else (y, high)
            joins.append(d * high - d * d / 2)
        return np.maximum.accumulate(np.maximum(np.array(joins), 0.0))

    def _excess(self, size: int, y: float) -> float:
        """Return ln of the likelihood ratio of the first ``size`` counts, and none, at y."""
        exponents = self._d[:size] * y - self._d[:size] ** 2 / 2 + np.log(self._w[:size])
        if self._none > 0.0:
            exponents = np.append(exponents, np.log(self._none))
        peak = exponents.max()
        total = self.sums[size - 1] + self._none
        return float(peak + np.log(np.exp(exponents - peak).sum() / total))
