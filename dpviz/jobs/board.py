"""The jobs that wait and those under way, under one lock; how many may take long at a time."""

from collections.abc import Callable
from threading import Condition
from time import monotonic

from dpviz.jobs.fair_queue import FairQueue
from dpviz.jobs.job import Job, Wish
from dpviz.jobs.outcome import Outcome

# More of one visitor's wishes wait outside: they are told again until there is room.
MOST_WAITING = 48
# By the clock, for a process that does not get as far as to notice its limits.
_CLOCK_FACTOR = 15.0


class Board:
    """What there is to do. For several threads.

    Args:
        deliver: called with a job's key and outcome.
        places_for_long: how many jobs that take long may be computed while others wait.
        serve_long: called where such a job waits and a place for it has been taken; returns
            whether somebody serves there.
        is_first_apart: whether first answers are computed by those alone who ask for nothing else.
    """

    def __init__(
        self,
        deliver: Callable[[str, Outcome], None],
        *,
        places_for_long: int,
        serve_long: Callable[[], bool],
        is_first_apart: bool,
    ) -> None:
        self._deliver, self._serve_long = deliver, serve_long
        self._changed = Condition()
        self._queue = FairQueue()
        self._under_way: dict[str, Job] = {}
        self._places_for_long = places_for_long
        self._idle = 0
        self._not_first = False if is_first_apart else None
        self._is_closed = False

    def want(self, job: Job, visitor: str, wish: Wish) -> None:
        """Note that a visitor waits for a job, unless one of that name is there already."""
        with self._changed:
            if (known := self._under_way.get(job.key)) is not None:
                known.wishes[visitor] = wish
                return
            if (known := self._queue.find(job.key)) is not None:
                job = known
            elif self._queue.count(visitor, wish.wave) >= MOST_WAITING:
                return
            job.wishes[visitor] = wish
            self._put(job)

    def close(self) -> None:
        """Let nothing be begun any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def next_first(self) -> Job | None:
        """Wait for the next first answer that is asked for; ``None`` at the end."""
        with self._changed:
            while not self._is_closed:
                job = self._queue.take(is_long=False, is_first=True)
                if job is not None:
                    return self._begun(job)
                self._changed.wait()
        return None

    def next_short(self) -> Job | None:
        """Wait for the next job; ``None`` at the end. One that takes long only for who is idle."""
        with self._changed:
            self._idle += 1
            try:
                while not self._is_closed:
                    job = self._queue.take(is_long=False, is_first=self._not_first)
                    if job is None and self._idle > 1:  # one stays free for what is short
                        job = self._queue.take(is_long=True)
                    if job is not None:
                        return self._begun(job)
                    self._changed.wait()
            finally:
                self._idle -= 1
        return None

    def next_long(self) -> Job | None:
        """Return the next job that takes long; without one the place is free again."""
        with self._changed:
            job = None if self._is_closed else self._queue.take(is_long=True)
            if job is None:
                self._places_for_long += 1
                return None
            return self._begun(job)

    def take_place(self) -> bool:
        """Take a place for a job that takes long, if there is one."""
        with self._changed:
            return self._took_place()

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

    def is_held_up_by(self, job: Job, *, among_first: bool) -> bool:
        """Return whether somebody waits for who computes a job, and comes before it.

        Args:
            job: what is computed.
            among_first: whether by one of those who compute nothing but first answers.
        """
        with self._changed:
            if among_first:
                return self._queue.is_held_up_by(job, is_first=True)
            return not self._idle and self._queue.is_held_up_by(job, is_first=self._not_first)

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

    def _took_place(self) -> bool:
        if self._places_for_long < 1 or self._is_closed:
            return False
        self._places_for_long -= 1
        return True

    def _put(self, job: Job) -> None:
        self._queue.put(job)
        if job.is_long and self._took_place() and not self._serve_long():
            self._places_for_long += 1  # somebody who serves takes it, when there is time
        self._changed.notify_all()  # not everybody is there for every job
