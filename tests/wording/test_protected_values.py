"""Who is protected, in words: by how much, by which theorem, and who is not."""

import pytest

from dpviz.guarantees import guarantee_for
from dpviz.planning import curves_of
from dpviz.planning.placement import SeriesCalendar, excerpt, placement
from dpviz.planning.protection import Missing, at_relation
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.private_inference.plan import HidingPlan
from dpviz.scenario import DataShape, Relation, TimeStep, Units
from dpviz.ui.texts import text
from dpviz.wording import protected_values as words
from dpviz.wording.private_inference import protected
from dpviz.wording.protected_values import (
    not_covered,
    protected_dates,
    span_words,
    width_name,
    width_ticks,
    widths_title,
)
from tests.scenario.changes import TOY, TRAFFIC, varied

SHORT = varied(TOY, steps=10)
NOISY = varied(SHORT, forecast_noise=1.0)
SEVERAL = varied(TOY, series_lengths=(20, 30))


def said_of_missing(scenario) -> str:
    sentences = not_covered(scenario, guarantee_for(scenario).upper)
    return " ".join(text(f"not_covered/{name}").format(**filled) for name, filled in sentences)


def placed(scenario):
    return placement(scenario.shape, scenario.relation)


def place_sentence(scenario):
    where = placed(scenario)
    return words.place_sentence(scenario, where, excerpt(where), None)


def test_headline_names_values_change_theorem_steps_and_delta():
    weeks = varied(TRAFFIC, width=336, epochs=1)
    said = words.protection_headline(curves_of(weeks))
    whom = "any 2 weeks (336 values in a row) of one series, each changed by any amount"
    assert f"hides {whom}" in said
    assert "at δ = 10⁻⁷" in said
    assert "(upper bound, Theorem 4.4 composed over 3 steps)" in said
    assert " v" not in said.replace(" values", "")


def test_largest_change_is_told_with_all_its_digits():
    """Nothing is proven for a larger one."""
    assert words.largest_change(varied(TOY, max_change=1234567.0)) == "v = 1,234,567"
    plan = HidingPlan(context_length=8, rate=0.5, max_change=10006.25, epsilon=2, delta=1e-4)
    assert protected(plan).endswith("by at most v = 10,006.25")


def test_headline_with_noise_on_windows_holds_up_to_v():
    said = words.protection_headline(curves_of(NOISY))
    assert "any single value of one series, changed by at most v, with **ε ≤ " in said
    assert "It holds if no value changes by more than v" in said
    assert "v is not set." in said
    known = varied(NOISY, max_change=300.0, value_unit="vehicles")
    said = words.protection_headline(curves_of(known))
    assert "changed by at most v = 300 vehicles" in said
    assert "v is not set" not in said


def test_noise_that_no_theorem_uses_promises_any_amount():
    said = words.protection_headline(curves_of(varied(NOISY, num_subsequences=2)))
    assert "changed by any amount" in said
    assert "no amplification by noise" in said.lower()


@pytest.mark.parametrize(
    ("scenario", "wanted"),
    [
        (at_relation(TOY, "event", 3), "any 3 values in a row of one series"),
        (at_relation(TOY, "user", 3), "any 3 values anywhere in one series"),
        (at_relation(TOY, "user", 20), "all values of one series"),
        (at_relation(TOY, "event", 10**6), "all values of one series"),
        (TOY.with_rates(bottom_rate=0.5), "any single value of one series"),
    ],
)
def test_protected_values_are_told(scenario, wanted):
    assert words.which_values(scenario) == wanted


def test_channels_change_together():
    many = varied(TOY, width=2, num_channels=3)
    said = words.protected_change(many, guarantee_for(many).upper)
    assert said == (
        "any 2 values in a row of one series in all 3 channels, each changed by any amount"
    )


@pytest.mark.parametrize(
    ("sampling", "told"),
    [
        ({}, "touches them with probability r = k / T = 2 / 20 = 0.1."),
        (
            {"bottom_level": "poisson"},
            "with probability min(1, λ / T) = 0.05: 0.1 of these 2 on average",
        ),
        ({"top_level": "flat"}, "One bag holds the windows of all series, these 2 among them"),
        ({"series_per_person": 3}, "So it is in each of up to 3 series."),
        (
            {"series_per_person": 3, "bottom_level": "poisson"},
            "when the series is used. So it is in each of up to 3 series.",
        ),
        (
            {"series_per_person": 3, "top_level": "flat"},
            "these 2 among them. A person in 3 series has up to 6.",
        ),
    ],
)
def test_k_of_t_and_r_are_those_of_the_bounds(sampling, told):
    scenario = varied(TOY, **sampling)
    said = words.touched_sentence(scenario, placed(scenario))
    assert "r = k / T = 2 / 20 = 0.1. " in f"{said} "
    assert told in said
    assert ("A drawn window" in said) == (not {"top_level", "bottom_level"} & sampling.keys())


