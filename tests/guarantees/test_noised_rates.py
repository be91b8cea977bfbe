"""Noise on context and labels: the rate q by enumeration and a real mechanism, and its bounds."""

from dataclasses import replace
from itertools import combinations, product
from math import erf, exp, log, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from dpviz.guarantees import (
    Kind,
    ShiftedMixturePair,
    covers_noise_on_windows,
    guarantee_for,
    revealing_rate,
)
from dpviz.guarantees.noise_on_windows import augmented_bottom_rate
from dpviz.guarantees.noised_rates import PLACEMENT, augmented_rate, total_variation
from dpviz.scenario import DataShape, Noise, Rates, Relation, Sampling
from tests.accounting.divergences import divergences, masses
from tests.accounting.exact import single_unit_delta
from tests.scenario.changes import TOY, varied

NOISE = Noise(noise_multiplier=1.0, context_noise=0.5, forecast_noise=2.0)
NOISY = replace(TOY, noise=NOISE)
LARGE = 1e6  # stands for infinite noise
ROUNDING = 1e-9
SIGMAS = st.sampled_from([0.0, 0.3, 1.0, 2.0, LARGE]) | st.floats(0.05, 50.0)


def noise_of(pair):
    return Noise(noise_multiplier=1.0, context_noise=pair[0], forecast_noise=pair[1])


def tv(shift, sigma):
    """Total variation distance of N(0, sigma) and N(shift, sigma), from their tails."""
    return 1.0 if sigma == 0.0 else 1.0 - 2.0 * float(norm.sf(shift / (2.0 * sigma)))


def rate(length, context, forecast, noise, **relation):
    shape = DataShape(
        num_series=1, series_lengths=(length,), context_length=context, forecast_length=forecast
    )
    return augmented_rate(shape, length, Relation(**relation), noise_of(noise))


def rate_of_place(changed, length, context, forecast, noise, channels=1):
    """(1 / T) sum of tau_t where exactly the values in ``changed`` are the individual's."""
    positions = length - forecast + 1
    total = 0.0
    for t in range(positions):
        parts = (
            (sum(t - context <= s < t for s in changed), noise[0]),
            (sum(t <= s < t + forecast for s in changed), noise[1]),
        )
        if any(count > 0 and sigma == 0.0 for count, sigma in parts):
            total += 1.0
            continue
        squares = sum(count * channels / sigma**2 for count, sigma in parts if count > 0)
        total += tv(sqrt(squares), 1.0)
    return total / positions


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.floats(0.0, 30.0), st.floats(0.01, 1e6))
def test_total_variation_is_that_of_two_normal_distributions(shift, sigma):
    x = shift / 2.0  # where the two densities cross
    expected = norm.cdf(x, 0.0, sigma) - norm.cdf(x, shift, sigma)
    assert total_variation(shift, sigma) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert (total_variation(0.0, 0.0), total_variation(1e-9, 0.0)) == (0.0, 1.0)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    st.integers(0, 40),
    st.integers(1, 40),
    st.integers(0, 60),
    st.tuples(SIGMAS, SIGMAS),
    st.sampled_from(["event", "user"]),
)
def test_one_value_of_a_long_series_gives_the_printed_rate(context, forecast, more, noise, level):
    """Theorem G.1, with rho = 1, where T >= L_C + L_F."""
    window = context + forecast
    positions = window + more
    share = forecast / window
    printed = (window / positions) * (share * tv(1.0, noise[1]) + (1.0 - share) * tv(1.0, noise[0]))
    found = rate(positions + forecast - 1, context, forecast, noise, level=level)
    assert found == pytest.approx(printed, rel=1e-9, abs=1e-12)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.integers(0, 12),
    st.integers(1, 12),
    st.integers(0, 40),
    st.sampled_from([0.3, 1.0, 4.0]),
    st.integers(1, 60),
    st.integers(1, 4),
    st.sampled_from(["event", "user"]),
)
def test_equal_noise_never_gives_more_than_the_square_root_rule(
    context, forecast, more, sigma, width, channels, level
):
    """App. I.2: q = rho r TV(sqrt(w D_in), sigma) where sigma_C = sigma_F."""
    positions = more + 1
    windows = width * (context + forecast) if level == "user" else context + forecast + width - 1
    rule = min(windows, positions) / positions * tv(sqrt(width * channels), sigma)
    relation = {"level": level, "width": width, "num_channels": channels}
    found = rate(positions + forecast - 1, context, forecast, (sigma, sigma), **relation)
    assert found <= rule * (1.0 + ROUNDING)


