"""A class on the page of lessons: started, joined, voted in, shown, and ended by its teacher."""

import json
import sqlite3
from contextlib import closing
from unittest.mock import patch

import pytest
from streamlit.runtime.context import ContextProxy

from dpviz.classroom.allowance import Allowance
from dpviz.classroom.records import SCORED_ROUNDS, SECONDS, ClassesUnavailableError
from dpviz.classroom.store import Classes
from dpviz.planning.membership_game import CERTAIN, membership_game
from dpviz.settings.dashboard import CLASSES_VARIABLE
from dpviz.settings.lessons import PAPER_SEED, order_of_choices
from dpviz.ui import classes as ui_classes
from dpviz.ui.classes import visitor_address
from dpviz.ui.lesson_links import prepared_query, view_query
from dpviz.ui.state import State
from dpviz.ui.texts import with_documents
from dpviz.wording.classroom import OFF
from dpviz.wording.lessons import LESSONS_BY_NAME
from tests.csv_text import rows_of

OPEN = ("open_for_teachers",)
PAGE, LINK = "lessons", {}


def unreachable(method):
    """Let a method of classes fail, as where their file is locked."""
    return patch.object(Classes, method, side_effect=ClassesUnavailableError)


def joined(opened, teacher, **more):
    return opened({"class": teacher["class_code"], **more})


def test_two_presses_start_one_class(kept, opened):
    app = opened()
    press = ("start_class", app.control("start_class").spec["means"])
    app.acts([press, press])
    assert [*app.state.led] == [app.link["class_code"]]
    assert app.link["class_code"] in app.all_words
    assert "class_code_typed" not in app.controls


def cookie_of(app) -> dict[str, str | int] | None:
    kept = [json.loads(one.proto.json) for one in app.components("dpviz_class_key")]
    return kept[0] if kept else None


def test_address_bar_never_shows_the_key_that_leads_and_a_reload_leads_on(
    opened, teacher, monkeypatch
):
    started = opened()
    assert "For teachers: start a class, teacher's kit" in [one.label for one in started.expander]
    started.press("start_class")
    assert "For teachers: teacher's kit" in [one.label for one in started.expander]
    (key,) = started.state.led.values()
    assert "class_key" not in started.query_params
    for app in (opened(teacher), opened(teacher | {"lesson": "bag", "present": "1"})):
        assert "class_key" not in app.query_params
        kept = cookie_of(app)
        assert kept == {
            "name": f"dpviz_class_{teacher['class_code']}",
            "value": teacher["class_key"],
            "seconds": SECONDS,
        }
    without = joined(opened, teacher)
    assert "Nobody has answered yet." not in without.all_words
    assert cookie_of(without) is None
    assert teacher["class_key"] != key
    for value in (teacher["class_key"], "0" * 32, "<script>"):
        cookies = {f"dpviz_class_{teacher['class_code']}": value}
        monkeypatch.setattr(ContextProxy, "cookies", cookies)
        leads = value == teacher["class_key"]
        app = joined(opened, teacher)
        assert ("Nobody has answered yet." in app.all_words) == leads
        assert "class_key" not in app.query_params or not leads


def test_link_for_another_device_is_copied_and_no_room_sees_its_key(
    open_page, teacher, monkeypatch
):
    monkeypatch.setattr(ContextProxy, "url", "https://dp.example/lessons")
    app = open_page(teacher, "lessons", parts=())
    assert links_to_copy(app) == []
    assert "open `https://dp.example/lessons` and type:" in app.words
    app = open_page(teacher, "lessons", parts=("open_teachers_link",))
    leading = f"class={teacher['class_code']}&class_key={teacher['class_key']}"
    assert links_to_copy(app) == [f"https://dp.example/lessons?{leading}"]
    assert teacher["class_key"] not in app.all_words
    assert not app.code


def links_to_copy(app) -> list[str]:
    told = [json.loads(one.proto.json) for one in app.components("dpviz_copy_link")]
    return [one["link"] for one in told if "link" in one]


