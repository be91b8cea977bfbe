"""The file formats that are read: separators, encodings, compression, Parquet."""

import gzip
import io
import sys

import numpy as np
import pandas as pd
import pytest

from dpviz.series_file import SeriesFileError, SeriesLengths, read_series_lengths

LONG = "series_id;time;value\nA;1;5\nA;2;6.5\nB;1;7\n"


@pytest.mark.parametrize(
    "content",
    [
        *(LONG.replace(";", separator).encode() for separator in ",;\t|"),
        *(LONG.replace("\n", line_end).encode() for line_end in ("\n", "\r\n", "\r")),
        b"\xfe\xff" + LONG.encode("utf-16-be"),
        gzip.compress(LONG.encode()),
    ],
    ids=range(9),
)
@pytest.mark.parametrize("name", ["table.csv", "table.csv.gz"])
def test_separators_line_ends_byte_orders_and_packing_need_not_be_told(content, name) -> None:
    lengths = read_series_lengths(content, name)
    assert (lengths.layout, lengths.lengths) == ("long", (2, 1))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encodings_are_read(encoding: str) -> None:
    table = "Zählstelle_id,Zeit,value\nMünchen,1,5\nMünchen,2,6\nKöln,1,7\n"
    lengths = read_series_lengths(table.encode(encoding), "table.csv")
    assert lengths.lengths == (2, 1)
    assert any("Latin-1" in note for note in lengths.notes) == (encoding == "latin-1")


def test_utf16_without_mark_is_refused_clearly() -> None:
    with pytest.raises(SeriesFileError, match=r"line 1 .* 0x00 .*UTF-16.* UTF-8"):
        read_series_lengths("a,b\n1,2\n".encode("utf-16-le"), "table.csv")


def test_decimal_commas_and_thousands_are_numbers() -> None:
    table = 'date;a;b\n01.02.2020;1,5;"1,234.5"\n02.02.2020;-2,5;1.234.567,8\n'
    lengths = read_series_lengths(table.encode(), "table.csv")
    assert lengths.lengths == (2, 2)
    assert str(lengths.time_step) == "1 day"


@pytest.mark.parametrize("name", ["mean;", "a;b;", "|", "x\t"])
def test_a_quoted_name_may_end_in_what_separates_elsewhere(name) -> None:
    rows = "".join(f"{time},{time}\n" for time in range(9))
    lengths = read_series_lengths(f'"time","{name}"\n{rows}'.encode(), "a.csv")
    assert (lengths.layout, lengths.lengths) == ("wide", (9,))


def test_quoted_cells_may_hold_separators_and_line_breaks() -> None:
    table = 'series_id,time,value\n"A, ""north""\nside",1,5\n"A, ""north""\nside",2,oops\n'
    with pytest.raises(SeriesFileError, match=r'^Line 4, column "value": "oops" is not a number'):
        read_series_lengths(table.encode(), "table.csv")
    lengths = read_series_lengths(table.replace("oops", "6").encode(), "table.csv")
    assert lengths.lengths == (2,)


def test_parquet_in_both_layouts() -> None:
    long = pd.DataFrame(
        {
            "item_id": ["A", "A", "B"],
            "timestamp": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-01"]),
            "target": [1.0, None, 3.0],
        }
    )
    wide = pd.DataFrame(
        {"north": [1.5, 2.5, 3.5], "south": [None, 1, None]},
        index=pd.date_range("2024-01-31", periods=3, freq="D"),
    )
    lengths = _read_parquet(long)
    assert (lengths.layout, lengths.lengths, str(lengths.time_step)) == ("long", (2, 1), "1 day")
    assert any("1 value is missing" in note for note in lengths.notes)
    lengths = _read_parquet(wide)
    assert (lengths.layout, lengths.lengths, str(lengths.time_step)) == ("wide", (3, 1), "1 day")


def test_parquet_with_categories_time_zones_decimals_and_periods() -> None:
    frame = pd.DataFrame(
        {
            "series_id": pd.Categorical(["A", "A", "B", "B"]),
            "time": pd.to_datetime(["2024-03-30", "2024-03-31"] * 2).tz_localize("Europe/Berlin"),
            "value": pd.array([1, 2, None, 4], dtype="Int64"),
        }
    )
    months = pd.DataFrame({"month": pd.period_range("2024-01", periods=3, freq="M"), "a": 1.5})
    for table, lengths, step in ((frame, (2, 2), "1 day"), (months, (3,), "1 month")):
        found = _read_parquet(table)
        assert (found.lengths, str(found.time_step)) == (lengths, step)


def test_parquet_rows_are_named_in_messages() -> None:
    frame = pd.DataFrame({"series_id": ["A", "A"], "time": ["x", "y"], "value": ["1", "one"]})
    with pytest.raises(SeriesFileError, match=r'^Row 2, column "value": "one" is not a number'):
        _read_parquet(frame)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"item_id": ["A"], "target": [[1.0, 2.0]]}, 'Column "target" holds "list'),
        ({"item_id": ["A"], "target": [b"\xff"]}, 'Column "target" holds "binary"'),
        ({"a": pd.Series([], dtype=float)}, "holds no values"),
        ({}, "no columns"),
    ],
    ids=["lists", "bytes", "no rows", "no columns"],
)
def test_parquet_without_one_number_a_cell_is_refused(table, said) -> None:
    with pytest.raises(SeriesFileError, match=said):
        _read_parquet(pd.DataFrame(table, index=None if table else range(2)))


def test_parquet_that_is_cut_off_or_none_is_refused() -> None:
    content = _parquet(pd.DataFrame({"a": [1.0, 2.0]}))
    with pytest.raises(SeriesFileError, match="Parquet file is damaged"):
        read_series_lengths(content[:-20], "table.parquet")
    with pytest.raises(SeriesFileError, match="not Parquet although its name says so"):
        read_series_lengths(b"a,b\n1,2\n", "table.parquet")


def test_parquet_that_unpacks_to_a_huge_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.series_file.table.MOST_ROWS", 100_000)
    monkeypatch.setattr("dpviz.series_file.parquet_table.MOST_CELLS", 1_000_000)
    content = _parquet(pd.DataFrame({"a": np.zeros(100_001, dtype=np.int8)}))
    assert len(content) < 10_000
    with pytest.raises(SeriesFileError, match="more than 100,000 rows"):
        read_series_lengths(content, "table.parquet")
    columns = {f"s{number}": np.zeros(11_000, dtype=np.int8) for number in range(100)}
    with pytest.raises(SeriesFileError, match="more than 1,000,000 cells"):
        _read_parquet(pd.DataFrame(columns))


def test_missing_pyarrow_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    content = _parquet(pd.DataFrame({"a": [1.0, 2.0]}))
    for module in ("pyarrow.parquet", "pyarrow.csv", "pyarrow"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SeriesFileError, match="the package pyarrow is not installed: pip install"):
        read_series_lengths(content, "table.parquet")
    with pytest.raises(SeriesFileError, match="Zstandard cannot be unpacked here, as the package"):
        read_series_lengths(b"(\xb5/\xfd", "table.csv.zst")
    assert read_series_lengths(LONG.encode(), "table.csv").lengths == (2, 1)


def _parquet(frame: pd.DataFrame) -> bytes:
    pytest.importorskip("pyarrow", reason="Parquet files are written with pyarrow")
    stream = io.BytesIO()
    frame.to_parquet(stream)
    return stream.getvalue()


def _read_parquet(frame: pd.DataFrame) -> SeriesLengths:
    return read_series_lengths(_parquet(frame), "table.parquet")
