"""Bins: Propositions 24 and 25 by other means, what their grid cuts off, and who gets them."""

from dataclasses import replace
from functools import reduce
from itertools import pairwise, product
from math import exp

import numpy as np
import pytest
from scipy import optimize, stats

from dpviz.accounting import composed_curve
from dpviz.accounting.allocated_orders import SumOfRatios
from dpviz.accounting.transforms import SummedTransform, transform_error
from dpviz.guarantees import (
    AllocatedPair,
    Kind,
    Unit,
    deterministic_top_level,
    guarantee_for,
    one_batch_an_epoch,
    shuffled_batches,
)
from dpviz.guarantees.allocated import MANY_BATCHES, balls_into_bins, step_of_bins
from dpviz.guarantees.lookup import BINS_UNUSED
from dpviz.guarantees.noise_on_windows import (
    BINS_WITH_NOISE,
    COINS_WITH_NOISE,
    augmented_bottom_rate,
)
from dpviz.planning.over_steps import delta_over_steps, under_top_level
from dpviz.planning.step_outputs import step_outputs
from dpviz.scenario import Rates, Relation, Sampling, Training
from dpviz.scenario.mechanism import BINS, IN_ORDER
from tests.accounting.divergences import divergences, masses
from tests.scenario.changes import TOY, TRAFFIC

# Outputs in the plane: rings of equal probability, for densities are kinked and have long tails.
RADII = np.sqrt(-2.0 * np.log1p(-(np.arange(60) + 0.5) / 60))
ANGLES = 2.0 * np.pi * (np.arange(12) + 0.5) / 12
POINTS = np.array([(r * np.cos(a), r * np.sin(a)) for r, a in product(RADII, ANGLES)])
# Opposite, crossed, equal and short gradients.
DIRECTIONS = [
    np.array([np.cos(angle), np.sin(angle)]) for angle in np.pi * np.array([0, 0.5, 0.8, 1])
] + [np.array([-0.5, 0.3])]
EAST, WEST = DIRECTIONS[0], DIRECTIONS[3]


def likelihoods(mean, outputs):
    return np.exp(outputs @ mean - mean @ mean / 2)


def bracket(pair, order):
    """Return the pair's profile at an order of 1 or more, from below and from above."""
    shift = 1.0 / pair.noise_multiplier
    means = (2 * shift, 0.0) if pair.is_replaced else (shift, -shift)
    inner = 1.0 + (order - 1.0) / pair.rate
    ratios = SumOfRatios(pair.batches, means, inner, 0.1)
    first, second = ratios.event_from_below()
    return pair.rate * (first - inner * second), pair.rate * ratios.value_from_above()


def game(gradients, *, batches, rate, order, sigma):
    """Return what is gained where the gradients are chosen anew after each output.

    By recursion over sums of ratios; ``gradients`` are where the series is in the batch before and
    after the exchange, and where it is not.
    """
    sums = np.linspace(-40.0, 40.0, 641)
    best = np.maximum(sums, 0.0)
    ratios = []
    for choice in gradients:
        one, other, kept = (likelihoods(mean / sigma, POINTS) for mean in choice)
        ratios.append(rate * (one - order * other) - (order - 1.0) * (1.0 - rate) * kept)
    for left in range(batches, 0, -1):
        at = sums if left > 1 else np.zeros(1)
        best = np.max(
            [np.interp(at[:, None] + x[None, :], sums, best).mean(axis=1) for x in ratios], axis=0
        )
    return float(best[0]) / batches


@pytest.mark.parametrize(("rate", "order", "sigma"), [(1.0, 1.0, 1.0), (0.3, 1.4, 1.5), (1, 3, 1)])
def test_24_no_gradients_that_adapt_do_better(rate, order, sigma):
    """Than opposite ones that stay, found in the same way; and these are what is proven."""
    rules = {"batches": 3, "rate": rate, "order": order, "sigma": sigma}
    opposite = max(game([(EAST, WEST, kept)], **rules) for kept in DIRECTIONS[1:4])
    adapting = game(list(product(DIRECTIONS, DIRECTIONS, DIRECTIONS[1:4])), **rules)
    assert opposite <= adapting <= opposite * (1 + 3e-4)
    low, high = bracket(AllocatedPair(batches=3, noise_multiplier=sigma, rate=rate), order)
    assert low <= high
    assert 0.95 * high <= opposite <= high  # rings leave out the tails


