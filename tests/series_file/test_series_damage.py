"""Damaged files are read or refused, those that would become huge before they do."""

import gzip
import io
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from dpviz.series_file import SeriesFileError, read_series_lengths
from dpviz.series_file.parquet_pages import without_size_statistics

pa = pytest.importorskip("pyarrow", reason="Parquet files are written with pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="Parquet files are written with pyarrow")
VALUES = (0x00, 0x11, 0x15, 0x7F, 0xFF)
# In a process of its own: what pyarrow's C++ does not catch ends the process.
READ_EACH = """
import sys
from pathlib import Path
from dpviz.release.series import counts_in_file
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError, read_series_lengths
from dpviz.sweeps.results import read_results
from dpviz.training.panel_source import panel_from_file
content, values = Path(sys.argv[1]).read_bytes(), bytes.fromhex(sys.argv[2])
readers = [read_series_lengths, panel_from_file, counts_in_file, read_results][:int(sys.argv[3])]
for place in range(len(content)):
    for value in values:
        damaged = content[:place] + bytes([value]) + content[place + 1:]
        for read in readers:
            try:
                read(damaged, "a.parquet")
            except (SeriesFileError, ScenarioError):
                pass
            except BaseException as problem:
                print(place, value, read.__name__, repr(problem))
"""


def written(**options) -> bytes:
    table = pa.table(
        {"id": ["a", "a", "b", "b", "b"], "time": [1, 2, 1, 2, 3], "value": [1.0, 2.0, 3.0, 1.5, 2]}
    )
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="NONE", **options)
    return stream.getvalue()


