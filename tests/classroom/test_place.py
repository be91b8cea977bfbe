"""The lesson that a class is at: where its teacher is, and nobody else takes it."""

from pathlib import Path

import pytest

from dpviz.classroom.records import NotTheTeacherError, Started
from dpviz.classroom.store import Classes, new_key


@pytest.fixture
def classes(tmp_path: Path) -> Classes:
    return Classes(tmp_path / "classes.sqlite")


@pytest.fixture
def started(classes: Classes) -> Started:
    return classes.start()


def test_class_is_where_its_teacher_was_last(classes, started):
    code, key = started.code, started.key

    def place(of=code):
        return classes.standing(of, new_key(), "leak").place

    assert place() == ""
    for lesson in ("bag", "plan"):
        classes.go_to(code, key, lesson)
        assert place() == lesson
    classes.show(code, key, "bag")  # on a device that has it open still
    assert place() == "bag"
    classes.go_to(code, key, "plan")
    classes.vote_again(code, key, "bag")
    assert place() == "bag"
    classes.tell_truth(code, key, "rates")
    assert place() == "rates"
    assert place(classes.start().code) == ""


def test_no_participant_takes_the_class_along(classes, started):
    code, ann = started.code, new_key()
    classes.go_to(code, started.key, "bag")
    classes.vote(code, ann, "plan", "a")
    classes.tell_truth(code, ann, "plan")
    with pytest.raises(NotTheTeacherError):
        classes.go_to(code, ann, "plan")
    assert classes.standing(code, ann, "plan").place == "bag"


def test_there_is_no_other_place_than_a_lesson(classes, started):
    with pytest.raises(ValueError, match="no lesson none"):
        classes.go_to(started.code, started.key, "none")
