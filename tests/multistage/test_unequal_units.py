"""One record from a tree of unequal units: the smallest product of sizes along a path tells."""

from itertools import product

import pytest

from dpviz.multistage.counterexample import hockey_stick, proven_delta
from dpviz.multistage.guarantee import draw_in

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
