"""Files with one series a row: tables of that layout, and Monash's ``.tsf``."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import numpy as np

from dpviz.scenario import ScenarioError, TimeStep
from dpviz.series_file.errors import SeriesFileError, quoted
from dpviz.series_file.layout import Roles
from dpviz.series_file.stamps import order_by_time, readings
from dpviz.series_file.table import (
    MOST_ROWS,
    Block,
    Cells,
    FloatArray,
    SeriesRow,
    Table,
    check_series,
    read_numbers,
)
from dpviz.series_file.text_file import TextFile, whole_lines

_STEP = re.compile(r"(?:([0-9]{1,9})_)?(second|minute|hour|day|week|month|quarter|year)s?")
_STEPS = {
    "minutely": "minute", "half_hourly": "30_minutes", "hourly": "hour", "daily": "day",
    "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year",
}  # fmt: skip
# A comment ends where its line does: else a row of many # could be cut in very many ways.
_PIECE = 2**20
_BEGINNING = re.compile(
    rb"(\xef\xbb\xbf)?\s*(#[^\r\n]*[\r\n]\s*)*@(relation|attribute|frequency)\b", re.IGNORECASE
)


def between(values: FloatArray) -> FloatArray:
    """Return a series from its first to its last value; none where all are missing."""
    present = np.flatnonzero(~np.isnan(values))
    return values[present[0] : present[-1] + 1] if len(present) else values[:0]


def series_rows(table: Table, roles: Roles, *, exact: bool = False) -> Iterator[SeriesRow]:
    """Yield the series of a file that has one a row; rows without a value are left out."""
    names: set[str] = set()
    for row in table.ragged() if table.ragged else _rows_of(table, roles, exact):
        values = between(row.values)
        if not len(values):
            continue
        name = row.name.strip() or f"series {len(names) + 1}"
        if name in names:
            raise SeriesFileError(
                f"{table.place} {row.line}: the series {quoted(name)} comes a second time; give "
                "each row a name of its own, or none."
            )
        names.add(name)
        check_series(len(names))
        yield SeriesRow(row.line, name, values)


def _rows_of(table: Table, roles: Roles, exact: bool) -> Iterator[SeriesRow]:
    series = () if roles.series is None else (roles.series,)
    columns = _in_time(table, roles.values)
    for block in table.blocks(series, columns):
        values = table.numbers(block, columns, exact=exact).numbers
        names = block.texts(series)[:, 0] if series else [""] * len(values)
        for line, name, row in zip(block.lines.tolist(), names, values, strict=True):
            yield SeriesRow(line, name, row)


def _in_time(table: Table, columns: tuple[int, ...]) -> tuple[int, ...]:
    """Return columns in the order of the dates that they are called by; else as they come."""
    titles = [table.header[column].strip() for column in columns]
    if not readings(titles, as_years=True):
        return columns
    place = np.arange(len(columns))
    order = order_by_time(place, np.zeros_like(place), titles, as_years=True)
    return tuple(columns[at] for at in order.tolist())


def is_tsf(beginning: bytes) -> bool:
    r"""Return whether a text begins as Monash's files do.

    >>> is_tsf(b"# Daily sales\n@relation sales\n"), is_tsf(b"id,time\n")
    (True, False)
    """
    return _BEGINNING.match(beginning) is not None


def tsf_table(file: TextFile) -> Table:
    """Return one of Monash's files (https://forecastingdata.org) as a table of series."""
    attributes: list[str] = []
    step = None
    for line, text in enumerate(whole_lines(file.lines()), start=1):
        word, *rest = text.lower().split() or [""]
        if word == "@attribute":
            attributes.append(rest[0] if rest else "")
        elif word == "@frequency":
            step, told = None, " ".join(rest)
            with suppress(ScenarioError):
                if match := _STEP.fullmatch(_STEPS.get(told, told)):
                    step = TimeStep(int(match[1] or 1), match[2])
        elif word == "@data":
            return Table(
                header=("series", "values"),
                sample=Cells(np.zeros(0, dtype=np.int64), np.zeros((0, 2), dtype=object)),
                blocks=_no_blocks,
                place="Line",
                notes=file.notes,
                ragged=partial(_lines, file, line, attributes),
                time_step=step,
            )
    raise SeriesFileError('The file has no line "@data", after which the series would stand.')


def _lines(file: TextFile, skipped: int, attributes: list[str]) -> Iterator[SeriesRow]:
    name_at = attributes.index("series_name") if "series_name" in attributes else 0
    for line, text in enumerate(whole_lines(file.lines()), start=1):
        if line <= skipped or not text.strip() or text.startswith("#"):
            continue
        parts = text.strip().split(":", len(attributes))
        if len(parts) <= len(attributes):
            raise SeriesFileError(
                f"Line {line} has {len(parts) - 1} of the {len(attributes)} attributes that the "
                "header names: each ends with a colon, and values set off by commas follow."
            )
        values = np.concatenate([*_values(parts[-1], line)])
        yield SeriesRow(line, parts[name_at] if attributes else "", values)


def _values(text: str, line: int) -> Iterator[FloatArray]:
    """Yield the values of a line piece by piece: all as texts could take gigabytes."""
    if text.count(",") >= MOST_ROWS:
        raise SeriesFileError(f"Line {line} has more than {MOST_ROWS:,} values.")
    start = 0
    while start <= len(text):
        end = text.find(",", start + _PIECE)
        end = len(text) if end < 0 else end
        cells = text[start:end].split(",")
        read = read_numbers(np.array(cells, dtype=object))
        values = np.where(read.unreadable | read.unsure, np.inf, read.numbers)
        if np.isinf(values).any():
            wrong = quoted(cells[int(np.argmax(np.isinf(values)))])
            raise SeriesFileError(f"Line {line}: {wrong} is no finite number.")
        yield values
        start = end + 1


def _no_blocks(*_: object) -> Iterator[Block]:
    raise SeriesFileError("The file has one series a line: save it as a table with columns.")
