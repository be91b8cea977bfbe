"""Trees and levels of units, of equal sizes or not: the bound against every draw, one by one."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpviz.accounting import composed_curve
from dpviz.multistage import StagedDraw, comparison, staged_guarantee
from dpviz.multistage.counterexample import WHOLE, proven_delta
from dpviz.multistage.draw import tree_draw
from dpviz.scenario import ScenarioError
from dpviz.scenario.levels import Level, levels_in
from tests.multistage.all_draws import (
    number_of_draws,
    paths,
    tree_of,
    true_delta,
    true_delta_of_levels,
)

# Example 3.1 of Tombs et al.: two primary units, of units with so many records.
TREE = [[4, 2, 3], [4, 5]]
EXAMPLE = str(TREE)
GRADIENTS = st.sampled_from([Fraction(quarter, 4) for quarter in (-4, -4, -2, 0, 1, 4, 4)])


def trees(depth):
    """Return trees of so many levels below the primary units' one, as nested lists."""
    below = st.integers(1, 4) if depth == 1 else trees(depth - 1)
    return st.lists(below, min_size=1, max_size=3)


@settings(max_examples=60)
@given(
    depth=st.integers(1, 2),
    sigma=st.sampled_from([0.3, 0.7, 1.0, 2.0]),
    epsilon=st.sampled_from([0.0, 0.05, 0.3, 1.0, 2.5]),
    data=st.data(),
)
def test_no_gradients_give_more_than_the_proven_bound(depth, sigma, epsilon, data):
    """Several records of a unit, units of several sizes, and any record may be replaced."""
    tree = data.draw(trees(depth))
    drawn = data.draw(st.lists(st.integers(1, 2), min_size=depth + 1, max_size=depth + 1))
    try:
        draw = tree_draw(str(tree), drawn)
    except ScenarioError:
        assume(False)
    records = paths(tree)
    gradients = {path: data.draw(GRADIENTS) for path in records}
    other = gradients | {data.draw(st.sampled_from(records)): data.draw(GRADIENTS)}
    truth = true_delta(tree, drawn, gradients, other, sigma, epsilon)
    assert truth <= proven_delta(draw, sigma, epsilon) + 1e-12


@pytest.mark.parametrize("drawn", [(1, 1, 1), (1, 1, 2), (2, 1, 2), (1, 2, 1), (2, 2, 2)])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_example_3_1_with_several_records_lies_between_both_bounds(drawn, epsilon):
    """Of the record that is drawn most often, where all others are alike, and where few are."""
    draw = tree_draw(EXAMPLE, drawn)
    guarantee = staged_guarantee(draw, 1.0, 1)
    curves = [composed_curve(one) for one in (guarantee.upper, guarantee.lower)]
    upper, lower = (float(curve.delta_at([epsilon]).high[0]) for curve in curves)
    record = (0, 1, 0)  # in the unit of two records
    alike = dict.fromkeys(paths(TREE), Fraction(-1))
    attained = true_delta(TREE, drawn, alike, alike | {record: Fraction(1)}, 1.0, epsilon)
    assert attained == pytest.approx(lower, rel=2e-3)
    opposed = {path: Fraction(-1 if path[:2] == record[:2] else 1) for path in alike}
    worst = true_delta(TREE, drawn, opposed, opposed | {record: Fraction(1)}, 1.0, epsilon)
    assert max(attained, worst) <= upper * (1 + 1e-9)
    if draw.hides_units:
        assert attained == pytest.approx(upper, rel=2e-3)
    least = StagedDraw(levels=draw.levels)
    assert proven_delta(draw, 1.0, epsilon) <= proven_delta(least, 1.0, epsilon)


def test_a_tree_of_equal_units_is_that_of_its_levels():
    tree = tree_draw("[[3,3],[3,3]]", [1, 2, 2])
    levels = StagedDraw(levels=tree.levels)
    for part in ("rate", "outer_rate", "inner_rate", "records", "hidden_from"):
        assert getattr(tree, part) == pytest.approx(getattr(levels, part))


def test_a_record_may_be_drawn_most_often_and_another_once_its_unit_is():
    found = tree_draw("[2,9]", [1, 2])
    assert (found.rate, found.inner_rate, found.outer_rate) == (0.5, 1.0, 0.5)
    # By themselves 1/10 then 1, and 1/4 then 1/2.
    found = tree_draw("[[2,9,9,9,9],[4,4]]", [1, 1, 2])
    assert (found.rate, found.inner_rate, found.outer_rate) == (1 / 8, 1.0, 1 / 8)


@pytest.mark.parametrize(
    ("tree", "drawn", "told"),
    [
        ("[[4,2],[4,[1]]]", [1, 1, 1], "as deep everywhere"),
        ("[[4,2],3]", [1, 1, 1], "as deep everywhere"),
        ("5", [1], "nested lists"),
        ("[]", [1], "nested lists"),
        ("[[]]", [1, 1, 1], "nested lists"),
        ("[true,2]", [1, 1], "nested lists"),
        ("[2.5,2]", [1, 1], "nested lists"),
        ("[0,2]", [1, 1], "nested lists"),
        ("[" * 100_000, [1, 1], "nested lists"),
        ("[[[[[[2]]]]]]", [1] * 7, "nested lists"),
        ("[4,2]", [1], "2 numbers, one for each level"),
        ("[4,2]", [1, 3], "from 1 to 2"),
        ("[4,2]", [0, 1], "from 1 to 2"),
        ("[1000000000,1000000000]", [1, 1], "probability 1e-09 at least"),
    ],
)
def test_what_is_no_tree_is_refused(tree, drawn, told):
    with pytest.raises(ScenarioError, match=told):
        tree_draw(tree, drawn)


ROUNDING = 1e-12
LEVEL = st.integers(1, 4).flatmap(
    lambda size: st.builds(Level, drawn=st.integers(1, size), size=st.just(size))
)


@pytest.mark.every(3)
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
