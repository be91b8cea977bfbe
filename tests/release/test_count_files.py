"""Which column of a table has the counts."""

import pytest

from dpviz.release.series import counts_in_file
from dpviz.series_file import SeriesFileError


@pytest.mark.parametrize(
    "header", ["visitors", "index,visitors", "time,visitors", "index,time,visitors"]
)
def test_row_numbers_and_times_are_no_counts(header):
    rows = [",".join([str(row)] * header.count(",") + [str(3 * row)]) for row in range(5)]
    content = "\n".join([header, *rows]).encode()
    assert counts_in_file(content, "road.csv").tolist() == [0.0, 3.0, 6.0, 9.0, 12.0]


def test_text_is_no_count():
    assert counts_in_file(b"place,visitors\nA,3\nB,5\n", "road.csv").tolist() == [3.0, 5.0]


def test_of_two_columns_of_numbers_the_one_named_count_is_read():
    content = b"lane,%b\n1,3\n2,5\n"
    assert counts_in_file(content % b"count", "road.csv").tolist() == [3.0, 5.0]
    with pytest.raises(SeriesFileError, match='"lane", "cars": keep one'):
        counts_in_file(content % b"cars", "road.csv")
