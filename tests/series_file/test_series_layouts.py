"""Which columns are series, time and value: what is certain is read, what is doubtful is told."""

import gzip
import io

import numpy as np
import pytest

from dpviz.series_file import SeriesFileError, SeriesLengths, read_series_lengths
from dpviz.series_file.any_layout import ColumnNames, read_any_layout


def _read(table: str, layout: str = "auto") -> SeriesLengths:
    return read_series_lengths(table.encode(), "table.csv", layout=layout)


def _rows(header: str, *rows: str) -> str:
    return "\n".join((header, *rows)) + "\n"


@pytest.mark.parametrize(
    "header",
    ["series_id,time,value", "unique_id,ds,y", "item_id,timestamp,target", "ID,Date,Count"],
)
def test_usual_names_make_a_long_table_without_questions(header: str) -> None:
    """The names that forecasting libraries use are known, in any case."""
    lengths = _read(_rows(header, "1,2024-01-01,5", "1,2024-01-02,5", "2,2024-01-01,5"))
    assert (lengths.layout, lengths.lengths, lengths.notes) == ("long", (2, 1), ())


def test_columns_may_come_in_any_order_with_others_between() -> None:
    """Extra columns do no harm."""
    lengths = _read(_rows("split,y,extra,ds,unique_id", "train,5,x,1,A", "test,6,,2,A"))
    assert (lengths.layout, lengths.lengths, lengths.notes) == ("long", (2,), ())


def test_series_come_in_order_of_appearance() -> None:
    """Lengths are in the order in which the series first appear, rows in any order."""
    lengths = _read(_rows("id,t,value", "B,2,1", "A,1,1", "B,1,1", "B,3,1"))
    assert lengths.lengths == (3, 1)


def test_wide_table_with_dates() -> None:
    """A column of dates and three of numbers are three series."""
    lengths = _read(_rows("date,a,b,c", "2024-01-01,1,2,3", "2024-01-02,1,2,3"))
    assert (lengths.layout, lengths.lengths, lengths.notes) == ("wide", (2, 2, 2), ())


def test_wide_table_without_time() -> None:
    """Columns of numbers alone are series."""
    assert _read(_rows("north,south", "1,2", "1.5,3", "0,3")).lengths == (3, 3)


@pytest.mark.parametrize("header", ["0,1,2", ",0,1", "date,101,102"])
def test_numbers_may_be_names_of_series(header: str) -> None:
    """Data frames without column names, and sensors with numbers, are saved like this."""
    lengths = _read(_rows(header, "7,5.5,3", "8,6.5,3", "9,6.5,3"))
    assert lengths.layout == "wide"
    assert lengths.shortest == lengths.longest == 3


def test_one_column_of_numbers_is_one_series() -> None:
    """A single column is read, with or without a name over it."""
    assert _read("load\n1\n2\n3\n").lengths == (3,)
    lengths = _read("5\n1\n2\n3\n")
    assert lengths.lengths == (4,)
    assert lengths.notes[0].startswith("Line 1 was read as values")


def test_table_without_id_is_one_series() -> None:
    """A time and a value column without a series column are one series."""
    lengths = _read(_rows("t,timestamp,count", "0,04/01/2016 0:00,12", "1,04/01/2016 0:05,13"))
    assert (lengths.lengths, str(lengths.time_step), lengths.notes) == ((2,), "5 minutes", ())


def test_numbers_name_series_where_times_come_again() -> None:
    """A column of numbers without a telling name is taken for the series, and a note says so."""
    rows = [f"{lane},2024-01-0{day},{lane}{day}.5" for lane in (1, 2) for day in (1, 2, 3)]
    lengths = _read(_rows("lane,timestamp,flow", *rows))
    assert (lengths.layout, lengths.lengths) == ("long", (3, 3))
    assert any('"lane" was taken to name the series' in note for note in lengths.notes)


def test_numbers_name_series_where_times_come_again_late() -> None:
    """The same holds where thousands of rows of one series come first."""
    rows = [f"{lane},{minute},{minute % 7}.5" for lane in (1, 2) for minute in range(1500)]
    for layout in ("auto", "long"):
        lengths = _read(_rows("lane,time,flow", *rows), layout)
        assert (lengths.layout, lengths.lengths) == ("long", (1500, 1500))


def test_texts_name_series() -> None:
    """A column of texts that repeats is taken for the series, and a note says so."""
    rows = [f"2024-01-0{day},kW,{region},{day}" for day in (1, 2) for region in ("N", "S")]
    lengths = _read(_rows("date,unit,region,load", *rows))
    assert (lengths.layout, lengths.lengths) == ("long", (2, 2))
    assert any('"region" was taken to name the series' in note for note in lengths.notes)


def test_row_numbers_are_no_series() -> None:
    """A running number beside the date neither names series nor is one; a note says so."""
    lengths = _read(_rows("id,date,value", "1,2024-01-01,5", "2,2024-01-02,7"))
    assert lengths.lengths == (2,)
    assert any('number or date the rows: "id"' in note for note in lengths.notes)


