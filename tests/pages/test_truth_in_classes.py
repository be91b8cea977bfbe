"""What is true is shown to a class: its vote is closed until it votes again, on all devices."""

from unittest.mock import patch

import pytest

from dpviz.classroom.records import ClassesUnavailableError, NoSuchClassError, Standing, Tally
from dpviz.classroom.store import Classes
from dpviz.ui import classes as ui_classes
from dpviz.ui import lesson_links
from dpviz.ui.lesson_links import prepared_query
from dpviz.ui.presenter import stop_at
from dpviz.ui.questions import classroom
from dpviz.ui.state import State
from dpviz.wording.lessons import LESSONS_BY_NAME

PAGE, LINK = "lessons", {}
LESSON = LESSONS_BY_NAME["bag"]
CLOSED = "what is true was shown, and your vote is closed until the class votes again"
OPEN_VOTE = "your vote is counted. You can change it"


def joined(opened, teacher, **more):
    return opened({"class": teacher["class_code"], "lesson": "bag", **more})


def back(app, link):
    """Open an address of before, as the browser's Back does."""
    with patch("dpviz.ui.address.goes_through_history", lambda: True):
        return app.open_link(link)


def counted(kept, teacher, round_=-1):
    return kept.tally(teacher["class_code"], teacher["class_key"], "bag").counts[round_]


def test_who_saw_what_is_true_changes_no_vote_by_the_browsers_back(kept, opened, teacher):
    """Neither after it was shown to the class, nor where a participant has looked it up."""
    first, second = (joined(opened, teacher).act("predict_bag", "a") for _ in range(2))
    before = first.link
    first.press("reveal_bag")
    back(first, before)
    assert "revealed" not in first.link
    assert CLOSED in first.all_words
    assert first.control("predict_bag").disabled
    first.act("predict_bag", "b")
    second.act("predict_bag", "c")  # that of who has not is open
    assert OPEN_VOTE in second.all_words
    assert counted(kept, teacher) == {"a": 1, "c": 1}
    opened(teacher | {"lesson": "bag"}).press("reveal_bag")
    before = second.link
    second.press("reveal_bag")
    back(second, before).act("predict_bag", "b")
    assert CLOSED in second.all_words
    assert second.link["answers"] == "bag-c"
    assert counted(kept, teacher) == {"a": 1, "c": 1}


def test_a_choice_on_a_phone_that_has_not_heard_that_the_vote_is_closed_is_not_counted(
    kept, opened, teacher
):
    voted, late = joined(opened, teacher).act("predict_bag", "a"), joined(opened, teacher)
    opened(teacher | {"lesson": "bag"}).press("reveal_bag")
    voted.act("predict_bag", "b")
    assert CLOSED in voted.all_words
    assert voted.control("predict_bag").value == "a"
    late.act("predict_bag", "b")  # for whoever does the lesson alone by now
    assert "what is true was shown, and no vote is counted" in late.all_words
    assert late.control("predict_bag").value == "b"
    assert not late.warnings
    assert "send_bag" not in late.controls
    assert counted(kept, teacher) == {"a": 1}


def test_who_leads_needs_no_prediction_and_shows_a_class_what_is_true(kept, opened, teacher):
    room = opened(teacher | {"lesson": "bag"})
    assert not room.control("reveal_bag").disabled
    assert "closed until the class votes again" in room.control("reveal_bag").help
    room.press("reveal_bag")
    assert LESSON.text.take_away in room.all_words
    assert "The vote is closed, as what is true was shown." in room.all_words
    # No letter, of which each phone has another one.
    assert f"True is **{LESSON.text.choices[LESSON.right]}**." in room.all_words
    assert joined(opened, teacher).control("reveal_bag").disabled


def test_the_class_votes_again_and_what_is_true_is_hidden_on_every_device(kept, opened, teacher):
    phone = joined(opened, teacher).act("predict_bag", "a")
    room, other = (opened(teacher | {"lesson": "bag"}) for _ in range(2))
    for device in (room, other, phone):
        device.press("reveal_bag")
    room.press("show_votes_bag").press("vote_again_bag")
    for device in (room, other.run(), phone.run()):
        assert "revealed" not in device.link
        assert LESSON.text.take_away not in device.all_words
    phone.act("predict_bag", "d")
    assert OPEN_VOTE in phone.all_words
    assert counted(kept, teacher) == {"d": 1}


