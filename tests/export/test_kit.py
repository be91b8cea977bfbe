"""The teacher's kit: its pages need no network, and tell what the lessons and dpviz tell."""

import html
import io
import re
import zipfile
from collections import defaultdict
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

from dpviz.accounting import account_for
from dpviz.command_line import main
from dpviz.export import kit
from dpviz.export.kit import PLANS, KitFacts, form_questions, kit_files, kit_zip, plan_parts
from dpviz.export.kit_numbers import (
    FORMS,
    HOURLY,
    compared_ways,
    day_run,
    exercise_numbers,
    form_numbers,
    halved_runs,
    needed_run,
)
from dpviz.export.lesson_charts import LessonChart, lesson_chart, lesson_runs, paper_game
from dpviz.export.markdown_page import html_of
from dpviz.planning.one_bag import bag_run, promise_run
from dpviz.scenario import PRESETS
from dpviz.settings.lessons import LESSONS
from dpviz.ui.address import opened_link
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.numbers import rounded_down, rounded_up
from dpviz.wording.one_bag import PROMISE
from dpviz.wording.texts import wording_text
from tests.scenario.changes import varied
from tests.wording.test_lessons import SYMBOL, read_in_order

BASE = "https://dp.example/app/"
SHOWN = ("slides", "handout")
FILES = {
    *("plan-45-minutes", "plan-90-minutes", "plan-180-minutes", "slides", "handout"),
    *("exercises", "solutions", "test-before", "test-after", "test-key"),
}


def words_of(page):
    return html.unescape(re.sub("<[^>]*>", "", page))


@pytest.fixture(scope="module")
def quick():
    """Return facts of a kit whose numbers are none: what is made of them is the same."""
    drawn = {name: lesson_chart(LESSONS_BY_NAME[name]) for name in ("guess", "leak")}
    return KitFacts(
        charts=defaultdict(lambda: drawn["leak"], drawn),
        rounds=paper_game(LESSONS_BY_NAME["guess"]).rounds[:10],
        exercises=defaultdict(lambda: "#"),
        tests={form.name: defaultdict(lambda: "#") for form in FORMS},
    )


@pytest.fixture(scope="module")
def pages(quick):
    return kit_files(quick, BASE)


def plain(markdown):
    return words_of(html_of(markdown)).strip()


def test_pages_load_nothing(quick, pages):
    assert pages.keys() == {f"{name}.html" for name in FILES}
    for text in (*pages.values(), *kit_files(quick).values()):
        assert "default-src 'none'" in text
        assert not re.search(r"@import|url\(|\b(src|srcset|data)=|<link|<iframe|fetch\(", text)
        known = {"http://www.w3.org/2000/svg", *(f"{BASE}lessons?lesson={one}" for one in LESSONS)}
        assert set(re.findall(r"https?://[^\"'\s<]+", text)) <= known


@pytest.mark.parametrize("name", SHOWN)
def test_links_open_their_lessons(pages, name):
    links = re.findall(r'href="([^"]*)"', pages[f"{name}.html"])
    opened = []
    for link in links:
        parts = urlsplit(link)
        assert parts._replace(query="").geturl() == f"{BASE}lessons"
        found = opened_link(parse_qs(parts.query), PRESETS["toy"].scenario)
        assert found.problems == []
        opened.append(found.view.lesson)
    assert tuple(opened) == LESSONS


@pytest.mark.parametrize("lesson", LESSONS_BY_NAME.values(), ids=LESSONS)
def test_slides_and_handout_say_what_the_lesson_says(pages, lesson):
    text, slides, handout = lesson.text, *(words_of(pages[f"{name}.html"]) for name in SHOWN)
    asked = [text.words, text.question, *text.choices.values(), text.look]
    answered = [text.choices[lesson.right], text.reveal, text.take_away]
    for part in filter(None, asked):
        assert plain(part) in handout
        assert plain(part) in slides
    for part in answered:
        assert plain(part) in slides
    assert plain(text.reveal) not in handout


@pytest.mark.parametrize("minutes", PLANS)
def test_plans_fill_their_time_and_explain_each_symbol(pages, minutes):
    parts = plan_parts(minutes)
    assert sum(taken for _, taken in parts) == minutes
    assert all(taken >= 3 for _, taken in parts)
    lessons = [LESSONS_BY_NAME[name] for name, _ in parts if name in LESSONS]
    told = "\n".join(map(read_in_order, lessons))
    symbols = set(SYMBOL.findall(told))
    assert [one for one in symbols if f"**{one}**" not in told] == []
    plan = words_of(pages[f"plan-{minutes}-minutes.html"])
    for lesson in lessons:
        for said in (*lesson.text.mistakes.values(), lesson.text.take_away):
            assert plain(said) in plan


def test_slides_named_by_the_plan_are_those(pages):
    slides = pages["slides.html"].split('<section class="slide"')[1:]
    table = pages["plan-180-minutes.html"].partition("</table>")[0]
    named = re.findall(r"<td[^>]*>(Lesson .*?)</td>\n<td[^>]*>(\d+) to (\d+)</td>", table)
    assert len(named) == len(LESSONS)
    for label, first, last in named:
        for slide in slides[int(first) - 1 : int(last)]:
            assert f"<h2>{label}</h2>" in slide


def test_right_choices_of_both_tests_are_not_told_by_their_letters(quick):
    rights = []
    for form in FORMS:
        numbers = replace(quick, tests={form.name: defaultdict(lambda: "#", touched="right")})
        questions = list(form_questions(form, numbers))
        assert [lesson.name for lesson, *_ in questions] == sorted(
            (lesson.name for lesson, *_ in questions), key=LESSONS.index
        )
        assert len(questions) == 6
        assert questions[1][2][questions[1][3]] == "right"
        rights.append([right for *_, right, _ in questions])
    assert rights[0] != rights[1]
    assert all(len(set(letters)) >= 3 for letters in rights)


