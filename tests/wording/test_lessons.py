"""The lessons: every number in their texts is what dpviz computes, and every part is there."""

import re
from dataclasses import replace

import pytest

from dpviz.scenario import Training
from dpviz.settings import View
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.lessons import CHOICES, LESSONS
from dpviz.wording.lessons import LESSONS_BY_NAME, neighbour, with_lesson_open
from dpviz.wording.texts import wording_text
from tests.pages.app import ROOT
from tests.wording.lesson_facts import FACTS
from tests.wording.proven import at_least, at_most

MOST_WORDS = 330
TEXTS = ROOT / "dpviz" / "wording" / "texts" / "lessons"


def left_of(text: str, facts: list[str]) -> str:
    """Return a text without what is known to be true; what is not in it is an error."""
    for fact in sorted(facts, key=len, reverse=True):
        assert fact in text or fact.strip("- \n") in text, fact
        text = text.replace(fact, " # ")
    return text


@pytest.mark.parametrize("name", LESSONS)
def test_every_number_of_a_lesson_is_computed(name):
    """With the words around it: an upper bound cannot stand where a lower one is meant."""
    left = left_of(wording_text(f"lessons/{name}") + "\n", FACTS[name]())
    assert re.findall(r".{0,40}[0-9⁰¹²³⁴⁵⁶⁷⁸⁹].{0,20}", left) == []


def test_a_number_that_is_not_computed_is_found():
    assert re.search("[0-9]", left_of("ε ≤ 3 and 4", ["ε ≤ 3"]))
    with pytest.raises(AssertionError):
        left_of("ε ≤ 3", ["ε ≤ 4"])


def test_lessons_are_those_that_a_link_can_name():
    assert tuple(LESSONS_BY_NAME) == LESSONS
    assert [lesson.number for lesson in LESSONS_BY_NAME.values()] == list(range(1, 10))
    named = {path.stem for path in TEXTS.glob("*.md")}
    assert named == {*LESSONS, "introduction", "for_teachers"}


@pytest.mark.parametrize("lesson", LESSONS_BY_NAME.values(), ids=LESSONS)
def test_lessons_are_short_and_lead_to_a_page(lesson):
    assert (ROOT / "pages" / f"{lesson.page}.py").exists()
    assert 5 <= lesson.minutes <= 10
    assert lesson.right in CHOICES
    assert len(set(lesson.text.choices)) == len(CHOICES)
    assert len(wording_text(f"lessons/{lesson.name}").split()) <= MOST_WORDS
    assert lesson.text.question.rstrip().endswith("?")


GUIDE = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
SHORT = ("leak", "windows", "person", "bag", "epsilon")


@pytest.mark.parametrize("lesson", LESSONS_BY_NAME.values(), ids=LESSONS)
def test_guide_for_teachers_has_time_page_and_answer_of_every_lesson(lesson):
    page, answer = PAGE_NAMES[lesson.page], lesson.right.upper()
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
    assert f"All nine take {everything} minutes" in GUIDE
    listed = f"{', '.join(named[:-1])} and {named[-1]}: {sum(one.minutes for one in short)} minutes"
    assert f"take lessons {listed}" in " ".join(GUIDE.split())
    assert set(re.findall(r"\]\(([^)]+)\)", GUIDE)) == {"deploy.md"}


def test_right_answers_are_not_all_the_same():
    assert len({lesson.right for lesson in LESSONS_BY_NAME.values()}) > 2


def test_opening_a_lesson_keeps_what_was_answered_and_how_it_is_shown():
    own = View(answers="leak-c", revealed="leak", present=1, chart="training", prior=0.1)
    opened = with_lesson_open(own, "steps", View(figure="13"))
    assert opened == View(answers="leak-c", revealed="leak", present=1, figure="13", lesson="steps")
    assert with_lesson_open(own, "steps") == replace(opened, figure="2")


def test_lessons_follow_each_other():
    first, last = LESSONS_BY_NAME["leak"], LESSONS_BY_NAME["epsilon"]
    assert neighbour(first, -1) is neighbour(last, 1) is None
    assert neighbour(first, 1) is LESSONS_BY_NAME["rates"]


RATES = LESSONS_BY_NAME["rates"]


def in_epochs(scenario):
    """Return the run counted in epochs, as the choice beside training does."""
    return replace(scenario, training=Training(unit="epochs", count=scenario.num_epochs))


def after_epochs(scenario, count):
    return replace(scenario, training=Training(unit="epochs", count=count))


@pytest.mark.parametrize("rate", ["bottom_rate", "top_rate"])
def test_halving_one_rate_over_the_same_steps(rate):
    half = RATES.scenario.with_rates(**{rate: 0.05})
    assert half.num_steps == 1000
    assert f"With either at 0.05 it is {at_most(half)}" in RATES.text.reveal


@pytest.mark.parametrize("rate_comes_first", [True, False])
def test_halving_one_rate_over_the_same_epochs(rate_comes_first):
    """In either order: half of rho makes epochs of twice the steps."""
    ends = {}
    for rate in ("bottom_rate", "top_rate"):
        if rate_comes_first:
            ends[rate] = after_epochs(in_epochs(RATES.scenario.with_rates(**{rate: 0.05})), 100)
        else:
            ends[rate] = in_epochs(RATES.scenario).with_rates(**{rate: 0.05})
        assert ends[rate].training == Training(unit="epochs", count=100)
    of_r, of_rho = ends["bottom_rate"], ends["top_rate"]
    assert (of_r.num_steps, of_rho.num_steps) == (1000, 2000)
    lower, higher = at_most(of_r), at_most(of_rho)
    promised = f"After 100 epochs it is {lower} with half of r and {higher} with half of ρ"
    assert promised in RATES.text.reveal
    assert at_least(of_rho) in RATES.text.reveal
