"""Which columns are series, time and value: what is certain is read, what is doubtful is told."""

import gzip

import numpy as np
import pytest

from dpviz.series_file import SeriesFileError, SeriesLengths, read_series_lengths
from dpviz.series_file.any_layout import ColumnNames, names_in, read_any_layout
from dpviz.series_file.layout import Roles


def _read(table: str, layout: str = "auto") -> SeriesLengths:
    return read_series_lengths(table.encode(), "table.csv", layout=layout)


LANES = "".join(f"{lane},2024-01-0{day},{lane}{day}.5\n" for lane in (1, 2) for day in (1, 2, 3))
MANY = "".join(f"{lane},{at},{at % 7}.5\n" for lane in (1, 2) for at in range(1500))
REGIONS = "".join(f"2024-01-0{day},kW,{region},{day}\n" for day in (1, 2) for region in "NS")
COUNTED = "date,count,sales\n2024-01-01,1,2\n2024-01-02,1,2\n2024-01-03,1,2\n"


@pytest.mark.parametrize(
    ("table", "layout", "lengths", "step", "notes"),
    [
        # The names that forecasting libraries use are known, in any case and order.
        *((f"{header}\n1,2024-01-01,5\n1,2024-01-02,5\n2,2024-01-01,5\n", "long", (2, 1),
           "1 day", [])
          for header in ("series_id,time,value", "unique_id,ds,y", "item_id,timestamp,target",
                         "ID,Date,Count")),
        ("split,y,extra,ds,unique_id\ntrain,5,x,1,A\ntest,6,,2,A\n", "long", (2,), None, []),
        # Lengths are in the order in which the series first appear.
        ("id,t,value\nB,2,1\nA,1,1\nB,1,1\nB,3,1\n", "long", (3, 1), None, []),
        ("date,a,b,c\n2024-01-01,1,2,3\n2024-01-02,1,2,3\n", "wide", (2, 2, 2), "1 day", []),
        ("date,a,b\n20240103,5,5\n20240102,6,6\n20240101,5,6\n", "wide", (3, 3), "1 day", []),
        ("t,timestamp,count\n0,04/01/2016 0:00,12\n1,04/01/2016 0:05,13\n", None, (2,), "5 minutes",
         []),
        ("a,b,\n1,2,\n3,4,\n", "wide", (2, 2), None, []),
        # A column without a telling name is taken for the series, and a note says so.
        (f"lane,timestamp,flow\n{LANES}", "long", (3, 3), "1 day",
         ['"lane" was taken to name the series']),
        (f"lane,time,flow\n{MANY}", "long", (1500, 1500), None,
         ['"lane" was taken to name the series']),
        (f"date,unit,region,load\n{REGIONS}", "long", (2, 2), "1 day",
         ['"region" was taken to name the series']),
        # A running number beside the date neither names series nor is one.
        ("id,date,value\n1,2024-01-01,5\n2,2024-01-02,7\n", None, (2,), "1 day",
         ['number or date the rows: "id"']),
        ("t,date,a,b\n0,2024-01-01,1,2\n1,2024-01-02,1,2\n", None, (2, 2), "1 day", None),
        ("n,a,b\n1,5,5\n2,6,6\n3,5,6\n", None, (3, 3), None, ['"n" was taken to be the time']),
        ("Date;Time;P;V\n16/12/2006;17:24:00;4.2;?\n16/12/2006;17:25:00;4.2;2\n", "wide", (2, 1),
         "1 minute", None),
        (COUNTED, "wide", (3, 3), "1 day", ['choose the layout "long"']),
        ("load\n1\n2\n3\n", None, (3,), None, None),
        ("5\n1\n2\n3\n", None, (4,), None, ["Line 1 was read as values"]),
        ("N1,1,2640,train\nN1,2,2640,train\nN2,1,2640,train\n", "long", (2, 1), None,
         ["Line 1 was read as values"]),
        # Columns of numbers alone are series, also where their names are numbers.
        ("north,south\n1,2\n1.5,3\n0,3\n", None, (3, 3), None, None),
        ("0,1,2\n7,5.5,3\n8,6.5,3\n9,6.5,3\n", "wide", (3, 3), None, None),
        (",0,1\n7,5.5,3\n8,6.5,3\n9,6.5,3\n", "wide", (3, 3), None, None),
        ("date,101,102\n7,5.5,3\n8,6.5,3\n9,6.5,3\n", "wide", (3, 3), None, None),
        # A missing value counts, but for empty cells at the ends of a column, and blank rows.
        ("id,t,value\nA,1,\nA,2,NaN\nB,1,5\nB,2,n/a\n", None, (2, 2), None,
         ['3 values are missing in series "A" and 1 more series: missing values count, as training '
          "meets their place."]),
        ("t,a,b,c\n1,,1,\n2,3,,\n3,4,2,\n4,5,,\n", None, (3, 3), None, [
            '1 value is missing inside series "b": missing values count, as training meets their '
            "place.",
            "Leading and trailing empty cells of 2 columns were not counted.",
            '1 column without any value left out: "c".',
        ]),
        ("id,t,value\nA,1,5\n,,\n\nA,2,5\n,,\n", None, (2,), None, None),
        ("date,a,b\n2024-01-01,5,6\n2024-01-02,5,6\n,,\n", None, (2, 2), "1 day", None),
    ],
    ids=range(29),
)  # fmt: skip
def test_what_a_table_says_is_read_and_what_was_guessed_is_told(
    table, layout, lengths, step, notes
) -> None:
    found = _read(table)
    assert found.layout == (layout or found.layout)
    assert (found.lengths, found.time_step and str(found.time_step)) == (lengths, step)
    if notes is not None:
        assert len(found.notes) >= len(notes)
        assert bool(found.notes) == bool(notes)
        assert all(any(part in note for note in found.notes) for part in notes)


