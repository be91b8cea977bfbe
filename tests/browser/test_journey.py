"""A visitor's way through the real app, in a real browser against the real server."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SLIDER = ".st-key-noise_multiplier_slider input"
CHART = ".dpviz-chart .main-svg"
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"


@pytest.fixture(scope="module")
def app(server: Callable[..., Any]) -> str:
    """Return the address of the real app."""
    return str(server(ROOT / "app.py").url)


@pytest.fixture
def visit(app: str, page: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that opens a path of the app and waits for its page."""

    def opened(path: str = "privacy_curve", **look: Any) -> Any:
        visitor = page(app + path, **look)
        visitor.wait_for_selector("h1")
        if path.startswith("privacy_curve"):
            visitor.wait_for_selector(CHART)
        return visitor

    return opened


def headline(visitor: Any) -> str:
    sentence = visitor.locator("[data-testid=stMarkdownContainer]", has_text="training hides")
    return str(sentence.first.inner_text())


def wait_for_other_headline(visitor: Any, before: str) -> str:
    visitor.wait_for_function(
        "before => [...document.querySelectorAll('[data-testid=stMarkdownContainer]')]"
        ".some(node => node.innerText.includes('training hides') && node.innerText !== before)",
        arg=before,
    )
    visitor.wait_for_selector(IDLE)
    return headline(visitor)


def slide(visitor: Any, key: str = "ArrowRight") -> str:
    before = headline(visitor)
    visitor.locator(SLIDER).press(key)
    return wait_for_other_headline(visitor, before)


def test_from_preset_by_slider_and_copied_link_to_the_same_numbers_and_csv(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """Whoever opens the copied link sees the same numbers, and the CSV holds them."""
    visitor = visit("")
    visitor.get_by_role("button", name="electricity").click()
    visitor.wait_for_selector(CHART)
    moved = slide(visitor)
    assert "16,000 steps" in moved

    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.get_by_role("button", name="Copy link").click()
    visitor.get_by_text("Copied").wait_for()
    link = visitor.evaluate("navigator.clipboard.readText()")
    assert "noise_multiplier=3.0" in link

    other = visitor.context.new_page()
    other.goto(link)
    other.wait_for_selector(CHART)
    assert headline(other) == moved
    other.reload()
    other.wait_for_selector(CHART)
    assert headline(other) == moved

    with other.expect_download() as download:
        other.get_by_role("button", name="Download CSV").click()
    path = tmp_path / "curve.csv"
    download.value.save_as(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    epsilon = float(re.search(r"ε ≤ ([\d.]+)", moved)[1])
    # The quoted epsilon is rounded up: the curve passes 1e-7 at or before it.
    after = next(row for row in rows if float(row["epsilon"]) >= epsilon)
    before = [row for row in rows if float(row["epsilon"]) < epsilon * 0.995][-1]
    assert float(after["drawn_delta_upper"]) <= 1e-7 < float(before["drawn_delta_upper"])


def test_chart_changes_in_place_and_keeps_the_zoom(visit: Callable[..., Any]) -> None:
    """A slider move neither redraws the chart from scratch nor loses what was zoomed to."""
    visitor = visit()
    visitor.evaluate(
        "() => { const chart = document.querySelector('.js-plotly-plot'); chart.mine = true;"
        " window.blank = 0; const watch = () => { if (!document.querySelector("
        "'.js-plotly-plot .scatterlayer path.js-line')) window.blank += 1;"
        " requestAnimationFrame(watch); }; watch(); }"
    )
    box = visitor.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    visitor.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.2 * box["height"])
    visitor.mouse.down()
    visitor.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.7 * box["height"], steps=8)
    visitor.mouse.up()
    read = "() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.range"
    drawn = "() => [...document.querySelectorAll('path.js-line')].map(line => line.outerHTML)"
    zoomed, curve = visitor.evaluate(read), visitor.evaluate(drawn)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        slide(visitor, key)
    visitor.wait_for_function(f"old => String(({drawn})()) !== String(old)", arg=curve)
    assert visitor.evaluate("() => document.querySelector('.js-plotly-plot').mine") is True
    assert visitor.evaluate("() => window.blank") == 0
    assert visitor.evaluate(read) == pytest.approx(zoomed)


def test_first_visitor_of_a_fresh_server_may_come_by_a_deep_link(
    server: Callable[..., Any], page: Callable[..., Any]
) -> None:
    """A link works even where nobody has opened the start page since the server began."""
    visitor = page(server(ROOT / "app.py", base_path="fresh").url + "privacy_curve")
    visitor.wait_for_selector(CHART)
    assert visitor.get_by_role("link", name="Privacy curve").count() == 1


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["", "privacy_curve"])
def test_pages_fit_a_phone(visit: Callable[..., Any], path: str, color_scheme: str) -> None:
    """No page is wider than a phone."""
    visitor = visit(path, width=390, height=844, color_scheme=color_scheme)
    assert visitor.evaluate("document.documentElement.scrollWidth") <= 390
    main = visitor.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert main <= 390


@pytest.mark.parametrize("pause", [0, 30, 120])
def test_every_one_of_many_quick_key_presses_counts(visit: Callable[..., Any], pause: int) -> None:
    """Keys pressed faster than the server answers are neither lost nor undone."""
    visitor = visit()
    slider = visitor.locator(SLIDER)
    start = int(slider.input_value())
    for key, step in (("ArrowRight", 1), ("ArrowLeft", -1)):
        slider.focus()
        begin = int(slider.input_value())
        for _ in range(6):
            visitor.keyboard.press(key)
            visitor.wait_for_timeout(pause)
        visitor.wait_for_timeout(1500)  # late answers would come now
        visitor.wait_for_selector(IDLE)
        assert int(slider.input_value()) == begin + 6 * step
    assert int(slider.input_value()) == start
    assert "noise_multiplier=1.0" in visitor.url


def test_back_button_undoes_a_change(visit: Callable[..., Any]) -> None:
    """The browser's back button leads to the numbers before."""
    visitor = visit()
    first = headline(visitor)
    second = slide(visitor)
    visitor.go_back()
    assert wait_for_other_headline(visitor, second) == first


def test_files_are_read_in_the_browser_too(visit: Callable[..., Any], tmp_path: Path) -> None:
    """An uploaded file changes the data's shape, and the page says what it found."""
    path = tmp_path / "mine.csv"
    rows = [f"{name},{t},{t % 7}" for name in ("a", "b") for t in range(50)]
    path.write_text("\n".join(["series_id,t,value", *rows]), encoding="utf-8")
    visitor = visit()
    visitor.get_by_text("Data and windows, or a file").click()
    visitor.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(path)
    visitor.get_by_text("N = 2 series of 50 values").first.wait_for()
