"""Worker processes that many visitors share, so that none waits long for another's computation.

Most computations take some ten milliseconds, a few take seconds. The latter may use what nobody
else needs. When somebody waits, what has taken longer than ``SHORT_SECONDS`` goes on beside the
processes that serve everybody, where only so many may be at a time; what finds no place there
begins anew when its turn comes. Visitors take turns (:mod:`dpviz.jobs.fair_queue`); what nobody
waits for any more is dropped, or given up.
"""

from collections.abc import Callable
from threading import Condition, Thread
from time import monotonic
from typing import Any

from dpviz.jobs.ending import ending_of, outcome_unbegun
from dpviz.jobs.fair_queue import FairQueue
from dpviz.jobs.job import Job, Wish
from dpviz.jobs.limits import Limits
from dpviz.jobs.outcome import Outcome
from dpviz.jobs.process import WorkerEndedError, WorkerProcess
from dpviz.jobs.staff import Staff

# Of processor time: on a busy machine what is short by itself may take long by the clock. A
# visitor who sees nothing yet is given more: work that is given up is lost.
SHORT_SECONDS = 0.1
SHORT_FIRST_SECONDS = 0.15
_SHORT_CLOCK_SECONDS = 2.0
# More of one visitor's wishes wait outside: they are told again until there is room.
MOST_WAITING = 48
# By the clock, for a process that does not get as far as to notice its limits.
_CLOCK_FACTOR = 15.0
_LOOK_SECONDS = 0.05
_GIVE_UP_SECONDS = 1.0
# While a process is busy with what turned out to take long, its place is taken by one of these.
_SPARES = 2


