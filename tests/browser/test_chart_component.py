"""The chart in a real browser: drawn, changed in place, saved, in its colours, and without one."""

import gzip
import json
import xml.etree.ElementTree

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui import static_files
from dpviz.ui.static_files import CHART_FILE, PLOTLY_FILE
from tests.browser.chart_app import PALETTE, TITLE
from tests.browser.chart_reading import APP, BUTTON, CURVE, SLIDER, STATE, press
from tests.figures.contrast import as_hex, contrast

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


@pytest.mark.slow  # the same of a page of the app is in the quick run, without another server
def test_a_moving_slider_changes_the_one_chart_in_place_and_its_words(chart_page):
    page = chart_page()
    before = page.evaluate(STATE)
    page.evaluate(WATCH)
    slider = page.locator(SLIDER)
    for _ in range(15):
        slider.press("ArrowRight", delay=5)
        page.wait_for_timeout(30)
    press(page, "ArrowRight", 26)
    assert page.locator(".dpviz-chart [role=img]").count() == 1
    watch = page.evaluate(
        """() => ({
          ...window.watch,
          node: window.watch.node === document.querySelector(".dpviz-chart"),
          drawing: window.watch.drawing === document.querySelector(".dpviz-chart .main-svg"),
        })"""
    )
    assert watch.pop("frames") > 10
    assert watch == {"blank": 0, "moved": 0, "node": True, "drawing": True}
    after = page.evaluate(STATE)
    assert after["lastValue"] == pytest.approx(2.718281828**-20.8, rel=1e-6)
    assert after["lastValue"] < before["lastValue"]
    assert after["yRange"] != before["yRange"]


@pytest.mark.slow
def test_the_zoom_is_kept_until_a_double_click(chart_page):
    page = chart_page()
    whole = page.evaluate(STATE)
    page.zoom_in()
    zoomed = page.evaluate(STATE)
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


@pytest.mark.slow
def test_a_clicked_point_reaches_the_page(chart_page):
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


@pytest.mark.slow
def test_a_curve_hidden_in_the_legend_stays_hidden(chart_page):
    page = chart_page()
    page.locator(".dpviz-chart .legendtoggle").nth(1).click()
    page.wait_for_function(f"() => document.querySelectorAll('{CURVE}').length === 1")
    press(page, "ArrowRight", 11)
    assert page.evaluate(STATE)["hidden"] == [False, True]


@pytest.mark.slow
def test_only_useful_buttons_are_there(chart_page):
    page = chart_page()
    names = page.eval_on_selector_all(BUTTON, "all => all.map((b) => b.ariaLabel)")
    assert names == [
        "Drag to zoom in",
        "Drag to move",
        "Show all again",
        "Save as SVG, for print",
        "Save as PNG, for slides",
    ]


@pytest.mark.slow  # that no page is wider than a phone is in the quick run
@pytest.mark.parametrize("width", [360, 390, 1280])
def test_nothing_is_wider_than_the_window(chart_page, width):
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


@pytest.mark.slow
def test_a_chart_that_cannot_be_loaded_says_so(server, browser):
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


ASK = """async ([chart, plotly]) => {
  const { drawChart } = await import(new URL(`app/static/${chart}`, document.baseURI));
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  for (const turn of [1, 3, 2]) {
    const options = { alt: "", height: 300, fileName: "test", reportsClicks: false, turn };
    const figure = { data: [], layout: { title: { text: `figure ${turn}` }, template: "none" } };
    const data = new TextEncoder().encode(JSON.stringify([options, figure]));
    drawChart({ parentElement, data, setTriggerValue: () => {} }, plotly);
  }
  const drawn = () => parentElement.querySelector(".gtitle")?.textContent;
  while (!drawn()) await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => setTimeout(resolve, 200));
  return drawn();
}"""


@pytest.mark.slow
def test_an_earlier_figure_that_arrives_late_is_not_drawn(visit):
    visitor = visit()  # a page with a chart, so that the files are there
    assert visitor.evaluate(ASK, [CHART_FILE, PLOTLY_FILE]) == "figure 3"


@pytest.mark.slow
def test_colours_follow_the_theme_without_a_rerun(chart_page):
    page = chart_page(color_scheme="light")
    page.zoom_in()
    zoomed = page.evaluate(STATE)
    assert zoomed["strokes"] == ["rgb(11, 96, 117)", "rgb(168, 72, 15)"]
    assert zoomed["text"] == "rgba(15,24,28,1)"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "document.querySelector('.dpviz-chart')._fullLayout.font.color === 'rgba(223,230,234,1)'"
    )
    dark = page.evaluate(STATE)
    assert dark["strokes"] == ["rgb(111, 198, 216)", "rgb(240, 164, 107)"]
    assert dark["xRange"] == zoomed["xRange"]


