"""The app behind nginx, as docs/deploy.md sets it up: what works, what is refused, what is told."""

import contextlib
import re
import ssl
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from tests.browser.asking import asked, open_stream
from tests.browser.nginx import CONFIGURATION, SKIP_REASON, running_nginx
from tests.browser.server import REPOSITORY, free_port
from tests.browser.visitor import CHART, FILE, Visitor, has_chart
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(SKIP_REASON), reason=SKIP_REASON)]
APP = REPOSITORY / "app.py"
PAGES = sorted(path.stem for path in (REPOSITORY / "pages").glob("*.py"))
# The one with most kinds of parts: formulas, tables, code, files.
WITH_ALL_PARTS_OPEN = "privacy_curve"
CLASSROOM = 100
MEGABYTE = 1_000_000
# Not by a script: what evaluates words as one is forbidden here, even to a test.
AT_REST = "[data-testid=stApp][data-test-script-state=notRunning]"


@pytest.fixture(scope="module")
def nginx(server, tmp_path_factory):
    with running_nginx(tmp_path_factory.mktemp("nginx"), server(APP).url) as running:
        yield running


@pytest.fixture
def below(server, tmp_path):
    with running_nginx(tmp_path, server(APP, "dpviz").url, base_path="dpviz") as running:
        yield running