class Pool:
    """Computes jobs in processes.

    Args:
        deliver: called with a job's key and outcome, from a thread of the pool.
        short: processes for everything that comes; one more than processors, so that none of
            these is idle while another one is being freed.
        long: how many more may be busy with what takes long, while others wait.
        start: starts a process.
    """

    def __init__(
        self,
        deliver: Callable[[str, Outcome], None],
        *,
        short: int = 3,
        long: int = 1,
        start: Callable[[], WorkerProcess] = WorkerProcess,
    ) -> None:
        self._deliver = deliver
        self._staff = Staff(start, regular=short, spares=_SPARES)
        self._changed = Condition()
        self._queue = FairQueue()
        self._under_way: dict[str, Job] = {}
        self._places_for_long = long
        self._idle = 0
        self._is_closed = False
        for at in range(short):
            self._in_thread(self._serve, name=f"dpviz-jobs-{at}")

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

        Args:
            key: names the computation; one that is under way is not begun again.
            compute: see :class:`dpviz.jobs.job.Job`.
            visitor: who waits.
            wave: see :class:`dpviz.jobs.job.Wish`.
            is_first: likewise.
            limits: what it may cost.
            is_long: whether it is known to take long.
        """
        with self._changed:
            wish = Wish(at=monotonic(), wave=wave, is_first=is_first)
            if (job := self._under_way.get(key)) is not None:
                job.wishes[visitor] = wish
                return
            if (job := self._queue.find(key)) is None:
                if self._queue.count(visitor, wave) >= MOST_WAITING:
                    return
                job = Job(key=key, compute=compute, limits=limits or Limits(), is_long=is_long)
            job.wishes[visitor] = wish
            self._put(job)

    def pids(self) -> list[int]:
        """Return the numbers of all processes there are."""
        return self._staff.pids()

    def close(self) -> None:
        """End all processes; nothing is computed any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._staff.close()

    def _serve(self) -> None:
        """Compute whatever comes, as long as nobody has to wait for it."""
        process: WorkerProcess | None = None
        while (job := self._next()) is not None:
            process = self._begin(process, job)
            if process is None:
                continue
            if self._is_answered_here(process, job):
                process = self._end(process, job)
                continue
            beside = self._serve_long if self._take_place() else self._give_up
            if not self._in_thread(beside, process, job):
                beside(process, job)
            process = None

    def _is_answered_here(self, process: WorkerProcess, job: Job) -> bool:
        """Wait for an answer for as long as it holds up nobody; return whether it is there."""
        began, before = monotonic(), process.processor_seconds()
        most = SHORT_FIRST_SECONDS if job.is_first() else SHORT_SECONDS
        while not process.wait(_LOOK_SECONDS):
            now = process.processor_seconds()
            if before is None or now is None:  # nothing but the clock tells
                before, now = 0.0, monotonic() - began
            if now - before < most and monotonic() - began < _SHORT_CLOCK_SECONDS:
                continue
            job.is_long = True
            with self._changed:
                if self._is_to_be_left(job, began):
                    return False
                if not self._idle and self._queue.is_held_up_by(job):
                    return False
        return True

    def _serve_long(self, process: WorkerProcess | None = None, job: Job | None = None) -> None:
        """Compute a job that takes long, and then the others that wait for a place.

        Args:
            process: where it is computed.
            job: what is under way there; ``None`` to begin with those that wait.
        """
        while True:
            if job is None:
                if (job := self._next_long()) is None:
                    break
                process = self._begin(process, job)
            if process is not None:
                self._wait_long(process, job)
                process = self._end(process, job)
            job = None
        if process is not None:
            self._staff.send_home(process)

    def _give_up(self, process: WorkerProcess, job: Job) -> None:
        """Stop a job that takes long while there is no place for it; it waits for its turn."""
        process.give_up()
        process.wait(_GIVE_UP_SECONDS)
        left = self._end(process, job)
        if left is not None:
            self._staff.send_home(left)

    def _next(self) -> Job | None:
        """Wait for the next job; ``None`` at the end of the pool."""
        with self._changed:
            self._idle += 1
            try:
                while not self._is_closed:
                    job = self._queue.take(is_long=False)
                    if job is None and self._idle > 1:  # one stays free for what is short
                        job = self._queue.take(is_long=True)
                    if job is not None:
                        self._under_way[job.key] = job
                        return job
                    self._changed.wait()
            finally:
                self._idle -= 1
        return None

    def _next_long(self) -> Job | None:
        """Return the next job that takes long; without one the place is free again."""
        with self._changed:
            job = None if self._is_closed else self._queue.take(is_long=True)
            if job is None:
                self._places_for_long += 1
            else:
                self._under_way[job.key] = job
            return job

    def _take_place(self) -> bool:
        with self._changed:
            return self._took_place()

    def _took_place(self) -> bool:
        if self._places_for_long < 1 or self._is_closed:
            return False
        self._places_for_long -= 1
        return True

    def _begin(self, process: WorkerProcess | None, job: Job) -> WorkerProcess | None:
        """Hand over a job; return where it is computed, or ``None`` if it could not be."""
        process = self._staff.call() if process is None else process
        if process is None:
            self._go_on(job, outcome_unbegun(job))
            return None
        try:
            process.begin(job.compute, job.limits)
        except WorkerEndedError:
            self._staff.dismiss(process)
            self._go_on(job, outcome_unbegun(job))
            return None
        except Exception as problem:  # it cannot be told to another process
            self._staff.send_home(process)
            self._go_on(job, Outcome(error=problem))
            return None
        return process

    def _wait_long(self, process: WorkerProcess, job: Job) -> None:
        """Wait for an answer, unless nobody does any more, or the clock says that it is enough."""
        began = monotonic()
        while not process.wait(_LOOK_SECONDS):
            with self._changed:
                is_enough = self._is_to_be_left(job, began)
            if is_enough:
                process.give_up()
                process.wait(_GIVE_UP_SECONDS)
                return

    def _is_to_be_left(self, job: Job, began: float) -> bool:
        now = monotonic()
        job.is_late = now - began > job.limits.seconds * _CLOCK_FACTOR
        return job.is_late or self._is_closed or not job.is_wanted(now)

    def _end(self, process: WorkerProcess, job: Job) -> WorkerProcess | None:
        """Deliver what came of a job; return the process if it is there for another one."""
        ending = ending_of(process, job)
        if not ending.is_process_good:
            self._staff.dismiss(process)
        self._go_on(job, ending.outcome)
        return process if ending.is_process_good else None

    def _go_on(self, job: Job, outcome: Outcome | None) -> None:
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

    def _put(self, job: Job) -> None:
        self._queue.put(job)
        if job.is_long and self._took_place() and not self._in_thread(self._serve_long):
            self._places_for_long += 1  # somebody who serves takes it, when there is time
        self._changed.notify()

    def _in_thread(
        self, target: Callable[..., None], *args: Any, name: str = "dpviz-jobs-beside"
    ) -> bool:
        """Call something in a thread of its own; return whether there can be one."""
        try:
            Thread(target=target, args=args, name=name, daemon=True).start()
        except RuntimeError:  # too many threads, or the server is about to end
            return False
        return True
