"""Results that all visitors share, computed once.

Streamlit's own caches cannot be asked whether they hold something. Keys are canonical JSON: a hash
of nested dataclasses forgets the inner class, so two schemes could share one wrong result.
"""

import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock
from time import monotonic
from typing import Any, Generic, TypeVar

from dpviz.jobs import Limits, Outcome, TooCostlyError
from dpviz.scenario import ScenarioError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
# Of what is kept, as it is packed; in memory it is about one and a half times as much.
# A page holds up to 1 MB, most a quarter of that: those of 100 visitors have to find room, or each
# would drive out what another one's page is being filled in with.
_MOST_BYTES = 40_000_000
# What the bookkeeping of one result takes beside its key, which may be longer than the result.
_BYTES_BESIDE = 1_000
# So long an accident stands for a result that nobody can be given meanwhile.
_ACCIDENT_SECONDS = 60.0


def _is_accident(outcome: Outcome) -> bool:
    """Return whether an error was raised that the same settings need not raise again."""
    error = outcome.error
    if isinstance(error, TooCostlyError):
        return error.what == "clock"
    return error is not None and not isinstance(error, ScenarioError)


@dataclass(frozen=True, kw_only=True)
class Part(Generic[T_co]):
    """One result: how it is known, and how it is computed."""

    key: str  # equal keys must mean equal results
    # Does not depend on the visitor. A function outside of ``dpviz.ui`` with its arguments, so that
    # another process can run it.
    compute: Callable[[], T_co]
    limits: Limits | None = None  # what it may cost, where that is not the usual
    is_long: bool = False  # it takes seconds


class SharedResults:
    """The latest results by key. Two visitors who ask for the same one wait for one computation.

    Args:
        most_bytes: how much is kept; what was asked for longest ago goes first.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes, self._bytes = most_bytes, 0
        self._outcomes: OrderedDict[str, Outcome] = OrderedDict()
        self._under_way: dict[str, Lock] = {}
        self._watched: dict[str, set[Event]] = {}
        self._lock = Lock()

    def outcome(self, key: str) -> Outcome | None:
        """Return what became of a computation; ``None`` if that is not known."""
        with self._lock:
            if (found := self._outcomes.get(key)) is None:
                return None
            if _is_accident(found) and monotonic() > found.at + _ACCIDENT_SECONDS:
                self._drop(key)  # who leaves out what it stands for is not told, and asks again
                return None
            self._outcomes.move_to_end(key)
            return found

    def count_known(self, keys: Iterable[str]) -> int:
        """Return of how many the outcome is known; of hundreds in a moment."""
        with self._lock:
            return len(self._outcomes.keys() & set(keys))

    def told(self, key: str, outcome: Outcome) -> Any:
        """Return the result of an outcome, or raise its error; an accident is told only once."""
        if _is_accident(outcome):
            with self._lock:
                if self._outcomes.get(key) is outcome:  # else somebody has computed it since
                    self._drop(key)
        return outcome.get()

    def peek(self, key: str) -> Any:
        """Return a result, or ``None`` if it is not known."""
        found = self.outcome(key)
        return None if found is None or found.error is not None else found.result

    def put(self, key: str, outcome: Outcome) -> None:
        """Keep what became of a computation, and tell those who wait for it."""
        with self._lock:
            self._drop(key)
            self._outcomes[key] = outcome
            self._bytes += _bytes_of(key, outcome)
            while self._bytes > self._most_bytes and len(self._outcomes) > 1:
                self._drop(next(iter(self._outcomes)))
            for news in self._watched.get(key, ()):
                news.set()

    @contextmanager
    def watched(self, keys: Iterable[str]) -> Iterator[Event]:
        """Yield an event that is set when something becomes known of any of the keys."""
        news, watched = Event(), set(keys)
        with self._lock:
            for key in watched:
                self._watched.setdefault(key, set()).add(news)
        try:
            yield news
        finally:
            with self._lock:
                for key in watched:
                    self._watched[key].discard(news)
                    if not self._watched[key]:
                        del self._watched[key]

    def forget(self, key: str) -> None:
        """Keep a result no longer."""
        with self._lock:
            self._drop(key)

    def get(self, part: Part[T]) -> T:
        """Return a result, computed here and now where it is not known.

        Raises:
            Exception: what the computation raises.
        """
        if (known := self.outcome(part.key)) is None:
            with self._lock:
                under_way = self._under_way.setdefault(part.key, Lock())
            with under_way:
                if (known := self.outcome(part.key)) is None:
                    known = self._computed(part)
        told: T = self.told(part.key, known)
        return told

    def _computed(self, part: Part[T]) -> Outcome:
        try:
            result = part.compute()
            size = len(pickle.dumps(result, pickle.HIGHEST_PROTOCOL))  # of words and charts, mostly
            outcome = Outcome(result=result, size=size)
            # Known before it is no longer under way: who comes between finds it.
            self.put(part.key, outcome)
            return outcome
        finally:
            with self._lock:
                self._under_way.pop(part.key, None)

    def _drop(self, key: str) -> None:
        if (outcome := self._outcomes.pop(key, None)) is not None:
            self._bytes -= _bytes_of(key, outcome)


def _bytes_of(key: str, outcome: Outcome) -> int:
    return outcome.size + len(key) + _BYTES_BESIDE


RESULTS = SharedResults()
