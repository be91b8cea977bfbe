"""Series whose values say where they stand; windows of them read back, and arranged to count."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpviz.loaders.batch_sampler import LoaderError
from dpviz.sampling.scheme import FloatArray, IntArray, Scheme
from dpviz.scenario import DataShape, ScenarioError

Values = npt.NDArray[np.float64]
MOST_VALUES = 10**8
_SHOWN_CELLS = 12
# A power of two: exact in every format, and away from all numbers of values.
_SCALE = 2.0**40
_EVERY = 7
_FORM = "yield arrays of shape (windows, L_C + L_F), or pairs (contexts, forecasts)"


def _with_gaps(codes: Values) -> Values:
    changed = codes.copy()
    changed[_EVERY // 2 :: _EVERY] = np.nan
    return changed


# Changes of all values that must not change which windows are drawn, with a word for each.
CHANGES: Mapping[str, Callable[[Values], Values]] = {
    "negative": lambda codes: -codes,
    "large": lambda codes: codes * _SCALE,
    "small": lambda codes: codes / _SCALE,
    "missing in part": _with_gaps,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadBatch:
    """The windows of a batch, by what they hold.

    Args:
        series: of each window, shape (windows,).
        starts: its start position, likewise.
        problem: what is wrong with the first one that is none; empty where all are.
    """

    series: IntArray
    starts: IntArray
    problem: str = ""


class Canaries:
    """N series that hold the whole numbers from 1 on, one after the other.

    Args:
        shape: how many, and how long: lengths are taken in turn.

    Raises:
        ScenarioError: they would have more values than 10^8.
    """

    def __init__(self, shape: DataShape) -> None:
        self.shape = shape
        self.lengths = np.resize(np.array(shape.series_lengths, dtype=np.int64), shape.num_series)
        self._ends = np.cumsum(self.lengths)
        if self._ends[-1] > MOST_VALUES:
            raise ScenarioError(
                "num_series",
                shape.num_series,
                f"the audited series would have {self._ends[-1]:,} values, and {MOST_VALUES:,} are "
                "possible: audit fewer or shorter ones at the same rates",
            )
        self._firsts = self._ends - self.lengths
        self.start_positions = self.lengths - shape.forecast_length + 1

    def series(self, change: Callable[[Values], Values] | None = None) -> list[Values]:
        """Return the series, each of shape (L,), with all values changed if asked for."""
        codes = np.arange(1.0, self._ends[-1] + 1.0)
        return np.split(codes if change is None else change(codes), self._ends[:-1].tolist())

    def read(self, batch: Any) -> ReadBatch:
        """Return which windows a batch has.

        Args:
            batch: rows of L_C + L_F values, or a pair of contexts and forecasts.

        Raises:
            LoaderError: it is no table of numbers, or of too few digits to tell values by.
        """
        width = self.shape.window_length
        rows = self._rows(batch)
        if rows.shape[1:] != (width,):
            problem = f"windows have {rows.shape[1]} values instead of {width}"
            return ReadBatch(
                series=np.zeros(0, np.int64), starts=np.zeros(0, np.int64), problem=problem
            )
        codes = _codes_of(rows)
        columns = np.arange(width)
        last = codes - columns + width - 1
        known = codes > 0
        place = width - 1 - np.argmax(known[:, ::-1], axis=1)
        ends = last[np.arange(len(rows)), place].astype(np.int64)  # codes of last values
        ends[~known.any(axis=1)] = 1
        series = np.searchsorted(self._ends, ends - 1, side="right").clip(0, len(self._ends) - 1)
        starts = ends - 1 - self._firsts[series] - self.shape.forecast_length + 1
        expected = ends[:, None] - (width - 1) + columns
        expected = np.where(expected > self._firsts[series][:, None], expected, 0)
        as_expected = (codes == expected) | np.isnan(codes)
        right = as_expected.all(axis=1) & known.any(axis=1)
        right &= (ends <= self._ends[-1]) & (starts >= 0)
        problem = ""
        if not right.all():
            first = int(np.argmin(right))
            problem = f"a window holds {self._told(codes[first])}"
        return ReadBatch(series=series[right], starts=starts[right], problem=problem)

    def _rows(self, batch: Any) -> Values:
        try:
            parts = batch if isinstance(batch, tuple) or self._is_pair(batch) else (batch,)
            arrays = [np.asarray(part) for part in parts]
        except (TypeError, ValueError) as problem:
            raise LoaderError(f"a batch is no table of numbers ({problem})", _FORM) from None
        for array in arrays:
            if array.ndim < 2 or not np.issubdtype(array.dtype, np.number):
                found = f"a batch is of shape {array.shape} and type {array.dtype}"
                raise LoaderError(found, _FORM)
            digits = np.finfo(array.dtype).nmant + 1 if array.dtype.kind == "f" else 53
            if self._ends[-1] >= 2**digits:
                raise LoaderError(
                    f"{array.dtype} does not tell {self._ends[-1]:,} values apart",
                    "yield 64-bit numbers",
                )
        return np.concatenate(
            [
                array.reshape(len(array), int(np.prod(array.shape[1:]))).astype(np.float64)
                for array in arrays
            ],
            axis=1,
        )

    def _is_pair(self, batch: Any) -> bool:
        """Return whether a list is contexts and forecasts: PyTorch's loaders make it of a pair."""
        widths = [self.shape.context_length, self.shape.forecast_length]
        return (
            isinstance(batch, list)
            and len(batch) == 2
            and [int(np.prod(np.shape(part)[1:])) for part in batch] == widths
            and all(np.ndim(part) > 1 for part in batch)
        )

    def _told(self, codes: Values) -> str:
        """Return what a window holds, as series:position of its values."""
        cells = []
        for code in codes[:_SHOWN_CELLS]:
            if np.isnan(code):
                cells.append("missing")
            elif code == 0:
                cells.append("0")
            elif 1 <= code <= self._ends[-1] and code == int(code):
                series = int(np.searchsorted(self._ends, code - 1, side="right"))
                cells.append(f"{series}:{int(code) - 1 - self._firsts[series]}")
            else:
                cells.append(f"{code:g}")
        more = ", ..." if len(codes) > _SHOWN_CELLS else ""
        return f"[{', '.join(cells)}{more}] (series:position; 0 for padding)"