@pytest.mark.parametrize("is_replaced", [False, True])
@pytest.mark.parametrize("order", [1.0, 1.5, 4.0])
def test_brackets_hold_what_quadrature_finds_in_two_batches(order, is_replaced):
    pair = AllocatedPair(batches=2, noise_multiplier=1.2, rate=0.4, is_replaced=is_replaced)
    up, down = (2.0, 0.0) if is_replaced else (1.0, -1.0)
    second = [(down, 0.0), (0.0, down)]
    first = [(up, 0.0), (0.0, up), *second]
    p, q = masses((first, (0.2, 0.2, 0.3, 0.3)), (second, (0.5, 0.5)), 1.2, step=0.015)
    [exact] = divergences(p, q, [order])
    low, high = bracket(pair, order)
    assert low <= exact * (1 + 1e-4)
    assert exact <= high * (1 + 1e-4)
    assert high - low < 2e-3 * exact
    if order == 1.5:  # what is composed lies on the same sides
        rates = {"bottom_rate": 0.4, "noise_multiplier": 1.2, "batches": 2}
        bins = balls_into_bins(**rates, steps=2)
        lower = shuffled_batches(**rates, epochs=1) if is_replaced else bins.lower
        [back] = divergences(q, p, [order])
        told = composed_curve(lower).delta_at(np.log([order])).low[0]
        assert 0.99 * exact < told <= max(exact, back) * (1 + 1e-4)
        if not is_replaced:
            promised = composed_curve(bins.upper).delta_at(np.log([order]))
            assert exact * (1 - 1e-4) <= promised.high[0] < 1.01 * exact


def test_many_epochs_promise_less_than_a_walk_and_no_less_than_is_attained():
    rates = {"bottom_rate": 0.1, "noise_multiplier": 1.0}
    bins = balls_into_bins(**rates, batches=10, steps=1000)
    assert (bins.upper.kind_after_composition, bins.lower.kind_after_composition) == (
        Kind.UPPER,
        Kind.LOWER,
    )
    upper = composed_curve(bins.upper).epsilon_at(1e-7)
    lower = composed_curve(bins.lower).epsilon_at(1e-7)
    assert 4.4 < lower.low < lower.high < upper.high < 4.87
    assert upper.relative_gap < 0.01
    shuffled = composed_curve(shuffled_batches(**rates, batches=10, epochs=100)).epsilon_at(1e-7)
    assert 17.2 < shuffled.low < 17.5
    one = balls_into_bins(**rates, batches=1, steps=3)
    assert one == deterministic_top_level(**rates, epochs=3)


@pytest.mark.parametrize(("noise", "batches"), [(1.0, 2), (3.0, 30)])
def test_bounds_of_one_epoch_are_in_order_everywhere(noise, batches):
    rates = {"bottom_rate": 0.5, "noise_multiplier": noise}
    walk = composed_curve(deterministic_top_level(**rates, epochs=1).upper)
    bins = balls_into_bins(**rates, batches=batches, steps=batches)
    shuffled = shuffled_batches(**rates, batches=batches, epochs=1)
    epsilon = np.linspace(0.0, 6.0, 13)
    low, high = (composed_curve(bound).delta_at(epsilon) for bound in (bins.lower, bins.upper))
    assert np.all(low.low <= high.high)
    most = walk.delta_at(epsilon).high
    assert np.all(high.high <= most * (1 + 1e-2) + 1e-12)
    assert np.all(composed_curve(shuffled).delta_at(epsilon).low <= most)


@pytest.mark.parametrize(
    ("batches", "epochs", "sigma", "delta"), [(3, 1, 2.0, 1e-5), (10, 5, 2.0, 1e-5)]
)
def test_another_library_agrees_on_a_series_in_one_of_many_batches(batches, epochs, sigma, delta):
    """Random allocation adds or removes a record there: as in place of another, at half sigma."""
    library = pytest.importorskip("PLD_accounting")
    high, low = library.gaussian_allocation_epsilon_range(
        delta=delta, sigma=sigma / 2, num_steps=batches, num_epochs=epochs
    )
    bound = shuffled_batches(
        bottom_rate=1.0, noise_multiplier=sigma, batches=batches, epochs=epochs
    )
    found = composed_curve(bound, at_delta=delta).epsilon_at(delta)
    assert low <= found.high
    assert found.low <= high
    assert high - low < 0.05 * high


