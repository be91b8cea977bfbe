"""Files that cannot be read: each message says what, where and why."""

import gzip
import random
import re
from datetime import datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpviz.scenario.errors import LONGEST_SHOWN
from dpviz.series_file import LAYOUTS, SeriesFileError, read_series_lengths
from dpviz.series_file.errors import quoted
from dpviz.series_file.values import read_series_values


def _message(content: bytes | str, *, layout: str = "auto") -> str:
    if isinstance(content, str):
        content = content.encode()
    with pytest.raises(SeriesFileError) as caught:
        read_series_lengths(content, "table.csv", layout=layout)
    return str(caught.value)


NOISE = random.Random(1).randbytes(1000)
CUT_OFF = gzip.compress(b"a,b\n" + NOISE)[:-20]


def put_back(hours: int) -> str:
    """Return rows of two columns of counts, an hour each, one of which comes twice."""
    times = [datetime(2024, 10, 1) + timedelta(hours=at) for at in range(hours + 20)]
    times.insert(hours, times[hours])
    return "".join(f"{time:%Y-%m-%d %H:%M},{at % 7},{at % 5}\n" for at, time in enumerate(times))


DATED = "date,a,b\n2024-01-01,1,2\n2024-01-02,1,"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        *((content, "The file is empty.") for content in
          (b"", b" \n\r\n ", gzip.compress(b"", mtime=0), b"\xef\xbb\xbf")),
        *((content, "The file holds no values") for content in
          ("series_id,time,value\n", "a,b", "a,b\n,\n,\n", "unique_id,ds,y\n,,\n")),
        (b"a,b\n1,2\n" + NOISE, "The file is not a text table: line 3 "),
        ("a,b\n1,2\n3\n4,5\n", "Line 3 has 1 cell where the first line has 2 .*comma"),
        ("a;b\n1;2\n\n3;4;5\n", "Line 4 has 3 cells where"),
        ("id,t,value\n" + "".join(f"A,{t},1\n" for t in range(150_000)) + "A,1\n",
         "Line 150002 has 2 cells where the first line has 3"),
        ("a b\n1 2\n3 4\n",
         'Line 2, column "a b": "1 2" is not a number.*no comma, semicolon, tab or pipe'),
        ("exported today\nid,t,value\nA,1,5\n",
         'Line 2, column "exported today": "id,t,value" is not a number'),
        ('a,b\n1,2\n"3,4\n5,6\n',
         "Line 3 cannot be read: a quotation mark opens a cell and is never closed."),
        ('a,b\n1,2\n"3"x,4\n', "Line 3 cannot be read: a quotation mark"),
        ("a,b\n1,2\n" + "9" * 200_000 + ",1\n",
         "Line 3 cannot be read: a cell is longer than 131,072 characters."),
        *((f"{DATED}{value}\n", f'Line 3, column "b": "{value}" is not finite.')
          for value in ("inf", "-Infinity", "1e999")),
        ("id,t,value\nA,1,5\nB,1,5\nA,2,5\nA,1,6\n",
         'Line 5: the series "A" has the time stamp "1" a second time, after line 2.*series_id'),
        ("ds,y\n2024-01-01,5\n2024-01-02,5\n2024-01-01,5.5\n",
         'Line 4: the time stamp "2024-01-01" appears a second time, after.*series_id'),
        ("time,in,a\n2024-01-01,True,1\n2024-01-02,False,2\n2024-01-03,True,2\n",
         'Line 2, column "in": "True" is not a number.'),
        # Of two columns of counts none names series where one hour comes twice, soon or late.
        *((f"time,a,b\n{put_back(hours)}",
           f'Line {hours + 3}: .* a second time, after line {hours + 2};.*clocks were put back')
          for hours in (30, 1500)),
        ("id,t,value\nA,1,5\n,2,5\n", 'Line 3, column "id": the name of the series is missing.'),
        ("id,t,value\nA,1,5\nA,NaN,5\n", 'Line 3, column "t": the time stamp is missing.'),
        ("date,a\n2024-01-01,1\n2024-01-02,1\n,3\n",
         'Line 4, column "date": the time stamp is missing.'),
        ("time,a,a\n1,2,3\n", 'The column name "a" appears twice, in columns 2 and 3: give each'),
        ("date,name\n2024-01-01,foo\n2024-01-02,foo\n", "No column with numbers"),
        (CUT_OFF, ".*damaged or cut off"),
        (b"\x1f\x8bnonsense", ".*damaged or cut off"),
        *((kind + b"rest", f".*{name}.*save the table as CSV") for kind, name in (
            (b"PK\x03\x04", "Excel workbook or a zip"), (b"\xd0\xcf\x11\xe0", "old Excel"),
            (b"%PDF-1.7", "PDF"), (b"\x89HDF\r\n", "HDF5"), (b"ARROW1", "Feather"),
        )),
    ],
    ids=range(37),
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line_and_what_may_be_meant(
    content: bytes | str, said: str
) -> None:
    assert re.match(said, _message(content))


