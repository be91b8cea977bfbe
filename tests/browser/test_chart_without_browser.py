"""What becomes of a chart without a browser, or where its files cannot be served."""

import gzip
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui import static_files
from tests.browser.chart_app import PALETTE


def chart_script(name: str) -> None:
    """Be the script of an AppTest: one chart in light and dark colours."""
    from dpviz.ui.chart import draw_chart
    from tests.browser import chart_app

    draw_chart(chart_app.figure_json(5), key=name, alt="two curves")


def test_a_page_with_a_chart_runs_without_a_browser() -> None:
    """A page's other tests need no browser: the chart is an element that AppTest passes over."""
    app = AppTest.from_function(chart_script, args=("curve",)).run()
    assert not app.exception
    assert [element.type for element in app.main] == ["main", "bidi_component"]


def test_without_served_files_streamlit_draws_the_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the files cannot be put in place, the same figure appears, with its description."""
    monkeypatch.setattr("dpviz.ui.chart.ensure_browser_files", lambda: False)
    app = AppTest.from_function(chart_script, args=("curve",)).run()
    assert not app.exception
    [_, chart, caption] = app.main
    assert caption.value == "two curves"
    spec = json.loads(chart.proto.spec)
    assert spec["data"][0]["line"]["color"] == PALETTE["light"]["upper"]
    assert spec["data"][1]["fillcolor"] == "rgba(168,72,15,0.15)"


def test_files_are_put_in_place_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call fills the served folder, later ones leave it; a failure is an answer."""
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
