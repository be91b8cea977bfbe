"""The chart of draws in stages: the lines are the numbers, and the claim is called unsound."""

import json

from dpviz.figures import figure_json
from dpviz.figures.delta_lines import staged_chart
from dpviz.multistage.guarantee import draw_in
from dpviz.planning.multistage import STAGED_LINES, staged_line


def lines_of(text, sigma, episodes, epsilon):
    draw = draw_in(text)
    return {name: staged_line(name, draw, sigma, episodes, epsilon, 1e-7) for name in STAGED_LINES}


def test_lines_lie_in_their_order_and_are_told_apart_without_colour():
    lines = lines_of("1:2,3:6", 1.0, 5, 1.0)
    chart = staged_chart(lines, 5, 1.0, identity="one")
    upper, lower, printed = chart["data"]
    assert "UNSOUND" in printed["name"]
    looks = {(trace["line"]["dash"], trace["line"]["width"]) for trace in chart["data"]}
    assert len(looks) == 3
    assert printed["line"]["color"] != upper["line"]["color"]
    for trace in (upper, lower, printed):
        known = dict(zip(lines[trace["uid"]].epsilon, lines[trace["uid"]].delta, strict=True))
        assert all(y is None or known[x] == y for x, y in zip(trace["x"], trace["y"], strict=True))
    assert all("claimed, not proven" in text for text in printed["text"])
    assert all("δ ≤" in text for text in upper["text"])


def test_where_nothing_is_left_to_draw_there_is_still_a_chart():
    lines = lines_of("1:2,1:3", 100.0, 1, 900.0)
    assert json.loads(figure_json(staged_chart(lines, 1, 900.0, identity="two")))["data"]


def test_the_marked_epsilon_is_drawn_where_it_is_in_sight():
    for epsilon, is_drawn in ((0.5, True), (900.0, False)):
        lines = lines_of("1:2,1:3", 1.0, 5, epsilon)
        shapes = staged_chart(lines, 5, epsilon, identity="x")["layout"]["shapes"]
        assert ((epsilon, epsilon) in [(one["x0"], one["x1"]) for one in shapes]) is is_drawn