def test_the_keys_that_lead_to_what_is_true_close_the_vote(kept, opened, open_page, teacher):
    page = open_page(
        prepared_query(State(), LESSON) | teacher | {"present": "1"}, LESSON.page, parts=()
    )
    phone = joined(opened, teacher).act("predict_bag", "a")
    page.query_params.update(stop_at(page.state, LESSON.page, 1).query)
    page.go_to("lessons")
    assert LESSON.text.take_away in page.all_words
    assert CLOSED in phone.run().all_words


def test_who_leads_begins_without_what_is_true_and_without_own_answers(kept, opened, teacher):
    """Who has tried the lessons before a class shows the room neither."""
    known = {"answers": "bag-b", "revealed": "bag"}
    room = opened(teacher | {"lesson": "bag", **known})
    assert LESSON.text.take_away not in room.all_words
    assert not kept.tally(teacher["class_code"], teacher["class_key"], "bag").is_closed
    started = opened(known, ("open_for_teachers",)).press("start_class")
    assert not {"answers", "revealed"} & started.link.keys()


def test_who_does_a_lesson_without_a_class_sees_what_is_true(kept, opened):
    app = opened({"lesson": "bag"}).act("predict_bag", "a")
    before = app.link
    app.press("reveal_bag")
    assert LESSON.text.take_away in app.all_words
    back(app, before).act("predict_bag", "b")
    assert app.link["answers"] == "bag-b"
    assert not kept.path.exists()


def test_what_cannot_be_noted_is_told_to_who_leads(kept, opened, teacher):
    room, phone = opened(teacher | {"lesson": "bag"}), joined(opened, teacher)
    phone.act("predict_bag", "a")
    with patch.object(Classes, "tell_truth", side_effect=ClassesUnavailableError):
        assert "cannot be reached" in room.press("reveal_bag").warnings
        assert not phone.press("reveal_bag").warnings
    assert LESSON.text.take_away in phone.all_words


@pytest.mark.parametrize("is_shown", [False, True])
@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize("of_round", [1, 2])
def test_what_the_other_device_has_led_to_is_followed(monkeypatch, is_shown, is_closed, of_round):
    now = Tally(
        participants=3, round=2, is_shown=False, is_closed=False, counts=({}, {}), changed=0
    )
    monkeypatch.setattr(classroom, "session_state", lambda: None)
    monkeypatch.setattr(ui_classes, "tally_of", lambda *_: now)
    drawn = standing(of_round, is_shown=is_shown, told=of_round * is_closed)
    with patch.object(classroom.st, "rerun") as rerun:
        classroom.follow_votes.__wrapped__("bag", drawn, is_told=True)
    assert rerun.called == ((is_shown, is_closed, of_round) != (False, False, 2))


def standing(round_=1, *, is_shown=False, told=0):
    return Standing(
        is_teacher=False,
        is_participant=True,
        round=round_,
        is_shown=is_shown,
        choice="a",
        voted=1,
        place="bag",
        told=told,
    )


@pytest.mark.parametrize(
    ("now", "is_drawn_anew", "says"),
    [
        (standing(), False, "You can change it until the votes are shown"),
        (standing(is_shown=True), False, "the votes are shown"),
        (standing(told=1), True, "your vote is closed"),
        (standing(2, told=1), True, "Your vote of before counts unless you change it"),
        (ClassesUnavailableError(), False, "cannot be reached"),
        (NoSuchClassError(), True, ""),
    ],
)
def test_a_phone_that_is_looked_at_follows_without_a_touch(monkeypatch, now, is_drawn_anew, says):
    monkeypatch.setattr(lesson_links, "session_state", State)
    monkeypatch.setattr(lesson_links, "standing_in", lambda *_: now)
    with (
        patch.object(lesson_links.st, "rerun") as rerun,
        patch.object(lesson_links.st, "caption") as caption,
    ):
        lesson_links.draw_own_vote_line.__wrapped__("bag", standing(), "a", is_revealed=False)
    assert rerun.called == is_drawn_anew
    assert says in str(caption.call_args)


def test_who_looked_it_up_before_any_vote_has_none_either(kept, opened, teacher):
    """An answer of before the class allows to look."""
    app = joined(opened, teacher, answers="bag-a")
    before = app.link
    app.press("reveal_bag")
    back(app, before).act("predict_bag", "b")
    assert "no vote is counted until the class votes again" in app.all_words
    assert counted(kept, teacher) == {}


def test_whose_first_link_shows_what_is_true_has_no_vote_either(kept, opened, teacher):
    seen = joined(opened, teacher, answers="bag-a", revealed="bag")
    back(seen, seen.link | {"revealed": ""}).act("predict_bag", "b")
    assert "no vote is counted" in seen.all_words
    assert counted(kept, teacher) == {}
