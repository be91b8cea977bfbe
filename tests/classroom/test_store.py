"""Classes in their file: who may do what, what is counted, and what is left of it."""

import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from dpviz.classroom import class_file, store
from dpviz.classroom.allowance import Allowance
from dpviz.classroom.records import (
    MOST_VOTES,
    SCORED_ROUNDS,
    SECONDS,
    ClassesUnavailableError,
    ClassFullError,
    NoSuchClassError,
    NotTheTeacherError,
    Started,
    TooManyClassesError,
    TruthShownError,
    VotesShownError,
)
from dpviz.classroom.store import Classes, new_key
from dpviz.settings.lessons import CODE_LETTERS, KEY_DIGITS


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def classes(tmp_path: Path, clock: Clock) -> Classes:
    return Classes(tmp_path / "kept" / "classes.sqlite", clock)


@pytest.fixture
def started(classes: Classes) -> Started:
    return classes.start()


def test_votes_are_counted_once_for_each_participant_until_they_are_shown(classes, started):
    code, key = started.code, started.key
    ann, ben = new_key(), new_key()
    classes.vote(code, ann, "rates", "a")
    classes.vote(code, ann, "rates", "c")
    classes.vote(code, ben, "rates", "c")
    classes.vote(code, ben, "leak", "d")
    tally = classes.tally(code, key, "rates")
    assert (tally.participants, tally.voted, tally.counts) == (2, 2, ({"c": 2},))
    classes.show(code, key, "rates")
    classes.vote(code, ann, "rates", "a")
    assert classes.tally(code, key, "rates").counts == ({"c": 2},)
    assert not classes.standing(code, ann, "leak").is_shown
    assert classes.standing(code, ben, "rates").choice == "c"


def test_who_chooses_while_the_votes_are_shown_has_voted_in_the_next_round(classes, started):
    """A phone need not know that there is one by now."""
    code, key = started.code, started.key
    ann, eve = new_key(), new_key()
    classes.vote(code, ann, "rates", "a")
    classes.show(code, key, "rates")
    for participant, choice in ((ann, "b"), (ann, "c"), (eve, "d")):
        classes.vote(code, participant, "rates", choice)
        standing = classes.standing(code, participant, "rates")
        assert (standing.choice, standing.is_of_next) == (choice, True)
    assert classes.tally(code, key, "rates").counts == ({"a": 1},)
    classes.vote_again(code, key, "rates")
    assert not classes.standing(code, ann, "rates").is_of_next
    tally = classes.tally(code, key, "rates")
    assert (tally.counts, tally.changed) == (({"a": 1}, {"c": 1, "d": 1}), 1)


def test_after_the_last_round_no_vote_is_counted(classes, started):
    code, key = started.code, started.key
    for _ in range(MOST_VOTES):
        classes.vote_again(code, key, "rates")
        classes.show(code, key, "rates")
    with pytest.raises(VotesShownError):
        classes.vote(code, new_key(), "rates", "a")
    assert classes.tally(code, key, "rates").round == MOST_VOTES


def test_nobody_votes_who_was_shown_what_is_true_until_the_class_votes_again(classes, started):
    """By the teacher all are shown it; who looks it up alone has no vote from then on."""
    code, key = started.code, started.key
    ann, ben = new_key(), new_key()
    for participant in (ann, ben):
        classes.vote(code, participant, "rates", "a")
    classes.tell_truth(code, ann, "rates")
    early = new_key()
    classes.tell_truth(code, early, "rates")  # before a first vote
    classes.show(code, key, "rates")
    classes.vote(code, ben, "rates", "c")
    for told in ((ann, early), (ann, ben, early, new_key())):
        for participant in told:
            with pytest.raises(TruthShownError):
                classes.vote(code, participant, "rates", "b")
        classes.tell_truth(code, key, "rates")
    assert classes.standing(code, ben, "rates").is_closed
    assert classes.tally(code, key, "rates").is_closed
    assert not classes.standing(code, ann, "leak").is_closed
    classes.vote_again(code, key, "rates")
    assert classes.standing(code, ann, "rates").is_asked_again
    assert not classes.tally(code, key, "rates").is_closed
    classes.vote(code, ann, "rates", "d")
    tally = classes.tally(code, key, "rates")
    assert (tally.participants, tally.counts) == (3, ({"a": 2}, {"c": 1, "d": 1}))


def test_who_does_not_vote_again_keeps_the_vote_of_before(classes, started):
    code, key = started.code, started.key
    ann, ben, eve = new_key(), new_key(), new_key()
    classes.vote(code, ann, "rates", "a")
    classes.vote(code, ben, "rates", "a")
    classes.vote_again(code, key, "rates")  # nothing is shown yet
    assert classes.tally(code, key, "rates").round == 1
    classes.show(code, key, "rates")
    classes.vote_again(code, key, "rates")
    classes.vote(code, ben, "rates", "c")
    classes.vote(code, eve, "rates", "b")
    tally = classes.tally(code, key, "rates")
    assert tally.counts == ({"a": 2}, {"a": 1, "b": 1, "c": 1})
    assert (tally.round, tally.is_shown, tally.changed, tally.voted) == (2, False, 1, 3)


