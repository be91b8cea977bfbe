"""Opens pages, with their folded parts open."""

from collections.abc import Callable, Iterable, Mapping

import pytest
import streamlit as st

from dpviz.ui import compute, filling, long_runs
from dpviz.ui import results as kept
from dpviz.ui.questions import region
from dpviz.ui.results import SharedResults
from tests.pages.app import FOLDED_PARTS, Page
from tests.pages.train_page import LINK, PAGE, AtOnce
from tests.planning.region_maps import made_up_cell, rising

OpenPage = Callable[..., Page]


@pytest.fixture(autouse=True)
def _one_seed(monkeypatch) -> None:
    """Let all visitors begin with the same seed."""
    monkeypatch.setattr("dpviz.ui.state.new_seed", lambda: 1)


@pytest.fixture
def open_page() -> OpenPage:
    """Return a function that opens a page, by a link if one is given."""

    def opened(
        query: Mapping[str, str] | None = None,
        page: str = "privacy_curve",
        parts: Iterable[str] = FOLDED_PARTS,
    ) -> Page:
        app = Page(link=query, parts=parts)
        app.switch_page(f"pages/{page}.py")
        return app.run()

    return opened


@pytest.fixture
def made_up_map(monkeypatch) -> None:
    """Make up the map of a plan, whose hundreds of fields take longer than all else of a page."""

    def cells(scenario, x, y, places, goal, **_):
        return tuple(made_up_cell(scenario, x, y, at, rising(*at), goal.epsilon) for at in places)

    results = SharedResults()
    for module in (kept, compute, filling, region):
        monkeypatch.setattr(module, "RESULTS", results)
    monkeypatch.setattr(region, "region_cells", cells)


@pytest.fixture
def downloads(monkeypatch) -> dict[str, Callable[[], str]]:
    """Return what each download button of the pages opened from now on hands out, by label."""
    found: dict[str, Callable[[], str]] = {}
    original = st.download_button

    def noted(label, data, *arguments, **options):
        found[label] = data
        return original(label, data, *arguments, **options)

    monkeypatch.setattr(st, "download_button", noted)
    return found


@pytest.fixture
def training_runs(monkeypatch) -> AtOnce:
    """Return what the page that trains has started; it is computed where it is asked for."""
    at_once = AtOnce()
    monkeypatch.setattr(long_runs, "_runs", at_once)
    return at_once


@pytest.fixture
def open_training(open_page, training_runs) -> OpenPage:
    """Return a function that opens the page that trains, small and fast if nothing is said."""
    return lambda link=LINK, parts=(): open_page(link, PAGE, parts)
