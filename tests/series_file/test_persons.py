"""Who is in which series of a file, and what is left if nobody may be in more than m of them."""

import numpy as np
import pandas as pd
import pytest

from dpviz.series_file import SeriesFileError, read_persons, read_series_lengths

DAYS = [f"2024-01-{day:02}" for day in range(1, 11)]


def table_of(rows, header="meter_id,household_id,date,kwh"):
    return "\n".join([header, *rows, ""]).encode()


def meters(owners, days=DAYS):
    """Return rows of one meter for each owner."""
    return [f"m{at},{owner},{day},{at + 0.5}" for at, owner in enumerate(owners) for day in days]


def read(rows):
    return read_persons(table_of(rows), "homes.csv", "household_id")


@pytest.mark.parametrize("most", [1, 2, 3, 4, 9])
def test_after_a_cut_nobody_is_in_more_series(most):
    content = table_of(meters("aaaabbbcd"))
    found = read_persons(content, "homes.csv", "household_id")
    lost = found.persons.lost(most)
    cut = found.cut(most).encode()
    again = read_persons(cut, "cut.csv", "household_id").persons
    assert again.series_each.max() == min(4, most)
    assert len(again.series_each) == 4
    before, after = (pd.read_csv(pd.io.common.BytesIO(one)) for one in (content, cut))
    assert lost["values_lost"] == len(before) - len(after)
    assert lost["values"] == 90
    assert lost["series_lost"] == before.meter_id.nunique() - after.meter_id.nunique()
    per_person = before.groupby("household_id").meter_id.nunique()
    assert lost["in_more_series"] == int((per_person > most).sum())
    # What is left is as it was.
    merged = after.merge(before, how="left", indicator=True)
    assert (merged._merge == "both").all()


def test_the_series_with_most_values_of_a_person_stay():
    rows = meters("a", DAYS[:3]) + [f"big,a,{day},1" for day in DAYS]
    found = read(rows)
    assert {line.split(",")[0] for line in found.cut(1).splitlines()[1:]} == {"big"}
    assert found.persons.most_values == 10


def test_the_size_of_values_decides_nothing():
    rows = meters("aab")
    other = [row.rsplit(",", 1)[0] + f",{at * 7919 % 101}" for at, row in enumerate(rows)]
    kept = [
        [line.rsplit(",", 1)[0] for line in read(one).cut(1).splitlines()] for one in (rows, other)
    ]
    assert kept[0] == kept[1]


def test_several_persons_may_share_a_series():
    visits = [f"shop{at % 2},p{at % 5},{day},1" for at, day in enumerate(DAYS)]
    found = read_persons(
        table_of(visits, "store_id,person,date,value"), "visits.csv", "person"
    ).persons
    assert found.series_each.tolist() == [2] * 5
    assert found.most_values == 1
    assert found.lost(1)["values_lost"] == 5
    assert found.lost(1)["in_more_series"] == 5


def test_a_series_may_be_called_as_a_missing_value_is():
    """Whose it is must not be told of somebody else: a cut would keep too much of them."""
    rows = [f"{site},{person},{day},1" for site, person in (("EU", "x"), ("NA", "y"), ("US", "y"))
            for day in DAYS]  # fmt: skip
    found = read_persons(table_of(rows, "site_id,person,date,value"), "sites.csv", "person")
    assert found.persons.series_each.tolist() == [1, 2]
    assert found.cut(1).splitlines()[1:] == rows[:20]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_values_of_a_person_reach_from_the_first_to_the_last_in_time(seed):
    rng = np.random.default_rng(seed)
    rows, owners = [], {}
    for series in range(3):
        for place in range(40):
            person = int(rng.integers(30))
            is_missing = rng.random() < 0.1
            day = str(np.datetime64("2024-01-01") + place)
            rows.append(f"s{series},p{person},{day},{'' if is_missing else place}")
            if not is_missing:
                owners.setdefault((person, series), []).append(place)
    found = read([rows[at] for at in rng.permutation(len(rows))])
    assert found.longest_stretch() == max(max(one) - min(one) + 1 for one in owners.values())


def test_a_value_without_a_person_is_refused_and_one_that_is_missing_is_nobodys():
    rows = meters("ab")
    with pytest.raises(SeriesFileError, match=r"Line 5: the value has no person"):
        read([*rows[:3], rows[3].replace(",a,", ",,"), *rows[4:]])
    named = rows[3].replace(",a,", ",NA,")
    with pytest.raises(SeriesFileError, match=r'has no person, as "NA" stands for a missing name'):
        read([*rows[:3], named, *rows[4:]])
    gone = rows[3].rsplit(",", 1)[0].replace(",a,", ",,") + ","
    found = read([*rows[:3], gone, *rows[4:]])
    assert found.persons.counts.sum() == 19


@pytest.mark.parametrize(
    ("content", "column", "said"),
    [
        (table_of(meters("ab")), "home", 'no column "home": there are "meter_id"'),
        (table_of([f"{day},a,1" for day in DAYS], "date,person,v"), "person", "names the series"),
        (b"@relation x\n@attribute series_name string\n@data\na:1,2,3\n", "a", "one row for each"),
        (b"series_id,home,day,value\na,x,1,\na,x,2,\n", "home", "holds no values"),
    ],
)
def test_other_files_are_refused(content, column, said):
    with pytest.raises(SeriesFileError, match=said):
        read_persons(content, "file.csv", column)


def test_persons_are_counted_and_lengths_are_those_of_the_file_without_their_column():
    content = table_of(meters("aabc"))
    plain = "\n".join(
        ",".join(cell for at, cell in enumerate(line.split(",")) if at != 1)
        for line in content.decode().splitlines()
    )
    found = read_persons(content, "homes.csv", "household_id")
    assert found.lengths == read_series_lengths(plain.encode(), "homes.csv", layout="long")
    assert found.lengths.lengths == (10, 10, 10, 10)
    assert found.persons.series_each.tolist() == [2, 1, 1]
    assert found.persons.most_values == 10


def test_who_has_no_value_is_no_person_wherever_the_rows_come():
    rows = [b"a,w,2024-01-01,", b"a,x,2024-01-02,3", b"b,x,2024-01-01,4", b"b,y,2024-01-02,5"]
    for order in (rows, rows[::-1]):
        table = b"\n".join([b"series_id,home,day,kwh", *order])
        each = read_persons(table, "homes.csv", "home").persons.series_each
        assert sorted(each.tolist()) == [1, 2]
