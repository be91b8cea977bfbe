"""The circular Gaussian filter of Koga et al., and what its bound needs to know of it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class CircularFilter:
    """Means over neighbouring steps, weighted by a bell; the series' end is next to its begin.

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
        step = np.arange(self.length)
        distance = np.minimum(step, self.length - step)
        if self.width == 0.0:
            identity: NDArray[np.float64] = (distance == 0).astype(np.float64)
            return identity
        bell = np.exp(-0.5 * (distance / self.width) ** 2)
        weights: NDArray[np.float64] = bell / bell.sum()
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
        means: NDArray[np.float64] = np.fft.irfft(product, self.length)
        return means
