"""The circular Gaussian filter of Koga et al., and what its bound needs to know of it."""

import decimal
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

WEIGHT_BITS = 40
"""Weights are whole multiples of 2^-40, so that they sum to 1 exactly."""


@dataclass(frozen=True)
class CircularFilter:
    """Means over neighbouring steps, weighted by a bell; the series' end is next to its begin.

    Weights are rounded down to multiples of 2^-40; what that leaves goes to the step itself.

    Args:
        length: T, number of steps.
        width: sigma_g, the bell's standard deviation in steps; 0 for no filter.

    >>> filter = CircularFilter(10_000, 10.0)
    >>> round(filter.stable_rank), round(filter.largest_row, 4)
    (282, 0.0282)
    """

    length: int
    width: float

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """The first column of its matrix, of shape (length,); non-negative, of sum 1."""
        return np.asarray(self.whole_weights / 2.0**WEIGHT_BITS)

    @cached_property
    def whole_weights(self) -> NDArray[np.int64]:
        """The weights times 2^40, of shape (length,); their sum is 2^40."""
        step = np.arange(self.length)
        distance = np.minimum(step, self.length - step)
        if self.width == 0.0:
            bell = (distance == 0).astype(np.float64)
        else:
            bell = np.exp(-0.5 * (distance / self.width) ** 2)
        weights: NDArray[np.int64] = np.floor(bell / bell.sum() * 2.0**WEIGHT_BITS).astype(np.int64)
        weights[0] += 2**WEIGHT_BITS - int(weights.sum())
        return weights

    @property
    def largest_row(self) -> float:
        """The squared L2 norm of each row: L_r of Theorem 4."""
        return float(self.weights @ self.weights)

    @property
    def stable_rank(self) -> float:
        """The squared Frobenius norm; the spectral norm is 1, as rows sum to 1."""
        return self.length * self.largest_row

    def filtered(self, series: ArrayLike) -> NDArray[np.float64]:
        """Return the filtered series, of shape (length,)."""
        values = np.asarray(series, dtype=np.float64)
        if self.width == 0.0:
            return values.copy()
        product = np.fft.rfft(self.weights) * np.fft.rfft(values)
        return np.asarray(np.fft.irfft(product, self.length))

    def filtered_multiples(self, series: list[int]) -> list[int]:
        """Return the filtered series of whole numbers of any size times 2^40, exactly."""
        # A long number whose groups of digits are the values, times one whose groups are the
        # weights: the product's groups are the sums. No group overflows, as weights sum to 2^40.
        least = min(series)
        digits = len(str(max(1, max(series) - least) << WEIGHT_BITS))
        values = _long_number((value - least for value in series), digits)
        weights = _long_number(self.whole_weights.tolist(), digits)
        length = self.length
        exact = decimal.Context(
            prec=2 * length * digits,
            Emax=decimal.MAX_EMAX,
            traps=[decimal.Inexact, decimal.InvalidOperation, decimal.Overflow],
        )
        product = format(exact.multiply(values, weights), "f").zfill(2 * length * digits)
        starts = range(0, 2 * length * digits, digits)
        sums = [int(product[at : at + digits]) for at in reversed(starts)]
        # What lies beyond the series' end comes again at its begin.
        both = zip(sums[:length], sums[length:], strict=True)
        return [one + other + (least << WEIGHT_BITS) for one, other in both]


def _long_number(values: Iterable[int], digits: int) -> decimal.Decimal:
    """Return the sum of value_i times 10^(i digits)."""
    groups = [f"{value:0{digits}d}" for value in values]
    return decimal.Decimal("".join(reversed(groups)))
