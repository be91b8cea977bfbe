"""The page of the paper's tables: every table, our accounting of it, and what leads away."""

from dataclasses import replace

import pytest

from dpviz.reported.table import FIGURES_WITHOUT_NUMBERS, TABLES, setup_of
from dpviz.scenario import PRESETS
from dpviz.settings import View
from dpviz.ui.questions import privacy_curve
from tests.pages.app import link_of

PAGE = "paper_tables"
OWN = replace(PRESETS["toy"].scenario, delta=1e-6)


@pytest.fixture
def opened(open_page):
    def at(table: str, column: int = 0, windows: str = "stated", parts=()):
        view = View(reported_table=table, reported_column=column, reported_windows=windows)
        return open_page(link_of(OWN, view=view), PAGE, parts=parts)

    return at


def test_table_and_column_are_chosen_and_in_the_link(opened):
    app = opened("1")
    app.act("reported_table", "8")
    app.act("reported_column_8", 2)
    app.act("reported_windows", "lags")
    view = View(reported_table="8", reported_column=2, reported_windows="lags")
    assert app.link == link_of(OWN, view=view)
    app.press("next_table")
    assert app.state.view.reported_table == "9"
    app.press("previous_table")
    assert app.state.view.reported_table == "8"


def test_how_the_paper_s_training_differs_and_why_marks_are_shifted_is_told(opened):
    app = opened("4", parts=("open_accounted",))
    assert "so its own ε is larger or its training shorter" in app.said
    assert "the shift between them means nothing" in app.said
    assert "our" not in app.all_words.split()


@pytest.mark.parametrize(("table", "column"), [("1", 16), ("12", 0)])
def test_no_set_up_is_opened_where_no_private_training_was_reported(opened, table, column):
    """Beyond the last column, which is without privacy; of series that a forecast reads."""
    app = opened(table, column)
    assert not [one for one in app.button if (one.key or "").startswith("open_in_")]


@pytest.mark.every(2)
@pytest.mark.usefixtures("made_up_map")
@pytest.mark.parametrize(("table", "column", "windows"), [("6", 3, "lags"), ("9", 2, "stated")])
def test_button_opens_the_set_up_in_the_planner(opened, table, column, windows):
    setup = setup_of(TABLES[table], column, windows)
    app = opened(table, column, windows)
    app.state.file = object()  # as after an upload, whose lengths the paper's run has not
    app.click("open_in_planner")
    assert not app.error
    state = app.state
    assert (state.scenario, state.origin, state.file) == (setup.scenario, setup.scenario, None)
    assert (state.view.goal, state.view.free_quantity) == ("epsilon", "training")
    assert state.view.target_epsilon == setup.target_epsilon
    app.press("undo")
    assert app.scenario == OWN


def test_button_opens_the_set_up_as_a_curve(opened, monkeypatch):
    # What that page draws over thousands of epochs has tests of its own.
    monkeypatch.setattr(privacy_curve, "draw_training", lambda *_: None)
    setup, app = setup_of(TABLES["1"], 0), opened("1")
    app.click("open_in_curve")
    assert app.scenario == setup.scenario
    assert app.state.view.chart == "training"
    assert app.state.view.target_epsilon == setup.target_epsilon


def test_figure_without_numbers_opens_its_set_up(opened):
    app = opened("figure-11")
    app.click("open_in_explorer")
    assert app.scenario == FIGURES_WITHOUT_NUMBERS["figure-11"].scenario