def test_nobody_without_the_teachers_key_reads_shows_or_ends(classes, started):
    participant = new_key()
    classes.vote(started.code, participant, "rates", "a")
    other = classes.start()
    for key in (participant, other.key, new_key(), "", started.key[:-1], f"{started.key} "):
        for act in (
            lambda key: classes.tally(started.code, key, "rates"),
            lambda key: classes.show(started.code, key, "rates"),
            lambda key: classes.vote_again(started.code, key, "rates"),
            lambda key: classes.go_to(started.code, key, "rates"),
            lambda key: classes.scores(started.code, key),
            lambda key: classes.end(started.code, key),
        ):
            with pytest.raises(NotTheTeacherError):
                act(key)
        assert not classes.standing(started.code, key, "rates").is_teacher
    assert classes.standing(started.code, started.key, "rates").is_teacher
    assert not classes.tally(started.code, started.key, "rates").is_shown


def test_no_key_stands_in_the_file_and_nobody_else_may_read_it(classes, started):
    participant = new_key()
    classes.vote(started.code, participant, "rates", "a")
    for path in classes.path.parent.iterdir():
        kept = path.read_bytes()
        for key in (started.key, participant):
            assert key.encode() not in kept
            assert bytes.fromhex(key) not in kept
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 or sys.platform == "win32"


def test_class_ends_by_itself_and_is_deleted(classes, started, clock):
    clock.now += SECONDS - 1
    later = classes.start()
    classes.vote(started.code, new_key(), "rates", "a")
    classes.go_to(started.code, started.key, "rates")
    clock.now += 1
    for key in (started.key, new_key()):
        with pytest.raises(NoSuchClassError):
            classes.standing(started.code, key, "rates")
    with pytest.raises(NoSuchClassError):
        classes.vote(started.code, new_key(), "rates", "a")
    assert classes.standing(later.code, later.key, "rates").is_teacher
    classes.forget_ended()
    assert rows(classes) == {"classes": 1, "participants": 0, "votes": 0, "told": 0, "places": 0}


def test_ended_class_leaves_nothing(classes, started):
    participant = new_key()
    classes.vote(started.code, participant, "rates", "a")
    classes.note_score(started.code, participant, game="0123abcd", rounds=1, right=1)
    classes.tell_truth(started.code, participant, "rates")
    classes.show(started.code, started.key, "rates")
    classes.end(started.code, started.key)
    assert set(rows(classes).values()) == {0}
    with pytest.raises(NoSuchClassError):
        classes.end(started.code, started.key)
    assert store._hash(participant) not in classes.path.read_bytes()


def rows(classes: Classes) -> dict[str, int]:
    file = sqlite3.connect(classes.path)
    names = ("classes", "participants", "votes", "told", "places")
    found = {name: file.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
    file.close()
    return found


def test_scores_are_of_the_first_rounds_of_the_first_game(classes, started):
    code, first, second = started.code, new_key(), new_key()
    for rounds in range(1, SCORED_ROUNDS + 5):
        classes.note_score(code, first, game="one", rounds=rounds, right=rounds - rounds // 3)
    classes.note_score(code, first, game="one", rounds=SCORED_ROUNDS, right=SCORED_ROUNDS)
    classes.note_score(code, first, game="two", rounds=SCORED_ROUNDS, right=SCORED_ROUNDS)
    classes.note_score(code, second, game="two", rounds=1, right=0)
    assert classes.scores(code, started.key) == (7,)
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match="no score"):
            classes.note_score(code, second, game="two", rounds=2, right=wrong)


@pytest.mark.parametrize(
    ("key", "lesson", "choice"),
    [("", "rates", "a"), (new_key(), "x", "a"), (new_key(), "bag", "e")],
    ids=("no key", "no lesson", "no choice"),  # keys differ at each run
)
def test_what_no_question_has_is_refused(classes, started, key, lesson, choice):
    with pytest.raises(ValueError, match=r"no choice|needs a key"):
        classes.vote(started.code, key, lesson, choice)
    assert rows(classes)["participants"] == 0


def test_limits(classes, started, clock, monkeypatch):
    monkeypatch.setattr(store, "MOST_PARTICIPANTS", 2)
    monkeypatch.setattr(store, "MOST_CLASSES", 2)
    keys = [new_key(), new_key()]
    for key in keys:
        classes.vote(started.code, key, "rates", "a")
    with pytest.raises(ClassFullError):
        classes.vote(started.code, new_key(), "rates", "a")
    classes.vote(started.code, keys[0], "rates", "b")  # who is in it stays
    classes.start()
    with pytest.raises(TooManyClassesError):
        classes.start()
    clock.now += SECONDS
    classes.start()


def test_there_are_no_classes_before_the_first_one_is_started(classes):
    for act in (
        lambda: classes.standing("BCDFG", "", "rates"),
        lambda: classes.vote("BCDFG", new_key(), "rates", "a"),
    ):
        with pytest.raises(NoSuchClassError):
            act()
    classes.forget_ended()
    assert not classes.path.exists()


AT_ONE_MOMENT = """
import sys, time
from pathlib import Path
from dpviz.classroom.store import Classes
folder, first = Path(sys.argv[1]), float(sys.argv[2])
for number in range(20):
    while time.time() < first + number / 20:
        pass
    Classes(folder / f"{number}.sqlite").start()
"""


def test_servers_that_make_the_file_at_one_moment_wait_for_each_other(tmp_path):
    command = [sys.executable, "-c", AT_ONE_MOMENT, str(tmp_path), str(time.time() + 3.0)]
    servers = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
    assert [one.communicate()[1] for one in servers] == [b""] * 4
    assert all(rows(Classes(tmp_path / f"{number}.sqlite"))["classes"] == 4 for number in range(20))


IN_ANOTHER_PROCESS = """
import sys
from pathlib import Path
from dpviz.classroom.store import Classes, new_key
new, known, code = sys.argv[1:]
for _ in range(20):
    Classes(Path(new)).start()
    Classes(Path(known)).vote(code, new_key(), "rates", "b")
"""


def test_two_processes_lose_nothing_of_a_new_file_or_of_votes(tmp_path):
    new, known = Classes(tmp_path / "new.sqlite"), Classes(tmp_path / "known.sqlite")
    started = known.start()
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, str(new.path), str(known.path)]
    both = [subprocess.Popen([*command, started.code], stderr=subprocess.PIPE) for _ in range(2)]
    assert [one.communicate()[1] for one in both] == [b"", b""]
    assert rows(new)["classes"] == 40
    assert known.tally(started.code, started.key, "rates").counts == ({"b": 40},)


