"""The bound against the truth: every draw of small structures, of equal and unequal units."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpviz.multistage import StagedDraw, comparison
from dpviz.multistage.counterexample import WHOLE, hockey_stick, proven_delta
from dpviz.multistage.guarantee import draw_in
from dpviz.scenario.levels import Level, levels_in
from tests.multistage.all_draws import as_mixture, law_of_sum, number_of_draws, paths

ROUNDING = 1e-12
GRADIENTS = st.sampled_from([Fraction(quarter, 4) for quarter in (-4, -4, -2, 0, 1, 4, 4)])
LEVEL = st.integers(1, 4).flatmap(
    lambda size: st.builds(Level, drawn=st.integers(1, size), size=st.just(size))
)


def both_ways(first, second, sigma, epsilon):
    return max(
        hockey_stick(first, second, sigma, epsilon), hockey_stick(second, first, sigma, epsilon)
    )


@settings(max_examples=60)
@given(
    levels=st.lists(LEVEL, min_size=1, max_size=3).map(tuple),
    sigma=st.sampled_from([0.3, 0.7, 1.0, 2.0, 5.0]),
    epsilon=st.sampled_from([0.0, 0.05, 0.3, 1.0, 2.5]),
    data=st.data(),
)
def test_no_gradients_give_more_than_the_proven_bound(levels, sigma, epsilon, data):
    """Whatever the gradients are, and whichever way round: the sound reading bounds the truth."""
    assume(number_of_draws(levels) < 3000)
    records = paths(levels)
    gradients = {path: data.draw(GRADIENTS) for path in records}
    other = gradients | {records[0]: data.draw(GRADIENTS)}
    first, second = (as_mixture(law_of_sum(levels, one)) for one in (gradients, other))
    found = comparison(StagedDraw(levels=levels), sigma, epsilon)
    assert both_ways(first, second, sigma, epsilon) <= found.proven + ROUNDING
    assert found.attained.delta <= found.proven + ROUNDING


@pytest.mark.parametrize("text", ["1:2", "2:3", "1:2,2:3", "2:3,1:2", "1:2,1:2,2:3", "1:3,2:2,2:3"])
@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
def test_what_is_shown_as_attained_is_what_those_gradients_give(text, sigma):
    """The law of the sum is written down in closed form; here it is counted draw by draw."""
    levels = levels_in("levels", text)
    records = paths(levels)
    for epsilon in (0.0, 0.4, 1.0):
        shown = comparison(StagedDraw(levels=levels), sigma, epsilon).attained
        alike = {path for path in records if path[: shown.crowd + 1] == (0,) * (shown.crowd + 1)}
        crowd = set(records) if shown.crowd == WHOLE else alike
        second = {path: Fraction(-1 if path in crowd else 1) for path in records}
        first = second | {records[0]: Fraction(1)}
        laws = [as_mixture(law_of_sum(levels, one)) for one in (first, second)]
        assert both_ways(*laws, sigma, epsilon) == pytest.approx(shown.delta, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("text", ["1:2", "10:100", "5:20,1:10", "3:7,1:4,1:2", "4:4,2:9"])
@pytest.mark.parametrize("sigma", [0.5, 2.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_the_bound_is_attained_where_units_give_one_record_each(text, sigma, epsilon):
    """Tight for one episode: no smaller bound would be true."""
    found = comparison(StagedDraw(levels=levels_in("levels", text)), sigma, epsilon)
    assert found.proven == pytest.approx(found.attained.delta, rel=1e-9)
    assert found.proven == pytest.approx(found.corrected_distance, rel=1e-12)


def test_the_formula_with_twice_the_distance_is_no_bound_where_units_give_several_records():
    """One of two units, then five of its ten records: what an attacker attains exceeds it."""
    levels = levels_in("levels", "1:2,3:6")
    found = comparison(StagedDraw(levels=levels), 1.0, 1.0)
    assert found.corrected_distance < 0.0804
    assert found.attained.delta > 0.0850
    second = {path: Fraction(-1 if path[0] == 0 else 1) for path in paths(levels)}
    first = second | {(0, 0): Fraction(1)}
    laws = [as_mixture(law_of_sum(levels, one)) for one in (first, second)]
    assert both_ways(*laws, 1.0, 1.0) == pytest.approx(found.attained.delta, rel=1e-9)


@settings(max_examples=40)
@given(
    levels=st.lists(LEVEL, min_size=2, max_size=3).map(tuple),
    kept=st.integers(1, 2),
    sigma=st.sampled_from([0.5, 1.0, 3.0]),
    epsilon=st.sampled_from([0.0, 0.3, 1.0]),
    data=st.data(),
)
def test_a_whole_unit_is_protected_as_a_record_of_less_noise(levels, kept, sigma, epsilon, data):
    """The advice for whole units: leave out the levels below, divide the noise by its records."""
    assume(kept < len(levels))
    assume(number_of_draws(levels) < 1000)
    first = {path: data.draw(GRADIENTS) for path in paths(levels)}
    unit = (0,) * kept
    second = {
        path: data.draw(GRADIENTS) if path[:kept] == unit else value
        for path, value in first.items()
    }
    laws = [as_mixture(law_of_sum(levels, one)) for one in (first, second)]
    records = StagedDraw(levels=levels).records_of_unit(kept - 1)
    proven = proven_delta(StagedDraw(levels=levels[:kept]), sigma / records, epsilon)
    assert both_ways(*laws, sigma, epsilon) <= proven + ROUNDING


# Example 3.1 of Tombs et al.: two primary units, of units with so many records.
TREE = ((4, 2, 3), (4, 5))
RECORDS = [
    (at, unit, record)
    for at, primary in enumerate(TREE)
    for unit, size in enumerate(primary)
    for record in range(size)
]
CHANCES = {one: 1 / (len(TREE) * len(TREE[one[0]]) * TREE[one[0]][one[1]]) for one in RECORDS}
SIGMA = 1.0


def law(gradients):
    """Return the probability of each gradient of the one drawn record."""
    found = {-1.0: 0.0, 1.0: 0.0}
    for record, gradient in gradients.items():
        found[gradient] += CHANCES[record]
    return {mean: weight for mean, weight in found.items() if weight > 0.0}


def test_the_least_path_has_the_largest_chance():
    assert len(RECORDS) == 18
    assert sum(CHANCES.values()) == pytest.approx(1.0)
    assert max(CHANCES.values()) == pytest.approx(draw_in("1:12").rate)


@pytest.mark.every(4)
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5, 1.0])
def test_no_gradients_exceed_the_bound_and_equal_ones_attain_it(epsilon):
    """All records of a unit alike, in all combinations; any one record is replaced."""
    bound = proven_delta(draw_in("1:12"), SIGMA, epsilon)
    units = sorted({record[:2] for record in RECORDS})
    attained = []
    for signs in product((-1.0, 1.0), repeat=len(units)):
        of_unit = dict(zip(units, signs, strict=True))
        others = {record: of_unit[record[:2]] for record in RECORDS}
        for record in (one for one in RECORDS if one[2] == 0):
            pair = [law(others | {record: gradient}) for gradient in (1.0, -1.0)]
            attained += [
                hockey_stick(one, other, SIGMA, epsilon) for one, other in (pair, pair[::-1])
            ]
    assert max(attained) <= bound * (1.0 + 1e-9)
    assert max(attained) == pytest.approx(bound, rel=1e-6)
    assert bound < proven_delta(draw_in("1:2,1:2,1:2"), SIGMA, epsilon)
