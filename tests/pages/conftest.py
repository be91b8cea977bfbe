"""Opens pages, with the folded parts of their settings open."""

from collections.abc import Callable, Iterable, Mapping
from math import inf

import pytest
import streamlit as st

from dpviz.classroom.store import Classes
from dpviz.figures.sampling_picture import picture_scenarios
from dpviz.settings.dashboard import CLASSES_VARIABLE
from dpviz.ui import doors, filling, long_runs
from tests.pages.app import SETTINGS_PARTS, Page
from tests.pages.made_up_map import make_up_map
from tests.pages.train_page import LINK, PAGE, AtOnce

OpenPage = Callable[..., Page]


@pytest.fixture(autouse=True)
def _one_seed(monkeypatch) -> None:
    """Let all visitors begin with the same seed."""
    monkeypatch.setattr("dpviz.ui.state.new_seed", lambda: 1)


@pytest.fixture(autouse=True)
def _computed_at_once(monkeypatch) -> None:
    """Let a page compute all that it shows in one run: what it shows meanwhile no test sees.

    A map that is refined as far as need be is finer then; tests/goldens visits pages as they are.
    """
    here = filling._compute_here
    monkeypatch.setattr(filling, "_compute_here", lambda parts, _, until: here(parts, inf, until))
    monkeypatch.setattr(filling, "_SECONDS_TO_SEND", 0.0)


@pytest.fixture
def open_page() -> OpenPage:
    """Return a function that opens a page, by a link if one is given."""

    def opened(
        query: Mapping[str, str] | None = None,
        page: str = "privacy_curve",
        parts: Iterable[str] = SETTINGS_PARTS,
    ) -> Page:
        app = Page(link=query, parts=parts)
        app.switch_page(f"pages/{page}.py")
        return app.run()

    return opened


@pytest.fixture
def opened(request, open_page) -> OpenPage:
    """Return a function that opens the page of a file of tests.

    It is the file's ``PAGE``, by its ``LINK`` and with its ``OPEN`` parts if no others are given.
    """
    own = request.module
    unfolded = getattr(own, "OPEN", ())
    return lambda link=own.LINK, parts=unfolded: open_page(link, own.PAGE, parts)


@pytest.fixture
def made_up_map(monkeypatch) -> None:
    make_up_map(monkeypatch)


@pytest.fixture
def small_picture(monkeypatch) -> None:
    """Let the start page have the picture as it is first seen: all of its bounds take seconds."""
    monkeypatch.setattr(doors, "picture_scenarios", lambda: picture_scenarios()[:1])


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


@pytest.fixture
def kept(tmp_path, monkeypatch) -> Classes:
    path = tmp_path / "classes.sqlite"
    monkeypatch.setenv(CLASSES_VARIABLE, str(path))
    return Classes(path)


@pytest.fixture
def teacher(kept) -> dict[str, str]:
    """Return the part of a link that leads a class which has just been started."""
    started = kept.start()
    return {"class_code": started.code, "class_key": started.key}
