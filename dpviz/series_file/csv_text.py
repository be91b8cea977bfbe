"""Records of a text file with separators, and the lines they stand on."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.series_file.encoding import open_text
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.table import check_width

if TYPE_CHECKING:
    import _csv  # where typeshed names the type of csv.reader's result

_LONG_LINE = 10**6
_LINE_BREAK = re.compile("\r\n|\r|\n")


@dataclass(frozen=True)
class TextFile:
    """A text file, and how to split it into cells."""

    content: bytes
    encoding: str
    separator: str


@dataclass(frozen=True)
class Records:
    """Consecutive records of a text file.

    Args:
        lines: the line on which each record begins.
        widths: the number of cells of each record, 0 for a blank line.
        cells: the cells of all records, one after the other.
    """

    lines: NDArray[np.int64]
    widths: NDArray[np.int64]
    cells: list[str]


def records(file: TextFile, size: int) -> Iterator[Records]:
    """Yield all records, ``size`` at a time.

    Raises:
        SeriesFileError: quotation marks do not match, or a cell is too long; with the line.
    """
    reader = _reader(file)
    line = 1
    while True:
        # One long list of cells, as Python's garbage collection would slow down a list for
        # each record fivefold.
        cells: list[str] = []
        widths: list[int] = []
        try:
            for record in islice(reader, size):
                cells += record
                widths.append(len(record))
        except csv.Error:
            raise _fault(file) from None
        if not widths:
            return
        num_cells = np.array(widths, dtype=np.int64)
        heights = np.ones(len(widths), dtype=np.int64)
        if reader.line_num + 1 - line > len(widths):
            heights += _breaks_inside(cells, num_cells)
        yield Records(line + np.cumsum(heights) - heights, num_cells, cells)
        line = reader.line_num + 1


def _breaks_inside(cells: list[str], widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of line breaks in the quoted cells of each record."""
    in_cell = [
        len(_LINE_BREAK.findall(cell)) if "\n" in cell or "\r" in cell else 0 for cell in cells
    ]
    until = np.concatenate([[0], np.cumsum(in_cell, dtype=np.int64)])
    ends = np.cumsum(widths)
    inside: NDArray[np.int64] = until[ends] - until[ends - widths]
    return inside


def _reader(file: TextFile) -> "_csv.Reader":
    lines: Iterator[str] = open_text(file.content, file.encoding)
    if _may_have_long_line(file.content):
        lines = _checked(lines, file.separator)
    return csv.reader(lines, delimiter=file.separator, strict=True)


def _may_have_long_line(content: bytes) -> bool:
    # A longer line covers at least one of these pieces whole.
    step = _LONG_LINE // 2
    pieces = (content[start : start + step] for start in range(0, len(content), step))
    return any(b"\n" not in piece and b"\r" not in piece for piece in pieces)


def _checked(lines: Iterator[str], separator: str) -> Iterator[str]:
    # One line of 25 MB would become millions of cells before they could be counted.
    for line in lines:
        if len(line) > _LONG_LINE:
            check_width(line.count(separator))
        yield line


def _fault(file: TextFile) -> SeriesFileError:
    """Return what is wrong with the first record that cannot be split into cells."""
    reader = _reader(file)
    line = 1
    try:
        for _ in reader:
            line = reader.line_num + 1
    except csv.Error as error:
        return SeriesFileError(f"Line {line} cannot be read: {_reason(str(error))}.")
    raise AssertionError("the file was read without a fault")  # pragma: no cover


def _reason(error: str) -> str:
    if "field larger" in error:
        return f"a cell is longer than {csv.field_size_limit():,} characters"
    if "unexpected end" in error:
        return "a quotation mark opens a cell and is never closed"
    return "a quotation mark inside a cell is not doubled, or one is missing"
