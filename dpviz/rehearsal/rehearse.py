"""A workshop's lessons, opened and played by simulated phones; and whether the server is ready."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from dpviz.rehearsal.participant import NO_ANSWER, STILL_COARSE, Participant, percentile
from dpviz.scenario import to_query
from dpviz.settings import View
from dpviz.settings.view import view_to_query
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson, with_lesson_open

# Of 20 phones, 19 are to wait no longer: for the first answer of a page that everybody opens at
# once, and for an answer while a slider moves.
MOST_JOINING, MOST_ANSWER = 10.0, 1.0
_SHARE = 0.95
_JOIN_SECONDS = 5.0  # in which everybody scans the code
_SETTLE_SECONDS = 1.0
_EVERY_SECONDS = 2.0
# Behind a proxy with several servers each visit may come to another one.
_VISITS = 3
_SEED = 1


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """What was measured, in seconds."""

    participants: int
    seconds: float  # for how long they moved the slider
    lesson: str
    warmed: Mapping[str, float]  # for each lesson, what its page took when it was opened first
    joining: tuple[float, ...]  # of each phone, until the page's first answer, its files included
    answers: tuple[float, ...]  # of each move, until its answer
    failures: Counter[str]  # what went wrong, with how often it did

    @property
    def is_ready(self) -> bool:
        """Whether nothing failed, and nobody waits too long but one of 20."""
        return (
            not self.failures
            and self.slowest_joining <= MOST_JOINING
            and self.slowest_answer <= MOST_ANSWER
        )

    @property
    def is_slow(self) -> bool:
        """Whether more processors are what it lacks: all that failed was late."""
        only_late = all(one.endswith((NO_ANSWER, STILL_COARSE)) for one in self.failures)
        return only_late and (bool(self.failures) or self.slowest_answer > MOST_ANSWER)

    @property
    def slowest_joining(self) -> float:
        """Seconds that 19 of 20 wait at most when they join."""
        return percentile(self.joining, _SHARE) if self.joining else float("inf")

    @property
    def slowest_answer(self) -> float:
        """Seconds that 19 of 20 moves wait at most."""
        return percentile(self.answers, _SHARE) if self.answers else float("inf")


def lesson_link(lesson: Lesson) -> str:
    """Return page and query of the link that a lesson leads to.

    >>> lesson_link(LESSONS_BY_NAME["rates"]).partition("?")[0]
    'privacy_curve'
    """
    shown = view_to_query(with_lesson_open(View(), lesson.name, lesson.view))
    return f"{lesson.page}?{to_query(lesson.scenario)}&{urlencode(shown)}"


async def rehearse(
    url: str,
    *,
    lesson: str,
    participants: int,
    seconds: float,
    lessons: Sequence[str] = tuple(LESSONS_BY_NAME),
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Rehearsal:
    """Open the prepared page of each of the ``lessons``, then play one of them with many phones.

    Args:
        url: of the server, ending in a slash.
        lesson: which all phones play: each moves its slider every two seconds, or answers its game.
        participants: how many phones.
        seconds: for how long.
        progress: told how many lessons are opened, of how many.
    """
    failures: Counter[str] = Counter()
    warmed = dict[str, float]()
    for name in lessons:
        progress(len(warmed), len(lessons))
        warmed[name] = await _warm(url, LESSONS_BY_NAME[name], failures)
    progress(len(warmed), len(lessons))
    phones = await _played(url, LESSONS_BY_NAME[lesson], participants, seconds)
    for phone in phones:
        failures.update(_failures_of(phone))
    return Rehearsal(
        participants=participants,
        seconds=seconds,
        lesson=lesson,
        warmed=warmed,
        joining=tuple(one for phone in phones for one in phone.joining.answers),
        answers=tuple(one for phone in phones for one in phone.moving.answers),
        failures=failures,
    )


async def _warm(url: str, lesson: Lesson, failures: Counter[str]) -> float:
    """Open a lesson's page, and play a round where it is a game; return how long it took at first.

    What is not ready in time then is what this is for: only the last visit can fail.
    """
    times = []
    for visit in range(1, _VISITS + 1):
        plays = lesson.begins_with_page and visit == _VISITS
        began = time.monotonic()
        (phone,) = await _played(url, lesson, 1, _EVERY_SECONDS if plays else 0.0)
        times.append(time.monotonic() - began)
    failures.update(_failures_of(phone))
    return times[0]


def _failures_of(phone: Participant) -> Counter[str]:
    return Counter([*phone.joining.errors, *phone.moving.errors])


async def _played(url: str, lesson: Lesson, participants: int, seconds: float) -> list[Participant]:
    rng = random.Random(_SEED)
    begin = time.monotonic()
    moving: asyncio.Future[float] = asyncio.get_running_loop().create_future()
    phones = [
        Participant(
            url=url,
            link=lesson_link(lesson),
            join=begin + _JOIN_SECONDS * number / participants,
            all_move=moving,
            first_move=rng.uniform(0.0, _EVERY_SECONDS),
            every=_EVERY_SECONDS,
            length=seconds,
            rng=random.Random(rng.random()),
            one_slider=True,
        )
        for number in range(participants)
    ]
    tasks = [asyncio.create_task(phone.take_part()) for phone in phones]
    await asyncio.gather(*(phone.has_joined.wait() for phone in phones))
    await asyncio.sleep(_SETTLE_SECONDS if seconds else 0.0)
    moving.set_result(time.monotonic())
    await asyncio.gather(*tasks)
    return phones
