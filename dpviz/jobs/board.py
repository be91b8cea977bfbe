"""The jobs that wait and those under way, under one lock; how many may take long at a time."""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from threading import Condition
from time import monotonic

from dpviz.jobs.job import PATIENCE_SECONDS, Job, Outcome, Wish
from dpviz.jobs.process import Staff

# Who sees nothing comes first, but does not hold up what others have waited for so long.
MOST_SECONDS_BEHIND = 10.0
# More of one visitor's wishes wait outside: they are told again until there is room.
MOST_WAITING = 48
# So many jobs without which one visitor sees nothing are begun before it is another one's turn.
MOST_IN_A_TURN = 12
_MOST_REMEMBERED = 1000
# By the clock, for a process that does not get as far as to notice its limits.
_CLOCK_FACTOR = 15.0


class FairQueue:
    """Jobs that have not begun. Not for several threads without a lock.

    Visitors take turns, however many pages each has open: first those who see nothing before their
    job is done, or who have waited very long, then the others. All without which a visitor sees
    nothing is one turn: job by job, no answer of several would be there before the next move.
    A visitor's jobs are those of their latest wave, in its order: whoever moves a slider does not
    wait for what its position before would have shown.

    >>> from dpviz.jobs.job import Limits
    >>> queue = FairQueue(clock=lambda: 0.0)
    >>> for visitor, key in (("ann", "a1"), ("ann", "a2"), ("bob", "b1")):
    ...     wishes = {visitor: Wish(at=0.0, wave=1)}
    ...     queue.put(Job(key=key, compute=int, limits=Limits(), wishes=wishes))
    >>> [queue.take(is_long=False, is_first=False).key for _ in range(3)]
    ['a1', 'b1', 'a2']
    >>> queue.take(is_long=False, is_first=False) is None
    True
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        # Each visitor's jobs by key; whose turn it is next comes first.
        self._turns: OrderedDict[str, dict[str, Job]] = OrderedDict()
        # Of those whose turn may go on: their wave, and how many of its jobs were begun.
        self._begun: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def put(self, job: Job) -> None:
        """Add a job for all who wait for it, or for those who have joined them."""
        for visitor, wish in job.wishes.items():
            # Before others are dropped: whoever moves a slider keeps their turn.
            self._turns.setdefault(visitor, {})[job.key] = job
            for other in list(self._jobs_of(visitor).values()):
                if other.wishes[visitor].wave < wish.wave:
                    self._remove(other, visitor)
        self._jobs[job.key] = job

    def find(self, key: str) -> Job | None:
        """Return the job of that name."""
        return self._jobs.get(key)

    def count(self, visitor: str, wave: int = 0) -> int:
        """Return how many of the jobs a visitor waits for, since a wave: earlier ones make room."""
        jobs = self._jobs_of(visitor).values()
        return sum(job.wishes[visitor].wave >= wave for job in jobs)

    def count_blank(self) -> int:
        """Return how many visitors see nothing, and wait for a job that has not begun."""
        return sum(
            any(job.wishes[visitor].is_first for job in jobs.values())
            for visitor, jobs in self._turns.items()
        )

    def waits_for_first(self) -> bool:
        """Return whether somebody sees nothing before a job that takes no longer than most."""
        return any(
            job.wishes[visitor].is_first and not job.is_long
            for visitor, jobs in self._turns.items()
            for job in jobs.values()
        )

    def is_held_up_by(self, job: Job, *, is_first: bool) -> bool:
        """Return whether short jobs wait that come before one that is computed.

        Those of others, or of a later wave, unless only its own visitor sees nothing yet.
        """
        if not is_first and self.waits_for_first():
            return False  # nothing of this kind would be begun in its place
        is_own_first = job.is_first()
        return any(
            (visitor not in job.wishes or other.wishes[visitor].wave > job.wishes[visitor].wave)
            and (other.wishes[visitor].is_first or not is_own_first)
            for visitor, jobs in self._turns.items()
            for other in jobs.values()
            if _is_of_kind(other, is_long=False, is_first=is_first)
        )

    def take(self, *, is_long: bool, is_first: bool) -> Job | None:
        """Take out and return the next job of a kind that somebody waits for.

        Of those without which somebody sees nothing (``is_first``), or of the others. While
        somebody sees nothing, others are begun that have waited very long, and no more: all
        processes share the processors.
        """
        now = self._clock()
        for visitor, jobs in list(self._turns.items()):
            for one in list(jobs.values()):
                if now - one.wishes[visitor].at >= PATIENCE_SECONDS:
                    self._remove(one, visitor)
        overdue = now - MOST_SECONDS_BEHIND
        only_overdue = not is_first and self.waits_for_first()
        found = {
            visitor: job
            for visitor in self._turns
            if (job := self._best(visitor, is_long=is_long, is_first=is_first)) is not None
            and (job.since < overdue or not only_overdue)
        }
        # The first of those that are equal: whose turn it is.
        if not found:
            return None

        def rank(one: str) -> tuple[bool, bool]:
            wish = found[one].wishes[one]
            return wish.is_first or found[one].since < overdue, self._goes_on(one, wish)

        visitor = max(found, key=rank)
        job = found[visitor]
        wish = job.wishes[visitor]
        served = 1 + (self._begun[visitor][1] if self._goes_on(visitor, wish) else 0)
        self._begun.pop(visitor, None)
        if wish.is_first and served < MOST_IN_A_TURN:
            self._begun[visitor] = wish.wave, served
            if len(self._begun) > _MOST_REMEMBERED:
                self._begun.popitem(last=False)
        person = person_of(visitor)
        # That was the turn of all pages of one person; the next time this one is the last of them.
        for page in (*(one for one in self._turns if person_of(one) == person), visitor):
            self._turns.move_to_end(page)
        for other in list(job.wishes):
            self._remove(job, other)
        return job

    def _goes_on(self, visitor: str, wish: Wish) -> bool:
        """Return whether a job is of the turn that its visitor had last."""
        return wish.is_first and self._begun.get(visitor, (None, 0))[0] == wish.wave

    def _best(self, visitor: str, *, is_long: bool, is_first: bool) -> Job | None:
        jobs = (
            job
            for job in self._turns[visitor].values()
            if _is_of_kind(job, is_long=is_long, is_first=is_first)
        )
        # The first of those that are equal.
        return max(jobs, key=lambda job: job.wishes[visitor].is_first, default=None)

    def _remove(self, job: Job, visitor: str) -> None:
        jobs = self._turns.get(visitor, {})
        jobs.pop(job.key, None)
        if not jobs:
            self._turns.pop(visitor, None)
        if not any(job.key in others for others in map(self._jobs_of, job.wishes)):
            self._jobs.pop(job.key, None)

    def _jobs_of(self, visitor: str) -> dict[str, Job]:
        return self._turns.get(visitor, {})


def person_of(visitor: str) -> str:
    """Return who has a page open: what a visitor's name begins with.

    >>> person_of("ann/2"), person_of("ann")
    ('ann', 'ann')
    """
    return visitor.partition("/")[0]


def _is_of_kind(job: Job, *, is_long: bool, is_first: bool) -> bool:
    return job.is_long == is_long and job.is_first() == is_first


@dataclass(eq=False, kw_only=True)
class Lane:
    """Processes for one kind of jobs.

    Args:
        is_first: whether for first answers, or for all else.
        places_for_long: how many more jobs that take long may be computed while others wait.
        idle: how many of those who serve have nothing to do.
    """

    staff: Staff
    is_first: bool
    places_for_long: int
    idle: int = 0


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
                is_same = before is not None and replace(before, at=wish.at) == wish
                if is_same and not job.is_long:
                    job.wishes[visitor] = wish  # nothing new to those who serve
                    return
            elif self._queue.count(visitor, wish.wave) >= MOST_WAITING:
                return
            job.wishes[visitor] = wish
            self._put(job)

    def held(self) -> AbstractContextManager[object]:
        """Let nobody else look for as long as a context lasts."""
        return self._changed  # may be entered again inside

    def count_blank(self) -> int:
        """Return how many visitors see nothing, and wait for a job that has not begun."""
        with self._changed:
            return self._queue.count_blank()

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
                    job = self._taken(lane, is_long=False)
                    if job is None and lane.idle > 1:  # one stays free for what is short
                        job = self._taken(lane, is_long=True)
                    if job is not None:
                        return job
                    self._changed.wait()
            finally:
                lane.idle -= 1
        return None

    def next_long(self, lane: Lane) -> Job | None:
        """Return the next job that takes long; without one the place is free again."""
        with self._changed:
            job = None if self._is_closed else self._taken(lane, is_long=True)
            if job is None:
                lane.places_for_long += 1
            return job

    def take_place(self, lane: Lane) -> bool:
        """Take a place for a job that takes long, if there is one."""
        with self._changed:
            if lane.places_for_long < 1 or self._is_closed:
                return False
            lane.places_for_long -= 1
            return True

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

    def _taken(self, lane: Lane, *, is_long: bool) -> Job | None:
        had_to_wait = self._queue.waits_for_first()
        job = self._queue.take(is_long=is_long, is_first=lane.is_first)
        if had_to_wait and not self._queue.waits_for_first():
            self._changed.notify_all()  # those who compute all else go on
        if job is not None:
            self._under_way[job.key] = job
        return job

    def _put(self, job: Job) -> None:
        self._queue.put(job)
        if job.is_long:
            # Whose kind it is may change with who waits; they ask again, and so does this.
            lane = next(one for one in self._lanes if one.is_first == job.is_first())
            if self.take_place(lane) and not self._serve_long(lane):
                lane.places_for_long += 1  # somebody who serves takes it, when there is time
        self._changed.notify_all()  # not everybody is there for every job
