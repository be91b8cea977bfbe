"""Sums of steps, all draws written out, reach Proposition 8's pairs, and 7's in a plane."""

from collections import defaultdict
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.guarantees import (
    Kind,
    PlanarPair,
    Unit,
    as_in_the_paper,
    guarantee_for,
    sampled_top_level,
)
from dpviz.guarantees.pairs import CROSSED_DIRECTIONS
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.step_outputs import components
from tests.accounting.divergences import divergences, masses
from tests.guarantees.small_mechanisms import Small
from tests.scenario.changes import TOY, varied

EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 2.0, 4.0])


def walk(series, batch, windows, length=3, steps=None, sigma=1.2, **changes):
    """Return a shuffled walk; of windows of two values any value is in two."""
    return varied(
        TOY,
        num_series=series,
        series_lengths=(length,),
        batch_size=batch * windows,
        num_subsequences=windows,
        top_level="shuffled",
        noise_multiplier=sigma,
        steps=steps or series // batch,
        **changes,
    )


def epochs_of(scenario, *, there):
    """Yield the sums of each step of an epoch, and their probability: -1 but on what is seen."""
    shape, sampling = scenario.data, scenario.sampling
    windows, positions = sampling.num_subsequences, shape.start_positions
    orders = list(permutations(range(shape.num_series)))
    for order in orders:
        steps = [
            order[at * sampling.series_per_batch : (at + 1) * sampling.series_per_batch]
            for at in range(scenario.steps_per_epoch)
        ]
        for starts in product(range(positions), repeat=windows):
            hits = sum(start < scenario.touched_windows for start in starts) * there
            sums = [2.0 * hits * (0 in step) - windows * len(step) for step in steps]
            yield tuple(sums), 1.0 / len(orders) / positions**windows


@pytest.mark.parametrize(
    ("series", "batch", "windows"), [(4, 2, 1), (5, 2, 2), (4, 1, 2), (3, 3, 1)]
)
def test_8_is_reached_by_the_first_step_and_by_the_sum_of_all(series, batch, windows):
    scenario = walk(series, batch, windows)
    bound = guarantee_for(scenario).lower
    assert (bound.theorem, bound.kind, bound.unit) == ("dpviz 8", Kind.LOWER, Unit.EPOCH)
    summed = sorted({1, scenario.steps_per_epoch})
    assert len(bound.pairs) == len(summed)
    for steps, pair in zip(summed, bound.pairs, strict=True):
        assert pair.noise_multiplier == pytest.approx(1.2 * np.sqrt(steps), rel=1e-14)
        assert pair.noise_multiplier >= 1.2 * np.sqrt(steps)
        start = steps * scenario.sampling.windows_per_batch
        for law, there in zip(components(pair), (1.0, 0.0), strict=True):
            found = defaultdict(float)
            for sums, weight in epochs_of(scenario, there=there):
                found[sum(sums[:steps]) + start] += weight
            expected = dict(zip(*map(np.ndarray.tolist, law), strict=True))
            assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("sigma", [0.7, 2.0])
@pytest.mark.parametrize(("series", "batch", "windows"), [(4, 2, 1), (5, 2, 2), (2, 1, 3)])
def test_8_is_below_what_both_steps_of_an_epoch_show(series, batch, windows, sigma):
    """Integrated in the plane of both steps' outputs: who sees them need not sum them."""
    scenario = walk(series, batch, windows, sigma=sigma)
    laws = []
    for there in (1.0, 0.0):
        law = defaultdict(float)
        for sums, weight in epochs_of(scenario, there=there):
            law[sums] += weight
        laws.append((list(law), list(law.values())))
    p, q = masses(*laws, sigma, step=0.05)
    orders = np.exp(EPSILONS)
    exact = np.maximum(divergences(p, q, orders), divergences(q, p, orders))
    low = composed_curve(guarantee_for(scenario).lower).delta_at(EPSILONS).low
    assert np.all(low <= exact * (1.0 + 1e-3) + 1e-9)
    assert low[0] > 0.3 * exact[0]


def test_an_epoch_that_is_broken_off_is_not_counted():
    """What of the sum's steps is missing would have no noise and no series."""
    counts = [guarantee_for(walk(8, 2, 1, steps=steps)).lower.count for steps in (1, 3, 4, 7, 8)]
    assert counts == [1, 1, 1, 1, 2]
    short = guarantee_for(walk(8, 2, 1, steps=3)).lower
    assert short.pairs[1].noise_multiplier == pytest.approx(1.2 * np.sqrt(3.0))
    assert short.pairs[1].rate == pytest.approx(0.75 * 2 / 3)


def test_over_steps_it_is_what_each_length_of_training_has():
    scenario = walk(6, 2, 1, steps=7)
    found = delta_over_steps(scenario, 0.3, (1, 2, 3, 5, 7))
    assert np.all(found.lower.delta_low <= found.upper.delta_high)
    assert np.all(np.diff(found.lower.delta_low) >= 0.0)
    assert found.lower.bounds[-1] == guarantee_for(scenario).lower
    # After two steps the third has not been seen.
    two = guarantee_for(varied(scenario, steps=2)).lower
    assert found.lower.bounds[1] == two
    assert two.pairs[1].rate < guarantee_for(scenario).lower.pairs[1].rate


def law_of(draws, gradients):
    law = defaultdict(float)
    for counts, weight in draws:
        law[tuple((np.array(counts) @ gradients).tolist())] += weight
    return law


def lower_of(windows, **rates):
    return sampled_top_level(noise_multiplier=1.3, steps=1, subsequences=windows, **rates).lower


@pytest.mark.parametrize("windows", [2, 3])
@pytest.mark.parametrize("series", [1, 2])
@pytest.mark.parametrize(("sizes", "touched"), [((3, 2), 1), ((3, 2, 2), 2), ((2, 1, 1), 1)])
def test_7_is_reached_by_a_step(sizes, touched, series, windows):
    if series == len(sizes):
        assert lower_of(windows, bottom_rate=0.5, top_rate=1.0).other_pairs == ()
        return
    small = Small(windows=sizes, touched=touched, drawn=windows, series=series)
    draws = list(small.without_replacement())
    rates = {"bottom_rate": touched / sizes[0], "top_rate": series / len(sizes)}
    lower = lower_of(windows, **rates)
    for (of_touched, of_others), pair in zip(CROSSED_DIRECTIONS, lower.other_pairs, strict=True):
        gradients = np.array([(1.0, 0.0)] * sizes[0] + [of_others] * sum(sizes[1:]))
        start = windows * series * np.array(of_others)
        for sign, means in ((1.0, pair.means), (-1.0, pair.other_means)):
            gradients[:touched] = sign * np.array(of_touched)
            found = {
                tuple((np.array(mean) - start).tolist()): weight
                for mean, weight in law_of(draws, gradients).items()
            }
            assert found == pytest.approx(dict(zip(means, pair.weights, strict=True)), rel=1e-12)


def test_no_gradient_is_longer_than_the_clipping_norm():
    for directions in CROSSED_DIRECTIONS:
        for point in directions:
            assert sum(Fraction(one) ** 2 for one in point) <= 1


def test_the_paper_s_figures_have_f_7_alone():
    lower = lower_of(4, bottom_rate=0.1, top_rate=0.1)
    assert all(isinstance(pair, PlanarPair) for pair in lower.other_pairs)
    assert lower.theorem == "dpviz 7"
    printed = as_in_the_paper(lower)
    assert printed.other_pairs == ()
    assert (printed.pair, printed.theorem) == (lower.pair, "F.7")