def test_predictions_are_counted_by_their_words_whatever_their_letters(kept, opened, teacher):
    app = opened(teacher | {"lesson": "bag"}).act("predict_bag", "a")
    assert "**0 votes.** 0 have taken part" in app.all_words  # not by the teacher
    for participant in ("3", "4", "5"):
        app = joined(opened, teacher, lesson="bag", participant=participant)
        assert "your vote will be counted without a name" in app.all_words
        app.act("predict_bag", "b")
        assert "your vote is counted. You can change it" in app.all_words
    app.act("predict_bag", "d")
    room = opened(teacher | {"lesson": "bag", "present": "1"})
    assert "**3 votes.** 3 have taken part" in room.all_words
    room.press("show_votes_bag")
    order = order_of_choices("bag", PAPER_SEED)
    (bars,) = room.chart("votes")["data"]
    named = LESSONS_BY_NAME["bag"].text.choices
    ticks = room.chart("votes")["layout"]["yaxis"]["ticktext"]
    assert [one.replace("<br>", " ") for one in ticks] == [named[choice] for choice in order]
    assert bars["x"] == [{"b": 2, "d": 1}.get(choice, 0) for choice in order]
    assert room.chart_title("votes") == f"Most chosen: “{named['b']}”, 2 of 3"
    assert f"“{named['b']}”: 2" in room.described("votes")


def test_what_is_chosen_after_the_votes_are_shown_counts_when_the_class_votes_again(
    kept, opened, teacher
):
    app = joined(opened, teacher, lesson="bag").act("predict_bag", "a")
    room = opened(teacher | {"lesson": "bag"}).press("show_votes_bag")
    assert "the votes are shown, and yours is among them" in opened(app.link).all_words
    app.act("predict_bag", "b")
    assert "your last choice counts if the class votes again" in app.all_words
    room.press("vote_again_bag")  # the phone does nothing more
    assert "1 changed. Who does not vote again keeps the vote of before" in room.all_words
    assert "your vote is counted. You can change it" in opened(app.link).all_words
    opened(teacher | {"lesson": "bag"}).press("show_votes_bag")
    before, after = opened(teacher | {"lesson": "bag"}).chart("votes")["data"]
    order = order_of_choices("bag", PAPER_SEED)
    assert [order[bars["x"].index(1)] for bars in (before, after)] == ["a", "b"]


def test_a_vote_that_failed_is_sent_later_also_while_the_votes_are_shown(kept, opened, teacher):
    app = joined(opened, teacher, lesson="bag")
    with unreachable("vote"):
        app.act("predict_bag", "a")
    assert "your vote is not counted yet" in app.all_words
    room = opened(teacher | {"lesson": "bag"}).press("show_votes_bag")
    late = opened(app.link)
    assert "the votes are shown, and your last choice is not counted" in late.all_words
    late.press("send_bag")
    room.press("vote_again_bag")
    assert "**1 vote.**" in opened(teacher | {"lesson": "bag"}).all_words


def test_what_a_choice_was_refused_for_stays_in_its_lesson(opened, open_page, teacher):
    app = joined(opened, teacher, lesson="bag")
    with unreachable("vote"):
        app.act("predict_bag", "a")
    assert "cannot be reached just now" in app.warnings
    app.open_link(view_query(app.state, lesson="plan"))
    assert app.title[0].value == LESSONS_BY_NAME["plan"].text.title
    assert not app.warnings
    app = open_page({}, parts=()).act("noise_multiplier", "-3")
    assert "is not allowed" in app.warnings
    assert not app.go_to("lessons").warnings


def test_who_has_looked_up_the_answer_has_no_vote(kept, opened, teacher):
    known = {"answers": "bag-a", "revealed": "bag"}
    app = joined(opened, teacher, lesson="bag", **known)
    assert "no vote is counted until the class votes again" in app.all_words
    assert "send_bag" not in app.controls


def test_participants_see_no_votes_and_cannot_show_them(opened, teacher):
    app = joined(opened, teacher, lesson="bag", present="1")
    assert not {"show_votes_bag", "vote_again_bag"} & app.controls.keys()
    opened(teacher | {"lesson": "bag"}).press("show_votes_bag")
    app = joined(opened, teacher, lesson="bag")
    assert "the votes are shown, and yours is not among them" in app.all_words
    assert not any("votes" in name for name in app.controls)
    assert "Most chosen" not in app.all_words
    forged = teacher | {"class_key": "0" * 32}
    assert "You are in class" in opened(forged).all_words
    assert "end_class" not in opened(forged).controls


