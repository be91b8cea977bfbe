"""Gradients in two directions reach Proposition 7's pairs: all draws of small series, summed."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from dpviz.guarantees import PlanarPair, as_in_the_paper, sampled_top_level
from dpviz.guarantees.planar import _DIRECTIONS
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
    for (of_touched, of_others), pair in zip(_DIRECTIONS, lower.other_pairs, strict=True):
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
    for directions in _DIRECTIONS:
        for point in directions:
            assert sum(Fraction(one) ** 2 for one in point) <= 1


def test_the_paper_s_figures_have_f_7_alone():
    lower = lower_of(4, bottom_rate=0.1, top_rate=0.1)
    assert all(isinstance(pair, PlanarPair) for pair in lower.other_pairs)
    assert lower.theorem == "dpviz 7"
    printed = as_in_the_paper(lower)
    assert printed.other_pairs == ()
    assert (printed.pair, printed.theorem) == (lower.pair, "F.7")
