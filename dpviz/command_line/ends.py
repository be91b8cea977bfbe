"""How a command ends that gives no answer: stopped, or held up by the system."""

import errno
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from dpviz.command_line.command import LONGEST_PATH, UsageError

FAULTY, REFUSED, STOPPED = 1, 2, 130  # as shells have it for a program that Ctrl-C ended
_MEMORY = "the memory is not enough: allow more of it (ulimit -v), or ask for less"
_LIMITS = {
    errno.EMFILE: "too many files are open: allow more of them (ulimit -n)",
    errno.ENFILE: "the machine has too many files open",
    errno.ENOMEM: _MEMORY,
    errno.EAGAIN: "the system starts no more processes or threads (ulimit -u, ulimit -v)",
}
# What loaders, numpy and Python say of it in words alone.
_WORDS = {
    "failed to map segment": _MEMORY,
    "cannot allocate memory": _MEMORY,
    "too many open files": _LIMITS[errno.EMFILE],
    "can't start new thread": _LIMITS[errno.EAGAIN],
}


class StoppedError(UsageError):
    """Somebody has stopped the command; the message says what is kept.

    Args:
        kept: what is kept, as a clause.
        resumes: whether the same command goes on from there.
    """

    def __init__(self, kept: str, *, resumes: bool = False) -> None:
        super().__init__(f"stopped: {kept}")
        self.resumes = resumes

    def told(self, arguments: Sequence[str]) -> str:
        """Return the sentence, with the command to go on with."""
        if not self.resumes:
            return f"{self}."
        again = shlex.join(["python", "-m", "dpviz", *arguments])
        shown = again.isprintable() and len(again) <= LONGEST_PATH
        return f"{self}; the same command goes on from there{': ' + again if shown else '.'}"


def tell(sentence: str) -> None:
    """Say something beside the answer; whoever has closed standard error, or filled it, has not."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(f"dpviz: {sentence}", file=sys.stderr, flush=True)


def limit_reached(problem: BaseException) -> str | None:
    """Return which limit of the system is behind a problem, in words; ``None`` for none."""
    for one in _causes(problem):
        if isinstance(one, MemoryError):
            return _MEMORY
        if isinstance(one, OSError) and one.errno in _LIMITS:
            return _LIMITS[one.errno]
        for words, limit in _WORDS.items():
            if words in str(one).lower():
                return limit
    return None


def end_of(problem: BaseException) -> tuple[int, str]:
    """Return exit code and sentence for what ended a command unforeseen.

    Raises:
        BaseException: the problem itself, which is a fault of dpviz.
    """
    causes = [*_causes(problem)]
    # Packages written in C make an ImportError of what stops them while they are loaded.
    if any(isinstance(one, KeyboardInterrupt) for one in causes):
        return STOPPED, "stopped."
    limit = limit_reached(problem)
    if limit is not None:
        return REFUSED, f"held up by the system: {limit}."
    if isinstance(problem, ImportError):
        said = " ".join(str(causes[-1]).split())
        return REFUSED, f"a package cannot be loaded: {said[:LONGEST_PATH].rstrip('.')}."
    raise problem


def _causes(problem: BaseException | None) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    while problem is not None and problem not in seen:
        seen.append(problem)
        yield problem
        problem = problem.__cause__ or problem.__context__
