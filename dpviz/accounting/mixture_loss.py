"""The privacy loss of a Gaussian mixture against N(0, sigma), or against another mixture.

With P / N(0) = 1 + A(x), A(x) = sum of w_i (e^t_i - 1), t_i = m_i (x - m_i / 2) / sigma^2, the loss
is ln(1 + A(x)), less ln(1 + B(x)) if the other one is a mixture as well. It has no closed inverse:
outcomes are found by a table and Newton's method.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpviz.accounting.buckets import (
    UNIT_ROUNDOFF,
    UNRESOLVED_TAIL,
    BoolArray,
    FloatArray,
    LossBuckets,
    Masses,
    log_masses,
    log_quotients,
    log_sums,
    loss_buckets,
    normal_masses,
)
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.privacy_loss import LARGEST_LOSS, Located, PrivacyLoss, root_mean_square
from dpviz.guarantees import MixturePair

_CELLS = 1024
_NEWTON_STEPS = 4


class LossTable:
    """A loss at evenly spaced outcomes, for one that has no closed inverse.

    Newton's method within the cells; what it misses is measured.

    Args:
        evaluate: returns losses, bounds on their rounding errors, and slopes, at outcomes; the
            exact loss must increase.
        smallest: the first outcome.
        largest: the last one.

    Attributes:
        outcomes: the table's outcomes, shape (cells + 1,).
        losses: at the outcomes, not decreasing, in nats.
    """

    def __init__(
        self,
        evaluate: Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]],
        smallest: float,
        largest: float,
    ) -> None:
        self._evaluate = evaluate
        self.outcomes = np.linspace(smallest, largest, _CELLS + 1)
        values, errors, self._slopes = evaluate(self.outcomes)
        self.losses = np.maximum.accumulate(values)
        # A loss that stands in for a smaller one has that one's error or its own.
        replaced = self.losses > values
        self._errors = np.where(replaced, np.maximum.accumulate(errors), errors)

    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return outcomes by Newton's method; what the loss there misses is part of the error.

        Where a loss has to be kept on one side and Newton's method does not reach it, the nearest
        outcome of the table is taken that is on that side for certain.
        """
        cells = np.clip(np.searchsorted(self.losses, losses) - 1, 0, _CELLS - 1)
        # A loss of the table itself may need the next cell.
        low = self.outcomes[np.maximum(cells - (side < 0), 0)]
        high = self.outcomes[np.minimum(cells + 1 + (side > 0), _CELLS)]
        # Aimed at a little to the side, so that rounding does not lead across.
        of_grid = 2.0 * UNIT_ROUNDOFF * (np.abs(losses) + np.abs(losses - losses[0]))
        cell_errors = np.maximum(self._errors[cells], self._errors[cells + 1])
        close = 0.5 * (cell_errors + of_grid)
        aimed = losses + side * 4.0 * close
        x = np.clip(self._interpolated(aimed, cells), low, high)
        values, errors, slopes = self._evaluate(x)
        left = np.arange(len(x))
        for _ in range(_NEWTON_STEPS):
            # So close to the aim an outcome is as good as it gets, and on its side.
            left = left[~(np.abs(values - aimed)[left] <= close[left])]
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                step = np.where(slopes[left] > 0.0, (values - aimed)[left] / slopes[left], 0.0)
            step = np.where(np.isfinite(step), step, 0.0)
            moved = np.clip(x[left] - step, low[left], high[left])
            left, moved = left[moved != x[left]], moved[moved != x[left]]
            if len(left) == 0:
                break
            x[left] = moved
            values[left], errors[left], slopes[left] = self._evaluate(moved)
        errors += of_grid
        if side == 0:
            return Located(
                outcomes=np.maximum.accumulate(x), errors=np.abs(values - losses) + errors
            )
        wrong = side * (values - losses) < errors
        certain = self._certain_outcomes(losses, of_grid, side)
        x = np.where(wrong, self.outcomes[certain], x)
        values = np.where(wrong, self.losses[certain], values)
        errors = np.where(wrong, self._errors[certain] + of_grid, errors)
        # Where the table ends there may be no outcome on that side: the end itself is taken, which
        # no bucket reaches beyond, and what its loss misses towards the other side is no error.
        missed = np.maximum(side * (values - losses), 0.0) + errors
        # Of outcomes in the wrong order, all on their side, the nearer one is right for both.
        ordered = np.maximum.accumulate(x) if side < 0 else np.minimum.accumulate(x[::-1])[::-1]
        return Located(outcomes=ordered, errors=missed)

    def _interpolated(self, losses: FloatArray, cells: NDArray[np.intp]) -> FloatArray:
        """Return about the outcomes with losses in cells: the inverse as a cubic (Hermite)."""
        start, end = self.outcomes[cells], self.outcomes[cells + 1]
        first, width = self.losses[cells], np.diff(self.losses)[cells]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            share = np.clip((losses - first) / width, 0.0, 1.0)
            rise = width / self._slopes[cells] / (end - start)
            rise_at_end = width / self._slopes[cells + 1] / (end - start)
            passed = share * (
                rise + share * (3.0 - 2.0 * rise - rise_at_end + share * (rise + rise_at_end - 2.0))
            )
        passed = np.where(np.isfinite(passed), np.clip(passed, 0.0, 1.0), 0.5)
        return np.asarray(start + passed * (end - start))

    def _certain_outcomes(
        self, losses: FloatArray, of_grid: FloatArray, side: int
    ) -> NDArray[np.intp]:
        """Return the table's nearest places whose losses are on a side whatever was rounded."""
        if side < 0:
            most = np.maximum.accumulate(self.losses + self._errors)
            return np.maximum(np.searchsorted(most, losses - of_grid, side="right") - 1, 0)
        least = (self.losses - self._errors)[::-1]
        least = np.minimum.accumulate(least)[::-1]
        return np.minimum(np.searchsorted(least, losses + of_grid), _CELLS)


