"""The chart changes in place: what a user sees and keeps while a slider moves."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.chart_reading import APP, BUTTON, CURVE, SLIDER, STATE, press, zoom_in

# Notes, at each frame for as long as the page lives, whether the plot had its curves.
WATCH = """() => {
  const node = document.querySelector(".dpviz-chart");
  const drawing = node.querySelector(".main-svg");
  const top = node.getBoundingClientRect().top;
  window.watch = { frames: 0, blank: 0, moved: 0, node, drawing };
  const look = () => {
    const now = document.querySelector(".dpviz-chart");
    const curves = [...(now?.querySelectorAll(".scatterlayer .js-line") ?? [])];
    window.watch.frames += 1;
    if (curves.length < 1 || curves.some((c) => c.getBBox().width < 50)) window.watch.blank += 1;
    if (now?.getBoundingClientRect().top !== top) window.watch.moved += 1;
    requestAnimationFrame(look);
  };
  look();
}"""


def test_a_moving_slider_changes_the_one_chart_in_place(chart_page: Callable[..., Any]) -> None:
    """The chart's node stays, is never blank, never jumps, and shows the new numbers."""
    page = chart_page()
    before = page.evaluate(STATE)
    page.evaluate(WATCH)
    slider = page.locator(SLIDER)
    for _ in range(15):
        slider.press("ArrowRight", delay=5)
        page.wait_for_timeout(30)
    press(page, "ArrowRight", 26)
    watch = page.evaluate(
        """() => ({
          ...window.watch,
          node: window.watch.node === document.querySelector(".dpviz-chart"),
          drawing: window.watch.drawing === document.querySelector(".dpviz-chart .main-svg"),
        })"""
    )
    assert watch["frames"] > 10
    assert watch | {"frames": 0} == {
        "frames": 0,
        "blank": 0,
        "moved": 0,
        "node": True,
        "drawing": True,
    }
    after = page.evaluate(STATE)
    assert after["lastValue"] == pytest.approx(2.718281828**-20.8, rel=1e-6)
    assert after["lastValue"] < before["lastValue"]
    assert after["yRange"] != before["yRange"]


def test_the_zoom_is_kept_until_a_double_click(chart_page: Callable[..., Any]) -> None:
    """New data leaves the zoom alone; a double click shows all of the new data."""
    page = chart_page()
    whole = page.evaluate(STATE)
    zoomed = zoom_in(page)
    press(page, "ArrowRight", 11)
    press(page, "ArrowRight", 12)
    kept = page.evaluate(STATE)
    assert kept["xRange"] == zoomed["xRange"] != whole["xRange"]
    assert kept["yRange"] == zoomed["yRange"]

    page.locator(".dpviz-chart .nsewdrag").dblclick()
    page.wait_for_function(
        "() => document.querySelector('.dpviz-chart')._fullLayout.xaxis.range[0] <= 0"
    )
    reset = page.evaluate(STATE)
    assert reset["xRange"] == whole["xRange"]
    assert reset["yRange"][0] < whole["yRange"][0]  # more noise reaches lower


def test_a_clicked_point_reaches_the_page(chart_page: Callable[..., Any]) -> None:
    """What is clicked is told once, and the chart stays as it was; a new slider value too."""
    page = chart_page()
    page.evaluate(WATCH)
    box = page.locator(".dpviz-chart .nsewdrag").bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    told = page.get_by_text("Clicked at ε = ")
    told.wait_for()
    assert float(told.inner_text().removeprefix("Clicked at ε = ").rstrip(".")) == pytest.approx(
        4.0, abs=0.3
    )
    press(page, "ArrowRight", 11)
    watch = page.evaluate("() => window.watch")
    assert (watch["blank"], watch["moved"]) == (0, 0)


def test_a_curve_hidden_in_the_legend_stays_hidden(chart_page: Callable[..., Any]) -> None:
    """A click in the legend outlives new data."""
    page = chart_page()
    page.locator(".dpviz-chart .legendtoggle").nth(1).click()
    page.wait_for_function(f"() => document.querySelectorAll('{CURVE}').length === 1")
    press(page, "ArrowRight", 11)
    assert page.evaluate(STATE)["hidden"] == [False, True]


def test_only_useful_buttons_are_there(chart_page: Callable[..., Any]) -> None:
    """Nothing that sends the figure elsewhere, no logo; each button has a name in plain words."""
    page = chart_page()
    names = page.eval_on_selector_all(BUTTON, "all => all.map((b) => b.ariaLabel)")
    assert names == [
        "Drag to zoom in",
        "Drag to move",
        "Show all again",
        "Save as SVG, for print",
        "Save as PNG, for slides",
    ]


def test_the_chart_is_described_in_words(chart_page: Callable[..., Any]) -> None:
    """A screen reader finds one image with the alternative text, which follows the slider."""
    page = chart_page()
    press(page, "ArrowRight", 11)
    images = page.locator(".dpviz-chart [role=img]")
    assert images.count() == 1
    assert images.get_attribute("aria-label") == "δ against ε with noise 11"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "?noise=1"])
def test_the_chart_loads_under_a_base_path(chart_page: Callable[..., Any], path: str) -> None:
    """Behind a proxy that serves the app under a path, the chart finds its files."""
    page = chart_page(base_path="foo", path=path)
    press(page, "ArrowRight", 11)


@pytest.mark.slow  # that no page is wider than a phone is in the quick run
@pytest.mark.parametrize("width", [360, 390, 1280])
def test_nothing_is_wider_than_the_window(chart_page: Callable[..., Any], width: int) -> None:
    """No sideways scrolling, on a phone either, and after the window has changed its width."""
    page = chart_page(width=width, height=844, touch=width < 500)
    for now in (width, width + 60, width):
        page.set_viewport_size({"width": now, "height": 844})
        page.wait_for_function(
            """() => {
              const node = document.querySelector(".dpviz-chart");
              return node._fullLayout.width === node.clientWidth;
            }"""
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= now
        assert page.locator(".dpviz-chart").bounding_box()["width"] <= now


def test_a_chart_that_cannot_be_loaded_says_so(server: Callable[..., Any], browser: Any) -> None:
    """Where plotly.js does not arrive, a sentence stands in the chart's place; so for chart.js."""
    for name, sentence in {
        "plotly-": "This chart could not be loaded. Reload the page; an up-to-date browser",
        "dpviz-chart-": "This chart could not be loaded. Reload the page.",
    }.items():
        page = browser.new_page()
        page.route(f"**/app/static/{name}*", lambda route: route.abort())
        page.goto(server(APP).url)
        page.get_by_text(sentence).wait_for()
        page.close()
