"""The SQLite file of classes: what its tables hold, and how several servers open it.

Each call opens the file anew: one that was taken away, locked or damaged spoils one call only.
"""

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from dpviz.classroom.records import ClassesUnavailableError, NoSuchClassError

LOGGER = logging.getLogger(__name__)
_VERSION = 3
_BUSY_SECONDS = 3.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS classes (
  id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, key BLOB NOT NULL, ends REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS participants (
  id INTEGER PRIMARY KEY,
  class INTEGER NOT NULL REFERENCES classes ON DELETE CASCADE,
  key BLOB NOT NULL,
  UNIQUE (class, key)
);
CREATE TABLE IF NOT EXISTS questions (
  class INTEGER NOT NULL REFERENCES classes ON DELETE CASCADE,
  lesson TEXT NOT NULL,
  round INTEGER NOT NULL,
  is_shown INTEGER NOT NULL,
  PRIMARY KEY (class, lesson)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS votes (
  class INTEGER NOT NULL REFERENCES classes ON DELETE CASCADE,
  lesson TEXT NOT NULL,
  participant INTEGER NOT NULL REFERENCES participants ON DELETE CASCADE,
  round INTEGER NOT NULL,
  choice TEXT NOT NULL,
  PRIMARY KEY (class, lesson, participant, round)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS votes_of_participants ON votes (participant);
CREATE TABLE IF NOT EXISTS scores (
  class INTEGER NOT NULL REFERENCES classes ON DELETE CASCADE,
  participant INTEGER NOT NULL REFERENCES participants ON DELETE CASCADE,
  game TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  right INTEGER NOT NULL,
  PRIMARY KEY (class, participant)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS scores_of_participants ON scores (participant);
CREATE TABLE IF NOT EXISTS told (
  class INTEGER NOT NULL REFERENCES classes ON DELETE CASCADE,
  lesson TEXT NOT NULL,
  participant INTEGER NOT NULL,
  round INTEGER NOT NULL,
  PRIMARY KEY (class, lesson, participant)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS places (
  class INTEGER PRIMARY KEY REFERENCES classes ON DELETE CASCADE,
  lesson TEXT NOT NULL
);
"""


@contextmanager
def opened(path: Path, *, creates: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the file for one call; one that ``creates`` makes it, and its folder, where it is not.

    Raises:
        NoSuchClassError: there is no file.
        ClassesUnavailableError: it cannot be used.
    """
    try:
        if not path.exists():
            if not creates:
                raise NoSuchClassError
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)) as file:
            file.execute("PRAGMA foreign_keys = ON")
            file.execute("PRAGMA secure_delete = ON")  # what has ended is overwritten
            _prepare(file)
            yield file
    except (OSError, sqlite3.Error, UnicodeDecodeError, TypeError) as problem:  # or damaged
        LOGGER.warning("Classes are unavailable (%s): %s", path, problem)
        raise ClassesUnavailableError from problem


def _prepare(file: sqlite3.Connection) -> None:
    version = number(file, "PRAGMA user_version")
    if version < _VERSION:  # of an earlier one only tables are missing
        if version == 0:
            _write_ahead(file)
        file.execute("BEGIN IMMEDIATE")
        version = number(file, "PRAGMA user_version")  # another server may have been first
        if version < _VERSION:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                file.execute(statement)
            file.execute(f"PRAGMA user_version = {_VERSION}")
            version = _VERSION
        file.execute("COMMIT")
    if version != _VERSION:
        raise sqlite3.DatabaseError(f"its version is {version}, not {_VERSION}")
    file.execute("PRAGMA synchronous = NORMAL")


def _write_ahead(file: sqlite3.Connection) -> None:
    """Turn a new file to WAL; SQLite itself waits for no other server that does so just now."""
    given_up = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            file.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > given_up:
                raise
            time.sleep(0.01)
        else:
            return


def number(file: sqlite3.Connection, query: str, *values: object) -> int:
    """Return the one number that a query is answered with."""
    return int(file.execute(query, values).fetchone()[0])