@pytest.mark.slow
def test_background_that_fades_over_after_a_change_of_theme_is_followed(chart_page):
    page = chart_page(color_scheme="light")
    page.add_style_tag(content=".stApp {transition: background-color 300ms linear;}")
    for scheme, background in (("dark", "rgb(3, 5, 8)"), ("light", "rgb(255, 255, 255)")):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            "(color) => document.querySelector('.dpviz-chart .main-svg').style.background == color",
            arg=background,
        )


@pytest.mark.slow
def test_the_theme_can_be_switched_in_the_menu(chart_page):
    page = chart_page(color_scheme="light")
    page.locator("[data-testid=stMainMenu] button").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    page.wait_for_function(
        "document.querySelector('.dpviz-chart')._fullLayout.font.color === 'rgba(223,230,234,1)'"
    )


@pytest.mark.slow
def test_the_settings_draw_readable_text(chart_page):
    for scheme in ("light", "dark"):
        page = chart_page(color_scheme=scheme)
        button = page.locator("[data-testid=stBaseButton-primary]")
        colors = button.evaluate(
            """(node) => [
              getComputedStyle(node).backgroundColor,
              getComputedStyle(node).color,
              getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor,
            ]"""
        )
        primary, text, background = map(as_hex, colors)
        assert contrast(primary, text) >= 4.5, colors
        assert contrast(primary, background) >= 4.5, colors


@pytest.mark.slow
def test_the_saved_image_is_readable_by_itself_and_its_legend_in_any_font(chart_page, tmp_path):
    """Other programs may lack the page's font: no clip cuts its names off, curves keep theirs."""
    page = chart_page(color_scheme="dark")
    saved = page.downloaded(page.locator(f"{BUTTON}[aria-label^='Save as SVG']"), tmp_path)
    assert saved.name == "noise.svg"
    root = xml.etree.ElementTree.parse(saved).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(root.itertext())
    assert all(part in words for part in (TITLE, "upper bound", "lower bound"))
    background = root.find("{http://www.w3.org/2000/svg}rect")
    assert background is not None
    assert "fill: rgb(3, 5, 8); fill-opacity: 1" in background.attrib["style"]
    elements = list(root.iter())
    clipped = [
        value
        for element in elements
        for name in ("clip-path", "style")
        if "url(" in (value := element.attrib.get(name, "")) and "clip" in f"{name}{value}"
    ]
    assert clipped
    assert not any("legend" in value for value in clipped)
    # Without that there would have been something to clip.
    assert any("legend" in element.attrib.get("class", "") for element in elements)

    saved = page.downloaded(page.locator(f"{BUTTON}[aria-label^='Save as PNG']"), tmp_path)
    assert saved.read_bytes().startswith(b"\x89PNG")


def chart_script(name):
    """Be the script of an AppTest: one chart in light and dark colours."""
    from dpviz.ui.chart import draw_chart
    from tests.browser import chart_app

    draw_chart(chart_app.figure_json(5), key=name, alt="two curves")


def test_a_page_with_a_chart_runs_without_a_browser():
    app = AppTest.from_function(chart_script, args=("curve",)).run()
    assert not app.exception
    assert [element.type for element in app.main] == ["main", "bidi_component"]


def test_without_served_files_streamlit_draws_the_chart(monkeypatch):
    monkeypatch.setattr("dpviz.ui.chart.ensure_browser_files", lambda: False)
    app = AppTest.from_function(chart_script, args=("curve",)).run()
    assert not app.exception
    [_, chart, caption] = app.main
    assert caption.value == "two curves"
    spec = json.loads(chart.proto.spec)
    assert spec["data"][0]["line"]["color"] == PALETTE["light"]["upper"]
    assert spec["data"][1]["fillcolor"] == "rgba(168,72,15,0.15)"


def test_files_are_put_in_place_once(tmp_path, monkeypatch):
    config = {"server.enableStaticServing": True}
    monkeypatch.setattr(static_files.st, "get_option", config.get)
    assert static_files.ensure_browser_files(tmp_path)
    names = sorted(path.name for path in (tmp_path / "static").iterdir())
    assert names == sorted([*static_files.MODULES, static_files.PLOTLY_FILE])
    packed = (tmp_path / "static" / static_files.PLOTLY_FILE).read_bytes()
    assert b"window.Plotly" in gzip.decompress(packed)
    assert static_files.ensure_browser_files(tmp_path)

    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "static").write_text("a file where the folder should be")
    assert not static_files.ensure_browser_files(blocked)
    config["server.enableStaticServing"] = False
    assert not static_files.ensure_browser_files(tmp_path)
