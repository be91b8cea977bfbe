"""Which rows and time steps of a file are read, and what is said of them."""

from collections.abc import Sequence

import numpy as np
import pytest

from dpviz.series_file import SeriesFileError, SeriesLengths, read_series_lengths
from dpviz.series_file.rows import is_tsf
from dpviz.series_file.values import read_series_values

M4 = '"V1","V2","V3","V4","V5"\n"D1","10","11.5","12",\n"D2","7","","9","8"\n"D3","5",,,\n'
M5 = (
    "id,item_id,store_id,d_1,d_2,d_3\nFOODS_1_CA,FOODS_1,CA,0,1,2\nFOODS_1_TX,FOODS_1,TX,3,0,1\n"
    "HOBBIES_1_CA,HOBBIES_1,CA,1,1,1\n"
)
COVID = (
    "Province/State,Country/Region,Lat,Long,1/22/20,1/23/20,1/24/20\n"
    ",Albania,41.1,20.1,0,2,3\n,Algeria,28.0,1.6,0,0,1\nHubei,China,30.9,112.2,4,5,6\n"
)
WORLD = "Country Name,Country Code,1960,1961,1962\nAruba,ABW,,54208,55434\nChad,TCD,3,4,5\n"
TSF = """# Dataset Information
@relation sales
@attribute series_name string
@attribute start_timestamp date
@frequency half_hourly
@missing true
@equallength false
@data
T1:1996-03-18 00-00-00:1.5,2,?,4
T2:1996-03-18 00-00-00:5,6
"""


@pytest.mark.parametrize(
    ("table", "lengths", "step"),
    [
        (M4, (3, 4, 1), None),
        (M5, (3, 3, 3), None),
        (COVID, (3, 3, 3), "1 day"),
        (WORLD, (2, 3), "1 year"),
        ("id,2024-01-01,2024-01-08,2024-01-15\na,1,2,\nb,1,2,3\n", (2, 3), "1 week"),
        ("shop,2024-01-01,2024-01-08,2024-01-15\na,1,2,\nb,1,2,3\n", (2, 3), "1 week"),
    ],
    ids=["M4", "M5", "dates", "years", "weeks", "a word of one's own"],
)
def test_a_row_for_each_series_is_recognised(table, lengths, step) -> None:
    found = read_series_lengths(table.encode(), "table.csv")
    assert (found.layout, found.lengths) == ("rows", lengths)
    assert found.doubt is None
    assert (None if found.time_step is None else str(found.time_step)) == step
    assert any("Each row was taken to be one series" in note for note in found.notes)


def test_values_of_rows_are_those_between_the_first_and_the_last() -> None:
    found = read_series_values(M4.encode(), "Daily-train.csv")
    assert found.names == ("D1", "D2", "D3")
    np.testing.assert_array_equal(found.values[0], [10, 11.5, 12])
    np.testing.assert_array_equal(found.values[1], [7, np.nan, 9, 8])


def test_monash_files_are_read() -> None:
    for name in ("sales.tsf", "sales.txt"):
        found = read_series_lengths(TSF.encode(), name)
        assert (found.layout, found.lengths, str(found.time_step)) == ("rows", (4, 2), "30 minutes")
        assert "1 value is missing in series" in found.notes[0]
    values = read_series_values(TSF.replace("1.5,2", "0.5,NA,2").encode(), "sales.tsf")
    assert values.names == ("T1", "T2")
    np.testing.assert_array_equal(values.values[0], [0.5, np.nan, 2, np.nan, 4])


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + TSF,
        TSF.replace("attribute ", "attribute\t").replace("frequency ", "frequency\t"),
        TSF.replace("frequency ", "frequency  ").replace("attribute ", "Attribute \t"),
    ],
    ids=["byte order mark", "tabs", "blanks"],
)
def test_a_monash_file_is_read_whatever_sets_its_words_off(text: str) -> None:
    expected = read_series_values(TSF.encode(), "sales.tsf")
    found = read_series_values(text.encode(), "sales.tsf")
    assert (found.names, found.time_step) == (expected.names, expected.time_step)
    assert str(found.values) == str(expected.values)


def test_a_step_of_thousands_of_digits_leaves_it_open() -> None:
    """Python makes no number of so many."""
    found = read_series_lengths(TSF.replace("half_hourly", "9" * 5000 + "_days").encode(), "a.tsf")
    assert (found.lengths, found.time_step) == ((4, 2), None)