def assert_read_or_refused(folder, content: bytes, values: bytes, readers: int) -> None:
    file = folder / "whole.parquet"
    file.write_bytes(content)
    ended = subprocess.run(
        [sys.executable, "-c", READ_EACH, str(file), values.hex(), str(readers)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr[-500:]


def test_a_page_header_with_a_bool_in_the_place_of_a_struct_is_damage():
    content = bytearray(written())
    place = content.index(b"\x4c", 4)  # field 7, a struct: the header of a dictionary
    content[place] = 0x41
    with pytest.raises(SeriesFileError, match="damaged or cut off"):
        read_series_lengths(bytes(content), "a.parquet")


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_in_an_encoding_that_is_not_read_are_not_called_damaged(encoding):
    content = written(use_dictionary=False, column_encoding={"id": encoding})
    with pytest.raises(SeriesFileError, match=f'"id" holds texts in the encoding {encoding}, '):
        read_series_lengths(content, "a.parquet")
    numbers = written(use_dictionary=False, column_encoding={"time": "DELTA_BINARY_PACKED"})
    assert read_series_lengths(numbers, "a.parquet").lengths == (2, 3)


def test_statistics_that_fit_no_column_end_no_process(tmp_path):
    """Left alone, pyarrow ends the process where a column's type and its size statistics differ."""
    assert_read_or_refused(tmp_path, written(use_dictionary=False), b"\x00", 1)


def test_a_whole_file_reads_the_same_without_its_size_statistics():
    content = written()
    changed = without_size_statistics(content)
    assert len(changed) == len(content)
    assert pq.read_table(io.BytesIO(changed)).equals(pq.read_table(io.BytesIO(content)))


def test_an_end_of_many_structs_takes_no_memory_but_its_own():
    def struct(depth):  # 30 structs within each other one
        return (b"\x1c" + struct(depth - 1)) * 30 + b"\0" if depth else b"\0"

    end = struct(3)
    content = b"PAR1" + end + len(end).to_bytes(4, "little") + b"PAR1"
    tracemalloc.start()
    try:
        assert without_size_statistics(content) == content
        assert tracemalloc.get_traced_memory()[1] < 4 * len(content)
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_every_damaged_byte_ends_in_a_table_or_a_sentence(tmp_path):
    assert_read_or_refused(tmp_path, written(), bytes(VALUES), 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [{}, {"store_schema": False, "data_page_version": "2.0"}, {"use_dictionary": False}],
    ids=["dictionary", "second version", "plain"],
)
def test_every_damaged_byte_ends_so_in_all_that_read_files(tmp_path, options):
    values = bytes({*VALUES, 0x01, 0x18, 0x1C, 0x2C, 0x80})
    assert_read_or_refused(tmp_path, written(**options), values, 4)


MOST_MEMORY = 700 * 2**20
READ_WITH_LITTLE_MEMORY = """
import re, sys
from pathlib import Path
import pyarrow.parquet
from dpviz.series_file import SeriesFileError, read_series_lengths
content = Path(sys.argv[1]).read_bytes()
try:
    print(read_series_lengths(content, sys.argv[1]))
except SeriesFileError as error:
    print(error)
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


def parquet(table, **options) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


def varint(number: int) -> bytes:
    number, found = 2 * number, b""
    while number > 127:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])


def with_false_sizes(content: bytes) -> bytes:
    """Return a Parquet file whose end says that it unpacks to next to nothing."""
    group = pq.read_metadata(io.BytesIO(content)).row_group(0)
    sizes = {group.column(i).total_uncompressed_size for i in range(group.num_columns)}
    footer = content.rindex(b"PAR1") - 4
    footer -= int.from_bytes(content[footer : footer + 4], "little")
    head, end = content[:footer], content[footer:]
    for size in {*sizes, group.total_byte_size}:
        if size > 25 * 2**20:
            true = varint(size)
            end = end.replace(true, b"\x82" + b"\x80" * (len(true) - 2) + b"\x00")
    return head + end


def one_repeated(value, kind, rows: int) -> bytes:
    texts = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(rows, dtype=np.int32)), pa.array([value], type=kind)
    )
    table = pa.table({"id": texts, "value": np.arange(rows)})
    return parquet(table, store_schema=False, dictionary_pagesize_limit=10**9)


def bombs():
    huge = pa.table({"id": ["x" * 10**9], "value": [1]})
    packed = parquet(huge, compression="zstd", use_dictionary=False, write_statistics=False)
    del huge
    yield "gzip.csv.gz", gzip.compress((b"0," * 500 + b"0\n") * 10**5, 1) * 50, "larger than 500 MB"
    yield "page.parquet", packed, "larger than 500 MB"
    yield "false.parquet", with_false_sizes(packed), "larger than 500 MB"
    yield "text.parquet", one_repeated("x" * 10**6, pa.string(), 300_000), "1,000,000 characters"
    yield "bytes.parquet", one_repeated(b"x" * 10**6, pa.binary(), 300_000), 'holds "binary"'
    line, values = (gzip.compress(text * 2**19, 1) * 300 for text in (b"xx", b"1,"))
    yield "line.csv.gz", line, "longer than 128 MB"
    yield "line.tsf.gz", gzip.compress(b"@relation a\n@data\n") + values, "longer than 128 MB"
    yield "lines.csv", b"a,b\n" + b"\n" * (20 * 2**20), "more than 20,000,000 lines"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by Linux only")
def test_bombs_are_refused_before_they_unpack(tmp_path):
    """Each would take gigabytes; none makes the reader take a tenth of one above its libraries."""
    for name, content, reason in bombs():
        path = tmp_path / name
        path.write_bytes(content)
        done = subprocess.run(
            [sys.executable, "-c", READ_WITH_LITTLE_MEMORY, str(path)],
            capture_output=True, text=True, check=True, timeout=120,
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        told, kilobytes = done.stdout.strip().rsplit("\n", 1)
        assert reason in told, name
        assert int(kilobytes) * 1024 < MOST_MEMORY, name


def test_sizes_at_the_end_of_a_parquet_file_are_not_believed(monkeypatch):
    """What counts is what the header before each page says: nothing else is reserved."""
    monkeypatch.setattr("dpviz.series_file.text_file.MOST_BYTES", 25 * 2**20)
    texts = [f"{number:0100}" for number in range(300_000)]
    content = parquet(pa.table({"id": texts, "value": np.zeros(300_000)}), compression="zstd",
                      use_dictionary=False, write_statistics=False)  # fmt: skip
    false = with_false_sizes(content)
    group = pq.read_metadata(io.BytesIO(false)).row_group(0)
    assert group.column(0).total_uncompressed_size < 25 * 2**20
    with pytest.raises(SeriesFileError, match="larger than 25 MB"):
        read_series_lengths(false, "table.parquet")


def test_long_repeated_texts_of_a_parquet_file_are_refused():
    with pytest.raises(SeriesFileError, match='Column "id" holds a text of 2,000 characters'):
        read_series_lengths(one_repeated("x" * 2000, pa.string(), 10), "table.parquet")


def test_parquet_in_too_many_pieces_or_columns_is_refused(monkeypatch):
    """Opening such a file alone takes seconds."""
    monkeypatch.setattr("dpviz.series_file.parquet_table.MOST_COLUMNS", 3)
    monkeypatch.setattr("dpviz.series_file.parquet_table.MOST_CHUNKS", 3)
    content = parquet(pa.table({name: [1.0] for name in "abcd"}))
    with pytest.raises(SeriesFileError, match="more than 3 columns"):
        read_series_lengths(content, "table.parquet")
    content = parquet(pa.table({"a": [1.0, 2.0], "b": [1.0, 2.0]}), row_group_size=1)
    with pytest.raises(SeriesFileError, match="more than 3 pieces"):
        read_series_lengths(content, "table.parquet")


def test_blank_lines_are_limited_too():
    with pytest.raises(SeriesFileError, match="more than 20,000,000 lines"):
        read_series_lengths(b"a,b\n" + b"\n" * 20_000_000 + b"1,2\n", "table.csv")
