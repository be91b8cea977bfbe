"""Gradients in two directions reach Proposition 7's pairs: all draws of small series, summed."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.guarantees import PlanarPair, as_in_the_paper, sampled_top_level
from dpviz.guarantees.pairs import CROSSED_DIRECTIONS
from tests.accounting.divergences import divergences, masses
from tests.guarantees.small_mechanisms import Small


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


EPSILONS = np.array([0.0, 0.05, 0.3, 1.0, 3.0])
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
    orders = np.exp(EPSILONS)
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
        most = composed_curve(guarantee.upper).delta_at(EPSILONS).high
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
            least = composed_curve(shown).delta_at(EPSILONS).low
            best = np.max(exact_delta(windows, rate, drawn, sigma, named), axis=0)
            assert np.all(least <= best * (1.0 + 2e-3) + 1e-9)
            assert np.all(best <= most * (1.0 + 2e-3) + 1e-9)
            assert least[0] >= 0.97 * best[0]
