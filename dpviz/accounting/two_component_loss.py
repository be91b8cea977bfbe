"""The privacy loss of (1 - q) N(0, sigma) + q N(shift, sigma) against N(0, sigma)."""

from functools import partial

import numpy as np
from scipy.special import ndtri

from dpviz.accounting.buckets import (
    UNIT_ROUNDOFF,
    UNRESOLVED_TAIL,
    BoolArray,
    FloatArray,
    LossBuckets,
    Masses,
    log_masses,
    loss_buckets,
    normal_masses,
)
from dpviz.accounting.privacy_loss import LARGEST_LOSS, Located, PrivacyLoss, root_mean_square
from dpviz.guarantees import ShiftedMixturePair


class TwoComponentLoss(PrivacyLoss):
    """l(x) = ln(1 - q + q e^t) with t = shift (x - shift / 2) / sigma^2, for rates q > 0."""

    def __init__(self, pair: ShiftedMixturePair) -> None:
        self._pair = pair
        sigma, q = pair.noise_multiplier, pair.rate
        self.infimum = float(np.log1p(-q)) if q < 1.0 else -np.inf
        from_zero = -sigma * ndtri(UNRESOLVED_TAIL / 2)
        from_shift = pair.shift - sigma * ndtri(min(UNRESOLVED_TAIL / 2 / max(q, 1e-300), 0.5))
        largest = float(max(from_zero, from_shift))
        self.largest_resolved = min(loss_at(pair, largest), LARGEST_LOSS)
        self.smallest_resolved = loss_at(pair, float(sigma * ndtri(UNRESOLVED_TAIL)))
        self.spread = self._spread()

    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return the outcomes in closed form; its rounding errors are bounded and stepped over."""
        errors = self._errors_at(losses)
        outcomes = outcomes_at(self._pair, losses + side * errors)
        return Located(outcomes=outcomes, errors=errors)

    def buckets(self, outcomes: FloatArray) -> LossBuckets:
        """Return the masses between increasing outcomes."""
        q, sigma = self._pair.rate, self._pair.noise_multiplier
        base = normal_masses(outcomes / sigma)
        shifted = normal_masses((outcomes - self._pair.shift) / sigma)
        upper = Masses(
            mass=(1 - q) * base.mass + q * shifted.mass,
            error=(1 - q) * base.error + q * shifted.error,
            above=(1 - q) * base.above + q * shifted.above,
            below=(1 - q) * base.below + q * shifted.below,
        )
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratio = shifted.mass / base.mass
            # log1p keeps small losses exact; at high rates its argument nears -1, where it cannot.
            log_ratio = np.log1p(q * (ratio - 1.0)) if q < 0.5 else np.log((1.0 - q) + q * ratio)
            # d ln(1 - q + q R) = (q R / (1 - q + q R)) dR / R, and the fraction is q n / p.
            ratio_error = q * (shifted.error + ratio * base.error) / upper.mass
            rounding = 4 * UNIT_ROUNDOFF * (np.abs(log_ratio) + (0.0 if q < 0.5 else 1.0))
            # To first order: not where the error is near the whole mass.
            known = (base.error / base.mass < 0.1) & (ratio_error < 0.1)
            log_ratio_error = np.where(known, 1.5 * ratio_error + rounding, np.inf)
        of_tiny = partial(self._log_ratio_of_tiny, outcomes)
        return loss_buckets(upper, base, log_ratio, log_ratio_error, of_tiny)

    def _log_ratio_of_tiny(
        self, outcomes: FloatArray, tiny: BoolArray
    ) -> tuple[FloatArray, FloatArray]:
        q, shift, sigma = self._pair.rate, self._pair.shift, self._pair.noise_multiplier
        left, right = outcomes[:-1][tiny], outcomes[1:][tiny]
        base, base_error = log_masses(left / sigma, right / sigma)
        shifted, shifted_error = log_masses((left - shift) / sigma, (right - shift) / sigma)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.logaddexp(np.log1p(-q), np.log(q) + (shifted - base))
        rounding = np.abs(base) + np.abs(shifted) + abs(np.log(q)) + np.abs(value) + 1.0
        return value, base_error + shifted_error + 4 * UNIT_ROUNDOFF * rounding

    def _errors_at(self, losses: FloatArray) -> FloatArray:
        """Return bounds on how far the loss of ``outcomes_at(pair, losses)`` is from ``losses``.

        Each operation errs by a few units in the last place of its result; an error of the
        outcome counts by the slope of the loss there, that of the loss itself in full. Distances
        on the grid round as well.
        """
        pair = self._pair
        outcomes = outcomes_at(pair, losses)
        reached = np.where(np.isfinite(outcomes), outcomes, 0.0)
        per_outcome = pair.shift / pair.noise_multiplier**2
        exponents = per_outcome * (reached - pair.shift / 2)
        # dl/dt = q e^t / e^l, at most 1 but for rounding.
        slope = np.exp(np.minimum(exponents + np.log(pair.rate) - losses, 0.0))
        slope = np.where(np.isfinite(outcomes), slope, 0.0)
        own = np.minimum(np.abs(np.expm1(-np.maximum(losses, -1.0))), 1.0)
        of_grid = np.abs(losses) + np.abs(losses - losses[0])
        of_outcome = slope * (np.abs(exponents) + per_outcome * (np.abs(reached) + pair.shift))
        return np.asarray(8.0 * UNIT_ROUNDOFF * (own + of_outcome) + 2.0 * UNIT_ROUNDOFF * of_grid)

    def _spread(self) -> float:
        pair = self._pair
        sigma, q = pair.noise_multiplier, pair.rate
        x = np.linspace(-8 * sigma, pair.shift + 8 * sigma, 801)
        base = np.exp(-0.5 * (x / sigma) ** 2)
        shifted = np.exp(-0.5 * ((x - pair.shift) / sigma) ** 2)
        exponents = pair.shift / sigma**2 * (x - pair.shift / 2)
        with np.errstate(over="ignore"):
            losses = np.log1p(q * np.expm1(exponents)) if q < 1.0 else exponents
        return root_mean_square(np.minimum(losses, LARGEST_LOSS), (1 - q) * base + q * shifted)


def loss_at(pair: ShiftedMixturePair, outcome: float) -> float:
    """Return ln(dP/dQ) at one outcome, in nats.

    >>> pair = ShiftedMixturePair(rate=1.0, noise_multiplier=2.0)
    >>> float(loss_at(pair, 1.0)), float(loss_at(pair, 3.0))
    (0.0, 1.0)
    """
    exponent = pair.shift / pair.noise_multiplier**2 * (outcome - pair.shift / 2)
    if pair.rate == 1.0:
        return exponent
    # ln(1 - q + q e^t): as log1p for small q, and free of overflow for large t.
    if exponent < 30.0:
        return float(np.log1p(pair.rate * np.expm1(exponent)))
    return float(exponent + np.log(pair.rate + (1 - pair.rate) * np.exp(-exponent)))


def outcomes_at(pair: ShiftedMixturePair, losses: FloatArray) -> FloatArray:
    """Return the outcomes with the given losses; -inf where no outcome has so small a loss.

    Inverts l = ln(1 - q + q exp(shift (x - shift/2) / sigma^2)), which increases in x.
    """
    q = pair.rate
    scale = pair.noise_multiplier**2 / pair.shift
    if q == 1.0:
        return np.asarray(scale * losses + pair.shift / 2)
    large, small = losses > 30.0, losses < -0.5
    middle = ~(large | small)
    exponents = np.full(losses.shape, -np.inf)
    with np.errstate(divide="ignore"):
        # At the smallest possible loss, ln(1 - q), rounding may push an argument beyond its end.
        argument = np.maximum(np.expm1(losses[middle]) / q, -1.0)
        exponents[middle] = np.log1p(argument)
        excess = np.maximum(np.exp(losses[small]) - (1.0 - q), 0.0)
        exponents[small] = np.log(excess) - np.log(q)
    exponents[large] = losses[large] - np.log(q) + np.log1p((q - 1.0) * np.exp(-losses[large]))
    return np.asarray(scale * exponents + pair.shift / 2)
