"""The jobs that wait and those under way, under one lock; how many may take long at a time."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition
from time import monotonic

from dpviz.jobs.fair_queue import FairQueue
from dpviz.jobs.job import Job, Wish
from dpviz.jobs.outcome import Outcome
from dpviz.jobs.staff import Staff

# More of one visitor's wishes wait outside: they are told again until there is room.
MOST_WAITING = 48
# By the clock, for a process that does not get as far as to notice its limits.
_CLOCK_FACTOR = 15.0


@dataclass(eq=False, kw_only=True)
class Lane:
    """Processes for one kind of jobs.

    Args:
        staff: the processes.
        is_first: whether for first answers, for all else, or (``None``) for both.
        places_for_long: how many more jobs that take long may be computed while others wait.
        idle: how many of those who serve have nothing to do.
    """

    staff: Staff
    is_first: bool | None
    places_for_long: int
    idle: int = 0

    def is_for(self, job: Job) -> bool:
        """Return whether a job is of its kind, as things are."""
        return self.is_first in (None, job.is_first())


class Board:
    """What there is to do. For several threads.

    Args:
        deliver: called with a job's key and outcome.
        lanes: who computes; one of them for each job.
        serve_long: called where a job that takes long waits, and a place for it has been taken in a
            lane; returns whether somebody serves there.
    """

    def __init__(
        self,
        deliver: Callable[[str, Outcome], None],
        lanes: tuple[Lane, ...],
        serve_long: Callable[[Lane], bool],
    ) -> None:
        self._deliver, self._lanes, self._serve_long = deliver, lanes, serve_long
        self._changed = Condition()
        self._queue = FairQueue()
        self._under_way: dict[str, Job] = {}
        self._is_closed = False

    def want(self, job: Job, visitor: str, wish: Wish) -> None:
        """Note that a visitor waits for a job, unless one of that name is there already."""
        with self._changed:
            if (known := self._under_way.get(job.key)) is not None:
                known.wishes[visitor] = wish
                return
            if (known := self._queue.find(job.key)) is not None:
                job = known
                before = job.wishes.get(visitor)
                if before is not None and before.is_like(wish) and not job.is_long:
                    job.wishes[visitor] = wish  # nothing new to those who serve
                    return
            elif self._queue.count(visitor, wish.wave) >= MOST_WAITING:
                return
            job.wishes[visitor] = wish
            self._put(job)

    def close(self) -> None:
        """Let nothing be begun any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def next_short(self, lane: Lane) -> Job | None:
        """Wait for the next job; ``None`` at the end. One that takes long only for who is idle."""
        with self._changed:
            lane.idle += 1
            try:
                while not self._is_closed:
                    job = self._queue.take(is_long=False, is_first=lane.is_first)
                    if job is None and lane.idle > 1:  # one stays free for what is short
                        job = self._queue.take(is_long=True, is_first=lane.is_first)
                    if job is not None:
                        return self._begun(job)
                    self._changed.wait()
            finally:
                lane.idle -= 1
        return None

    def next_long(self, lane: Lane) -> Job | None:
        """Return the next job that takes long; without one the place is free again."""
        with self._changed:
            job = None
            if not self._is_closed:
                job = self._queue.take(is_long=True, is_first=lane.is_first)
            if job is None:
                lane.places_for_long += 1
                return None
            return self._begun(job)

    def take_place(self, lane: Lane) -> bool:
        """Take a place for a job that takes long, if there is one."""
        with self._changed:
            return self._took_place(lane)

    def is_first(self, job: Job) -> bool:
        """Return whether somebody sees nothing before a job is done; others may join meanwhile."""
        with self._changed:
            return job.is_first()

    def is_to_be_left(self, job: Job, began: float) -> bool:
        """Return whether nobody waits any more for what is under way, or it has taken too long."""
        with self._changed:
            now = monotonic()
            job.is_late = now - began > job.limits.seconds * _CLOCK_FACTOR
            return job.is_late or self._is_closed or not job.is_wanted(now)

    def is_held_up_by(self, job: Job, lane: Lane) -> bool:
        """Return whether somebody waits for who computes a job in a lane, and comes before it."""
        with self._changed:
            return not lane.idle and self._queue.is_held_up_by(job, is_first=lane.is_first)

    def settle(self, job: Job, outcome: Outcome | None) -> None:
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

    def _begun(self, job: Job) -> Job:
        self._under_way[job.key] = job
        return job

    def _took_place(self, lane: Lane) -> bool:
        if lane.places_for_long < 1 or self._is_closed:
            return False
        lane.places_for_long -= 1
        return True

    def _put(self, job: Job) -> None:
        self._queue.put(job)
        if job.is_long:
            # Whose kind it is may change with who waits; they ask again, and so does this.
            lane = next(lane for lane in self._lanes if lane.is_for(job))
            if self._took_place(lane) and not self._serve_long(lane):
                lane.places_for_long += 1  # somebody who serves takes it, when there is time
        self._changed.notify_all()  # not everybody is there for every job
