"""What commands that take long share: their data, and how they are stopped and resumed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.command_line.command import UsageError, shown_path
from dpviz.command_line.ends import StoppedError, tell
from dpviz.command_line.files import cannot
from dpviz.scenario.errors import MissingPackageError
from dpviz.wording.numbers import counted

if TYPE_CHECKING:
    from dpviz.studies.run import Journal, Kept


def installed(sources: dict[str, Any], asked: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the data sets to study, those asked for or else all that are there; and what is not.

    Args:
        sources: all data sets by name, each with a ``source``.
        asked: names.

    Raises:
        UsageError: data that were asked for are not installed.
    """
    found, left_out = [], []
    for name in dict.fromkeys(asked or sources):
        try:
            sources[name].source.panel()
        except MissingPackageError as problem:
            if asked:
                raise UsageError(f"--data {name} cannot be studied: {problem}") from None
            left_out.append(f"left out: {name}, as {problem}")
        else:
            found.append(name)
    return found, left_out


def tell_damaged(kept: "Kept | Journal", journal: Path) -> None:
    """Say that lines of a journal are not what was written there."""
    if kept.damaged:
        lines = counted(kept.damaged, "line")
        tell(
            f"{lines} of {shown_path(str(journal))} {'is' if kept.damaged == 1 else 'are'} damaged "
            "and not used: what is lacking is computed again."
        )


@contextmanager
def resumable(command: str, out: str, journal: Path, *ends: type[Exception]) -> Iterator[None]:
    """Say in a sentence what ends a command, and that it goes on from its journal.

    Args:
        out: where results are written, with the option that said so.
        journal: where finished cases are kept.
        ends: errors, besides those of journal and processes, whose message is a clause.

    Raises:
        UsageError: a file cannot be written, the journal is another one's, processes died, or
            somebody has stopped the command.
    """
    from dpviz.studies.run import JournalError, ProcessorsError

    told: tuple[type[Exception], ...] = (JournalError, ProcessorsError, *ends)
    try:
        yield
    except OSError as problem:
        raise cannot(f"{out} cannot be written", problem) from None
    except told as problem:
        raise UsageError(f"{command} cannot go on: {problem}") from None
    except KeyboardInterrupt:
        raise StoppedError(
            f"what is finished is in {shown_path(str(journal))}", resumes=True
        ) from None
