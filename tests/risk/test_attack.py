"""What an attacker gains at most, reaches at least, and may believe afterwards."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpviz.accounting import composed_curve
from dpviz.guarantees import (
    guarantee_for,
    in_one_direction,
)
from dpviz.guarantees.flat import one_bag
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.risk import (
    advantage,
    attained_true_positive_rate,
    attained_true_positive_rates,
    directed_true_positive_rates,
    gaussian_dp_mu,
    loss_exceeded_with,
    posterior_at_loss,
    posterior_of_claim,
    success,
    true_positive_rate,
    true_positive_rates,
)
from dpviz.risk import attack as risk_attack
from dpviz.scenario import DataShape, Noise, Sampling
from tests.accounting import exact_mixtures as exact
from tests.accounting.rows import drawn, walked
from tests.scenario.changes import TOY, varied

RATES = (0.0, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9, 1.0)


def curve_of(*, rate=1.0, noise=2.0, steps=1, tolerance=1e-4):
    return composed_curve(drawn(rate, noise, steps).upper, at_delta=1e-3, tolerance=tolerance)


@pytest.mark.parametrize(("noise", "steps"), [(2.0, 1), (4.0, 16), (100.0, 3), (0.5, 2)])
def test_without_sampling_it_is_the_gaussian_mechanisms_own(noise, steps):
    """TPR = Phi(Phi^-1(FPR) + mu) with mu = 2 sqrt(steps) / sigma; advantage 2 Phi(mu / 2) - 1."""
    curve, mu = curve_of(noise=noise, steps=steps), 2.0 * np.sqrt(steps) / noise
    wanted = 2.0 * norm.cdf(0.5 * mu) - 1.0
    assert advantage(curve).low <= wanted <= advantage(curve).high
    assert success(curve).low <= norm.cdf(0.5 * mu) <= success(curve).high
    assert success(curve).high == pytest.approx(norm.cdf(0.5 * mu), rel=1e-3)
    for rate in RATES:
        bracket, exact = true_positive_rate(curve, rate), norm.cdf(norm.ppf(rate) + mu)
        assert bracket.low <= exact <= bracket.high
        assert bracket.high == pytest.approx(exact, rel=5e-3, abs=1e-9)
        assert bracket.low == pytest.approx(exact, rel=5e-2, abs=1e-9)


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5])
def test_no_threshold_on_one_sampled_gradient_does_better(rate):
    """The best tests of N(0) against its mixture, in both directions; they are that good, too."""
    curve, noise = curve_of(rate=rate, noise=1.0), 1.0
    at = np.linspace(-8.0, 12.0, 4001)
    null = norm.sf(at, 0.0, noise)
    mixed = (1.0 - rate) * null + rate * norm.sf(at, 2.0, noise)
    attained = np.maximum(
        np.interp(RATES, null[::-1], mixed[::-1]), np.interp(RATES, (1.0 - mixed), (1.0 - null))
    )
    highs = np.array([true_positive_rate(curve, one).high for one in RATES])
    assert np.all(highs >= attained - 1e-12)
    assert advantage(curve).high >= rate * (2.0 * norm.cdf(1.0) - 1.0)
    assert advantage(curve).high == pytest.approx(rate * (2.0 * norm.cdf(1.0) - 1.0), rel=1e-3)
    # Where only one of the directions binds the two are one: at few false positives.
    assert highs[2] == pytest.approx(attained[2], rel=5e-3)


@given(
    st.floats(0.001, 1.0), st.floats(0.5, 20.0), st.integers(1, 500),
    st.lists(st.floats(0.0, 1.0), min_size=2, max_size=5).map(sorted),
)  # fmt: skip
def test_a_trade_off_curve_rises_above_chance_and_below_the_advantage(rate, noise, steps, rates):
    """However coarse it is."""
    curve = curve_of(rate=rate, noise=noise, steps=steps, tolerance=1e-2)
    brackets = true_positive_rates(curve, rates)
    most = advantage(curve).high
    for one, low, high in zip(rates, brackets.low, brackets.high, strict=True):
        assert one <= low <= high <= min(1.0, one + most + 1e-9)
    assert all(right >= left for left, right in pairwise(brackets.high))


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(ValueError, match="it must be from 0 to 1"):
        true_positive_rate(curve_of(), rate)


def test_the_curve_of_a_lower_bound_is_refused():
    with pytest.raises(ValueError, match="lower bound"):
        true_positive_rate(composed_curve(drawn(0.1, 2.0, 2).lower), 0.1)


def test_a_claim_is_right_as_bayes_rule_says():
    """Of 100 who are there and 900 who are not: 30 hits, 9 false alarms."""
    assert posterior_of_claim(0.1, 0.01, 0.3) == pytest.approx(30.0 / 39.0)
    assert posterior_of_claim(0.1, 0.3, 0.3) == pytest.approx(0.1)
    assert posterior_at_loss(0.1, np.log(3.0)) == pytest.approx(3.0 / 12.0)
    assert posterior_at_loss(0.3, 2000.0) == 1.0


@pytest.mark.parametrize("probability", [1e-9, 1e-5, 0.01])
@pytest.mark.parametrize(("noise", "steps"), [(2.0, 1), (4.0, 16), (1.0, 9)])
def test_a_gaussians_loss_is_exceeded_less_often(noise, steps, probability):
    """It is N(mu^2 / 2, mu^2); the bound on it is no more than a quarter above, epsilon below."""
    mu = 2.0 * np.sqrt(steps) / noise
    curve = composed_curve(drawn(1.0, noise, steps).upper, at_delta=probability)
    exact = mu * norm.isf(probability) + mu**2 / 2.0
    loss = loss_exceeded_with(curve, probability)
    assert exact <= loss <= 1.25 * exact
    assert curve.quoted_epsilon_at(probability) < exact


def test_a_sampled_steps_loss_is_exceeded_less_often_under_either_distribution():
    rate, noise, probability = 0.1, 0.7, 1e-3
    curve = composed_curve(drawn(rate, noise, 1).upper, at_delta=probability)
    loss = loss_exceeded_with(curve, probability)
    outcome = noise**2 / 2.0 * np.log(np.expm1(loss) / rate + 1.0) + 1.0
    absent = norm.sf(outcome, 0.0, noise)
    there = (1.0 - rate) * absent + rate * norm.sf(outcome, 2.0, noise)
    assert absent <= there <= probability


def test_what_is_no_probability_or_no_upper_bound_is_refused():
    curve = composed_curve(drawn(0.5, 2.0, 1).upper)
    for probability in (0.0, -0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="it must be from above 0 to 1"):
            loss_exceeded_with(curve, probability)
    with pytest.raises(ValueError, match="lower bound"):
        loss_exceeded_with(composed_curve(drawn(0.5, 2.0, 1).lower), 0.1)


ALL_RATES = np.array([0.0, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9, 1.0])


def sampled(*, rate=1.0, noise=2.0, steps=1, windows=1, top=1.0):
    return drawn(rate, noise, steps, windows, top)


def curve_of_bound(bound, **options):
    return composed_curve(bound, at_delta=1e-3, **options)


@pytest.mark.parametrize(("noise", "steps"), [(2.0, 1), (4.0, 16), (100.0, 3), (0.5, 2)])
def test_without_sampling_the_gaussian_mechanisms_own_is_reached(noise, steps):
    """TPR = Phi(Phi^-1(FPR) + mu) with mu = 2 sqrt(steps) / sigma, which is told."""
    lower = sampled(noise=noise, steps=steps).lower
    mu = 2.0 * np.sqrt(steps) / noise
    assert gaussian_dp_mu(lower) == pytest.approx(mu, rel=1e-14)
    [attack] = directed_true_positive_rates(curve_of_bound(lower), ALL_RATES)
    exact = norm.cdf(norm.ppf(ALL_RATES) + mu)
    assert np.all(attack.low <= exact)
    assert np.all(exact <= attack.high)
    np.testing.assert_allclose(attack.low, exact, rtol=5e-3, atol=1e-9)


@given(noise=st.floats(0.01, 1000.0), steps=st.integers(1, 10**6))
def test_mu_is_rounded_to_the_side_of_its_bound(noise, steps):
    found = sampled(noise=noise, steps=steps)
    exact = steps * (2 / Fraction(noise)) ** 2
    least, most = gaussian_dp_mu(found.lower), gaussian_dp_mu(found.upper)
    assert Fraction(least) ** 2 <= exact <= Fraction(most) ** 2
    assert most <= least * (1.0 + 2.0**-51)


def test_a_mu_is_told_only_of_plain_gaussian_mechanisms():
    """Of all windows at once, too; not where a series may be absent."""
    several = sampled(rate=1.0, noise=4.0, steps=9, windows=3)
    assert gaussian_dp_mu(several.lower) == pytest.approx(3.0 * 6.0 / 4.0)
    assert gaussian_dp_mu(sampled(rate=0.99).lower) is None
    assert gaussian_dp_mu(sampled(top=0.5, windows=2).upper) is None
    every = poisson_deterministic(touched=[(3, 1.0)], noise_multiplier=2.0, epochs=4).upper
    assert gaussian_dp_mu(every) == pytest.approx(2.0 * 3.0 / 2.0 * 2.0)


SIGMA = 1.5
# Of each scheme one unit, and its profile as the theorems have it.
SCHEMES = {
    "4.4": (sampled(rate=0.1, noise=SIGMA), exact.thm_4_3(1, 0.1, SIGMA)),
    "4.3": (
        walked(0.2, SIGMA, 1, 4),
        exact.thm_4_3(4, 0.2, SIGMA),
    ),
    "F.7": (
        sampled(rate=0.2, noise=SIGMA, windows=4, top=0.25),
        exact.thm_f_7(4, 0.2, 0.25, SIGMA),
    ),
    "E.8": (
        poisson_deterministic(touched=[(3, 0.25)], noise_multiplier=SIGMA, epochs=1),
        exact.thm_f_2(3, 0.25, 1.0, SIGMA).exchanged,
    ),
    "F.8": (
        poisson_sampled(touched=[(3, 12, 0.25)], top_rate=0.5, noise_multiplier=SIGMA, steps=1),
        exact.thm_f_8(3, 0.25, 0.5, SIGMA).exchanged,
    ),
    "C.2": (
        one_bag(num_windows=40, batch_size=10, touched_windows=4, noise_multiplier=SIGMA, steps=1),
        exact.prop_c_2(40, 4, 10, SIGMA),
    ),
}


def beyond(components, threshold, side):
    """Return the mixture's probability above (side 1) or below (-1) a threshold, to 40 digits."""
    return sum(
        weight * mpmath.ncdf(side * (mean - threshold) / SIGMA)
        for mean, weight in components.items()
    )


