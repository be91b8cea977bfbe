"""Broken links on real pages: no error is shown, and all that was not used is told there."""

from urllib.parse import parse_qs

from hypothesis import Phase
from hypothesis import strategies as st

from dpviz.ui.texts import plain
from tests.fuzz.bounds import bounded, check_examples, few_or_many
from tests.fuzz.broken_links import broken_links
from tests.fuzz.link_checks import check_opened
from tests.pages.app import ROOT, TOY, Page
from tests.pages.made_up_map import make_up_map

# These have nothing of a link's settings.
TEXTS = {"theorems", "how_to_choose", "glossary"}
PAGES = tuple(sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - TEXTS))
PAGE_CPU_SECONDS = 60.0  # a page computes what it shows, for any settings
MOST_PARAMETERS = 1000  # Streamlit takes none of a link with more
# Streamlit keeps its own parameters, embed and the like, to itself.
LINKS = broken_links().filter(
    lambda query: "embed" not in query and query.count("&") < MOST_PARAMETERS
)


def check(query: str, page: str) -> None:
    app = Page()
    for name, texts in parse_qs(query, keep_blank_values=True).items():
        app.query_params[name] = texts
    app.switch_page(f"pages/{page}.py")
    with bounded(PAGE_CPU_SECONDS):
        app.run()
    state = app.state
    check_opened(query, state, TOY)
    told = "".join(warning.value for warning in app.warning)
    for problem in state.problems:
        assert plain(problem) in told
    if state.shown:  # the pages without settings leave the address as it is
        assert app.query_params.keys() == state.shown.keys()


@few_or_many(2, 300)
def test_broken_links_open_a_page_that_tells_what_was_not_used(most, monkeypatch):
    """On any page, with every message where the visitor looks."""
    # Which the server, unlike this test, would give up after 2 s a column.
    make_up_map(monkeypatch)
    check_examples(check, most, LINKS, st.sampled_from(PAGES), phases=[Phase.generate])
