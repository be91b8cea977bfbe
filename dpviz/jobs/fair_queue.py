"""The jobs that wait for a process, and whose turn it is."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from time import monotonic

from dpviz.jobs.job import PATIENCE_SECONDS, Job, Wish

# Who sees nothing comes first, but does not hold up what others have waited for so long.
MOST_SECONDS_BEHIND = 10.0
# So many jobs without which one visitor sees nothing are begun before it is another one's turn.
MOST_IN_A_TURN = 12
_MOST_REMEMBERED = 1000


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
        return len({visitor for visitor, job in self._waiting() if job.wishes[visitor].is_first})

    def waits_for_first(self) -> bool:
        """Return whether somebody sees nothing before a job that takes no longer than most."""
        return any(
            job.wishes[visitor].is_first and not job.is_long for visitor, job in self._waiting()
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
            for visitor, other in self._waiting()
            if _is_of_kind(other, is_long=False, is_first=is_first)
        )

    def take(self, *, is_long: bool, is_first: bool) -> Job | None:
        """Take out and return the next job of a kind that somebody waits for.

        Of those without which somebody sees nothing (``is_first``), or of the others. While
        somebody sees nothing, others are begun that have waited very long, and no more: all
        processes share the processors.
        """
        now = self._clock()
        for visitor, one in list(self._waiting()):
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

    def _waiting(self) -> Iterator[tuple[str, Job]]:
        """Yield each visitor with each job that they wait for."""
        for visitor, jobs in self._turns.items():
            for job in jobs.values():
                yield visitor, job

    def _goes_on(self, visitor: str, wish: Wish) -> bool:
        """Return whether a job is of the turn that its visitor had last."""
        return wish.is_first and self._begun.get(visitor, (None, 0))[0] == wish.wave

    def _best(self, visitor: str, *, is_long: bool, is_first: bool) -> Job | None:
        jobs = self._turns[visitor].values()
        of_kind = [job for job in jobs if _is_of_kind(job, is_long=is_long, is_first=is_first)]
        # The first of those that are equal.
        return max(of_kind, key=lambda job: job.wishes[visitor].is_first, default=None)

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
