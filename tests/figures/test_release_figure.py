"""Charts of releases and of draws in stages."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dpviz.figures import figure_json
from dpviz.figures.delta_lines import staged_chart
from dpviz.figures.release import (
    MOST_POINTS,
    ends_of_stretches,
    failure_chart,
    frequencies_chart,
    noise_title,
    release_noise_chart,
    released_series_chart,
    releases_chart,
)
from dpviz.multistage.guarantee import draw_in
from dpviz.planning.multistage import STAGED_LINES, staged_line
from dpviz.release import ReleaseSettings
from dpviz.release.mechanisms import ErrorSummary, rows_without_errors
from dpviz.release.published import FREQUENCIES, WAYS
from tests.figures.reading import accepted

ERROR = ErrorSummary(repetitions=100, mean=12.0, spread=1.0)


def rows_of(length=1800, participation=180, error=ERROR):
    settings = ReleaseSettings(length=length, participation=participation)
    return [replace(one, error=error) for one in rows_without_errors(settings, 2.0)]


def drawn(truth, released, kept):
    spec = released_series_chart(truth, released, kept, title="test", identity="test")
    return accepted(spec)


def test_a_short_series_is_drawn_whole_with_its_kept_steps():
    truth = np.arange(100.0)
    kept = np.array([3, 50])
    traces = drawn(truth, truth + 2.0, kept)
    assert traces["truth"]["x"] == list(range(1, 101))
    assert traces["released"]["y"] == (truth + 2.0).tolist()
    assert set(traces["difference"]["y"]) == {2.0}
    assert (traces["kept"]["x"], traces["kept"]["y"]) == ([4, 51], [5.0, 52.0])


@pytest.mark.parametrize("length", [MOST_POINTS + 1, 10_000, 50_000])
def test_a_long_series_keeps_its_extremes_and_its_ends(length):
    """Thin, but nothing that sticks out is lost."""
    values = np.random.default_rng(1).normal(size=length)
    values[length // 3], values[length // 2] = 99.0, -99.0
    steps = ends_of_stretches(values)
    assert len(steps) <= MOST_POINTS + 2
    assert {0, length // 3, length // 2, length - 1} <= set(steps.tolist())
    assert (np.diff(steps) > 0).all()


def test_bars_are_the_noises_and_points_the_errors():
    rows = rows_of()
    spec = release_noise_chart(rows, identity="test")
    accepted(spec)
    bars, points = spec["data"]
    noises = [row.calibration.noise for row in rows]
    assert bars["x"] == list(reversed(noises))
    assert points["x"] == [12.0] * 8
    assert points["error_x"]["array"] == [pytest.approx(0.196, abs=1e-3)] * 8
    assert noise_title(rows) == (
        "From 26.1 counts (kept steps, exact) to 242 (Fourier, as in the paper)"
    )


def lines_of(text, sigma, episodes, epsilon):
    draw = draw_in(text)
    return {name: staged_line(name, draw, sigma, episodes, epsilon) for name in STAGED_LINES}


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


def test_each_mechanism_has_a_panel_of_its_own_with_the_original_in_it():
    truth = np.arange(50.0)
    spec = releases_chart(truth, {"one": truth + 1.0, "other": truth - 1.0}, "test")
    accepted(spec)
    assert [trace["yaxis"] for trace in spec["data"]] == ["y", "y", "y2", "y2"]
    lower, upper = (spec["layout"][axis]["domain"] for axis in ("yaxis2", "yaxis"))
    assert lower[1] < upper[0]


def test_errors_over_frequencies_are_those_given():
    errors = {
        one: [ErrorSummary(repetitions=20, mean=10.0 * at / one, spread=1.0) for at in range(6)]
        for one in FREQUENCIES
    }
    spec = frequencies_chart(errors, 100.0)
    accepted(spec)
    assert len(spec["data"]) == len(WAYS)
    assert spec["data"][2]["y"] == [20.0 / one for one in FREQUENCIES]


def test_a_smaller_share_of_kept_steps_is_less_likely_to_exceed_any_alpha():
    spec = failure_chart()
    accepted(spec)
    at = [np.interp(0.7, line["x"], np.log(line["y"])) for line in spec["data"]]
    assert at == sorted(at)
