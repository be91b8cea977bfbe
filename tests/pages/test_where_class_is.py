"""Phones are led to the lesson that their class is at, and to nothing else of it."""

from unittest.mock import patch

import pytest

from dpviz.classroom.records import ClassesUnavailableError, NoSuchClassError
from dpviz.classroom.store import Classes
from dpviz.settings.lessons import LESSONS
from dpviz.ui import lesson_links
from dpviz.ui.lesson_links import prepared_query
from dpviz.ui.state import State
from dpviz.wording.lessons import LESSONS_BY_NAME
from tests.pages.test_lessons import links

PAGE, LINK = "lessons", {}
LESSON = LESSONS_BY_NAME["bag"]
BAG, PLAN = (f"The class is at: {LESSONS_BY_NAME[name].text.title}" for name in ("bag", "plan"))


def joined(opened, teacher, lesson="none"):
    return opened({"class": teacher["class_code"], "lesson": lesson})


def ways(app):
    """Return where the lines lead that say where the class is, by their words."""
    return {words: way for words, way in links(app).items() if words.startswith("The class is at")}


def place(kept, teacher):
    return kept.standing(teacher["class_code"], "", "leak").place


def test_who_has_joined_is_led_to_the_lesson_that_the_class_is_at(opened, teacher):
    phone = joined(opened, teacher)
    assert not ways(phone)
    room = opened(teacher | {"lesson": "bag"})
    for here in ("none", "leak"):
        phone = joined(opened, teacher, here)
        (way,) = ways(phone).values()
        assert [*ways(phone)] == [BAG]
        assert way["lesson"] == "bag"
        assert way["class_key"] == phone.state.view.class_key != teacher["class_key"]
        assert "revealed" not in way
        assert not ways(phone.open_link(way))
    assert not ways(room.open_link(teacher | {"lesson": "leak"}))  # who leads knows


def test_what_is_true_goes_to_no_phone_with_the_place(opened, teacher):
    room = opened(teacher | {"lesson": "bag"}).press("reveal_bag")
    assert LESSON.text.take_away in room.all_words
    (way,) = ways(joined(opened, teacher)).values()
    assert not {"revealed", "answers"} & way.keys()
    assert LESSON.text.take_away not in opened(way).all_words


def test_a_lesson_that_is_closed_stays_the_place_until_another_is_opened(kept, opened, teacher):
    """Who comes late finds it: meanwhile the room is shown the code, say."""
    room = opened(teacher | {"lesson": "bag"})
    room.open_link(teacher)
    assert [*ways(joined(opened, teacher))] == [BAG]
    room.open_link(teacher | {"lesson": "plan"})
    assert [*ways(joined(opened, teacher))] == [PLAN]


def test_a_tab_that_goes_on_showing_another_lesson_does_not_take_the_class_back(
    kept, opened, teacher
):
    first, second = (opened(teacher | {"lesson": name}) for name in ("bag", "plan"))
    first.run()
    assert place(kept, teacher) == "plan"
    first.press("show_votes_bag")  # there the class is again
    assert place(kept, teacher) == "bag"
    second.run()
    assert place(kept, teacher) == "bag"
    for lesson in ("none", "plan"):
        second.open_link(teacher | {"lesson": lesson})
    assert place(kept, teacher) == "plan"


def test_the_chart_that_is_shown_to_a_room_is_of_the_place(kept, opened, open_page, teacher):
    link = prepared_query(State(), LESSON) | teacher | {"present": "1"}
    open_page(link, LESSON.page, parts=())
    assert place(kept, teacher) == "bag"
    other = prepared_query(State(), LESSONS_BY_NAME["leak"])
    phone = open_page(other | {"class_code": teacher["class_code"]}, "batch_drawing", parts=())
    assert [*ways(phone)] == [BAG]
    assert place(kept, teacher) == "bag"


def test_a_place_that_could_not_be_noted_is_noted_with_the_next_run(kept, opened, teacher):
    with patch.object(Classes, "go_to", side_effect=ClassesUnavailableError):
        room = opened(teacher | {"lesson": "bag"})
    assert place(kept, teacher) == ""
    room.run()
    assert place(kept, teacher) == "bag"


def test_a_phone_that_looks_writes_nothing(opened, teacher):
    with patch.object(Classes, "go_to") as go_to:
        for lesson in LESSONS[:2]:
            joined(opened, teacher, lesson).run()
    go_to.assert_not_called()


@pytest.mark.parametrize("problem", [NoSuchClassError, ClassesUnavailableError])
def test_the_list_is_drawn_anew_where_the_class_has_ended(monkeypatch, problem):
    monkeypatch.setattr(lesson_links, "session_state", State)
    monkeypatch.setattr(lesson_links, "standing_in", lambda *_: problem())
    with patch.object(lesson_links.st, "rerun") as rerun:
        lesson_links.draw_way_to_class.__wrapped__()
    assert rerun.called == (problem is NoSuchClassError)