@pytest.mark.parametrize("noise", [(0.0, 0.0), (0.0, 1.5), (0.7, 0.0), (0.4, 2.0), (3.0, 0.5)])
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("context", [0, 1, 3])
@pytest.mark.every(5)
def test_all_places_are_covered(context, channels, noise):
    """Event: the largest of all places, whatever the length. User: at least the largest."""
    for forecast, width, extra in product([1, 2, 3], [1, 2, 3], [0, 1, 2, 4, 6]):
        length = forecast + extra
        values, shape = min(width, length), (length, context, forecast, noise)
        common = {"width": width, "num_channels": channels}

        def of(places, shape=shape):
            return max(rate_of_place(place, *shape, channels) for place in places)

        in_a_row = of(range(s, s + values) for s in range(length - values + 1))
        event = rate(*shape, level="event", **common)
        assert event == pytest.approx(in_a_row, rel=1e-12)
        user = rate(*shape, level="user", **common)
        assert user >= of(combinations(range(length), values)) * (1.0 - 1e-12)
        assert user <= 1.0


@pytest.mark.parametrize(("length", "more"), [(4, 0), (9, 0), (9, 5), (30, 1)])
@pytest.mark.parametrize("noise", [(0.0, 1.0), (2.0, 0.5), (1.0, 1.0)])
def test_whose_values_are_all_of_the_series_it_does_not_matter_where(length, more, noise):
    """Both relations are then one, and the rate is that of the one place that there is."""
    width = length + more
    rates = [rate(length, 3, 2, noise, level=level, width=width) for level in ("event", "user")]
    assert rates[0] == rates[1]
    assert rates[0] == pytest.approx(rate_of_place(range(length), length, 3, 2, noise), rel=1e-12)


@pytest.mark.parametrize("sigma", np.geomspace(4.0, 400.0, 40).tolist())
def test_the_distance_of_all_values_together_is_rounded_up(sigma):
    """Of 29 values anywhere of 30, with so much noise that it is the least of all bounds."""
    with mpmath.workdps(40):
        exact = mpmath.erf(mpmath.sqrt(29) / (2 * mpmath.sqrt(2) * sigma))
        told = rate(30, 10, 5, (sigma, sigma), level="user", width=29)
        assert exact <= told <= exact * (1 + 1e-13)


@pytest.mark.parametrize("level", ["event", "user"])
def test_the_printed_rate_is_too_low_for_short_series(level):
    """With r capped at 1 as in App. I.1, G.1 says 1 / 2 and 0.398; the values' place says more."""
    found = rate(4, 2, 2, (0.0, LARGE), level=level)
    assert found == pytest.approx(2 / 3, abs=1e-6)
    assert found > 0.5 * 1.0 + 0.5 * tv(1.0, LARGE) + 0.1
    assert rate(10, 30, 10, (2.0, 0.0), level=level) == 1.0
    assert 0.25 * 1.0 + 0.75 * tv(1.0, 2.0) == pytest.approx(0.398, abs=5e-4)


def test_sums_keep_small_terms_beside_large_ones_out_of_reach():
    """One window, no past: the context that it would have does not count, nor blur what does."""
    only = erf(1e-6 / (2.0 * sqrt(2.0)))
    assert only <= rate(1, 10**5, 1, (1e-6, LARGE)) <= only * (1.0 + ROUNDING)


