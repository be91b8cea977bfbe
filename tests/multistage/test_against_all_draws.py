"""The bound against the truth: every draw of small structures of units of equal sizes."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpviz.multistage import StagedDraw, comparison
from dpviz.multistage.counterexample import WHOLE, proven_delta
from dpviz.scenario.levels import Level, levels_in
from tests.multistage.all_draws import number_of_draws, paths, tree_of, true_delta_of_levels

ROUNDING = 1e-12
GRADIENTS = st.sampled_from([Fraction(quarter, 4) for quarter in (-4, -4, -2, 0, 1, 4, 4)])
LEVEL = st.integers(1, 4).flatmap(
    lambda size: st.builds(Level, drawn=st.integers(1, size), size=st.just(size))
)


@pytest.mark.parametrize("text", ["1:2", "2:3", "1:2,2:3", "2:3,1:2", "1:2,1:2,2:3", "1:3,2:2,2:3"])
@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
def test_what_is_shown_as_attained_is_what_those_gradients_give(text, sigma):
    """The law of the sum is written down in closed form; here it is counted draw by draw."""
    levels = levels_in("levels", text)
    records = paths(tree_of(levels))
    for epsilon in (0.0, 0.4, 1.0):
        shown = comparison(StagedDraw(levels=levels), sigma, epsilon).attained
        alike = {path for path in records if path[: shown.crowd + 1] == (0,) * (shown.crowd + 1)}
        crowd = set(records) if shown.crowd == WHOLE else alike
        second = {path: Fraction(-1 if path in crowd else 1) for path in records}
        first = second | {records[0]: Fraction(1)}
        truth = true_delta_of_levels(levels, first, second, sigma, epsilon)
        assert truth == pytest.approx(shown.delta, rel=1e-9, abs=1e-15)


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
    second = {path: Fraction(-1 if path[0] == 0 else 1) for path in paths(tree_of(levels))}
    truth = true_delta_of_levels(levels, second | {(0, 0): Fraction(1)}, second, 1.0, 1.0)
    assert truth == pytest.approx(found.attained.delta, rel=1e-9)


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
    first = {path: data.draw(GRADIENTS) for path in paths(tree_of(levels))}
    unit = (0,) * kept
    second = {
        path: data.draw(GRADIENTS) if path[:kept] == unit else value
        for path, value in first.items()
    }
    records = StagedDraw(levels=levels).records_of_unit(kept - 1)
    proven = proven_delta(StagedDraw(levels=levels[:kept]), sigma / records, epsilon)
    assert true_delta_of_levels(levels, first, second, sigma, epsilon) <= proven + ROUNDING
