"""The time step that is read from time stamps."""

from collections.abc import Sequence

import numpy as np
import pytest

from dpviz.series_file import SeriesLengths, read_series_lengths


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
    ],
)
def test_steps_of_many_spellings(stamps: list[str], step: str) -> None:
    """Clock and calendar steps are read from all usual spellings of dates, in any order."""
    lengths = _read(stamps)
    assert (str(lengths.time_step), lengths.notes) == (step, ())


def test_years_by_the_name_of_their_column() -> None:
    """Numbers such as 2024 are years where the column says so, and counts elsewhere."""
    assert str(_read(["2022", "2023", "2024"], name="year").time_step) == "1 year"
    assert _read(["2022", "2023", "2024"], name="t").time_step is None


@pytest.mark.parametrize("stamps", [["1", "2", "3"], ["week 1", "week 2", "week 3"]])
def test_counts_and_labels_have_no_time_step(stamps: list[str]) -> None:
    """Stamps need not be dates: there is then no time step, and nothing to note."""
    lengths = _read(stamps, name="t")
    assert (lengths.lengths, lengths.time_step, lengths.notes) == ((3,), None, ())


def test_uneven_stamps_leave_the_step_open() -> None:
    """A gap in time leaves the step open; the note names the usual step and how many differ."""
    days = np.arange(20).astype("datetime64[D]").astype(str).tolist()
    lengths = _read(days[:10] + days[12:])
    assert (lengths.lengths, lengths.time_step) == ((18,), None)
    assert "not 1 day in 1 of 17 places" in lengths.notes[0]


@pytest.mark.parametrize("second", ["00:00:00.5", "0:00:00.50"])
def test_fractions_of_a_second(second: str) -> None:
    """A step of half a second is noticed, though it has no name."""
    lengths = _read(["2024-01-01 0:00:00", f"2024-01-01 {second}", "2024-01-01 0:00:01"])
    assert lengths.time_step is None
    assert "not by a whole number of seconds" in lengths.notes[0]


def test_times_of_day_that_do_not_exist() -> None:
    """Hours beyond 24 are no dates, and a note says so."""
    stamps = [f"01/01/2024 {hour}:00" for hour in range(20, 28)]
    lengths = _read(stamps)
    assert (lengths.lengths, lengths.time_step) == ((8,), None)
    assert "could not be read as dates" in lengths.notes[0]


def test_months_on_uneven_days() -> None:
    """The second of a month after the first of another is not a month."""
    assert _read(["2024-01-01", "2024-02-02", "2024-03-03", "2024-04-04"]).time_step is None


def test_day_and_month_that_cannot_be_told_apart() -> None:
    """Where day first and month first both give a step, neither is chosen; the note says so."""
    lengths = _read(["01/01/2024", "02/01/2024", "03/01/2024"])
    assert lengths.time_step is None
    assert "could be 1 day or 1 month" in lengths.notes[0]


def test_some_stamps_that_are_no_dates() -> None:
    """A line of totals at the end is noticed."""
    lengths = _read(["2024-01-01", "2024-01-02", "2024-01-03", "Total"])
    assert lengths.time_step is None
    assert "Some time stamps could not be read as dates" in lengths.notes[0]


def test_series_must_agree_on_the_step() -> None:
    """Daily and weekly series in one file have no common step; equal ones may start anywhere."""
    table = "id,date,value\nA,2024-01-01,1\nA,2024-01-02,1\nB,2024-01-0{0},1\nB,2024-01-0{1},1\n"
    even = read_series_lengths(table.format(5, 6).encode(), "t.csv")
    uneven = read_series_lengths(table.format(2, 9).encode(), "t.csv")
    assert (str(even.time_step), uneven.time_step) == ("1 day", None)


def test_series_of_one_value_have_no_step() -> None:
    """Without two stamps in a series there is no step, and nothing to note."""
    table = b"id,date,value\nA,2024-01-01,1\nB,2024-01-02,1\n"
    lengths = read_series_lengths(table, "t.csv")
    assert (lengths.lengths, lengths.time_step, lengths.notes) == ((1, 1), None, ())


def test_local_days_across_a_change_of_the_clock() -> None:
    """Days with a UTC offset are equally far apart where the offset changes."""
    stamps = ["2024-03-30 00:00:00+01:00", "2024-03-31 00:00:00+01:00", "2024-04-01 00:00:00+02:00"]
    assert str(_read(stamps).time_step) == "1 day"