@pytest.mark.parametrize(
    ("context", "noise", "top_rate"),
    [(0, (0.0, 1.0), 1.0), (0, (0.0, 1.0), 0.5), (1, (0.7, 1.3), 1.0), (1, (0.7, 1.3), 0.5)],
)
def test_a_real_mechanism_stays_below_the_bound(context, noise, top_rate):
    """Series of 3 values, one of which changes by 1; gradients -1 or +1, all sign patterns.

    The other values lie so far apart that a window tells its start position. A touched window
    shows the changed value plus noise, and the gradient's sign depends on whether this is above
    1 / 2. The other series, drawn when this one is not, has the gradient -1 or +1.
    """
    length, changed, sigma = 3, 1, 0.8
    q = top_rate * rate(length, context, 1, noise)
    plus, minus = masses(([1.0], [1.0]), ([-1.0], [1.0]), sigma, step=1e-3)
    touched = {changed: noise[1]} | ({changed + 1: noise[0]} if context else {})
    bins = [(t, high) for t in range(length) for high in ((False, True) if t in touched else (0,))]
    alphas = [1.0, 1.2, exp(0.5), exp(1.0), exp(3.0)]
    worst = np.zeros(len(alphas))
    for other, *signs in product((0, 1), repeat=1 + len(bins)):
        weights = []
        for value in (0.0, 1.0):
            weight = (1.0 - top_rate) * other
            for (t, high), sign in zip(bins, signs, strict=True):
                above = norm.sf(0.5, value, touched[t]) if t in touched else 1.0
                share = above if high or t not in touched else 1.0 - above
                weight += top_rate / length * sign * share
            weights.append(weight)
        first, second = (weight * plus + (1.0 - weight) * minus for weight in weights)
        for both in ((first, second), (second, first)):
            worst = np.maximum(worst, divergences(*both, alphas))
    bounds = np.array([float(single_unit_delta(q, sigma, log(alpha))) for alpha in alphas])
    assert np.all(worst <= bounds + 1e-7)
    # At alpha = 1 there is nothing to gain: the total variation distance is attained.
    assert worst[0] == pytest.approx(bounds[0], rel=1e-5)


def test_a_scenario_gets_one_upper_bound():
    guarantee = guarantee_for(NOISY)
    upper = guarantee.upper
    assert (upper.theorem, upper.kind, upper.extension) == ("G.1", Kind.UPPER, "")
    q = 0.1 * (tv(1.0, 0.5) + tv(1.0, 2.0)) / 20
    assert isinstance(upper.pair, ShiftedMixturePair)
    assert upper.pair.rate == pytest.approx(q, rel=1e-12)
    plain = guarantee_for(TOY).upper
    assert (upper.unit, upper.count) == (plain.unit, plain.count)
    # In an epoch the series is drawn for certain.
    walk = replace(NOISY, sampling=replace(NOISY.sampling, top_level="deterministic"))
    assert guarantee_for(walk).upper.pair.rate == pytest.approx(10.0 * q, rel=1e-12)


def test_what_the_paper_does_not_print_is_labelled():
    short = DataShape(num_series=320, series_lengths=(4,), context_length=5, forecast_length=2)
    for extended in (
        replace(NOISY, relation=Relation(width=2)),
        replace(NOISY, relation=Relation(level="user", width=2)),
        replace(NOISY, data=short),
        replace(NOISY, data=replace(short, series_lengths=(4, 500))),
    ):
        assert guarantee_for(extended).upper.extension == PLACEMENT


def test_of_several_lengths_the_worst_counts():
    noise = noise_of((0.0, LARGE))
    lengths = DataShape(
        num_series=320, series_lengths=(2, 4, 5, 90), context_length=2, forecast_length=2
    )
    found = guarantee_for(replace(NOISY, data=lengths, noise=noise)).upper.pair.rate
    # L = 2 has no context but zeros, L = 4 and 5 have 2 / 3 and 2 / 4, L = 90 has 2 / 89.
    assert found == pytest.approx(0.1 * 2 / 3, abs=1e-6)


def from_rates(bottom_rate, share, noise):
    rates = Rates(bottom_rate=bottom_rate, top_rate=0.2, steps_per_epoch=5, forecast_share=share)
    return replace(TOY, data=rates, sampling=Sampling(batch_size=1), noise=noise)


def test_rates_suffice_along_with_the_forecast_share():
    upper = guarantee_for(from_rates(0.3, 0.25, NOISE)).upper
    q = 0.2 * 0.3 * (0.25 * tv(1.0, 2.0) + 0.75 * tv(1.0, 0.5))
    assert (upper.theorem, upper.extension) == ("G.1", "")
    assert upper.pair.rate == pytest.approx(q, rel=1e-12)