def test_a_long_line_is_read_piece_by_piece(monkeypatch) -> None:
    whole = read_series_values(TSF.encode(), "sales.tsf").values
    for size in (1, 2, 4):
        monkeypatch.setattr("dpviz.series_file.rows._PIECE", size)
        assert str(read_series_values(TSF.encode(), "a.tsf").values) == str(whole)
    monkeypatch.setattr("dpviz.series_file.rows.MOST_ROWS", 3)
    with pytest.raises(SeriesFileError, match="Line 9 has more than 3 values"):
        read_series_values(TSF.encode(), "sales.tsf")


@pytest.mark.parametrize(
    "text",
    [TSF.replace("5,6", "5," + "6" * 900), "a,b\n1,2\n3," + "4" * 900],
    ids=["a series", "a row"],
)
def test_no_line_is_held_that_is_longer_than_is_read(text, monkeypatch) -> None:
    monkeypatch.setattr("dpviz.series_file.text_file._LONGEST_LINE", 600)
    last = text.rstrip().count("\n") + 1
    with pytest.raises(SeriesFileError, match=f"Line {last} cannot be read: it, or a cell of it"):
        read_series_lengths(text.encode(), "table")


def test_a_line_of_hashes_is_looked_at_once() -> None:
    """Tried in all the ways to cut it into comments, forty of them would take a day."""
    hashes = "#" * 5000
    assert read_series_lengths(f"{hashes}load\n1\n2\n".encode(), "t.csv").lengths == (2,)
    for end in ("\n", "\r\n", "\r"):
        text = (f"{hashes}\n" + TSF).replace("\n", end)
        assert is_tsf(text.encode())


@pytest.mark.parametrize(
    ("damaged", "told"),
    [
        *((TSF.replace("5,6", f"5,{cell}"), f'Line 10: "{cell}" is no finite number.')
          for cell in ("six", "inf", "1_000", "1e-400", "١٢", "1.234.567")),
        (TSF.replace("T2:1996-03-18 00-00-00:", ""), "Line 10 has 0 of the 2 attributes"),
        (TSF.replace("T2", "T1"), 'Line 10: the series "T1" comes a second time'),
        (TSF.partition("@data")[0], 'The file has no line "@data"'),
    ],
)  # fmt: skip
def test_a_damaged_monash_file_is_refused_with_its_line(damaged, told) -> None:
    with pytest.raises(SeriesFileError, match=told):
        read_series_lengths(damaged.encode(), "sales.tsf")


@pytest.mark.parametrize(
    ("table", "layout", "other"),
    [
        ("a,b,c,d\n1,2,3,4\n5,6,7,8\n", "wide", "rows"),
        ("1,2,3,4\n5,6,7,8\n9,9,9,9\n9,9,9,9\n9,9,9,9\n", "wide", "rows"),
        ("series_id,time,value\na,1,1\nb,1,1\nc,1,1\n", "long", "wide"),
        ("id,v1,v2,v3\n1,5,5,5\n2,6,6,6\n3,7,7,7\n", "rows", "wide"),
    ],
)
def test_what_may_be_meant_otherwise_is_a_doubt_with_the_other_reading(
    table, layout, other
) -> None:
    found = read_series_lengths(table.encode(), "table.csv")
    assert (found.layout, found.doubt and found.doubt.layout) == (layout, other)
    chosen = read_series_lengths(table.encode(), "table.csv", layout=layout)
    assert (chosen.lengths, chosen.doubt) == (found.lengths, None)


def test_either_reading_can_be_chosen() -> None:
    table = b"a,b,c,d\n1,2,3,4\n5,6,7,8\n"
    assert read_series_lengths(table, "t.csv", layout="rows").lengths == (4, 4)
    assert read_series_lengths(table, "t.csv", layout="wide").lengths == (2, 2, 2, 2)
    told = "The file was read as 4 series of at most 2 values, one a column"
    assert read_series_values(table, "t.csv").notes[0].startswith(told)
    assert not any(told in note for note in read_series_values(table, "t.csv", layout="wide").notes)


@pytest.mark.parametrize(
    ("header", "is_said"),
    [("shop,x,y", True), ("V1,V2,V3", True), ("series_id,x,y", False)],
)
def test_numbers_that_may_name_the_rows_are_said_to_count_as_values(header, is_said) -> None:
    table = f"{header}\n101,5,6\n102,7,8\n".encode()
    found = read_series_lengths(table, "t.csv", layout="rows")
    told = f'Column "{header.partition(",")[0]}" counts as values: call it series_id if'
    assert any(told in note for note in found.notes) == is_said
    assert found.lengths == ((3, 3) if is_said else (2, 2))


