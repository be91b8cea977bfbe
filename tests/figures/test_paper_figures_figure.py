"""The charts of the paper's figures: which line is what, and that it is what was computed."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.figures.paper_panel import KIND_NAMES, SMALLEST_DRAWN, paper_panel, paper_steps
from dpviz.figures.spec import figure_json
from dpviz.guarantees import Kind
from dpviz.planning.order import Order
from dpviz.planning.paper_figures.lines import FIRST_EPSILON, LAST_EPSILON
from dpviz.planning.paper_figures.orders import against_all
from tests.findings.panels import panel_and_runs, panel_and_steps
from tests.wording.reading import numbers_after

DRAWN = [("7", 0), ("7", 2), ("8", 1), ("8", 2), ("9", 3), ("13", 0)]


def traces_of(figure) -> dict:
    return {trace["uid"]: trace for trace in figure["data"]}


@pytest.mark.parametrize(("figure", "at"), DRAWN)
def test_lines_are_the_curves_at_their_safe_ends(figure, at):
    panel, runs = panel_and_runs(figure, at)
    spec = paper_panel(panel, runs)
    assert figure_json(spec)
    lines = traces_of(spec)
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


def test_only_the_foreground_is_filled():
    panel, runs = panel_and_runs("7", 2)
    filled = [uid for uid, line in traces_of(paper_panel(panel, runs)).items() if "fill" in line]
    assert filled == ["series-0-line"]


def test_after_one_unit_there_is_nothing_beside_the_line():
    panel, runs = panel_and_runs("7", 0)
    assert not [uid for uid in traces_of(paper_panel(panel, runs)) if "attained" in uid]


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
    assert "curves ready" in paper_panel(panel, unfinished)["layout"]["title"]["text"]


@pytest.mark.parametrize(
    ("figure", "at", "said"),
    [
        ("7", 2, "Theorem 4.4 and Theorem F.7, 1,000 steps"),
        ("8", 1, "Theorem 4.4, 2 steps; Theorem 4.2, 1 epoch"),
        ("13", 0, "Theorem 4.4 and Proposition C.2, 1 step"),
    ],
)
def test_hover_names_the_theorems(figure, at, said):
    title = paper_panel(*panel_and_runs(figure, at))["layout"]["xaxis"]["unifiedhovertitle"]
    assert title["text"] == f"At ε = %{{x}}, {said}"


def test_zoom_lasts_from_panel_to_panel_of_a_figure():
    first, second = (paper_panel(*panel_and_runs("7", at))["layout"] for at in (0, 2))
    assert first["uirevision"] == second["uirevision"] == "figure-7"
    for layout in (first, second):  # a range of its own would take the zoom away
        assert "range" not in layout["xaxis"]
        assert "range" not in layout["yaxis"]


def test_stairs_of_figure_10():
    panel, runs = panel_and_steps(3)
    spec = paper_steps(panel, runs)
    assert figure_json(spec)
    lines = traces_of(spec)
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
            assert text.count(" attained") + text.count(", exact") == 1
        assert line["name"].endswith(": upper" if place == 0 else ": paper")
    assert "fill" in lines["series-0-line"]
    assert "fill" not in lines["series-1-line"]
