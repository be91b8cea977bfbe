"""What noise on windows does to the bounds of a whole scenario, and where it does nothing."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest

from dpviz.guarantees import Kind, ShiftedMixturePair, guarantee_for
from dpviz.guarantees.noise_on_windows import augmented_bottom_rate
from dpviz.guarantees.noised_rates import PLACEMENT
from dpviz.scenario import DataShape, Rates, Relation, Sampling
from tests.guarantees.noised_rates import LARGE, NOISE, NOISY, TOY, noise_of, tv


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
