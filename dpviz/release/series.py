"""Series of counts: made up, and out of a file."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario.release_settings import LONGEST_SERIES
from dpviz.series_file.columns import INDEX_NAMES, TIME_NAMES, VALUE_NAMES, Column, columns_of
from dpviz.series_file.errors import SeriesFileError, listed, quoted
from dpviz.series_file.layout import named_series, time_columns
from dpviz.series_file.read import table_in
from dpviz.series_file.stamps import no_time_in
from dpviz.series_file.table import Block, DistinctTexts, Table, is_blank

SYNTH_LENGTH = 10_000
_SYNTH_HEIGHT, _SYNTH_RATE, _SYNTH_BASE, _SYNTH_GROWTH = 200.0, 0.01, 500.0, 0.1
STEPS_PER_DAY = 288  # of five minutes
_DAYS_PER_WEEK, _WORK_DAYS = 7, 5
_BUSY, _QUIET, _WEEKEND = 75.0, 8.0, 0.7
_PEAKS = ((8.0, 2.0), (17.0, 2.8))  # hour and half width in hours
_LANE_STREAM = 1
LARGEST_COUNT = 10**12
_NO_TOTALS = (
    "mend it, or leave the row out if it is of totals, in which one individual counts more often"
)
_WHOLE = re.compile(r"\d{1,13}(\.0*)?", re.ASCII)


@dataclass(frozen=True)
class TruthAndSeries:
    """What a release is scored against, and what is released, of shape (length,), in counts.

    The mechanisms see the observed series alone, which may have noise of its own.
    """

    truth: NDArray[np.float64]
    series: NDArray[np.float64]


def synthetic(frequency: float, observation_noise: float, seed: int) -> TruthAndSeries:
    """Return the paper's Synth: a sine and a slope, x_t = 200 sin(0.01 t) + 500 + 0.1 t.

    Args:
        frequency: f, samples per unit of time; there are 10,000 f of them.
        observation_noise: standard deviation of what is observed around the truth.
    """
    at = np.arange(round(SYNTH_LENGTH * frequency)) / frequency
    truth = _SYNTH_HEIGHT * np.sin(_SYNTH_RATE * at) + _SYNTH_BASE + _SYNTH_GROWTH * at
    noise = np.random.default_rng(seed).standard_normal(len(at))
    return TruthAndSeries(truth, truth + observation_noise * noise)


def synthetic_rate(frequency: float) -> float:
    """Return the share of steps that the paper keeps of its Synth: 0.1 (1 - log2(f) / 4).

    >>> synthetic_rate(1.0), synthetic_rate(1 / 32)
    (0.1, 0.225)
    """
    return 0.1 * (1.0 - float(np.log2(frequency)) / 4.0)


def synthetic_filter_width(frequency: float) -> float:
    """Return the width of the paper's filter for its Synth: 10 / (1 - log2(f) / 4), in steps.

    The print has a logarithm without a base there; with that of 2, as for the rate.
    """
    return 10.0 / (1.0 - float(np.log2(frequency)) / 4.0)


def lane_like(days: int, seed: int) -> TruthAndSeries:
    """Return generated counts of vehicles in five minutes on one lane, from a Monday on.

    Whole numbers by Poisson's law, 288 a day.

    >>> lane_like(2, 1).series[:4]
    array([5., 7., 1., 7.])
    """
    step = np.arange(days * STEPS_PER_DAY)
    hour = 24.0 * (step % STEPS_PER_DAY) / STEPS_PER_DAY
    day = step // STEPS_PER_DAY % _DAYS_PER_WEEK
    bells = [np.exp(-0.5 * ((hour - at) / width) ** 2) for at, width in _PEAKS]
    height = np.where(day < _WORK_DAYS, 1.0, _WEEKEND)
    mean = _QUIET + _BUSY * height * np.sum(bells, axis=0)
    arrivals = np.random.default_rng([_LANE_STREAM, seed]).poisson(mean).astype(np.float64)
    return TruthAndSeries(arrivals, arrivals)


def counts_in_file(content: bytes | Path, name: str) -> NDArray[np.float64]:
    r"""Return the series of counts in a table: CSV or Parquet, also compressed.

    The table has one column of counts, whole numbers, none missing, one a row; others may tell the
    time or number the rows. A row whose time is none, such as one of totals, is refused: one
    individual would be counted in it as often as in all others. The answer has the shape (length,).

    Raises:
        SeriesFileError: the file cannot be read so; the message says what, where and why.

    >>> counts_in_file(b"time,count\n2024-01-01,3\n2024-01-02,5\n", "road.csv").tolist()
    [3.0, 5.0]
    """
    table = table_in(content, name)
    columns = columns_of(table.header, table.sample)
    column = _count_column(columns)
    others = [one for one in columns if one.position != column]
    times = time_columns(others)
    owner = named_series(others, times)
    read, names, stamps = [], DistinctTexts(missing=is_blank), DistinctTexts(missing=is_blank)
    places = tuple(one.position for one in times)
    for block in table.blocks((column, *places, *(() if owner is None else (owner.position,))), ()):
        read.append(_counts(table, block, column))
        if owner is not None:
            names.codes(block.coded(owner.position))
        if times and (lacking := stamps.codes(block.times(places)) < 0).any():
            line = f"{table.place} {block.lines[int(np.argmax(lacking))]}"
            told = f"{line}, {table.label(places[0])}: the time is missing: {_NO_TOTALS}."
            raise SeriesFileError(told)
    counts = np.concatenate(read)
    if owner is not None and 1 < len(names) < len(counts):
        raise SeriesFileError(
            f"Column {quoted(owner.name)} names {len(names):,} series, and a release is of one: "
            "keep the rows of one."
        )
    if len(counts) > LONGEST_SERIES:
        raise SeriesFileError(
            f"The series has more than {LONGEST_SERIES:,} steps, the most that are read."
        )
    # A date in digits and a time of day together are no number.
    wrong = no_time_in(stamps.texts, "time" if len(times) > 1 else "".join(c.kind for c in times))
    if wrong not in (None, *stamps.texts[:1]):  # where the first is none, nothing is known of them
        label = table.label(places[0])
        raise SeriesFileError(f"{label}: {quoted(wrong)} is no time as others are: {_NO_TOTALS}.")
    return counts


def _count_column(columns: tuple[Column, ...]) -> int:
    """Return which column has the counts."""
    if len(columns) == 1:
        return 0
    numbers = [
        column
        for column in columns
        if column.kind == "number" and column.key not in (*TIME_NAMES, *INDEX_NAMES)
    ]
    usual = [column for column in numbers if column.key in VALUE_NAMES]
    for found in (usual, numbers):
        if len(found) == 1:
            return found[0].position
    if not numbers:
        raise SeriesFileError("The table has no column of numbers that could be the counts.")
    raise SeriesFileError(
        f"The table has {len(numbers):,} columns of numbers, "
        f"{listed([column.name for column in numbers])}: keep one column of counts, or name it "
        "count."
    )


def _counts(table: Table, block: Block, column: int) -> NDArray[np.float64]:
    texts = [str(text).strip() for text in block.texts((column,))[:, 0]]
    for row, text in enumerate(texts):
        if not _WHOLE.fullmatch(text) or float(text) > LARGEST_COUNT:
            raise SeriesFileError(
                f"{table.place} {block.lines[row]}, {table.label(column)}: {quoted(text)} is not "
                f"allowed: a count must be a whole number from 0 to {LARGEST_COUNT:,}."
            )
    return np.array(texts, dtype=np.float64)
