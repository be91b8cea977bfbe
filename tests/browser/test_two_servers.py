"""Two servers behind nginx: each visitor stays with one, and goes on when that one is killed."""

import pytest

from tests.browser.asking import asked
from tests.browser.nginx import SKIP_REASON, running_nginx
from tests.browser.test_restarted_server import SEEN
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(SKIP_REASON), reason=SKIP_REASON)]
VISITORS = 6
LOOKS = 4
PAGES = ("privacy_curve", "subsequences", "label_noise")
FIELDS = ("noise_multiplier", "noise_multiplier", "forecast_noise")


@pytest.fixture
def two(served):
    return [served(), served()]


@pytest.fixture
def nginx(two, tmp_path):
    with running_nginx(tmp_path, *(one.url for one in two)) as running:
        yield running


@pytest.fixture
def come(new_context):

    def opened(url):
        # Waiting evaluates words as a script; the policy has tests of its own.
        page = Visitor(new_context(ignore_https_errors=True, bypass_csp=True).new_page())
        page.goto(url)
        page.settle()
        return page

    return opened


def sessions(server):
    lines = asked(server.url, "_stcore/metrics").text.splitlines()
    rows = [line for line in lines if line.startswith("active_sessions")]
    return int(float(rows[0].split()[-1])) if rows else 0


def of_visitor(page):
    return next(one["value"] for one in page.context.cookies() if one["name"] == "dpviz_visitor")


def seen_as_its_link_says(page, come):
    """Return what a page shows once that is what its link opens.

    Connected anew, it shows what it did until the other server, which is busy, comes to it.
    """
    for _ in range(LOOKS):
        page.settle()
        now = page.evaluate(SEEN)
        fresh = come(now["address"]).evaluate(SEEN)
        if now["answer"] == fresh["answer"]:
            break
    assert now["answer"] == fresh["answer"]
    return now


def test_visitors_are_spread_and_stay_and_go_on_without_the_server_that_is_killed(two, nginx, come):
    """Their links hold what they see; what the other server holds is not touched."""
    visitors = [come(f"{nginx.url}{PAGES[at % len(PAGES)]}") for at in range(VISITORS)]
    cookies = [of_visitor(page) for page in visitors]
    assert len(set(cookies)) == VISITORS
    before = [sessions(one) for one in two]
    assert sum(before) == VISITORS
    first = [page.evaluate(SEEN)["title"] for page in visitors]
    for at, page in enumerate(visitors):
        earlier = page.headline
        page.slider(FIELDS[at % len(FIELDS)]).press("ArrowRight")
        page.wait_for_other_headline(earlier)
    seen = [page.evaluate(SEEN) for page in visitors]
    for page, cookie in zip(visitors, cookies, strict=True):
        page.reload()
        page.settle()
        assert of_visitor(page) == cookie
    busier = before.index(max(before))
    for at, page in enumerate(visitors):  # while answers are under way
        page.slider(FIELDS[at % len(FIELDS)]).press("ArrowLeft")
        page.slider(FIELDS[at % len(FIELDS)]).press("ArrowRight")
    two[busier].kill()
    for page, began, earlier in zip(visitors, first, seen, strict=True):
        page.come_back()
        now = seen_as_its_link_says(page, come)
        # A key that a server did not come to any more is lost with it: no link had it yet.
        assert now["title"] in (began, earlier["title"])
    assert sessions(two[1 - busier]) >= VISITORS


def test_a_file_comes_back_to_who_asked_for_it(nginx, come):
    """A download is made by one server and fetched by another request."""
    for _ in range(3):
        page = come(f"{nginx.url}privacy_curve")
        button = page.shared("Download CSV")
        with page.expect_download() as coming:
            button.click()
        assert "epsilon" in coming.value.path().read_text(encoding="utf-8")
