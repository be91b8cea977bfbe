"""The chart of a reported table draws each printed number, and says that it is reported."""

import re

import pytest

from dpviz.figures.reported import reported_chart
from dpviz.figures.spec import figure_json
from dpviz.reported import TABLES


def drawn(name: str) -> dict:
    return {trace["uid"]: trace for trace in reported_chart(TABLES[name], 0)["data"]}


@pytest.mark.parametrize("name", TABLES)
def test_names_of_lines_can_be_looked_up_by_the_browser(name):
    """Plotly looks for what belongs to a line by its name, as a class, when a line goes."""
    assert all(re.fullmatch(r"[\w-]+", uid) for uid in drawn(name))


@pytest.mark.parametrize("name", TABLES)
def test_every_trained_error_is_a_point_with_its_spread(name):
    table, traces = TABLES[name], drawn(name)
    assert figure_json(reported_chart(table, 0))
    for line in table.trained:
        trace = traces[f"reported-{line.model}-{line.rate}".replace(".", "_")]
        points = zip(trace["x"], trace["y"], trace["error_y"]["array"], trace["text"], strict=True)
        points = [point for point in points if point[0] is not None]
        for place, (cell, (x, y, spread, text)) in enumerate(zip(line.cells, points, strict=True)):
            assert round(x) == place
            assert y == float(cell.mean)
            assert spread == (None if cell.spread in (None, cell.mean) else float(cell.spread))
            assert f"CRPS {cell.printed}<br>" in text
            assert f"reported by the paper (Table {name})" in text


@pytest.mark.parametrize("name", TABLES)
def test_every_baseline_is_a_line_or_told_with_its_number(name):
    spec, traces = reported_chart(TABLES[name], 0), drawn(name)
    for line in TABLES[name].baselines:
        trace = traces.get(f"reported-{line.model}")
        if trace is None:
            [words] = spec["layout"]["annotations"]
            assert (
                f"{line.model} (baseline): {line.cells[0].mean}, above the chart" in words["text"]
            )
        else:
            assert {float(cell.mean) for cell in line.cells} == set(trace["y"])
            assert "baseline" in trace["name"]


def test_training_without_privacy_is_joined_to_no_budget():
    """A line from the largest epsilon to infinity would show errors of budgets in between."""
    trace = drawn("2")["reported-DeepAR-None"]
    assert trace["x"][-2] is trace["y"][-2] is None
    assert trace["y"][-1] == 0.124
    assert "not private" in trace["text"][-1]


@pytest.mark.parametrize("name", ["2", "13"])
def test_lines_are_told_apart_by_more_than_colour(name):
    traces = [trace for trace in drawn(name).values() if trace["x"] != [None]]
    looks = {(trace["line"]["dash"], trace.get("marker", {}).get("symbol")) for trace in traces}
    assert len(looks) == len(traces)


def test_dashes_of_rates_are_in_the_legend():
    named = {trace["name"]: trace["line"]["dash"] for trace in drawn("11").values()
             if trace["x"] == [None]}  # fmt: skip
    assert named == {
        "all values kept": "solid",
        "3 of 4 values kept": "dash",
        "half of the values kept": "dot",
    }
    for trace in drawn("11").values():
        if trace["uid"].endswith("-0_5") and trace["x"] != [None]:
            assert trace["line"]["dash"] == named["half of the values kept"]


def test_chosen_column_stands_out_and_reported_is_in_title_and_legend():
    layout = reported_chart(TABLES["5"], 2)["layout"]
    assert (layout["shapes"][0]["x0"], layout["shapes"][0]["x1"]) == (1.5, 2.5)
    assert layout["xaxis"]["ticktext"] == ["1", "2", "4", "8"]
    assert "Reported by the paper (Table 5)" in layout["title"]["text"]
    assert layout["legend"]["title"]["text"] == "Reported by the paper (Table 5)"


@pytest.mark.parametrize("name", ["1", "4", "5", "7", "8", "10"])
def test_nothing_is_cut_off_where_a_far_baseline_is_left_out(name):
    low, high = reported_chart(TABLES[name], 0)["layout"]["yaxis"]["range"]
    for trace in drawn(name).values():
        spreads = trace.get("error_y", {"array": [None] * len(trace["y"])})["array"]
        for y, spread in zip(trace["y"], spreads, strict=True):
            assert y is None or low < y - (spread or 0.0) <= y + (spread or 0.0) < high


def test_logarithmic_ticks_are_whole_numbers():
    """Plotly would write 5 for 0.05."""
    axis = reported_chart(TABLES["12"], 0)["layout"]["yaxis"]
    assert axis["ticktext"][:3] == ["0.05", "0.1", "0.2"]
    assert [float(text) for text in axis["ticktext"]] == pytest.approx(axis["tickvals"])
