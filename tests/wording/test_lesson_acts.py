"""Who does what a lesson asks for sees what it reveals."""

from dataclasses import replace

import pytest

from dpviz.scenario import Training
from dpviz.wording.lessons import LESSONS_BY_NAME
from tests.wording.proven import at_least, at_most

RATES = LESSONS_BY_NAME["rates"]


def in_epochs(scenario):
    """Return the run counted in epochs, as the choice beside training does."""
    return replace(scenario, training=Training(unit="epochs", count=scenario.num_epochs))


def after_epochs(scenario, count):
    return replace(scenario, training=Training(unit="epochs", count=count))


@pytest.mark.parametrize("rate", ["bottom_rate", "top_rate"])
def test_halving_one_rate_over_the_same_steps(rate):
    half = RATES.scenario.with_rates(**{rate: 0.05})
    assert half.num_steps == 1000
    assert f"With either at 0.05 it is {at_most(half)}" in RATES.text.reveal


@pytest.mark.parametrize("rate_comes_first", [True, False])
def test_halving_one_rate_over_the_same_epochs(rate_comes_first):
    """In either order: half of rho makes epochs of twice the steps."""
    ends = {}
    for rate in ("bottom_rate", "top_rate"):
        if rate_comes_first:
            ends[rate] = after_epochs(in_epochs(RATES.scenario.with_rates(**{rate: 0.05})), 100)
        else:
            ends[rate] = in_epochs(RATES.scenario).with_rates(**{rate: 0.05})
        assert ends[rate].training == Training(unit="epochs", count=100)
    of_r, of_rho = ends["bottom_rate"], ends["top_rate"]
    assert (of_r.num_steps, of_rho.num_steps) == (1000, 2000)
    lower, higher = at_most(of_r), at_most(of_rho)
    promised = f"After 100 epochs it is {lower} with half of r and {higher} with half of ρ"
    assert promised in RATES.text.reveal
    assert at_least(of_rho) in RATES.text.reveal