@pytest.mark.parametrize(
    "table",
    [
        "time,s1,s2,s3\n1,5,5,5\n2,6,6,6\n3,7,7,7\n4,7,7,7\n",
        ",0,1,2\n0,5,5,5\n1,6,6,6\n2,7,7,7\n3,7,7,7\n",
        "month,s1,s2,s3\nJan,5,5,5\nFeb,6,6,6\nMar,7,7,7\n",
    ],
)
def test_numbered_columns_beside_a_time_are_series(table) -> None:
    found = read_series_lengths(table.encode(), "table.csv")
    assert (found.layout, found.num_series, found.doubt) == ("wide", 3, None)


def _read(stamps: Sequence[str], *, name: str = "date") -> SeriesLengths:
    rows = [f"{stamp};{value}" for value, stamp in enumerate(stamps)]
    return read_series_lengths("\n".join([f"{name};value", *rows]).encode(), "table.csv")


@pytest.mark.parametrize(
    ("stamps", "step"),
    [
        (["2024-01-01", "2024-01-02", "2024-01-03"], "1 day"),
        (["2024-01-01", "2024-01-08", "2024-01-15"], "1 week"),
        (["2024-01-01 00:00:00", "2024-01-01 00:00:30", "2024-01-01 00:01:00"], "30 seconds"),
        (["2024-01-01T00:00Z", "2024-01-01T06:00Z", "2024-01-01T12:00Z"], "6 hours"),
        (["2024-01-01", "2024-02-01", "2024-03-01"], "1 month"),
        (["2024-01-31", "2024-02-29", "2024-03-31"], "1 month"),
        (["2024-01", "2024-02", "2024-03"], "1 month"),
        (["2024-01-01", "2024-04-01", "2024-07-01"], "1 quarter"),
        (["2024Q3", "2024Q4", "2025Q1"], "1 quarter"),
        (["Q3 2024", "Q4 2024", "Q1 2025"], "1 quarter"),
        (["2021-01-01", "2022-01-01"], "1 year"),
        (["2020-01-01", "2022-01-01", "2024-01-01"], "2 years"),
        (["20240101", "20240102", "20240103"], "1 day"),
        (["1/30/2024 11:00 PM", "1/31/2024 12:00 AM", "1/31/2024 1:00 AM"], "1 hour"),
        (["01 Jan 2024", "02 Jan 2024", "03 Jan 2024"], "1 day"),
        (["Jan 2024", "Feb 2024", "Mar 2024"], "1 month"),
        (["01.02.2024", "02.02.2024", "03.02.2024"], "1 day"),
        (["13/01/24", "14/01/24", "15/01/24"], "1 day"),
        (["2024-01-03", "2024-01-01", "2024-01-02"], "1 day"),
        # Across a change of the clock.
        (
            [f"{day} 00:00:00+0{hours}:00" for day, hours in
             (("2024-03-30", 1), ("2024-03-31", 1), ("2024-04-01", 2))],
            "1 day",
        ),
    ],
)  # fmt: skip
def test_steps_of_many_spellings(stamps: list[str], step: str) -> None:
    lengths = _read(stamps)
    assert (str(lengths.time_step), lengths.notes) == (step, ())


def test_years_by_the_name_of_their_column() -> None:
    assert str(_read(["2022", "2023", "2024"], name="year").time_step) == "1 year"
    assert _read(["2022", "2023", "2024"], name="t").time_step is None


DAYS = np.arange(20).astype("datetime64[D]").astype(str).tolist()


