"""The app in a frame on another site's page: what docs/deploy.md says to set is needed, and enough.

The browser keeps no cookies for sites in frames, as several do by default.
"""

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
# Nobody serves them: the browser is handed their page. It takes them for two sites.
PLATFORM, HOST = "http://127.0.0.1:8000", "http://localhost:8000"


def open_in(page, site, address, patience=None):
    """Show an address in a frame on a site's page; return the frame, with its answer."""
    frame = f'<iframe src="{address}" allow="clipboard-write" width=1200 height=900></iframe>'
    lesson = f"<!doctype html><title>A lesson</title>{frame}"
    page.route(f"{site}/", lambda asked: asked.fulfill(body=lesson, content_type="text/html"))
    page.goto(f"{site}/")
    page.unroute(f"{site}/")
    framed = Visitor(page.frames[1])
    framed.wait_for_selector(CHART, timeout=patience)
    return framed


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
    served, page, monkeypatch, tmp_path
):
    """Links, files and the way to the same server work, with the changes that are documented."""
    assert all(f"`{before}`" in DOCUMENTED for before in COOKIES_OF_FRAMES)
    assert all(f"`{after}`" in DOCUMENTED for after in COOKIES_OF_FRAMES.values())
    assert 'server.xsrfCookieSameSite = "none"' in DOCUMENTED
    monkeypatch.setenv("STREAMLIT_SERVER_XSRF_COOKIE_SAME_SITE", "none")
    changes = COOKIES_OF_FRAMES | {"frame-ancestors 'none'": f"frame-ancestors {PLATFORM}"}
    with running_nginx(tmp_path, served().url, served().url, changes=changes) as nginx:
        framed = open_in(page, PLATFORM, f"{nginx.url}privacy_curve")
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
    served, page, monkeypatch, protected, status
):
    """There is no nginx of ours: the server's own setting decides."""
    assert "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION=false" in DOCUMENTED
    monkeypatch.setenv("STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION", protected)
    monkeypatch.setenv("DPVIZ_FRAMED_BY", HOST)
    framed = open_in(page, HOST, f"{served().url}privacy_curve")
    assert open_file(page, framed) == status


def test_a_site_that_nobody_named_shows_nothing_in_its_frame(served, page):
    """From the first answer on; the browser says why."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    with pytest.raises(Exception, match=r"Timeout|detached"):
        open_in(page, HOST, f"{served().url}privacy_curve", patience=5_000)
    assert any("frame-ancestors 'self'" in text for text in said)
