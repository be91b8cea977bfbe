"""The lessons: every number in their texts is what dpviz computes, and every part is there."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from dpviz.settings import View
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.lessons import CHOICES, LESSONS, PAPER_SEED, letter_of, order_of_choices
from dpviz.wording.lessons import LESSONS_BY_NAME, neighbour, with_lesson_open
from dpviz.wording.texts import wording_text
from tests.pages.app import ROOT
from tests.wording.lesson_facts import FACTS

MOST_WORDS = 330
TEXTS = ROOT / "dpviz" / "wording" / "texts" / "lessons"


def left_of(text: str, facts: list[str]) -> str:
    """Return a text without what is known to be true; what is not in it is an error."""
    for fact in sorted(facts, key=len, reverse=True):
        assert fact in text or fact.strip("- \n") in text, fact
        text = text.replace(fact, " # ")
    return text


@pytest.mark.every(3)
@pytest.mark.parametrize("name", LESSONS)
def test_every_number_of_a_lesson_is_computed(name):
    """With the words around it: an upper bound cannot stand where a lower one is meant."""
    left = left_of(wording_text(f"lessons/{name}") + "\n", FACTS[name]())
    assert re.findall(r".{0,40}[0-9⁰¹²³⁴⁵⁶⁷⁸⁹].{0,20}", left) == []


def test_lessons_are_those_that_a_link_can_name():
    assert tuple(LESSONS_BY_NAME) == LESSONS
    assert [lesson.number for lesson in LESSONS_BY_NAME.values()] == list(range(10))
    named = {path.stem for path in TEXTS.glob("*.md")}
    assert named == {*LESSONS, "introduction", "for_teachers"}


@pytest.mark.parametrize("lesson", LESSONS_BY_NAME.values(), ids=LESSONS)
def test_lessons_are_short_and_lead_to_a_page(lesson):
    assert (ROOT / "pages" / f"{lesson.page}.py").exists()
    assert 5 <= lesson.minutes <= 10
    assert tuple(lesson.text.choices) == CHOICES
    assert len(set(lesson.text.choices.values())) == len(CHOICES)
    assert {*lesson.text.mistakes, lesson.right} == {*CHOICES}
    assert lesson.right not in lesson.text.mistakes
    assert len(wording_text(f"lessons/{lesson.name}").split()) <= MOST_WORDS
    assert lesson.text.question.rstrip().endswith("?")


GUIDE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
SHORT = ("guess", "epsilon", "leak", "person", "windows")


def letter_on_paper(lesson):
    return letter_of(lesson.right, order_of_choices(lesson.name, PAPER_SEED))


@pytest.mark.parametrize("lesson", LESSONS_BY_NAME.values(), ids=LESSONS)
def test_guide_for_teachers_has_time_page_and_answer_of_every_lesson(lesson):
    page, answer = PAGE_NAMES[lesson.page], letter_on_paper(lesson)
    assert (
        f"| {lesson.number}. {lesson.text.title} | {lesson.minutes} | {page} | {answer} |\n"
        in GUIDE
    )
    section = GUIDE.partition(f"### {lesson.label}\n")[2].partition("\n### ")[0]
    assert section.strip().startswith(f"**Answer {answer}.** ")
    assert "**What to watch for.** " in section
    assert not re.search("[0-9]", section)


def test_guide_adds_up_the_minutes():
    everything = sum(lesson.minutes for lesson in LESSONS_BY_NAME.values())
    short = [LESSONS_BY_NAME[name] for name in SHORT]
    named = [f"{lesson.number}" for lesson in short]
    assert f"All ten take {everything} minutes" in GUIDE
    listed = f"{', '.join(named[:-1])} and {named[-1]}: {sum(one.minutes for one in short)} minutes"
    assert f"take lessons {listed}" in " ".join(GUIDE.split())
    assert set(re.findall(r"\]\(([^)]+)\)", GUIDE)) == {"deploy.md", "#the-kit"}


def test_right_answers_are_about_as_often_any_letter_on_paper():
    letters = Counter(letter_on_paper(lesson) for lesson in LESSONS_BY_NAME.values())
    assert letters.keys() == {"A", "B", "C", "D"}
    assert max(letters.values()) <= 4


def test_letters_tell_participants_nothing_of_each_others_choices():
    for name in LESSONS:
        letters = Counter(letter_of("a", order_of_choices(name, seed)) for seed in range(400))
        assert all(60 < count < 140 for count in letters.values())
        assert order_of_choices(name, 5) == order_of_choices(name, 5)


SYMBOL = re.compile(r"[σL]_[CF]|[α-ωΑ-Ω]|(?<![\w'’])[krvw](?![\w'’])")


def read_in_order(lesson):
    """Return a lesson's words in the order in which a participant meets them."""
    text = lesson.text
    look = [text.look]
    asked = [text.words, text.question, *text.choices.values()]
    first = look + asked if lesson.begins_with_page else asked + look
    parts = [text.title, text.aim, *first, *text.mistakes.values(), text.reveal, text.take_away]
    return "\n".join(parts)


def test_every_symbol_is_explained_where_it_is_first_used():
    """Bold, with its meaning behind it: no lesson uses what a later one explains."""
    everything = "\n".join(read_in_order(lesson) for lesson in LESSONS_BY_NAME.values())
    met = dict.fromkeys(SYMBOL.findall(everything))
    assert {"ε", "δ", "σ", "L_C", "L_F", "k", "r", "ρ", "λ", "σ_F", "v", "w"} == met.keys()
    for symbol in met:
        first = re.search(rf"(?<!\w){re.escape(symbol)}(?!\w)", everything)
        around = everything[first.start() - 2 : first.end() + 20]
        assert around.startswith(f"**{symbol}**"), (symbol, around)


def test_opening_a_lesson_keeps_what_was_answered_and_how_it_is_shown():
    kept = {"answers": "leak-c", "revealed": "leak", "participant": 5, "present": 1}
    kept |= {"class_code": "BCDFG", "class_key": "0" * 32}
    kept |= {"game_seed": 7, "game_answers": "0123abcd-yn"}
    own = View(**kept, chart="training", prior=0.1)
    opened = with_lesson_open(own, "steps", View(figure="13"))
    assert opened == View(**kept, figure="13", lesson="steps")
    assert with_lesson_open(own, "steps") == replace(opened, figure="2")


def test_lessons_follow_each_other():
    first, last = LESSONS_BY_NAME["guess"], LESSONS_BY_NAME["plan"]
    assert neighbour(first, -1) is neighbour(last, 1) is None
    assert neighbour(first, 1) is LESSONS_BY_NAME["epsilon"]
