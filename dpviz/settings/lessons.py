"""The lesson that is open, what a participant has answered in lessons, and in which class."""

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from dpviz.scenario.errors import ScenarioError
from dpviz.settings.setting import ViewPart, choice, number, refused_by, seed, text, themselves

# In their order: each is numbered by its place, from 0.
LESSONS = (
    *("guess", "epsilon", "leak", "person", "rates"),
    *("windows", "steps", "labels", "bag", "plan"),
)
NO_LESSON, ALL_LESSONS = "none", "all"
# As in the address bar, where each names the same words to everybody, in whatever order they stand.
CHOICES = ("a", "b", "c", "d")
PAPER_SEED = 1  # of the order on paper and in front of a room
_ITEM, _CHOICE = ".", "-"  # neither is escaped in a link
CODE_LETTERS = "BCDFGHJKMNPQRSTVWXZ"  # no vowels, so no words; none that is read as a digit
CODE_LENGTH = 5
KEY_DIGITS = 32  # hexadecimal: 128 bits
_CODE = re.compile(rf"([{CODE_LETTERS}]{{{CODE_LENGTH}}})?")
_KEY = re.compile(rf"([0-9a-f]{{{KEY_DIGITS}}})?")


def order_of_choices(lesson: str, seed: int) -> tuple[str, ...]:
    """Return the choices of a lesson in the order in which a participant sees them.

    >>> sorted(order_of_choices("rates", 7))
    ['a', 'b', 'c', 'd']
    """
    return tuple(Random(f"{lesson} {seed}").sample(CHOICES, len(CHOICES)))


def letter_of(choice: str, order: tuple[str, ...]) -> str:
    """Return the letter that a choice stands beside.

    >>> letter_of("a", ("c", "a", "d", "b"))
    'B'
    """
    return CHOICES[order.index(choice)].upper()


def answers_by_lesson(answers: str) -> dict[str, str]:
    """Return the choices by lesson.

    Raises:
        ScenarioError: the text is not one that :func:`with_answer` returns.

    >>> answers_by_lesson("rates-b.steps-d")
    {'rates': 'b', 'steps': 'd'}
    """
    known = [f"{lesson}{_CHOICE}{choice}" for lesson in LESSONS for choice in CHOICES]
    items = _items(answers, known)
    chosen = {item[:-2]: item[-1] for item in items or ()}
    if items is None or len(chosen) < len(items):
        allowed = "it must be different lessons with a choice from a to d each"
        raise ScenarioError("answers", answers, f'{allowed}, such as "rates-b.steps-d"')
    return chosen


def with_answer(answers: str, lesson: str, choice: str) -> str:
    """Return the answers with one more, or another one.

    >>> with_answer("rates-b.steps-d", "leak", "c")
    'leak-c.rates-b.steps-d'
    """
    chosen = answers_by_lesson(answers) | {lesson: choice}
    return _ITEM.join(f"{name}{_CHOICE}{chosen[name]}" for name in LESSONS if name in chosen)


def lessons_in(revealed: str) -> tuple[str, ...]:
    """Return the lessons whose truth has been looked at.

    Raises:
        ScenarioError: the text is not one that :func:`with_lesson` returns.

    >>> lessons_in("rates.steps"), lessons_in("")
    (('rates', 'steps'), ())
    """
    items = _items(revealed, LESSONS)
    if items is None:
        allowed = 'it must be different lessons, such as "rates.steps"'
        raise ScenarioError("revealed", revealed, f"{allowed}, of {', '.join(LESSONS)}")
    return items


def with_lesson(revealed: str, lesson: str) -> str:
    """Return the revealed lessons with one more, in their order.

    >>> with_lesson("rates.steps", "leak")
    'leak.rates.steps'
    """
    shown = {*lessons_in(revealed), lesson}
    return _ITEM.join(name for name in LESSONS if name in shown)


def without_lesson(revealed: str, lesson: str) -> str:
    """Return the revealed lessons without one, in their order.

    >>> without_lesson("leak.rates.steps", "rates")
    'leak.steps'
    """
    return _ITEM.join(name for name in lessons_in(revealed) if name != lesson)


def _items(text: object, known: "list[str] | tuple[str, ...]") -> tuple[str, ...] | None:
    """Return a text's items, which have to be known and different; ``None`` for others.

    In any order: that of the lessons has changed, and links from before are to open.
    """
    if not isinstance(text, str) or len(text) > len(_ITEM.join(known)):
        return None
    items = text.split(_ITEM) if text else []
    are_different = len(set(items)) == len(items)
    return tuple(items) if are_different and set(items) <= set(known) else None


def _checked_code(name: str, value: Any) -> str:
    if not isinstance(value, str) or not _CODE.fullmatch(value.upper()):
        allowed = f"it must be {CODE_LENGTH} letters of {CODE_LETTERS}"
        raise ScenarioError(name, value, allowed)
    return value.upper()


def is_class_key(value: object) -> bool:
    """Return whether a value is written as keys in classes are."""
    return isinstance(value, str) and _KEY.fullmatch(value) is not None


def _checked_key(name: str, value: Any) -> str:
    if not is_class_key(value):
        raise ScenarioError(name, value, f"it must be {KEY_DIGITS} hexadecimal digits")
    return str(value)


@dataclass(frozen=True, kw_only=True)
class LessonsView(ViewPart):
    """The lesson that pages lead back to, and answers; all lessons are open to be printed."""

    lesson: str = choice(
        "none", themselves(NO_LESSON, *LESSONS, ALL_LESSONS), "Open lesson", is_looked_at=True
    )
    answers: str = text("", refused_by(answers_by_lesson), "Answers in lessons", is_looked_at=True)
    revealed: str = text(
        "", refused_by(lessons_in), "Lessons whose truth was looked at", is_looked_at=True
    )
    # 0: there is none yet
    participant: int = seed(
        "Seed of a participant's order of choices", default=0, is_looked_at=True
    )
    class_code: str = text("", _checked_code, "Code of a class", is_looked_at=True)
    class_key: str = text("", _checked_key, "Own key in a class", is_looked_at=True)
    whole_page: int = number(0, (0, 1), "Whole page of a lesson", is_looked_at=True)
    present: int = number(0, (0, 1), "Shown to a room", is_looked_at=True)


# What a participant did in lessons and their game; links for others lack it, copy_link.js, too.
OWN = ("answers", "revealed", "participant", "class_key", "game_seed", "game_answers")
# What stays wherever a link of a page leads.
ANSWERED = (*OWN, "class_code")