BINNED = under_top_level(TOY, BINS)


def trained(scenario, steps):
    return replace(scenario, training=Training(unit="steps", count=steps))


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "shuffled"])
@pytest.mark.parametrize("steps", [5, 1000, 1003])
def test_the_scheme_has_what_is_told_beside_other_schemes(top_level, steps):
    other = trained(under_top_level(BINNED, top_level), steps)
    assert guarantee_for(trained(BINNED, steps)) == one_batch_an_epoch(other).bins


@pytest.mark.parametrize(
    ("steps", "above", "below"),
    [
        (1, 1, ("dpviz 3", Unit.STEP, 1)),
        (9, 1, ("dpviz 3", Unit.STEP, 1)),
        (10, 1, ("dpviz 24", Unit.EPOCH, 1)),
        (25, 3, ("dpviz 24", Unit.EPOCH, 2)),
    ],
)
def test_epochs_are_composed_and_one_that_is_broken_off_counts_from_above_alone(
    steps, above, below
):
    found = guarantee_for(trained(BINNED, steps))
    assert (found.upper.theorem, found.upper.unit, found.upper.count) == (
        "dpviz 24",
        Unit.EPOCH,
        above,
    )
    assert (found.lower.theorem, found.lower.unit, found.lower.count) == below
    assert found.upper.pair == AllocatedPair(batches=10, noise_multiplier=1.0, rate=0.1)


@pytest.mark.parametrize(("steps", "epochs"), [(9, None), (10, 1), (25, 2)])
def test_shuffled_batches_count_by_whole_epochs(steps, epochs):
    shuffled = one_batch_an_epoch(trained(BINNED, steps)).shuffled
    assert (shuffled and shuffled.count) == epochs


def test_series_that_are_in_no_batch_make_shuffled_ones_less_likely_to_be_hit():
    rates = Rates(bottom_rate=0.1, top_rate=1 / 12, steps_per_epoch=10)  # every sixth is in none
    rate = one_batch_an_epoch(trained(replace(BINNED, data=rates), 10)).shuffled.pair.rate
    assert 0.1 * 10 / 12 * (1.0 - 1e-12) <= rate <= 0.1 * 10 / 12


@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_only_whole_epochs_are_called_exact(rate):
    rates = {"bottom_rate": rate, "noise_multiplier": 1.0, "batches": 10}
    for steps in (1, 9, 15):
        upper = balls_into_bins(**rates, steps=steps).upper
        assert upper.kind_after_composition is Kind.UPPER
    # What is seen of one whole epoch is exact; five steps more show more.
    assert balls_into_bins(**rates, steps=15).lower.kind_after_composition is Kind.LOWER
    assert balls_into_bins(**rates, steps=10).upper.kind_after_composition is Kind.TIGHT
    upper = delta_over_steps(BINNED, 0.5, (9, 10)).upper
    assert [one.kind for one in upper.bounds] == [Kind.UPPER, Kind.TIGHT]


def test_one_step_of_more_bins_than_are_computed_hits_as_rarely_as_there_are_bins():
    many = Rates(bottom_rate=0.1, top_rate=1 / 20_000, steps_per_epoch=20_000)
    found = step_outputs(trained(replace(BINNED, data=many), 1))
    few = step_of_bins(bottom_rate=0.1, noise_multiplier=1.0, batches=10_000).lower
    assert found.upper.bound.pair.rate == 1 / 20_000
    assert found.lower.bracket.high < 0.6 * composed_curve(few).delta_at(np.zeros(1)).low[0]


def test_bins_of_uneven_sizes_count_by_how_many_there_are():
    """Of 862 series in batches of 256 there are 3 bins, and no series is left out."""
    traffic = under_top_level(TRAFFIC, BINS)
    assert guarantee_for(traffic).upper.pair.batches == 3
    assert traffic.top_rate == 1.0 / 3.0
    drawn = under_top_level(traffic, "without-replacement")
    assert one_batch_an_epoch(traffic).shuffled == one_batch_an_epoch(drawn).shuffled
    rates = Rates(bottom_rate=0.2, top_rate=0.1, steps_per_epoch=4)
    assert guarantee_for(replace(BINNED, data=rates)).upper.pair.batches == 4


