"""Pairs in a plane, seen through a grid: never above what they are, and little below."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.accounting.buckets import log_quotients
from dpviz.accounting.cell_loss import CellLoss
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.guarantees import Composition, PlanarPair, in_one_direction
from dpviz.guarantees.pairs import crossed_pairs
from tests.accounting.divergences import divergences, masses
from tests.accounting.rows import attained, drawn, profile_of_units

EPSILONS = np.array([0.0, 0.05, 0.3, 1.0, 3.0])
STEP = 0.017  # midpoint sums miss far less than 1e-5 of what is compared


def on_a_line(pair, angle):
    """Return a mixture against N(0) as a pair in a plane, turned."""
    along = np.array([np.cos(angle), np.sin(angle)])
    unlisted = pair.weight_below + pair.weight_between + pair.weight_above
    return PlanarPair(
        means=tuple(tuple((mean * along).tolist()) for mean in pair.means),
        other_means=((0.0, 0.0),) * len(pair.means),
        weights=pair.weights,
        noise_multiplier=pair.noise_multiplier,
        unlisted=unlisted,
    )


@pytest.mark.every(4)
@pytest.mark.parametrize("angle", [0.0, 0.7])
@pytest.mark.parametrize("count", [1, 30, 1000])
@pytest.mark.parametrize(
    ("windows", "rate", "top", "sigma"),
    [(2, 0.1, 0.05, 1.0), (4, 0.01, 0.3, 4.0), (8, 0.1, 0.0125, 1.0), (3, 0.5, 0.1, 0.2)],
)
def test_on_a_line_it_is_the_mixture(windows, rate, top, sigma, count, angle):
    """Another program, without cells: the bracket of cells may only lie below, and not far."""
    line = drawn(rate, sigma, count, windows, top).lower.pair
    right = composed_curve(attained(line, count))
    found = composed_curve(attained(on_a_line(line, angle), count))
    at = right.epsilon_at(1e-7)
    for epsilon in (*EPSILONS, at.low, 0.5 * at.low):
        one, other = (c.delta_at(np.array([epsilon])) for c in (found, right))
        assert one.low[0] <= other.high[0] * (1.0 + 1e-9)
        assert one.low[0] <= one.high[0]
    if sigma >= 1.0:  # on the first grid: that of cells is not refined
        assert found.epsilon_at(1e-7).low >= 0.9 * at.low


def exact(pair, epsilons, direction):
    """Return delta by midpoint sums of the densities in the plane, on a grid of its own."""
    sides = [(means, pair.weights) for means in (pair.means, pair.other_means)]
    if direction is Direction.BACKWARD:
        sides.reverse()
    p, q = masses(*sides, pair.noise_multiplier, step=STEP, margin=8.0)
    return divergences(p, q, np.exp(epsilons))


@pytest.mark.every(4)
@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("windows", "rate", "top", "sigma"),
    [(2, 0.1, 0.05, 1.0), (4, 0.1, 0.2, 1.2), (8, 0.1, 0.0125, 1.0), (4, 0.3, 0.5, 4.0)],
)
def test_one_step_is_what_integration_says(windows, rate, top, sigma, place, direction):
    pair = crossed_pairs(windows, rate, top, sigma)[place]
    value = exact(pair, EPSILONS, direction)
    for interval in (1e-3, 0.05):
        low, high = (
            profile_of_units(pair, direction, rounding, interval).delta_at(EPSILONS)
            for rounding in (Rounding.DOWN, Rounding.UP)
        )
        assert np.all(low <= value * (1.0 + 1e-5) + 1e-9)
        assert np.all(low <= high)
    low = profile_of_units(pair, direction, Rounding.DOWN, 1e-3).delta_at(EPSILONS)
    assert np.all(low >= 0.98 * value - 1e-6)


@pytest.mark.parametrize("interval", [190.0, 240.0])
@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
def test_what_the_first_bucket_has_to_spare_stays_below_its_loss(direction, interval):
    """On a grid this coarse next to nothing is left on its own point."""
    pair, epsilons = crossed_pairs(2, 0.5, 0.5, 0.03)[0], np.linspace(-900.0, 900.0, 91)
    low, high = (
        one_unit(pair, direction, rounding, interval) for rounding in (Rounding.DOWN, Rounding.UP)
    )
    for epsilon in epsilons:
        less, more = (
            one.infinity - np.sum(one.mass * np.expm1(np.minimum(epsilon - one.losses, 0.0)))
            for one in (low, high)
        )
        assert less <= more * (1 + 1e-12)


@pytest.mark.parametrize(
    ("windows", "top", "sigma", "epsilon", "least", "f_7"),
    [(8, 0.0125, 1.0, 0.1, 0.0052, 0.00300), (4, 0.2, 1.2, 0.5, 0.0242, 0.0167)],
)
def test_a_second_direction_tells_more_than_f_7(windows, top, sigma, epsilon, least, f_7):
    lower = drawn(0.1, sigma, 1, windows, top).lower
    at = np.array([epsilon])
    assert composed_curve(attained(lower.pair)).delta_at(at).high[0] < f_7
    assert composed_curve(lower, at_delta=1e-3).delta_at(at).low[0] > least


@pytest.mark.every(4)
@pytest.mark.parametrize("sigma", [1e-3, 0.02, 0.1, 30.0])
@pytest.mark.parametrize("windows", [2, 8, 300])
def test_masses_and_ratios_are_numbers_where_doubles_end(windows, sigma):
    """Far apart, cells of one distribution alone are put together with their neighbours."""
    pair = crossed_pairs(windows, 0.05, 0.1, sigma)[1]
    up = CellLoss(pair)
    for loss in (up, up.without_unlisted()):
        first, _, second, _ = loss._cells
        assert np.all(np.isfinite(loss._losses))
        assert np.isfinite(loss.spread)
        for one in (first, second):
            assert one.sum() == pytest.approx(1.0, abs=1e-9)
    low = composed_curve(attained(pair, 3)).delta_at(EPSILONS).low
    assert np.all((low >= 0.0) & (low <= 1.0))
    assert np.all(np.diff(low) <= 0.0)


@pytest.mark.parametrize("apart", [5.0, 40.0, 200.0])
def test_no_cell_is_below_a_pair_that_is_apart(apart):
    """Where no cell has a mass of both that is known, all are one, which tells nothing."""
    pair = PlanarPair(
        means=((apart, 0.0),), other_means=((0.0, apart),), weights=(1.0,), noise_multiplier=1.0
    )
    first, _, second, _ = CellLoss(pair)._cells
    assert first.sum() == pytest.approx(1.0, abs=1e-9)
    assert second.sum() == pytest.approx(1.0, abs=1e-9)
    low = composed_curve(attained(pair)).delta_at(EPSILONS).low
    wanted = 1.0 if apart == 5.0 else 0.0
    assert low == pytest.approx(wanted, abs=2e-3)


def test_what_is_no_law_is_refused():
    with pytest.raises(ValueError, match="sum to 1"):
        PlanarPair(
            means=((0.0, 0.0),), other_means=((1.0, 0.0),), weights=(0.5,), noise_multiplier=1.0
        )
    with pytest.raises(ValueError, match="two means for each weight"):
        PlanarPair(means=((0.0, 0.0),), other_means=(), weights=(1.0,), noise_multiplier=1.0)
    with pytest.raises(ValueError, match="must be above 0"):
        PlanarPair(
            means=((0.0, 0.0),), other_means=((1.0, 0.0),), weights=(1.0,), noise_multiplier=0.0
        )


@pytest.mark.parametrize(
    ("rate", "top", "sigma", "count", "of_number", "of_curve"),
    [(0.007, 0.07, 4.0, 12_000, "dpviz 7", "dpviz 7"), (0.1, 0.1, 0.5, 10, "F.7", "dpviz 7")],
)
def test_a_number_is_named_after_the_attack_that_gives_it(
    rate, top, sigma, count, of_number, of_curve
):
    """No number of Proposition 7 goes by the name of F.7; F.7's own numbers do."""
    lower = drawn(rate, sigma, count, 4, top).lower
    curve, line = composed_curve(lower), composed_curve(in_one_direction(lower))
    assert (curve.bound.theorem, line.bound.theorem) == (of_curve, "F.7")
    assert curve.bound_at(1e-7).theorem == of_number
    both = curve.epsilon_at(1e-7).low, line.epsilon_at(1e-7).low
    assert (both[0] > 1.001 * both[1]) == (of_number == "dpviz 7")


