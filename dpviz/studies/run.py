"""All cases of a study: each computed once, on all processors, kept as answered."""

import io
import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeVar

from dpviz.files.replacement import keeps_out_others

# Journals of form 1 had numbers of rows in the place of names of cases, those of form 2 no checks.
_FORM = 3
_DIGITS = 16


class JournalError(ValueError):
    """A journal cannot be gone on with; the message is one sentence without a full stop."""


class Journal:
    """Appends answers to a file, one a line, and knows those that are in it.

    What was added is on the disk before the next case is computed. Every line begins with a digest
    of itself and of the journal's first line. One that a kill has torn, or a disk has damaged, if
    only by a bit, is as if it were not there: its case is computed again.

    Args:
        path: the file; made if there is none.
        what: whose answers, as a noun.
        fingerprint: of what decides all of them, beside the names of the cases.
        only_reads: whether the file is left as it is, which somebody else may be writing.

    Attributes:
        known: answers by the names of their cases.
        damaged: how many lines are not what was written, and so are not read.

    Raises:
        JournalError: the file is another one's journal or none, or somebody is writing it.
        OSError: it cannot be read or written.
    """

    def __init__(
        self, path: Path, what: str, fingerprint: str = "", *, only_reads: bool = False
    ) -> None:
        self.path, self._what = path, what
        self._head = json.dumps({"journal": _FORM, "of": what, "fingerprint": fingerprint}).encode()
        if only_reads:
            content = b""
            with suppress(FileNotFoundError):
                content = path.read_bytes()
            self._file: BinaryIO = io.BytesIO(content)
        else:
            self._file = path.open("a+b")
        try:
            if not only_reads and not keeps_out_others(self._file):
                raise JournalError(
                    f"{self.path} is being written by another {what}: wait for it, or write "
                    "elsewhere"
                )
            self._file.seek(0)
            content = self._file.read()
            self.known, self.damaged = self._read(content)
            if not only_reads:
                whole = content.rfind(b"\n") + 1
                self.damaged += 0 < whole < len(content)
                self._file.truncate(whole)  # else the next line would go on with a torn one
                if whole == 0:
                    self._write([self._head])
        except BaseException:
            self._file.close()
            raise

    def _read(self, content: bytes) -> tuple[dict[str, Any], int]:
        """Return what is known, and how many lines are damaged."""
        lines = content.split(b"\n")[:-1]
        first = lines[0] if lines else content
        # A kill before the first line was written leaves a part of it.
        if first != self._head and (lines or not self._head.startswith(first)):
            head = None
            with suppress(ValueError, RecursionError):
                head = json.loads(first)
            is_older = isinstance(head, dict) and head.get("journal") in range(1, _FORM)
            whose = (
                "was begun by an earlier version of dpviz, in a form that is no longer read"
                if is_older
                else f"is the journal of another {self._what}, or by another version of dpviz, or "
                "damaged"
            )
            raise JournalError(f"{self.path} {whose}: write elsewhere, or remove it to begin anew")
        checked = [line.partition(b" ") for line in lines[1:]]
        entries = [json.loads(line) for told, _, line in checked if told == self._digest(line)]
        known = {entry["case"]: entry["answer"] for entry in entries}
        return known, len(checked) - len(entries)

    def _digest(self, line: bytes) -> bytes:
        return sha256(self._head + b"\n" + line).hexdigest()[:_DIGITS].encode()

    def add(self, answers: Sequence[tuple[str, Any]]) -> None:
        """Keep answers, each with the name of its case; they are on the disk when this returns.

        Raises:
            OSError: there is no room.
        """
        entries = [{"case": case, "answer": answer} for case, answer in answers]
        lines = [json.dumps(entry, allow_nan=False).encode() for entry in entries]
        self._write([self._digest(line) + b" " + line for line in lines])
        self.known.update(answers)

    def _write(self, lines: Sequence[bytes]) -> None:
        self._file.write(b"".join(line + b"\n" for line in lines))
        self._file.flush()
        os.fsync(self._file.fileno())

    def remove(self) -> None:
        """Remove the file: its answers are elsewhere now."""
        self._file.close()  # Windows removes no file that is open
        with suppress(FileNotFoundError):
            self.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def case_name(words: str, identity: object) -> str:
    """Return the name of a case: words, and a digest of all that decides its answer.

    >>> case_name("linear", {"seed": 1})
    'linear a4bbadc1c78966d2'
    """
    digest = sha256(json.dumps(identity).encode()).hexdigest()
    return f"{words} {digest[:_DIGITS]}"