@pytest.mark.parametrize("theorem", SCHEMES)
def test_one_unit_is_the_best_tests_own_in_both_directions(theorem):
    """Thresholds on the outcome are the best tests, as the loss increases in it."""
    guarantee, profile = SCHEMES[theorem]
    first, second = profile.first, profile.second
    assert in_one_direction(guarantee.lower).theorem == theorem
    curve = composed_curve(in_one_direction(guarantee.lower), interval=1e-3)
    directions = ((first, second, 1), (second, first, -1))
    thresholds = np.linspace(-6.0, 10.0, 33)
    rates = []
    with mpmath.workdps(exact.DIGITS):
        for found, other, side in directions:
            both = [(beyond(other, x, side), beyond(found, x, side)) for x in thresholds]
            rates.append([(float(alpha), float(hits)) for alpha, hits in both])
    shown = directed_true_positive_rates(curve, np.array([a for a, _ in rates[0]]))
    mirrored = directed_true_positive_rates(curve, np.array([a for a, _ in rates[1]]))
    for attack, points in ((shown[0], rates[0]), (mirrored[-1], rates[1])):
        hits = np.array([rate for _, rate in points])
        assert np.all(attack.low <= hits * (1.0 + 1e-12))
        assert np.all(attack.high >= hits * (1.0 - 1e-12))
        np.testing.assert_allclose(attack.low, hits, rtol=2e-3, atol=1e-6)


