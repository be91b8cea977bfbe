"""Dates of protected values, in words."""

import pytest

from dpviz.planning.placement import SeriesCalendar, placement
from dpviz.scenario import DataShape, Relation, TimeStep
from dpviz.wording.protected_values import protected_dates, span_words

TUESDAY = "Tuesday 2 January 2024"
SHAPE = DataShape(num_series=1, series_lengths=(17_544,), context_length=96, forecast_length=24)


def calendar(step: str, first: str = "2024-01-01") -> SeriesCalendar:
    return SeriesCalendar.of(first, TimeStep.parse(step))


@pytest.mark.parametrize(
    ("step", "first", "last", "wanted"),
    [
        ("1 hour", 840, 1175, "from Monday 5 February 2024 to Sunday 18 February 2024"),
        ("1 hour", 24, 47, "Tuesday 2 January 2024"),
        ("1 hour", 25, 25, "Tuesday 2 January 2024, 01:00"),
        ("1 hour", 25, 26, f"from {TUESDAY}, 01:00 until {TUESDAY}, 03:00"),
        ("10 minutes", 1, 1, "Monday 1 January 2024, 00:10"),
        ("30 seconds", 1, 1, "Monday 1 January 2024, 00:00:30"),
        ("1 day", 35, 48, "from Monday 5 February 2024 to Sunday 18 February 2024"),
        ("1 day", 59, 59, "Thursday 29 February 2024"),
        ("1 week", 0, 0, "from Monday 1 January 2024 to Sunday 7 January 2024"),
        ("1 month", 1, 1, "February 2024"),
        ("1 month", 11, 13, "from December 2024 to February 2025"),
        ("1 quarter", 1, 1, "from Monday 1 April 2024 to Sunday 30 June 2024"),
        ("1 year", 1, 2, "from Wednesday 1 January 2025 to Thursday 31 December 2026"),
    ],
)  # fmt: skip
def test_values_are_told_by_their_time(step, first, last, wanted):
    assert span_words(first, last, calendar(step)) == wanted


def test_months_from_within_a_month_are_told_by_days():
    monthly = calendar("1 month", "2024-01-31")
    assert (
        span_words(0, 0, monthly) == "from Wednesday 31 January 2024 to Wednesday 28 February 2024"
    )


@pytest.mark.parametrize("known", [None, calendar("1 year")])
def test_values_without_a_date_are_told_by_number(known):
    assert span_words(9_000, 9_000, known) == "value 9,001"
    assert span_words(9_000, 9_001, known) == "values 9,001 to 9,002"


def test_four_visits_have_four_dates():
    hourly = calendar("1 hour")
    said = protected_dates(placement(SHAPE, Relation(level="user", width=4), hourly), hourly)
    assert said == (
        "Saturday 6 January 2024, 00:00, Sunday 14 January 2024, 00:00, "
        "Monday 22 January 2024, 00:00 and Tuesday 30 January 2024, 00:00"
    )


def test_many_visits_are_not_all_listed():
    said = protected_dates(placement(SHAPE, Relation(level="user", width=50)), None)
    assert said.endswith(" and 46 more, evenly spaced")
    assert said.count("value ") == 4
