"""A text file with separators as a table: its records, its header."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario.number_text import counted
from dpviz.series_file.arrow_block import quick_parser
from dpviz.series_file.columns import Column, columns_of, is_usual_name
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.table import (
    Block,
    Cells,
    Table,
    check_header,
    check_height,
    check_width,
    rows_per_block,
    sample_rows,
)
from dpviz.series_file.text_file import Piece, TextFile, pieces, whole_lines

if TYPE_CHECKING:
    import _csv  # where typeshed names the type of csv.reader's result

_LONG_LINE = 10**6
_LINE_BREAK = re.compile("\r\n|\r|\n")
# In order of preference where two of them fit equally: a table with tabs or semicolons often
# holds decimal commas.
SEPARATORS = {"\t": "tab", ";": "semicolon", "|": "pipe", ",": "comma"}
_NO_SEPARATOR = "\x1f"  # a control character, so in no text: the file is one column
_SNIFFED_CHARACTERS = 2**20
_SNIFFED_RECORDS = 100


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


def records(piece: Piece, separator: str, size: int) -> Iterator[Records]:
    """Yield all records, ``size`` at a time."""
    reader = _reader(piece, separator)
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
            raise _fault(piece, separator) from None
        if not widths:
            return
        num_cells = np.array(widths, dtype=np.int64)
        heights = np.ones(len(widths), dtype=np.int64)
        if reader.line_num + 1 - line > len(widths):
            heights += _breaks_inside(cells, num_cells)
        begin = piece.first_line - 1 + line
        line = reader.line_num + 1
        yield Records(begin + np.cumsum(heights) - heights, num_cells, cells)


def _breaks_inside(cells: list[str], widths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of line breaks in the quoted cells of each record."""
    in_cell = [
        len(_LINE_BREAK.findall(cell)) if "\n" in cell or "\r" in cell else 0 for cell in cells
    ]
    until = np.concatenate([[0], np.cumsum(in_cell, dtype=np.int64)])
    ends = np.cumsum(widths)
    inside: NDArray[np.int64] = until[ends] - until[ends - widths]
    return inside


def _reader(piece: Piece, separator: str) -> "_csv.Reader":
    return csv.reader(_checked(piece, separator), delimiter=separator, strict=True)


def _checked(piece: Piece, separator: str) -> Iterator[str]:
    # A line of many megabytes would become millions of cells before they could be counted.
    for line in whole_lines(piece.lines(), piece.first_line):
        if len(line) > _LONG_LINE:
            check_width(line.count(separator))
        yield line


def _fault(piece: Piece, separator: str) -> SeriesFileError:
    """Return what is wrong with the first record that cannot be split into cells."""
    reader = _reader(piece, separator)
    line = piece.first_line
    try:
        for _ in reader:
            line = piece.first_line + reader.line_num
    except csv.Error as error:
        return SeriesFileError(f"Line {line} cannot be read: {_reason(str(error))}.")
    raise AssertionError("the file was read without a fault")  # pragma: no cover


def _reason(error: str) -> str:
    if "field larger" in error:
        return f"a cell is longer than {csv.field_size_limit():,} characters"
    if "unexpected end" in error:
        return "a quotation mark opens a cell and is never closed"
    return "a quotation mark inside a cell is not doubled, or one is missing"


def csv_table(file: TextFile) -> Table:
    """Return a text file as a table; the separator is detected, and whether names come first."""
    separator = _separator(file)
    first, next_line = _first_record(file, separator)
    width = len(first.cells)
    check_width(width)
    names = tuple(cell.strip() for cell in first.cells)
    notes = file.notes
    rows = Rows(replace(file, first_line=next_line), separator, width)
    head = rows.first()
    if head is not None and not _holds_names(first.cells, columns_of(names, head)):
        first_line = int(first.lines[0])
        names = tuple(f"column {position + 1}" for position in range(width))
        notes = (
            *notes,
            f"Line {first_line} was read as values, because it looks like the lines after it; "
            "if it holds names, begin each with a letter, or lengths come out one too long.",
        )
        rows = replace(rows, file=replace(file, first_line=first_line))
        head = rows.first()
    if head is None:
        raise SeriesFileError("The file holds no values: there is nothing after the first line.")
    check_header(names)
    return Table(header=names, sample=head, blocks=rows.blocks, place="Line", notes=notes)


def _separator(file: TextFile) -> str:
    """Return the separator that splits the first lines most evenly."""
    text = file.lines().read(_SNIFFED_CHARACTERS)
    is_cut = len(text) == _SNIFFED_CHARACTERS
    if is_cut and "\n" in text:
        text = text[: text.rindex("\n")]
    # The name "a;" ends, split by semicolons, in a quotation mark that opens all that follows.
    evenness = (not is_cut and _evenness(text, strict=True)) or _evenness(text, strict=False)
    return max(evenness, key=lambda separator: evenness[separator], default=_NO_SEPARATOR)


