"""Long runs for many visitors: a queue, few at a time, ended when nobody watches any more."""

import contextlib
import pickle
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Any

from dpviz.jobs.job import Limits, TooCostlyError
from dpviz.jobs.process import WorkerEndedError, WorkerProcess

# What is told beyond that is of no use to who watches.
MOST_TOLD = 5_000
# Behind everything that visitors wait for.
_NICENESS = 19
# So long the smaller ones come first; who has waited longer is next.
_MOST_SECONDS_BEHIND = 20.0
_LOOK_SECONDS = 0.5
# By the clock, for a process that does not get as far as to notice its limits.
_CLOCK_FACTOR = 20.0


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
        size: in any unit; of those that wait smaller ones come first.
        answer: the kind of what is waited for. Once that is told the run counts as done, whatever
            becomes of what follows.
    """

    def __init__(
        self,
        key: str,
        steps: Callable[[], Iterator[Any]],
        size: int = 0,
        answer: type | tuple[()] = (),
    ) -> None:
        self.key, self.steps, self.size, self.answer = key, steps, size, answer
        self.since, self.state = monotonic(), State.WAITING
        # What it has told so far, oldest first, and when each came.
        self.told: tuple[Any, ...] = ()
        self.times: tuple[float, ...] = ()
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
        """Wait until more is told than so many, or the run is over, but not longer."""
        with self._news:
            self._news.wait_for(lambda: len(self.told) > known or self.state.is_over, seconds)

    def tell(self, value: Any) -> None:
        """Note what the run has told."""
        with self._news:
            if len(self.told) < MOST_TOLD and not self.state.is_over:
                self.times = (*self.times, monotonic())  # each thing told has one
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
                if any(isinstance(one, self.answer) for one in self.told):
                    state, error = State.DONE, None
                self.state, self.error = state, error
                self.steps = lambda: iter(())  # what it was computed from may be a visitor's own
                self._news.notify_all()


class QueueFullError(Exception):
    """As many runs wait as may wait."""


class LongRuns:
    """Runs of all visitors. For several threads.

    Args:
        most_kept: how many that are over are kept for who asks for the same one.
        patience_seconds: a run that nobody has watched for so long is ended.
        ahead: what a process does before it is needed; if anything, one is always ready.
    """

    def __init__(
        self,
        *,
        at_once: int,
        most_waiting: int,
        most_kept: int,
        limits: Limits,
        patience_seconds: float,
        niceness: int = _NICENESS,
        ahead: Callable[[], None] | None = None,
    ) -> None:
        self._start = partial(WorkerProcess, niceness, ahead)
        self._is_ahead, self._ready = ahead is not None, deque[WorkerProcess]()
        self._at_once, self._most_waiting, self._most_kept = at_once, most_waiting, most_kept
        self._limits, self._patience_seconds = limits, patience_seconds
        self._lock = Lock()
        self._runs: OrderedDict[str, LongRun] = OrderedDict()
        self._serving, self._is_closed = 0, False
        self._make_ready()

    def start(
        self,
        key: str,
        steps: Callable[[], Iterator[Any]],
        visitor: str,
        *,
        size: int = 0,
        answer: type | tuple[()] = (),
    ) -> LongRun:
        """Return a run that is under way or done already, else a new one that waits for its turn.

        Equal keys must mean equal results. ``steps`` returns what the run tells, one after the
        other; it is pickled.

        Raises:
            QueueFullError: too many wait.
        """
        with self._lock:
            known = self._runs.get(key)
            if known is not None and known.state in (State.WAITING, State.RUNNING, State.DONE):
                known.watch(visitor)
                self._runs.move_to_end(key)
                return known
            if sum(run.state is State.WAITING for run in self._runs.values()) >= self._most_waiting:
                raise QueueFullError
            run = self._runs[key] = LongRun(key, steps, size, answer)
            self._runs.move_to_end(key)
            run.watch(visitor)
            over = [one for one, old in self._runs.items() if old.state.is_over]
            for one in over[: max(0, len(over) - self._most_kept)]:
                del self._runs[one]
            if self._serving >= self._at_once:
                return run
            self._serving += 1
        try:
            Thread(target=self._serve, name="dpviz-long-run", daemon=True).start()
        except RuntimeError as problem:  # too many threads: else its place would be taken
            with self._lock:
                self._serving -= 1
            run.end(State.FAILED, problem)
        return run

    def find(self, key: str) -> LongRun | None:
        """Return a run that somebody has started, however it stands."""
        with self._lock:
            return self._runs.get(key)

    def place(self, run: LongRun) -> int:
        """Return how many are to be computed before a run that waits."""
        with self._lock:
            waiting = self._waiting()
            return waiting.index(run) if run in waiting else 0

    def forget(self, run: LongRun) -> None:
        """Keep a run no longer; it ends."""
        with self._lock:  # another one may have begun under its key
            run.end(State.CANCELLED)
            if self._runs.get(run.key) is run:
                del self._runs[run.key]

    def leave(self, run: LongRun, visitor: str) -> None:
        """Note that a visitor watches a run no more; it ends if nobody else does."""
        run.leave(visitor)
        with self._lock:
            self._end_unwatched(run)

    def _end_unwatched(self, run: LongRun) -> bool:
        """End a run that nobody watches, and return whether it is one.

        With the lock held: else a visitor who joins it meanwhile would be left without.
        """
        is_unwatched = not run.is_watched(self._patience_seconds)
        if is_unwatched:
            run.end(State.CANCELLED)
        return is_unwatched

    def close(self) -> None:
        """End all runs."""
        with self._lock:
            self._is_closed = True
            runs = list(self._runs.values())
        for run in runs:
            run.end(State.CANCELLED)
        while self._ready:
            self._ready.pop().kill()

    def _waiting(self) -> list[LongRun]:
        """Return those that wait, whose turn it is next first."""
        overdue = monotonic() - _MOST_SECONDS_BEHIND
        waiting = [one for one in self._runs.values() if one.state is State.WAITING]
        return sorted(waiting, key=lambda one: (one.since >= overdue, one.size))

    def _next(self) -> LongRun | None:
        with self._lock:
            for run in self._waiting():
                if not self._is_closed and not self._end_unwatched(run) and run.begin():
                    return run
            self._serving -= 1
            return None

    def _serve(self) -> None:
        while (run := self._next()) is not None:
            try:
                self._compute(run)
            except Exception as problem:
                run.end(State.FAILED, problem)

    def _make_ready(self) -> None:
        """Start the process of the next run, where it is to be there before."""
        if self._is_ahead and not self._ready and not self._is_closed:
            with contextlib.suppress(OSError, RuntimeError):  # else it is started in its turn
                self._ready.append(self._start())

    def _process(self) -> WorkerProcess:
        while self._ready:
            if not (process := self._ready.popleft()).has_ended:
                return process
        return self._start()

    def _compute(self, run: LongRun) -> None:
        process = self._process()

        def tell(packed: bytes) -> None:
            try:
                run.tell(pickle.loads(packed))
            except Exception as problem:  # it cannot be unpacked here
                run.end(State.FAILED, problem)

        try:
            process.begin(run.steps, self._limits, tell)
            end = monotonic() + self._limits.seconds * _CLOCK_FACTOR
            while not process.wait(_LOOK_SECONDS) and not run.state.is_over:
                with self._lock:
                    self._end_unwatched(run)
                if monotonic() > end:
                    run.end(State.FAILED, TooCostlyError(self._limits, "clock"))
            kind, error, _ = process.answer()
            if kind == "result":
                run.end(State.DONE)
            else:
                run.end(State.FAILED, error)
        except WorkerEndedError:  # the first word counts: it may have been cancelled
            run.end(State.FAILED, TooCostlyError(self._limits, "end"))
        finally:
            process.kill()
            self._make_ready()
