"""Sums of steps, all draws written out, reach Proposition 8's pairs, and 7's in a plane."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from dpviz.accounting import account_for, composed_curve
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
from dpviz.scenario import Noise, Rates, Sampling
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


SHUFFLED = replace(TOY, sampling=Sampling(batch_size=32, top_level="shuffled"))


@pytest.mark.parametrize(
    "scenario",
    [
        SHUFFLED,
        walk(7, 2, 2, steps=11),
        walk(7, 2, 2, steps=2, bottom_level="poisson"),
        replace(SHUFFLED, noise=Noise(noise_multiplier=2.0, forecast_noise=1.0)),
        replace(SHUFFLED, noise=Noise(noise_multiplier=9.0, forecast_noise=1.0, context_noise=0.5)),
        replace(SHUFFLED, data=Rates(bottom_rate=0.1, top_rate=0.3, steps_per_epoch=2)),
        replace(SHUFFLED, noise=Noise(noise_multiplier=99.0)),
    ],
)
def test_8_is_below_the_walk_s_bound(scenario):
    account = account_for(scenario)
    at = np.linspace(0.0, 8.0, 40)
    low, high = account.lower.delta_at(at).low, account.upper.delta_at(at).high
    assert np.all(low <= high)
    assert low[0] > 0.0


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


LOSSES = np.array([0.0, 0.05, 0.3, 1.0, 3.0])
STEP = 0.06


def exact_delta(windows, rate, drawn, sigma, gradients):
    """Return delta of both directions by midpoint sums, from the draws of windows one by one."""
    of_touched, of_own, of_others = gradients
    sides = []
    for sign in (1.0, -1.0):
        law = defaultdict(float)
        law[0.0, 0.0] = 1.0 - drawn
        for hits in product((False, True), repeat=windows):
            mean = sum((sign * of_touched if hit else of_own) for hit in hits) - windows * of_others
            chance = np.prod([rate if hit else 1.0 - rate for hit in hits])
            law[tuple(np.round(mean / sigma, 12).tolist())] += drawn * float(chance)
        sides.append((list(law), list(law.values())))
    p, q = masses(*sides, 1.0, step=STEP, margin=7.0)
    orders = np.exp(LOSSES)
    return divergences(p, q, orders), divergences(q, p, orders)


@pytest.mark.every(3)
@pytest.mark.parametrize("windows", range(2, 9))
def test_any_plane_lies_between_nothing_and_the_upper_bound(windows):
    """Random gradients in a plane, and those that are shown: own arithmetic on all draws."""
    rng = np.random.default_rng(windows)
    for _ in range(4):
        rate, drawn = rng.uniform(0.02, 0.7), rng.uniform(0.05, 0.9)
        sigma = float(10 ** rng.uniform(-0.1, 0.7))
        guarantee = sampled_top_level(
            bottom_rate=rate, top_rate=drawn, noise_multiplier=sigma, steps=1, subsequences=windows
        )
        most = composed_curve(guarantee.upper).delta_at(LOSSES).high
        turns = rng.uniform(0.0, 2.0 * np.pi, size=(3, 3))
        planes = [np.column_stack([np.cos(turn), np.sin(turn)]) for turn in turns]
        for plane in planes:
            for found in exact_delta(windows, rate, drawn, sigma, plane):
                assert np.all(found <= most * (1.0 + 2e-3) + 1e-9)
        own = np.array([1.0, 0.0])
        for (touched, others), pair in zip(
            CROSSED_DIRECTIONS, guarantee.lower.other_pairs, strict=True
        ):
            named = [np.array(touched), own, np.array(others)]
            shown = replace(guarantee.lower, pair=pair, other_pairs=())
            least = composed_curve(shown).delta_at(LOSSES).low
            best = np.max(exact_delta(windows, rate, drawn, sigma, named), axis=0)
            assert np.all(least <= best * (1.0 + 2e-3) + 1e-9)
            assert np.all(best <= most * (1.0 + 2e-3) + 1e-9)
            assert least[0] >= 0.97 * best[0]
