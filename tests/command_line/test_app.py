"""``dpviz app`` finds the dashboard, and starts it as it is told."""

from importlib import util
from types import SimpleNamespace

import pytest

from dpviz.command_line import app
from dpviz.command_line.commands import main
from tests.browser.server import REPOSITORY


@pytest.fixture
def started(monkeypatch):
    """Return what Streamlit is asked for instead."""
    asked: list[list[str]] = []
    streamlit = SimpleNamespace(main=lambda arguments, **_: asked.append(arguments))
    monkeypatch.setattr(app, "import_module", lambda _: streamlit)
    monkeypatch.setattr(app.signal, "signal", lambda *_: None)
    return asked


@pytest.mark.parametrize(("given", "port"), [((), "8501"), (("--port", "8600"), "8600")])
def test_the_repository_s_own_dashboard_is_served(started, given, port):
    assert main(["app", *given]) == 0
    assert started == [["run", str(REPOSITORY / "app.py"), "--server.port", port]]


@pytest.mark.parametrize("package", ["streamlit", "plotly"])
def test_what_the_dashboard_needs_is_named(package, started, monkeypatch, refusal_of):
    there = util.find_spec
    monkeypatch.setattr(app, "find_spec", lambda name: None if name == package else there(name))
    assert f'needs {package}: pip install "dpviz[app]"' in refusal_of("app")
    assert not started


def test_a_package_without_the_dashboard_says_so(started, monkeypatch, refusal_of):
    monkeypatch.setattr(app, "dashboard_script", lambda: None)
    assert "the dashboard is missing" in refusal_of("app")