@pytest.mark.parametrize(
    "change",
    [
        {"sampling": Sampling(batch_size=32, num_subsequences=4, top_level=BINS)},
        {"sampling": Sampling(batch_size=32, bottom_level="poisson", top_level=BINS)},
        {"relation": Relation(series_per_person=3)},
    ],
)
def test_where_nothing_is_proven_of_bins_they_count_as_a_walk(change):
    bins = replace(BINNED, **change)
    found = guarantee_for(bins)
    walked = guarantee_for(under_top_level(bins, IN_ORDER)).upper
    assert found.lower is None
    assert found.upper.pair == walked.pair
    assert found.upper.kind is Kind.UPPER
    assert found.upper.extension.endswith(BINS_UNUSED)


def test_noise_on_windows_counts_by_the_rate_of_what_it_does_not_hide():
    noisy = replace(BINNED, noise=replace(BINNED.noise, forecast_noise=1.0))
    noisy = replace(noisy, relation=Relation(max_change=1.0))
    found, (rate, _) = guarantee_for(noisy), augmented_bottom_rate(noisy)
    assert rate < BINNED.bottom_rate
    assert found.upper.pair == AllocatedPair(batches=10, noise_multiplier=1.0, rate=rate)
    assert (found.upper.theorem, found.upper.kind) == ("G.1", Kind.UPPER)
    assert BINS_WITH_NOISE in found.upper.extension
    # The context has no noise: there the value is seen for certain.
    assert isinstance(found.lower.pair, AllocatedPair)
    assert found.lower.pair.rate < rate
    on_both = replace(noisy, noise=replace(noisy.noise, context_noise=1.0))
    assert guarantee_for(on_both).lower is None


def test_more_bins_than_are_computed_count_as_so_many():
    rates = {"bottom_rate": 0.1, "noise_multiplier": 1.0}
    found = balls_into_bins(**rates, batches=20_000, steps=50_000)
    assert (found.upper.pair.batches, found.upper.count) == (10_000, 3)
    assert (found.upper.kind, found.upper.extension) == (Kind.UPPER, MANY_BATCHES)
    assert (found.lower.theorem, found.lower.unit, found.lower.count) == ("dpviz 3", Unit.STEP, 2)


def test_of_more_bins_a_bound_with_noise_says_that_it_counts_fewer():
    """So an epoch's bound does; one step of it is of as many batches as there are."""
    data = Rates(top_rate=1 / 20_000, bottom_rate=0.1, steps_per_epoch=20_000, forecast_share=0.5)
    many = replace(BINNED, data=data, noise=replace(BINNED.noise, forecast_noise=1.0))
    many = replace(many, relation=Relation(max_change=1.0))
    upper = guarantee_for(many).upper
    assert upper.pair.batches == 10_000
    assert upper.extension == f"{BINS_WITH_NOISE}; {MANY_BATCHES}"
    assert step_outputs(many).upper.bound.extension == COINS_WITH_NOISE


def test_more_bins_never_tell_more():
    """Who has the outputs of K batches can put in one of noise alone: these are K + 1 batches."""
    epsilons = np.array([0.0, 0.3, 1.0])
    told = []
    for many in (1, 2, 3, 5):
        bins = balls_into_bins(bottom_rate=0.4, noise_multiplier=1.0, batches=many, steps=2 * many)
        upper, lower = (composed_curve(one).delta_at(epsilons) for one in (bins.upper, bins.lower))
        assert np.all(lower.low <= upper.high)
        told.append((lower.low, upper.high))
    for (_, high), (low, _) in pairwise(told):
        assert np.all(low <= high)
    assert np.all(told[-1][1] < told[0][0])  # of five bins at most less than of one at least


@pytest.mark.filterwarnings("error")
@pytest.mark.every(3)
@pytest.mark.parametrize("noise_multiplier", [0.2, 0.13, 0.1])
def test_least_noise_has_finite_bounds_and_no_square_overflows(noise_multiplier):
    """Squares of ratios at high orders are beyond doubles; one Gaussian bounds those orders."""
    scenario = replace(
        BINNED,
        noise=replace(BINNED.noise, noise_multiplier=noise_multiplier),
        training=Training(unit="epochs", count=1),
    )
    found = guarantee_for(scenario)
    upper, lower = (composed_curve(one).epsilon_at(1e-7) for one in (found.upper, found.lower))
    shift = 2.0 / noise_multiplier
    assert 0.0 < lower.low <= upper.high < shift * (shift / 2 + 12.0)


