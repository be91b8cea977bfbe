"""A series that is the sum of all others: whoever is in one of them is in it, too."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.series_file.errors import quoted
from dpviz.series_file.table import FloatArray

_FEWEST_SERIES, _FEWEST_TIMES = 3, 8
# Values may be rounded, and some be missing: the share that need not fit.
_TOLERANCE = 0.01


class Sums:
    """What tells such a series, gathered while values are read, NaN where missing.

    Values are taken to be amounts, none below 0: the sum of all others is the largest at its time.
    """

    def __init__(self) -> None:
        self._of_series = self._of_all = self._largest = np.zeros(0)
        self._alone: list[float] = []
        self._times, self._size, self._misfit = 0, 0.0, 0.0

    def add_rows(
        self, series: NDArray[np.int64], stamps: NDArray[np.int64], values: FloatArray
    ) -> None:
        """Take in values by the numbers of their series and times."""
        amounts = np.nan_to_num(values)
        self._of_series = added_up(self._of_series, series, amounts)
        self._of_all = added_up(self._of_all, stamps, amounts)
        self._largest = _padded(self._largest, len(self._of_all))
        np.maximum.at(self._largest, stamps, amounts)

    @np.errstate(all="ignore")
    def add_columns(self, values: FloatArray, present: NDArray[np.bool_]) -> None:
        """Take in some times, shape (times, series), and where there are values."""
        of_series = values.sum(axis=0, where=present)
        self._of_series = _padded(self._of_series, len(of_series)) + of_series
        largest = values.max(axis=1, where=present, initial=0.0)
        self._note(values.sum(axis=1, where=present), largest)

    @np.errstate(all="ignore")
    def add_series(self, values: FloatArray) -> None:
        """Take in one whole series; all begin at the same time, or none is told."""
        amounts, count = np.nan_to_num(values), len(values)
        self._alone.append(float(amounts.sum()))
        self._of_all = _padded(self._of_all, count)
        self._of_all[:count] += amounts
        self._largest = _padded(self._largest, count)
        np.maximum(self._largest[:count], amounts, out=self._largest[:count])

    def _note(self, of_all: FloatArray, largest: FloatArray) -> None:
        self._times += int(np.count_nonzero(largest))
        self._size += float(largest.sum())
        self._misfit += float(np.abs(2.0 * largest - of_all).sum())

    @np.errstate(all="ignore")
    def notes(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return what such a series means for who is protected; none where there is none."""
        self._note(self._of_all, self._largest)
        of_series = np.concatenate([self._of_series, self._alone])
        if len(of_series) < _FEWEST_SERIES or self._times < _FEWEST_TIMES:
            return ()
        at = int(of_series.argmax())
        most = _TOLERANCE * self._size
        # Sums that overflow tell nothing: no comparison with them is true.
        if not (self._misfit <= most and abs(of_series[at] - self._size) <= most):
            return ()
        return (
            f"Series {quoted(names[at])} is the sum of all others, within {_TOLERANCE:.0%}: who is "
            "in one of them is in it, too, and no bound for one series (m = 1) covers anybody. "
            "Leave it out, or count it in m, the series per person: 2 for who is in one other.",
        )


def added_up(
    sums: NDArray[Any], codes: NDArray[np.int64], weights: FloatArray | None = None
) -> NDArray[Any]:
    """Return how often each code came, or what its weights add up to, with what came before."""
    more = np.bincount(codes, weights, minlength=len(sums))
    more[: len(sums)] += sums
    return more


def _padded(values: FloatArray, size: int) -> FloatArray:
    return values if len(values) >= size else np.pad(values, (0, size - len(values)))
