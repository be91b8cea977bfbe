"""A Parquet file as a table of texts, so that the same rules read it as read CSV."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from dpviz.series_file.arrow_block import ArrowBlock
from dpviz.series_file.errors import SeriesFileError, quoted
from dpviz.series_file.parquet_pages import Bytes, page_sizes, without_size_statistics
from dpviz.series_file.reading_progress import TELLER
from dpviz.series_file.table import Cells, Table, check_header, check_height, sample_rows
from dpviz.series_file.text_file import arrow_for, check_size

# Equal cells take hardly any space in Parquet, so that a small file can hold a huge table.
MOST_CELLS = 100_000_000
MOST_COLUMNS = 10_000  # opening a file takes 0.1 ms for each
MOST_CHUNKS = 100_000  # pieces of columns, of which a file has one for each group of rows
_CELLS_PER_BLOCK = 1_000_000  # mostly references to the same few texts
LONGEST_TEXT = 1_000  # a text that is repeated takes no space either, but looking at it time


def parquet_table(content: bytes) -> Table:
    """Return a Parquet file as a table."""
    arrow = arrow_for("Parquet files cannot be read", "save the table as CSV")
    with _damage_reported():
        _check_claims(content, arrow)
        plain = without_size_statistics(content)
        _check_pages(plain, arrow)
        schema = arrow.parquet.read_schema(arrow.BufferReader(plain))
        texts = [field.name for field in schema if _is_text(field.type, arrow)]
        # Texts stay in dictionaries: a long text that is repeated is held in memory once.
        file = arrow.parquet.ParquetFile(arrow.BufferReader(plain), read_dictionary=texts)
        header = tuple(field.name.strip() for field in file.schema_arrow)
    width = len(header)
    first = next(_blocks(file, arrow, range(width), (), sample_rows(width)), None)
    if first is None:
        raise SeriesFileError("The file holds no values: its table has no rows.")
    return Table(
        header=header,
        sample=Cells(first.lines, first.texts(range(width))),
        blocks=partial(_blocks, file, arrow),
        place="Row",
    )


def _check_claims(content: bytes, arrow: ModuleType) -> None:
    """Check that the table is neither too large nor of another kind, before any of it is read."""
    # Of its columns only names and types are looked at: see without_size_statistics.
    metadata = arrow.parquet.read_metadata(arrow.BufferReader(content))
    if metadata.num_columns > MOST_COLUMNS:
        raise SeriesFileError(
            f"The table has more than {MOST_COLUMNS:,} columns, the most that are read of a "
            "Parquet file: save it as CSV, or with one row a value."
        )
    check_height(metadata.num_rows)
    fields = list(metadata.schema.to_arrow_schema())
    header = tuple(field.name.strip() for field in fields)
    if not header:
        raise SeriesFileError("The file holds no values: its table has no columns.")
    for field in fields:
        if not _is_readable(field.type, arrow):
            raise SeriesFileError(
                f"Column {quoted(field.name)} holds {quoted(field.type)}, not one number, text, "
                "date or time a cell: give each value a row or a column of its own."
            )
    check_header(header)
    if metadata.num_rows * len(header) > MOST_CELLS:
        raise SeriesFileError(
            f"The table has more than {MOST_CELLS:,} cells: leave out some series or columns."
        )
    if metadata.num_row_groups * metadata.num_columns > MOST_CHUNKS:
        raise SeriesFileError(
            f"The Parquet file is in more than {MOST_CHUNKS:,} pieces: save it in fewer row groups."
        )


def _check_pages(content: Bytes, arrow: ModuleType) -> None:
    """Refuse a file that unpacks to more than is read, whatever its end says of its size."""
    metadata = arrow.parquet.read_metadata(arrow.BufferReader(content))
    total = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        check_size(group.total_byte_size)
        for column in range(group.num_columns):
            chunk = group.column(column)
            if chunk.num_values == 0:
                continue  # without a value it has no page, and its place means nothing
            # Of such texts pyarrow makes no dictionary, and many may share one long beginning.
            unread = [one for one in chunk.encodings if one.startswith("DELTA_")]
            if unread and metadata.schema.column(column).converted_type == "UTF8":
                raise SeriesFileError(
                    f"Column {quoted(chunk.path_in_schema)} holds texts in the encoding "
                    f"{unread[0]}, which is not read: save the file with dictionary encoding, or "
                    "the table as CSV."
                )
            start = chunk.data_page_offset
            if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < start:
                start = chunk.dictionary_page_offset
            for num_bytes in page_sizes(content, start, start + chunk.total_compressed_size):
                total += num_bytes
                check_size(total)


def _is_readable(kind: Any, arrow: ModuleType) -> bool:
    """Return whether cells of a type hold one number, text, date or time each."""
    types = arrow.types
    if isinstance(kind, arrow.BaseExtensionType):
        # Such as the periods of pandas, which are stored as plain counts.
        return bool(types.is_integer(kind.storage_type))
    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        types.is_primitive(kind)
        or types.is_decimal(kind)
        or types.is_null(kind)
        or _is_text(kind, arrow)
    )


def _is_text(kind: Any, arrow: ModuleType) -> bool:
    return bool(arrow.types.is_string(kind) or arrow.types.is_large_string(kind))


def _blocks(
    file: Any,
    arrow: ModuleType,
    texts: Sequence[int],
    numbers: Sequence[int],
    size: int | None = None,
) -> Iterator[ArrowBlock]:
    names = file.schema_arrow.names
    wanted = [*texts, *numbers]
    height = 0
    # The block is left before each yield: errors of the code that takes the cells pass.
    with _damage_reported():
        batches = file.iter_batches(
            batch_size=size or max(1, _CELLS_PER_BLOCK // len(wanted)),
            columns=[names[column] for column in wanted],
            use_threads=False,
        )
    while True:
        with _damage_reported():
            batch = next(batches, None)
            if batch is None:
                return
            # Where a name has a point in it, pyarrow also reads what stands before that.
            arrays = dict(zip(batch.schema.names, batch.columns, strict=True))
            columns = {
                column: arrays[names[column]].to_numpy(zero_copy_only=False)
                if column in numbers and _is_number(arrays[names[column]].type, arrow)
                else _texts(arrays[names[column]], names[column], arrow)
                for column in wanted
            }
        lines = np.arange(height + 1, height + len(batch) + 1, dtype=np.int64)
        height += len(batch)
        check_height(height)
        if size is None:
            TELLER.note(height / max(file.metadata.num_rows, 1))  # it may claim any number
        if len(batch):
            yield ArrowBlock(lines, columns, partial(_cell, columns))


def _cell(columns: dict[int, Any], row: int, column: int) -> str:
    return str(columns[column][row])


def _is_number(kind: Any, arrow: ModuleType) -> bool:
    return bool(arrow.types.is_integer(kind) or arrow.types.is_floating(kind))


def _texts(column: Any, name: str, arrow: ModuleType) -> Any:
    """Return a column as texts in a dictionary."""
    if isinstance(column.type, arrow.BaseExtensionType):
        column = arrow.array([str(value) for value in column.to_pandas()], arrow.string())
    if not arrow.types.is_dictionary(column.type):
        # Each distinct value becomes a text once.
        column = column.dictionary_encode()
    try:
        texts = column.dictionary.cast(arrow.string())
    except arrow.ArrowException:
        raise SeriesFileError(
            f"Column {quoted(name)} holds {quoted(column.type.value_type)}, which is neither "
            "numbers, texts, dates nor times."
        ) from None
    texts.validate(full=True)  # damaged ones are told as damage
    longest = arrow.compute.max(arrow.compute.utf8_length(texts)).as_py() or 0
    if longest > LONGEST_TEXT:
        raise SeriesFileError(
            f"Column {quoted(name)} holds a text of {longest:,} characters; at most "
            f"{LONGEST_TEXT:,} are read."
        )
    return arrow.DictionaryArray.from_arrays(column.indices, texts)


@contextmanager
def _damage_reported() -> Iterator[None]:
    """Turn whatever reading a damaged file raises into a :class:`SeriesFileError`."""
    # Neither pyarrow nor this reader of page headers gives a list of what bytes that anybody may
    # have made can raise: whatever it is, the file is at fault.
    try:
        yield
    except SeriesFileError:
        raise
    except Exception:
        raise SeriesFileError(
            "The Parquet file is damaged or cut off, or of a kind that pyarrow cannot read: "
            "save or upload it again."
        ) from None