def test_the_larger_delta_of_both_directions_would_claim_too_much():
    """Mixed at each epsilon, the two directions are the curve of no attack."""
    curve = curve_of_bound(sampled(rate=0.1, noise=1.0).lower)
    epsilon = np.linspace(0.0, 5.0, 5001)
    delta = curve.delta_at(epsilon).low
    mixed = min(
        np.min(delta + np.exp(epsilon) * 0.5), np.min(1.0 - np.exp(-epsilon) * (0.5 - delta))
    )
    assert mixed > attained_true_positive_rate(curve, 0.5).high


def test_a_real_attack_on_twenty_steps_is_right_as_often():
    """Draws 400,000 runs of either kind and sums the losses: within five standard errors."""
    rate, noise, steps, runs = 0.2, 1.0, 20, 400_000
    rng = np.random.default_rng(7)
    curve = curve_of_bound(sampled(rate=rate, noise=noise, steps=steps).lower)

    def losses(is_there):
        total = np.zeros(runs)
        for _ in range(steps):
            touched = rng.random(runs) < rate if is_there else np.zeros(runs)
            x = rng.normal(0.0, noise, runs) + 2.0 * touched
            total += np.log1p(rate * np.expm1((2.0 * x - 2.0) / noise**2))
        return total

    there, absent = losses(True), losses(False)
    for side, null, sought, at in ((1, absent, there, 0), (-1, there, absent, 1)):
        threshold = np.quantile(side * null, 0.9)
        # Both rates are counted, so the drawn threshold needs no error of its own.
        false, hits = (float(np.mean(side * one > threshold)) for one in (null, sought))
        low, high = (
            getattr(directed_true_positive_rates(curve, np.array([shifted]))[at], end)[0]
            for shifted, end in (
                (false - 5.0 * np.sqrt(false / runs), "low"),
                (false + 5.0 * np.sqrt(false / runs), "high"),
            )
        )
        error = 5.0 * np.sqrt(hits * (1.0 - hits) / runs)
        assert low - error <= hits <= high + error