@pytest.mark.parametrize("length", [30, 960, 999, 1500])
@pytest.mark.parametrize("names", ["12", ("no", "se"), ("yes", "no")])
def test_series_one_after_the_other_are_told_apart_however_long(names, length) -> None:
    """Also where the second begins at the end of the rows that are looked at."""
    rows = "".join(f"{name},{at},{at % 7}.5\n" for name in names for at in range(length))
    assert _read(f"place,time,flow\n{rows}").lengths == (length, length)


def test_layout_can_be_set_against_the_guess() -> None:
    table = "id,t,value\n1,1,5\n1,2,5\n2,1,5\n"
    assert _read(table).lengths == (2, 1)
    assert _read(table, layout="wide").lengths == (3, 3, 3)
    long = _read(COUNTED, layout="long")
    assert (long.layout, long.lengths) == ("long", (3,))
    assert _read(f"lane,time,flow\n{MANY}", layout="long").lengths == (1500, 1500)
    with pytest.raises(SeriesFileError, match=r'layout "square" is not known.*auto, long, wide'):
        _read(table, layout="square")
    with pytest.raises(SeriesFileError, match=r"Each row seems to be one series.*turn the table"):
        _read("id,size,price,age\nY1,1,2,3\nY2,1,2,3\n")


def test_summary_of_the_lengths() -> None:
    lengths = SeriesLengths(lengths=(5, 2, 9, 4), layout="long")
    assert (lengths.num_series, lengths.shortest, lengths.median, lengths.longest) == (4, 2, 4.5, 9)
    for wrong, named in (((), "no series"), ((3, 0), "without a value")):
        with pytest.raises(SeriesFileError, match=named):
            SeriesLengths(lengths=wrong, layout="long")


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
    found, _ = read("date,a,,\n2024-01-01,1,2,5\n2024-01-02,3,2,5\n")
    assert found == {"a": [1, 3], "column 3": [2, 2], "column 4": [5, 5]}


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
    found, sentence = read("shop,x,y\n7,1,2\n9,4,5\n", layout="rows", series="shop")
    assert found == {"7": [1, 2], "9": [4, 5]}
    assert sentence == 'One row for each series: names in column "shop".'


def test_the_column_that_names_rows_is_handed_on():
    rows = Roles(layout="rows", series=0, times=(), values=(1, 2))
    assert names_in(("shop", "x", "y"), rows) == ColumnNames(series="shop")
    assert not names_in(("x", "y"), Roles(layout="wide", series=None, times=(), values=(0, 1)))


def test_a_missing_value_within_a_row_stays_missing():
    found = read_any_layout(b"V1,V2,V3,V4\nM1,1,,3\nM2,1,2,3\n", "a.csv")
    np.testing.assert_array_equal(found.series.values[0], [1, np.nan, 3])


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("Москва,Казань\n1,20\n3,10\n4,40\n", ("Москва", "Казань")),
        ("date,東京,大阪\n2024-01-01,1,5\n2024-01-02,2,3\n2024-01-03,4,9\n", ("東京", "大阪")),
        ("date,ΔT,p\n2024-01-01,1,5\n2024-01-02,2,3\n2024-01-03,4,9\n", ("ΔT", "p")),
        ("date,?,load\n2024-01-01,1,5\n2024-01-02,0,3\n2024-01-03,4,9\n", ("?", "load")),
        ("#,north,south\n1,5,2\n2,3,8\n3,9,1\n", ("north", "south")),
    ],
    ids=["Cyrillic", "Japanese", "Greek", "sign", "numbered"],
)
def test_a_name_in_any_script_is_that_of_a_series(table, names):
    found = read_any_layout(table.encode(), "table.csv", layout="wide").series
    assert found.names == names
