"""The answers so far, kept beside the output: what a killed sweep need not compute again."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from dpviz.sweeps.answer import Answer

_FORM = 1


class JournalError(ValueError):
    """A journal cannot be gone on with; the message is one sentence without a full stop."""


class Journal:
    """Appends answers to a file, and knows those that are in it.

    Each chunk is on the disk before the next one is asked for. A line that a kill has torn, or a
    disk has damaged, is as if it were not there: its row is computed again.

    Args:
        path: the file; made if there is none.
        fingerprint: of the sweep, see :func:`dpviz.sweeps.grid.fingerprint`.
        num_rows: how many rows the sweep has.

    Raises:
        JournalError: the file is another sweep's journal or none, or somebody is writing it.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, fingerprint: str, num_rows: int) -> None:
        self.path = path
        self.known: dict[int, Answer] = {}
        self._file: BinaryIO = path.open("a+b")
        try:
            self._lock()
            self._file.seek(0)
            content = self._file.read()
            whole = content[: content.rfind(b"\n") + 1]
            if len(whole) < len(content):
                self._file.truncate(len(whole))  # else the next line would go on with the torn one
            lines = whole.splitlines()
            head = {"journal": _FORM, "sweep": fingerprint, "rows": num_rows}
            if not lines:
                self._write([head])
            elif _value(lines[0]) != head:
                raise JournalError(
                    f"{path} is the journal of another sweep, of other rows or epsilons, or by "
                    "another version of dpviz: write to another --out, or remove it to begin anew"
                )
            self._read(lines[1:], num_rows)
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
                f"{self.path} is being written by another sweep: wait for it, or write to another "
                "--out"
            ) from None

    def _read(self, lines: Sequence[bytes], num_rows: int) -> None:
        for line in lines:
            entry = _value(line)
            number = entry.get("row") if isinstance(entry, dict) else None
            if isinstance(number, int) and 1 <= number <= num_rows and "answer" in entry:
                self.known[number] = entry["answer"]

    def add(self, answers: Sequence[tuple[int, Answer]]) -> None:
        """Keep answers; they are on the disk when this returns.

        Raises:
            OSError: there is no room.
        """
        self._write([{"row": number, "answer": answer} for number, answer in answers])
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


def _value(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
