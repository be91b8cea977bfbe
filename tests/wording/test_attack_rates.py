"""What is said of hits, false alarms and beliefs stays true when it is rounded."""

import re
from dataclasses import replace

import pytest

from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attack_rates, pair_hits
from dpviz.risk import posterior_at_loss, posterior_of_claim
from dpviz.scenario import PRESETS, Noise, Training
from dpviz.wording.attack_rates import (
    Told,
    advantage_sentence,
    lossy_sentence,
    posterior_description,
    posterior_text,
    rates_description,
    rates_table,
)

TOY = replace(PRESETS["toy"].scenario, training=Training(unit="steps", count=50))


def told_of(scenario=TOY, rate=0.01, prior=0.5):
    rates = attack_rates(scenario, rate)
    return Told(rates=rates, curves=curves_of(scenario), rate=rate, prior=prior)


def number(text, before):
    return float(re.search(re.escape(before) + r"([\d.,]+\d|\d)", text)[1].replace(",", ""))


@pytest.mark.parametrize("rate", [0.01, 0.0137, 0.5, 1e-6])
@pytest.mark.parametrize("noise", [0.3, 1.0, 20.0])
def test_upper_sides_are_rounded_up_and_lower_ones_down(noise, rate):
    told = told_of(replace(TOY, noise=Noise(noise_multiplier=noise)), rate=rate)
    most, _ = told.hits
    gain = advantage_sentence(told)
    assert number(gain, "by more than **") >= min(100.0 * told.rates.upper.advantage.share, 100.0)
    assert number(gain, "attacker reaches ") <= 100.0 * told.rates.lower.advantage.share
    belief = posterior_text(told)
    claim = posterior_of_claim(0.5, rate, most)
    assert number(belief, "**at most ") >= 100.0 * claim * (1.0 - 1e-12)
    loss = told.rates.largest_loss
    assert number(belief, "at most e^") >= loss
    if "makes it more than" in belief:
        assert number(belief, "makes it more than **") >= 100.0 * posterior_at_loss(0.5, loss)


def test_a_table_tells_hits_misses_and_the_pair():
    told = told_of(rate=0.001)
    rows = [row.split("|")[1:-1] for row in rates_table(told).splitlines()]
    assert [row[0].strip() for row in rows[2:]] == ["0.1 %", "1 %", "10 %"]
    for row in rows[2:]:
        least, most, missed, pair = (float(cell.split()[0]) for cell in row[1:])
        assert least <= most <= pair
        assert 99.9 <= most + missed <= 100.1


def test_one_pair_is_called_lossy_only_where_it_is():
    """It is the smaller of its two lines, and never below the curve that it is a point of."""
    told = told_of()
    assert "One pair is not the whole story" in lossy_sentence(told)
    loud = told_of(replace(PRESETS["toy"].scenario, noise=Noise(noise_multiplier=0.1)))
    assert "no more than the whole curve" in lossy_sentence(loud)
    epsilon = told.curves.epsilon_upper
    assert (pair_hits(epsilon, TOY.delta, told.rates.rates) >= told.rates.upper.hits).all()


def test_that_epsilon_is_no_limit_on_the_odds_is_said():
    said = posterior_text(told_of())
    assert "does not follow from (ε, δ)" in said
    assert "in the exceptional outcomes anything may be revealed" in said


def test_descriptions_name_bounds_and_rates():
    told = told_of()
    said = rates_description(told)
    for words in ("upper bound, Theorem 4.4 composed over 50 steps", "lower bound, Theorem 4.4",
                  "at 10 % false alarms", "Guessing has as many"):  # fmt: skip
        assert words in said
    assert "at 1 % false alarms" in posterior_description(told)
