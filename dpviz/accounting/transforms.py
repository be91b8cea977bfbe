"""The Fourier transform of a sum of many independent parts, and how far off rounding puts it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray

ComplexArray = NDArray[np.complex128]
_LOG_NEGLIGIBLE = float(np.log(1e-140))


def transform_error(size: int) -> float:
    """Bound the error of a transform of that length, relative to the 2-norm.

    It is at most about 7 u log2(n) (Higham 2002, *Accuracy and Stability of Numerical Algorithms*,
    Thm 24.2, with accurate twiddle factors); 8 leaves room for other radices. By the same argument
    along each path from an input to an output, no coefficient errs by more than that times the
    1-norm.
    """
    return 8.0 * UNIT_ROUNDOFF * float(np.log2(size))


def power_of(spectrum: ComplexArray, count: int) -> ComplexArray:
    """Return ``spectrum ** count`` by repeated squaring, much cheaper than exp(count log).

    No coefficient is so small that one of the squares, none of a higher power, is subnormal, and
    slow.
    """
    power, square, left = np.ones_like(spectrum), spectrum.copy(), count
    while True:
        if left % 2:
            power *= square
        left //= 2
        if left == 0:
            return power
        square *= square


def two_norm(values: FloatArray) -> float:
    """Return the 2-norm.

    >>> two_norm(np.array([3.0, -4.0]))
    5.0
    """
    # Without BLAS: for vectors of this size its threads cost far more than they save.
    return float(np.sqrt(np.sum(values * values)))


class SummedTransform:
    """The transform of a sum of independent parts: the product of powers of theirs.

    Args:
        spectra: of one part of each kind, whose masses add up to 1, for the frequencies that are
            not negative.
        counts: how many parts there are of each kind.
        size: length of the transforms.

    Attributes:
        product: the sum's transform; 0 at frequencies where next to nothing is left.
    """

    def __init__(self, spectra: Sequence[ComplexArray], counts: Sequence[int], size: int) -> None:
        self._counts, self._size = counts, size
        self._magnitudes = [np.sqrt(one.real**2 + one.imag**2) for one in spectra]
        self._kept = kept = self._places()
        self.product = np.zeros_like(spectra[0])
        self.product[kept] = power_of(spectra[0][kept], counts[0])
        for spectrum, count in zip(spectra[1:], counts[1:], strict=True):
            self.product[kept] *= power_of(spectrum[kept], count)

    def _places(self) -> NDArray[np.intp]:
        """Return the frequencies whose coefficient counts: most of many units' vanish.

        No power that is left out is above 1e-140, far below any rounding error.
        """
        kept = np.ones(len(self._magnitudes[0]), dtype=bool)
        for count, magnitude in zip(self._counts, self._magnitudes, strict=True):
            kept &= magnitude > np.exp(_LOG_NEGLIGIBLE / count)
        places = np.flatnonzero(kept)
        if len(self._counts) == 1:
            return places
        # Nor products of powers so small that they are subnormal, and slow.
        logs = sum(
            count * np.log(magnitude[places])
            for count, magnitude in zip(self._counts, self._magnitudes, strict=True)
        )
        return places[logs > _LOG_NEGLIGIBLE]

    def error(self, masses: FloatArray) -> float:
        """Bound the 2-norm of the rounding error of the sum's masses, transformed back.

        * Each kind's coefficient z errs by e, so the product of the powers z^s by at most e times
          the sum of s / (|z| + e), times the product of (|z| + e)^s. A coefficient that is left
          out has 0 for it, and errs by that last product at most.
        * The powers themselves, by repeated squaring, err by at most about 2 sqrt(5) s units in
          the last place (sqrt(5) for each complex product, doubled by each squaring after it),
          and their product by as much for each factor.
        * The transform back errs as such.

        Args:
            masses: of the sum.
        """
        counts, kept = self._counts, self._kept
        transform = transform_error(self._size)
        padded = [one[kept] + transform for one in self._magnitudes]
        parts = sum(count / one for count, one in zip(counts, padded, strict=True))
        squares = float(np.sum((transform * parts * _product(padded, counts)) ** 2))
        if len(counts) == 1:
            # None of them is larger than this.
            largest = np.exp(_LOG_NEGLIGIBLE / counts[0]) + transform
            left_out = len(self._magnitudes[0]) - len(kept)
            rest = left_out * float(largest ** (2.0 * counts[0]))
        else:
            others = [np.delete(one, kept) + transform for one in self._magnitudes]
            rest = float(np.sum(_product(others, counts) ** 2))
        # The negative frequencies mirror the others, so each counts twice at most.
        spectral = float(np.sqrt(2.0 / self._size * (squares + rest)))
        powers = 8.0 * (sum(counts) + len(counts) - 1) * UNIT_ROUNDOFF
        return (spectral + (powers + transform) * two_norm(masses)) * 1.01


def _product(bases: Sequence[FloatArray], counts: Sequence[int]) -> FloatArray:
    """Return the product of the bases' powers."""
    logs = [count * np.log(base) for count, base in zip(counts, bases, strict=True)]
    return np.asarray(np.exp(sum(logs)))
