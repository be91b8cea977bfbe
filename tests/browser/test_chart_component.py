"""The chart in a real browser: its buttons, colours and saved images, and a page without one."""

import xml.etree.ElementTree

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.static_files import CHART_FILE, PLOTLY_FILE
from tests.browser.visitor import ROOT

# Colours of words, lines and background.
LOOK = """() => {
  const chart = document.querySelector(".dpviz-chart");
  return [
    chart._fullLayout.font.color,
    chart.querySelector(".scatterlayer .js-line").style.stroke,
    chart.querySelector(".main-svg").style.background,
  ];
}"""
LOOKS = {
    "light": ["rgba(15,24,28,1)", "rgb(11, 96, 117)", "rgb(255, 255, 255)"],
    "dark": ["rgba(223,230,234,1)", "rgb(92, 195, 214)", "rgb(3, 5, 8)"],
}


def wait_for_look(visitor, scheme):
    visitor.wait_for_function(f"look => String(({LOOK})()) === String(look)", arg=LOOKS[scheme])


@pytest.mark.slow
def test_a_chart_that_cannot_be_loaded_says_so(server, new_context):
    """Where plotly.js does not arrive, a sentence stands in the chart's place; so for chart.js."""
    for name, sentence in {
        "plotly-": "This chart could not be loaded. Reload the page; an up-to-date browser",
        "dpviz-chart-": "This chart could not be loaded. Reload the page.",
    }.items():
        page = new_context().new_page()
        page.route(f"**/app/static/{name}*", lambda route: route.abort())
        page.goto(server(ROOT / "app.py").url + "privacy_curve")
        page.get_by_text(sentence).wait_for()


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
def test_colours_follow_the_theme_also_while_it_fades_over_and_the_zoom_stays(visit):
    """The system's, and the one that is chosen in the menu."""
    visitor = visit(color_scheme="light")
    visitor.add_style_tag(content=".stApp {transition: background-color 300ms linear;}")
    zoomed = visitor.zoom_in()
    for scheme in ("light", "dark", "light"):
        visitor.emulate_media(color_scheme=scheme)
        wait_for_look(visitor, scheme)
    visitor.locator("[data-testid=stMainMenu] button").click()
    visitor.get_by_role("menuitemradio", name="Dark").click()
    wait_for_look(visitor, "dark")
    assert visitor.ranges == pytest.approx(zoomed)


@pytest.mark.slow
def test_the_saved_image_is_readable_by_itself_and_its_legend_in_any_font(visit, tmp_path):
    """Other programs may lack the page's font: no clip cuts its names off, curves keep theirs."""
    visitor = visit("sample_or_walk", color_scheme="dark")
    chart = visitor.locator(".dpviz-chart").first
    saved = visitor.downloaded(chart.locator("[aria-label^='Save as SVG']"), tmp_path)
    root = xml.etree.ElementTree.parse(saved).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = "".join(root.itertext())
    drawn = chart.locator(".gtitle, .legendtext").all_text_contents()
    assert len(drawn) >= 3
    assert all(text in words for text in drawn)
    background = root.find("{http://www.w3.org/2000/svg}rect")
    assert background is not None
    assert "fill: rgb(3, 5, 8); fill-opacity: 1" in background.attrib["style"]
    clipped = [
        value
        for element in root.iter()
        for name in ("clip-path", "style")
        if "url(" in (value := element.attrib.get(name, "")) and "clip" in f"{name}{value}"
    ]
    assert clipped
    assert not any("legend" in value for value in clipped)

    saved = visitor.downloaded(chart.locator("[aria-label^='Save as PNG']"), tmp_path)
    assert saved.read_bytes().startswith(b"\x89PNG")


def chart_script():
    """Be the script of an AppTest: one chart in light and dark colours."""
    from dpviz.figures.parts import STYLES, axis, figure, filled_to, line
    from dpviz.ui.chart import draw_chart

    curves = [line(str(at), "", [0, 1], [1, at], STYLES[at], 2) for at in (0, 1)]
    data = [curves[0], curves[1] | filled_to("series-1", 0.15)]
    spec = figure(data, "Two curves", "curves", axis("ε"), axis("δ"))
    draw_chart(spec, key="curve", alt="two curves")


def test_a_page_with_a_chart_runs_without_a_browser():
    app = AppTest.from_function(chart_script).run()
    assert not app.exception
    assert [element.type for element in app.main] == ["main", "bidi_component"]
