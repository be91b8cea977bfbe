"""The app in a frame on another site's page: what docs/deploy.md says to set is needed, and enough.

The browser keeps no cookies for sites in frames, as several do by default.
"""

import http.server
import threading
from functools import partial

import pytest

from tests.browser.nginx import SKIP_REASON, running_nginx
from tests.browser.server import REPOSITORY
from tests.browser.visitor import CHART, FILE, Visitor, choose_first

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(SKIP_REASON), reason=SKIP_REASON)]
DOCUMENTED = (REPOSITORY / "docs" / "deploy.md").read_text(encoding="utf-8")
# What an operator changes in nginx.conf to be framed, beside naming who may.
COOKIES_OF_FRAMES = {
    "SameSite=Lax": "SameSite=None; Partitioned",
    "proxy_cookie_flags ~ secure;": 'proxy_cookie_path / "/; Secure; Partitioned";',
}


class Lesson:
    """A page of another site, which frames the app.

    Args:
        folder: an empty one, which is served.
        host: the site; browsers take 127.0.0.1 and localhost for two.
    """

    def __init__(self, folder, host):
        handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._page = folder / "lesson.html"
        self.origin = f"http://{host}:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def open_in(self, page, address, patience=None):
        """Show an address in a frame; return the frame, with its answer, after milliseconds."""
        frame = f'<iframe src="{address}" allow="clipboard-write" width=1200 height=900></iframe>'
        self._page.write_text(f"<!doctype html><title>A lesson</title>{frame}", encoding="utf-8")
        page.goto(f"{self.origin}/{self._page.name}")
        framed = Visitor(page.frames[1])
        framed.wait_for_selector(CHART, timeout=patience)
        return framed

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def lesson(tmp_path):
    opened = []

    def at(host):
        folder = tmp_path / "lesson"
        folder.mkdir()
        opened.append(Lesson(folder, host))
        return opened[-1]

    yield at
    for one in opened:
        one.close()


@pytest.fixture
def page(new_context):
    context = new_context(2, ignore_https_errors=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return context.new_page()


def open_file(page, framed):
    """Open a file and return the status of the server's answer."""
    framed.locator("[data-testid=stExpander] summary").first.click()
    with page.expect_response(lambda answer: "/upload_file/" in answer.url) as answered:
        framed.locator("input[type=file]").set_input_files(FILE)
    return int(answered.value.status)


def test_a_learning_platform_may_frame_it_with_two_servers_behind_nginx(
    served, lesson, page, monkeypatch, tmp_path
):
    """Links, files and the way to the same server work, with the changes that are documented."""
    assert all(f"`{before}`" in DOCUMENTED for before in COOKIES_OF_FRAMES)
    assert all(f"`{after}`" in DOCUMENTED for after in COOKIES_OF_FRAMES.values())
    assert 'server.xsrfCookieSameSite = "none"' in DOCUMENTED
    monkeypatch.setenv("STREAMLIT_SERVER_XSRF_COOKIE_SAME_SITE", "none")
    platform = lesson("127.0.0.1")
    changes = COOKIES_OF_FRAMES | {"frame-ancestors 'none'": f"frame-ancestors {platform.origin}"}
    with running_nginx(tmp_path, served().url, served().url, changes=changes) as nginx:
        framed = platform.open_in(page, f"{nginx.url}privacy_curve")
        framed.shared("Copy link").click()
        framed.get_by_text("Copied", exact=True).wait_for()
        assert open_file(page, framed) == 204
        framed.locator(".st-key-use_file button").click()
        choose_first(framed, 1, 1, 3, 1, 100)
        framed.wait_for_link(num_series="3")
        kept = {one["name"]: one["partitionKey"] for one in page.context.cookies()}
        assert set(kept) == {"dpviz_visitor", "_streamlit_xsrf"}
        assert set(kept.values()) == {"http://127.0.0.1"}


@pytest.mark.parametrize(("protected", "status"), [("true", 403), ("false", 204)])
def test_a_host_that_frames_the_app_itself_gets_files_only_without_the_cookie(
    served, lesson, page, monkeypatch, protected, status
):
    """There is no nginx of ours: the server's own setting decides."""
    assert "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION=false" in DOCUMENTED
    monkeypatch.setenv("STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION", protected)
    host = lesson("localhost")
    monkeypatch.setenv("DPVIZ_FRAMED_BY", host.origin)
    framed = host.open_in(page, f"{served().url}privacy_curve")
    assert open_file(page, framed) == status


def test_a_site_that_nobody_named_shows_nothing_in_its_frame(served, lesson, page):
    """From the first answer on; the browser says why."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    with pytest.raises(Exception, match=r"Timeout|detached"):
        lesson("localhost").open_in(page, f"{served().url}privacy_curve", patience=5_000)
    assert any("frame-ancestors 'self'" in text for text in said)
