"""The jobs that wait for a process, and whose turn it is."""

from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from math import inf
from time import monotonic

from dpviz.jobs.job import PATIENCE_SECONDS, Job, Wish

# Who sees nothing comes first, but does not hold up what others have waited for so long.
MOST_SECONDS_BEHIND = 10.0
# So many jobs without which one visitor sees nothing are begun before it is another one's turn.
MOST_IN_A_TURN = 12
_MOST_REMEMBERED = 1000
_LOOK_SECONDS = 0.1 * PATIENCE_SECONDS


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
        # Those of them without which their visitor sees nothing: few, and asked for all the time.
        self._blank: dict[str, dict[str, Job]] = {}
        # Of those whose turn may go on: their wave, and how many of its jobs were begun.
        self._begun: OrderedDict[str, tuple[int, int]] = OrderedDict()
        self._looks_at = -inf  # when it is time to drop what nobody waits for

    def put(self, job: Job) -> None:
        """Add a job for all who wait for it, or for those who have joined them."""
        self._jobs[job.key] = job
        for visitor, wish in job.wishes.items():
            # Before others are dropped: whoever moves a slider keeps their turn.
            jobs = self._turns.setdefault(visitor, {})
            jobs[job.key] = job
            for other in [one for one in jobs.values() if one.wishes[visitor].wave < wish.wave]:
                self._drop(other, visitor)
            if wish.is_first:
                self._blank.setdefault(visitor, {})[job.key] = job
            else:
                _take_out(self._blank, visitor, job)

    def find(self, key: str) -> Job | None:
        """Return the job of that name."""
        return self._jobs.get(key)

    def count(self, visitor: str, wave: int = 0) -> int:
        """Return how many of the jobs a visitor waits for, since a wave: earlier ones make room."""
        jobs = self._turns.get(visitor, {}).values()
        return sum(job.wishes[visitor].wave >= wave for job in jobs)

    def count_blank(self) -> int:
        """Return how many visitors see nothing, and wait for a job that has not begun."""
        return len(self._blank)

    def waits_for_first(self) -> bool:
        """Return whether somebody sees nothing before a job that takes no longer than most."""
        return any(not job.is_long for jobs in self._blank.values() for job in jobs.values())

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
            if not other.is_long and other.is_first() == is_first
        )

    def take(self, *, is_long: bool, is_first: bool) -> Job | None:
        """Take out and return the next job of a kind that somebody waits for.

        Of those without which somebody sees nothing (``is_first``), or of the others. While
        somebody sees nothing, others are begun that have waited very long, and no more: all
        processes share the processors.
        """
        now = self._clock()
        self._drop_unwanted(now)
        overdue = now - MOST_SECONDS_BEHIND
        found = self._next_of_each(is_long=is_long, is_first=is_first)
        if not is_first and self.waits_for_first():
            found = {one: job for one, job in found.items() if job.since < overdue}
        if not found:
            return None

        def rank(one: str) -> tuple[bool, bool]:
            wish = found[one].wishes[one]
            return wish.is_first or found[one].since < overdue, self._goes_on(one, wish)

        # The first of those that are equal: whose turn it is.
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
        for other in job.wishes:
            _take_out(self._turns, other, job)
            _take_out(self._blank, other, job)
        del self._jobs[job.key]
        return job

    def _next_of_each(self, *, is_long: bool, is_first: bool) -> dict[str, Job]:
        """Return the job that is next for each who waits for one of a kind."""
        found = {}
        for visitor in self._turns:
            for job in (self._blank if is_first else self._turns).get(visitor, {}).values():
                if job.is_long == is_long and job.is_first() == is_first:
                    found[visitor] = job
                    break
        return found

    def _goes_on(self, visitor: str, wish: Wish) -> bool:
        """Return whether a job is of the turn that its visitor had last."""
        return wish.is_first and self._begun.get(visitor, (None, 0))[0] == wish.wave

    def _drop_unwanted(self, now: float) -> None:
        """Drop what nobody has asked for again, now and then: of hundreds of jobs that costs."""
        if now < self._looks_at:
            return
        self._looks_at = now + _LOOK_SECONDS
        for job in list(self._jobs.values()):
            for visitor, wish in list(job.wishes.items()):
                if now - wish.at >= PATIENCE_SECONDS:
                    self._drop(job, visitor)

    def _drop(self, job: Job, visitor: str) -> None:
        """Let a visitor wait for a job no longer."""
        del job.wishes[visitor]
        _take_out(self._turns, visitor, job)
        _take_out(self._blank, visitor, job)
        if not job.wishes:
            del self._jobs[job.key]


def person_of(visitor: str) -> str:
    """Return who has a page open: what a visitor's name begins with.

    >>> person_of("ann/2"), person_of("ann")
    ('ann', 'ann')
    """
    return visitor.partition("/")[0]


def _take_out(jobs_of: MutableMapping[str, dict[str, Job]], visitor: str, job: Job) -> None:
    jobs = jobs_of.get(visitor, {})
    jobs.pop(job.key, None)
    if not jobs:
        jobs_of.pop(visitor, None)
