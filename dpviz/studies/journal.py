"""The answers so far on disk: what a study or a sweep that was killed need not compute again."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

# Journals of form 1 had numbers of rows in the place of names of cases.
_FORM = 2
_DIGITS = 16


class JournalError(ValueError):
    """A journal cannot be gone on with; the message is one sentence without a full stop."""


class Journal:
    """Appends answers to a file, one a line, and knows those that are in it.

    What was added is on the disk before the next case is computed. A line that a kill has torn, or
    a disk has damaged, is as if it were not there: its case is computed again.

    Args:
        path: the file; made if there is none.
        what: whose answers, as a noun.
        fingerprint: of what decides all of them, beside the names of the cases.

    Attributes:
        known: answers by the names of their cases.

    Raises:
        JournalError: the file is another one's journal or none, or somebody is writing it.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, what: str, fingerprint: str = "") -> None:
        self.path, self._what = path, what
        self._file: BinaryIO = path.open("a+b")
        try:
            self._lock()
            self._file.seek(0)
            content = self._file.read()
            whole = content[: content.rfind(b"\n") + 1]
            if len(whole) < len(content):
                self._file.truncate(len(whole))  # else the next line would go on with the torn one
            if not whole:
                self._write([_head(what, fingerprint)])
            self.known = _answers(whole, path, what, fingerprint)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise JournalError(
                f"{self.path} is being written by another {self._what}: wait for it, or write "
                "elsewhere"
            ) from None

    def add(self, answers: Sequence[tuple[str, Any]]) -> None:
        """Keep answers, each with the name of its case; they are on the disk when this returns.

        Raises:
            OSError: there is no room.
        """
        self._write([{"case": case, "answer": answer} for case, answer in answers])
        self.known.update(answers)

    def _write(self, entries: Sequence[dict[str, Any]]) -> None:
        lines = "".join(json.dumps(entry, allow_nan=False) + "\n" for entry in entries)
        self._file.write(lines.encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def remove(self) -> None:
        """Remove the file: its answers are elsewhere now."""
        self._file.close()  # Windows removes no file that is open
        with suppress(FileNotFoundError):
            self.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def case_name(words: str, identity: object) -> str:
    """Return the name of a case: words, and a digest of all that decides its answer.

    >>> case_name("linear", {"seed": 1})
    'linear a4bbadc1c78966d2'
    """
    digest = sha256(json.dumps(identity).encode()).hexdigest()
    return f"{words} {digest[:_DIGITS]}"


def answers_in(path: Path, what: str, fingerprint: str = "") -> dict[str, Any]:
    """Return the answers in a journal, which somebody else may be writing; none without a file.

    Raises:
        JournalError: the file is another one's journal or none.
        OSError: it cannot be read.
    """
    try:
        return _answers(path.read_bytes(), path, what, fingerprint)
    except FileNotFoundError:
        return {}


def _head(what: str, fingerprint: str) -> dict[str, Any]:
    return {"journal": _FORM, "of": what, "fingerprint": fingerprint}


def _answers(content: bytes, path: Path, what: str, fingerprint: str) -> dict[str, Any]:
    lines = content.splitlines()
    if lines and (head := _value(lines[0])) != _head(what, fingerprint):
        is_older = isinstance(head, dict) and head.get("journal") == _FORM - 1
        whose = (
            "was begun by an earlier version of dpviz, in a form that is no longer read"
            if is_older
            else f"is the journal of another {what}, or by another version of dpviz"
        )
        raise JournalError(f"{path} {whose}: write elsewhere, or remove it to begin anew")
    entries = [entry for line in lines[1:] if isinstance(entry := _value(line), dict)]
    return {
        entry["case"]: entry["answer"]
        for entry in entries
        if isinstance(entry.get("case"), str) and "answer" in entry
    }


def _value(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
