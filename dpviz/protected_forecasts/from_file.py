"""Series of a file, as they can be protected and forecast."""

import numpy as np

from dpviz.protected_forecasts.data import SeriesToProtect, of_whole_series
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError
from dpviz.series_file.errors import counted, quoted
from dpviz.series_file.values import SeriesValues, read_series_values

MOST_SERIES, MOST_VALUES = 500, 1000


def series_from_file(content: bytes, name: str) -> SeriesToProtect:
    r"""Return the series of a file; the last value of each is what is to be forecast.

    Args:
        content: the whole file: its formats are those of
            :func:`dpviz.series_file.read_series_lengths`.
        name: its name, for the ending.

    Raises:
        SeriesFileError: the file cannot be read, or its series cannot be forecast.

    >>> rows = "".join(f"{at},{100 + at}\n" for at in range(40))
    >>> data = series_from_file(f"time,sales\n{rows}".encode(), "sales.csv")
    >>> data.names, len(data.known[0]), data.next_values.tolist()
    (('sales',), 39, [139.0])
    """
    return _to_protect(read_series_values(content, name))


def _to_protect(file: SeriesValues) -> SeriesToProtect:
    if len(file.names) > MOST_SERIES:
        raise SeriesFileError(
            f"The file holds {counted(len(file.names), 'series', 'series')}; at most "
            f"{MOST_SERIES:,} are protected here."
        )
    for name, values in zip(file.names, file.values, strict=True):
        if len(values) > MOST_VALUES:
            raise SeriesFileError(
                f"Series {quoted(name)} has {counted(len(values), 'value')}; at most "
                f"{MOST_VALUES:,} of a series are protected here."
            )
        if np.isnan(values).any():
            raise SeriesFileError(
                f"Series {quoted(name)} lacks a value: these forecasters need every one."
            )
    try:
        return of_whole_series("your file", dict(zip(file.names, file.values, strict=True)))
    except ScenarioError as problem:
        raise SeriesFileError(f"Series {quoted(problem.value)}: {problem.allowed}.") from None
