"""What the running server refuses, and what it tells anybody who asks."""

import gzip
import re
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pyarrow
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dpviz.figures.browser_files import packed_plotly_script, plotly_script_path
from dpviz.ui.answer_headers import policy
from dpviz.ui.static_files import MODULES, PLOTLY_FILE
from dpviz.ui.streamlit_internals import hashes_of_scripts
from tests.browser.asking import WAIT_SECONDS, asked, open_stream
from tests.browser.server import REPOSITORY, Server, start_server

FOREIGN = "https://e.example"
UPLOAD = "_stcore/upload_file/session/file"
# Nothing of the repository, nothing beside Streamlit's own pages.
OUTSIDE = (
    *("app/static/../app.py", "app/static/%2e%2e/app.py", "app/static/..%2fapp.py"),
    *("app/static/..%5capp.py", "app/static/....//app.py", "app/static//etc/passwd"),
    *("app/static/%252e%252e/app.py", "app/static/%00/../../app.py", "app/app.py", "app.py"),
    *(".streamlit/config.toml", "app/.streamlit/config.toml", "../app.py", "%2e%2e/app.py"),
    *("static/../../__init__.py", "static/%2e%2e/%2e%2e/__init__.py", "//etc/passwd"),
    *("component/x/../../app.py", "component/..%2f..%2fapp.py", "media/../app.py"),
    *("_stcore/bidi-components/dpviz/..%2f..%2fapp.py", "_stcore/bidi-components/x/app.py"),
)
SECRETS = ("st.set_page_config", "root:x:0", "gatherUsageStats", "Streamlit version")
# Of what Streamlit measures; the labels are names of functions and of kinds of events.
LABELS = {
    *("type", "cache_type", "cache", "cache_name", "function", "result", "reason", "trigger", "le"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start_server(REPOSITORY / "app.py", tmp_path_factory.mktemp("server") / "log.txt")
    yield running
    running.stop()


def test_scripts_and_styles_come_packed(server):
    page = asked(server.url).text
    scripts = re.findall(r'(?:src|href)="\./(static/[^"]+\.(?:js|css))"', page)
    sizes = []
    for path in scripts:
        plain = asked(server.url, path)
        packed = asked(server.url, path, Accept_Encoding="gzip")
        assert plain.getheader("content-encoding") is None
        assert packed.getheader("content-encoding") == "gzip"
        assert packed.getheader("vary") == "Accept-Encoding"
        assert gzip.decompress(packed.content) == plain.content
        assert len(packed.content) == int(packed.getheader("content-length"))
        sizes.append((len(packed.content), len(plain.content)))
        tag = packed.getheader("etag")
        known = asked(server.url, path, If_None_Match=tag, Accept_Encoding="gzip")
        assert known.status == 304
        part = asked(server.url, path, Range="bytes=0-9", Accept_Encoding="gzip")
        assert (part.status, part.getheader("content-encoding")) == (206, None)
    packed_bytes, plain_bytes = map(sum, zip(*sizes, strict=True))
    assert packed_bytes < 0.4 * plain_bytes


def test_a_page_names_the_files_that_its_chart_needs_in_a_while(server):
    """They are served before anybody has opened a page, and as what they are."""
    page = asked(server.url, "privacy_curve")
    named = re.findall(r"<([^>]+)>; rel=prefetch", page.getheader("link"))
    assert sorted(named) == sorted(f"app/static/{file}" for file in MODULES)
    for path in named:
        answer = asked(server.url, path)
        assert answer.status == 200
        assert answer.text
        assert answer.getheader("link") is None
        assert "javascript" in answer.getheader("Content-Type")
        assert answer.getheader("X-Content-Type-Options") == "nosniff"


@pytest.mark.slow
def test_a_browser_that_knows_brotli_gets_it_as_soon_as_it_is_packed(server):
    """The largest file first: it is packed when the server starts, where nobody else has work."""
    path = f"app/static/{PLOTLY_FILE}"
    began, script = time.monotonic(), plotly_script_path().read_bytes()
    answer = asked(server.url, path, Accept_Encoding="gzip, deflate, br")
    while answer.getheader("content-encoding") != "br":
        assert time.monotonic() < began + 20 * WAIT_SECONDS
        assert gzip.decompress(answer.content) == script
        time.sleep(0.5)
        answer = asked(server.url, path, Accept_Encoding="gzip, deflate, br")
    codec = pyarrow.Codec("brotli")
    assert codec.decompress(answer.content, decompressed_size=len(script), asbytes=True) == script
    assert len(answer.content) < 0.9 * len(packed_plotly_script())
    assert answer.getheader("vary") == "Accept-Encoding"


def visit(server):
    """Open the first page as a browser does, and wait for what is drawn."""
    message = BackMsg()
    message.rerun_script.query_string = ""
    with open_stream(server.url, server.url.rstrip("/")) as stream:
        stream.send(message.SerializeToString())
        kind = ""
        while kind != "script_finished":
            told = ForwardMsg.FromString(stream.recv(timeout=WAIT_SECONDS))
            kind = told.WhichOneof("type")
            assert not (kind == "delta" and told.delta.new_element.HasField("exception"))


def test_what_a_page_sends_is_packed_and_no_message_unpacks_to_more_than_is_read(server):
    with open_stream(server.url, server.url.rstrip("/")) as stream:
        assert "permessage-deflate" in stream.response.headers["Sec-WebSocket-Extensions"]
        stream.send(b"\0" * 60_000_000)  # 60 kB on the way
        with pytest.raises(ConnectionClosed) as ended:
            list(stream)
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 1009  # too large
    visit(server)


@pytest.mark.parametrize(
    "origin",
    [
        *(FOREIGN, "null", "http://127.0.0.1.e.example", "file://"),
        *("http://localhost:1", "http://127.0.0.1:1", "http://localhost:{port}.evil.example"),
        *("http://{host}.evil.example", "http://evil.example@{host}"),
    ],
)
def test_connection_from_a_page_of_somebody_else_is_refused(server, origin):
    """Streamlit itself would admit every port of this machine, and names that begin like it."""
    address = urlsplit(server.url)
    named = origin.format(host=address.netloc, port=address.port)
    with pytest.raises(InvalidStatus) as refused, open_stream(server.url, named):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "path", ["", "privacy_curve", "_stcore/health", "app/static/no", "nothing"]
)
def test_no_page_may_frame_the_app_and_no_type_is_guessed_without_a_proxy(server, path):
    answer = asked(server.url, path)
    host = urlsplit(server.url).netloc
    own = policy(host, hashes_of_scripts(), ())
    assert answer.headers.get_all("Content-Security-Policy") == [own]
    assert own.endswith("frame-ancestors 'self'")
    assert f"connect-src 'self' ws://{host} " in own
    assert answer.getheader("X-Frame-Options") == "SAMEORIGIN"
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert answer.getheader("Referrer-Policy") == "same-origin"


def test_refusing_somebody_asks_nobody_for_the_servers_address(server):
    """Streamlit would, for up to two seconds each time, in which it answers no visitor."""
    visit(server)  # by then it has welcomed its operator, with that address
    before = server.log.read_text().count("external IP")
    with pytest.raises(InvalidStatus), open_stream(server.url, FOREIGN):
        pass
    assert server.log.read_text().count("external IP") == before


@pytest.mark.parametrize("size", [2_000_000, 12_000_000])
def test_message_that_is_too_large_ends_its_own_connection_only(server, size):
    with open_stream(server.url, server.url.rstrip("/")) as stream:
        stream.send(b"\0" * size)
        with pytest.raises(ConnectionClosed):
            stream.recv(timeout=WAIT_SECONDS)
    assert asked(server.url, "_stcore/health").text == "ok"


def test_file_is_refused_without_the_page_that_asks_for_it(server):
    assert asked(server.url, UPLOAD, "PUT", b"a", Origin=FOREIGN).status == 403
    assert asked(server.url, UPLOAD, "DELETE").status == 403
    cookie = asked(server.url, "_stcore/health").getheader("Set-Cookie").partition(";")[0]
    token = cookie.partition("=")[2]
    answer = asked(server.url, UPLOAD, "PUT", b"a", Cookie=cookie, X_Xsrftoken=token)
    assert answer.status == 400
    assert "session" in answer.text.lower()


def test_only_cookie_is_the_token_against_foreign_pages(server):
    cookies = [
        value
        for path in ("", "planner", "_stcore/health", "_stcore/host-config", "_stcore/metrics")
        for value in asked(server.url, path).headers.get_all("Set-Cookie", [])
    ]
    assert cookies
    for cookie in cookies:
        assert cookie.startswith("_streamlit_xsrf=")
        assert "samesite=lax" in cookie.lower()


@pytest.mark.parametrize("path", ["", "_stcore/health", "_stcore/host-config", "_stcore/metrics"])
def test_page_of_somebody_else_may_read_no_answer(server, path):
    answer = asked(server.url, path, Origin=FOREIGN)
    assert answer.getheader("Access-Control-Allow-Origin") is None


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_file_is_served_but_those_of_the_page(server, path):
    answer = asked(server.url, path)
    assert not any(secret in answer.text for secret in SECRETS)
    # Unknown pages are answered with the empty frame of the app, which then names them.
    assert answer.status in (400, 404) or '<div id="root">' in answer.text


@pytest.mark.parametrize("path", ["app/static", "app/static/", "static", "static/", "media/"])
def test_no_folder_is_listed(server, path):
    text = asked(server.url, path).text
    assert ".js" not in text or '<div id="root">' in text


def test_measurements_tell_how_many_and_never_who(server):
    visit(server)
    text = asked(server.url, "_stcore/metrics").text
    labels = set(re.findall(r'[{,](\w+)="', text))
    assert "active_sessions" in text
    assert labels <= LABELS
    assert "127.0.0.1" not in text


@pytest.mark.parametrize("path", ["interact", "mcp"])
def test_programs_cannot_drive_the_app(server, path):
    answer = asked(
        server.url, f"_stcore/agent/{path}", "POST", b"{}", Content_Type="application/json"
    )
    assert answer.status >= 400
    assert "does not serve the agent API" in answer.text
