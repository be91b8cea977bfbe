"""The command that tells how often attackers are right."""

import pytest
from scipy.stats import norm

from dpviz.planning.attack_rates import risk_account
from dpviz.risk import advantage, attained_true_positive_rate, true_positive_rate
from dpviz.scenario import from_fields
from tests.command_line.test_main import OPTIONS

FALSE = ["--false-positive-rate", "0", "0.001", "0.01", "0.1", "1"]


def test_rates_are_the_librarys_each_on_its_own_side(answer_of):
    answer = answer_of("risk", *OPTIONS, *FALSE)
    account = risk_account(from_fields(answer["scenario"]))
    upper, lower = answer["upper"], answer["lower"]
    rates = [0.0, 0.001, 0.01, 0.1, 1.0]
    assert upper["false_positive_rate"] == lower["false_positive_rate"] == rates
    assert upper["true_positive_rate"] == [
        true_positive_rate(account.upper, rate).high for rate in rates
    ]
    assert lower["true_positive_rate"] == [
        attained_true_positive_rate(account.lower, rate).low for rate in rates
    ]
    assert upper["advantage"] == advantage(account.upper).high
    assert lower["advantage"] == advantage(account.lower).low
    assert (upper["theorem"], upper["kind"], lower["kind"]) == ("4.4", "upper", "lower")
    assert answer["composition"] == {"unit": "step", "count": 1000}
    for reached, allowed in zip(
        lower["true_positive_rate"], upper["true_positive_rate"], strict=True
    ):
        assert reached <= allowed


def test_a_plain_gaussian_mechanism_tells_its_mu(answer_of):
    """All series in every batch, and each window touched: mu = 2 sqrt(steps) / sigma."""
    everything = ["--top-rate=1", "--bottom-rate=1", "--noise-multiplier=10", "--steps=25"]
    answer = answer_of("risk", *everything, *FALSE)
    for side in ("upper", "lower"):
        assert answer[side]["gaussian_dp_mu"] == 1.0
        hits = norm.cdf(norm.ppf([0.001, 0.01, 0.1]) + 1.0)
        assert answer[side]["true_positive_rate"][1:4] == pytest.approx(hits, rel=5e-3)
    assert "gaussian_dp_mu" not in answer_of("risk", *OPTIONS, *FALSE)["upper"]


def test_mu_is_rounded_to_the_side_of_its_bound(text_of):
    """It is 2 / 3 here."""
    everything = ["--top-rate=1", "--bottom-rate=1", "--noise-multiplier=3", "--steps=1"]
    lines = text_of("risk", *everything, *FALSE).splitlines()
    told = [line.rpartition(" ")[2] for line in lines if "N(mu, 1)" in line]
    assert told == ["0.666667", "0.666666"]


def test_the_table_rounds_each_bound_to_its_own_side(both_of):
    asked = ["risk", *OPTIONS, "--false-positive-rate=0.01"]
    answer, text = both_of(*asked)
    lines = [line for line in text.splitlines() if "  false alarms" in line]
    upper, lower = (float(line.split()[6]) for line in lines)
    assert "hits at most" in lines[0]
    assert "hits at least" in lines[1]
    [most], [least] = (answer[side]["true_positive_rate"] for side in ("upper", "lower"))
    assert most <= upper <= most + 1e-6
    assert least - 1e-6 <= lower <= least


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "--false-positive-rate is needed: one or more numbers from 0 to 1"),
        (["--false-positive-rate"], "without a value is not allowed: it takes one or more values"),
        (["--fpr", "0.1"], "the nearest is --false-positive-rate"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words, named, refusal_of):
    assert named in refusal_of("risk", *OPTIONS, *words)
