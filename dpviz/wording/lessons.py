"""The lessons of the workshop: what each asks, and the state of a page that it leads to."""

import re
from dataclasses import dataclass, field, replace
from functools import cache

from dpviz.scenario import PRESETS, Relation, Scenario, Training
from dpviz.settings import View
from dpviz.settings.lessons import CHOICES, LESSONS
from dpviz.wording.texts import wording_text

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_TOY, _TRAFFIC = PRESETS["toy"].scenario, PRESETS["traffic"].scenario
_TWO_WEEKS = 336  # hours


@dataclass(frozen=True, kw_only=True)
class LessonText:
    """The words of a lesson, as Markdown.

    Args:
        title: its name.
        aim: what is learnt.
        question: to be answered before anything is looked at.
        choices: the answers to choose from, one for each of ``CHOICES``.
        look: what to do on the prepared page.
        reveal: what is true.
        take_away: what to remember.
    """

    title: str
    aim: str
    question: str
    choices: tuple[str, ...]
    look: str
    reveal: str
    take_away: str


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson.

    Args:
        name: as in the link.
        minutes: how long it takes in a room.
        page: the page that it leads to.
        scenario: what is set there.
        view: what is shown there.
        right: the choice that is true.
    """

    name: str
    minutes: int
    page: str
    scenario: Scenario
    right: str
    view: View = field(default_factory=View)

    @property
    def number(self) -> int:
        """Its place, from 1."""
        return LESSONS.index(self.name) + 1

    @property
    def text(self) -> LessonText:
        """Its words."""
        return _lesson_text(self.name)

    @property
    def label(self) -> str:
        """What it is called where others are, too."""
        return f"Lesson {self.number}: {self.text.title}"


@cache
def _lesson_text(name: str) -> LessonText:
    title, *rest = _HEADING.split(wording_text(f"lessons/{name}"))
    parts = {heading: body.strip() for heading, body in zip(rest[::2], rest[1::2], strict=True)}
    choices = tuple(line.removeprefix("- ") for line in parts["Choices"].splitlines())
    assert len(choices) == len(CHOICES)
    return LessonText(
        title=title.strip().removeprefix("# "),
        aim=parts["Aim"],
        question=parts["Question"],
        choices=choices,
        look=parts["Look"],
        reveal=parts["Reveal"],
        take_away=parts["Take-away"],
    )


def _steps(count: int) -> Scenario:
    return replace(_TOY, training=Training(unit="steps", count=count))


def _noisy_labels() -> Scenario:
    return replace(_TOY, noise=replace(_TOY.noise, forecast_noise=1.0))


def _longer_windows() -> Scenario:
    assert _TOY.shape is not None
    return replace(_TOY, data=replace(_TOY.shape, context_length=4, forecast_length=2))


_ALL = (
    Lesson(
        name="leak",
        minutes=6,
        page="batch_drawing",
        scenario=_longer_windows(),
        view=View(drawing_seed=4),
        right="c",
    ),
    Lesson(name="rates", minutes=7, page="privacy_curve", scenario=_TOY, right="c"),
    Lesson(name="windows", minutes=10, page="subsequences", scenario=_steps(100), right="a"),
    Lesson(
        name="steps",
        minutes=7,
        page="privacy_curve",
        scenario=_TOY,
        view=View(chart="training"),
        right="b",
    ),
    Lesson(name="labels", minutes=8, page="label_noise", scenario=_noisy_labels(), right="b"),
    Lesson(
        name="person",
        minutes=8,
        page="protection",
        scenario=replace(_TRAFFIC, relation=Relation(width=_TWO_WEEKS)),
        right="b",
    ),
    Lesson(name="bag", minutes=8, page="one_bag", scenario=_TOY, right="b"),
    Lesson(
        name="plan",
        minutes=10,
        page="planner",
        scenario=_TRAFFIC,
        view=View(target_epsilon=0.5, plan_chart="curve"),
        right="b",
    ),
    Lesson(name="epsilon", minutes=7, page="epsilon_meaning", scenario=_TRAFFIC, right="b"),
)
LESSONS_BY_NAME = {lesson.name: lesson for lesson in _ALL}


def with_lesson_open(view: View, lesson: str, shown: View | None = None) -> View:
    """Return a view in which a lesson is open, with the participant's answers.

    Args:
        view: the participant's.
        lesson: its name.
        shown: what the pages show; as at first if absent.

    >>> with_lesson_open(View(chart="training", answers="leak-c"), "rates").answers
    'leak-c'
    """
    return replace(
        View() if shown is None else shown,
        lesson=lesson,
        answers=view.answers,
        revealed=view.revealed,
        present=view.present,
    )


def neighbour(lesson: Lesson, places: int) -> Lesson | None:
    """Return the lesson so many places on; ``None`` beyond the first and the last."""
    at = LESSONS.index(lesson.name) + places
    return LESSONS_BY_NAME[LESSONS[at]] if 0 <= at < len(LESSONS) else None
