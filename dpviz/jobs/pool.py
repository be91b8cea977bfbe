"""Worker processes that many visitors share, so that none waits long for another's computation.

Most computations take some ten milliseconds, a few take seconds. The latter may use what nobody
else needs. When somebody waits, what has taken longer than ``SHORT_SECONDS`` goes on beside the
processes that serve everybody, where only so many may be at a time; what finds no place there
begins anew when its turn comes (:mod:`dpviz.jobs.fair_queue`). What nobody waits for any more is
given up. Some processes compute nothing but first answers, without which who moves a slider sees
nothing, and the system lets them go before the others.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from math import inf
from threading import Condition, Thread
from time import monotonic, sleep
from typing import Any

from dpviz.jobs.fair_queue import FairQueue
from dpviz.jobs.job import Job, Limits, Outcome, TooCostlyError, Wish
from dpviz.jobs.process import Staff, WorkerEndedError, WorkerProcess

# More of one visitor's wishes wait outside: they are told again until there is room.
MOST_WAITING = 48
# How often a job may end its process, or outlast all patience, before it is refused.
_MOST_ATTEMPTS = 2
# A machine without memory may have some again in a while; the first processes that cannot begin
# may be those that were idle when it ran out.
_MOST_STARTS = 12
_STARTS_AT_ONCE = 5
_PAUSE_SECONDS = 1.0
# Of processor time: on a busy machine what is short by itself may take long by the clock. Half of
# what fills in takes more than 0.1 s, nearly nothing more than this: what is given up is lost.
SHORT_SECONDS = 0.4
_SHORT_CLOCK_SECONDS = 2.0
_LOOK_SECONDS = 0.05
_GIVE_UP_SECONDS = 1.0
# By the clock, for a process that does not get as far as to notice its limits.
_CLOCK_FACTOR = 15.0
# While a process is busy with what turned out to take long, its place is taken by one of these.
_SPARES = 2
# How much the server's own process, which all visitors wait for, comes before those for first
# answers, and before the others.
FIRST_NICENESS = 2
NICENESS = 12


def ending_of(process: WorkerProcess, job: Job) -> tuple[Outcome | None, bool]:
    """Return how a process is done with a job that it has answered, or was asked to give up.

    Returns:
        The job's outcome, ``None`` where it is to have another turn; and whether the process is
        there for another job: it may be on its way.
    """
    was_late = job.is_late
    if not process.wait(0.0):
        # A busy machine, or arithmetic that cannot be interrupted: no word against the job.
        process.leave()
        return _outlasted(job), not was_late
    try:
        kind, value, size = process.answer()
    except WorkerEndedError:
        if process.was_asked_to_give_up:  # where nothing but its end can stop it
            return _outlasted(job), False
        return _after_attempt(job, "end"), False
    except Exception as problem:  # it cannot be unpacked here; the next answer is another one
        return Outcome(error=problem), True
    if kind == "given up":
        return _outlasted(job), True
    return Outcome(error=value) if kind == "error" else Outcome(result=value, size=size), True


def outcome_unbegun(job: Job) -> Outcome | None:
    """Return, after a pause if need be, the outcome of a job that no process could begin.

    It has other turns, but not for ever. The error in the end is an accident, not the job's.
    """
    job.failed_starts += 1
    if job.failed_starts >= _MOST_STARTS:
        return Outcome(error=WorkerEndedError("No process can be started that computes."))
    if job.failed_starts >= _STARTS_AT_ONCE:
        sleep(_PAUSE_SECONDS)
    return None


def _outlasted(job: Job) -> Outcome | None:
    """Return the outcome of a job that was stopped: refused if the clock said so repeatedly."""
    if not job.is_late:
        return None
    job.is_late = False
    return _after_attempt(job, "clock")


def _after_attempt(job: Job, what: str) -> Outcome | None:
    job.attempts += 1
    if job.attempts < _MOST_ATTEMPTS:
        return None
    return Outcome(error=TooCostlyError(job.limits, what))


@dataclass(eq=False, kw_only=True)
class _Lane:
    """Processes for one kind of jobs: first answers, or all else."""

    staff: Staff
    is_first: bool
    places_for_long: int  # how many more jobs that take long may be computed while others wait
    idle: int = 0  # how many of those who serve have nothing to do


class Pool:
    """Computes jobs in processes. For several threads.

    Args:
        deliver: called with a job's key and outcome.
        first: how many processes for first answers.
        short: how many for all else.
        long: how many more of each kind may be busy with what takes long, while others wait.
        start: starts a process of a niceness.
    """

    def __init__(
        self,
        deliver: Callable[[str, Outcome], None],
        *,
        first: int,
        short: int,
        long: int,
        start: Callable[[int], WorkerProcess] = WorkerProcess,
    ) -> None:
        self._deliver, self._count_first = deliver, first
        # With its lock whatever is below is looked at and changed.
        self._changed = Condition()
        self._queue = FairQueue()
        self._under_way: dict[str, Job] = {}
        self._is_closed = False
        self._behind_at = -inf  # when visitors who see nothing waited for a process
        self._lanes: list[_Lane] = []
        for is_first, count, niceness in ((True, first, FIRST_NICENESS), (False, short, NICENESS)):
            staff = Staff(
                partial(start, niceness),
                regular=count,
                spares=_SPARES,
                most=count + long + 1,
            )
            self._lanes.append(_Lane(staff=staff, is_first=is_first, places_for_long=long))
            if is_first:
                staff.prepare()
            for _ in range(count):
                self._in_thread(self._serve, self._lanes[-1])

    def want(
        self,
        key: str,
        compute: Callable[[], Any],
        visitor: str,
        *,
        wave: int = 0,
        is_first: bool = False,
        limits: Limits | None = None,
        is_long: bool = False,
    ) -> None:
        """Say that a visitor waits for a computation; to be said again while they do.

        A computation that is under way is not begun again. See :class:`dpviz.jobs.job.Job` and
        :class:`dpviz.jobs.job.Wish`.
        """
        wish = Wish(at=monotonic(), wave=wave, is_first=is_first)
        with self._changed:
            if (job := self._under_way.get(key)) is not None:
                job.wishes[visitor] = wish
                return
            if (job := self._queue.find(key)) is not None:
                before = job.wishes.get(visitor)
                told = (before.wave, before.is_first) if before else None
                if told == (wave, is_first) and not job.is_long:
                    job.wishes[visitor] = wish  # nothing new to those who serve
                    return
            elif self._queue.count(visitor, wave) < MOST_WAITING:
                job = Job(key=key, compute=compute, limits=limits or Limits(), is_long=is_long)
            else:
                return
            job.wishes[visitor] = wish
            self._put(job)

    def several(self) -> AbstractContextManager[object]:
        """Say several wishes within this context: nothing is begun, or waited for, in between."""
        return self._changed  # may be entered again inside

    def is_behind(self, *, within: float = 0.0) -> bool:
        """Return whether visitors who see nothing wait, more than there are processes for them.

        Or have waited at some moment ``within`` the last seconds.
        """
        with self._changed:
            now = self._note_who_waits()
            return now <= self._behind_at + within

    def _note_who_waits(self) -> float:
        """Note whether it is behind; return when that was."""
        now = monotonic()
        if self._queue.count_blank() > self._count_first:
            self._behind_at = now
        return now

    def close(self) -> None:
        """End all processes; nothing is computed any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for lane in self._lanes:
            lane.staff.close()

    def _serve(self, lane: _Lane) -> None:
        """Compute whatever comes in a lane, as long as nobody has to wait for it."""
        process: WorkerProcess | None = None
        while (job := self._next_short(lane)) is not None:
            process = self._begin(process, job, lane)
            if process is None:
                continue
            if self._is_answered_here(process, job, lane):
                process = self._end(process, job, lane)
                continue
            beside = self._serve_long if self._take_place(lane) else self._give_up
            if not self._in_thread(beside, lane, process, job):
                beside(lane, process, job)
            process = None

    def _next_short(self, lane: _Lane) -> Job | None:
        """Wait for the next job; ``None`` at the end. One that takes long only for who is idle."""
        job = None
        with self._changed:
            lane.idle += 1
            while job is None and not self._is_closed:
                job = self._taken(lane, is_long=False)
                if job is None and lane.idle > 1:  # one stays free for what is short
                    job = self._taken(lane, is_long=True)
                if job is None:
                    self._changed.wait()
            lane.idle -= 1
        return job

    def _is_answered_here(self, process: WorkerProcess, job: Job, lane: _Lane) -> bool:
        """Wait for an answer for as long as it holds up nobody; return whether it is there."""
        began, before = monotonic(), process.processor_seconds()
        while not process.wait(_LOOK_SECONDS):
            now = process.processor_seconds()
            if before is None or now is None:  # nothing but the clock tells
                before, now = 0.0, monotonic() - began
            if now - before < SHORT_SECONDS and monotonic() - began < _SHORT_CLOCK_SECONDS:
                continue
            job.is_long = True
            with self._changed:
                if self._is_to_be_left(job, began) or (
                    not lane.idle and self._queue.is_held_up_by(job, is_first=lane.is_first)
                ):
                    return False
        return True

    def _serve_long(
        self, lane: _Lane, process: WorkerProcess | None = None, job: Job | None = None
    ) -> None:
        """Compute a job that takes long, and then the others that wait for a place.

        Without a job it begins with those that wait.
        """
        while True:
            if job is None:
                if (job := self._next_long(lane)) is None:
                    break
                process = self._begin(process, job, lane)
            if process is not None:
                self._wait_long(process, job)
                process = self._end(process, job, lane)
            job = None
        if process is not None:
            lane.staff.send_home(process)

    def _next_long(self, lane: _Lane) -> Job | None:
        """Return the next job that takes long; without one the place is free again."""
        with self._changed:
            job = None if self._is_closed else self._taken(lane, is_long=True)
            if job is None:
                lane.places_for_long += 1
            return job

    def _take_place(self, lane: _Lane) -> bool:
        """Take a place for a job that takes long, if there is one."""
        with self._changed:
            if lane.places_for_long < 1 or self._is_closed:
                return False
            lane.places_for_long -= 1
            return True

    def _wait_long(self, process: WorkerProcess, job: Job) -> None:
        """Wait for an answer, unless nobody does any more, or the clock says that it is enough."""
        began = monotonic()
        while not process.wait(_LOOK_SECONDS):
            if self._is_to_be_left(job, began):
                process.give_up()
                process.wait(_GIVE_UP_SECONDS)
                return

    def _is_to_be_left(self, job: Job, began: float) -> bool:
        """Return whether nobody waits any more for what is under way, or it has taken too long."""
        with self._changed:
            now = monotonic()
            job.is_late = now - began > job.limits.seconds * _CLOCK_FACTOR
            return job.is_late or self._is_closed or not job.is_wanted(now)

    def _give_up(self, lane: _Lane, process: WorkerProcess, job: Job) -> None:
        """Stop a job that takes long while there is no place for it; it waits for its turn."""
        process.give_up()
        process.wait(_GIVE_UP_SECONDS)
        if (left := self._end(process, job, lane)) is not None:
            lane.staff.send_home(left)

    def _begin(self, process: WorkerProcess | None, job: Job, lane: _Lane) -> WorkerProcess | None:
        """Hand over a job; return where it is computed, or ``None`` if it could not be."""
        process = lane.staff.call() if process is None else process
        if process is None:
            self._settle(job, outcome_unbegun(job))
            return None
        try:
            process.begin(job.compute, job.limits)
        except WorkerEndedError:
            lane.staff.dismiss(process)
            self._settle(job, outcome_unbegun(job))
            return None
        except Exception as problem:  # it cannot be told to another process
            lane.staff.send_home(process)
            self._settle(job, Outcome(error=problem))
            return None
        return process

    def _end(self, process: WorkerProcess, job: Job, lane: _Lane) -> WorkerProcess | None:
        """Deliver what came of a job; return the process if it is there for another one."""
        outcome, is_process_good = ending_of(process, job)
        is_free = is_process_good and process.is_free
        if not is_free:
            (lane.staff.send_home if is_process_good else lane.staff.dismiss)(process)
        self._settle(job, outcome)
        return process if is_free else None

    def _settle(self, job: Job, outcome: Outcome | None) -> None:
        """Deliver an outcome; without one let a job wait for another turn, if somebody waits."""
        try:
            if outcome is not None:
                # Known before it is no longer under way: who comes between finds it.
                self._deliver(job.key, outcome)
        finally:
            with self._changed:
                self._under_way.pop(job.key, None)
                if outcome is None and job.is_wanted(monotonic()):
                    self._put(job)

    def _taken(self, lane: _Lane, *, is_long: bool) -> Job | None:
        had_to_wait = self._queue.waits_for_first()
        job = self._queue.take(is_long=is_long, is_first=lane.is_first)
        if had_to_wait and not self._queue.waits_for_first():
            self._changed.notify_all()  # those who compute all else go on
        if job is not None:
            self._under_way[job.key] = job
        return job

    def _put(self, job: Job) -> None:
        self._queue.put(job)
        self._note_who_waits()
        if job.is_long:
            # Whose kind it is may change with who waits; they ask again, and so does this.
            lane = next(one for one in self._lanes if one.is_first == job.is_first())
            if self._take_place(lane) and not self._in_thread(self._serve_long, lane):
                lane.places_for_long += 1  # somebody who serves takes it, when there is time
        self._changed.notify_all()  # not everybody is there for every job

    def _in_thread(self, target: Callable[..., None], *args: Any) -> bool:
        """Call something in a thread of its own; return whether there can be one."""
        try:
            Thread(target=target, args=args, name="dpviz-jobs", daemon=True).start()
        except RuntimeError:  # too many threads, or the server is about to end
            return False
        return True
