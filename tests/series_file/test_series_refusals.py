"""Files that cannot be read: each message says what, where and why."""

import gzip
import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpviz.scenario.errors import LONGEST_SHOWN
from dpviz.series_file import LAYOUTS, SeriesFileError, read_series_lengths
from dpviz.series_file.values import read_series_values


def _message(content: bytes | str, *, name: str = "table.csv", layout: str = "auto") -> str:
    if isinstance(content, str):
        content = content.encode()
    with pytest.raises(SeriesFileError) as caught:
        read_series_lengths(content, name, layout=layout)
    return str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b" \n\r\n ", gzip.compress(b"", mtime=0), b"\xef\xbb\xbf"]
)
def test_empty_file(content: bytes) -> None:
    """A file without any content is called empty."""
    assert _message(content) == "The file is empty."


@pytest.mark.parametrize(
    "content", ["series_id,time,value\n", "a,b", "a,b\n,\n,\n", "unique_id,ds,y\n,,\n"]
)
def test_file_without_values(content: str) -> None:
    """A header alone, or rows without any value, hold no values."""
    assert _message(content).startswith("The file holds no values")


def test_column_of_texts_only() -> None:
    """Without a column of numbers there is no series."""
    assert "No column with numbers" in _message("date,name\n2024-01-01,foo\n2024-01-02,foo\n")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"PK\x03\x04rest", "Excel workbook or a zip"),
        (b"\xd0\xcf\x11\xe0rest", "old Excel"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89HDF\r\n", "HDF5"),
        (b"ARROW1", "Feather"),
    ],
)
def test_files_of_other_kinds_are_named(content: bytes, kind: str) -> None:
    """Common files that are no tables of text are named for what they are."""
    message = _message(content)
    assert kind in message
    assert "save the table as CSV" in message


def test_binary_garbage() -> None:
    """Bytes that are no text are refused with the line of the first control character."""
    content = b"a,b\n1,2\n" + random.Random(1).randbytes(1000)
    assert _message(content).startswith("The file is not a text table: line 3 ")


def test_damaged_gzip() -> None:
    """A download that was cut off is told from a bad table."""
    content = gzip.compress(b"a,b\n" + random.Random(1).randbytes(1000))
    assert "damaged or cut off" in _message(content[:-20], name="table.csv.gz")
    assert "damaged or cut off" in _message(b"\x1f\x8b" + b"nonsense", name="table.csv.gz")


@pytest.mark.parametrize("packing", ["gzip", "zstd"])
def test_bomb(packing: str) -> None:
    """A small file that unpacks to far more than the limit is refused before it does."""
    zeros = (b"0," * 500 + b"0\n") * 2**10
    if packing == "gzip":
        content = gzip.compress(zeros) * 600
    else:
        content = pytest.importorskip("pyarrow").compress(zeros, "zstd", asbytes=True) * 600
    assert len(content) < 2**22
    assert _message(content).startswith("The file is larger than 500 MB (uncompressed)")


