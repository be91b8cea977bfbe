"""The teacher's kit: plans, slides, a handout, exercises and tests, as pages that need no network.

All of it is made of the lessons' own texts and of numbers that are computed here.
"""

import html
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import dpviz
from dpviz.export.kit_numbers import FORMS, Form, exercise_numbers, form_numbers
from dpviz.export.lesson_charts import PAPER_ROUNDS, LessonChart, lesson_chart, paper_game
from dpviz.export.markdown_page import html_of
from dpviz.export.qr_code import code_figure
from dpviz.export.report import filled_page, page_part
from dpviz.planning.membership_game import Round
from dpviz.scenario.link import checked_address
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.lessons import CHOICES, LESSONS
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson
from dpviz.wording.markup import markdown_table
from dpviz.wording.membership_game import seen_text
from dpviz.wording.numbers import counted, listed
from dpviz.wording.texts import sections, wording_text

TITLE = "Private forecasting, a workshop"
# What follows each other, with the minutes of what is no lesson; the closing takes the rest.
PLANS: dict[int, tuple[str | tuple[str, int], ...]] = {
    45: (("Welcome", 3), "guess", "epsilon", "leak", "person", "windows"),
    90: (
        ("Welcome", 3), *LESSONS[:5], ("Break", 5), "windows", "steps", "bag", "plan",
    ),
    180: (
        ("Welcome", 5), ("Test before", 10), *LESSONS[:5], ("Break", 10), *LESSONS[5:],
        ("Break", 10), ("Exercises", 40), ("Test after", 10),
    ),
}  # fmt: skip
_CLOSING = "Closing"
# What else there is to bring, where a plan has it.
_BRINGS = {"Test before": "Bring tests", "Exercises": "Bring exercises"}
_SLIDES = 3  # of a lesson
_LINES = 3  # to write on
_SOLUTION = "### Solution"


@dataclass(frozen=True, kw_only=True)
class KitFacts:
    """All of a kit that takes time; exercises and tests tell numbers by the names in their text."""

    charts: Mapping[str, LessonChart]
    rounds: tuple[Round, ...]
    exercises: Mapping[str, str]
    tests: Mapping[str, Mapping[str, str]]


def kit_facts() -> KitFacts:
    """Return what a kit tells, computed in some seconds."""
    return KitFacts(
        charts={name: lesson_chart(lesson) for name, lesson in LESSONS_BY_NAME.items()},
        rounds=paper_game(LESSONS_BY_NAME["guess"]).rounds[:PAPER_ROUNDS],
        exercises=exercise_numbers(),
        tests={form.name: form_numbers(form) for form in FORMS},
    )


def kit_files(facts: KitFacts, base_url: str | None = None) -> dict[str, str]:
    """Return the pages of the kit by the names of their files.

    Args:
        base_url: the app's address, for codes and links that open the lessons; none without.

    Raises:
        ScenarioError: the address is no web address.
        MissingPackageError: markdown-it-py is not installed.
    """
    if base_url is not None:
        checked_address("base_url", base_url)
    exercises, solutions = _exercises(facts)
    pages = {
        **{f"plan-{minutes}-minutes": _plan(minutes) for minutes in PLANS},
        "slides": _slides(facts, base_url),
        "handout": _handout(facts, base_url),
        "exercises": exercises,
        "solutions": solutions,
        **{f"test-{form.name}": _test(form, facts) for form in FORMS},
        "test-key": _key(facts),
    }
    return {f"{name}.html": _page(name, body) for name, body in pages.items()}


