"""The charts of hits against false alarms, and of beliefs, draw what is proven."""

from dataclasses import replace
from itertools import pairwise

import pytest

from dpviz.figures import figure_json
from dpviz.figures.attack_rates import beliefs_chart, trade_off_chart
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attack_rates
from dpviz.risk import posterior_at_loss, posterior_of_claim
from dpviz.scenario import PRESETS, Noise, Training
from dpviz.wording.attack_rates import Told

TOY = replace(PRESETS["toy"].scenario, training=Training(unit="steps", count=50))


def told_of(scenario=TOY, rate=0.01, prior=0.2):
    rates = attack_rates(scenario, rate)
    return Told(rates=rates, curves=curves_of(scenario), rate=rate, prior=prior)


@pytest.fixture(scope="module")
def told():
    return told_of()


def traces(spec):
    return {trace["uid"]: trace for trace in spec["data"]}


@pytest.mark.parametrize("is_log", [False, True])
def test_every_line_is_drawn_in_its_order(told, is_log):
    """Guessing, at least, at most, one pair: each over the one before."""
    found = traces(trade_off_chart(told, is_log=is_log))
    lines = [found[uid] for uid in ("target-upper", "series-0-lower", "series-0-upper",
                                    "series-1-upper")]  # fmt: skip
    for below, above in pairwise(lines):
        assert below["x"] == above["x"]
        assert all(low <= high for low, high in zip(below["y"], above["y"], strict=True))
    assert (min(lines[0]["x"]) > 0.0) == is_log
    assert (found["told"]["x"], found["told"]["y"]) == ([0.01], [told.hits[0]])


def test_no_two_lines_are_told_apart_by_colour_alone(told):
    for chart in (trade_off_chart(told, is_log=False), beliefs_chart(told)):
        lines = [trace["line"] for trace in chart["data"] if trace["mode"] == "lines"]
        assert len({(line["dash"], line["width"]) for line in lines}) == len(lines)


def test_hover_says_direction_theorem_and_count(told):
    found = traces(trade_off_chart(told, is_log=False))
    assert "(upper bound, Theorem 4.4, 50 steps)" in found["series-0-upper"]["text"][5]
    assert found["series-0-upper"]["text"][5].startswith("at most ")
    assert found["series-0-lower"]["text"][5].startswith("at least ")
    assert "(lower bound, Theorem 4.4, 50 steps)" in found["series-0-lower"]["text"][5]


def test_beliefs_are_bayes_rule_over_every_prior(told):
    found = traces(beliefs_chart(told))
    most, loss = told.hits[0], told.rates.largest_loss
    for prior, claim, anything in zip(
        found["series-0"]["x"], found["series-0"]["y"], found["series-1"]["y"], strict=True
    ):
        assert claim == posterior_of_claim(prior, 0.01, most) >= prior
        assert anything == posterior_at_loss(prior, loss) >= prior


def test_extremes_are_numbers(told):
    """A pair without a finite epsilon is left out; nothing that is drawn is infinite."""
    loud = told_of(replace(TOY, noise=Noise(noise_multiplier=0.1)), rate=1e-6, prior=1e-6)
    quiet = told_of(replace(TOY, noise=Noise(noise_multiplier=100.0)), rate=0.9999)
    for one in (loud, quiet):
        for is_log in (False, True):
            assert figure_json(trade_off_chart(one, is_log=is_log))
        assert figure_json(beliefs_chart(one))
