"""Refusing time stamps that come twice."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.series_file.errors import SeriesFileError, quoted
from dpviz.series_file.table import Table


class RepeatedTimeError(SeriesFileError):
    """The same series has the same time stamp twice."""


def check_times_once(
    table: Table, lines: NDArray[np.int64], stamps: NDArray[np.int64], texts: list[str]
) -> None:
    """Refuse a second row with the same time stamp.

    Args:
        table: what the rows are of.
        lines: where each row stands.
        stamps: which time stamp each row has.
        texts: the distinct time stamps.

    Raises:
        RepeatedTimeError: with both lines and the stamp.
    """
    repeat = _first_repeat(stamps)
    if repeat is not None:
        later, earlier = repeat
        raise RepeatedTimeError(
            f"{table.place} {lines[later]}: the time stamp {quoted(texts[stamps[later]])} appears "
            f"a second time, after {table.place.lower()} {lines[earlier]}; if the rows belong to "
            "several series, name the column that tells them apart series_id."
        )


def check_times_once_a_series(
    table: Table,
    lines: NDArray[np.int64],
    stamps: NDArray[np.int64],
    texts: list[str],
    series: NDArray[np.int64],
    names: list[str],
) -> None:
    """Refuse a second row with the same series and time stamp.

    Args:
        table: what the rows are of.
        lines: where each row stands.
        stamps: which time stamp each row has.
        texts: the distinct time stamps.
        series: which series each row belongs to.
        names: the names of the series.

    Raises:
        RepeatedTimeError: with both lines, the series and the stamp.
    """
    repeat = _first_repeat(series * len(texts) + stamps)
    if repeat is not None:
        later, earlier = repeat
        raise RepeatedTimeError(
            f"{table.place} {lines[later]}: the series {quoted(names[series[later]])} has the time "
            f"stamp {quoted(texts[stamps[later]])} a second time, after {table.place.lower()} "
            f"{lines[earlier]}; if several columns together name a series, join them into one "
            "named series_id."
        )


def _first_repeat(keys: NDArray[np.int64]) -> tuple[int, int] | None:
    """Return the first row whose key came before, and the row where it first came."""
    repeated = pd.Series(keys).duplicated().to_numpy()
    if not repeated.any():
        return None
    later = int(np.argmax(repeated))
    return later, int(np.argmax(keys == keys[later]))
