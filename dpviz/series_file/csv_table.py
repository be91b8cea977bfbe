"""A text file with separators as a table: its encoding, its records, its header."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.series_file.columns import Column, columns_of, is_usual_name
from dpviz.series_file.errors import SeriesFileError, counted
from dpviz.series_file.table import (
    Block,
    Table,
    check_header,
    check_height,
    check_lines,
    check_width,
    rows_per_block,
    sample_rows,
)

if TYPE_CHECKING:
    import _csv  # where typeshed names the type of csv.reader's result

_CHUNK = 2**20
# Tab, line feed and carriage return are the only control characters that tables contain.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LONG_LINE = 10**6
_LINE_BREAK = re.compile("\r\n|\r|\n")
# In order of preference where two of them fit equally: a table with tabs or semicolons often
# holds decimal commas.
SEPARATORS = {"\t": "tab", ";": "semicolon", "|": "pipe", ",": "comma"}
_NO_SEPARATOR = "\x1f"  # a control character, so in no text: the file is one column
_SNIFFED_CHARACTERS = 2**20
_SNIFFED_RECORDS = 100


@dataclass(frozen=True)
class TextEncoding:
    """An encoding by Python's name for it, and what to tell the user about it."""

    name: str
    notes: tuple[str, ...] = ()


def text_encoding(content: bytes) -> TextEncoding:
    """Return the encoding in which ``content`` is text.

    UTF-8 (with or without byte order mark), UTF-16 (with one), else Latin-1, in which
    every byte is a letter, so that control characters are what tells a binary file.

    Raises:
        SeriesFileError: the content is no text in any of these.

    >>> text_encoding("Zähler,1".encode("utf-16")).name
    'utf-16'
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            _check_text(content, "utf-16")
        except UnicodeDecodeError:
            raise SeriesFileError(
                "The file begins like UTF-16 text, but is damaged: save it as UTF-8."
            ) from None
        return TextEncoding("utf-16")
    try:
        _check_text(content, "utf-8-sig")
    except UnicodeDecodeError:
        _check_text(content, "latin-1")
        return TextEncoding(
            "latin-1",
            ("The file is not UTF-8 and was read as Latin-1: some letters in names may differ.",),
        )
    return TextEncoding("utf-8-sig")


def open_text(content: bytes, encoding: str) -> io.TextIOWrapper:
    """Return a stream of the text, decoded piece by piece, line ends as they are."""
    return io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="")


def _check_text(content: bytes, encoding: str) -> None:
    stream = open_text(content, encoding)
    line_breaks = 0
    while chunk := stream.read(_CHUNK):
        control = _CONTROL.search(chunk)
        if control is not None:
            line = line_breaks + chunk.count("\n", 0, control.start()) + 1
            raise SeriesFileError(
                f"The file is not a text table: line {line} holds the control character "
                f"{ord(control[0]):#04x} (a binary file, or UTF-16 without byte order mark?); "
                "save it as CSV in UTF-8."
            )
        line_breaks += chunk.count("\n")


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


def csv_table(content: bytes) -> Table:
    """Return a text file as a table; the separator is detected, and whether names come first.

    Raises:
        SeriesFileError: the file is no text, or is not a table with equally many cells in
            each row; the message has the line.
    """
    check_lines(max(content.count(b"\n"), content.count(b"\r")))
    encoding = text_encoding(content)
    separator = _separator(content, encoding.name)
    file = TextFile(content, encoding.name, separator)
    first = _first_record(file)
    first_line, first_cells = int(first.lines[0]), first.cells
    width = len(first_cells)
    check_width(width)
    names = tuple(cell.strip() for cell in first_cells)
    head = next(_blocks(file, width, skip=first_line, size=sample_rows(width)), None)
    notes = encoding.notes
    skip = first_line
    if head is not None and not _holds_names(first_cells, columns_of(names, head)):
        skip = first_line - 1
        names = tuple(f"column {position + 1}" for position in range(width))
        notes = (
            *notes,
            f"Line {first_line} was read as values, because it looks like the lines after it; "
            "if it holds names, begin each with a letter, or lengths come out one too long.",
        )
        head = next(_blocks(file, width, skip=skip, size=sample_rows(width)))
    if head is None:
        raise SeriesFileError("The file holds no values: there is nothing after the first line.")
    check_header(names)
    return Table(
        header=names,
        sample=head,
        blocks=lambda: _blocks(file, width, skip=skip, size=rows_per_block(width)),
        place="Line",
        notes=notes,
    )


def _separator(content: bytes, encoding: str) -> str:
    """Return the separator that splits the first lines most evenly."""
    text = open_text(content, encoding).read(_SNIFFED_CHARACTERS)
    if len(text) == _SNIFFED_CHARACTERS and "\n" in text:
        text = text[: text.rindex("\n")]
    evenness = {}
    for separator in SEPARATORS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        widths = []
        try:
            widths = [len(cells) for cells in islice(filter(None, reader), _SNIFFED_RECORDS)]
        except csv.Error:
            # Reading the table meets the same fault, and says on which line.
            continue
        if widths and widths[0] > 1:
            evenness[separator] = widths.count(widths[0]) / len(widths)
    if not evenness:
        return _NO_SEPARATOR
    return max(evenness, key=lambda separator: evenness[separator])


def _first_record(file: TextFile) -> Records:
    """Return the first record that is not a blank line."""
    for found in records(file, size=1):
        if found.cells:
            return found
    raise SeriesFileError("The file is empty.")


def _blocks(file: TextFile, width: int, *, skip: int, size: int) -> Iterator[Block]:
    """Yield the rows after line ``skip``, refusing rows of another width."""
    height = 0
    for found in records(file, size):
        skipped = int(np.searchsorted(found.lines, skip, side="right"))
        lines, widths = found.lines[skipped:], found.widths[skipped:]
        cells = np.array(found.cells[int(found.widths[:skipped].sum()) :], dtype=object)
        uneven = (widths != width) & (widths > 0)
        if uneven.any():
            row = int(np.argmax(uneven))
            raise SeriesFileError(_uneven(file, int(lines[row]), int(widths[row]), width))
        if width == 1:
            # In a file of one column, a blank line is a missing value.
            column = np.full(len(lines), "", dtype=object)
            column[widths > 0] = cells
            cells = column
        else:
            lines = lines[widths > 0]
        height += len(lines)
        check_height(height)
        if len(lines):
            yield Block(lines, cells.reshape(-1, width))


def _uneven(file: TextFile, line: int, cells: int, width: int) -> str:
    return (
        f"Line {line} has {counted(cells, 'cell')} where the first line has {width:,} "
        f"(the separator was taken to be the {SEPARATORS.get(file.separator, 'line end')}): "
        "every row must have as many cells as the header."
    )


def _holds_names(cells: list[str], columns: tuple[Column, ...]) -> bool:
    """Return whether the first row holds names, judged by how it differs from the rows after."""
    row = Block(np.array([1]), np.array([cells], dtype=object))
    firsts = columns_of(tuple(cells), row)
    usual = [position for position, cell in enumerate(cells) if is_usual_name(cell)]
    if any(cells[position] not in columns[position].cells for position in usual):
        return True
    if all(first.kind in ("text", "empty") for first in firsts):
        return True
    if any(_differs(first, column) for first, column in zip(firsts, columns, strict=True)):
        return True
    # Columns named 0, 1, 2, ... are what data frames without names are saved with.
    numbers = list(chain.from_iterable(f.numbers for f in firsts if f.kind == "number"))
    return len(numbers) > 1 and numbers in (
        list(range(len(numbers))),
        list(range(1, len(numbers) + 1)),
    )


def _differs(first: Column, column: Column) -> bool:
    if first.kind == "text":
        return column.kind in ("number", "time")
    # An unnamed column of row numbers: the other names may all be numbers.
    return first.kind == "empty" and first.position == 0 and column.kind in ("number", "time")