Case = TypeVar("Case")
Answer = TypeVar("Answer")
Answers = Sequence[tuple[str, Any]]
"""Names of cases, each with its answer."""
Progress = Callable[[int, int], None]
"""Told how many cases are answered, and how many there are."""
_MOST_DEATHS = 3


class ProcessorsError(RuntimeError):
    """Processes died again and again; the message is one sentence without a full stop."""


def answers_to(
    cases: Mapping[str, Case],
    work: Callable[[dict[str, Case]], Iterator[Answers]],
    *,
    known: Mapping[str, Any] | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return the answers to all cases by their names; those that are known are not computed again.

    Args:
        work: answers some of them, in any order; what it yields is kept before it goes on.
        journal: what was answered before, and where answers are kept as they come.

    >>> answers_to({"a": 1, "b": 2}, each(str), known={"b": "two"})
    {'b': 'two', 'a': '1'}
    """
    told = {} if journal is None else journal.known
    found = dict(known or {}) | {name: told[name] for name in cases if name in told}
    report = progress or (lambda *_: None)
    report(len(found), len({*cases, *found}))
    left = {name: case for name, case in cases.items() if name not in found}
    total = len(found) + len(left)
    for answers in work(left) if left else ():
        if journal is not None:
            journal.add(answers)
        found.update(answers)
        report(len(found), total)
    return found


def each(
    compute: Callable[[Case], Any], processes: int = 1
) -> Callable[[dict[str, Case]], Iterator[Answers]]:
    """Return what computes cases one by one, on so many processes; see :func:`on_processors`."""

    def work(left: dict[str, Case]) -> Iterator[Answers]:
        for answer in on_processors(compute, left, processes):
            yield [answer]

    return work


def on_processors(
    compute: Callable[[Case], Answer], cases: Mapping[str, Case], processes: int
) -> Iterator[tuple[str, Answer]]:
    """Yield the answer to each case with its name, in the order in which they are ready.

    A case whose process dies is computed again.

    Args:
        compute: can be pickled.
        processes: how many at a time; -1 for one a processor.

    Raises:
        ProcessorsError: processes have died too often.
    """
    if processes == 1 or len(cases) < 2:
        for name, case in cases.items():
            yield name, compute(case)
        return
    # Imported here: a wrong option is answered at once.
    from multiprocessing import resource_tracker

    from joblib import Parallel, delayed
    from joblib.externals.loky.backend import resource_tracker as own_tracker
    from joblib.externals.loky.process_executor import BrokenProcessPool

    # Their start lets through what is held back: that of joblib's own, too, before 1.6.
    resource_tracker.ensure_running()
    own_tracker.ensure_running()
    left = dict(cases)
    for _ in range(_MOST_DEATHS + 1):
        pool = Parallel(n_jobs=processes, batch_size=1, return_as="generator_unordered")
        named = delayed(partial(_named, compute))
        try:
            with _ctrl_c_held_back():
                answers = pool(named(name, case) for name, case in [*left.items()])
            for name, answer in answers:
                left.pop(name)
                yield name, answer
        except BrokenProcessPool:  # killed, or out of memory
            continue
        return
    raise ProcessorsError(
        f"processes that compute died {_MOST_DEATHS + 1} times, perhaps for lack of memory: use "
        "fewer --processes"
    )


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Heed Ctrl-C afterwards; processes that are started meanwhile leave it to this one."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _named(compute: Callable[[Case], Answer], name: str, case: Case) -> tuple[str, Answer]:
    return name, compute(case)
