"""Charts of protected series and of their forecasts."""

import json
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given, settings

from dpviz.figures import figure_json
from dpviz.figures.protected_forecasts import (
    errors_chart,
    features_chart,
    quartiles_chart,
    series_chart,
    swap_chart,
    variances_chart,
)
from dpviz.figures.protected_series import protected_series
from dpviz.planning.placement import SeriesCalendar, excerpt, placement
from dpviz.protected_forecasts import generated_series, study
from dpviz.protected_forecasts.study_tables import relative_variances, shipped_study
from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap, last_choice
from dpviz.scenario import PRESETS, DataShape, Relation, TimeStep
from tests.figures.reading import accepted
from tests.planning.test_placement import cases, touching, values_of
from tests.scenario.changes import TRAFFIC

DERANDOMISED = settings(derandomize=True, max_examples=150, deadline=None)


def drawn(shape, relation, calendar=None):
    placed = placement(shape, relation, calendar)
    part = excerpt(placed)
    spec = protected_series(
        placed, part, series_calendar=calendar, title="a finding", identity="test"
    )
    return placed, part, spec


def traces(spec, kind: str):
    return [trace for trace in spec["data"] if trace["uid"].rpartition("-")[0] == kind]


def span(trace) -> tuple[float, float]:
    return trace["x"][0], trace["x"][1]


@DERANDOMISED
@given(cases())
def test_what_is_drawn_as_touching_holds_a_protected_value_and_nothing_else_does(case):
    shape, relation, _ = case
    placed, part, spec = drawn(shape, relation)
    touched = touching(placed, values_of(placed))
    forecasts = traces(spec, "forecast")
    assert len(forecasts) == len(part.starts)
    for trace in forecasts:
        (start,) = trace["customdata"]
        assert (trace["name"] == "forecast") == (start in touched)
        # A bar begins half a value before its first one, which is drawn at its number from 1 on.
        assert span(trace) == (start + 0.5, start + placed.forecast_length + 0.5)
    for trace in traces(spec, "context"):
        (start,) = trace["customdata"]
        assert span(trace) == (
            max(start - placed.context_length, part.first) + 0.5, start + 0.5
        )  # fmt: skip


@DERANDOMISED
@given(cases())
def test_bars_of_starts_are_as_long_as_the_windows_that_touch(case):
    shape, relation, _ = case
    placed, part, spec = drawn(shape, relation)
    bars = [span(trace) for trace in traces(spec, "starts")]
    starts = {int(at) for low, high in bars for at in range(int(low), int(high))}
    touched = touching(placed, values_of(placed))
    assert starts <= touched
    if part.runs == placed.count:
        assert starts == touched
        assert sum(high - low for low, high in bars) == relation.touched_windows(shape)
    assert (
        f"{placed.touched_windows:,} of {placed.start_positions:,}"
        in (spec["layout"]["annotations"][0]["text"])
    )


@DERANDOMISED
@given(cases())
def test_marked_values_are_the_protected_ones(case):
    placed, part, spec = drawn(*case[:2])
    marked = {int(x) - 1 for trace in traces(spec, "protected") for x in trace["x"]}
    shown = [placed.values(at) for at in range(part.runs)]
    assert marked == {value for first, last in shown for value in range(first, last + 1)}


@DERANDOMISED
@given(cases())
def test_every_drawing_can_be_sent_and_stays_in_its_range(case):
    *_, calendar = case
    _, _, spec = drawn(*case)
    assert json.loads(figure_json(spec))
    low, high = spec["layout"]["xaxis"]["range"]
    assert (spec["layout"]["xaxis"]["type"] == "date") == (calendar is not None)
    for trace in spec["data"]:
        assert all(low <= x <= high for x in trace["x"])
    uids = [trace["uid"] for trace in spec["data"]]
    assert len(set(uids)) == len(uids)


def test_dates_are_those_of_the_calendar():
    calendar = SeriesCalendar.of("2024-01-01", TimeStep(1, "hour"))
    placed, _, spec = drawn(TRAFFIC.data, Relation(width=336), calendar)
    (bar,) = traces(spec, "starts")
    first, last = placed.touched(0)
    begin, end = (datetime.fromisoformat(place) for place in span(bar))
    assert (end - begin).total_seconds() / 3600 == last - first + 1 == 455
    (protected,) = traces(spec, "protected")
    assert protected["text"] == "protected: from Monday 8 January 2024 to Sunday 21 January 2024"


def test_where_a_date_would_lie_beyond_the_calendar_numbers_take_its_place():
    yearly = SeriesCalendar.of("2024-01-01", TimeStep(1, "year"))
    shape = DataShape(num_series=1, series_lengths=(10**4,), context_length=5000, forecast_length=1)
    _, _, spec = drawn(shape, Relation(), yearly)
    assert spec["layout"]["xaxis"]["type"] == "linear"