@pytest.fixture
def visitor(new_context):
    """Return a page whose console must stay silent and whose requests must all be answered."""
    context = new_context(ignore_https_errors=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page, complaints = Visitor(context.new_page()), []

    def heard(message):
        # On a deep link, Streamlit's page first looks for its server below the page's address.
        is_search = "/_stcore/" in message.location["url"] and "404" in message.text
        if message.type in ("error", "warning") and not is_search:
            complaints.append(message.text)

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def open_page(visitor, url, page):
    visitor.goto(url + ("" if page == "start" else page))
    visitor.wait_for_selector("h1")
    if has_chart(page):
        visitor.wait_for_selector(CHART)
    visitor.wait_for_selector(AT_REST)


def open_parts(visitor):
    """Open the folded parts, one by one: what one opens may put others in other places."""
    closed = visitor.locator("[data-testid=stExpander] details:not([open]) > summary")
    while closed.count():
        closed.first.click()
        visitor.wait_for_selector(AT_REST)


@pytest.mark.parametrize("page", PAGES)
def test_page_is_drawn_within_its_content_security_policy(nginx, visitor, page):
    """Violations are told in the console, which has to stay silent."""
    open_page(visitor, nginx.url, page)
    if page == WITH_ALL_PARTS_OPEN:
        open_parts(visitor)
    visitor.wait_for_timeout(1000)  # violations are told a little later


def test_app_is_served_below_a_path_too(below, visitor):
    open_page(visitor, below.url, "planner")
    assert asked(below.url, "_stcore/metrics").status == 404


def test_everything_is_handed_out_and_files_are_read(nginx, visitor):
    open_page(visitor, nginx.url, "privacy_curve")
    visitor.shared("Copy link").click()
    visitor.get_by_text("Copied", exact=True).wait_for()
    assert visitor.evaluate("navigator.clipboard.readText()") == visitor.url
    for name in ("Save as SVG, for print", "Save as PNG, for slides"):
        with visitor.expect_download() as download:
            visitor.locator(f"[data-title='{name}']").first.click()
        assert download.value.path().stat().st_size > 1000
    open_parts(visitor)
    with visitor.expect_download() as download:
        visitor.locator(".st-key-take_report button").click()
    assert b"<!doctype html>" in download.value.path().read_bytes()[:100]
    visitor.locator("input[type=file]").set_input_files(FILE)
    visitor.get_by_text("N = 3 series of 30 values").first.wait_for()


def test_every_answer_says_what_a_browser_may_do_with_it(nginx):
    for path in ("", "planner", "_stcore/health", "static/nothing.js", "_stcore/metrics"):
        answer = asked(nginx.url, path)
        assert "frame-ancestors 'none'" in answer.getheader("Content-Security-Policy")
        assert "unsafe-eval" not in answer.getheader("Content-Security-Policy")
        assert answer.getheader("Referrer-Policy") == "same-origin"
        assert "nosniff" in answer.getheader("X-Content-Type-Options")
        assert "clipboard-write=(self)" in answer.getheader("Permissions-Policy")
        assert answer.getheader("Strict-Transport-Security") == "max-age=31536000"
        assert answer.getheader("Server") == "nginx"
    assert "Secure" in asked(nginx.url, "_stcore/health").getheader("Set-Cookie")


def test_what_is_not_for_visitors_is_not_there(nginx):
    assert asked(nginx.url, "_stcore/metrics").status == 404
    assert asked(nginx.url, "_stcore/agent/openapi.json").status == 404
    assert asked(nginx.url, "_stcore/agent/interact", "POST", b"{}").status == 404


def test_file_is_as_large_as_the_app_allows_and_no_larger(nginx):
    cookie = asked(nginx.url, "_stcore/health").getheader("Set-Cookie").partition(";")[0]
    token = {"Cookie": cookie, "X_Xsrftoken": cookie.partition("=")[2]}
    path = "_stcore/upload_file/session/file"
    allowed = asked(nginx.url, path, "PUT", b"a" * (100 * MEGABYTE), **token)
    assert allowed.status == 400  # by the app: there is no such session
    with contextlib.suppress(ConnectionError, ssl.SSLError):  # it may hang up while we still send
        assert asked(nginx.url, path, "PUT", b"a" * (120 * MEGABYTE), **token).status == 413
    assert asked(nginx.url, "planner", "POST", b"a" * 100_000).status == 413


def test_answers_are_packed_and_files_by_the_app(nginx):
    page = asked(nginx.url)
    assert asked(nginx.url, Accept_Encoding="gzip").getheader("Content-Encoding") == "gzip"
    script = re.search(r'src="\./(static/js/[^"]+)"', page.text)[1]

    def packing(accepted):
        return asked(nginx.url, script, Accept_Encoding=accepted).getheader("Content-Encoding")

    assert packing("gzip") == "gzip"
    until(lambda: packing("gzip, br") == "br")


def test_only_the_own_name_is_served_and_only_by_https(nginx):
    moved = asked(nginx.plain_url, "planner?delta=1e-7")
    assert moved.status == 301
    assert moved.getheader("Location") == f"{nginx.url}planner?delta=1e-7"
    with pytest.raises(ssl.SSLError):
        asked(nginx.url.replace("localhost", "127.0.0.1"))


def test_log_holds_no_visitors_settings(nginx):
    link = nginx.url + "planner?delta=1e-7"
    asked(nginx.url, "planner?delta=1e-7&value_unit=patients", Referer=link)
    assert "/planner" in nginx.log()
    assert "delta" not in nginx.log()
    assert "patients" not in nginx.log()


def test_no_error_of_a_server_that_is_away_holds_a_link(tmp_path):
    """As between the end of a server and its next start; a link holds the key in a class, too."""
    with running_nginx(tmp_path, f"http://127.0.0.1:{free_port()}") as nginx:
        answer = asked(nginx.url, f"lessons?class_key={'0' * 32}")
    assert answer.status == 502
    assert '"GET /lessons" 502' in nginx.log()
    assert "class_key" not in "".join(path.read_text() for path in tmp_path.glob("*.log"))


def test_classroom_behind_one_address_comes_in_at_once(nginx):
    own = "https://" + urlsplit(nginx.url).netloc
    with contextlib.ExitStack() as room:
        for _ in range(2 * CLASSROOM):
            room.enter_context(open_stream(nginx.url, own))
        assert asked(nginx.url, "_stcore/health").text == "ok"
    with pytest.raises(InvalidStatus):
        open_stream(nginx.url, "https://e.example")


def test_files_of_a_classrooms_first_visit_are_within_the_limit(nginx, visitor):
    sent = []
    visitor.on("request", lambda request: sent.append(request.url))
    open_page(visitor, nginx.url, "privacy_curve")
    burst = re.search(r"zone=dpviz_files burst=(\d+)", CONFIGURATION.read_text(encoding="utf-8"))
    assert CLASSROOM * len(sent) < int(burst[1])