def test_delta_over_steps_keeps_its_sides_within_epochs():
    found = delta_over_steps(
        replace(BINNED, data=replace(BINNED.data, num_series=96)), 0.5, range(1, 8)
    )
    assert np.all(found.lower.delta_low <= found.upper.delta_high)
    assert np.all(np.diff(found.lower.delta_low) >= 0.0)
    # Three steps an epoch: from above an epoch counts from its first step on.
    assert np.all(np.diff(found.upper.delta_high)[[0, 1, 3, 4]] == 0.0)
    assert np.all(np.diff(found.upper.delta_high)[[2, 5]] > 0.0)


@pytest.mark.parametrize("order", [1.0, 1.5, 4.0])
def test_brackets_hold_what_quadrature_finds_from_the_other_side(order):
    second = [(2.0, 0.0), (0.0, 2.0)], (0.5, 0.5)
    [exact] = divergences(*masses(([(0.0, 0.0)], (1.0,)), second, 1.2, step=0.015), [order])
    ratios = SumOfRatios(2, (0.0, -2.0 / 1.2), order, 0.1)
    first, second = ratios.event_from_below()
    assert 0.995 * exact <= first - order * second <= exact * (1 + 1e-4)
    assert exact <= ratios.value_from_above() * (1 + 1e-4) <= 1.002 * exact


@pytest.mark.parametrize("s", [0.3, 0.9, 2.0])
def test_what_lies_beyond_the_grid_counts_in_full(s):
    grid = SumOfRatios(8, (s, -s), 2.0, 0.1)

    def ratios_over_last(z):
        x = exp(s * z - s * s / 2) - 2.0 * exp(-s * z - s * s / 2)
        return x - grid._places[-1]

    beyond = stats.norm.sf(optimize.brentq(ratios_over_last, -10.0, 40.0) - s)
    assert grid._law_from_above()[1] == pytest.approx(beyond, rel=1e-9)


@pytest.mark.parametrize(("batches", "s", "order"), [(4, 0.9, 2.0), (8, 0.9, 1.2)])
def test_what_wraps_around_is_bounded(batches, s, order):
    """Against sums that are formed one by one, on a grid that is as wide as they need."""
    grid = SumOfRatios(batches, (s, -s), order, 0.1)
    law, _ = grid._law_from_above()
    tilt, log_moment, outside = grid._best_tilt(law)
    tilted = law * np.exp(tilt * grid._places - log_moment)
    sums = reduce(np.convolve, [tilted] * batches)
    places = batches * grid._first + np.arange(len(sums)) - grid._lowest_sum
    wrapped = sums[(places < 0) | (places >= grid._size)].sum()
    assert 0.0 < wrapped <= outside < 100.0 * wrapped


@pytest.mark.parametrize("order", [1.5, 4.0])
@pytest.mark.parametrize("deviations", [0.5, 1.0, 2.0])
def test_sums_below_the_window_lower_no_bound(deviations, order):
    """They wrap around to where nothing is lacking; each lacks K theta at most."""
    batches = 50
    grid = SumOfRatios(batches, (0.5, 0.0), order, 0.1)
    whole = grid.value_from_above()
    typical = batches * (1.0 - order - deviations * grid.spread)
    cut = int(typical / grid._step) - grid._lowest_sum
    grid._lowest_sum, grid._sums = grid._lowest_sum + cut, grid._sums + cut * grid._step
    assert whole < grid.value_from_above() < whole + order


def test_an_error_of_each_coefficient_is_one_of_the_masses():
    """By Parseval, for a sum of one."""
    grid = SumOfRatios(8, (0.9, -0.9), 2.0, 0.1)
    law, _ = grid._law_from_above()
    summed = SummedTransform([np.fft.rfft(law, grid._size)], [1], grid._size)
    frequencies = len(summed.product)
    least = transform_error(grid._size) * np.sqrt(2.0 * frequencies / grid._size)
    assert least <= summed.error(law) < 2.0 * least
