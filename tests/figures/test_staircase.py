"""Lines of a map: each separates exactly the cells that it says, whatever the pattern is."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from dpviz.figures.staircase import level_lines, staircases

PATTERNS = array_shapes(min_dims=2, max_dims=2, max_side=7).flatmap(
    lambda shape: st.tuples(arrays(bool, shape), arrays(bool, shape))
)


def unit_edges(paths):
    """Return each edge of the lines as the pair of cells, the one on its left first."""
    found = []
    for path in paths:
        for (x, y), (to_x, to_y) in pairwise(path):
            assert (x == to_x) != (y == to_y), "a line runs along the cells' sides"
            steps = round(abs(to_x - x) + abs(to_y - y))
            for step in range(steps):
                along_x, along_y = (to_x - x) / steps, (to_y - y) / steps
                middle_x, middle_y = x + (step + 0.5) * along_x, y + (step + 0.5) * along_y
                left = (round(middle_x - 0.5 * along_y), round(middle_y + 0.5 * along_x))
                right = (round(middle_x + 0.5 * along_y), round(middle_y - 0.5 * along_x))
                found.append((left, right))
    return found


def differing_neighbours(meets, known):
    rows, columns = meets.shape
    pairs = set()
    for row in range(rows):
        for column in range(columns):
            for other in (
                (column + 1, row),
                (column - 1, row),
                (column, row + 1),
                (column, row - 1),
            ):
                if not (0 <= other[0] < columns and 0 <= other[1] < rows):
                    continue
                both = known[row, column] and known[other[1], other[0]]
                if both and meets[row, column] and not meets[other[1], other[0]]:
                    pairs.add(((column, row), other))
    return pairs


@settings(max_examples=300)
@given(PATTERNS)
def test_lines_separate_exactly_the_cells_that_differ(pattern):
    """Every edge between a cell that meets it, on the left, and one that does not: each once."""
    meets, known = pattern
    edges = unit_edges(staircases(meets, known))
    assert len(edges) == len(set(edges))
    assert set(edges) == differing_neighbours(meets, known)


def test_cells_that_all_do_the_same_have_no_line():
    for meets in (np.ones((3, 4), bool), np.zeros((3, 4), bool)):
        assert staircases(meets) == []


def test_a_staircase_is_one_line_and_an_island_another():
    falling = np.add.outer(np.arange(5), np.arange(6)) >= 5
    assert len(staircases(falling)) == 1
    island = np.zeros((5, 5), bool)
    island[2, 2] = True
    (around,) = staircases(island)
    assert around[0] == around[-1]
    assert len(around) == 5


def test_levels_are_round_few_and_different():
    values = np.geomspace(1e-3, 3e4, 40).reshape(5, 8)
    levels = level_lines(values, 4, lambda level: staircases(values <= level))
    assert 2 <= len(levels) <= 4
    numbers = [level for level, _ in levels]
    assert numbers == sorted(numbers, reverse=True)
    for level, lines in levels:
        assert f"{level:.0e}"[0] in "125"
        assert set(unit_edges(lines)) == differing_neighbours(values <= level, values > 0)


def test_a_level_with_a_line_of_its_own_is_left_out():
    values = np.array([[0.7, 1.5, 3.0]])
    lines_of = lambda level: staircases(values <= level)  # noqa: E731
    assert [level for level, _ in level_lines(values, 9, lines_of)] == [2.0, 1.0]
    assert [level for level, _ in level_lines(values, 9, lines_of, without=2.0)] == [1.0]


def test_what_is_not_known_has_no_level():
    values = np.array([[np.inf, np.nan, 0.0]])
    assert level_lines(values, 4, lambda level: staircases(values <= level)) == []