def test_code_is_typed_and_the_own_key_stays_in_the_link(opened, teacher, monkeypatch):
    app = opened().act("class_code_typed", "  ")
    assert app.warnings == ""
    app.act("class_code_typed", "xxxxx")
    assert app.warnings.count("There is no class XXXXX") == 1
    app.act("class_code_typed", teacher["class_code"].lower())
    assert "You are in class" in app.all_words
    assert len(app.query_params["class_key"]) == 32
    assert app.query_params["class_key"] != teacher["class_key"]
    app.press("leave_class")
    assert not {"class_code", "class_key"} & set(app.query_params)
    # Whose browser leads the class leads on.
    cookie = {f"dpviz_class_{teacher['class_code']}": teacher["class_key"]}
    monkeypatch.setattr(ContextProxy, "cookies", cookie)
    app.act("class_code_typed", teacher["class_code"])
    assert "Nobody has answered yet." in app.all_words
    assert "class_key" not in app.query_params


@pytest.fixture
def limited(monkeypatch):
    """Return a function that lets one address start and join so many classes."""
    monkeypatch.setattr(ui_classes, "visitor_address", lambda: "203.0.113.7")

    def limit(most):
        monkeypatch.setattr(ui_classes, "_STARTED", Allowance(most, 60.0))
        monkeypatch.setattr(ui_classes, "_JOINED", Allowance(most, 60.0))

    return limit


def test_who_comes_by_a_chart_of_the_class_votes_once_also_after_a_reload(
    kept, open_page, teacher, monkeypatch
):
    lesson = LESSONS_BY_NAME["leak"]
    link = prepared_query(State(), lesson) | {"class_code": teacher["class_code"]}
    app = open_page(link, lesson.page, parts=()).act("predict_leak", "a")
    assert "your vote is counted. You can change it" in app.all_words
    open_page(app.link, lesson.page, parts=()).act("predict_leak", "b")
    tally = kept.tally(teacher["class_code"], teacher["class_key"], "leak")
    assert (tally.participants, tally.counts) == (1, ({"b": 1},))
    kept.show(teacher["class_code"], teacher["class_key"], "leak")
    late = open_page(app.link, lesson.page, parts=()).act("predict_leak", "c")
    assert "your last choice counts if the class votes again" in late.all_words
    cookie = {f"dpviz_class_{teacher['class_code']}": teacher["class_key"]}
    monkeypatch.setattr(ContextProxy, "cookies", cookie)
    assert "class_key" not in open_page(link, lesson.page, parts=()).link


def test_scores_of_the_game_stand_beside_what_is_proven(kept, opened, open_page, teacher):
    """One that could not be kept is kept with the next round."""
    lesson = LESSONS_BY_NAME["guess"]
    game = membership_game(lesson.scenario, CERTAIN, 1)
    answered = {"game_seed": "1", "game_answers": f"{game.code}-{'y' * (SCORED_ROUNDS - 1)}"}
    link = prepared_query(State(), lesson) | {"class_code": teacher["class_code"]}
    app = open_page(link | answered, lesson.page, parts=())
    with unreachable("note_score"):
        app.press("game_y")
    app.press("game_n")
    right = sum(one.is_present for one in game.rounds[:SCORED_ROUNDS])
    assert kept.scores(teacher["class_code"], teacher["class_key"]) == (right,)
    kept.tell_truth(teacher["class_code"], teacher["class_key"], "guess")
    told = opened(teacher | {"lesson": "guess", "present": "1", "revealed": "guess"})
    assert f"{right} of 10 rounds right" in told.all_words
    assert (
        "No attacker is right more often than 69.15 % in the long run (upper bound"
        in told.all_words
    )
    (bars,) = told.chart("scores")["data"]
    assert bars["y"][right] == 1
    (line,) = told.chart("scores")["layout"]["shapes"]
    assert line["x0"] == pytest.approx(6.915, abs=0.001)
    assert "at most 6.92 on average" in told.described("scores")
    other = open_page(link | {"noise_multiplier": "0.5"}, lesson.page, parts=())
    other.press("game_y")  # another game
    with closing(sqlite3.connect(kept.path)) as file:
        assert file.execute("SELECT rounds FROM scores").fetchall() == [(SCORED_ROUNDS,)]


