"""The chart of epsilon against something varied draws what is proven, and says what it is."""

from dataclasses import replace
from itertools import pairwise

import pytest

from dpviz.figures.epsilon_lines import SweepRun, sweep_chart
from dpviz.figures.palette import STYLES
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.scenario import PRESETS, Sampling

TOY = PRESETS["toy"].scenario
BAG = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))


def points(scenario, noises=(2.0, 1.0, 4.0)):
    """Return points out of order, as they arrive."""
    runs = [replace(scenario, noise=replace(scenario.noise, noise_multiplier=n)) for n in noises]
    return [
        SweepPoint(x=n, name=f"σ = {n:g}", proven=proven_epsilon(run))
        for n, run in zip(noises, runs, strict=True)
    ]


@pytest.fixture(scope="module")
def spec():
    runs = [
        SweepRun(label="drawn", style=STYLES[0], points=points(TOY), marks_own=True),
        SweepRun(label="bag", style=STYLES[1], points=points(BAG)),
    ]
    return sweep_chart(runs, title="T", identity="i", x_title="noise", own_x=2.0)


def traces(spec):
    return {trace["uid"]: trace for trace in spec["data"]}


def test_lines_run_from_left_to_right_over_the_proven_numbers(spec):
    known = {point.x: point.proven for point in points(TOY)}
    found = traces(spec)
    for side in ("upper", "lower"):
        line = found[f"series-0-{side}"]
        assert line["x"] == sorted(known)
        proven = [getattr(known[x], f"epsilon_{side}") for x in line["x"]]
        assert line["y"] == proven
        assert all(left > right for left, right in pairwise(line["y"]))


def test_hover_says_direction_theorem_count_and_place(spec):
    found = traces(spec)
    assert found["series-0-upper"]["text"][0].startswith("ε ≤ ")
    assert (
        "drawn, σ = 1: upper bound, Theorem 4.4, 1,000 steps"
        in (found["series-0-upper"]["text"][0])
    )
    assert "lower bound, dpviz's Proposition 9, 1,000 steps" in found["series-0-lower"]["text"][0]
    assert "dpviz's Proposition 4" in found["series-1-upper"]["text"][0]
    assert "Proposition C.2" in found["series-1-lower"]["text"][0]


def test_the_band_lies_between_its_lines(spec):
    found = traces(spec)
    band, upper, lower = (found[f"series-0-{part}"] for part in ("band", "upper", "lower"))
    assert band["x"] == [*upper["x"], *reversed(lower["x"])]
    assert band["y"] == [*upper["y"], *reversed(lower["y"])]


def test_the_own_value_is_marked_where_it_is_a_point(spec):
    own = traces(spec)["series-0-own"]
    assert own["x"] == [2.0]
    assert own["y"] == [next(p.proven.epsilon_upper for p in points(TOY) if p.x == 2.0)]
    assert "series-1-own" not in traces(spec)
    runs = [SweepRun(label="bag", style=STYLES[1], points=points(BAG), marks_own=True)]
    marked = sweep_chart(runs, title="T", identity="i", x_title="noise", own_x=2.0)
    assert traces(marked)["series-1-own"]["text"][0].startswith("ε ≤ ")
    absent = sweep_chart(runs, title="T", identity="i", x_title="noise", own_x=3.0)
    assert "series-1-own" not in traces(absent)


def test_marks_of_two_runs_do_not_cover_each_other():
    """The lower one's text stands below it."""
    runs = [
        SweepRun(label=label, style=style, points=points(run), marks_own=True)
        for label, style, run in (("bag", STYLES[0], BAG), ("drawn", STYLES[1], TOY))
    ]
    for own_x in (1.0, 2.0):
        found = traces(sweep_chart(runs, title="T", identity="i", x_title="noise", own_x=own_x))
        marks = sorted((found["series-0-own"], found["series-1-own"]), key=lambda own: own["y"][0])
        assert marks[0]["textposition"].startswith("bottom ")
        assert marks[1]["textposition"].startswith("top ")


@pytest.mark.parametrize("delta", [0.99])
def test_what_has_no_place_on_the_axis_is_said(delta):
    run = SweepRun(
        label="drawn", style=STYLES[0], points=points(replace(TOY, delta=delta), (99.0,))
    )
    spec = sweep_chart([run], title="T", identity="i", x_title="noise")
    assert spec["data"] == []
    assert spec["layout"]["annotations"][0]["text"] == "ε is 0 at δ = 0.99 everywhere here"


def test_without_points_there_is_an_empty_chart():
    run = SweepRun(label="drawn", style=STYLES[0], points=[])
    spec = sweep_chart([run], title="T", identity="i", x_title="noise", empty="Still to come")
    assert spec["data"] == []
    assert spec["layout"]["annotations"][0]["text"] == "Still to come"


def test_places_can_have_words():
    spec = sweep_chart(
        [SweepRun(label="drawn", style=STYLES[0], points=points(TOY))],
        title="T", identity="i", x_title="noise", x_ticks=[(1.0, "1 day"), (7.0, "1 week")],
    )  # fmt: skip
    assert spec["layout"]["xaxis"]["ticktext"] == ["1 day", "1 week"]