def test_locked_file_is_waited_for_and_then_named(classes, started, monkeypatch, caplog):
    monkeypatch.setattr(class_file, "_BUSY_SECONDS", 0.05)
    other = sqlite3.connect(classes.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ClassesUnavailableError):
        classes.vote(started.code, new_key(), "rates", "a")
    assert "locked" in caplog.text
    assert classes.tally(started.code, started.key, "rates").voted == 0  # who reads waits for none
    other.execute("ROLLBACK")
    other.close()
    classes.vote(started.code, new_key(), "rates", "a")


@pytest.mark.parametrize(
    "damage",
    [b"no database at all" * 100, b"SQLite format 3\0" + bytes(4000)],
    ids=("text", "zeros"),
)
def test_damaged_file_is_named_and_left_as_it_is(classes, started, damage):
    for path in classes.path.parent.iterdir():
        path.unlink()
    classes.path.write_bytes(damage)
    with pytest.raises(ClassesUnavailableError):
        classes.standing(started.code, started.key, "rates")
    with pytest.raises(ClassesUnavailableError):
        classes.start()
    assert classes.path.read_bytes() == damage


def test_bytes_that_are_damaged_within_are_named(classes, started):
    """What no number or text can be, in the place of a key, and in words of SQLite's own."""
    for changes in (
        ("PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = replace(sql, 'NOT', '')"),
        ("UPDATE classes SET key = NULL",),
    ):
        with closing(sqlite3.connect(classes.path)) as file:
            for change in changes:
                file.execute(change)
            file.commit()
    with pytest.raises(ClassesUnavailableError):
        classes.standing(started.code, started.key, "rates")
    content = classes.path.read_bytes()
    assert b"CREATE TABLE scores" in content
    classes.path.write_bytes(content.replace(b"CREATE TABLE scores", b"CR\xe1ATE TABLE scores"))
    with pytest.raises(ClassesUnavailableError):
        classes.standing(started.code, started.key, "rates")


@pytest.mark.parametrize(("version", "lacks"), [(1, ("told", "places")), (2, ("places",))])
def test_class_of_an_earlier_version_goes_on(classes, started, version, lacks):
    with closing(sqlite3.connect(classes.path)) as file:
        dropped = "".join(f"DROP TABLE {name}; " for name in lacks)
        file.executescript(f"{dropped}PRAGMA user_version = {version}")
    classes.vote(started.code, new_key(), "rates", "a")
    classes.tell_truth(started.code, started.key, "rates")
    assert classes.tally(started.code, started.key, "rates").is_closed
    assert classes.standing(started.code, "", "rates").place == "rates"


def test_file_of_another_version_is_not_used(classes, started):
    file = sqlite3.connect(classes.path)
    file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(ClassesUnavailableError):
        classes.standing(started.code, started.key, "rates")


def test_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ClassesUnavailableError):
        Classes(tmp_path / "file" / "classes.sqlite").start()


def test_codes_and_keys_are_of_their_form():
    keys = {new_key() for _ in range(50)}
    assert len(keys) == 50
    assert {len(key) for key in keys} == {KEY_DIGITS}
    assert not set("AEIOUYL") & set(CODE_LETTERS)


def test_an_address_may_begin_so_many_in_so_much_time():
    now = [0.0]
    allowance = Allowance(2, 10.0, clock=lambda: now[0])
    assert [allowance.take("a") for _ in range(3)] == [True, True, False]
    assert all(allowance.take("") for _ in range(5))  # nobody knows whose
    now[0] = 10.0
    assert allowance.take("a")
