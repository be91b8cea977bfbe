"""A Parquet file as a table of texts, so that the same rules read it as read CSV."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario.missing_package import MissingPackageError
from dpviz.series_file.errors import SeriesFileError, quoted
from dpviz.series_file.table import (
    Block,
    Table,
    check_header,
    check_height,
    rows_per_block,
    sample_rows,
)
from dpviz.series_file.unpack import MOST_BYTES, check_size

# As many as a text file of the largest size can have: equal cells take hardly any space in
# Parquet, so that a small file can hold a huge table.
MOST_CELLS = MOST_BYTES // 2


def parquet_table(content: bytes) -> Table:
    """Return a Parquet file as a table.

    Raises:
        SeriesFileError: pyarrow is not installed, the file is damaged or too large, or a column
            holds something else than numbers, texts, dates or times.
    """
    arrow = _arrow()
    header = _header(content, arrow)
    width = len(header)
    first = next(_blocks(content, arrow, sample_rows(width)), None)
    if first is None:
        raise SeriesFileError("The file holds no values: its table has no rows.")
    return Table(
        header=header,
        sample=first,
        blocks=lambda: _blocks(content, arrow, rows_per_block(width)),
        place="Row",
    )


def _arrow() -> ModuleType:
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError:
        raise SeriesFileError(
            f"Parquet files cannot be read here, as {MissingPackageError('pyarrow')}; "
            "or save the table as CSV."
        ) from None


def _header(content: bytes, arrow: ModuleType) -> tuple[str, ...]:
    """Return the column names, after checking that the table is not too large."""
    with _damage_reported(arrow):
        file = _opened(content, arrow)
        metadata = file.metadata
        check_size(
            sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
        )
        check_height(metadata.num_rows)
        fields = [(field.name, field.type) for field in file.schema_arrow]
    for name, kind in fields:
        if arrow.types.is_nested(kind) and not arrow.types.is_dictionary(kind):
            raise SeriesFileError(
                f"Column {quoted(name)} holds {quoted(kind)}, not one value a cell: "
                "give each value a row or a column of its own."
            )
    header = tuple(name.strip() for name, _ in fields)
    check_header(header)
    if not header:
        raise SeriesFileError("The file holds no values: its table has no columns.")
    if metadata.num_rows * len(header) > MOST_CELLS:
        raise SeriesFileError(
            f"The table has more than {MOST_CELLS:,} cells: leave out some series or columns."
        )
    return header


def _opened(content: bytes, arrow: ModuleType) -> Any:
    parquet_file = arrow.parquet.ParquetFile
    file = parquet_file(arrow.BufferReader(content))
    types = arrow.types
    texts = [
        field.name
        for field in file.schema_arrow
        if types.is_string(field.type) or types.is_large_string(field.type)
    ]
    # Texts stay in dictionaries: a long text that is repeated is held in memory once.
    return parquet_file(arrow.BufferReader(content), read_dictionary=texts)


def _blocks(content: bytes, arrow: ModuleType, size: int) -> Iterator[Block]:
    height = 0
    for cells in _batches(content, arrow, size):
        lines = np.arange(height + 1, height + len(cells) + 1, dtype=np.int64)
        height += len(cells)
        check_height(height)
        yield Block(lines, cells)


def _batches(content: bytes, arrow: ModuleType, size: int) -> Iterator[NDArray[np.object_]]:
    # The block is left before each yield: errors of the code that takes the cells pass.
    with _damage_reported(arrow):
        batches = _opened(content, arrow).iter_batches(batch_size=size, use_threads=False)
    while True:
        with _damage_reported(arrow):
            batch = next(batches, None)
            if batch is None:
                return
            names = batch.schema.names
            columns = [
                _texts(column, name, arrow)
                for name, column in zip(names, batch.columns, strict=True)
            ]
            cells = np.stack(columns, axis=1)
        if len(cells):
            yield cells


def _texts(column: Any, name: str, arrow: ModuleType) -> NDArray[np.object_]:
    """Return a column as texts, empty where a cell is null."""
    if isinstance(column.type, arrow.BaseExtensionType):
        # Such as the periods of pandas, which are stored as plain counts.
        return np.array([str(value) for value in column.to_pandas()], dtype=object)
    if arrow.types.is_dictionary(column.type):
        texts = np.array([*_plain_texts(column.dictionary, name, arrow), ""], dtype=object)
        codes = column.indices.fill_null(len(texts) - 1).to_numpy(zero_copy_only=False)
        chosen: NDArray[np.object_] = texts[codes]
        return chosen
    return _plain_texts(column, name, arrow)


def _plain_texts(column: Any, name: str, arrow: ModuleType) -> NDArray[np.object_]:
    try:
        texts = column.cast(arrow.string())
    except arrow.ArrowException:
        raise SeriesFileError(
            f"Column {quoted(name)} holds {quoted(column.type)}, which is neither numbers, texts, "
            "dates nor times."
        ) from None
    filled: NDArray[np.object_] = texts.fill_null("").to_numpy(zero_copy_only=False)
    return filled


@contextmanager
def _damage_reported(arrow: ModuleType) -> Iterator[None]:
    """Turn what pyarrow raises on a damaged file into a :class:`SeriesFileError`."""
    # pyarrow gives no closed list; these are what damaged files were seen to raise.
    kinds = (arrow.ArrowException, OSError, ValueError, LookupError, TypeError, OverflowError)
    try:
        yield
    except SeriesFileError:
        raise
    except kinds:
        raise SeriesFileError(
            "The Parquet file is damaged or cut off, or of a kind that pyarrow cannot read: "
            "save or upload it again."
        ) from None