@pytest.mark.parametrize("is_swapped", [False, True])
def test_what_is_left_out_of_either_mixture_is_in_what_reveals_everything(is_swapped):
    """Cells of which too little is known, more of them where means lie apart."""
    together, apart = ((0.0, 0.0),) * 4, ((-9.0, 0.0), (9.0, 0.0), (0.0, -9.0), (0.0, 9.0))
    means, others = (apart, together) if is_swapped else (together, apart)
    pair = PlanarPair(
        means=means, other_means=others, weights=(0.25,) * 4, noise_multiplier=1.0, unlisted=1e-12
    )
    found = CellLoss(pair).buckets(np.array([0.0, 1.0]))
    for side in (found.upper, found.lower):
        assert side.mass.sum() + side.above + side.below >= 1.0 - 1e-9
    lost = found.upper.above - found.lower.above, found.lower.below - found.upper.below
    assert (lost[0] < lost[1]) != is_swapped


@pytest.mark.parametrize("relative", [(0.0, 0.0), (0.05, 0.0), (0.0, 0.05), (0.04, 0.04)])
def test_errors_of_both_masses_are_in_that_of_their_ratio(relative):
    masses = np.array([0.5, 1e-6])
    errors = np.array(relative) * masses
    ratios, off = log_quotients(*np.array([[masses[0], errors[0], masses[1], errors[1]]]).T)
    for sign in (1.0, -1.0):
        first, second = masses + sign * errors * [1.0, -1.0]
        assert abs(np.log(first / second) - ratios[0]) <= off[0] <= 0.2
    _, unknown = log_quotients(*np.array([[0.5, 0.0, 1e-6, 2e-7]]).T)
    assert np.isinf(unknown[0])


def test_a_pair_in_a_plane_has_no_mirror_image():
    """On fine grids it would be lost in rounding: an epsilon of 0.73 came out as at least 3.3."""
    scheme = drawn(0.1, 1.0, 10, 8, 0.1)
    pair = next(pair for pair in scheme.lower.pairs if isinstance(pair, PlanarPair))
    mirrored = replace(scheme.lower, pair=pair, other_pairs=(), composition=Composition.MIRRORED)
    with pytest.raises(ValueError, match="composition is not allowed"):
        composed_curve(mirrored)
