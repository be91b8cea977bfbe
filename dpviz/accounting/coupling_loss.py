"""The privacy loss of coupled counts: of the best test, count by count.

The profile of docs/tighter-bounds.md is a largest value over thresholds, one for each hidden count.
As alpha grows no threshold falls, so it is the profile of a pair: P and Q of labelled outcomes, of
which those between the thresholds of two orders have losses between the two.
"""

import numpy as np

from dpviz.accounting.buckets import (
    UNIT_ROUNDOFF,
    UNRESOLVED_TAIL,
    FloatArray,
    GaussianBuckets,
    LossBuckets,
)
from dpviz.accounting.coupling_thresholds import Thresholds, ThresholdSolver
from dpviz.accounting.log_masses import is_needed, log_sums
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.privacy_loss import LARGEST_LOSS, Located, PrivacyLoss, root_mean_square
from dpviz.guarantees import CoupledPair

# Rounding errors of thresholds are guessed from every so many.
_EVERY = 16
_DEVIATIONS = 12.0  # beyond, a normal tail is below the unresolved one
_SCANNED = 160


class CouplingLoss(PrivacyLoss):
    """The loss of coupled counts; located outcomes are thresholds, shape (parts, losses)."""

    infimum = -np.inf

    def __init__(self, pair: CoupledPair, rounding: Rounding) -> None:
        scale = 1.0 / pair.noise_multiplier
        self._distances = scale * np.array(pair.distances)
        self._rate = pair.rate
        self._unlisted = pair.unlisted if rounding is Rounding.UP else 0.0
        weights = np.array(pair.weights)
        self._solver = ThresholdSolver(self._distances, weights, pair.rate, scale * pair.absence)
        self._weights = np.append(pair.rate * weights, 1.0 - pair.rate)
        furthest = float(self._distances[-1])
        most = min(furthest * (furthest / 2 + _DEVIATIONS), LARGEST_LOSS)
        losses = np.append(0.0, np.geomspace(1e-9 * most, most, _SCANNED))
        masses = self.buckets(self._outcomes(self._solver.thresholds(losses)))
        beyond = np.cumsum(masses.upper[::-1])[::-1] + masses.upper_above
        last = int(np.searchsorted(-beyond, -UNRESOLVED_TAIL))
        self.largest_resolved = float(losses[min(last + 1, len(losses) - 1)])
        self.smallest_resolved = -self.largest_resolved
        self.spread = root_mean_square(
            np.append(losses[1:], 0.0),
            np.append(masses.upper + masses.lower, 1.0 - float(np.sum(masses.upper))),
        )

    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return thresholds, and what bounds the distance of their losses to the given ones."""
        if side == 0:
            found = self._solver.thresholds(losses)
            return Located(outcomes=self._outcomes(found), errors=0.5 * found.errors)
        room = 4.0 * np.maximum.accumulate(self._solver.thresholds(losses[::_EVERY]).errors)
        while True:
            errors = np.repeat(room, _EVERY)[: len(losses)]
            # Thresholds are taken at smaller losses, so that those between two of them stay below
            # the upper one with all that rounding may add.
            shifts = np.cumsum(2.0 * errors)
            found = self._solver.thresholds(np.maximum(losses - shifts, 0.0))
            if np.all(found.errors <= errors):
                return Located(outcomes=self._outcomes(found), errors=0.5 * (shifts + errors))
            room = 4.0 * room

    def buckets(self, outcomes: FloatArray) -> LossBuckets:
        """Return the masses between thresholds."""
        shifts = np.append(self._distances, 0.0)
        upper = _weighted(outcomes - shifts[:, None], self._weights)
        lower = _weighted(outcomes, self._weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            upper_error, lower_error = upper.error / upper.mass, lower.error / lower.mass
            log_ratio = np.log(upper.mass) - np.log(lower.mass)
            log_ratio_error = 1.5 * (upper_error + lower_error) + 1e-15 * (1 + np.abs(log_ratio))
        known = log_ratio_error < 0.1
        log_ratio_error = np.where(known, log_ratio_error, np.inf)
        tiny = is_needed(upper.mass, lower.mass) & ~known
        if tiny.any():
            left, right = outcomes[:, :-1][:, tiny], outcomes[:, 1:][:, tiny]
            used = self._weights > 0.0
            weights, left, right = self._weights[used], left[used], right[used]
            top, top_error = log_sums(shifts[used], weights, left, right)
            low, low_error = log_sums(np.zeros(len(weights)), weights, left, right)
            with np.errstate(invalid="ignore"):
                log_ratio[tiny], log_ratio_error[tiny] = top - low, top_error + low_error
        return LossBuckets(
            upper=upper.mass,
            lower=lower.mass,
            log_ratio=log_ratio,
            upper_error=upper_error,
            lower_error=lower_error,
            log_ratio_error=log_ratio_error,
            upper_above=upper.above + self._unlisted,
            upper_below=upper.below,
            lower_above=lower.above,
            lower_below=lower.below,
        )

    @staticmethod
    def _outcomes(found: Thresholds) -> FloatArray:
        return np.vstack([found.of_counts, found.of_absence])


def _weighted(edges: FloatArray, weights: FloatArray) -> GaussianBuckets:
    """Return the masses of normal outcomes between the edges of each part, weighted and summed."""
    mass, above, below = np.zeros(edges.shape[1] - 1), 0.0, 0.0
    error = np.zeros_like(mass)
    for row, weight in zip(edges, weights, strict=True):
        if weight == 0.0:
            continue
        part = GaussianBuckets.between(row)
        mass += weight * part.mass
        error += weight * (part.error + 4.0 * UNIT_ROUNDOFF * part.mass)
        above += weight * part.above
        below += weight * part.below
    return GaussianBuckets(mass=mass, error=error, above=float(above), below=float(below))
