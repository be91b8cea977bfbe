"""A series that is the sum of all others is told of, with what that means for persons."""

import numpy as np
import pytest

from dpviz.series_file import read_series_lengths
from dpviz.series_file.values import read_series_values

DAYS = [f"2024-01-{day:02}" for day in range(1, 21)]
SHOPS = np.random.default_rng(1).integers(0, 500, (20, 4)) / 10.0
NAMES = ("a", "b", "c", "d", "Total")


def tables(values):
    """Return the same series in each layout."""
    rows = [[day, *map(str, row)] for day, row in zip(DAYS, values.tolist(), strict=True)]
    columns = list(zip(("id", *NAMES), *rows, strict=True))
    return {
        "wide": "\n".join(map(",".join, [("date", *NAMES), *rows])),
        "rows": "\n".join(map(",".join, columns)),
        "long": "date,series_id,sold\n"
        + "\n".join(
            f"{day},{name},{one}"
            for day, *row in rows
            for name, one in zip(NAMES, row, strict=True)
        ),
    }


def notes_on(values, layout):
    content = tables(values)[layout].encode()
    told = read_series_lengths(content, "shops.csv", layout=layout).notes
    assert told == read_series_values(content, "shops.csv", layout=layout).notes
    return [one for one in told if "sum of all others" in one]


@pytest.mark.parametrize("layout", ["wide", "rows", "long"])
def test_a_total_is_told_of_though_it_is_rounded(layout):
    (said,) = notes_on(np.column_stack([SHOPS, SHOPS.sum(axis=1).round()]), layout)
    assert said.startswith('Series "Total" is the sum of all others, within 1%')
    assert "no bound for one series (m = 1) covers anybody" in said


@pytest.mark.parametrize("layout", ["wide", "rows", "long"])
def test_the_largest_series_is_no_total(layout):
    assert not notes_on(np.column_stack([SHOPS, 1.1 * SHOPS.sum(axis=1)]), layout)
    assert not notes_on(np.column_stack([SHOPS, SHOPS[:, 0] - 9.0]), layout)


def test_two_equal_series_and_values_that_overflow_are_none():
    table = "date,a,b\n" + "".join(f"{day},{at},{at}\n" for at, day in enumerate(DAYS))
    large = "date,a,b,c\n" + "".join(f"{day},1e308,1e308,1.7e308\n" for day in DAYS)
    for one in (table, large):
        assert not any("sum" in note for note in read_series_lengths(one.encode(), "a.csv").notes)
