"""Who is next: visitors who see nothing yet, and of each one what they asked for last."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

from dpviz.jobs.job import PATIENCE_SECONDS, Job

# Who sees nothing comes first, but does not hold up what others have waited for so long.
MOST_SECONDS_BEHIND = 10.0


class FairQueue:
    """Jobs that have not begun. Not for several threads without a lock.

    Visitors take turns: first those who see nothing before their job is done, or who have waited
    very long, then the others.
    A visitor's jobs are those of their latest wave, in its order: whoever moves a slider does not
    wait for what its position before would have shown.

    Args:
        clock: returns seconds.

    >>> from dpviz.jobs.job import Wish
    >>> from dpviz.jobs.limits import Limits
    >>> queue = FairQueue(clock=lambda: 0.0)
    >>> for visitor, key in (("ann", "a1"), ("ann", "a2"), ("bob", "b1")):
    ...     wishes = {visitor: Wish(at=0.0, wave=1)}
    ...     queue.put(Job(key=key, compute=int, limits=Limits(), wishes=wishes))
    >>> [queue.take(is_long=False).key for _ in range(3)]
    ['a1', 'b1', 'a2']
    >>> queue.take(is_long=False) is None
    True
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._jobs: dict[str, Job] = {}
        # Each visitor's jobs by key; whose turn it is next comes first.
        self._turns: OrderedDict[str, dict[str, Job]] = OrderedDict()

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

    def is_held_up_by(self, job: Job, *, is_first: bool | None = None) -> bool:
        """Return whether short jobs wait that come before one that is computed.

        Those of others, or of a later wave, unless only its own visitor sees nothing yet.

        Args:
            job: what is computed.
            is_first: see :meth:`take`.
        """
        is_own_first = job.is_first()
        return any(
            (visitor not in job.wishes or other.wishes[visitor].wave > job.wishes[visitor].wave)
            and (other.wishes[visitor].is_first or not is_own_first)
            for visitor, jobs in self._turns.items()
            for other in jobs.values()
            if _is_of_kind(other, is_long=False, is_first=is_first)
        )

    def take(self, *, is_long: bool, is_first: bool | None = None) -> Job | None:
        """Take out and return the next job of a kind that somebody waits for.

        Args:
            is_long: of those known to take long, or of the others.
            is_first: of those without which somebody sees nothing, of the others, or of both.
        """
        for visitor in list(self._turns):
            self._drop_unwanted(visitor)
        found = {
            visitor: job
            for visitor in self._turns
            if (job := self._best(visitor, is_long=is_long, is_first=is_first)) is not None
        }
        # The first of those that are equal: whose turn it is.
        if not found:
            return None
        overdue = self._clock() - MOST_SECONDS_BEHIND
        visitor = max(
            found,
            key=lambda one: found[one].wishes[one].is_first or found[one].since < overdue,
        )
        job = found[visitor]
        self._turns.move_to_end(visitor)
        for other in list(job.wishes):
            self._remove(job, other)
        return job

    def _best(self, visitor: str, *, is_long: bool, is_first: bool | None) -> Job | None:
        jobs = [
            job
            for job in self._turns[visitor].values()
            if _is_of_kind(job, is_long=is_long, is_first=is_first)
        ]
        if not jobs:
            return None
        # The first of those that are equal.
        return max(jobs, key=lambda job: job.wishes[visitor].is_first)

    def _drop_unwanted(self, visitor: str) -> None:
        now = self._clock()
        for job in list(self._turns[visitor].values()):
            if now - job.wishes[visitor].at >= PATIENCE_SECONDS:
                self._remove(job, visitor)

    def _remove(self, job: Job, visitor: str) -> None:
        jobs = self._turns.get(visitor, {})
        jobs.pop(job.key, None)
        if not jobs:
            self._turns.pop(visitor, None)
        if not any(job.key in others for others in map(self._jobs_of, job.wishes)):
            self._jobs.pop(job.key, None)

    def _jobs_of(self, visitor: str) -> dict[str, Job]:
        return self._turns.get(visitor, {})


def _is_of_kind(job: Job, *, is_long: bool, is_first: bool | None) -> bool:
    return job.is_long == is_long and is_first in (None, job.is_first())
