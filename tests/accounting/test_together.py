"""Several bounds together: equal to one where they are equal, bracketing the exact value else."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from dp_accounting.pld import pld_pmf, privacy_loss_distribution
from scipy.stats import binom

from dpviz.accounting import composed_curve
from dpviz.accounting.composition import composed_profile
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.kinds import variances
from dpviz.accounting.loss_distribution import Direction, LossDistribution, Rounding
from dpviz.accounting.second_opinion import profile_at
from dpviz.accounting.tilted_sum import Repeated
from dpviz.guarantees import (
    Bound,
    ShiftedMixturePair,
    in_one_direction,
)
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import touched_mixture
from tests.accounting.divergences import delta_of_two, law_of_loss, mirrored_law
from tests.accounting.exact import exact_gaussian_delta
from tests.accounting.rows import drawn
from tests.accounting.test_second_opinion import INTERVAL

EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 2.0, 4.0])


def bounds_of(rate: float, sigma: float, steps: int, windows: int = 1):
    return drawn(rate, sigma, steps, windows, 0.5)


def upper(rate: float, sigma: float, steps: int, windows: int = 1) -> Bound:
    return bounds_of(rate, sigma, steps, windows).upper


def lower(rate: float, sigma: float, steps: int) -> Bound:
    found = bounds_of(rate, sigma, steps).lower
    assert found is not None
    return found


def several_lengths(steps: int, sigma: float = 2.0) -> Bound:
    return poisson_sampled(
        touched=[(4, 10, 0.1), (6, 20, 0.05)],
        top_rate=0.3,
        noise_multiplier=sigma,
        steps=steps,
        is_one_length=False,
    ).upper


@pytest.mark.parametrize(
    "bound", [upper(0.1, 1.0, 60), upper(0.1, 2.0, 60, 3), lower(0.1, 1.0, 60), several_lengths(60)]
)
def test_runs_of_one_kind_are_one_long_run_to_the_last_digit(bound):
    together = composed_curve(*[replace(bound, count=count) for count in (10, 20, 30)])
    whole = composed_curve(bound)
    assert together.epsilon_at(1e-7) == whole.epsilon_at(1e-7)
    for side in ("low", "high"):
        ours = getattr(together.delta_at(EPSILONS), side)
        assert np.array_equal(ours, getattr(whole.delta_at(EPSILONS), side))


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("rounding", Rounding)
def test_a_kind_that_is_given_as_two_differs_by_its_own_error_bound_only(direction, rounding):
    """The product of two transforms, against the power of one."""
    one = one_unit(upper(0.1, 1.0, 1).pair, direction, rounding, 1e-2)
    parts = [Repeated(one, 70), Repeated(replace(one), 30)]
    mixed = composed_profile(parts, rounding).delta_at(EPSILONS)
    whole = composed_profile([Repeated(one, 100)], rounding).delta_at(EPSILONS)
    resolved = whole > 1e-8
    assert resolved.any()
    assert mixed[resolved] == pytest.approx(whole[resolved], rel=1e-9)


@pytest.mark.parametrize(
    "runs",
    [
        ((1.0, 3), (2.0, 40)),
        ((0.5, 1), (8.0, 1000)),
        ((1.0, 1), (1.5, 2), (30.0, 5)),
        ((100.0, 1), (0.3, 1)),
    ],
)
def test_gaussian_mechanisms_together_are_the_one_of_their_summed_squares(runs):
    """Closed form: N(0, 1) against N(mu, 1), mu^2 the sum of count (2 / sigma)^2."""
    bounds = [drawn(1.0, s, n).upper for s, n in runs]
    mu = np.sqrt(sum(n * (2.0 / s) ** 2 for s, n in runs))
    exact = np.array([float(exact_gaussian_delta(epsilon, mu)) for epsilon in EPSILONS])
    curve = composed_curve(*bounds)
    found = curve.delta_at(EPSILONS)
    assert np.all(found.low <= exact * (1 + 1e-9))
    assert np.all(exact * (1 - 1e-9) <= found.high)
    assert curve.epsilon_at(1e-7).relative_gap < 2e-3


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize(
    ("one", "other"),
    [((0.2, 1.0), (0.02, 0.7)), ((0.5, 2.0), (0.9, 4.0)), ((0.05, 1.0), (0.001, 0.4))],
)
def test_two_unlike_steps_are_bracketed_around_what_quadrature_finds(one, other, side):
    """Mirrored from above; from below the larger of forward twice and backward twice."""
    bounds = [getattr(drawn(q, s, 1), side) for q, s in (one, other)]
    found = composed_curve(*bounds).delta_at(EPSILONS)
    zero = ([0.0], [1.0])
    steps = [(([0.0, 2.0], [1.0 - q, q]), zero, s) for q, s in (one, other)]
    if side == "upper":
        ways = [[mirrored_law(*step) for step in steps]]
    else:
        ways = [[law_of_loss(*laws[::way], sigma) for *laws, sigma in steps] for way in (1, -1)]
    for at, epsilon in enumerate(EPSILONS):
        exact = max(delta_of_two(*laws, float(epsilon)) for laws in ways)
        assert found.low[at] <= exact * (1 + 2e-6) + 1e-13
        assert exact * (1 - 2e-6) <= found.high[at]
        if exact > 1e-9:
            assert found.high[at] - found.low[at] <= 0.02 * exact


def test_many_unlike_steps_agree_with_dp_accounting_fed_with_the_same_profiles():
    runs = ((0.01, 1.0, 300), (0.05, 2.0, 50), (0.2, 4.0, 20))
    largest = int(np.ceil(40 / INTERVAL))
    grid = np.arange(-largest, largest + 1)
    total = None
    for rate, sigma, steps in runs:
        pair = ShiftedMixturePair(rate=rate, noise_multiplier=sigma)
        deltas = profile_at(pair, Direction.MIRRORED, grid * INTERVAL)
        pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(
            INTERVAL, -largest, largest, np.minimum.accumulate(deltas)
        )
        pld = privacy_loss_distribution.PrivacyLossDistribution(pmf).self_compose(steps)
        total = pld if total is None else total.compose(pld)
    curve = composed_curve(*[drawn(q, s, n).upper for q, s, n in runs])
    assert curve.quoted_epsilon_at(1e-7) == pytest.approx(
        total.get_epsilon_for_delta(1e-7), rel=2e-3
    )
    theirs = np.array(total.get_delta_for_epsilon(EPSILONS.tolist()))
    # Theirs is an upper bound too: our certified lower end may not exceed it.
    assert np.all(curve.delta_at(EPSILONS).low <= theirs * (1 + 1e-9) + 1e-11)


def test_order_does_not_matter_and_every_run_adds():
    runs = [upper(0.1, 1.0, 30), upper(0.3, 3.0, 10, 2), upper(0.02, 0.6, 5)]
    found = [composed_curve(*order).epsilon_at(1e-7) for order in permutations(runs)]
    assert max(one.low for one in found) <= min(one.high for one in found)
    fewer = composed_curve(*runs[:2])
    all_three = composed_curve(*runs).delta_at(EPSILONS).high
    assert np.all(fewer.delta_at(EPSILONS).low < all_three)
    assert fewer.epsilon_at(1e-7).high < found[0].low


def test_what_reveals_everything_adds_up_as_independent_chances_do():
    masses = np.array([0.3, 0.4])
    kinds = [
        LossDistribution(
            interval=0.1, origin=0.0, indices=np.array([0, n]), mass=masses * (1 - q) / 0.7,
            infinity=q,
        )
        for n, q in ((1, 1e-3), (2, 2e-4))
    ]  # fmt: skip
    parts = [Repeated(kinds[0], 5), Repeated(kinds[1], 7)]
    far = composed_profile(parts, Rounding.UP).delta_at(np.array([1e3]))[0]
    exact = 1 - (1 - 1e-3) ** 5 * (1 - 2e-4) ** 7
    assert exact <= far <= exact * (1 + 1e-6)
    certain = replace(kinds[0], mass=np.zeros(2), infinity=1.0)
    parts = [Repeated(certain, 1), Repeated(kinds[1], 1)]
    assert composed_profile(parts, Rounding.UP).delta_at(np.array([1e3]))[0] == 1.0


def test_a_run_that_touches_nobody_adds_nothing():
    silent = drawn(0.0, 2.0, 9, top=0.5).upper
    one = upper(0.1, 1.0, 30)
    assert composed_curve(silent, one).epsilon_at(1e-7) == composed_curve(one).epsilon_at(1e-7)
    assert composed_curve(silent, silent).epsilon_at(1e-7).high == 0.0
    assert variances([silent, one], 0.1)[0] == 0.0


def test_series_of_several_lengths_are_composed_length_by_length():
    """An individual is in one series: the worst length counts after composing."""
    mixed = [several_lengths(20), several_lengths(10, 4.0)]
    both = composed_curve(*mixed)
    apart = [
        composed_curve(*[replace(bound, pair=bound.pairs[at], other_pairs=()) for bound in mixed])
        for at in range(2)
    ]
    worst = max(one.quoted_epsilon_at(1e-7) for one in apart)
    assert both.quoted_epsilon_at(1e-7) == pytest.approx(worst, rel=2e-3)
    three = replace(mixed[0], other_pairs=(*mixed[0].other_pairs, mixed[0].pair))
    with pytest.raises(ValueError, match="different lengths"):
        composed_curve(*mixed, three)


def test_upper_and_lower_bounds_do_not_mix_and_there_is_at_least_one():
    with pytest.raises(ValueError, match="all mirrored, or all attained"):
        composed_curve(upper(0.1, 1.0, 3), lower(0.1, 1.0, 3))
    with pytest.raises(ValueError, match="all mirrored, or all attained"):
        composed_curve()
    grids = [one_unit(upper(0.1, 1.0, 1).pair, Direction.MIRRORED, Rounding.UP, h) for h in (1, 2)]
    with pytest.raises(ValueError, match="one interval"):
        composed_profile([Repeated(one, 1) for one in grids], Rounding.UP)


FEW_EPSILONS = np.array([0.0, 0.2, 1.0, 3.0])
QUADRATURE_ERROR = 2e-6
LARGEST_GAP = 5e-3
ZERO = (np.zeros(1), np.ones(1))


def assert_brackets(bound, *laws):
    """Check that the larger delta of two units with one of these laws is in all brackets."""
    right = [max(delta_of_two(law, law, epsilon) for law in laws) for epsilon in FEW_EPSILONS]
    interval_of_grid = composed_curve(bound).interval
    for interval in (interval_of_grid / 4, interval_of_grid, 8 * interval_of_grid):
        brackets = composed_curve(bound, interval=interval).delta_at(FEW_EPSILONS)
        assert np.all(brackets.low <= np.multiply(right, 1 + QUADRATURE_ERROR))
        assert np.all(brackets.high >= np.multiply(right, 1 - QUADRATURE_ERROR))
        if interval < interval_of_grid:
            assert np.all(brackets.high - brackets.low <= LARGEST_GAP * right[0])
    return right


def binomial(trials, p, step, rate=1.0):
    means = step * np.arange(trials + 1)
    weights = rate * binom.pmf(np.arange(trials + 1), trials, p)
    weights[0] += 1 - rate
    return means, weights


@pytest.mark.every(3)
@pytest.mark.parametrize(("k", "p", "sigma"), [(2, 0.1, 1.0), (5, 0.4, 2.0), (8, 0.01, 0.5)])
def test_two_epochs_of_poisson_windows(k, p, sigma):
    """E.8, tight: both curves bracket the composition of the attained pair."""
    guarantee = poisson_deterministic(touched=[(k, p)], noise_multiplier=sigma, epochs=2)
    law = law_of_loss(binomial(k, p, -1), binomial(k, p, 1), sigma)
    assert_brackets(guarantee.upper, law)
    assert_brackets(guarantee.lower, law)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("windows", "r", "rho", "sigma"),
    [(2, 0.1, 0.3, 1.0), (4, 0.5, 0.5, 2.0), (3, 0.3, 0.05, 0.7), (4, 0.01, 0.02, 0.7)],
)
def test_two_steps_of_several_windows(windows, r, rho, sigma):
    """F.7: the larger direction. F.1 as printed: mirrored, its profile rho times that of E.1."""
    guarantee = drawn(r, sigma, 2, windows, rho)
    attained = binomial(windows, r, 2, rho)
    lower = in_one_direction(guarantee.lower)
    laws = law_of_loss(attained, ZERO, sigma), law_of_loss(ZERO, attained, sigma)
    right = assert_brackets(lower, *laws)
    law = mirrored_law(binomial(windows, r, 2), binomial(windows, r, -2), sigma, rho)
    pair = touched_mixture(binomial_law(windows, r), sigma / 2, reflected=True)
    of_f_1 = replace(guarantee.upper, theorem="F.1", pair=pair, share=rho)
    printed = assert_brackets(of_f_1, law)
    # Proposition 2 is never above F.1, and below it by far.
    shown = composed_curve(guarantee.upper).delta_at(FEW_EPSILONS)
    assert np.all(shown.high >= np.multiply(right, 1 - QUADRATURE_ERROR))
    assert np.all(shown.high < printed)


@pytest.mark.every(3)
@pytest.mark.parametrize(("k", "p", "rho", "sigma"), [(2, 0.2, 0.1, 1.0), (6, 0.3, 0.5, 2.0)])
def test_two_steps_of_poisson_windows(k, p, rho, sigma):
    """F.2 and F.8: both are symmetric, one shares the profile, the other mixes the outputs."""
    guarantee = poisson_sampled(
        touched=[(k, 2 * k, p)], top_rate=rho, noise_multiplier=sigma, steps=2, is_one_length=False
    )
    assert_brackets(
        guarantee.upper, mirrored_law(binomial(k, p, 1), binomial(k, p, -1), sigma, rho)
    )
    law = law_of_loss(binomial(k, p, 1, rho), binomial(k, p, -1, rho), sigma)
    assert_brackets(guarantee.lower, law)
