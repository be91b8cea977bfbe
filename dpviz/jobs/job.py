"""One computation that somebody waits for, what it may cost, and what became of it."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

# Whoever waits says so again and again; who has not for so long does not wait any more.
PATIENCE_SECONDS = 3.0


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a computation may use before it is given up.

    Args:
        seconds: processor time, so that a busy machine refuses nothing that an idle one allows.
        megabytes: memory beyond what the process needs anyway.
    """

    seconds: float = 2.0
    megabytes: int = 500


class TooCostlyError(Exception):
    """A computation was given up because it used more than its limits allow.

    Attributes:
        limits: those that it was given.
        what: "time", "memory", "clock" where the machine had too much other work, or "end" where
            the process ended without a word: mostly the system does that when memory runs out, and
            nothing tells.
    """

    def __init__(self, limits: Limits, what: str) -> None:
        self.limits = limits
        self.what = what
        super().__init__(limits, what)

    @property
    def is_lasting(self) -> bool:
        """Whether the same would come of another try."""
        return self.what != "clock"

    def __str__(self) -> str:
        """Return what was exceeded, as a clause."""
        return {
            "time": f"it takes more than {self.limits.seconds:g} s of computing",
            "memory": f"it needs more than {self.limits.megabytes} MB of memory",
            "clock": "it was not done in time, perhaps as others compute, too; try again",
            "end": "the process that computed it was ended by the system, mostly for lack of "
            "memory, or by hand",
        }[self.what]


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """A result, or the error in its place.

    Args:
        result: what was computed; meaningless where there is an error.
        error: what was raised instead.
        size: of the result, in bytes, about.
        at: when it was there, in seconds of a clock that only goes forward.
    """

    result: Any = None
    error: Exception | None = None
    size: int = 0
    at: float = field(default_factory=monotonic)

    def get(self) -> Any:
        """Return the result, or raise the error."""
        if self.error is not None:
            # The one that is kept stays as it is: its traceback would keep the page of whoever
            # was told last, and several threads may raise it at once.
            raise _another(self.error)
        return self.result


def _another(error: Exception) -> Exception:
    try:
        return copy(error)
    except Exception:  # it cannot be made again from its arguments
        return error.with_traceback(None)


@dataclass(frozen=True, kw_only=True)
class Wish:
    """That a visitor waits.

    Args:
        at: when they last said so.
        wave: of their wishes; a later one takes precedence.
        is_first: whether they see nothing before it is there; else it adds to what they see.
    """

    at: float
    wave: int
    is_first: bool = False


@dataclass(eq=False, kw_only=True)
class Job:
    """A computation, and who waits for it.

    Args:
        compute: can be pickled, and is found by a process that imports nothing of the app.
        since: when somebody asked for it first.
        attempts: how often a process has ended over it, or it has outlasted all patience.
        failed_starts: how often no process could begin it.
        is_late: whether it is stopped because it has taken too long by the clock.
    """

    key: str
    compute: Callable[[], Any]
    limits: Limits
    is_long: bool = False
    wishes: dict[str, Wish] = field(default_factory=dict)
    since: float = field(default_factory=monotonic)
    attempts: int = 0
    failed_starts: int = 0
    is_late: bool = False

    def is_first(self) -> bool:
        """Return whether somebody sees nothing before it is there."""
        return any(wish.is_first for wish in self.wishes.values())

    def is_wanted(self, now: float) -> bool:
        """Return whether somebody still waits."""
        return any(now - wish.at < PATIENCE_SECONDS for wish in self.wishes.values())
