"""What a server does once; in a test of a page nothing runs in the background or is written."""

import asyncio
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from streamlit.testing.v1 import AppTest

from dpviz.scenario import PRESETS
from dpviz.ui.answer_headers import MIDDLEWARE, framing_sites, policy
from dpviz.ui.state import first_scenario


def test_a_page_under_test_is_known_as_one_and_may_ask_whether_it_is_overtaken(tmp_path):
    page = tmp_path / "page.py"
    page.write_text(
        "import streamlit as st\n"
        "from dpviz.ui.streamlit_internals import is_overtaken, is_test_of_a_page\n"
        "st.write(is_test_of_a_page(), is_overtaken())\n",
        encoding="utf-8",
    )
    app = AppTest.from_file(page).run()
    assert not app.exception
    assert app.markdown[0].value == "`True` `False`"


def test_the_server_chooses_the_preset_that_visitors_find(monkeypatch, caplog):
    monkeypatch.delenv("DPVIZ_START")
    assert first_scenario() == PRESETS["traffic"].scenario
    monkeypatch.setenv("DPVIZ_START", " electricity ")
    assert first_scenario() == PRESETS["electricity"].scenario
    assert caplog.text == ""
    monkeypatch.setenv("DPVIZ_START", "cars")
    assert first_scenario() == PRESETS["traffic"].scenario
    assert "DPVIZ_START = 'cars' is not allowed: it must be one of toy, traffic," in caplog.text


def test_sites_that_may_frame_the_app_are_named_by_the_operator(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("DPVIZ_FRAMED_BY", raising=False)
    assert framing_sites() == ()
    named = "https://learn.example.org  https://*.hf.space http://10.0.0.7:8080"
    monkeypatch.setenv("DPVIZ_FRAMED_BY", named)
    assert framing_sites() == tuple(named.split())
    assert not caplog.text


@pytest.mark.parametrize(
    "value",
    ["learn.example.org", "*", "https://a.org; script-src *", "https://a.org/b", "none", "https:"],
)
def test_what_is_no_site_opens_the_frame_to_nobody(
    value: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DPVIZ_FRAMED_BY", f"https://learn.example.org {value}")
    assert framing_sites() == ()
    assert f"DPVIZ_FRAMED_BY = 'https://learn.example.org {value}' is not allowed" in caplog.text


@pytest.mark.parametrize("host", ["", "a b", "a;b", "a\nb", "evil.org; script-src *", "ä.org"])
def test_host_that_is_none_does_not_get_into_the_policy(host: str) -> None:
    assert policy(host, (), ()) == policy("", (), ())
    assert "ws:" not in policy(host, (), ())


def test_the_first_line_of_the_policy_opens_no_more_than_what_is_fetched_ahead() -> None:
    """What else it would stand for has a line of its own."""
    lines = dict(line.split(" ", 1) for line in policy("dpviz.org", (), ()).split("; "))
    assert lines["default-src"] == "'self'"
    assert {lines[f"{kind}-src"] for kind in ("frame", "media", "object")} == {"'none'"}
    assert {
        f"{kind}-src" for kind in ("connect", "font", "img", "manifest", "script", "style")
    } <= {*lines}


def test_an_accident_is_answered_as_strictly_as_all_else() -> None:
    answer: list[Any] = []

    def fails(_: Any) -> None:
        raise RuntimeError("of the test")

    async def send(message: Any) -> None:
        answer.append(message)

    app = Starlette(routes=[Route("/", fails)], middleware=MIDDLEWARE)
    asked = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
    # Beside tests that drive a browser, this thread has a loop of its own.
    with (
        ThreadPoolExecutor() as other,
        pytest.raises(RuntimeError, match="of the test"),  # the log has it, too
    ):
        other.submit(asyncio.run, app(asked, None, send)).result()
    start, body = answer
    assert (start["status"], body["body"]) == (500, b"Internal Server Error")
    headers = dict(start["headers"])
    assert headers[b"content-security-policy"].startswith(b"default-src 'self'; ")
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"x-frame-options"] == b"SAMEORIGIN"


_POOR = """
import logging, resource, sys
sys.modules["uvicorn.protocols.websockets.websockets_sansio_impl"] = None
from dpviz.ui.server import allow_many_connections
from dpviz.ui.streamlit_internals import prepare_internals
logging.basicConfig(format="%(message)s")
for hard in (4096, 1024):
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    print(allow_many_connections(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
prepare_internals()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
def test_a_server_starts_where_files_are_few_and_connections_cannot_gather_and_says_so():
    """It opens as many files as it may."""
    done = subprocess.run([sys.executable, "-c", _POOR], capture_output=True, text=True, check=True)
    assert done.stdout == "4096 4096\n1024 1024\n"
    assert re.findall(r"may open (\d+) files and connections at a time", done.stderr) == ["1024"]
    assert "Each message of an answer is sent by itself" in done.stderr