def test_file_over_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit holds for plain files, too."""
    monkeypatch.setattr("dpviz.series_file.text_file.MOST_BYTES", 2**20)
    assert "larger than 1 MB" in _message(b"0" * (2**20 + 1))


def test_ragged_rows() -> None:
    """Rows with too few or too many cells are refused with their line and the separator."""
    message = _message("a,b\n1,2\n3\n4,5\n")
    assert message.startswith("Line 3 has 1 cell where the first line has 2")
    assert "comma" in message
    assert _message("a;b\n1;2\n\n3;4;5\n").startswith("Line 4 has 3 cells where")


def test_ragged_row_far_down() -> None:
    """Line numbers are right over many thousand rows."""
    content = "id,t,value\n" + "".join(f"A,{t},1\n" for t in range(150_000)) + "A,1\n"
    assert _message(content).startswith("Line 150002 has 2 cells where the first line has 3")


def test_wrong_separator() -> None:
    """A table separated by something else is one column of no numbers; the message says why."""
    message = _message("a b\n1 2\n3 4\n")
    assert message.startswith('Line 2, column "a b": "1 2" is not a number')
    assert "no comma, semicolon, tab or pipe" in message


def test_lines_above_the_header() -> None:
    """A title above the table is met in the same way."""
    message = _message("exported today\nid,t,value\nA,1,5\n")
    assert message.startswith('Line 2, column "exported today": "id,t,value" is not a number')


def test_unclosed_quotation_mark() -> None:
    """The message has the line on which the quotation mark opens, not the end of the file."""
    message = _message('a,b\n1,2\n"3,4\n5,6\n')
    assert message == "Line 3 cannot be read: a quotation mark opens a cell and is never closed."


def test_quotation_mark_inside_a_cell() -> None:
    """Text after a closing quotation mark is refused with its line."""
    assert _message('a,b\n1,2\n"3"x,4\n').startswith("Line 3 cannot be read: a quotation mark")


def test_huge_cell() -> None:
    """A cell of more than 131,072 characters is refused with its line."""
    assert _message("a,b\n1,2\n" + "9" * 200_000 + ",1\n") == (
        "Line 3 cannot be read: a cell is longer than 131,072 characters."
    )


def test_value_that_is_no_number() -> None:
    """The message has line, column and value, shortened to one readable line."""
    message = _message("id,t,value\nA,1,5\nA,2,\x85oops" + "x" * 500 + "\n")
    assert message.startswith('Line 3, column "value": "')
    shown = message.split('"')[3]
    assert len(shown) == LONGEST_SHOWN
    assert shown.endswith("xxx...")
    assert "\x85" not in message
    assert message.endswith("is not a number.")


@pytest.mark.parametrize("value", ["inf", "-Infinity", "1e999"])
def test_infinite_value(value: str) -> None:
    """Infinite values are refused: no model trains on them."""
    assert _message(f"date,a,b\n2024-01-01,1,2\n2024-01-02,1,{value}\n") == (
        f'Line 3, column "b": "{value}" is not finite.'
    )


def test_repeated_time_stamp_in_a_long_table() -> None:
    """A series with the same time stamp twice is refused with both lines."""
    message = _message("id,t,value\nA,1,5\nB,1,5\nA,2,5\nA,1,6\n")
    assert message.startswith('Line 5: the series "A" has the time stamp "1" a second time, after')
    assert "after line 2" in message
    assert "series_id" in message


def test_repeated_time_stamp_without_series() -> None:
    """Without a series column, a repeated time stamp says that one is needed."""
    message = _message("ds,y\n2024-01-01,5\n2024-01-02,5\n2024-01-01,5.5\n")
    assert message.startswith('Line 4: the time stamp "2024-01-01" appears a second time, after')
    assert "series_id" in message


def test_repeated_time_stamp_in_a_wide_table() -> None:
    """A table that is declared wide keeps that meaning: repeated times are refused."""
    table = "lane,time,flow\n1,1,5\n1,2,5\n2,1,5\n2,2,6\n"
    assert read_series_lengths(table.encode(), "t.csv").lengths == (2, 2)
    table = "date,a,b\n2024-01-01,5,1.5\n2024-01-01,5,2.5\n"
    assert _message(table, layout="wide").startswith('Line 3: the time stamp "2024-01-01" appears')


def test_missing_series_or_time() -> None:
    """A value without a series or a time is refused with its line and column."""
    assert _message("id,t,value\nA,1,5\n,2,5\n") == (
        'Line 3, column "id": the name of the series is missing.'
    )
    assert _message("id,t,value\nA,1,5\nA,NaN,5\n") == (
        'Line 3, column "t": the time stamp is missing.'
    )
    assert _message("date,a\n2024-01-01,1\n2024-01-02,1\n,3\n") == (
        'Line 4, column "date": the time stamp is missing.'
    )


def test_repeated_column_name() -> None:
    """Two columns of one name are refused with both places."""
    assert _message("time,a,a\n1,2,3\n") == (
        'The column name "a" appears twice, in columns 2 and 3: give each column a name of its own.'
    )


def test_text_in_a_wide_table() -> None:
    """A table that is declared wide may hold numbers only, beside its time."""
    message = _message("date,region,load\n2024-01-01,N,1\n2024-01-02,N,1\n", layout="wide")
    assert message == 'Line 2, column "region": "N" is not a number.'


@pytest.mark.parametrize("rows", [0, 1])
def test_too_many_columns(rows: int) -> None:
    """More columns than there may be series are refused, in the header or in one long row."""
    wide = ",".join("1" for _ in range(600_000)) + "\n"
    assert "more than 100,010 columns" in _message("a,b\n" * rows + wide)


def test_too_many_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 100,000 series are refused in both layouts."""
    long = "id,t,value\n" + "".join(f"s{n},1,1\n" for n in range(100_001))
    assert _message(long) == "The file holds more than 100,000 series."
    monkeypatch.setattr("dpviz.series_file.lengths_in_table.MOST_SERIES", 2)
    assert _message("a,b,c\n1,2,3\n") == "The file holds more than 2 series."


def test_too_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of more than 10,000,000 rows is refused, and one of too many times."""
    assert "more than 10,000,000 rows" in _message(b"load\n" + b"1\n" * 10_000_001)
    monkeypatch.setattr("dpviz.series_file.lengths_in_table.MOST_STAMPS", 2)
    assert "more than 2 different times" in _message("id,t,value\nA,1,1\nA,2,1\nA,3,1\n")


@settings(derandomize=True, deadline=None, max_examples=120)
@given(st.binary(max_size=200), st.sampled_from(["a.csv", "a.csv.gz", "a.parquet"]))
@example(b"PAR1" + b"\x00" * 20 + b"PAR1", "a.parquet")
@example(b"\xff\xfe\x00", "a.csv")
@example(b"\x1f\x8b\x08", "a.csv.gz")
def test_random_bytes_raise_nothing_else(content: bytes, name: str) -> None:
    """Whatever is uploaded, there is a result or a message of one line."""
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
    """The same for texts of the pieces that tables consist of."""
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
    """The same for tables of such pieces."""
    _check_any("\n".join("|".join(row) for row in rows).encode(), "table.csv")


def _check_any(content: bytes, name: str) -> None:
    for layout in LAYOUTS:
        try:
            told = read_series_lengths(content, name, layout=layout).notes
        except SeriesFileError as error:
            told = (str(error),)
        assert all(sentence.isprintable() and len(sentence) < 600 for sentence in told)


@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
@pytest.mark.parametrize("cell", ["1_000", "١٢", "１２", "1e-400", "-0.1E-0330", "1'5"])
@pytest.mark.parametrize("read", [read_series_lengths, read_series_values])
def test_what_python_reads_as_a_number_and_is_not_plainly_one_is_refused(read, cell, quote) -> None:
    rows = [f"{at},{at}.5" for at in range(20)]
    table = "\n".join(["north,south", *rows, f"{quote}{cell}{quote},3", ""])
    with pytest.raises(SeriesFileError, match=f'"north": "{re.escape(cell)}" is not a number'):
        read(table.encode(), "table.csv")


@pytest.mark.parametrize("cell", ["1e-310", "0e-400", "-0.00", " 4\u00a0", "+.5e1", "1E+02"])
def test_what_is_plainly_a_number_is_read(cell) -> None:
    table = "\n".join(["north,south", *(f"{at},{at}.5" for at in range(20)), f"{cell},3", ""])
    assert read_series_values(table.encode(), "table.csv").values[0][-1] == float(cell)
