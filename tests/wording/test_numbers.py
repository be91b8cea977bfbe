"""Numbers in sentences, as ranges and as people, never say more than was proven."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.figures.attack_rates import people_chart
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attack_rates
from dpviz.scenario import PRESETS
from dpviz.wording.attack_rates import Told
from dpviz.wording.numbers import (
    number_rounded_down,
    number_rounded_up,
    percent_down,
    percent_up,
    rounded,
    rounded_down,
    rounded_up,
)
from dpviz.wording.people import (
    odds_of_pair,
    odds_of_run,
    people_description,
    people_headline,
    people_sentences,
)
from tests.wording.reading import number, numbers_after

POSITIVE = st.floats(1e-15, 1e12)


@given(POSITIVE, st.integers(1, 8))
def test_rounded_numbers_are_on_the_safe_side_close_and_of_so_many_digits(value, digits):
    """Their shortest digits, as JavaScript and Python write them, are the rounded ones."""
    up, down = number_rounded_up(value, digits), number_rounded_down(value, digits)
    step = 10.0 ** (1 - digits) * 1.001
    assert value * (1 - step) <= down <= value <= up <= value * (1 + step)
    assert (number(rounded_up(value, digits)), number(rounded_down(value, digits))) == (up, down)
    assert (up, down) == tuple(float(f"{one:.{digits}g}") for one in (up, down))


@pytest.mark.parametrize("share", [0.0014, 0.03, 0.774])
def test_a_share_just_beside_one_of_few_digits_is_not_told_as_that(share):
    """A hundred times as much has more digits than a double, and may be rounded to just that."""
    more, less = (math.nextafter(share, end) for end in (1.0, 0.0))
    below, at, above = percent_down(less), percent_up(share), percent_up(more)
    assert at == percent_down(share)
    assert number(below[:-2]) < number(at[:-2]) < number(above[:-2])


def test_zero_stays_zero_carries_reach_the_next_digit_and_small_numbers_are_powers():
    assert (rounded_up(0.0), rounded_down(0.0), rounded(0.0)) == ("0", "0", "0")
    assert (rounded_up(9.9991), rounded_up(99999.1)) == ("10", "100,000")
    assert rounded_up(1.23456e-9, 3) == "1.24·10⁻⁹"


TRAFFIC = PRESETS["traffic"].scenario


@given(
    epsilon=st.floats(1e-3, 100.0),
    delta=st.floats(1e-12, 0.5),
    rate=st.floats(1e-6, 0.9999),
    prior=st.floats(1e-6, 0.999999),
)
def test_no_number_of_a_pair_is_below_what_the_pair_allows(epsilon, delta, rate, prior):
    odds = odds_of_pair(epsilon, delta, rate, prior)
    region = min(math.exp(epsilon) * rate + delta, 1.0 - math.exp(-epsilon) * (1.0 - rate - delta))
    hits = min(max(region, 0.0), 1.0)
    found = numbers_after("**finds at most ", people_headline(odds))[0]
    assert found >= 100.0 * hits * (1.0 - 1e-12)
    said = people_sentences(odds)
    # The largest difference of hits and false alarms is where both lines of the region meet.
    meeting = (1.0 - delta) / (1.0 + math.exp(epsilon))
    success = (1.0 + (math.exp(epsilon) - 1.0) * meeting + delta) / 2.0
    right = numbers_after("no attacker for more than ", said)[0]
    assert 100.0 * success * (1.0 - 1e-12) <= right <= 100.0 * success + 1.0 + 1e-9
    claims = prior * hits / (prior * hits + (1.0 - prior) * rate)
    assert numbers_after("is right in at most ", said)[0] >= 100.0 * claims * (1.0 - 1e-9)
    assert people_description(odds).endswith("accused falsely.")


def test_a_run_is_told_with_theorem_side_length_and_person():
    rates, curves = attack_rates(TRAFFIC, 0.01), curves_of(TRAFFIC)
    odds = odds_of_run(Told(rates=rates, curves=curves, rate=0.01, prior=0.5))
    most, least = rates.at(0.01)
    said = people_headline(odds)
    assert said.startswith("Of 100 people in the data, ")
    assert "Training: 4,000 epochs (12,000 steps), series drawn at random, ε ≤ 0.63" in said
    assert f"**finds at most {math.ceil(100 * most)}** on average (upper bound, Theorem 4.4" in said
    lower = f"Some attacker finds at least {math.floor(100 * least)} (lower bound, by the same"
    assert lower in said
    assert said.endswith("A person here stands for any single value of one series.")
    # 10 e^0.6375 of 1,000.
    assert "at most 19 of 1,000 with them do (ε = 0.63" in people_sentences(odds)


@pytest.mark.parametrize(("epsilon", "rate"), [(1e-3, 0.01), (1.0, 0.2), (100.0, 0.5)])
def test_the_drawing_has_100_people_on_each_side(epsilon, rate):
    odds = odds_of_pair(epsilon, 1e-6, rate, 0.5)
    drawn = {trace["uid"]: len(trace["x"]) for trace in people_chart(odds)["data"]}
    assert drawn["perhaps"] == odds.found_at_most
    assert sum(drawn.get(uid, 0) for uid in ("found", "perhaps", "unseen")) == 100
    assert drawn["accused"] == round(100 * rate)
    assert np.isclose(drawn["accused"] + drawn["others"], 100)


@pytest.mark.parametrize("function", [rounded, rounded_up, rounded_down])
@pytest.mark.parametrize("value", [1e15, 1.2345678e100, 1.7976931348623157e308, 5e-324])
def test_no_number_is_as_long_as_its_zeros(function, value):
    """A file of absurd values has absurd errors, and nobody counts a hundred zeros."""
    for signed_value in (value, -value):
        assert len(function(signed_value)) <= len("−1.234·10⁻³⁰⁰")


def test_powers_begin_where_zeros_need_counting():
    assert rounded(999_999_999_999_999.0) == "1·10¹⁵"
    assert rounded(999_949_999_999_999.0) == "999,900,000,000,000"