@pytest.mark.parametrize(
    ("length", "context", "width"),
    [(52_560, 240, 2016), (10**9, 0, 1), (10**9, 10**6, 10**6), (20, 10**6, 1), (1, 0, 1)],
)
def test_drawing_of_any_series_stays_small(length, context, width):
    shape = DataShape(
        num_series=1, series_lengths=(length,), context_length=context, forecast_length=1
    )
    for level in ("event", "user"):
        _, _, spec = drawn(shape, Relation(level=level, width=width))
        assert len(figure_json(spec)) < 120_000


def test_zeros_before_the_series_are_shaded_and_named():
    shape = replace(PRESETS["toy"].scenario.data, context_length=15)
    _, part, spec = drawn(shape, Relation())
    (shade,) = spec["layout"]["shapes"]
    assert (shade["x0"], shade["x1"]) == (part.first + 0.5, 0.5)
    assert any("zeros" in note["text"] for note in spec["layout"]["annotations"])
    first = traces(spec, "context")[0]
    assert "zeros before the series" in first["text"]


PROTECTION = "top-coding:0.2"
SHOWN = study.protected_series(generated_series(np.random.default_rng(1)), PROTECTION, 1, 3)
PAIRS = {
    "ses": (np.array([1.0, 2.0, np.nan]), np.array([4.0, 5.0, 6.0])),
    "tes": (np.array([7.0, 8.0, 9.0]), np.array([0.0, 1.0, 2.0])),
}


def test_each_series_is_a_point_before_and_after_and_what_is_none_a_gap():
    spec = errors_chart(PROTECTION, SHOWN.names, PAIRS, identity="x")
    before, after = accepted(spec).values()
    assert before["y"] == [1.0, 2.0, None, 7.0, 8.0, 9.0]
    assert after["y"] == [4.0, 5.0, 6.0, 0.0, 1.0, 2.0]
    assert before["x"] == ["SES"] * 3 + ["TES"] * 3
    assert before["text"] == list(SHOWN.names) * 2
    assert before["marker"]["symbol"] != after["marker"]["symbol"]


def test_series_is_drawn_with_its_protected_values_and_all_forecasts():
    spec = series_chart(SHOWN, 2, PAIRS, identity="x")
    original, protected, of_original, of_protected, came = accepted(spec).values()
    assert original["y"] == SHOWN.known[2].tolist()
    assert protected["y"] == SHOWN.released[2].tolist()
    assert original["line"]["dash"] != protected["line"]["dash"]
    assert (of_original["y"], of_protected["y"]) == ([None, 9.0], [6.0, 2.0])
    assert came["y"] == [SHOWN.next_values[2]]
    # Forecasts of one value stand side by side.
    assert len(set(of_original["x"])) == 2


def test_features_are_those_of_the_shown_series():
    before, after = accepted(features_chart(SHOWN, PROTECTION, identity="x")).values()
    assert np.allclose(np.reshape(before["y"], (4, 3)).T, SHOWN.features[0])
    assert np.allclose(np.reshape(after["y"], (4, 3)).T, SHOWN.features[1])


def test_figure_4_and_5_show_what_is_shipped():
    variances = variances_chart(relative_variances())
    assert min(trace["y"][0] for trace in variances["data"]) == 1.0
    quartiles = quartiles_chart(shipped_study().features)
    entropy = quartiles["data"][0]
    assert entropy["y"][0] + entropy["error_y"]["array"][0] == pytest.approx(0.855287)
    for spec in (variances, quartiles):
        accepted(spec)


def test_a_swap_is_drawn_as_it_chooses():
    """Lines lead to the k nearest, squares lie within the circle, means are those released."""
    data = generated_series(np.random.default_rng(1))
    swaps = NearestSwap(3, 2, "centroid-with-own"), RadiusSwap(1000.0, 2)
    nearest, within = (last_choice(data.known, 0, swap) for swap in swaps)
    spec = swap_chart(nearest, within, 1000.0, data.names, "test")
    found = accepted(spec)
    own = np.array([found["own"]["x"][0], found["own"]["y"][0]])
    assert own.tolist() == data.known[0][-2:].tolist()
    points = np.array([found["within"]["x"], found["within"]["y"]]).T
    assert (np.linalg.norm(points - own, axis=1) < 1000.0).all()
    distances = np.linalg.norm([series[-2:] for series in data.known] - own, axis=1)
    assert len(points) == np.sum(distances < 1000.0) - 1
    ends = np.array([found["edges"]["x"][1::3], found["edges"]["y"][1::3]]).T
    assert np.linalg.norm(ends - own, axis=1).tolist() == sorted(distances)[1:4]
    released = swaps[0].protected(data.known, np.random.default_rng(1))[0][-1]
    assert found["centroid"]["y"] == [released]
