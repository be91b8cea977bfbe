"""One computation that somebody waits for."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from dpviz.jobs.limits import Limits

# Whoever waits says so again and again; who has not for so long does not wait any more.
PATIENCE_SECONDS = 3.0


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

    def is_like(self, other: "Wish") -> bool:
        """Return whether it differs in its time at most."""
        return (self.wave, self.is_first) == (other.wave, other.is_first)


@dataclass(eq=False, kw_only=True)
class Job:
    """A computation, and who waits for it.

    Args:
        key: names it.
        compute: can be pickled, and is found by a process that imports nothing of the app.
        limits: what it may cost.
        is_long: whether it is known to take long.
        wishes: by visitor.
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
