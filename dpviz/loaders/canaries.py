"""Series whose values say where they stand; windows of them read back, and arranged to count."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dpviz.loaders.batch_sampler import LoaderError
from dpviz.sampling.scheme import FloatArray, IntArray, Numbering, Scheme
from dpviz.scenario import DataShape, ScenarioError

Values = npt.NDArray[np.float64]
Pairs = tuple[pd.DataFrame, pd.DataFrame]
MOST_VALUES = 10**8
_SHOWN_CELLS = 12
# A power of two: exact in binary formats, and away from all numbers of values.
_SCALE = 2.0**40
_EVERY = 7
_FORM = "yield arrays of shape (windows, L_C + L_F), or pairs (contexts, forecasts)"

# Changes of all values that must not change which windows are drawn, with a word for each: the
# arguments of canaries.
CHANGES: Mapping[str, dict[str, Any]] = {
    "negative": {"factor": -1.0},
    "large": {"factor": _SCALE},
    "small": {"factor": 1.0 / _SCALE},
    "missing in part": {"has_gaps": True},
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
        factor: of all values.
        has_gaps: whether every seventh value is missing.

    Raises:
        ScenarioError: they would have more values than 10^8.
    """

    def __init__(self, shape: DataShape, factor: float = 1.0, *, has_gaps: bool = False) -> None:
        self.shape, self.factor, self.has_gaps = shape, factor, has_gaps
        lengths, many = shape.series_lengths, shape.num_series
        in_turn, left = divmod(many, len(lengths))
        self._total = in_turn * sum(lengths) + sum(lengths[:left])
        if self._total > MOST_VALUES:
            raise ScenarioError(
                "num_series",
                many,
                f"the audited series would have {self._total:,} values, and {MOST_VALUES:,} are "
                "possible: audit fewer or shorter ones at the same rates",
            )
        self.lengths = np.resize(np.array(lengths, dtype=np.int64), many)
        self._numbers = Numbering(self.lengths)

    def series(self) -> list[Values]:
        """Return the series, each of shape (L,)."""
        values = self.factor * np.arange(1.0, self._total + 1.0)
        if self.has_gaps:
            values[_EVERY // 2 :: _EVERY] = np.nan
        return np.split(values, np.cumsum(self.lengths)[:-1].tolist())

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
            problem, none = f"windows have {rows.shape[1]} values instead of {width}", np.arange(0)
            return ReadBatch(series=none, starts=none, problem=problem)
        codes = rows / self.factor
        from_the_end = np.arange(1 - width, 1)
        last = codes - from_the_end
        known = codes > 0
        place = width - 1 - np.argmax(known[:, ::-1], axis=1)
        ends = last[np.arange(len(rows)), place].astype(np.int64)  # codes of last values
        ends[~known.any(axis=1)] = 1
        series, ends_in_series = self._numbers.places(np.clip(ends, 1, self._total) - 1)
        starts = ends_in_series - self.shape.forecast_length + 1
        is_padding = ends_in_series[:, None] + from_the_end < 0
        expected = np.where(is_padding, 0, ends[:, None] + from_the_end)
        as_expected = (codes == expected) | np.isnan(codes)
        right = as_expected.all(axis=1) & known.any(axis=1)
        right &= (ends <= self._total) & (starts >= 0)
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
            limits = np.finfo(array.dtype) if array.dtype.kind == "f" else None
            if (  # all values, changed or not, stay apart in this type
                limits is None
                or self._total >= 2 ** (limits.nmant + 1)
                or self._total * _SCALE > float(limits.max)
            ):
                raise LoaderError(
                    f"{array.dtype} does not tell {self._total:,} values apart, or not those that "
                    "are 2^40 times as small or large",
                    "yield 64-bit floating-point numbers",
                )
        flat = [array.reshape(len(array), int(np.prod(array.shape[1:]))) for array in arrays]
        return np.concatenate(flat, axis=1, dtype=np.float64)

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
            elif 1 <= code <= self._total and code == int(code):
                (series,), (at,) = self._numbers.places(np.array([int(code) - 1]))
                cells.append(f"{series}:{at}")
            else:
                cells.append(f"{code:g}")
        more = ", ..." if len(codes) > _SHOWN_CELLS else ""
        return f"[{', '.join(cells)}{more}] (series:position; 0 for padding)"


def windows_of(reads: Sequence[ReadBatch]) -> pd.DataFrame:
    """Return ``batch``, ``series`` and ``start`` of each window, in the order of drawing."""
    return pd.DataFrame(
        {
            "batch": np.repeat(np.arange(len(reads)), [len(read.series) for read in reads]),
            "series": np.concatenate([read.series for read in reads]),
            "start": np.concatenate([read.starts for read in reads]),
        }
    )


class Drawn:
    """Batches of somebody's sampler, with one row for each window.

    Where a statistic needs one window of several, it is any of them with equal probability.

    Args:
        rng: source of randomness for the audit's own choices.

    Attributes:
        uses: ``batch`` and ``series``, each pair once, in increasing order.
    """

    def __init__(
        self, scheme: Scheme, reads: Sequence[ReadBatch], rng: np.random.Generator
    ) -> None:
        self.scenario, self.batches, self.rng = scheme.scenario, len(reads), rng
        self.positions = scheme.start_positions
        self.windows = windows_of(reads)
        pairs = self.windows[["batch", "series"]].drop_duplicates()
        self.uses = pairs.sort_values(["batch", "series"], ignore_index=True)

    def sizes(self, rows: pd.DataFrame) -> IntArray:
        """Return how many of some rows are of each batch, shape (batches,)."""
        return np.bincount(rows["batch"], minlength=self.batches)

    def _mixed(self) -> pd.DataFrame:
        """Return all windows by batch and series, those of one series in a new, uniform order."""
        order = [begin + self.rng.permutation(size) for begin, size in self._spans(self.windows)]
        mixed = self.windows.iloc[np.concatenate(order)]
        return mixed.sort_values(["batch", "series"], kind="stable")

    def _spans(self, rows: pd.DataFrame) -> Iterator[tuple[int, int]]:
        """Yield where each batch begins in rows by batch, and how many it has there."""
        sizes = self.sizes(rows)
        yield from zip((np.cumsum(sizes) - sizes).tolist(), sizes.tolist(), strict=True)

    @cached_property
    def one_each(self) -> pd.DataFrame:
        """For each of the uses one of its windows."""
        return self._mixed().drop_duplicates(["batch", "series"])

    def pairs_of_uses(self) -> Pairs:
        """Return disjoint pairs of a series' uses, one after the other."""
        return _neighbours(self.one_each.sort_values("series", kind="stable"), ["series"])

    def pairs_within(self) -> Pairs:
        """Return disjoint pairs of windows of one series in one batch."""
        return _neighbours(self._mixed(), ["batch", "series"])

    def places_across(self) -> FloatArray:
        """Return differences of places of windows of two series in one batch, from 0 to 1.

        A place is (start + U) / T with U uniform, so a uniform start has a uniform place.
        """
        order, uniform = [], []
        for begin, size in self._spans(self.one_each):
            order.append(begin + self.rng.permutation(size))
            uniform.append(self.rng.random(size))
        T = self.positions[self.one_each["series"]]
        places = (self.one_each["start"] + np.concatenate(uniform)) / T
        placed = self.one_each.assign(place=places).iloc[np.concatenate(order)]
        first, second = _neighbours(placed, ["batch"])
        return np.asarray((second["place"].to_numpy() - first["place"].to_numpy()) % 1.0)


def _neighbours(rows: pd.DataFrame, alike: list[str]) -> Pairs:
    """Return disjoint pairs of rows, one after the other, that are alike in some columns."""
    groups = rows.groupby(alike)
    before, after = (groups.cumcount(ascending=way) for way in (True, False))
    at = np.flatnonzero((before % 2 == 0) & (after > 0))
    return rows.iloc[at], rows.iloc[at + 1]
