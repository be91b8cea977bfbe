"""What becomes of a visitor's own settings when a lesson opens its own, and is left."""

import pytest

from dpviz.scenario import PRESETS, Pin
from dpviz.scenario.ledger import NamedRun, ledger_to_query
from dpviz.settings import View
from dpviz.ui.lesson_links import prepared_query, view_query
from dpviz.wording.lessons import LESSONS_BY_NAME
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

LESSON = LESSONS_BY_NAME["rates"]
ELECTRICITY = PRESETS["electricity"].scenario
OWN = varied(ELECTRICITY, noise_multiplier=3.0)
RUN = ledger_to_query([NamedRun(name="first", scenario=OWN)])


@pytest.fixture
def in_lesson(open_page):
    """Open the lesson from settings of one's own, two of them pinned, with a run in the ledger."""
    view = View(target_epsilon=3.0, **RUN)
    app = open_page(link_of(OWN, (Pin(slot="a", scenario=TOY),), view=view), LESSON.page, parts=())
    return app.open_link(prepared_query(app.state, LESSON))


def test_lesson_has_its_own_settings_and_the_visitors_are_back_when_it_is_left(in_lesson):
    assert in_lesson.scenario == LESSON.scenario
    assert not in_lesson.state.pins[0].shown
    assert in_lesson.query_params["run_1"] == RUN["run_1"]
    in_lesson.act("bottom_rate", 0.05)
    assert "Your own settings come back." in in_lesson.control("leave_lesson").help
    in_lesson.press("leave_lesson")
    assert in_lesson.scenario == in_lesson.state.origin == OWN
    assert in_lesson.state.view == View(target_epsilon=3.0, **RUN)
    assert in_lesson.state.pins[0].shown
    assert in_lesson.query_params["noise_multiplier"] == "3.0"
    in_lesson.press("undo")
    assert in_lesson.scenario.bottom_rate == 0.05


def test_way_back_to_all_lessons_leaves_the_lesson_too(in_lesson):
    in_lesson.open_link(view_query(in_lesson.state, lesson="windows"))
    assert in_lesson.scenario == LESSON.scenario  # another lesson is open
    in_lesson.open_link(prepared_query(in_lesson.state, LESSONS_BY_NAME["steps"]))
    in_lesson.open_link(view_query(in_lesson.state, lesson="none"))
    assert in_lesson.scenario == OWN


def test_other_data_that_were_opened_in_a_lesson_stay(in_lesson):
    in_lesson.press("whole_page")
    in_lesson.act("preset", "traffic")
    in_lesson.press("leave_lesson")
    assert in_lesson.scenario == PRESETS["traffic"].scenario


def test_settings_of_a_lesson_opened_by_its_link_are_all_there_is(open_page):
    app = open_page(link_of(LESSON.scenario, view=View(lesson="rates")), LESSON.page, parts=())
    app.open_link(prepared_query(app.state, LESSONS_BY_NAME["steps"]))
    assert "The settings stay." in app.control("leave_lesson").help
    app.press("leave_lesson")
    assert app.scenario == LESSONS_BY_NAME["steps"].scenario


def test_undo_of_a_lesson_s_settings_gives_all_of_one_s_own_back(in_lesson):
    in_lesson.press("whole_page")
    in_lesson.press("undo")
    assert in_lesson.scenario == in_lesson.state.origin == OWN
    assert in_lesson.state.pins[0].shown
    in_lesson.act("noise_multiplier", 7.0)
    in_lesson.press("leave_lesson")
    assert in_lesson.scenario.noise.noise_multiplier == 7.0


def test_a_pin_that_is_opened_in_a_lesson_is_no_other_data(in_lesson):
    in_lesson.press("whole_page")
    in_lesson.press("pin_a_open")
    assert in_lesson.scenario.noise == TOY.noise
    in_lesson.press("leave_lesson")
    assert in_lesson.scenario == OWN


def test_undo_within_a_lesson_of_the_same_scenario_does_not_leave_it(open_page):
    lesson = LESSONS_BY_NAME["epsilon"]
    view = View(target_epsilon=3.0)
    app = open_page(link_of(lesson.scenario, view=view), lesson.page, parts=())
    app.open_link(prepared_query(app.state, lesson))
    app.act("noise_multiplier", 2.0)
    app.press("undo")
    app.press("leave_lesson")
    assert app.scenario == lesson.scenario
    assert app.state.view == view
