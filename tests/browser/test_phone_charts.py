"""What a phone shows of charts and tables: legends, values and columns, none over another."""

import pytest

pytestmark = pytest.mark.slow
PHONE = {"width": 390, "height": 844}
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
IS_WIDE = "wide => document.querySelector('.dpviz-chart')._fullLayout.width > 560 === wide"


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("paper_figures?figure=4&panel=1", ["no noise", "no forecast", "thin: attained"]),
        ("paper_figures?figure=9", ["no noise", "no forecast"]),
        ("paper_figures?figure=13&panel=1", ["1 value", "32 values", "thin: one bag"]),
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