def test_doubtful_wide_table_says_how_to_choose() -> None:
    """Where one of several columns is called like a value, the note names the other layout."""
    table = _rows("date,count,sales", "2024-01-01,1,2", "2024-01-02,1,2", "2024-01-03,1,2")
    lengths = _read(table)
    assert (lengths.layout, lengths.lengths) == ("wide", (3, 3))
    assert 'choose the layout "long"' in lengths.notes[0]
    lengths = _read(table, layout="long")
    assert (lengths.layout, lengths.lengths) == ("long", (3,))


def test_layout_can_be_set_against_the_guess() -> None:
    """Calling a table wide makes each column of numbers a series, whatever its name."""
    table = _rows("id,t,value", "1,1,5", "1,2,5", "2,1,5")
    assert _read(table).lengths == (2, 1)
    assert _read(table, layout="wide").lengths == (3, 3, 3)
    with pytest.raises(SeriesFileError, match=r'layout "square" is not known.*auto, long, wide'):
        _read(table, layout="square")


def test_table_without_header_is_read_with_a_note() -> None:
    """Where the first line looks like the others, it counts, and the user is told."""
    lengths = _read(_rows("N1,1,2640,train", "N1,2,2640,train", "N2,1,2640,train"))
    assert (lengths.layout, lengths.lengths) == ("long", (2, 1))
    assert lengths.notes[0].startswith("Line 1 was read as values")


def test_rows_that_are_series_are_refused() -> None:
    """A table with one row a series is not read as many series of one value."""
    with pytest.raises(SeriesFileError, match=r"Each row seems to be one series.*turn the table"):
        _read(_rows("id,size,price,age", "Y1,1,2,3", "Y2,1,2,3"))


def test_date_and_time_of_day_in_two_columns() -> None:
    """A date column and a clock column make one time stamp."""
    lengths = _read(
        _rows("Date;Time;P;V", "16/12/2006;17:24:00;4.2;?", "16/12/2006;17:25:00;4.2;2")
    )
    assert (lengths.layout, lengths.lengths, str(lengths.time_step)) == ("wide", (2, 1), "1 minute")


def test_wide_table_with_second_time_column() -> None:
    """A counter beside the dates is not a series."""
    lengths = _read(_rows("t,date,a,b", "0,2024-01-01,1,2", "1,2024-01-02,1,2"))
    assert lengths.lengths == (2, 2)


def test_first_column_that_counts_up_is_the_time() -> None:
    """Row numbers under an unusual name are not a series; the note says how to object."""
    lengths = _read(_rows("n,a,b", "1,5,5", "2,6,6", "3,5,6"))
    assert lengths.lengths == (3, 3)
    assert '"n" was taken to be the time' in lengths.notes[0]


def test_newest_first_and_numeric_dates() -> None:
    """Rows may go back in time, and dates may be written as numbers."""
    lengths = _read(_rows("date,a,b", "20240103,5,5", "20240102,6,6", "20240101,5,6"))
    assert (lengths.lengths, str(lengths.time_step)) == ((3, 3), "1 day")


def test_missing_values_in_a_long_table_count() -> None:
    """A row without a number is a place that training meets: it counts, and a note says so."""
    lengths = _read(_rows("id,t,value", "A,1,", "A,2,NaN", "B,1,5", "B,2,n/a"))
    assert lengths.lengths == (2, 2)
    assert lengths.notes == (
        '3 values are missing in series "A" and 1 more series: missing values count, as training '
        "meets their place.",
    )


def test_empty_cells_in_a_wide_table() -> None:
    """Empty cells count inside a series only, not before its first and after its last value."""
    lengths = _read(_rows("t,a,b,c", "1,,1,", "2,3,,", "3,4,2,", "4,5,,"))
    assert lengths.lengths == (3, 3)
    assert lengths.notes == (
        '1 value is missing inside series "b": missing values count, as training meets their '
        "place.",
        "Leading and trailing empty cells of 2 columns were not counted.",
        '1 column without any value left out: "c".',
    )


def test_blank_rows_are_skipped() -> None:
    """Rows that spreadsheets leave behind do not count."""
    assert _read(_rows("id,t,value", "A,1,5", ",,", "", "A,2,5", ",,")).lengths == (2,)
    assert _read(_rows("date,a,b", "2024-01-01,5,6", "2024-01-02,5,6", ",,")).lengths == (2, 2)


def test_trailing_separators_do_no_harm() -> None:
    """A separator at the end of each line makes no series."""
    lengths = _read(_rows("a,b,", "1,2,", "3,4,"))
    assert (lengths.lengths, lengths.notes) == ((2, 2), ())


