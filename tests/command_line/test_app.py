"""``dpviz app`` finds the dashboard, and starts it as it is told."""

import os
import sys
from importlib import util

import pytest

from dpviz.command_line import app
from dpviz.command_line.commands import main
from tests.browser.server import REPOSITORY


@pytest.fixture
def started(monkeypatch):
    """Return what is started instead."""
    commands: list[list[str]] = []
    monkeypatch.setattr(app, "TAKES_OUR_PLACE", False)
    monkeypatch.setattr(app.subprocess, "run", lambda command, **_: commands.append(command))
    return commands


def test_the_repository_s_own_dashboard_is_served(started):
    assert main(["app", "--port", "8600"]) == 0
    script = str(REPOSITORY / "app.py")
    serve = [sys.executable, "-m", "streamlit", "run", script, "--server.port", "8600"]
    assert started == [serve]


@pytest.mark.skipif(os.name != "posix", reason="there a process is not replaced")
def test_the_server_takes_the_command_s_place(started, monkeypatch):
    replaced: list[object] = []
    monkeypatch.setattr(app, "TAKES_OUR_PLACE", True)
    monkeypatch.setattr(app.os, "execv", lambda *given: replaced.extend(given))
    main(["app"])
    assert not started
    assert replaced[0] == sys.executable
    assert replaced[1][-2:] == ["--server.port", "8501"]


@pytest.mark.parametrize("port", ["0", "65536", "web"])
def test_port_that_is_none_is_refused(port, started, refusal_of):
    assert "--port" in refusal_of("app", "--port", port)
    assert not started


@pytest.mark.parametrize("package", ["streamlit", "plotly"])
def test_what_the_dashboard_needs_is_named(package, started, monkeypatch, capsys):
    there = util.find_spec
    monkeypatch.setattr(app, "find_spec", lambda name: None if name == package else there(name))
    assert main(["app"]) == 2
    assert f'needs {package}: pip install "dpviz[app]"' in capsys.readouterr().err
    assert not started


def test_a_package_without_the_dashboard_says_so(started, monkeypatch, refusal_of):
    monkeypatch.setattr(app, "dashboard_script", lambda: None)
    assert "the dashboard is missing" in refusal_of("app")