@pytest.mark.slow
@given(
    st.floats(0.001, 1.0), st.floats(0.05, 1.0), st.floats(0.4, 20.0), st.integers(1, 300),
    st.integers(1, 4),
)  # fmt: skip
@settings(max_examples=25)
def test_what_is_reached_is_never_more_than_what_is_allowed(rate, top, noise, steps, windows):
    """By the upper bound, at any rate; each direction rises, is concave, and beats chance."""
    guarantee = sampled(rate=rate, noise=noise, steps=steps, windows=windows, top=top)
    curve = curve_of_bound(guarantee.lower)
    even = np.linspace(0.0, 1.0, 21)
    attacks = directed_true_positive_rates(curve, even)
    for attack in attacks:
        for side in (attack.low, attack.high):
            assert np.all(side >= even)
            assert np.all(np.diff(side) >= -1e-12)
            assert np.all(np.diff(side, 2) <= 1e-9)
        assert np.all(attack.low <= attack.high)
        assert (attack.low[0], attack.low[-1], attack.high[-1]) == (0.0, 1.0, 1.0)
    upper = curve_of_bound(guarantee.upper)
    assert advantage(curve).low <= advantage(upper).high
    for alpha in (0.0, 1e-6, 0.01, 0.3):
        reached = attained_true_positive_rate(curve, alpha).low
        assert reached <= true_positive_rate(upper, alpha).high


def test_what_reveals_nothing_or_all_is_told_so():
    nothing = curve_of_bound(one_bag(
        num_windows=40, batch_size=10, touched_windows=0, noise_multiplier=1.0, steps=5
    ).lower)  # fmt: skip
    [attack] = directed_true_positive_rates(nothing, ALL_RATES)
    assert attack.low.tolist() == ALL_RATES.tolist()
    everything = curve_of_bound(sampled(noise=0.01, steps=100).lower)
    assert attained_true_positive_rate(everything, 1e-6).low > 1.0 - 1e-9


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_that_is_none_is_not_reached(rate):
    with pytest.raises(ValueError, match="it must be from 0 to 1"):
        attained_true_positive_rate(curve_of_bound(sampled().lower), rate)


def test_a_curve_that_no_attacker_need_reach_is_refused():
    with pytest.raises(ValueError, match="not of an attained pair"):
        attained_true_positive_rate(curve_of_bound(sampled(rate=0.5).upper), 0.1)


@given(st.integers(1, 400), st.integers(0, 2**32 - 1))
def test_looking_at_blocks_of_lines_misses_none(count, seed):
    """The smallest of all lines at each rate, to the last digit."""
    rng = np.random.default_rng(seed)
    starts, slopes = rng.random(count), np.sort(np.exp(rng.normal(0.0, 3.0, count)))
    found = risk_attack._smallest(starts, slopes, ALL_RATES)
    assert found.tolist() == [float(np.min(starts + slopes * rate)) for rate in ALL_RATES]


def test_attacks_of_one_direction_and_of_two_keep_their_profiles_apart():
    """Guesses on noised windows mirror each other, other attacks on them do not."""
    scenario = varied(
        TOY,
        data=DataShape(num_series=40, series_lengths=(30,), context_length=4, forecast_length=3),
        sampling=Sampling(batch_size=8, num_subsequences=4),
        noise=Noise(noise_multiplier=1.0, forecast_noise=2.0),
        steps=1,
    )
    lower = guarantee_for(scenario).lower
    assert len({pair.is_symmetric for pair in lower.pairs}) == 2
    found = attained_true_positive_rates(curve_of_bound(lower, interval=0.05), ALL_RATES)
    alone = [replace(lower, pair=pair, other_pairs=()) for pair in lower.pairs]
    each = [
        attained_true_positive_rates(curve_of_bound(one, interval=0.05), ALL_RATES) for one in alone
    ]
    np.testing.assert_array_equal(found.low, np.max([one.low for one in each], axis=0))
    np.testing.assert_array_equal(found.high, np.max([one.high for one in each], axis=0))
