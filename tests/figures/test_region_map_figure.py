"""The map's fields, lines, hatching and marks are what they say."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.figures.maps import staircases
from dpviz.figures.region_map import level_labels, region_chart
from dpviz.planning.region import RegionPoint, sources
from dpviz.planning.target import SuccessGoal
from tests.figures.reading import accepted, paths_of, sides_along, sides_between, traces_of
from tests.planning.region_maps import made_up, rising

SIZE = 17
ANYTHING = st.lists(
    st.sampled_from([1e-9, 0.02, 1.0, 3.9, 9.0, 77.0, None, float("inf")]), min_size=7, max_size=80
)


def drawn(shown, layer="epsilon"):
    return accepted(region_chart(shown, layer))


def verdicts(shown, passes):
    """Return which fields pass a test, and which do or do not."""
    meets, known = np.zeros((2, SIZE, SIZE), bool)
    for (column, row), source in sources(shown).items():
        if isinstance(cell := shown.cells[source], RegionPoint):
            meets[row, column], known[row, column] = passes(cell), True
    return meets, known


@settings(max_examples=25)
@given(ANYTHING, st.sampled_from([1, 30, 100, SIZE**2]))
def test_each_line_separates_exactly_the_fields_that_it_says(bits, most):
    shown = made_up(lambda column, row: bits[(SIZE * row + column) % len(bits)], most=most)
    spec = region_chart(shown, "epsilon")
    traces = traces_of(spec)

    def separates(line, passes):
        sides = sides_along(paths_of(line))
        assert len(sides) == len(set(sides))
        return set(sides) == sides_between(*verdicts(shown, passes))

    assert separates(traces["goal"], lambda cell: cell.meets)
    labels = [note["text"] for note in spec["layout"]["annotations"] if "meets" not in note["text"]]
    lines = [trace for uid, trace in traces.items() if uid.startswith("level")]
    assert len(labels) == len(lines) <= 4
    for label, line in zip(labels, lines, strict=True):
        level = float(label.removeprefix("ε ≤ ").replace(",", "").replace("10⁻⁹", "1e-9"))
        assert separates(line, lambda cell, most=level: (cell.upper.quoted or np.inf) <= most)


def test_fields_have_the_logarithm_of_epsilon_and_their_places():
    shown = made_up(rising)
    heat = drawn(shown)["map"]
    for row in range(SIZE):
        for column in range(SIZE):
            assert heat["z"][row][column] == pytest.approx(np.log10(rising(column, row)))
            assert heat["customdata"][row][column] == [column, row, shown.axes_key]


def test_the_second_layer_has_the_noise_and_the_same_lines():
    shown = made_up(rising)
    plain, noise = drawn(shown), drawn(shown, "noise")
    for at, point in shown.points.items():
        logarithm = noise["map"]["z"][at[1]][at[0]]
        assert logarithm == pytest.approx(np.log10(point.noise_per_gradient))
    assert plain["goal"]["x"] == noise["goal"]["x"]


def test_a_coarse_field_shows_and_hands_out_the_computed_place():
    shown = made_up(rising, most=36)
    heat, stands_for = drawn(shown)["map"], sources(shown)
    assert len(stands_for) == SIZE**2
    for (column, row), source in stands_for.items():
        assert heat["customdata"][row][column] == [*source, shown.axes_key]
        assert heat["z"][row][column] == pytest.approx(np.log10(rising(*source)))
    assert heat["xgap"] == 0


def test_fields_without_an_answer_are_hatched_and_named():
    traces = drawn(made_up(lambda x, y: None if x == 3 else rising(x, y)))
    hatched = [x for x in traces["no-answer"]["x"] if x is not None]
    assert hatched
    assert all(2.5 <= x <= 3.5 for x in hatched)
    assert traces["map"]["z"][5][3] is None
    assert "no answer: Batch size Λ = 3 is not allowed" in traces["map"]["text"][5][3]


def test_fields_without_a_finite_epsilon_are_marked_and_named():
    traces = drawn(made_up(lambda x, y: float("inf") if y == 16 else rising(x, y)))
    assert set(traces["unbounded"]["y"]) == {16}
    assert traces["unbounded"]["x"] == list(range(SIZE))
    assert "no finite ε proven" in traces["map"]["text"][16][0]


def test_a_goal_about_attackers_has_a_line_of_its_own_name():
    shown = made_up(rising)
    asked = type(shown)(
        scenario=shown.scenario, goal=SuccessGoal(success=0.6), x=shown.x, y=shown.y,
        cells=shown.cells,
    )  # fmt: skip
    texts = [note["text"] for note in region_chart(asked, "epsilon")["layout"]["annotations"]]
    assert texts[0] == "<b>meets the goal</b>"
    assert len(texts) == len(set(texts))


def test_words_stand_on_the_side_of_what_meets():
    meets = np.zeros((9, 9), bool)
    meets[:, :4] = True
    (label,) = level_labels([("ε ≤ 1", staircases(meets))], (9, 9), (8, 8))
    assert (label["x"], label["xanchor"]) == (3.5, "right")
    (label,) = level_labels([("ε ≤ 1", staircases(meets.T))], (9, 9), (8, 8))
    assert (label["y"], label["yanchor"]) == (3.5, "top")
    (label,) = level_labels([("ε ≤ 1", staircases(~meets))], (9, 9), (8, 8))
    assert (label["x"], label["xanchor"]) == (3.5, "left")


def test_words_stay_on_the_map():
    meets = np.zeros((9, 9), bool)
    meets[:, :1] = True
    for pattern, edge, side in ((meets, -0.5, "left"), (meets[:, ::-1], 8.5, "right")):
        line = ("<b>meets ε ≤ 1</b>", staircases(pattern))
        (label,) = level_labels([line], (9, 9), (4, 4))
        assert (label["x"], label["xanchor"]) == (edge, side)


def test_a_word_covers_no_other_part_of_a_line():
    """Stairs of steps as narrow as a word is high: beside one step it lies on the next one."""
    meets = np.zeros((17, 17), bool)
    for row in range(17):
        meets[row, : max(2, 14 - 2 * row)] = True  # steep at its end alone
    lines = staircases(meets)
    (label,) = level_labels([("<b>meets ε ≤ 1</b>", lines)], (17, 17), (8, 8))
    width = 0.5 * len("meets ε ≤ 1")
    left = label["x"] - {"right": width, "left": 0.0, "center": width / 2}[label["xanchor"]]
    low = label["y"] - {"top": 1.0, "bottom": 0.0, "middle": 0.5}[label["yanchor"]]
    for path in lines:
        for (x, y), (to_x, to_y) in pairwise(path):
            for share in np.linspace(0.0, 1.0, 50):
                at, up = x + share * (to_x - x), y + share * (to_y - y)
                assert not (left < at - 0.05 < at + 0.05 < left + width and low < up - 0.05 and (
                    up + 0.05 < low + 1.0))  # fmt: skip


def test_words_keep_apart():
    rows = np.indices((17, 17))[0]
    lines = [(str(level), staircases(rows <= level)) for level in (3, 4, 5, 6)]
    labels = level_labels(lines, (17, 17), (8, 4))
    for one, other in pairwise(labels):
        assert abs(one["x"] - other["x"]) >= 2 or abs(one["y"] - other["y"]) >= 2


@pytest.mark.parametrize(
    ("up", "side"), [(0, "bottom center"), (-1, "top center"), (3, "top center")]
)
def test_word_beside_the_mark_lies_on_no_line(up, side):
    """A line above the mark sends its word below; others leave it where it usually is."""
    shown = made_up(lambda _, row: 1.0 if row <= SIZE // 2 + up else 99.0)
    assert shown.own[1] == SIZE // 2
    assert drawn(shown)["now"]["textposition"] == side