@pytest.mark.parametrize(
    ("scenario", "title"),
    [
        (TOY, "2 of 20 windows hold one given value"),
        (at_relation(TOY, "event", 3), "4 of 20 windows hold any of 3 values in a row"),
        (at_relation(TOY, "user", 3), "6 of 20 windows hold any of 3 values apart from each other"),
        (at_relation(TOY, "user", 12), "All 20 windows hold any of 12 values"),
        (at_relation(TOY, "event", 99), "All 20 windows hold values of the series"),
        (
            at_relation(TRAFFIC, "event", 24),
            "143 of 17,521 windows hold any of 24 values in a row (1 day)",
        ),
        (varied(TOY, series_lengths=(1,)), "The only window holds values of the series"),
    ],
)
def test_drawing_is_titled_by_what_it_shows(scenario, title):
    assert words.drawing_title(scenario, placed(scenario)) == title


def test_what_a_drawing_leaves_out_is_said():
    said = place_sentence(at_relation(TRAFFIC, "user", 1000))
    assert "These 147 touch every window; the other 853 lie anywhere." in said
    assert "An excerpt: values 1 to " in said
    assert "and 6 of the 147." in said
    said = place_sentence(varied(TOY, context_length=60))
    assert "Some of the 60 zeros before the series are not drawn" in said
    said = place_sentence(varied(TOY, level="user", width=2, context_length=20))
    assert "This one touches every window; the other lies anywhere." in said
    assert "excerpt" not in said


def test_shortest_of_several_lengths_is_named():
    shortest = "The series is the shortest, 20 values"
    assert f"{shortest}: the worst case." in place_sentence(SEVERAL)
    for changes in ({"forecast_noise": 2.0}, {"bottom_level": "poisson"}, {"top_level": "flat"}):
        assert f"{shortest}." in place_sentence(varied(SEVERAL, **changes))


@pytest.mark.parametrize(
    ("scenario", "said", "not_said"),
    [
        (
            at_relation(TRAFFIC, "event", 336),
            [
                "a car that passes many sensors", "more than 336 values",
                "337 may need a larger one.", "2 weeks from first to last",
                "**A stay that begins in the middle of a value.** One of 2 weeks then touches 337",
                "are public", "Scaling by data statistics",
            ],
            ["changes by more than"],
        ),
        (at_relation(TRAFFIC, "user", 4), ["5 may"], ["follow each other"]),
        (NOISY, ["changes by more than v."], []),
        (varied(NOISY, max_change=2.0), ["changes by more than v = 2"], []),
        (TOY.with_rates(bottom_rate=0.1), ["many sensors."], ["set more series"]),
        (varied(TOY, num_subsequences=2), ["many sensors."], ["set more series"]),
        (varied(TOY, series_per_person=3), ["more than 3 series", "sensors: set more"], []),
        (varied(TOY, num_series=32, series_per_person=32), ["are public"], ["many sensors"]),
        # Nobody has more values than the series.
        (at_relation(TRAFFIC, "event", 17_544), [], ["may need", "follow each other"]),
        # Whose values touch all windows hides all others at the same epsilon.
        (at_relation(TOY, "event", 19), [], ["may need", "follow each other"]),
        (at_relation(TOY, "event", 18), ["19 may"], []),
        # With noise on them, windows tell more of more values.
        (at_relation(NOISY, "event", 19), ["20 may"], []),
    ],
)  # fmt: skip
def test_who_is_not_covered_is_told_for_the_setting(scenario, said, not_said):
    told = said_of_missing(scenario)
    assert [words for words in said if words not in told] == []
    assert [words for words in not_said if words in told] == []


def test_reason_is_known_for_all_that_can_be_missing():
    assert set(words.MISSING) == set(Missing)


def point(scenario) -> SweepPoint:
    name = width_name(scenario.relation, scenario.units)
    proven = proven_epsilon(scenario)
    return SweepPoint(x=scenario.relation.width, name=name, proven=proven)


def test_what_epsilon_is_drawn_over_tells_in_how_many_series_values_are():
    one, several = (varied(TOY, series_per_person=many).relation for many in (1, 3))
    assert words.varied_width(one) == "w, protected values of one series"
    assert words.varied_width(several) == "w, protected values of each of up to 3 series"


def test_title_over_widths_tells_the_own_epsilon_and_both_ends():
    own, one, most = (point(at_relation(SHORT, "event", width)) for width in (5, 1, 20))
    title = widths_title(own, [one, own, most])
    assert title.startswith("At δ = 10⁻⁷, ε ≤ ")
    assert title.index("for 5 values in a row") < title.index("for 1 value,")
    assert title.endswith("for 20 values")
    assert title.count("≤") == 3


def test_ticks_keep_apart_and_tell_durations():
    ticks = width_ticks((1, 2, 10, 144, 1008, 4032, 52_560), TimeStep(10, "minute"))
    assert ticks == [
        (1, "1"), (10, "10"), (144, "1 day"), (1008, "1 week"), (52_560, "52,560")
    ]  # fmt: skip
    assert width_ticks((1, 20), None) == [(1, "1"), (20, "20")]


def test_duration_is_told_of_values_in_a_row_only():
    hourly = Units(time_step=TimeStep(1, "hour"))
    assert width_name(Relation(width=24), hourly) == "24 values (1 day)"
    assert width_name(Relation(level="user", width=24), hourly) == "24 values"


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
    days = "from Wednesday 31 January 2024 to Wednesday 28 February 2024"
    assert span_words(0, 0, calendar("1 month", "2024-01-31")) == days


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