@pytest.mark.parametrize(
    ("table", "start"),
    [
        ("date,a,b\n2024-01-01,5,1.5\n2024-01-01,5,2.5\n",
         'Line 3: the time stamp "2024-01-01" appears'),
        ("date,region,load\n2024-01-01,N,1\n2024-01-02,N,1\n",
         'Line 2, column "region": "N" is not a number.'),
    ],
)  # fmt: skip
def test_a_table_that_is_declared_wide_keeps_that_meaning(table: str, start: str) -> None:
    assert _message(table, layout="wide").startswith(start)


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_bomb(packing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.series_file.text_file.MOST_BYTES", 25 * 2**20)
    zeros = (b"0," * 500 + b"0\n") * 2**10
    if packing == "gzip":
        content = gzip.compress(zeros) * 30
    else:
        content = pytest.importorskip("pyarrow").compress(zeros, "zstd", asbytes=True) * 30
    assert len(content) < 2**18
    assert _message(content).startswith("The file is larger than 25 MB (uncompressed)")


def test_value_that_is_no_number_is_shortened_to_one_readable_line() -> None:
    message = _message("id,t,value\nA,1,5\nA,2,\x85oops" + "x" * 500 + "\n")
    assert message.startswith('Line 3, column "value": "')
    shown = message.split('"')[3]
    assert len(shown) == LONGEST_SHOWN
    assert shown.endswith("xxx...")
    assert "\x85" not in message
    assert message.endswith("is not a number.")


def test_more_than_is_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = ",".join("1" for _ in range(600_000)) + "\n"
    for rows in (0, 1):
        assert "more than 100,010 columns" in _message("a,b\n" * rows + wide)
    long = "id,t,value\n" + "".join(f"s{n},1,1\n" for n in range(100_001))
    assert _message(long) == "The file holds more than 100,000 series."
    assert "more than 10,000,000 rows" in _message(b"load\n" + b"1\n" * 10_000_001)
    monkeypatch.setattr("dpviz.series_file.table.MOST_SERIES", 2)
    assert _message("a,b,c\n1,2,3\n") == "The file holds more than 2 series."
    monkeypatch.setattr("dpviz.series_file.lengths_in_table.MOST_STAMPS", 2)
    assert "more than 2 different times" in _message("id,t,value\nA,1,1\nA,2,1\nA,3,1\n")
    monkeypatch.setattr("dpviz.series_file.text_file.MOST_BYTES", 2**20)
    assert "larger than 1 MB" in _message(b"0" * (2**20 + 1))


@settings(derandomize=True, deadline=None, max_examples=120)
@given(st.binary(max_size=200), st.sampled_from(["a.csv", "a.csv.gz", "a.parquet"]))
@example(b"PAR1" + b"\x00" * 20 + b"PAR1", "a.parquet")
@example(b"\xff\xfe\x00", "a.csv")
@example(b"\x1f\x8b\x08", "a.csv.gz")
def test_random_bytes_raise_nothing_else(content: bytes, name: str) -> None:
    _check_any(content, name)


PIECES = (
    "1", "2.5", "", "NaN", "A", "id", "t", "date", "value", "2024-01-01", "01/02/2024", "10:00",
    "inf", "1e400", "1,5", "2024Q3", "Dec 2024", "20240101", "9999-12-31", "year", '"', '""', "\n",
    "\r\n", ",", ";", "\t", "|", "é", "\x00", "\ufeff", "\u2028", "+01:00",
)  # fmt: skip


@settings(derandomize=True, deadline=None, max_examples=120)
@given(
    st.lists(st.sampled_from(PIECES), max_size=40),
    st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]),
)
def test_random_texts_raise_nothing_else(pieces: list[str], encoding: str) -> None:
    _check_any("".join(pieces).encode(encoding), "table.csv")


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from(PIECES[:20]), min_size=width, max_size=width),
            min_size=1,
            max_size=12,
        )
    )
)
def test_random_tables_raise_nothing_else(rows: list[list[str]]) -> None:
    _check_any("\n".join("|".join(row) for row in rows).encode(), "table.csv")


def _check_any(content: bytes, name: str) -> None:
    for layout in LAYOUTS:
        try:
            told = read_series_lengths(content, name, layout=layout).notes
        except SeriesFileError as error:
            told = (str(error),)
        assert all(sentence.isprintable() and len(sentence) < 600 for sentence in told)


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
@pytest.mark.parametrize(
    "cell",
    ["1_000", "١٢", "１２", "1e-400", "-0.1E-0330", "1'5", f"0.{'0' * 290}1e-50"],
    ids=lambda cell: ascii(cell[:9]),
)
@pytest.mark.parametrize("read", [read_series_lengths, read_series_values])
def test_what_python_reads_as_a_number_and_is_not_plainly_one_is_refused(read, cell, quote) -> None:
    rows = [f"{at},{at}.5" for at in range(20)]
    table = "\n".join(["north,south", *rows, f"{quote}{cell}{quote},3", ""])
    shown = re.escape(quoted(cell))
    with pytest.raises(SeriesFileError, match=f'"north": {shown} is not a number'):
        read(table.encode(), "table.csv")


@pytest.mark.parametrize("cell", ["1e-310", "0e-400", "-0.00", " 4\u00a0", "+.5e1", "1E+02"])
def test_what_is_plainly_a_number_is_read(cell) -> None:
    table = "\n".join(["north,south", *(f"{at},{at}.5" for at in range(20)), f"{cell},3", ""])
    assert read_series_values(table.encode(), "table.csv").values[0][-1] == float(cell)
