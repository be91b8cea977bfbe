"""What pyarrow reads quickly is what Python's own reader reads, and what the latter refuses."""

import csv
import gzip
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.series_file import (
    LAYOUTS,
    SeriesFileError,
    csv_table,
    read_persons,
    read_series_lengths,
    text_file,
)
from dpviz.series_file.values import read_series_values

pa = pytest.importorskip("pyarrow", reason="the quick reader is pyarrow")
CELLS = (
    "1", "2.5", "-3e2", "+4", ".5", "", "NaN", "NA", "-nan", "nan(1)", "inf", "1e999", "1,5",
    "1.234,5", "1_0", "0x1", " 7 ", "A", "é", '"', '""', 'x"y', '"a', "a,b", "a;b", "l\nm",
    "l\r\nm", "\r", "2024-01-01", "2024-01-02", "2024-02-01 10:00",
)  # fmt: skip
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from(CELLS), min_size=width, max_size=width), min_size=1, max_size=9
    )
)
NAMES = st.sampled_from(
    (["id", "t", "value"], ["date", "a", "b"], ["id", "v1", "v2", "v3"], ["a", "b"], ["x"], [])
)
SEPARATORS = st.sampled_from([",", ";", "\t", "|"])


@st.composite
def files(draw) -> bytes:
    """Tables as a spreadsheet would write them, or as nobody should."""
    separator, rows = draw(SEPARATORS), draw(ROWS)
    rows = [names for names in [draw(NAMES)] if names] + rows
    ending = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    stream = io.StringIO()
    if draw(st.booleans()):
        csv.writer(
            stream,
            delimiter=separator,
            lineterminator=ending,
            quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        ).writerows(rows)
    else:
        stream.write(ending.join(separator.join(row) for row in rows))
    return stream.getvalue().encode(draw(st.sampled_from(["utf-8", "utf-16", "latin-1"])))


def told(content: bytes) -> list[object]:
    """Return what is read of a file, or why it is not."""
    found: list[object] = []
    for read in (read_series_lengths, read_series_values):
        for layout in LAYOUTS:
            try:
                one = read(content, "table.csv", layout=layout)
            except SeriesFileError as problem:
                found.append(str(problem))
                continue
            found.append((one.notes, one.time_step, str(getattr(one, "lengths", ""))))
            if read is read_series_values:
                found.append({n: v.tolist() for n, v in zip(one.names, one.values, strict=True)})
    return found


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=150)
@given(files(), st.sampled_from([7, 40, 4 * 2**20]))
def test_both_readers_agree_on_any_table(content: bytes, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_file, "_PIECE", piece)
        quick = told(content)
        patch.setattr(csv_table, "quick_parser", lambda *_: None)
        careful = told(content)
    assert repr(quick) == repr(careful)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.floats(allow_nan=False, allow_infinity=False)),
        min_size=2,
        max_size=60,
    ),
    SEPARATORS,
)
def test_a_long_table_has_the_values_that_were_written(rows, separator) -> None:
    lines = [
        separator.join([f'"{name}"', str(time), repr(value)])
        for time, (name, value) in enumerate(rows)
    ]
    text = "\n".join([separator.join(["series_id", "time", "value"]), *lines])
    found = read_series_values(text.encode(), "table.csv")
    wanted: dict[str, list[float]] = {}
    for name, value in rows:
        wanted.setdefault(name, []).append(value)
    assert found.names == tuple(wanted)
    for name, values in zip(found.names, found.values, strict=True):
        np.testing.assert_array_equal(values, wanted[name])


def test_a_fault_is_told_by_its_line_far_down_in_any_packing(tmp_path, monkeypatch) -> None:
    """Also from a file on the disk."""
    for size in ("_PIECE", "_CHUNK"):
        monkeypatch.setattr(text_file, size, 2**16)
    rows = "".join(f'"shop ""{n // 1_000}""",{n},1.5\n' for n in range(24_000))
    content = f"id,t,value\n{rows}x,1,oops\n".encode()
    packed = {
        "a.csv": content,
        "a.csv.gz": gzip.compress(content, 1),
        "a.csv.zst": pa.compress(content, "zstd", asbytes=True),
    }
    for name, bytes_of_it in packed.items():
        path = tmp_path / name
        path.write_bytes(bytes_of_it)
        for given_as in (bytes_of_it, path):
            with pytest.raises(SeriesFileError, match='Line 24002, column "value": "oops" is not'):
                read_series_lengths(given_as, name)
    plain = read_series_lengths(content.replace(b"x,1,oops\n", b""), "a.csv")
    assert (plain.num_series, plain.shortest, plain.longest) == (24, 1_000, 1_000)


@pytest.fixture
def begun(monkeypatch):
    """Tell each time that Python's own reader begins."""
    found, records = [], csv_table.records

    def counted(*arguments, **options):
        found.append(arguments)
        return records(*arguments, **options)

    monkeypatch.setattr(csv_table, "records", counted)
    return found


def test_a_decimal_comma_far_down_is_told_without_a_look_at_the_file_for_each_cell(begun):
    """Whole numbers before it are certain, and each is told so by its text."""
    rows = "".join(f"s;{at};{at % 7}\n" for at in range(100_000))
    content = f"series_id;time;value\n{rows}s;100000;2,5\n".encode()
    with pytest.raises(SeriesFileError, match='Line 100002, column "value": "2,5" could mean'):
        read_series_values(content, "table.csv")
    assert len(begun) < 20


def test_persons_are_cut_without_a_look_at_the_file_for_each_row(begun):
    rows = "".join(f"m{at // 50},p{at // 100},{at % 50},{at % 7}.5\n" for at in range(100_000))
    found = read_persons(f"meter_id,person,time,value\n{rows}".encode(), "homes.csv", "person")
    assert len(found.cut(1).splitlines()) == 50_001
    assert len(begun) < 20


def test_a_table_cut_off_within_zstandard_is_named() -> None:
    packed = pa.compress(b"a,b\n1,2\n" * 1000, "zstd", asbytes=True)
    with pytest.raises(SeriesFileError, match="zstd-compressed, but damaged or cut off"):
        read_series_lengths(packed[:-9], "a.csv.zst")
