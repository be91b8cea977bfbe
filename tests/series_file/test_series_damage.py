"""Whatever bytes a Parquet file has, it is read or refused, and the process goes on."""

import io
import subprocess
import sys

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
from dpviz.sweeps.read_results import read_results
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


def test_statistics_that_fit_no_column_end_no_process(tmp_path):
    """Left alone, pyarrow ends the process where a column's type and its size statistics differ."""
    assert_read_or_refused(tmp_path, written(use_dictionary=False), b"\x00", 1)


def test_a_whole_file_reads_the_same_without_its_size_statistics():
    content = written()
    changed = without_size_statistics(content)
    assert len(changed) == len(content)
    assert pq.read_table(io.BytesIO(changed)).equals(pq.read_table(io.BytesIO(content)))


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