@pytest.mark.parametrize("name", ["exercises", "test", "plan"])
def test_no_number_of_the_kit_is_typed(name):
    own = re.sub(r"\{\w+\}|e\^ε to 1|e\^ε \+ 1", "", wording_text(f"kit/{name}"))
    assert re.findall(r".*\d.*", own) == []


def test_zip_holds_the_same_pages(quick):
    with zipfile.ZipFile(io.BytesIO(kit_zip(quick, BASE))) as packed:
        found = {name: packed.read(name).decode() for name in packed.namelist()}
    assert found == {f"dpviz-kit/{name}": text for name, text in kit_files(quick, BASE).items()}


def test_command_writes_the_pages_and_says_so(quick, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kit, "kit_facts", lambda: quick)
    folder = tmp_path / "new" / "kit"
    assert main(["kit", str(folder), "--base-url", f"{BASE}lessons"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [f"written: {folder / name}" for name in kit_files(quick)]
    slides = (folder / "slides.html").read_text(encoding="utf-8")
    assert slides.count(f"{BASE}lessons?lesson=") == 10
    assert main(["kit", str(folder)]) == 2
    told = f"the folder {folder} holds files already: name a new or an empty one."
    assert told in capsys.readouterr().err


def test_command_refuses_what_is_no_folder(tmp_path, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["kit", str(tmp_path / "file")]) == 2
    assert f"the folder {tmp_path / 'file'} cannot be used" in capsys.readouterr().err


# All numbers, once more ---------------------------------------------------------------------------


def most(scenario):
    return rounded_up(account_for(scenario).upper.quoted_epsilon_at(scenario.delta))


def least(scenario):
    return rounded_down(account_for(scenario).lower.epsilon_at(scenario.delta).low)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LESSONS if name not in ("guess", "epsilon")])
def test_charts_tell_what_account_for_says(name):
    lesson = LESSONS_BY_NAME[name]
    runs, chart = lesson_runs(lesson), lesson_chart(lesson)
    assert isinstance(chart, LessonChart)
    rows = chart.caption.splitlines()[2 : 2 + len(runs)]
    for (label, run), row in zip(runs, rows, strict=True):
        assert row.startswith(f"| {label} | ε ≤ {most(run)} (")
        assert label == PROMISE or f"| ε ≥ {least(run)} (" in row or "none told" in row
    if 0 < len(runs) <= 3 and name != "person":
        assert [f"ε ≤ {most(run)}" for _, run in runs if f"ε ≤ {most(run)}<" not in chart.svg] == []


def test_what_one_person_changes_is_compared_with_one_value_and_a_day():
    runs = lesson_runs(LESSONS_BY_NAME["person"])
    assert {name: run.relation.width for name, run in runs} == {
        "1 hour": 1, "1 day": 24, "2 weeks": 336,
    }  # fmt: skip


@pytest.mark.slow
def test_promise_about_a_window_is_told_as_one():
    caption = lesson_chart(LESSONS_BY_NAME["bag"]).caption
    assert f"Of *{PROMISE}*, what is protected is that window alone." in caption


@pytest.mark.slow
def test_exercises_tell_what_account_for_says():
    told, bag, needed = exercise_numbers(), bag_run(HOURLY), needed_run()
    one, half_r, _, half_batch = halved_runs()
    assert (told["own"], told["promise"]) == (most(HOURLY), most(promise_run(bag)))
    assert (told["halved"], told["reached"]) == (most(half_r), most(needed))
    assert f"ε ≤ {most(half_batch)}, " in told["half_batch"]
    assert f"less than ε = {least(one)} " in told["half_batch"]
    assert f"ε ≤ {most(bag)} (" in told["offer_truth"]
    assert f"less than ε = {least(bag)} " in told["offer_truth"]
    bounds = {name: (most(run), least(run)) for name, run in compared_ways()}
    for name, (high, low) in bounds.items():
        assert re.search(
            rf"\| {re.escape(name)} \| ε ≤ {high} \(.*\| ε ≥ {low} \(", told["ways_table"]
        )
    proofs = {
        f"- *{name}* is below *{other}*: {high} < {low}"
        for name, (high, _) in bounds.items()
        for other, (_, low) in bounds.items()
        if float(high) < float(low)
    }
    assert set(told["orders"].splitlines()) == proofs
    assert proofs
    assert (told["hour_windows"], told["day_windows"]) == (
        f"{24 + 24}",
        f"{24 + 24 + day_run().relation.width - 1}",
    )
    assert [told[f"{name}_right"] for name in ("small", "middle", "large")] == ["63", "74", "99"]
    assert int(told["curve_right"]) <= int(told["pair_right"])
    sigma = 0.99 * needed.noise.noise_multiplier
    less = varied(needed, noise_multiplier=sigma)
    assert float(told["reached"]) <= float(told["goal"]) < float(most(less))


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_tests_tell_what_account_for_says(form):
    told = form_numbers(form)
    one, two, bag, promise = form.runs
    assert [told[f"above_{name}"] for name in "ab"] == [most(one), most(two)]
    assert (told["below_c"], told["promise"]) == (least(bag), most(promise))
    assert (told["all"], told["first"]) == (
        most(one),
        most(replace(one, training=replace(one.training, count=1))),
    )
    # Else the order would not be the one that is right, or two of them would be.
    assert float(told["above_a"]) < float(told["below_c"]) < float(told["above_b"])
    assert float(told["promise"]) < float(told["below_c"])
    products = [r * rho for r, rho in form.rates]
    assert min(products) == products[0] < min(products[1:])
