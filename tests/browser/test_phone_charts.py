"""What a phone shows of charts and tables: legends, values and columns, none over another."""

from itertools import pairwise

import numpy as np
import pytest

from dpviz.figures.sweep_results import parallel_chart
from dpviz.sweeps.results import SweepResults
from dpviz.ui.static_files import CHART_FILE, PLOTLY_FILE

pytestmark = pytest.mark.slow
PHONE = {"width": 390, "height": 844}
SWEEP = "sweep_results?sweep_chart=scatter&sweep_x=batch_size&sweep_y=epsilon_lower"
# Words of the first chart by their selector, with their edges from its upper left corner.
WORDS = """selector => {
  const chart = document.querySelector(".dpviz-chart");
  const { left: x, top: y } = chart.getBoundingClientRect();
  return [...chart.querySelectorAll(selector)].map(one => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [one.textContent, left - x, top - y, right - x, bottom - y];
  });
}"""
SIZE = """() => {
  const { clientWidth, clientHeight } = document.querySelector(".dpviz-chart");
  return [clientWidth, clientHeight];
}"""
AXIS = """() => {
  const { _size: size } = document.querySelector(".dpviz-chart")._fullLayout;
  return size.t + size.h;
}"""
IS_WIDE = "wide => document.querySelector('.dpviz-chart')._fullLayout.width > 560 === wide"
# Draws one more chart, as low as a phone's, and returns the words on it.
DRAW = """async ([chart, plotly, figure]) => {
  const { drawChart } = await import(new URL(`app/static/${chart}`, document.baseURI));
  const parentElement = document.createElement("div");
  parentElement.style.width = "358px";
  document.body.append(parentElement);
  const options = { alt: "", height: 280, fileName: "test", reportsClicks: false, turn: 1 };
  const data = new TextEncoder().encode(JSON.stringify([options, figure]));
  drawChart({ parentElement, data, setTriggerValue: () => {} }, plotly);
  const drawn = () => [...parentElement.querySelectorAll(".annotation-text")];
  while (!drawn().length) await new Promise((resolve) => setTimeout(resolve, 50));
  return drawn().map(({ textContent }) => textContent);
}"""
NARROW_TABLES = """() => [...document.querySelectorAll(".stMarkdown table")]
  .map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"""


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("paper_figures?figure=4&panel=1", ["no noise", "no forecast", "thin: attained"]),
        ("paper_figures?figure=9", ["no noise", "no forecast"]),
        ("paper_figures?figure=13&panel=1", ["1 value", "32 values", "thin: one bag"]),
        ("theory_check?simulated_units=10", ["at most", "attained", "conjecture, not a promise"]),
        ("paper_tables?reported_table=11", ["DeepAR", "Seasonal (baseline)", "all values kept"]),
    ],
)
def test_a_phone_names_the_lines_of_a_figure(visit, path, names):
    visitor = visit(path, **PHONE)
    legend = visitor.evaluate(WORDS, ".legendtext")
    assert set(names) <= {name for name, *_ in legend}
    width, height = visitor.evaluate(SIZE)
    for _, left, _, right, bottom in legend:
        assert left >= 0
        assert right <= width
        assert bottom <= height


@pytest.mark.parametrize(
    ("path", "widths"), [("sweep_results", [390, 1280]), ("one_bag", [1280, 900, 1280])]
)
def test_a_legend_stands_under_the_axis_after_the_window_has_another_width(visit, path, widths):
    visitor = visit(path, width=widths[0])
    for width in widths[1:]:
        visitor.set_viewport_size({"width": width, "height": 800})
        visitor.wait_for_function(IS_WIDE, arg=width == 1280)
        visitor.wait_for_timeout(500)
    [*_, axis_end] = max(visitor.evaluate(WORDS, ".xtick text, .xtitle"), key=lambda one: one[-1])
    legend = visitor.evaluate(WORDS, ".legendtext, .legendtitletext")
    assert min(top for _, _, top, *_ in legend) >= axis_end


def test_numbers_beside_an_axis_of_powers_do_not_lie_on_each_other(visit):
    ticks = visit(SWEEP, **PHONE).evaluate(WORDS, ".ytick text")
    assert len(ticks) > 1
    edges = sorted((top, bottom) for _, _, top, _, bottom in ticks)
    # Boxes of words have room above and below the letters.
    assert all(bottom <= top + 3 for (_, bottom), (top, _) in pairwise(edges))


def test_the_smallest_values_of_a_sweep_stand_above_the_axis(visit):
    visitor = visit("sweep_results", **PHONE)
    values = visitor.evaluate(WORDS, ".annotation-text")
    assert {"0.8", "4"} <= {name for name, *_ in values}
    assert max(bottom for *_, bottom in values) <= visitor.evaluate(AXIS)


def test_values_of_a_column_that_lie_on_each_other_are_left_out(visit):
    """Those that stay are as far from each other as they are high."""
    steps = np.arange(100.0, 1200.0, 100.0)
    results = SweepResults(
        numbers={
            "steps": steps,
            "delta": np.full(len(steps), 1e-7),
            "epsilon_lower": np.full(len(steps), np.nan),
            "epsilon_upper": steps / 100.0,
        },
        names={},
        rows=np.arange(1, len(steps) + 1),
        words={},
        fields={},
        others=0,
    )
    spec = parallel_chart(results, np.arange(len(steps)), -1)
    told = {note["text"] for note in spec["layout"]["annotations"] if note["x"] == 0}
    drawn = visit(**PHONE).evaluate(DRAW, [CHART_FILE, PLOTLY_FILE, spec])
    steps_drawn = sorted(int(one.replace(",", "")) for one in drawn if one in told)
    assert steps_drawn[0] == 100
    assert steps_drawn[-1] == 1100
    assert 3 < len(steps_drawn) < len(told)
    assert all(after - before >= 130 for before, after in pairwise(steps_drawn[1:-1]))


@pytest.mark.parametrize("path", ["theorems", "epsilon_meaning"])
def test_a_phone_shows_all_columns_of_a_table(visit, path):
    narrow = visit(path, **PHONE).evaluate(NARROW_TABLES)
    assert narrow
    assert all(narrow)
