"""A server that is killed and started again: open pages come back by themselves, as they were."""

import os
import signal
from pathlib import Path

import pytest

from tests.browser.conftest import WAIT_MILLISECONDS
from tests.browser.processes import children_of, ended_within
from tests.browser.visitor import CHART, choose_first

pytestmark = pytest.mark.slow
CHART_APP = Path(__file__).parent / "chart_app.py"
SECONDS_TO_END = 10
# All that a visitor could take for a setting or an answer.
SEEN = """() => ({
  address: location.href,
  answer: document.querySelector(".st-key-answer").innerText,
  title: document.querySelector(".dpviz-chart .gtitle").textContent,
  chart: document.querySelector(".dpviz-chart [role=img]").ariaLabel,
  charts: document.querySelectorAll(".dpviz-chart").length,
  open: [...document.querySelectorAll("details[open] summary")].map((part) => part.innerText),
  chosen: [...document.querySelectorAll("select")].map((menu) => menu.value),
  messages: [...document.querySelectorAll("[data-testid=stAlert]")].map((part) => part.innerText),
  controls: [...document.querySelectorAll("[class*=st-key-] input")].map((input) => [
    input.ariaLabel ?? input.value,
    input.type === "range" ? input.getAttribute("aria-valuetext") : input.value,
    input.checked,
  ]),
})"""
# At the head of a script: the chart's module is another version.
NEWER = """import dpviz.figures.browser_files as files
module = files.chart_module()
files.chart_module = lambda: module + b"// newer"
"""


def test_killed_server_comes_back_to_what_the_link_says(served, lasting_page, tmp_path):
    """Pins, view, file and boxes are as before; what was changed and never answered is not.

    The server is halted before it is killed, so that the browser sends changes that nobody takes.
    """
    server = served()
    visitor = lasting_page(server.url + "privacy_curve")
    visitor.unfold("Data and windows")
    rows = [f"{name},{t},{t}" for name, most in zip("abc", (24, 48, 60), strict=True)
            for t in range(most)]  # fmt: skip
    table = tmp_path / "mine.csv"
    table.write_text("\n".join(["series_id,t,value", *rows]))
    visitor.locator("[data-testid=stFileUploader] input").set_input_files(table)
    visitor.locator(".st-key-use_file button").click()
    choose_first(visitor, 1, 1, 3, 1, 100)
    visitor.wait_for_link(num_series="3", longer_series_beyond="2")
    visitor.settle()
    visitor.enter("pin")
    visitor.wait_for_function("() => location.search.includes('pin_a=')")
    visitor.slide()
    before = visitor.evaluate(SEEN)
    assert {"pin_a", "noise_multiplier"} <= visitor.link.keys()

    children = children_of(server.process.pid)
    os.kill(server.process.pid, signal.SIGSTOP)
    visitor.slider("noise_multiplier").press("ArrowRight")
    for field in ("noise_multiplier", "context_length"):
        visitor.box(field).fill("7")
        visitor.box(field).press("Enter")
    visitor.wait_for_timeout(500)
    server.kill()
    assert ended_within(SECONDS_TO_END, children)
    visitor.wait_until_lost()
    served(port=server.port)
    visitor.come_back()
    note = visitor.get_by_text("only those lengths that decide are in the link")
    note.wait_for()
    after = visitor.evaluate(SEEN)
    assert after.pop("messages") == [
        note.locator("xpath=ancestor::*[@data-testid='stAlert']").inner_text()
    ]
    before.pop("messages")
    assert after == before
    # It answers again.
    assert visitor.slide() != before["answer"]


def test_first_act_after_the_server_was_started_again_counts(served, lasting_page):
    """The page was read only: the browser must ask the new server for it, to be answered."""
    server = served()
    visitor = lasting_page(server.url + "privacy_curve")
    server.kill()
    visitor.wait_until_lost()
    served(port=server.port)
    visitor.come_back()
    visitor.slide()
    assert visitor.link["noise_multiplier"] == "1.1"


def test_server_killed_under_load_comes_back_to_every_page(served, lasting_page):
    """While controls are moved on four pages: each shows what its address says, and that alone."""
    server = served()
    pages = ("privacy_curve", "subsequences", "label_noise", "planner")
    fields = ("noise_multiplier", "noise_multiplier", "forecast_noise", "target_epsilon")
    visitors = [lasting_page(server.url + name) for name in pages]
    for again in range(3):
        for visitor, field in zip(visitors, fields, strict=True):
            visitor.bring_to_front()
            for _ in range(again + 2):
                visitor.slider(field).press("ArrowRight")
                visitor.wait_for_timeout(150)
        children = children_of(server.process.pid)
        server.kill()
        for visitor in visitors:  # what was under way may still arrive before
            visitor.wait_until_lost()
        addresses = [visitor.url for visitor in visitors]
        assert ended_within(SECONDS_TO_END, children)
        server = served(port=server.port)
        for visitor, address in zip(visitors, addresses, strict=True):
            visitor.come_back()
            assert visitor.url == address
    for visitor in visitors:
        fresh = lasting_page(visitor.url)
        assert visitor.evaluate(SEEN) == fresh.evaluate(SEEN)


def test_a_page_that_is_older_than_the_server_keeps_its_chart(served, lasting_page, tmp_path):
    script = tmp_path / "chart_app.py"
    script.write_bytes(CHART_APP.read_bytes())
    server = served(script)
    visitor = lasting_page(server.url)
    server.kill()
    script.write_text(NEWER + CHART_APP.read_text(encoding="utf-8"), encoding="utf-8")
    served(script, port=server.port)
    visitor.come_back()
    visitor.slider("noise").press("ArrowRight")
    visitor.wait_for_selector('.dpviz-chart [aria-label="δ against ε with noise 11"]')
    assert visitor.locator(".dpviz-chart").count() == 1
    lasting_page(server.url)  # which waits for the chart


def test_browser_that_kept_half_of_a_file_asks_for_it_once_more(server, new_context):
    """Half of a file, of a lost connection, is no reason for a page without a chart."""
    visitor = new_context().new_page()
    asked: list[str] = []

    def half_at_first(route):
        url = route.request.url
        asked.append(url)
        if asked.count(url) == 1 and "?again" not in url:
            content = route.fetch().body()
            route.fulfill(body=content[: len(content) // 2])
        else:
            route.continue_()

    visitor.route("**/app/static/*", half_at_first)
    visitor.goto(server(CHART_APP).url)
    visitor.wait_for_selector(CHART, timeout=3 * WAIT_MILLISECONDS)
    # Chart, controls and plotly.js, and the picture's, which is fetched ahead.
    assert len({url.partition("?")[0] for url in asked}) == 4
    assert len(asked) >= 6
