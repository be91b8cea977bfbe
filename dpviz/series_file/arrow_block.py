"""Blocks of rows that pyarrow has read: columns of numbers, and of texts by their numbers."""

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.series_file.table import MISSING, Block, Coded, Numbers

CellText = Callable[[int, int], str]
QuickParser = Callable[[bytes, int, CellText], Block | None]
# The longest cell that Python's reader takes; a longer one is told by it.
_LONGEST_CELL = 131_072
# Arrow reserves some kilobytes for each column, whatever is in it.
_MOST_COLUMNS = 20_000
_TINY = re.compile(rb"[eE]-0*[1-9][0-9]{2}")
_NULLS = sorted({form for one in MISSING for form in (one, one.upper(), one.title())} | {"NaN"})


@dataclass(frozen=True, eq=False)
class ArrowBlock(Block):
    """Rows whose columns are arrays of Arrow.

    Args:
        columns: those that were asked for: numbers, NaN where missing, or texts in a dictionary.
        unsure: whether its numbers may mean several ones.
    """

    lines: NDArray[np.int64]
    columns: Mapping[int, Any]
    cell: CellText
    unsure: bool = False

    def coded(self, column: int) -> Coded:
        """Return the texts of a column."""
        return _coded(self.columns[column])

    def numbers(self, columns: Sequence[int]) -> Numbers:
        """Return columns as numbers."""
        shape = (len(self.lines), len(columns))
        numbers = np.empty(shape, order="F")
        unreadable = np.zeros(shape, dtype=np.bool_, order="F")
        unsure = unreadable
        arrays = [self.columns[column] for column in columns]
        if self.unsure or not all(isinstance(array, np.ndarray) for array in arrays):
            unsure = np.full(shape, self.unsure, order="F")
        for place, array in enumerate(arrays):
            if isinstance(array, np.ndarray):
                numbers[:, place] = array
            else:
                read = _coded(array).numbers(shape[:1])
                numbers[:, place], unreadable[:, place] = read.numbers, read.unreadable
                unsure[:, place] = read.unsure
        return Numbers(numbers, unreadable, unsure)

    def text(self, row: int, column: int) -> str:
        """Return a cell as it is written."""
        return self.cell(row, column)


def _coded(array: Any) -> Coded:
    """Return a dictionary of texts without nulls; a missing cell is an empty text."""
    texts = np.array([*array.dictionary.to_pylist(), ""], dtype=object)
    texts[texts == None] = ""  # noqa: E711  each of them
    codes = array.indices.fill_null(len(texts) - 1).to_numpy(zero_copy_only=False)
    return Coded(codes.astype(np.int64), texts)


def quick_parser(
    separator: str, width: int, texts: Sequence[int], numbers: Sequence[int]
) -> QuickParser | None:
    """Return what parses lines with pyarrow; ``None`` where that is missing, or columns too many.

    What it takes lines, the place of the first and a way to a cell's text for; it returns ``None``
    where they are no table of plain cells.
    """
    if width > _MOST_COLUMNS:
        return None
    try:
        arrow = importlib.import_module("pyarrow")
        reader = importlib.import_module("pyarrow.csv")
    except ImportError:
        return None
    text = arrow.dictionary(arrow.int32(), arrow.string())

    def conversion(number: Any, decimal_point: str = ".") -> Any:
        kinds = dict.fromkeys(texts, text) | dict.fromkeys(numbers, number)
        return reader.ConvertOptions(
            column_types={str(column): kind for column, kind in kinds.items()},
            include_columns=[str(column) for column in kinds],
            null_values=_NULLS,
            check_utf8=False,
            decimal_point=decimal_point,
        )

    ways = [(conversion(arrow.float64()), False)]
    if separator != ",":
        ways.append((conversion(arrow.float64(), ","), True))
    ways.append((conversion(text), False))
    names = [str(column) for column in range(width)]

    def parsed(content: bytes, first_line: int, cell: CellText) -> Block | None:
        if not _has_short_cells(content, separator):
            return None
        height = content.count(b"\n")
        options = reader.ReadOptions(
            use_threads=False, column_names=names, block_size=len(content) + 1
        )
        form = reader.ParseOptions(
            delimiter=separator,
            quote_char='"' if b'"' in content else False,
            ignore_empty_lines=width > 1,
        )
        # A number may be so close to 0 that Arrow takes it for 0.
        has_powers = b"e-" in content or b"E-" in content
        may_be_lost = b"0" * 200 in content or (has_powers and _TINY.search(content) is not None)
        for conversion, unsure in ways[-1:] if may_be_lost else ways:
            with suppress(arrow.ArrowException):
                table = reader.read_csv(arrow.BufferReader(content), options, form, conversion)
                if table.num_rows != height:
                    return None
                columns = {int(name): _one(table[name]) for name in table.column_names}
                if all(array is not None for array in columns.values()):
                    lines = np.arange(first_line, first_line + height, dtype=np.int64)
                    return ArrowBlock(lines, columns, cell, unsure)
        return None

    return parsed


def _one(column: Any) -> Any:
    """Return a column in one piece; ``None`` where a number is infinite or strangely written."""
    array = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if hasattr(array, "indices"):
        return array
    values = array.to_numpy(zero_copy_only=False)
    is_plain = np.count_nonzero(np.isfinite(values)) + array.null_count == len(values)
    return values if is_plain else None


def _has_short_cells(content: bytes, separator: str) -> bool:
    """Return whether no cell is longer than is read."""
    data = np.frombuffer(content, dtype=np.uint8)
    borders = np.flatnonzero(data == ord("\n"))
    if np.diff(borders, prepend=-1).max(initial=0) <= _LONGEST_CELL:
        return True
    borders = np.flatnonzero((data == ord("\n")) | (data == ord(separator)))
    return b'"' not in content and bool(np.diff(borders, prepend=-1).max() <= _LONGEST_CELL)