def kit_zip(facts: KitFacts, base_url: str | None = None) -> bytes:
    """Return the kit as one file; arguments and errors as for :func:`kit_files`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, page in kit_files(facts, base_url).items():
            # Without a time stamp of its own, the same kit has the same bytes.
            file.writestr(zipfile.ZipInfo(f"dpviz-kit/{name}"), page, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def lesson_address(lesson: Lesson, base_url: str) -> str:
    """Return the address of a lesson.

    >>> lesson_address(LESSONS_BY_NAME["rates"], "https://dp.example.org/app/")
    'https://dp.example.org/app/lessons?lesson=rates'
    """
    return f"{base_url.rstrip('/')}/lessons?lesson={lesson.name}"


def _page(name: str, body: str) -> str:
    style, script = page_part("kit.css"), ""
    if name == "slides":
        style += page_part("kit_slides.css")
        script = f"<script>\n{page_part('kit_slides.js')}</script>"
    title = html.escape(f"{name.replace('-', ' ').capitalize()}: {TITLE}")
    parts = {"version": dpviz.__version__, "title": title, "style": style, "script": script}
    return filled_page(page_part("kit_page.html"), parts | {"body": body})


def _lines(count: int = _LINES) -> str:
    return '<div class="line"></div>' * count


def _choices(choices: Mapping[str, str], box: str = "") -> str:
    texts = (html_of(f"{box}**{letter}.** {words}") for letter, words in choices.items())
    items = (text.removeprefix("<p>").removesuffix("</p>\n") for text in texts)
    return f'<ul class="choices">{"".join(f"<li>{item}</li>" for item in items)}</ul>'


def _code(lesson: Lesson, base_url: str | None) -> str:
    return "" if base_url is None else code_figure(lesson_address(lesson, base_url), lesson.label)


def _on_paper(lesson: Lesson) -> dict[str, str]:
    return {letter: lesson.text.choices[choice] for letter, choice in lesson.on_paper.items()}


def _answer(lesson: Lesson) -> str:
    letter = next(at for at, choice in lesson.on_paper.items() if choice == lesson.right)
    return f"**{letter}. {lesson.text.choices[lesson.right]}**"


def _rounds(lesson: Lesson, rounds: Sequence[Round]) -> str:
    """Return what an attacker on paper sees, where the lesson begins with the game."""
    if not lesson.begins_with_page:
        return ""
    heads = ["Round", *(f"{at}" for at, _ in enumerate(rounds, 1))]
    seen = ["seen, in C", *(seen_text(one.output) for one in rounds)]
    return html_of(markdown_table(heads, [seen, ["yes or no?", *("" for _ in rounds)]]))


# Slides ------------------------------------------------------------------------------------------


def _slides(facts: KitFacts, base_url: str | None) -> str:
    minutes = sum(lesson.minutes for lesson in LESSONS_BY_NAME.values())
    told = f"{counted(len(LESSONS), 'lesson')}, about {minutes} minutes"
    slides = [f"<h1>{TITLE}</h1>{html_of(told)}"]
    for lesson in LESSONS_BY_NAME.values():
        slides += _slides_of(lesson, facts, base_url)
    return "\n".join(
        f'<section class="slide" id="slide-{at}">{slide}<span class="number">{at}</span></section>'
        for at, slide in enumerate(slides, 1)
    )


def _slides_of(lesson: Lesson, facts: KitFacts, base_url: str | None) -> list[str]:
    text, heading = lesson.text, f"<h2>{html.escape(lesson.label)}</h2>"
    chart, rounds = facts.charts[lesson.name].svg, facts.rounds
    asked = html_of(f"{text.words}\n\n{text.question}") + _choices(_on_paper(lesson))
    truth = f"True is {_answer(lesson)}\n\n{text.reveal}\n\n**To take away.** {text.take_away}"
    if lesson.begins_with_page:
        present = [f"{at}" for at, one in enumerate(rounds, 1) if one.is_present]
        best = sum(one.best_guess == one.is_present for one in rounds)
        truth += (
            f"\n\n**The {len(rounds)} rounds on paper.** The value was in the data in "
            f"{listed(present)}. Who always says what is likelier is right in {best}."
        )
    question = f'{_code(lesson, base_url)}{heading}<div class="told">{asked}</div>'
    shown = f'{_rounds(lesson, rounds)}<div class="chart">{chart}</div>'
    look = f"{heading}{html_of(text.look)}{shown}"
    first = [look, question] if lesson.begins_with_page else [question, look]
    return [*first, f"{heading}{html_of(truth)}"]


# Handout -----------------------------------------------------------------------------------------


def _handout(facts: KitFacts, base_url: str | None) -> str:
    sheets: list[str] = []
    for lesson in LESSONS_BY_NAME.values():
        text, label, chart = lesson.text, html.escape(lesson.label), facts.charts[lesson.name]
        place = f"dpviz, page *Lessons*: {lesson.label}"
        if base_url is not None:
            place = f"`{lesson_address(lesson, base_url)}`"
        question = (
            f"{_code(lesson, base_url)}<h1>{label}</h1>"
            + html_of(f"*{text.aim}*\n\n{text.words}\n\n{text.question}")
            + _choices(_on_paper(lesson), "☐ ")
            + html_of("**My prediction, and why:**")
            + _lines()
            + html_of("**What the others say:**")
            + _lines()
            + html_of(f"In the app: {place}")
        )
        look = (
            f"<h2>{label}</h2>{html_of(text.look)}{_rounds(lesson, facts.rounds)}"
            f"<figure>{chart.svg}<figcaption>{html_of(chart.caption)}</figcaption></figure>"
            + html_of("**What I saw, and what is true:**")
            + _lines()
        )
        sheets += [look, question] if lesson.begins_with_page else [question, look]
    return "\n".join(f'<section class="sheet">{sheet}</section>' for sheet in sheets)


# Plans -------------------------------------------------------------------------------------------


def plan_parts(minutes: int) -> list[tuple[str, int]]:
    """Return what a plan has, lessons by their names, and how long each takes.

    >>> plan_parts(45)[-1], sum(minutes for _, minutes in plan_parts(45))
    (('Closing', 3), 45)
    """
    parts = [
        (one, LESSONS_BY_NAME[one].minutes) if isinstance(one, str) else one
        for one in PLANS[minutes]
    ]
    return [*parts, (_CLOSING, minutes - sum(taken for _, taken in parts))]


def _plan(minutes: int) -> str:
    texts, parts = sections(wording_text("kit/plan")), plan_parts(minutes)
    bring = [texts["Bring"], *(texts[_BRINGS[name]] for name, _ in parts if name in _BRINGS)]
    rows, told, begin = [], [], 0
    for name, taken in parts:
        lesson, at = LESSONS_BY_NAME.get(name), f"{begin // 60}:{begin % 60:02}"
        if lesson is None:
            label, slides, body = name, "", texts[name]
        else:
            first = 2 + _SLIDES * lesson.number
            label, slides, body = lesson.label, f"{first} to {first + 2}", _plan_of(lesson, first)
        rows.append((at, f"{taken}", label, slides))
        told.append(f'<div class="keep">{html_of(f"### {at} {label}")}{html_of(body)}</div>')
        begin += taken
    table = markdown_table(["begins", "minutes", "what", "slides"], rows, "rrll")
    return (
        f"<h1>{TITLE} of {minutes} minutes</h1>{html_of(table)}"
        + html_of("## What to bring\n\n" + "\n".join(bring))
        + html_of("## What to say and show")
        + "\n".join(told)
    )


def _plan_of(lesson: Lesson, first: int) -> str:
    """Return what is said and shown of a lesson, whose first slide has this number."""
    text = lesson.text
    asked, shown = first + lesson.begins_with_page, first + (not lesson.begins_with_page)
    page = f"*{PAGE_NAMES[lesson.page]}*, opened from the lesson"
    steps = [
        (asked, f"- **Ask** (slide {asked}), and let all predict: {text.question}"),
        (shown, f"- **Show** {page} (slide {shown}). {text.look}"),
    ]
    mistakes = (
        f"- **If somebody says** *{text.choices[choice]}:* {text.mistakes[choice]}"
        for choice in lesson.on_paper.values()
        if choice in text.mistakes
    )
    answer = f"- **Answer** (slide {first + 2}). {_answer(lesson)}"
    told = (step for _, step in sorted(steps))
    end = f"- **End with.** {text.take_away}"
    return "\n".join([f"- **Say.** {text.aim}", *told, answer, *mistakes, end])


# Exercises and tests -----------------------------------------------------------------------------


def _exercises(facts: KitFacts) -> tuple[str, str]:
    """Return the exercises, and these with their solutions."""
    parts = sections(wording_text("kit/exercises").format_map(facts.exercises))
    questions, solutions = ["<h1>Exercises</h1>"], ["<h1>Exercises with solutions</h1>"]
    named = [(title, body) for title, body in parts.items() if title]
    for at, (title, body) in enumerate(named, 1):
        asked, solved = body.split(_SOLUTION)
        heading = f"## {at}. {title}\n\n"
        questions.append(html_of(heading + asked))
        solutions.append(html_of(f"{heading}{asked}\n\n{_SOLUTION}\n\n{solved}"))
    return "\n".join(questions), "\n".join(solutions)


def form_questions(
    form: Form, facts: KitFacts
) -> Iterator[tuple[Lesson, str, dict[str, str], str, str]]:
    """Yield for each question its lesson, words, choices by letter, right letter, and why."""
    text = wording_text("kit/test").format_map(facts.tests[form.name])
    for name, body in sections(text).items():
        if name:
            question, listed, why = body.split("\n\n")
            choices = [line.removeprefix("- ") for line in listed.splitlines()]
            order = Random(f"{name} {form.name}").sample(range(len(choices)), len(choices))
            letters = [letter.upper() for letter in CHOICES]
            shown = {letter: choices[at] for letter, at in zip(letters, order, strict=True)}
            yield LESSONS_BY_NAME[name], question, shown, letters[order.index(0)], why


def _test(form: Form, facts: KitFacts) -> str:
    told = "One choice of each question is right. Leave out what you do not know."
    word = "A word of your own, the same on both tests:"
    parts = [f"<h1>Test {form.name} the lessons</h1>", html_of(told), html_of(word), _lines(1)]
    for at, (_, question, choices, _, _) in enumerate(form_questions(form, facts), 1):
        asked = html_of(f"**{at}.** {question}") + _choices(choices, "☐ ")
        parts.append(f'<div class="keep">{asked}</div>')
    return "\n".join(parts)


def _key(facts: KitFacts) -> str:
    sheets = []
    for form in FORMS:
        told = [
            html_of(f"**{at}. {right}.** {choices[right]}. {why} (*{lesson.label}*)")
            for at, (lesson, _, choices, right, why) in enumerate(form_questions(form, facts), 1)
        ]
        heading = f"<h1>Key: test {form.name} the lessons</h1>"
        sheets.append(f'<section class="sheet">{heading}{"".join(told)}</section>')
    return "\n".join(sheets)
