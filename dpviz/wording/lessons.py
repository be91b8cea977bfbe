"""The lessons of the workshop: what each asks, and the state of a page that it leads to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from dpviz.scenario import PRESETS, Noise, Scenario, Training
from dpviz.settings import View
from dpviz.settings.lessons import (
    ANSWERED,
    CHOICES,
    LESSONS,
    PAPER_SEED,
    letter_of,
    order_of_choices,
)
from dpviz.wording.texts import sections, wording_text

_MISTAKE = "  - "  # below the choice that it is about
_TOY, _TRAFFIC = PRESETS["toy"].scenario, PRESETS["traffic"].scenario


@dataclass(frozen=True, kw_only=True)
class LessonText:
    """The words of a lesson, as Markdown.

    Args:
        words: what symbols mean that are met for the first time; may be empty.
        choices: the answers to choose from, by the name that links have for each.
        mistakes: what those who choose another answer than the right one overlook, likewise.
        look: what to do on the prepared page.
    """

    title: str
    aim: str
    words: str
    question: str
    choices: Mapping[str, str]
    mistakes: Mapping[str, str]
    look: str
    reveal: str
    take_away: str


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson.

    Args:
        minutes: how long it takes in a room.
        right: the choice that is true.
        begins_with_page: whether one looks before one predicts.
    """

    name: str
    minutes: int
    page: str
    scenario: Scenario
    right: str
    view: View = field(default_factory=View)
    begins_with_page: bool = False

    @property
    def number(self) -> int:
        """Its place, from 0."""
        return LESSONS.index(self.name)

    @property
    def text(self) -> LessonText:
        """Its words."""
        return _lesson_text(self.name)

    @property
    def on_paper(self) -> dict[str, str]:
        """Its choices by their letters, in the order that paper and projectors have."""
        order = order_of_choices(self.name, PAPER_SEED)
        return {letter_of(choice, order): choice for choice in order}

    @property
    def label(self) -> str:
        """What it is called where others are, too."""
        return f"Lesson {self.number}: {self.text.title}"


@cache
def _lesson_text(name: str) -> LessonText:
    parts = sections(wording_text(f"lessons/{name}"))
    choices, mistakes = dict[str, str](), dict[str, str]()
    for line in parts["Choices"].splitlines():
        if line.startswith(_MISTAKE):
            mistakes[CHOICES[len(choices) - 1]] = line.removeprefix(_MISTAKE)
        else:
            choices[CHOICES[len(choices)]] = line.removeprefix("- ")
    return LessonText(
        title=parts[""].removeprefix("# "),
        words=parts.get("Words", ""),
        choices=choices,
        mistakes=mistakes,
        take_away=parts["Take-away"],
        **{name.lower(): parts[name] for name in ("Aim", "Question", "Look", "Reveal")},
    )


# One training for all lessons on the paper's small data set, so that numbers met once come back.
_SMALL = replace(_TOY, noise=Noise(noise_multiplier=1.5))
_NOISY_LABELS = replace(_SMALL, noise=replace(_SMALL.noise, forecast_noise=1.0))
_LONGER_WINDOWS = replace(
    _SMALL, data=replace(_SMALL.given_shape, context_length=4, forecast_length=2)
)

_ALL = (
    Lesson(
        name="guess",
        minutes=8,
        page="epsilon_meaning",
        scenario=replace(_TOY, noise=Noise(noise_multiplier=2.0)),
        right="b",
        begins_with_page=True,
    ),
    Lesson(name="epsilon", minutes=7, page="epsilon_meaning", scenario=_TRAFFIC, right="a"),
    Lesson(
        name="leak",
        minutes=6,
        page="batch_drawing",
        scenario=_LONGER_WINDOWS,
        view=View(drawing_seed=4),
        right="c",
    ),
    Lesson(name="person", minutes=8, page="protection", scenario=_TRAFFIC, right="b"),
    Lesson(name="rates", minutes=7, page="privacy_curve", scenario=_SMALL, right="c"),
    Lesson(name="windows", minutes=10, page="subsequences", scenario=_SMALL, right="a"),
    Lesson(
        name="steps",
        minutes=7,
        page="privacy_curve",
        scenario=replace(_SMALL, training=Training(unit="steps", count=1)),
        right="b",
    ),
    Lesson(name="labels", minutes=8, page="label_noise", scenario=_NOISY_LABELS, right="b"),
    Lesson(name="bag", minutes=8, page="one_bag", scenario=_SMALL, right="b"),
    Lesson(
        name="plan",
        minutes=10,
        page="planner",
        scenario=_TRAFFIC,
        view=View(target_epsilon=0.5, region_x="noise_multiplier"),
        right="b",
    ),
)
LESSONS_BY_NAME = {lesson.name: lesson for lesson in _ALL}


def with_lesson_open(view: View, lesson: str, shown: View | None = None) -> View:
    """Return a view in which a lesson is open, with the participant's answers."""
    kept = {name: getattr(view, name) for name in (*ANSWERED, "present")}
    return replace(View() if shown is None else shown, lesson=lesson, **kept)


def neighbour(lesson: Lesson, places: int) -> Lesson | None:
    """Return the lesson so many places on; ``None`` beyond the first and the last."""
    at = LESSONS.index(lesson.name) + places
    return LESSONS_BY_NAME[LESSONS[at]] if 0 <= at < len(LESSONS) else None