@pytest.mark.parametrize("sigma", np.geomspace(0.3, 300.0, 40).tolist())
def test_the_rate_by_rates_and_the_share_is_rounded_up(sigma):
    with mpmath.workdps(40):
        tau, other = (
            mpmath.erf(1 / (2 * mpmath.sqrt(2) * one)) for one in (sigma, 2.0 * mpmath.mpf(sigma))
        )
        exact = mpmath.mpf(0.3) * (mpmath.mpf(0.375) * other + mpmath.mpf(0.625) * tau)
        told, _ = augmented_bottom_rate(from_rates(0.3, 0.375, noise_of((sigma, 2.0 * sigma))))
        assert exact <= told <= exact * (1 + 1e-14)


def test_rates_with_noise_on_both_parts_have_a_lower_bound_where_the_share_is_known():
    lower = guarantee_for(from_rates(0.3, 0.25, NOISE)).lower
    assert (lower.theorem, lower.kind) == ("dpviz 6", Kind.LOWER)
    assert guarantee_for(from_rates(1.0, 0.25, NOISE)).lower is None


@pytest.mark.parametrize("windows", [1, 4])
def test_rates_of_a_shape_have_its_lower_bound(windows):
    """Every window has all its values, so that rates and share say as much as the lengths."""
    shape = replace(NOISY, sampling=replace(NOISY.sampling, num_subsequences=windows))
    for of_shape, of_rates in zip(
        guarantee_for(shape).lower.pairs, guarantee_for(shape.with_rates()).lower.pairs, strict=True
    ):
        assert of_rates.means == of_shape.means
        assert of_rates.weights == pytest.approx(of_shape.weights, rel=1e-12)
        assert of_rates.other_weights == pytest.approx(of_shape.other_weights, rel=1e-12)


@pytest.mark.parametrize("windows", [1, 4])
@pytest.mark.parametrize("noise", [(0.0, 1.0), (1.0, 0.0)])
def test_rates_of_a_shape_have_its_clean_part(noise, windows):
    shape = varied(NOISY, noise=noise_of(noise), num_subsequences=windows)
    of_shape, of_rates = (guarantee_for(one).lower.pairs[0] for one in (shape, shape.with_rates()))
    for name in ("rate", "means", "weights"):
        told = getattr(of_shape, name, 1.0)
        assert getattr(of_rates, name, 1.0) == pytest.approx(told, rel=1e-12)


@pytest.mark.parametrize(("noise", "is_clean"), [((1.0, 2.0), False), ((0.0, 2.0), True)])
def test_rates_of_a_wide_relation_keep_the_upper_bound_that_needs_no_noise(noise, is_clean):
    """They do not tell what noise hides of several values; the bound makes no use of it."""
    sampling = replace(TOY.sampling, num_subsequences=4)
    plain = replace(TOY, sampling=sampling, relation=Relation(width=3)).with_rates()
    found = guarantee_for(replace(plain, noise=noise_of(noise)))
    assert found.upper.pair == guarantee_for(plain).upper.pair
    assert (found.lower is not None) == is_clean


def test_a_rate_of_one_says_nothing_about_shares():
    """The series may be shorter than a window: every window may hold the value in its context."""
    upper = guarantee_for(from_rates(1.0, 0.25, NOISE)).upper
    assert upper.pair.rate == pytest.approx(0.2 * tv(1.0, 0.5), rel=1e-12)


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "shuffled"])
@pytest.mark.parametrize("noise", [(0.0, 0.0), (0.5, 2.0)])
def test_the_revealing_rate_is_that_of_the_bound(top_level, noise):
    scenario = varied(TOY, top_level=top_level, noise=noise_of(noise))
    assert covers_noise_on_windows(scenario)
    assert revealing_rate(scenario) == guarantee_for(scenario).upper.pair.rate
    rho = 0.1 if top_level == "without-replacement" else 1.0
    expected = rho * 0.1 * (tv(1.0, noise[0]) + tv(1.0, noise[1])) / 2
    assert revealing_rate(scenario) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(batch_size=32, num_subsequences=2),
        Sampling(batch_size=32, bottom_level="poisson"),
        Sampling(batch_size=32, top_level="flat"),
    ],
)
def test_schemes_without_a_theorem_have_no_revealing_rate(sampling):
    """The pair of one bag has the same form, but is about one window."""
    scenario = replace(NOISY, sampling=sampling)
    assert not covers_noise_on_windows(scenario)
    with pytest.raises(ValueError, match="no theorem covers noise"):
        revealing_rate(scenario)
