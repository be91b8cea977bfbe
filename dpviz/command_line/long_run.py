"""What commands that take long share: how far they are, their data, how they stop and resume."""

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.command_line.command import UsageError, shown_path
from dpviz.command_line.ends import StoppedError, tell
from dpviz.command_line.files import cannot
from dpviz.scenario.errors import MissingPackageError, checked_choice
from dpviz.wording.numbers import counted

if TYPE_CHECKING:
    from dpviz.studies.run import Journal

_WIDTH = 30
# Where nobody watches, such as in a log: a line now and then.
_SECONDS_BETWEEN_LINES = 30.0
_SECONDS_BETWEEN_DRAWINGS = 0.1


class ProgressBar:
    """Draws how many of all are done; ``what`` they are is told in the plural."""

    def __init__(self, what: str) -> None:
        self._what, self._stream = what, sys.stderr
        self._began: float | None = None
        self._at_first = 0
        self._drawn = -1e9

    def __call__(self, done: int, total: int) -> None:
        """Draw that so many are done; the first call tells with how many it begins."""
        now = time.monotonic()
        if self._began is None:
            self._began, self._at_first = now, done
        watched = self._stream.isatty()
        wait = _SECONDS_BETWEEN_DRAWINGS if watched else _SECONDS_BETWEEN_LINES
        if now - self._drawn < wait and done < total:
            return
        self._drawn = now
        text = f"{done:,} of {total:,} {self._what}{self._left(done, total, now)}"
        end = "\n"
        if watched:
            filled = _WIDTH * done // total
            bar = "#" * filled + "." * (_WIDTH - filled)
            text, end = f"\r[{bar}] {text}\033[K", "\n" if done == total else ""
        with suppress(OSError):  # nobody watches any more
            print(text, end=end, file=self._stream, flush=True)

    def _left(self, done: int, total: int, now: float) -> str:
        assert self._began is not None  # the call has noted it
        new = done - self._at_first
        if new == 0 or done == total:
            return ""
        seconds = (now - self._began) / new * (total - done)
        left = f"{seconds:.0f} s" if seconds < 90 else f"{-(-seconds // 60):.0f} min"
        return f", about {left} left"


def installed(sources: dict[str, Any], asked: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """Return the data sets to study, those asked for or else all that are there; and what is not.

    Args:
        sources: all data sets by name, each with a ``source``.

    Raises:
        ScenarioError: there are no such data.
        UsageError: data that were asked for are not installed.
    """
    found, left_out = [], []
    names = [checked_choice("data", name, tuple(sources)) for name in asked or ()]
    for name in dict.fromkeys(names or sources):
        try:
            sources[name].source.panel()
        except MissingPackageError as problem:
            if asked:
                raise UsageError(f"--data {name} cannot be studied: {problem}") from None
            left_out.append(f"left out: {name}, as {problem}")
        else:
            found.append(name)
    return found, left_out


@contextmanager
def resumed(
    options: Namespace,
    path: Path,
    opened: "Callable[[Path], Journal]",
    *ends: type[Exception],
    place: str = "out",
) -> "Iterator[Journal]":
    """Open what is finished, and say in a sentence what ends a command that goes on from there.

    Args:
        ends: errors, besides those of journal and processes, whose message is a clause.

    Raises:
        UsageError: a file cannot be written, the journal is another one's, processes died, or
            somebody has stopped the command.
    """
    from dpviz.studies.run import JournalError, ProcessorsError

    told: tuple[type[Exception], ...] = (JournalError, ProcessorsError, *ends)
    try:
        with opened(path) as journal:
            if journal.damaged:
                lines = counted(journal.damaged, "line")
                tell(
                    f"{lines} of {shown_path(str(path))} {'is' if journal.damaged == 1 else 'are'} "
                    "damaged and not used: what is lacking is computed again."
                )
            yield journal
    except OSError as problem:
        where = f"--{place} {shown_path(getattr(options, place))}"
        raise cannot(f"{where} cannot be written", problem) from None
    except told as problem:
        raise UsageError(f"{options.command} cannot go on: {problem}") from None
    except KeyboardInterrupt:
        raise StoppedError(
            f"what is finished is in {shown_path(str(path))}", resumes=True
        ) from None