def _codes_of(rows: Values) -> Values:
    """Return values as they were before they were changed; missing ones stay so."""
    codes = np.abs(rows)
    finite = codes[np.isfinite(codes) & (codes > 0)]
    if finite.size:
        scale = 2.0 ** (40 * np.round(np.log2(np.median(finite)) / 40 - 0.3))
        codes = codes / scale
    return np.asarray(codes)


def same_windows(one: Sequence[ReadBatch], other: Sequence[ReadBatch]) -> bool:
    """Return whether two runs drew the same windows in the same order."""
    return len(one) == len(other) and all(
        np.array_equal(a.series, b.series) and np.array_equal(a.starts, b.starts)
        for a, b in zip(one, other, strict=True)
    )


class Drawn:
    """Batches of somebody's sampler.

    Where a statistic needs one window of several, it is any of them with equal probability.

    Args:
        scheme: what was accounted for.
        rng: source of randomness for the audit's own choices.
    """

    def __init__(
        self, scheme: Scheme, reads: Sequence[ReadBatch], rng: np.random.Generator
    ) -> None:
        self.scheme, self.reads, self.rng = scheme, reads, rng
        self.positions = scheme.start_positions
        self.sizes = np.array([len(read.series) for read in reads])
        self.series_sets = [np.unique(read.series) for read in reads]

    @cached_property
    def all_series(self) -> IntArray:
        """The series of all windows, shape (windows,)."""
        return np.concatenate([read.series for read in self.reads])

    @cached_property
    def all_starts(self) -> IntArray:
        """The start positions of all windows, shape (windows,)."""
        return np.concatenate([read.starts for read in self.reads])

    @cached_property
    def one_each(self) -> list[tuple[IntArray, IntArray]]:
        """For each batch its series, each once, and the start of one of its windows."""
        found = []
        for read in self.reads:
            mixed = self.rng.permutation(len(read.series))
            series, first = np.unique(read.series[mixed], return_index=True)
            found.append((series, read.starts[mixed][first]))
        return found

    def pairs_of_uses(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return T and both starts of disjoint pairs of a series' uses, one after the other."""
        series = np.concatenate([each for each, _ in self.one_each])
        starts = np.concatenate([start for _, start in self.one_each])
        order = np.argsort(series, kind="stable")  # batches stay in order
        series, starts = series[order], starts[order]
        uses = pd.Series(series).groupby(series)
        before, after = (uses.cumcount(ascending=way) for way in (True, False))
        at = np.flatnonzero((before % 2 == 0) & (after > 0))
        return self.positions[series[at]], starts[at], starts[at + 1]

    def pairs_within(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return T and both starts of disjoint pairs of windows of one series in one batch."""
        found = []
        for read in self.reads:
            mixed = self.rng.permutation(len(read.series))
            order = mixed[np.argsort(read.series[mixed], kind="stable")]
            series, starts = read.series[order], read.starts[order]
            whole = len(series) - len(series) % self.scheme.num_subsequences
            table = starts[:whole].reshape(-1, self.scheme.num_subsequences)
            owners = series[:whole].reshape(table.shape)
            for at in range(0, self.scheme.num_subsequences - 1, 2):
                found.append((owners[:, at], table[:, at], table[:, at + 1]))
        owners, first, second = (np.concatenate(part) for part in zip(*found, strict=True))
        return self.positions[owners], first, second

    def places_across(self) -> Iterator[FloatArray]:
        """Return differences of places of windows of two series in one batch, from 0 to 1.

        A place is (start + U) / T with U uniform, so a uniform start has a uniform place.
        """
        for series, starts in self.one_each:
            mixed = self.rng.permutation(len(series))
            spread = (starts + self.rng.random(len(starts))) / self.positions[series]
            pairs = spread[mixed][: len(mixed) // 2 * 2].reshape(-1, 2)
            yield (pairs[:, 1] - pairs[:, 0]) % 1.0
