"""Classes, votes and scores in one SQLite file, which several servers of a machine may share.

Keys are kept as hashes only: who reads the file can neither lead a class nor vote for somebody.
Expired classes cannot be read, and every call that writes deletes them.
"""

import hashlib
import hmac
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dpviz.classroom.class_file import number, opened
from dpviz.classroom.records import (
    MOST_CLASSES,
    MOST_PARTICIPANTS,
    MOST_VOTES,
    SCORED_ROUNDS,
    SECONDS,
    ClassFullError,
    NoSuchClassError,
    NotTheTeacherError,
    Standing,
    Started,
    Tally,
    TooManyClassesError,
    TruthShownError,
    VotesShownError,
)
from dpviz.settings.lessons import CHOICES, CODE_LENGTH, CODE_LETTERS, KEY_DIGITS, LESSONS

_EVERYBODY = 0  # no participant has this number
_TRIES = 20  # to find a code that no other class has
_SET_QUESTION = (
    "INSERT OR REPLACE INTO questions (class, lesson, round, is_shown) VALUES (?, ?, ?, ?)"
)


def new_key() -> str:
    """Return a key that nobody can guess, a participant's or a teacher's."""
    return secrets.token_hex(KEY_DIGITS // 2)


@dataclass(frozen=True)
class Classes:
    """The classes of one file.

    Methods raise what the errors of :mod:`dpviz.classroom.records` say of themselves, every one
    ClassesUnavailableError, and ValueError for a lesson, choice, score or key that there is not.

    Args:
        path: of the file; it and its folder are made when a class is started.
    """

    path: Path
    clock: Callable[[], float] = time.time

    def start(self) -> Started:
        """Start a class."""
        key = new_key()
        with self._changing(creates=True) as file:
            if number(file, "SELECT count(*) FROM classes") >= MOST_CLASSES:
                raise TooManyClassesError
            for _ in range(_TRIES):
                code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
                done = file.execute(
                    "INSERT OR IGNORE INTO classes (code, key, ends) VALUES (?, ?, ?)",
                    (code, _hash(key), self.clock() + SECONDS),
                )
                if done.rowcount:
                    return Started(code=code, key=key)
        raise TooManyClassesError

    def end(self, code: str, key: str) -> None:
        """End a class and delete all that is kept of it."""
        with self._changing() as file:
            file.execute("DELETE FROM classes WHERE id = ?", (self._led(file, code, key),))

    def forget_ended(self) -> None:
        """Delete what is kept of classes that have ended."""
        if self.path.exists():
            with self._changing():
                pass

    def standing(self, code: str, key: str, lesson: str) -> Standing:
        """Return how a lesson's question stands for who has a key; an empty one is nobody's."""
        with self._reading() as file:
            identity, teacher = self._found(file, code)
            shown = _question(file, identity, lesson)
            participant = _participant(file, identity, key)
            votes = file.execute(
                "SELECT choice, round FROM votes WHERE class = ? AND lesson = ? AND participant = ?"
                " ORDER BY round DESC LIMIT 1",
                (identity, lesson, participant),
            ).fetchone()
            told = _told(file, identity, lesson, participant)
            place = _place(file, identity)
        return Standing(
            is_teacher=_is_same(teacher, key),
            is_participant=participant is not None,
            round=shown[0],
            is_shown=shown[1],
            choice=votes[0] if votes else "",
            voted=votes[1] if votes else 0,
            place=place,
            told=told,
        )

    def go_to(self, code: str, key: str, lesson: str) -> None:
        """Note that the class is at a lesson: its teacher has opened it. Errors as for ``tally``.

        To show votes or what is true of a lesson, or to vote on it again, notes it, too.
        """
        if lesson not in LESSONS:
            raise ValueError(f"there is no lesson {lesson}")
        with self._changing() as file:
            _go_to(file, self._led(file, code, key), lesson)

    def vote(self, code: str, key: str, lesson: str, choice: str) -> None:
        """Count a vote, in place of the participant's own one before in this round.

        While the votes are shown it is one of the next round: a phone may not know of it yet. Who
        was shown what is true has no vote until the class votes again.
        """
        if lesson not in LESSONS or choice not in CHOICES:
            raise ValueError(f"{lesson} has no choice {choice}")
        with self._changing() as file:
            identity, _ = self._found(file, code)
            round_, is_shown = _question(file, identity, lesson)
            participant = _admitted(file, identity, key)
            if _told(file, identity, lesson, participant) >= round_:
                raise TruthShownError
            if is_shown and round_ == MOST_VOTES:
                raise VotesShownError
            file.execute(
                "INSERT OR REPLACE INTO votes (class, lesson, participant, round, choice)"
                " VALUES (?, ?, ?, ?, ?)",
                (identity, lesson, participant, round_ + is_shown, choice),
            )

    def tell_truth(self, code: str, key: str, lesson: str) -> None:
        """Note that what is true is shown: by the teacher to all, else to a participant alone.

        Also to one who has not voted yet, so that no first vote follows.
        """
        with self._changing() as file:
            identity, teacher = self._found(file, code)
            if _is_same(teacher, key):
                who = _EVERYBODY
                _go_to(file, identity, lesson)
            else:
                who = _admitted(file, identity, key)
            round_, _ = _question(file, identity, lesson)
            file.execute(
                "INSERT OR REPLACE INTO told (class, lesson, participant, round)"
                " VALUES (?, ?, ?, ?)",
                (identity, lesson, who, round_),
            )

    def tally(self, code: str, key: str, lesson: str) -> Tally:
        """Return the votes on a lesson's question."""
        with self._reading() as file:
            identity = self._led(file, code, key)
            last, is_shown = _question(file, identity, lesson)
            told = _told(file, identity, lesson)
            participants = number(
                file, "SELECT count(*) FROM participants WHERE class = ?", identity
            )
            votes = file.execute(
                "SELECT round, participant, choice FROM votes WHERE class = ? AND lesson = ?",
                (identity, lesson),
            ).fetchall()
        latest: dict[int, str] = {}
        counts, before = list[Counter[str]](), dict[int, str]()
        for round_ in range(1, last + 1):
            before = dict(latest)
            latest |= {who: choice for voted, who, choice in votes if voted == round_}
            counts.append(Counter(latest.values()))
        return Tally(
            participants=participants,
            round=last,
            is_shown=is_shown,
            is_closed=told >= last,
            counts=tuple(counts),
            changed=sum(choice != latest[who] for who, choice in before.items()),
        )

    def show(self, code: str, key: str, lesson: str) -> None:
        """Show the votes of this round: later ones are of the next. Errors as for ``tally``."""
        with self._changing() as file:
            identity = self._led(file, code, key)
            round_, _ = _question(file, identity, lesson)
            file.execute(_SET_QUESTION, (identity, lesson, round_, True))
            _go_to(file, identity, lesson)

    def vote_again(self, code: str, key: str, lesson: str) -> None:
        """Begin another round where the votes are shown. Errors as for ``tally``."""
        with self._changing() as file:
            identity = self._led(file, code, key)
            round_, is_shown = _question(file, identity, lesson)
            if is_shown and round_ < MOST_VOTES:
                file.execute(_SET_QUESTION, (identity, lesson, round_ + 1, False))
                _go_to(file, identity, lesson)

    def note_score(self, code: str, key: str, *, game: str, rounds: int, right: int) -> None:
        """Take a participant's score in the first rounds of the first game that was played.

        What was played before, again or beyond the rounds that count changes nothing.
        """
        if not 0 <= right <= rounds:
            raise ValueError(f"{right} of {rounds} is no score")
        if not 1 <= rounds <= SCORED_ROUNDS:
            return
        with self._changing() as file:
            identity, _ = self._found(file, code)
            file.execute(
                "INSERT INTO scores (class, participant, game, rounds, right)"
                " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
                " SET rounds = excluded.rounds, right = excluded.right"
                " WHERE game = excluded.game AND rounds < excluded.rounds",
                (identity, _admitted(file, identity, key), game, rounds, right),
            )

    def scores(self, code: str, key: str) -> tuple[int, ...]:
        """Return how many rounds of the game were right, of each who has played all that count.

        Errors as for ``tally``.
        """
        with self._reading() as file:
            identity = self._led(file, code, key)
            query = "SELECT right FROM scores WHERE class = ? AND rounds = ? ORDER BY right"
            return tuple(right for (right,) in file.execute(query, (identity, SCORED_ROUNDS)))

    def _found(self, file: sqlite3.Connection, code: str) -> tuple[int, bytes]:
        found = file.execute(
            "SELECT id, key FROM classes WHERE code = ? AND ends > ?", (code, self.clock())
        ).fetchone()
        if found is None:
            raise NoSuchClassError
        return int(found[0]), bytes(found[1])

    def _led(self, file: sqlite3.Connection, code: str, key: str) -> int:
        """Return a class's identity for its teacher, and for nobody else."""
        identity, teacher = self._found(file, code)
        if not _is_same(teacher, key):
            raise NotTheTeacherError
        return identity

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with opened(self.path) as file, file:
            file.execute("BEGIN")  # all that is read is of one moment
            yield file

    @contextmanager
    def _changing(self, *, creates: bool = False) -> Iterator[sqlite3.Connection]:
        # Commits, or takes back where something is raised.
        with opened(self.path, creates=creates) as file, file:
            file.execute("BEGIN IMMEDIATE")
            file.execute("DELETE FROM classes WHERE ends <= ?", (self.clock(),))
            yield file


def _question(file: sqlite3.Connection, identity: int, lesson: str) -> tuple[int, bool]:
    found = file.execute(
        "SELECT round, is_shown FROM questions WHERE class = ? AND lesson = ?", (identity, lesson)
    ).fetchone()
    return (1, False) if found is None else (int(found[0]), bool(found[1]))


def _place(file: sqlite3.Connection, identity: int) -> str:
    found = file.execute("SELECT lesson FROM places WHERE class = ?", (identity,)).fetchone()
    return "" if found is None else str(found[0])


def _go_to(file: sqlite3.Connection, identity: int, lesson: str) -> None:
    file.execute("INSERT OR REPLACE INTO places (class, lesson) VALUES (?, ?)", (identity, lesson))


def _told(
    file: sqlite3.Connection, identity: int, lesson: str, participant: int | None = None
) -> int:
    """Return the last round in which all, or a participant, were shown what is true; 0 for none."""
    query = (
        "SELECT coalesce(max(round), 0) FROM told"
        " WHERE class = ? AND lesson = ? AND participant IN (?, ?)"
    )
    return number(file, query, identity, lesson, _EVERYBODY, participant)


def _participant(file: sqlite3.Connection, identity: int, key: str) -> int | None:
    found = file.execute(
        "SELECT id FROM participants WHERE class = ? AND key = ?", (identity, _hash(key))
    ).fetchone()
    return None if found is None else int(found[0])


def _admitted(file: sqlite3.Connection, identity: int, key: str) -> int:
    """Return a participant, a new one where the key is."""
    if len(key) != KEY_DIGITS:
        raise ValueError("a participant needs a key")
    if (known := _participant(file, identity, key)) is not None:
        return known
    query = "SELECT count(*) FROM participants WHERE class = ?"
    if number(file, query, identity) >= MOST_PARTICIPANTS:
        raise ClassFullError
    file.execute("INSERT INTO participants (class, key) VALUES (?, ?)", (identity, _hash(key)))
    return number(file, "SELECT last_insert_rowid()")


def _hash(key: str) -> bytes:
    # Of 128 random bits, so it needs neither salt nor many turns.
    return hashlib.sha256(key.encode()).digest()


def _is_same(teacher: bytes, key: str) -> bool:
    return hmac.compare_digest(teacher, _hash(key))