# Above this, e^t is so large that 1 + A is taken as a sum of exponentials with its peak apart.
_LARGE_EXPONENT = 30.0
_LARGEST_EXPONENT = 600.0
_OPERATIONS = 8.0  # roundings of about one unit in the last place, beside those of sums, below
_ELEMENTS_AT_ONCE = 2**20


class MixtureLoss(PrivacyLoss):
    """The loss of a mixture pair, its unlisted weight moved to the side of ``rounding``."""

    def __init__(self, pair: MixturePair, rounding: Rounding) -> None:
        first = _on_one_side(pair, rounding)
        self._first, self._sigma = first, pair.noise_multiplier
        self._second = _second_of(pair, first)
        count = len(first.means)
        reach = -float(ndtri(UNRESOLVED_TAIL / (2 * count))) * self._sigma
        both = [first] if self._second is None else [first, self._second]
        lists = [one.means[one.weights > UNRESOLVED_TAIL / (2 * count)] for one in both]
        self._largest = max(float(means[-1]) for means in lists) + reach
        least = 0.0 if self._second is None else min(float(means[0]) for means in lists)
        self._smallest = least - reach
        self.infimum = _infimum(pair, first)
        self._table = LossTable(self._evaluated, self._smallest, self._largest)
        self.largest_resolved = float(min(self._table.losses[-1], LARGEST_LOSS))
        self.smallest_resolved = float(max(self._table.losses[0], -LARGEST_LOSS))
        density = np.sum(
            first.weights[:, None]
            * np.exp(-0.5 * ((self._table.outcomes - first.means[:, None]) / self._sigma) ** 2),
            axis=0,
        )
        capped = np.clip(self._table.losses, -LARGEST_LOSS, LARGEST_LOSS)
        self.spread = root_mean_square(capped, density)

    def at(self, outcomes: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the losses at outcomes and bounds on their rounding errors."""
        values, errors, _ = self._evaluated(outcomes)
        return values, errors

    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return outcomes by Newton's method; what the loss there misses is part of the error."""
        return self._table.located(losses, side)

    def buckets(self, outcomes: FloatArray) -> LossBuckets:
        """Return the masses between increasing outcomes."""
        base = normal_masses(outcomes / self._sigma)
        upper, log_ratio, log_ratio_error = self._summed(outcomes, self._first, base)
        lower = base
        if self._second is not None:
            lower, of_lower, lower_log_error = self._summed(outcomes, self._second, base)
            with np.errstate(invalid="ignore"):  # infinite on both sides: see ``better``
                log_ratio = log_ratio - of_lower
            log_ratio_error = log_ratio_error + lower_log_error
        # Far from 0, where the base has no mass, the plain quotient is the better one.
        plain, plain_error = log_quotients(upper.mass, upper.error, lower.mass, lower.error)
        better = ~(log_ratio_error <= plain_error)
        log_ratio = np.where(better, plain, log_ratio)
        log_ratio_error = np.where(better, plain_error, log_ratio_error)
        known = log_ratio_error < 0.1  # bounds to first order hold that far
        log_ratio_error = np.where(known, log_ratio_error, np.inf)
        of_tiny = partial(self._log_ratio_of_tiny, outcomes)
        return loss_buckets(upper, lower, log_ratio, log_ratio_error, of_tiny)

    def _log_ratio_of_tiny(
        self, outcomes: FloatArray, tiny: BoolArray
    ) -> tuple[FloatArray, FloatArray]:
        first, second, sigma = self._first, self._second, self._sigma
        left, right = outcomes[:-1][tiny], outcomes[1:][tiny]
        upper, upper_error = log_sums(first.means, first.weights, left, right, sigma)
        if second is None:
            lower, lower_error = log_masses(left / sigma, right / sigma)
        else:
            lower, lower_error = log_sums(second.means, second.weights, left, right, sigma)
        with np.errstate(invalid="ignore"):
            return upper - lower, upper_error + lower_error

    def _summed(
        self, outcomes: FloatArray, mixture: "_Mixture", base: Masses
    ) -> tuple[Masses, FloatArray, FloatArray]:
        """Return a mixture's masses, ln of their quotients to the base's, and that one's errors.

        Exact for small logarithms; not a number where the base has no mass.
        """
        mass, error, excess, excess_error = np.zeros((4, len(base.mass)))
        above, below, terms = 0.0, 0.0, len(mixture.means)
        for mean, weight in zip(mixture.means, mixture.weights, strict=True):
            one = base if mean == 0.0 else normal_masses((outcomes - mean) / self._sigma)
            mass += weight * one.mass
            # The weight is rounded, and so are the product and each sum so far.
            error += weight * (one.error + (4 + terms) * UNIT_ROUNDOFF * one.mass)
            above += weight * one.above
            below += weight * one.below
            if one is base:
                continue
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                ratio = one.mass / base.mass
                ratio_error = (one.error + ratio * base.error) / base.mass
                excess += weight * (ratio - 1.0)
                rounding = (8 + terms) * UNIT_ROUNDOFF * np.abs(ratio - 1.0)
                excess_error += weight * (ratio_error + rounding)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            value = np.log1p(excess)
            value_error = 1.5 * excess_error / (1.0 + excess) + 4 * UNIT_ROUNDOFF * np.abs(value)
        return Masses(mass=mass, error=error, above=above, below=below), value, value_error

    def _evaluated(self, outcomes: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return losses, bounds on their rounding errors, and slopes."""
        value, error, slope = self._log_ratio(outcomes, self._first)
        if self._second is None:
            return value, error, slope
        other, other_error, other_slope = self._log_ratio(outcomes, self._second)
        return value - other, error + other_error, slope - other_slope

    def _log_ratio(
        self, outcomes: FloatArray, mixture: "_Mixture"
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ln(mixture / N(0)) at outcomes, its rounding error and its slope; in pieces."""
        piece = max(_ELEMENTS_AT_ONCE // len(mixture.means), 1)
        parts = [
            mixture.log_ratio(outcomes[start : start + piece], self._sigma)
            for start in range(0, len(outcomes), piece)
        ]
        value, error, slope = (np.concatenate(column) for column in zip(*parts, strict=True))
        return value, error, slope


@dataclass(frozen=True, kw_only=True, eq=False)
class _Mixture:
    """Increasing means and their weights, all above 0."""

    means: FloatArray
    weights: FloatArray

    def log_ratio(self, x: FloatArray, sigma: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ln(mixture / N(0)), its rounding error and its slope."""
        means, weights = self.means[:, None], self.weights[:, None]
        t = means / sigma**2 * (x - means / 2)
        # Bounds what t may have lost.
        size = np.abs(means) / sigma**2 * (np.abs(x) + np.abs(means) / 2)
        exponents = t + np.log(weights)
        peak = exponents.max(axis=0)
        scaled = np.exp(exponents - peak)
        total = scaled.sum(axis=0)
        slope = (scaled * means).sum(axis=0) / (total * sigma**2)
        lost = (scaled * (size + np.abs(exponents))).sum(axis=0) / total
        large = peak + np.log(total)
        large_error = UNIT_ROUNDOFF * (_OPERATIONS * (lost + np.abs(large) + 1.0) + len(means))

        # For small losses: 1 + A without losing A's digits to the 1.
        growth = np.expm1(np.minimum(t, _LARGEST_EXPONENT))
        excess = (weights * growth).sum(axis=0)
        sums = 1.0 + len(means) / _OPERATIONS  # each term is added to those before
        off = (weights * (sums * np.abs(growth) + (growth + 1.0) * size)).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            small = np.log1p(excess)
            small_error = _OPERATIONS * UNIT_ROUNDOFF * (off / (1.0 + excess) + np.abs(small))
        use_small = (peak < _LARGE_EXPONENT) & (small_error < large_error)
        return (
            np.where(use_small, small, large),
            np.where(use_small, small_error, large_error),
            slope,
        )


def _on_one_side(pair: MixturePair, rounding: Rounding) -> _Mixture:
    """Return the first mixture with all weight listed: up to larger means, or down."""
    listed = dict(zip(pair.means, pair.weights, strict=True))
    up = rounding is Rounding.UP
    for weight, mean in (
        (pair.weight_below, pair.means[0] if up else 0.0),
        (pair.weight_between, pair.means[min(1, len(pair.means) - 1)] if up else pair.means[0]),
        (pair.weight_above, pair.largest_mean if up else pair.means[-1]),
    ):
        if weight > 0.0:
            listed[mean] = listed.get(mean, 0.0) + weight
    means = np.array(sorted(listed))
    return _Mixture(means=means, weights=np.array([listed[mean] for mean in means]))


def _second_of(pair: MixturePair, first: _Mixture) -> _Mixture | None:
    """Return the second mixture; ``None`` for N(0)."""
    if pair.other_weights:
        return _Mixture(means=first.means, weights=np.array(pair.other_weights))
    if pair.reflected:
        return _Mixture(means=-first.means[::-1], weights=first.weights[::-1])
    return None


def _infimum(pair: MixturePair, first: _Mixture) -> float:
    """Return the loss far below all means, where it is known to be a finite number."""
    if pair.other_weights:
        # Rounded down: no outcome may have a smaller loss.
        ratio = float(np.log(first.weights[0]) - np.log(pair.other_weights[0]))
        return ratio - 8.0 * UNIT_ROUNDOFF * (1.0 + abs(float(np.log(first.weights[0]))))
    has_centre = first.means[0] == 0.0
    return float(np.log(first.weights[0])) if has_centre and not pair.reflected else -np.inf
