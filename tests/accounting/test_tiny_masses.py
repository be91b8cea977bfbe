"""Losses of hundreds of nats, where one of a pair's two masses is too small to be a number."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpviz.accounting import composed_curve
from dpviz.accounting.buckets import GaussianBuckets, log_masses
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.losses import loss_of
from dpviz.guarantees import MixturePair, ShiftedMixturePair, guarantee_for
from dpviz.guarantees.with_replacement import touched_mixture
from dpviz.scenario import PRESETS
from tests.accounting.exact import DIGITS, normal_cdf

TOLERANCE = 1e-3


def exact_mass(left, right):
    """Return the mass of a standard normal between two points, from its own side."""
    if right <= 0:
        left, right = -right, -left
    return normal_cdf(-left) - normal_cdf(-right)


@pytest.mark.parametrize("width", [1e-6, 1e-3, 0.1, 5.0])
@pytest.mark.parametrize(
    "start", [-1500.0, -40.0, -37.7, -20.0, -0.01, 0.0, 3.0, 37.65, 60.0, 900.0]
)
def test_logarithms_of_masses_are_right_to_their_error(start, width):
    left = start + width * np.arange(5)
    value, error = log_masses(left, left + width)
    with mpmath.workdps(DIGITS):
        for a, b, found, off in zip(left, left + width, value, error, strict=True):
            exact = mpmath.log(exact_mass(mpf(float(a)), mpf(float(b))))
            assert abs(mpf(float(found)) - exact) <= mpf(float(off))
    assert np.all(error < 0.01) or width * (1.0 + abs(start)) < 1e-3


def test_masses_beside_what_underflows_say_that_they_are_not_known():
    """The tail at -37.7 is 0 as a double, so the bucket up to there seems to have all the rest."""
    buckets = GaussianBuckets.between(np.array([37.6, 37.69, 37.7, 40.0]))
    with mpmath.workdps(DIGITS):
        for i, (left, right) in enumerate([(37.6, 37.69), (37.69, 37.7), (37.7, 40.0)]):
            exact = exact_mass(mpf(left), mpf(right))
            assert abs(mpf(float(buckets.mass[i])) - exact) <= mpf(float(buckets.error[i]))


PAIRS = [
    ShiftedMixturePair(rate=0.01, noise_multiplier=0.1),
    ShiftedMixturePair(rate=1.0, noise_multiplier=0.1),
    ShiftedMixturePair(rate=1e-9, noise_multiplier=0.05),
    touched_mixture(64, 0.1, 1.0, shift=2.0, reflected=True),
    touched_mixture(64, 0.1, 1.0, shift=2.0, reflected=False, rate=0.003),
    touched_mixture(5, 0.3, 0.1, shift=2.0, reflected=False),
    MixturePair(
        means=(0.0, 2.0),
        weights=(0.993, 0.007),
        noise_multiplier=0.1,
        reflected=False,
        largest_mean=2.0,
        other_weights=(1.0 - 1e-9, 1e-9),
    ),
]


def laws_of(pair):
    """Return the weights by mean of both distributions."""
    if isinstance(pair, ShiftedMixturePair):
        q = mpf(pair.rate)
        return {0: 1 - q, pair.shift: q}, {0: mpf(1)}
    # The weight that is not listed, below 1e-40, is on no digit that is compared.
    first, second = (
        {mean: mpf(weight) for mean, weight in zip(*one, strict=True)} for one in pair.components
    )
    return first, second


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("interval", [0.01, 1.0, 100.0])
def test_ratios_of_whole_buckets_are_right_to_their_error(pair, interval):
    """Of all losses to 1,300 nats, though e^-745 is no number any more."""
    loss = loss_of(pair, Rounding.UP)
    for start in (0.0, 300.0, 550.0, 570.0, 700.0, 1200.0):
        if start + interval > loss.largest_resolved:
            break
        outcomes = loss.located(np.array([start, start + interval])).outcomes
        buckets = loss.buckets(outcomes)
        left, right = (mpf(float(x)) / mpf(pair.noise_multiplier) for x in outcomes)
        with mpmath.workdps(DIGITS):
            masses = [
                sum(
                    weight
                    * exact_mass(
                        left - mpf(mean) / mpf(pair.noise_multiplier),
                        right - mpf(mean) / mpf(pair.noise_multiplier),
                    )
                    for mean, weight in law.items()
                )
                for law in laws_of(pair)
            ]
            off = abs(mpf(float(buckets.log_ratio[0])) - mpmath.log(masses[0] / masses[1]))
        assert off <= float(buckets.log_ratio_error[0])
        if float(buckets.upper[0]) > 1e-100:
            assert float(buckets.log_ratio_error[0]) < 1e-3 * interval


@pytest.mark.parametrize("rate", [1e-9, 0.01, 0.4, 0.9])
@pytest.mark.parametrize("left", [-6.0, -2.0, -0.3])
def test_ratios_far_below_the_shift_are_right_to_their_error(rate, left):
    """Nearly all outcomes have about ln(1 - q), of which no digit is to spare."""
    pair = ShiftedMixturePair(rate=rate, noise_multiplier=0.2)
    outcomes = np.array([left, left + 0.1])
    buckets = loss_of(pair, Rounding.UP).buckets(outcomes)
    with mpmath.workdps(DIGITS):
        edges = [mpf(float(edge)) / mpf(pair.noise_multiplier) for edge in outcomes]
        shift = mpf(pair.shift) / mpf(pair.noise_multiplier)
        base = exact_mass(*edges)
        ratio = exact_mass(*(edge - shift for edge in edges)) / base
        off = abs(mpf(float(buckets.log_ratio[0])) - mpmath.log(1 + mpf(rate) * (ratio - 1)))
    assert off <= float(buckets.log_ratio_error[0])


@pytest.mark.parametrize("pair", PAIRS[3:5])
def test_one_unit_is_resolved_for_all_epsilon_that_may_be_asked_for(pair):
    """Delta to 0.2 % up to epsilon = 1000, from masses that reach 1e-18."""
    up, down = (one_unit(pair, Direction.MIRRORED, rounding, 0.2) for rounding in Rounding)
    for epsilon in (1.0, 300.0, 600.0, 800.0, 1000.0):
        deltas = [
            unit.infinity + np.sum(unit.mass * -np.expm1(np.minimum(epsilon - unit.losses, 0.0)))
            for unit in (up, down)
        ]
        assert deltas[1] <= deltas[0] <= deltas[1] * 1.002


@pytest.mark.every(2)
@pytest.mark.parametrize(("sigma", "steps"), [(1.0, 1000), (1.6, 1000), (4.0, 1000), (1.0, 30)])
def test_the_most_windows_per_series_meet_the_tolerance(sigma, steps):
    """64 windows: epsilon from 210 to 2180 at the toy set-up's delta."""
    toy = PRESETS["toy"].scenario
    scenario = replace(
        toy,
        sampling=replace(toy.sampling, num_subsequences=64, batch_size=64),
        noise=replace(toy.noise, noise_multiplier=sigma),
        training=replace(toy.training, count=steps),
    )
    guarantee = guarantee_for(scenario)
    for bound in (guarantee.upper, guarantee.lower):
        bracket = composed_curve(bound, at_delta=scenario.delta).epsilon_at(scenario.delta)
        assert bracket.relative_gap <= TOLERANCE
