"""One long run: what it has told so far, who watches it, and how it ended."""

from collections.abc import Callable, Iterator
from enum import Enum
from threading import Condition
from time import monotonic
from typing import Any

# What is told beyond that is of no use to who watches.
MOST_TOLD = 5_000


class State(Enum):
    """Where a run stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to come."""
        return self not in (State.WAITING, State.RUNNING)


class LongRun:
    """A computation of seconds to minutes, for all visitors who want the same one.

    Args:
        key: names the run; equal keys must mean equal results.
        steps: yields what is to be told.

    Attributes:
        state: where it stands.
        told: what it has told so far, oldest first.
        error: why it failed, if it did.
    """

    def __init__(self, key: str, steps: Callable[[], Iterator[Any]]) -> None:
        self.key, self.steps = key, steps
        self.state = State.WAITING
        self.told: tuple[Any, ...] = ()
        self.error: Exception | None = None
        self._watchers: dict[str, float] = {}
        self._news = Condition()

    def watch(self, visitor: str) -> None:
        """Note that a visitor still watches."""
        with self._news:
            self._watchers[visitor] = monotonic()

    def leave(self, visitor: str) -> None:
        """Note that a visitor watches no more."""
        with self._news:
            self._watchers.pop(visitor, None)

    def is_watched(self, within_seconds: float) -> bool:
        """Return whether somebody has watched so shortly ago."""
        with self._news:
            now = monotonic()
            return any(now - seen <= within_seconds for seen in self._watchers.values())

    def wait_for_news(self, known: int, seconds: float) -> None:
        """Wait until more is told than so many, or the run is over, but not longer.

        Args:
            known: how many were told before.
            seconds: at most.
        """
        with self._news:
            self._news.wait_for(lambda: len(self.told) > known or self.state.is_over, seconds)

    def tell(self, value: Any) -> None:
        """Note what the run has told."""
        with self._news:
            if len(self.told) < MOST_TOLD and not self.state.is_over:
                self.told = (*self.told, value)
                self._news.notify_all()

    def begin(self) -> bool:
        """Note that it is computed now; return whether it still waited for that."""
        with self._news:
            if self.state is not State.WAITING:
                return False
            self.state = State.RUNNING
            self._news.notify_all()
            return True

    def end(self, state: State, error: Exception | None = None) -> None:
        """Note how it ended; the first word counts."""
        with self._news:
            if not self.state.is_over:
                self.state, self.error = state, error
                self._news.notify_all()
