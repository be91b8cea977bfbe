"""A report opened from the disk draws its charts, in any theme, without any machine's help."""

from datetime import date

import pytest

from dpviz.export.report import ReportChart, html_report
from dpviz.figures.epsilon_lines import budget_chart
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.planning.budget import budget_point
from dpviz.scenario import PRESETS, from_json, to_json
from dpviz.wording.budget import budget_description
from tests.waiting import until

SCENARIO = PRESETS["toy"].scenario
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(3, 5, 8)"}
PAPER = "getComputedStyle(document.querySelector('.chart .main-svg')).backgroundColor"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    points = [budget_point(SCENARIO, count) for count in (1, 10, 100, 1000)]
    chart = ReportChart(
        figure=budget_chart(SCENARIO, points, target_epsilon=10.0, label="this run"),
        alt=budget_description(SCENARIO, points, None),
    )
    path = tmp_path_factory.mktemp("report") / "report.html"
    text = html_report(
        curves_of(SCENARIO), attackers_gain(SCENARIO), made_on=date(2026, 3, 9), more_charts=[chart]
    )
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def drawn(reader):
    """Return the drawings; each is named once it is complete.

    They are waited for from here: the report lets no page's own waiting be evaluated in it.
    """
    return reader.locator(".chart .main-svg[role=img]")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_all_charts_are_drawn_in_the_readers_theme(page, address, scheme, width, height):
    """The fixture has the console empty, and no request to anywhere."""
    reader = page(address, width=width, height=height, color_scheme=scheme, new=True)
    until(lambda: drawn(reader).count() == 2)
    assert reader.evaluate(PAPER) == BACKGROUNDS[scheme]
    assert reader.evaluate("document.documentElement.scrollWidth") <= width
    assert "19.03" in reader.locator(".decision").inner_text()
    loaded = reader.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert all(name.startswith(("data:", "blob:")) for name in loaded)
    labels = drawn(reader).evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert "epsilon is at most 19.03" in labels[0]
    assert all(labels)


def test_charts_follow_the_theme_and_are_light_on_paper_and_saved(page, address):
    """The scenario is copied; on a phone wide tables are lists, each number with its heading."""
    reader = page(address, color_scheme="dark")
    until(lambda: drawn(reader).count() == 2)
    reader.evaluate("dispatchEvent(new Event('beforeprint'))")
    # At once: the browser takes what is there.
    assert reader.evaluate(PAPER) == BACKGROUNDS["light"]
    reader.evaluate("dispatchEvent(new Event('afterprint'))")
    until(lambda: reader.evaluate(PAPER) == BACKGROUNDS["dark"])
    reader.emulate_media(color_scheme="light")
    until(lambda: reader.evaluate(PAPER) == BACKGROUNDS["light"])

    reader.locator(".code button").last.click()
    until(lambda: reader.locator(".code button").last.inner_text() == "Copied")
    copied = reader.evaluate("navigator.clipboard.readText()")
    assert to_json(from_json(copied)) == to_json(SCENARIO)
    with reader.expect_download() as saved:
        reader.locator(".chart .modebar-btn[data-title*=SVG]").first.click()
    assert saved.value.suggested_filename == "dpviz-report-1.svg"
    assert "main-svg" in saved.value.path().read_text(encoding="utf-8")

    reader.set_viewport_size({"width": 390, "height": 844})
    cut = "all => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length"
    assert reader.locator(".wide").evaluate_all(cut) == 0
    cell = reader.locator("td", has_text="≤ 19.03").first
    label = cell.evaluate("cell => getComputedStyle(cell, '::before').content")
    assert label == '"ε at δ = 10⁻⁷"'
