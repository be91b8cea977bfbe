"""What the live picture says of privacy is what dpviz accounts for, and never less."""

import re
from itertools import pairwise, product
from pathlib import Path

import pytest

from dpviz.accounting import account_for
from dpviz.figures.palette import PALETTE, SECRET
from dpviz.figures.sampling_picture import (
    WINDOW_LENGTHS,
    WINDOWS_PER_SERIES,
    picture_scenario,
    picture_scenarios,
    sampling_picture,
)
from dpviz.planning.proven import proven_epsilon
from dpviz.ui import static_files
from dpviz.wording.theorems import named_theorem

BROWSER = Path(static_files.__file__).parent / "browser"


@pytest.fixture(scope="module")
def told():
    return sampling_picture([proven_epsilon(one) for one in picture_scenarios()])


@pytest.fixture(scope="module")
def costs(told):
    return {(one["windowLength"], one["windowsPerSeries"]): one for one in told["costs"]}


def test_every_stop_of_the_handles_has_a_bound(costs):
    assert set(costs) == set(product(WINDOW_LENGTHS, WINDOWS_PER_SERIES))


@pytest.mark.parametrize("length", [WINDOW_LENGTHS[0], 24, WINDOW_LENGTHS[-1]])
@pytest.mark.parametrize("many", WINDOWS_PER_SERIES)
def test_bounds_are_those_of_the_account(costs, length, many):
    scenario, cost = picture_scenario(length, many), costs[length, many]
    account = account_for(scenario)
    upper, lower = (curve.epsilon_at(scenario.delta) for curve in (account.upper, account.lower))
    assert (cost["upper"], cost["lower"]) == (float(upper.high), float(lower.low))
    assert cost["theorem"] == named_theorem(account.upper.bound.theorem)


def test_words_are_rounded_to_their_own_side(costs):
    for cost in costs.values():
        assert cost["upper"] <= float(cost["atMost"]) < 1.01 * cost["upper"]
        assert 0.99 * cost["lower"] < float(cost["atLeast"]) <= cost["lower"]


def test_longer_windows_and_more_of_a_series_promise_less(costs):
    for many, lengths in product(WINDOWS_PER_SERIES, pairwise(WINDOW_LENGTHS)):
        assert costs[lengths[0], many]["upper"] < costs[lengths[1], many]["upper"]
    for length, each in product(WINDOW_LENGTHS, pairwise(WINDOWS_PER_SERIES)):
        assert costs[length, each[0]]["upper"] < costs[length, each[1]]["upper"]


def test_every_bound_is_on_the_gauge(costs):
    script = (BROWSER / "picture.js").read_text("utf-8")
    least = float(re.search(r"SCALE = \[([\d.]+),", script)[1])
    most = float(re.search(r"SCALE_END = ([\d.]+);", script)[1])
    for cost in costs.values():
        assert least <= cost["lower"] <= cost["upper"] <= most


def test_batches_are_of_one_size_and_whole_series():
    for scenario in picture_scenarios():
        sampling = scenario.sampling
        drawn = sampling.series_per_batch * sampling.num_subsequences
        assert drawn == sampling.batch_size <= scenario.shape.num_series * sampling.num_subsequences


def test_what_is_still_to_come_is_left_out():
    assert sampling_picture([None] * len(picture_scenarios()))["costs"] == []


def test_colours_are_those_of_the_charts():
    style = (BROWSER / "picture.css").read_text("utf-8")
    pairs = re.findall(r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style)
    wanted = [
        tuple(PALETTE[mode][role] for mode in ("light", "dark"))
        for role in ("series-0", "series-2", SECRET.role)
    ]
    assert pairs == wanted
