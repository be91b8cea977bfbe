"""What one step reveals is never told to be more than the theorems prove."""

from math import comb

import mpmath
import pytest
from scipy.stats import hypergeom

from dpviz.planning import curves_of
from dpviz.planning.hit_laws import _least_touched, single_unit_exceeds
from tests.accounting.exact import single_unit_delta
from tests.planning.kinds import RUNS, TOY, sampled
from tests.scenario.changes import varied

BAG = sampled(top_level="flat")
KINDS = RUNS | {
    "many windows": sampled(TOY.with_rates(bottom_rate=0.6, top_rate=0.3), num_subsequences=16),
    "all windows": sampled(TOY.with_rates(bottom_rate=1.0, top_rate=0.3), num_subsequences=4),
    "many walked": sampled(
        TOY.with_rates(bottom_rate=0.3), num_subsequences=9, top_level="deterministic"
    ),
    "Poisson walked": sampled(
        bottom_level="poisson", top_level="deterministic", num_subsequences=8
    ),
    "Poisson all": sampled(bottom_level="poisson", top_level="poisson", num_subsequences=32),
    "wide bag": varied(BAG, width=7),
    "whole bag": varied(BAG, batch_size=6400),
}
EXACT = ["drawn", "walked", "one step", "tight for many", "negligible", "epsilon 0"]


def one_unit(name, sigma, delta):
    return varied(KINDS[name], noise_multiplier=sigma, steps=1, delta=delta)


@pytest.mark.parametrize("delta", [1e-9, 1e-5, 0.02])
@pytest.mark.parametrize("sigma", [0.1, 0.4, 1.5])
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.every(4)
def test_a_step_exceeds_no_epsilon_that_the_accountant_denies(name, sigma, delta):
    scenario = one_unit(name, sigma, delta)
    curves = curves_of(scenario)
    if curves.lower is None:
        assert not single_unit_exceeds(scenario, 0.0)
        return
    most = curves.lower.bracket.high
    if most is not None:
        assert not single_unit_exceeds(scenario, most * (1.0 + 1e-9))
    least = curves.lower.bracket.low
    if name in EXACT and least:
        assert single_unit_exceeds(scenario, least * (1.0 - 1e-9))


def test_longer_training_changes_nothing():
    for count in (1, 10**6):
        long = varied(TOY, noise_multiplier=0.3, steps=count)
        assert single_unit_exceeds(long, 20.0)


@pytest.mark.parametrize("rate", [1.0, 0.1, 1e-3])
@pytest.mark.parametrize("delta", [1e-5, 1e-7, 1e-12])
def test_it_is_the_exact_profile_in_forty_digits(rate, delta):
    """Thm 4.4 for one step: just below the noise at which its delta is that, and just above."""
    with mpmath.workdps(40):
        low, high = mpmath.mpf("0.1"), mpmath.mpf(3)
        for _ in range(60):
            middle = (low + high) / 2
            too_much = single_unit_delta(rate, middle, 20.0) > delta
            low, high = (middle, high) if too_much else (low, middle)
    for factor, exceeds in ((1.0 - 1e-6, True), (1.0 + 1e-6, False)):
        drawn = TOY.with_rates(bottom_rate=1.0, top_rate=rate)
        scenario = varied(drawn, noise_multiplier=float(low) * factor, delta=delta)
        assert single_unit_exceeds(scenario, 20.0) is exceeds


@pytest.mark.parametrize("windows", [1, 2, 3, 5, 16, 33, 64])
def test_counts_of_touching_windows_have_at_least_the_chance_that_is_used(windows):
    """Enumerated."""
    for rate in (1e-9, 0.01, 0.1, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.9, 0.999, 1.0):
        scenario = sampled(
            TOY.with_rates(bottom_rate=rate, top_rate=1.0), num_subsequences=windows, batch_size=64
        )
        law = [comb(windows, i) * rate**i * (1 - rate) ** (windows - i) for i in range(windows + 1)]
        for touching, chance in _least_touched(scenario):
            assert chance <= sum(law[touching:]) * (1 + 1e-7)


@pytest.mark.parametrize("batch", [1, 32, 5000, 6399, 6400])
def test_a_bag_is_drawn_from_without_replacement(batch):
    for width in (1, 7, 50):
        bag = varied(BAG, width=width, batch_size=batch)
        for touching, chance in _least_touched(bag):
            exact = hypergeom(6400, bag.touched_windows, batch).sf(touching - 1)
            assert chance <= exact * (1 + 1e-9)