def test_summary_of_the_lengths() -> None:
    """Number, shortest, median and longest are at hand."""
    lengths = SeriesLengths(lengths=(5, 2, 9, 4), layout="long")
    assert (lengths.num_series, lengths.shortest, lengths.median, lengths.longest) == (4, 2, 4.5, 9)
    with pytest.raises(SeriesFileError, match="no series"):
        SeriesLengths(lengths=(), layout="long")
    with pytest.raises(SeriesFileError, match="without a value"):
        SeriesLengths(lengths=(3, 0), layout="long")


TIDY = "series,time,value\na,2024-01-01,1\nb,2024-01-01,4\na,2024-01-03,3\na,2024-01-02,2\n"
OTHER = "shop,when,sold,left\n1,5,10,3\n1,6,11,2\n2,5,20,1\n2,6,21,0\n"


def read(text, name="a.csv", *, layout="auto", **named):
    content = text if isinstance(text, bytes) else text.encode()
    found = read_any_layout(content, name, layout=layout, named=ColumnNames(**named))
    series = zip(found.series.names, found.series.values, strict=True)
    return {title: values.tolist() for title, values in series}, found.sentence


@pytest.mark.parametrize("text", [TIDY, TIDY.replace(",", "\t"), TIDY.replace(",", ";")])
def test_tidy_tables_are_found_by_names_in_the_order_of_time(text):
    for content in (text, gzip.compress(text.encode())):
        found, sentence = read(content)
        assert found == {"a": [1, 2, 3], "b": [4]}
        assert sentence == (
            'One row for each value: series in column "series", time in "time", values in "value".'
        )


def test_columns_are_said():
    found, _ = read(OTHER, series="shop", time="when", value="left")
    assert found == {"1": [3, 2], "2": [1, 0]}
    with pytest.raises(SeriesFileError, match='no column "gone": there are "shop", "when"'):
        read(OTHER, series="gone")


@pytest.mark.parametrize(
    ("text", "layout", "named", "said"),
    [
        (OTHER, "auto", {"series": "shop", "time": "when"}, '"sold", "left".*--value'),
        ("shop,y\nnorth,1\nsouth,2\nnorth,3\n", "long", {}, '--series, such as "shop"'),
        ("region,week,kg\na,1,2\na,2,3\nb,1,4\nb,2,5\n", "auto", {}, "That is a guess"),
        ("kind,x,y\nu,1,2\nv,3,4\n", "auto", {}, "That is a guess"),
        ("kind,x1,x2,x3\nu,1,2,3\nv,3,4,5\n", "auto", {}, "--layout rows or --layout wide"),
        ("V1,V2,V3,V4\nM1,1,two,3\nM2,1,2,3\n", "rows", {}, '"two" is not a number'),
        ("a,b,c\n1,2,3\n4,5,6\n", "auto", {}, "more series than values"),
        (TIDY, "wide", {"series": "series"}, "named in a long table"),
        (TIDY, "diagonal", {}, "must be one of auto, long, wide, rows"),
    ],
)
def test_doubtful_tables_are_refused_with_what_to_say(text, layout, named, said):
    with pytest.raises(SeriesFileError, match=said):
        read(text, layout=layout, **named)


def test_wide_tables():
    found, sentence = read("date,a,b\n2024-01-01,1,\n2024-01-02,2,5\n")
    assert found == {"a": [1, 2], "b": [5]}
    assert sentence == 'One column for each series, time in "date".'
    found, _ = read("kind,x,y\nu,1,2\nv,3,4\n", layout="wide")
    assert found == {"x": [1, 3], "y": [2, 4]}
    found, _ = read("time,s1,s2\nmon,1,2\ntue,3,4\n")
    assert found == {"s1": [1, 3], "s2": [2, 4]}


@pytest.mark.parametrize(
    "text",
    [
        '"V1","V2","V3","V4"\n"M1","1","2","3"\n"M2","4","",""\n',
        "series_id,d_1,d_2,d_3\nM1,1,2,3\nM2,4,NA,\n",
        "id\t2001\t2002\t2003\nM1\t1\t2\t3\nM2\t4\t\t\n",
    ],
)
def test_one_row_for_each_series(text):
    for content in (text.encode(), gzip.compress(text.encode())):
        found, sentence = read(content)
        assert found == {"M1": [1, 2, 3], "M2": [4]}
        assert sentence.startswith("One row for each series: names in column")
    assert read(text, layout="rows")[0] == found


def test_numbered_names_of_rows_count_as_names_where_the_column_says_so():
    assert read("id,1,2,3\n7,1,2,3\n9,4,5,6\n")[0] == {"7": [1, 2, 3], "9": [4, 5, 6]}


def test_a_missing_value_within_a_row_stays_missing():
    found = read_any_layout(b"V1,V2,V3,V4\nM1,1,,3\nM2,1,2,3\n", "a.csv")
    np.testing.assert_array_equal(found.series.values[0], [1, np.nan, 3])


def test_parquet():
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    file = io.BytesIO()
    pandas.read_csv(io.StringIO(TIDY)).to_parquet(file)
    assert read(file.getvalue(), "a.parquet")[0] == {"a": [1, 2, 3], "b": [4]}