def test_votes_are_taken_home_and_the_class_ends(kept, opened, teacher, downloads):
    joined(opened, teacher, lesson="bag").act("predict_bag", "a")
    app = opened(teacher)
    text = downloads["Download votes"]()
    rows = rows_of(text)
    words = LESSONS_BY_NAME["bag"].text.choices
    assert {row["answer"]: row["count"] for row in rows} == {
        words[choice]: str(int(choice == "a")) for choice in words
    }
    assert [row["answer"] for row in rows if row["is_true"] == "True"] == [words["b"]]
    assert teacher["class_key"] not in text
    app.press("end_class")
    assert "class_code" not in app.query_params
    late = joined(opened, teacher, lesson="bag")
    assert "There is no class" in late.all_words
    for choice, times in (("c", 1), ("d", 0)):  # warned once, and never told twice on a page
        late.act("predict_bag", choice)
        assert late.warnings.count("There is no class") == times
        assert late.all_words.count("There is no class") == 1
        assert late.query_params["answers"] == f"bag-{choice}"
    late.press("leave_class")
    assert "There is no class" not in late.all_words
    assert "class_code" not in late.query_params


def test_votes_are_taken_home_after_a_reload(opened, teacher, downloads, monkeypatch):
    """The file is made outside of a run of the page, where the browser's cookies are not known."""
    with monkeypatch.context() as browser:
        cookies = {f"dpviz_class_{teacher['class_code']}": teacher["class_key"]}
        browser.setattr(ContextProxy, "cookies", cookies)
        assert "Nobody has answered yet." in joined(opened, teacher).all_words
    assert teacher["class_code"] in downloads["Download votes"]()


def test_a_class_that_cannot_be_ended_is_not_left(kept, opened, teacher):
    """Its votes are still there."""
    app = opened(teacher)
    with unreachable("end"):
        app.press("end_class")
    assert "cannot be reached just now" in app.warnings
    assert app.query_params["class_code"] == teacher["class_code"]
    app.press("end_class")
    assert "class_code" not in app.query_params


def test_lessons_go_on_where_no_class_can_be_started(opened, monkeypatch):
    monkeypatch.setenv(CLASSES_VARIABLE, "off")
    app = opened()
    assert "start_class" not in app.controls
    assert with_documents(OFF) in app.all_words


def test_lessons_go_on_where_the_file_is_damaged(kept, opened, teacher):
    for path in kept.path.parent.iterdir():
        path.unlink()
    kept.path.write_bytes(b"damaged" * 1000)
    app = joined(opened, teacher, lesson="bag")
    assert "cannot be reached just now" in app.all_words
    app.act("predict_bag", "a")
    assert "cannot be reached just now" in app.warnings
    assert app.control("predict_bag").value == "a"


def test_one_address_starts_and_joins_so_many(kept, opened, teacher, limited):
    limited(0)
    app = opened().press("start_class")
    assert "from this network address" in app.warnings
    assert "class_code" not in app.query_params
    (app := joined(opened, teacher, lesson="bag")).act("predict_bag", "a")
    assert "from this network address" in app.warnings
    assert kept.tally(teacher["class_code"], teacher["class_key"], "bag").participants == 0


def test_what_could_not_be_started_or_counted_leaves_its_place_to_the_next(
    kept, opened, teacher, limited
):
    limited(1)
    app = joined(opened, teacher, lesson="bag")
    with unreachable("vote"):
        app.act("predict_bag", "a")
    assert "cannot be reached just now" in app.warnings
    app.act("predict_bag", "b")
    assert "your vote is counted. You can change it" in app.all_words
    app = opened()
    with unreachable("start"):
        app.press("start_class")
    assert "cannot be reached just now" in app.warnings
    assert "class_code" in app.press("start_class").query_params


@pytest.mark.parametrize(
    ("direct", "told", "address"),
    [
        (None, "", ""),
        (None, "203.0.113.7", "203.0.113.7"),
        ("172.18.0.2", "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("8.8.8.8", "203.0.113.7", "8.8.8.8"),
        ("192.168.1.5", "", "192.168.1.5"),
        ("no address", "203.0.113.7", ""),
    ],
)
def test_a_proxy_is_believed_and_a_visitor_is_not(monkeypatch, direct, told, address):
    class Context:
        ip_address = direct
        headers = {"X-Forwarded-For": told} if told else {}

    monkeypatch.setattr(ui_classes.st, "context", Context())
    assert visitor_address() == address


def test_key_of_a_session_is_nobody_elses(opened, teacher):
    keys = {joined(opened, teacher).state.view.class_key for _ in range(3)}
    assert len(keys) == 3
