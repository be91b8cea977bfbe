"""A text file with separators as a table."""

import csv
import io
from collections.abc import Iterator
from itertools import chain, islice

import numpy as np

from dpviz.series_file.columns import Column, columns_of, is_usual_name
from dpviz.series_file.csv_text import Records, TextFile, records
from dpviz.series_file.encoding import open_text, text_encoding
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

# In order of preference where two of them fit equally: a table with tabs or semicolons often
# holds decimal commas.
SEPARATORS = {"\t": "tab", ";": "semicolon", "|": "pipe", ",": "comma"}
_NO_SEPARATOR = "\x1f"  # a control character, so in no text: the file is one column
_SNIFFED_CHARACTERS = 2**20
_SNIFFED_RECORDS = 100


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