def _evenness(text: str, *, strict: bool) -> dict[str, float]:
    """Return the share of records as wide as the first one, by what separates their cells."""
    evenness = {}
    for separator in SEPARATORS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict)
        try:
            widths = [len(cells) for cells in islice(filter(None, reader), _SNIFFED_RECORDS)]
        except csv.Error:
            # Reading the table meets the same fault, and says on which line.
            continue
        if widths and widths[0] > 1:
            evenness[separator] = widths.count(widths[0]) / len(widths)
    return evenness


def _first_record(file: TextFile, separator: str) -> tuple[Records, int]:
    """Return the first record that is not a blank line, and the line after it."""
    for found in records(Piece(file.lines, file.first_line), separator, size=1):
        if found.cells:
            breaks = sum(len(_LINE_BREAK.findall(cell)) for cell in found.cells)
            return found, int(found.lines[0]) + 1 + breaks
    raise SeriesFileError("The file is empty.")


class _Written:
    """The cells of some rows as they are written, for who asks for them in order.

    A number that may mean several ones is told by its text, and there may be millions of them: the
    rows are not read again for each.
    """

    def __init__(self, blocks: Callable[[], Iterator[Cells]]) -> None:
        self._begin, self._blocks = blocks, blocks()
        self._block: Cells | None = None
        self._first = self._end = 0

    def text(self, row: int, column: int) -> str:
        """Return a cell; one of an earlier block than the last one is looked for from the begin."""
        if row < self._first:
            self._blocks, self._end = self._begin(), 0
        while row >= self._end:
            self._block = next(self._blocks)
            self._first, self._end = self._end, self._end + len(self._block.lines)
        assert self._block is not None  # which the row is in
        return self._block.text(row - self._first, column)


@dataclass(frozen=True)
class Rows:
    """The rows of a text file."""

    file: TextFile
    separator: str
    width: int

    def first(self) -> Cells | None:
        """Return the first rows, ``None`` if there are none."""
        whole = Piece(self.file.lines, self.file.first_line)
        return next(self._careful(whole, sample_rows(self.width)), None)

    def blocks(self, texts: Sequence[int], numbers: Sequence[int]) -> Iterator[Block]:
        """Yield all rows, refusing rows of another width and too many."""
        height = 0
        parse = quick_parser(self.separator, self.width, texts, numbers)
        for piece in pieces(self.file, self.separator, self.width):
            quick = None
            if parse is not None and piece.content is not None:
                written = _Written(partial(self._careful, piece))
                quick = parse(piece.content, piece.first_line, written.text)
            # Whatever is unusual is left to the reader that can say what it is, and where.
            blocks: Iterable[Block] = self._careful(piece) if quick is None else (quick,)
            for block in blocks:
                height += len(block.lines)
                check_height(height)
                yield block

    def _careful(self, piece: Piece, size: int | None = None) -> Iterator[Cells]:
        width = self.width
        for found in records(piece, self.separator, size or rows_per_block(width)):
            lines, widths = found.lines, found.widths
            cells = np.array(found.cells, dtype=object)
            uneven = (widths != width) & (widths > 0)
            if uneven.any():
                row = int(np.argmax(uneven))
                raise SeriesFileError(
                    f"Line {lines[row]} has {counted(int(widths[row]), 'cell')} where the first "
                    f"line has {width:,} (the separator was taken to be the "
                    f"{SEPARATORS.get(self.separator, 'line end')}): every row must have as many "
                    "cells as the header."
                )
            if width == 1:
                # In a file of one column, a blank line is a missing value.
                column = np.full(len(lines), "", dtype=object)
                column[widths > 0] = cells
                cells = column
            else:
                lines = lines[widths > 0]
            if len(lines):
                yield Cells(lines, cells.reshape(-1, width))


def _holds_names(cells: list[str], columns: tuple[Column, ...]) -> bool:
    """Return whether the first row holds names, judged by how it differs from the rows after."""
    row = Cells(np.array([1]), np.array([cells], dtype=object))
    firsts = columns_of(tuple(cells), row)
    usual = [position for position, cell in enumerate(cells) if is_usual_name(cell)]
    if (
        any(cells[position] not in columns[position].cells for position in usual)
        or all(first.kind in ("text", "empty") for first in firsts)
        or any(map(_differs, firsts, columns))
    ):
        return True
    # Columns named 0, 1, 2, ... are what data frames without names are saved with. After names,
    # numbers may also be years.
    numbers = list(chain.from_iterable(f.numbers for f in firsts if f.kind == "number"))
    named = firsts[0].kind == "text" and len(numbers) > 2
    count_up = all(later == earlier + 1 for earlier, later in pairwise(numbers))
    return len(numbers) > 1 and (named or numbers[0] in (0, 1)) and count_up


def _differs(first: Column, column: Column) -> bool:
    if first.kind == "time":  # what a row is one series of is called by dates
        return column.kind == "number"
    # An unnamed column may have row numbers: the other names may all be numbers.
    names_nothing = first.kind == "empty" and first.position == 0
    return (first.kind == "text" or names_nothing) and column.kind in ("number", "time")