@pytest.mark.parametrize(
    ("stamps", "note"),
    [
        # Stamps need not be dates: a count needs no note.
        (["1", "2", "3"], None),
        (["week 2", "week 1"], 'such as "week 2" are neither dates nor numbers: values are taken'),
        (["2024-01-02 00:00 EST", "2024-01-01 00:00 EST"], "in the order of the file"),
        (DAYS[:10] + DAYS[12:], "not 1 day in 1 of 17 places"),
        (["2024-01-01 0:00:00", "2024-01-01 00:00:00.5", "2024-01-01 0:00:01"], "whole number of"),
        (["2024-01-01 0:00:00", "2024-01-01 0:00:00.50", "2024-01-01 0:00:01"], "whole number of"),
        (["２０２４Q1", "２０２４Q2"], 'such as "２０２４Q1" are neither dates nor numbers'),
        ([f"01/01/2024 {hour}:00" for hour in range(20, 28)],
         'such as "01/01/2024 25:00", could not be read as dates'),
        (["2024-01-01", "2024-02-02", "2024-03-03", "2024-04-04"], ""),
        (["01/01/2024", "02/01/2024", "03/01/2024"], "could be 1 day or 1 month"),
        (["2024-01-01", "2024-01-02", "2024-01-03", "Total"],
         'Some time stamps, such as "Total", could not be read as dates'),
        (["1", "2", "3", "Total"], 'such as "Total" are neither dates nor numbers'),
    ],
)  # fmt: skip
def test_stamps_that_tell_no_step_leave_it_open_and_a_note_says_why(stamps, note) -> None:
    lengths = _read(stamps, name="t" if note is None else "date")
    assert (lengths.lengths, lengths.time_step) == ((len(stamps),), None)
    assert lengths.notes == () if note is None else note in lengths.notes[0]


def test_series_must_agree_on_the_step() -> None:
    table = "id,date,value\nA,2024-01-01,1\nA,2024-01-02,1\nB,2024-01-0{0},1\nB,2024-01-0{1},1\n"
    even = read_series_lengths(table.format(5, 6).encode(), "t.csv")
    uneven = read_series_lengths(table.format(2, 9).encode(), "t.csv")
    assert (str(even.time_step), uneven.time_step) == ("1 day", None)
    of_one_value = b"id,date,value\nA,2024-01-01,1\nB,2024-01-02,1\n"
    lengths = read_series_lengths(of_one_value, "t.csv")
    assert (lengths.lengths, lengths.time_step, lengths.notes) == ((1, 1), None, ())


def test_offsets_order_the_hour_that_comes_twice_when_clocks_are_put_back() -> None:
    newest_first = (
        "ds,y\n2024-10-27T03:00:00+01:00,5\n2024-10-27T02:30:00+01:00,4\n"
        "2024-10-27T02:00:00+01:00,3\n2024-10-27T02:30:00+02:00,2\n2024-10-27T02:00:00+02:00,1\n"
    )
    found = read_series_values(newest_first.encode(), "table.csv")
    assert found.values[0].tolist() == [1, 2, 3, 4, 5]
    assert str(found.time_step) == "30 minutes"


def test_a_wide_table_is_measured_in_the_order_of_time() -> None:
    days = [f"2024-01-{day:02}" for day in range(1, 31)]
    columns = {"early": range(7), "late": range(20, 30), "all": range(30), "ends": (0, 29)}
    rows = [
        ",".join([day, *("1" if at in here else "" for here in columns.values())])
        for at, day in enumerate(days)
    ]
    for order in (range(30), reversed(range(30)), np.random.default_rng(1).permutation(30)):
        table = "\n".join(["date," + ",".join(columns), *(rows[at] for at in order)]).encode()
        assert read_series_lengths(table, "table.csv").lengths == (7, 10, 30, 30)
        values = read_series_values(table, "table.csv").values
        assert [len(one) for one in values] == [7, 10, 30, 30]


@pytest.mark.parametrize(
    "header", ["2024-03-01,2024-01-01,2024-02-01", "3/15/24,1/15/24,2/15/24", "2022,2020,2021"]
)
def test_rows_are_read_in_the_order_of_the_dates_above_them(header: str) -> None:
    table = f"name,{header}\na,3,1,2\nb,,5,6\nc,9,7,\n".encode()
    found = read_series_values(table, "table.csv", layout="rows")
    expected = ([1, 2, 3], [5, 6], [7, np.nan, 9])
    for values, in_time in zip(found.values, expected, strict=True):
        np.testing.assert_array_equal(values, in_time)
    assert read_series_lengths(table, "table.csv", layout="rows").lengths == (3, 2, 3)


@pytest.mark.parametrize("zone", [" UTC", "UTC", " GMT", "Z"])
def test_universal_time_may_be_said_in_letters(zone: str) -> None:
    newest_first = [f"2024-01-01 {hour:02}:00:00{zone},{hour}" for hour in (3, 2, 1, 0)]
    found = read_series_values("\n".join(["date,load", *newest_first]).encode(), "table.csv")
    assert found.values[0].tolist() == [0, 1, 2, 3]
    assert str(found.time_step) == "1 hour"
