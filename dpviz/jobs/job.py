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
    """What a computation may use before it is given up."""

    seconds: float = 2.0  # of the processor: a busy machine refuses nothing that an idle one allows
    megabytes: int = 500  # beyond what the process needs anyway


class TooCostlyError(Exception):
    """A computation was given up because it used more than its limits allow.

    Attributes:
        limits: those that it was given.
        what: "time", "memory", "clock" where the machine had too much other work, or "end" where
            the process ended without a word: mostly the system does that when memory runs out, and
            nothing tells.
    """

    def __init__(self, limits: Limits, what: str) -> None:
        self.limits, self.what = limits, what
        super().__init__(limits, what)

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
    """A result, or the error in its place."""

    result: Any = None  # meaningless where there is an error
    error: Exception | None = None
    size: int = 0  # of the result, in bytes, about
    at: float = field(default_factory=monotonic)  # when it was there

    def get(self) -> Any:
        """Return the result, or raise the error."""
        if self.error is not None:
            # The one that is kept stays as it is: its traceback would keep the page of whoever
            # was told last, and several threads may raise it at once.
            try:
                error = copy(self.error)
            except Exception:  # it cannot be made again from its arguments
                error = self.error.with_traceback(None)
            raise error
        return self.result


@dataclass(frozen=True, kw_only=True)
class Wish:
    """That a visitor waits."""

    at: float  # when they last said so
    wave: int  # of their wishes; a later one takes precedence
    is_first: bool = False  # they see nothing before it is there; else it adds to what they see


@dataclass(eq=False, kw_only=True)
class Job:
    """A computation, and who waits for it."""

    key: str
    compute: Callable[[], Any]  # can be pickled; its process imports nothing of the app
    limits: Limits
    is_long: bool = False
    wishes: dict[str, Wish] = field(default_factory=dict)
    since: float = field(default_factory=monotonic)  # when somebody asked for it first
    attempts: int = 0  # how often a process has ended over it, or it has outlasted all patience
    failed_starts: int = 0  # how often no process could begin it
    is_late: bool = False  # it is stopped because it has taken too long by the clock

    def is_first(self) -> bool:
        """Return whether somebody sees nothing before it is there."""
        return any(wish.is_first for wish in self.wishes.values())

    def is_wanted(self, now: float) -> bool:
        """Return whether somebody still waits."""
        return any(now - wish.at < PATIENCE_SECONDS for wish in self.wishes.values())
