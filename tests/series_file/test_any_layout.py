"""Layouts of a file that somebody trains on: what is certain is read, what is doubtful refused."""

import gzip
import io

import numpy as np
import pytest

from dpviz.series_file.any_layout import ColumnNames, read_any_layout
from dpviz.series_file.errors import SeriesFileError

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
