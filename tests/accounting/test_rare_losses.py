"""Losses of a thousandth of a nat, and of hundreds, where a mass is too small to be a number."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.accounting import account_for, composed_curve, composition, discretize
from dpviz.accounting.buckets import log_masses, normal_masses
from dpviz.accounting.composition import composed_profile
from dpviz.accounting.curve import DEFAULT_TOLERANCE
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import (
    Direction,
    LossDistribution,
    Rounding,
)
from dpviz.accounting.losses import loss_of
from dpviz.accounting.tilted_sum import Repeated, capped_losses
from dpviz.guarantees import MixturePair, ShiftedMixturePair, guarantee_for
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import touched_mixture
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import PRESETS, DataShape
from tests.accounting import exact_mixtures as exact
from tests.accounting.exact import DIGITS, normal_cdf
from tests.accounting.rows import drawn, exact_of
from tests.accounting.test_composition_exact import exact_profile
from tests.accounting.test_invariants import assert_on_its_side
from tests.scenario.changes import TOY, varied

REAL_SETS = ("traffic", "electricity", "solar_10_minutes")
ROUNDING = 1e-13


def guarantee_of(name, windows):
    return guarantee_for(with_subsequences(PRESETS[name].scenario, windows))


@pytest.mark.every(3)
@pytest.mark.parametrize("windows", [8, 16, 32])
@pytest.mark.parametrize("name", REAL_SETS)
def test_real_data_sets_meet_the_tolerance(name, windows):
    """Upper and lower bounds after thousands of steps of several windows per series."""
    guarantee = guarantee_of(name, windows)
    for bound in (guarantee.upper, guarantee.lower):
        assert composed_curve(bound).epsilon_at(1e-7).relative_gap <= DEFAULT_TOLERANCE


@pytest.mark.every(4)
@pytest.mark.parametrize(("name", "windows"), [("traffic", 32), ("electricity", 8)])
@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
def test_one_unit_is_rounded_to_its_side(name, windows, rounding, direction):
    """In 40 digits, from the smallest losses to the largest."""
    scenario = with_subsequences(PRESETS[name].scenario, windows)
    pair = guarantee_for(scenario).lower.pair
    sigma = scenario.noise.noise_multiplier
    law = exact.thm_f_7(windows, scenario.bottom_rate, scenario.top_rate, sigma)
    exact_delta = law.delta if direction is Direction.FORWARD else law.exchanged.delta
    interval = 0.1 * loss_of(pair, Rounding.UP).spread
    assert_on_its_side(pair, direction, rounding, interval, exact_delta, room=ROUNDING, most=12)


@pytest.mark.parametrize(("name", "windows"), [("traffic", 8), ("solar_10_minutes", 16)])
def test_even_grids_without_caps_agree(name, windows, monkeypatch):
    """By brute force: every point of a grid as fine as affordable, and a window for all losses."""
    bound = guarantee_of(name, windows).lower
    curve = composed_curve(bound)
    epsilons = np.concatenate([[0.0], np.logspace(-3, 0.6, 30)])
    brackets = curve.delta_at(epsilons)
    monkeypatch.setattr(discretize, "spaced_indices", lambda last, *_: np.arange(last + 1))
    monkeypatch.setattr(composition, "capped_losses", lambda distribution, *_: distribution)
    one_unit.cache_clear()
    forced = composed_curve(bound, interval=0.8 * curve.interval).delta_at(epsilons)
    one_unit.cache_clear()
    assert np.all(brackets.low <= forced.high)
    assert np.all(forced.low <= brackets.high)
    # Nor is anything lost: where delta is worth telling the brackets are nearly as narrow.
    told = forced.low > 1e-9
    assert np.all((brackets.high - brackets.low)[told] <= 0.03 * brackets.high[told])


@settings(max_examples=30, derandomize=True, deadline=None)
@given(
    st.lists(st.floats(-12, 0).map(lambda power: 10.0**power), min_size=3, max_size=6),
    st.integers(1, 12), st.floats(-3, 1).map(lambda power: 10.0**power), st.integers(-4, 1),
    st.floats(-8, -1).map(lambda power: 10.0**power),
)  # fmt: skip
def test_capped_losses_are_on_their_side(masses, count, interval, first, smallest_delta):
    """Exact sums of the capped losses against those of all losses, at every point of the grid."""
    masses = np.array(masses) / np.sum(masses)
    whole = LossDistribution(
        interval=interval,
        origin=0.1 * interval,
        indices=np.arange(first, first + len(masses)),
        mass=masses,
        infinity=0.0,
    )
    for rounding in Rounding:
        capped = capped_losses(whole, count, rounding, smallest_delta)
        with mp.workdps(DIGITS):
            of_all, of_capped = (exact_profile(unit, count) for unit in (whole, capped))
            for k in range(0, count * len(masses), max(count, 1)):
                epsilon = mpf(interval) * k / 2
                right = of_all(epsilon)
                cut = of_capped(epsilon)
                if rounding is Rounding.UP:
                    assert right * (1 - ROUNDING) <= cut
                else:
                    assert cut <= right * (1 + ROUNDING)
                assert abs(cut - right) <= 1.1e-4 * smallest_delta + 1.1e-6 * right + ROUNDING


@pytest.mark.parametrize("rounding", Rounding)
def test_what_is_cut_off_follows_the_delta_that_is_asked_for(rounding):
    """A curve made for a delta of 1e-15 tells it to a thousandth."""
    bound = guarantee_of("electricity", 16).lower
    h = 0.5 * loss_of(bound.pair, Rounding.UP).spread
    unit = one_unit(bound.pair, Direction.FORWARD, rounding, h)
    fine, rough = (
        composed_profile([Repeated(unit, bound.count)], rounding, smallest_delta=delta)
        for delta in (1e-15, 1e-10)
    )
    place = fine.epsilon_at(1e-7)
    assert rough.epsilon_at(1e-7) == pytest.approx(place, rel=1e-3)
    assert len(rough.delta) <= len(fine.delta)


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
    buckets = normal_masses(np.array([37.6, 37.69, 37.7, 40.0]))
    with mpmath.workdps(DIGITS):
        for i, (left, right) in enumerate([(37.6, 37.69), (37.69, 37.7), (37.7, 40.0)]):
            exact = exact_mass(mpf(left), mpf(right))
            assert abs(mpf(float(buckets.mass[i])) - exact) <= mpf(float(buckets.error[i]))


PAIRS = [
    ShiftedMixturePair(rate=0.01, noise_multiplier=0.1),
    ShiftedMixturePair(rate=1.0, noise_multiplier=0.1),
    ShiftedMixturePair(rate=1e-9, noise_multiplier=0.05),
    touched_mixture(binomial_law(64, 0.1), 0.5, reflected=True),
    touched_mixture(binomial_law(64, 0.1), 1.0, reflected=False, rate=0.003),
    touched_mixture(binomial_law(5, 0.3), 0.1, reflected=False),
    MixturePair(
        means=(0.0, 2.0),
        weights=(0.993, 0.007),
        noise_multiplier=0.1,
        reflected=False,
        largest_mean=2.0,
        other_weights=(1.0 - 1e-9, 1e-9),
    ),
]


def masses_between(pair, left, right):
    """Return the masses of both distributions; weight below 1e-40 is on no digit compared."""
    law, sigma = exact_of(pair), mpf(pair.noise_multiplier)
    return [
        sum(
            weight * exact_mass(*((mpf(float(edge)) - mpf(mean)) / sigma for edge in (left, right)))
            for mean, weight in one.items()
        )
        for one in (law.first, law.second)
    ]


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
        with mpmath.workdps(DIGITS):
            masses = masses_between(pair, *outcomes)
            off = abs(mpf(float(buckets.log_ratio[0])) - mpmath.log(masses[0] / masses[1]))
        assert off <= float(buckets.log_ratio_error[0])
        if float(buckets.upper.mass[0]) > 1e-100:
            assert float(buckets.log_ratio_error[0]) < 1e-3 * interval


@pytest.mark.parametrize("rate", [1e-9, 0.01, 0.4, 0.9])
@pytest.mark.parametrize("left", [-6.0, -2.0, -0.3])
def test_ratios_far_below_the_shift_are_right_to_their_error(rate, left):
    """Nearly all outcomes have about ln(1 - q), of which no digit is to spare."""
    pair = ShiftedMixturePair(rate=rate, noise_multiplier=0.2)
    outcomes = np.array([left, left + 0.1])
    buckets = loss_of(pair, Rounding.UP).buckets(outcomes)
    with mpmath.workdps(DIGITS):
        first, second = masses_between(pair, *outcomes)
        off = abs(mpf(float(buckets.log_ratio[0])) - mpmath.log(first / second))
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


# Eight windows at so little noise have losses of thousands of nats: whoever is drawn is revealed.
DRAWN = [
    (3.951678769868717e-05, 1712),
    (0.1, 2),
    (0.04, 2),
    (0.05, 2),
    (0.08, 2),
    (0.14, 2),
    (1e-9, 10**7),
]


def upper_bound(top_rate, steps):
    return drawn(1.0, 0.1, steps, 8, top_rate).upper


@pytest.mark.every(4)
@pytest.mark.parametrize(("top_rate", "steps"), DRAWN)
def test_delta_is_never_below_the_chance_of_being_drawn(top_rate, steps):
    """Not even by a unit in the last place, where epsilon jumps from thousands to less than 1."""
    curve = composed_curve(upper_bound(top_rate, steps))
    with mp.workdps(DIGITS):
        drawn = 1 - (1 - mpf(top_rate)) ** steps
        high = float(curve.delta_at(np.array([1000.0])).high[0])
        assert mpf(high) >= drawn
        assert mpf(high) <= drawn * (1 + mpf("1e-11"))


@pytest.mark.parametrize(("top_rate", "steps"), DRAWN)
def test_just_below_that_delta_there_is_no_finite_epsilon(top_rate, steps):
    with mp.workdps(DIGITS):
        drawn = 1 - (1 - mpf(top_rate)) ** steps
        below = float(drawn * (1 - mpf("1e-15")))
    curve = composed_curve(upper_bound(top_rate, steps), at_delta=below)
    assert curve.epsilon_at(below).high is None


def test_a_single_loss_of_0_does_not_hide_what_reveals_everything() -> None:
    unit = LossDistribution(
        interval=0.1,
        origin=0.0,
        indices=np.zeros(1, dtype=np.int64),
        mass=np.array([0.999]),
        infinity=1e-3,
    )
    profile = composed_profile([Repeated(unit, 25)], Rounding.UP)
    assert np.all(profile.delta_at(np.array([0.0, 1.0, 50.0])) >= 1.0 - 0.999**25)


@pytest.mark.every(4)
@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("context", [15, 127, 255, 1023])
def test_no_epsilon_is_promised_in_a_large_batch_of_few_series(bottom_level, context):
    """Two series, and most of their windows in each of ten batches: 3,000 of at most 4,000."""
    shape = DataShape(
        num_series=2, series_lengths=(2000,), context_length=context, forecast_length=1
    )
    bag = varied(
        TOY, data=shape, batch_size=3000, top_level="flat", bottom_level=bottom_level, steps=10
    )
    account = account_for(bag)
    upper = account.upper.quoted_epsilon_at(1e-7)
    lower = account.lower.quoted_epsilon_at(1e-7)
    # Of 16 windows and more that hold a value, each batch has three in four.
    assert upper is None or upper > 100.0
    assert lower is None or upper is None or lower <= upper
