"""What epsilon means in whole numbers of people: every upper bound rounded up, lower ones down."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.figures.attack_rates import people_chart
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attack_rates
from dpviz.scenario import PRESETS
from dpviz.wording.attack_rates import Told
from dpviz.wording.people import (
    odds_of_pair,
    odds_of_run,
    people_description,
    people_headline,
    people_sentences,
)

TRAFFIC = PRESETS["traffic"].scenario


def number(text, before):
    return int(re.search(re.escape(before) + r"(\d+)", text)[1])


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
    assert number(people_headline(odds), "**finds at most ") >= 100.0 * hits * (1.0 - 1e-12)
    said = people_sentences(odds)
    # The largest difference of hits and false alarms is where both lines of the region meet.
    meeting = (1.0 - delta) / (1.0 + math.exp(epsilon))
    success = (1.0 + (math.exp(epsilon) - 1.0) * meeting + delta) / 2.0
    right = number(said, "no attacker for more than ")
    assert 100.0 * success * (1.0 - 1e-12) <= right <= 100.0 * success + 1.0 + 1e-9
    claims = prior * hits / (prior * hits + (1.0 - prior) * rate)
    assert number(said, "is right in at most ") >= 100.0 * claims * (1.0 - 1e-9)
    assert people_description(odds).endswith("accused falsely.")


def test_a_run_is_told_with_theorem_side_length_and_person():
    rates, curves = attack_rates(TRAFFIC, 0.01), curves_of(TRAFFIC)
    odds = odds_of_run(Told(rates=rates, curves=curves, rate=0.01, prior=0.5))
    most, least = rates.at(0.01)
    said = people_headline(odds)
    assert said.startswith(
        "After 4,000 epochs (12,000 steps) with series drawn at random (ε ≤ 0.63"
    )
    assert f"**finds at most {math.ceil(100 * most)}** (upper bound, Theorem 4.4 comp" in said
    assert f"Some attacker finds at least {math.floor(100 * least)} (lower bound, Th" in said
    assert said.endswith("A person here has any single value of one series.")
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
