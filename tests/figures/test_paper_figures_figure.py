"""Charts of what the paper draws and reports."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.figures.paper_panel import KIND_NAMES, SMALLEST_DRAWN, paper_panel, paper_steps
from dpviz.figures.reported import reported_chart
from dpviz.guarantees import Kind
from dpviz.planning.order import Order
from dpviz.planning.paper_figures.lines import FIRST_EPSILON, LAST_EPSILON, against_all
from dpviz.reported.table import TABLES
from tests.figures.reading import accepted, traces_of
from tests.findings.panels import panel_and_runs, panel_and_steps
from tests.wording.reading import numbers_after

DRAWN = [("7", 0), ("7", 2), ("8", 1), ("8", 2), ("9", 3), ("13", 0)]


@pytest.mark.every(3)
@pytest.mark.parametrize(("figure", "at"), DRAWN)
def test_lines_are_the_curves_at_their_safe_ends(figure, at):
    panel, runs = panel_and_runs(figure, at)
    lines = accepted(paper_panel(panel, runs))
    for place, run in enumerate(runs):
        if run.scenario.sampling.top_level == "flat":
            line = lines[f"series-{place // 2}-bag"]
        else:
            style = place // 2 if figure == "13" else place
            line = lines[f"series-{style}-line"]
        is_upper = run.kind in (Kind.UPPER, Kind.TIGHT)
        curve = run.line
        delta = curve.delta_high if is_upper else curve.delta_low
        known = dict(zip(run.line.epsilon.tolist(), delta.tolist(), strict=True))
        for epsilon, drawn, text in zip(line["x"], line["y"], line["text"], strict=True):
            assert FIRST_EPSILON <= epsilon <= LAST_EPSILON
            assert drawn is None or drawn == known[epsilon] >= SMALLEST_DRAWN[panel.family]
            sign = {Kind.UPPER: "≤", Kind.TIGHT: "≤", Kind.LOWER: "≥", Kind.UNPROVEN: "≈"}
            assert text.startswith(f"δ {sign[run.kind]} ")
            assert ("as in the paper" in text) is (run.kind is Kind.UNPROVEN)
            assert ("as drawn" in text) <= (run.kind is Kind.LOWER)
        if figure not in ("9", "13"):
            assert line["name"].endswith(f": {KIND_NAMES[run.kind]}")


@pytest.mark.parametrize(("figure", "at"), [("7", 2), ("8", 2)])
def test_thin_lines_are_attained_and_below_what_is_proven(figure, at):
    panel, runs = panel_and_runs(figure, at)
    lines = traces_of(paper_panel(panel, runs))
    for place, run in enumerate(runs):
        thin = lines[f"series-{place}-attained"]
        assert thin["line"]["width"] == 1
        assert "attained lower bound" in thin["name"]
        # The drawn line's hover tells both.
        assert thin["hoverinfo"] == "skip"
        for text, delta in zip(lines[f"series-{place}-line"]["text"], thin["y"], strict=True):
            [least] = numbers_after(", ≥ ", text)
            assert text.endswith(" attained")
            assert delta is None or delta * 0.98 <= least <= delta
        known = dict(
            zip(run.curves.epsilon.tolist(), run.curves.lower.delta_low.tolist(), strict=True)
        )
        drawn = [(x, y) for x, y in zip(thin["x"], thin["y"], strict=True) if y is not None]
        assert drawn
        assert all(known[x] == y for x, y in drawn)
    assert lines["thin-key"]["name"] == "thin: attained"


def test_thin_lines_of_figure_13_are_named_as_what_they_are():
    panel, runs = panel_and_runs("13", 0)
    bags = {uid: line for uid, line in traces_of(paper_panel(panel, runs)).items() if "bag" in uid}
    assert all(line["line"]["width"] == 1 for line in bags.values())
    assert traces_of(paper_panel(panel, runs))["thin-key"]["name"] == "thin: one bag"
    assert "thin-key" not in traces_of(paper_panel(panel, runs[:1]))


def test_a_phone_has_names_without_what_is_in_brackets():
    """With it, no legend would find room there."""
    panel, runs = panel_and_runs("9", 3)
    names = {
        line["name"]: line.get("meta", {}).get("short")
        for line in traces_of(paper_panel(panel, runs)).values()
    }
    assert names.pop("no forecast (L_F → 0)") == "no forecast"
    assert set(names.values()) == {None}
    noised = drawn("11")["reported-Seasonal"]
    assert noised["name"] == "Seasonal (baseline, noise alike)"
    assert noised["meta"] == {"short": "Seasonal (baseline)"}


def test_after_one_unit_there_is_nothing_beside_a_line_whose_theorem_attains_the_most():
    panel, runs = panel_and_runs("8", 0)
    assert not [uid for uid in traces_of(paper_panel(panel, runs)) if "attained" in uid]


def test_where_one_run_is_marked_as_better_no_attained_line_is_below_its_own():
    """After one step the paper's lower bound is not all that several windows attain."""
    panel, runs = panel_and_runs("7", 0)
    spec = paper_panel(panel, runs)
    lines, [box] = traces_of(spec), spec["layout"]["shapes"]
    first = dict(zip(lines["series-0-line"]["x"], lines["series-0-line"]["y"], strict=True))
    assert "series-0-attained" not in lines
    for place in range(1, len(runs)):
        drawn, thin = lines[f"series-{place}-line"], lines[f"series-{place}-attained"]
        for x, y, text in zip(thin["x"], thin["y"], drawn["text"], strict=True):
            assert text.endswith(" attained")
            if box["x0"] <= x <= box["x1"] and first[x]:
                assert y >= first[x]


@pytest.mark.parametrize(("figure", "at"), [("7", 2), ("8", 1)])
def test_mark_is_where_the_first_run_is_proven_to_be_better(figure, at):
    panel, runs = panel_and_runs(figure, at)
    [box] = paper_panel(panel, runs)["layout"]["shapes"]
    [won] = [
        stretch
        for stretch in against_all(runs[0], runs[1:], proven=True)
        if stretch.order is Order.FIRST
    ]
    assert box["x0"] == won.start
    assert box["x1"] <= won.end


def test_nothing_is_marked_before_all_is_computed():
    panel, runs = panel_and_runs("7", 2)
    unfinished = [replace(run, curves=None) for run in runs]
    assert "shapes" not in paper_panel(panel, unfinished)["layout"]


def test_stairs_of_figure_10():
    panel, runs = panel_and_steps(3)
    lines = accepted(paper_steps(panel, runs))
    for place, run in enumerate(runs):
        line, thin = lines[f"series-{place}-line"], lines[f"series-{place}-attained"]
        assert line["x"] == thin["x"] == list(range(1, 17))
        side = run.drawn.delta_high if place == 0 else run.drawn.delta_low
        assert line["y"] == side.tolist()
        assert thin["y"] == run.proven.lower.delta_low.tolist()
        assert np.all(np.array(thin["y"]) <= np.array(line["y"]) * (1 + 1e-3))
        assert line["line"]["shape"] == "hv"
        for text in line["text"]:
            assert "(Theorem 4." in text
            assert text.count(" attained") + text.count(", tight") == 1
        assert line["name"].endswith(": upper" if place == 0 else ": paper")
    assert "fill" in lines["series-0-line"]
    assert "fill" not in lines["series-1-line"]


def drawn(name: str) -> dict:
    return accepted(reported_chart(TABLES[name], 0))


@pytest.mark.parametrize("name", TABLES)
def test_every_trained_error_is_a_point_with_its_spread(name):
    table, traces = TABLES[name], drawn(name)
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
