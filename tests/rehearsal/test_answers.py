"""Rehearsals of a class: what participants answer, and what a teacher sees."""

import asyncio
import json
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection

from bench.load.server import served
from dpviz.classroom.store import Classes
from dpviz.command_line import rehearse as command
from dpviz.command_line.commands import main
from dpviz.rehearsal import rehearse as rehearsal
from dpviz.rehearsal.page import Page
from dpviz.rehearsal.participant import (
    NO_PAGE,
    STILL_COARSE,
    Record,
    Waiting,
    connected,
    load_files,
    percentile,
)
from dpviz.rehearsal.rehearse import Rehearsal, lesson_link, rehearse
from dpviz.settings.dashboard import CLASSES_VARIABLE
from dpviz.settings.lessons import LESSONS
from dpviz.ui.address import opened_link
from dpviz.ui.lesson_links import prepared_query
from dpviz.ui.state import START, State
from dpviz.wording.lessons import LESSONS_BY_NAME
from tests.browser.nginx import SKIP_REASON, running_nginx
from tests.loops import run_apart

BEGIN, OTHER = ForwardMsg(), ForwardMsg()
BEGIN.new_session.page_script_hash = "page"
COARSE = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN)
WHOLE = ForwardMsg(script_finished=ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
MOVE, HEARD, HEADLINE = "move", "heard of the first of those that it has not", "headline"


@pytest.mark.parametrize(
    ("happened", "answers", "completes"),
    [
        # A coarse answer comes before the complete one.
        ([(10.0, MOVE), (10.1, BEGIN), (10.2, HEARD), (10.25, COARSE), (10.3, BEGIN),
          (11.0, WHOLE)],
         [0.25], [1.0]),
        # The headline is the answer, and nobody waits for what is filled in.
        ([(0.0, BEGIN), (1.0, MOVE), (1.5, BEGIN), (1.8, HEARD), (2.0, HEADLINE), (9.0, WHOLE)],
         [1.0], [8.0]),
        # A run that ends before its headline has answered nothing.
        ([(0.0, BEGIN), (0.1, HEADLINE), (1.0, MOVE), (1.5, BEGIN), (1.6, HEARD), (3.0, COARSE),
          (3.1, BEGIN), (4.0, HEADLINE)],
         [3.0], []),
        # That of a run that began before the move is none; the next of a chain may not know of it,
        # but of the one before.
        ([(0.0, MOVE), (0.5, BEGIN), (1.0, MOVE), (1.4, HEARD), (1.5, HEADLINE), (2.0, BEGIN),
          (2.5, HEADLINE), (2.6, COARSE), (2.7, BEGIN), (3.0, HEARD), (4.0, HEADLINE)],
         [1.5, 3.0], []),
        # A run may say only after its headline that it knows of the move, and then wait.
        ([(0.0, MOVE), (0.1, BEGIN), (0.3, HEADLINE), (0.4, HEARD), (2.0, OTHER), (2.1, COARSE),
          (2.2, BEGIN), (2.3, HEADLINE), (2.4, WHOLE)],
         [0.4], [2.4]),
        # Nor is the end of a run that began before the move, though it has heard of it.
        ([(0.0, MOVE), (0.1, BEGIN), (2.0, MOVE), (2.1, HEARD), (2.1, HEARD), (2.1, WHOLE),
          (2.2, BEGIN), (2.5, WHOLE)],
         [2.1, 0.5], [0.5]),
        # Nor that of the next run of a chain, as long as it does not know of the move.
        ([(0.0, MOVE), (0.1, BEGIN), (0.1, HEARD), (0.2, COARSE), (2.0, MOVE), (2.1, BEGIN),
          (2.2, COARSE), (2.3, BEGIN), (2.3, HEARD), (2.4, COARSE)],
         [0.2, 0.4], []),
        # A move back to where the link was is answered like any other.
        ([(0.0, MOVE), (0.1, BEGIN), (0.5, MOVE), (0.6, BEGIN), (0.7, HEARD), (0.7, HEARD),
          (0.9, HEADLINE), (1.5, WHOLE)],
         [0.9, 0.4], [1.0]),
    ],
)  # fmt: skip
def test_an_answer_is_what_a_run_that_knows_of_the_move_draws(happened, answers, completes):
    waiting = Waiting(record := Record())
    unheard, has_headline = 0, False
    for now, what in happened:
        if what == MOVE:
            waiting.moved(now)
            unheard += 1
        elif what == HEARD:
            unheard -= 1
            waiting.heard(OTHER, now, unheard=unheard, has_headline=has_headline)
        elif what == HEADLINE:
            has_headline = True
            waiting.heard(OTHER, now, unheard=unheard, is_headline=True, has_headline=True)
        else:
            waiting.heard(what, now, unheard=unheard, has_headline=has_headline)
    assert record.answers == pytest.approx(answers)
    assert record.completes == pytest.approx(completes)
    assert waiting.is_over == (happened[-1][1] == WHOLE)
    assert record.overtaken == record.moves - 1
    assert record.runs == sum(what == BEGIN for _, what in happened)


def test_answer_that_does_not_come_is_an_error_and_waited_for_no_longer():
    waiting = Waiting(Record())
    waiting.moved(5.0)
    assert waiting.since == 5.0
    waiting.give_up("no answer")
    assert waiting.is_over
    assert waiting.since == float("inf")
    assert waiting.record.errors == ["no answer"]


@pytest.mark.parametrize(("share", "value"), [(0.5, 3), (0.95, 5), (0.2, 1), (0.21, 2), (1, 5)])
def test_percentile_is_a_value_that_was_measured(share, value):
    assert percentile([5, 1, 4, 2, 3], share) == value


FAST = Rehearsal(
    participants=40,
    seconds=60.0,
    lesson="rates",
    warmed={"rates": 1.234, "bag": 0.5},
    joining=(0.5,) * 40,
    answers=(0.2,) * 1140 + (3.0,) * 60,
    failures=Counter(),
)
SLOW = replace(FAST, answers=(0.2,) * 1100 + (3.0,) * 100)


@pytest.fixture
def said(monkeypatch, capsys):
    """Return what a rehearsal of known numbers prints, and its exit code."""

    def run(found: Rehearsal, *more: str) -> tuple[str, int]:
        async def known(*_: object, **__: object) -> Rehearsal:
            return found

        monkeypatch.setattr(command, "_ask", lambda *_: None)
        monkeypatch.setattr(rehearsal, "rehearse", known)
        # In a thread of its own: tests that drive a browser leave this one with a running loop.
        with ThreadPoolExecutor(1) as own:
            code = own.submit(main, ["rehearse", "http://127.0.0.1:1", *more]).result()
        return capsys.readouterr().out, code

    return run


def test_server_that_answers_in_time_is_ready(said):
    text, code = said(FAST)
    assert code == 0
    assert "Lesson 4: Two rates, took 1.3 s" in text
    assert "at most 0.5 s for the page, 0.2 s for an answer" in text
    assert text.endswith("READY for 40 who move one slider at once.\n")


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (SLOW, "answers take longer than 1 s, or stay coarse: start more"),
        (replace(FAST, joining=(11.0,) * 40), "pages take longer than 10 s to open"),
        (replace(FAST, failures=Counter({"lost": 2})), "failed 2 times: lost\nNOT READY: look"),
        (replace(FAST, failures=Counter({f"bag: {NO_PAGE}": 2})), "name the address of a server"),
        (replace(SLOW, failures=Counter({"lost": 2})), "look into the server's log"),
        (replace(FAST, failures=Counter({f"bag: {STILL_COARSE}": 2})), "or stay coarse: start"),
        (replace(FAST, answers=(), joining=()), "no answer for the page"),
    ],
)
def test_server_that_does_not_is_not_and_what_to_do_is_said(said, found, why):
    text, code = said(found)
    assert code == 1
    assert why in text
    assert "\nNOT READY: " in text


def test_the_same_as_json(said):
    text, code = said(SLOW, "--json")
    assert code == 1
    assert json.loads(text)["answer_p95"] == 3.0
    assert json.loads(text)["is_ready"] is False


NO_ADDRESSES = ("8501", "ftp://here", "http://", "http://a b", "http://h:x", "é")
# Where nothing listens, and names that no machine can have.
NOWHERE = (
    *("http://127.0.0.1:1/", "http://a..b", f"http://{'a' * 64}.org", "http://localhost/\x01/"),
)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([], "the address of a server is needed"),
        *(([url], "the address of a server") for url in NO_ADDRESSES),
        *(([url], f"nothing answers at {url[:12]}") for url in NOWHERE),
    ],
)
def test_what_leads_to_no_server_is_refused_and_named(told, why, capsys):
    assert main(["rehearse", *told]) == 2
    assert why in capsys.readouterr().err.replace("'", "")


@pytest.mark.parametrize(
    "answer",
    [b"SSH-2.0-\x1b[2J\r\n", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200],
    ids=["no http", "too many headers"],
)
def test_a_server_of_something_else_is_named_in_letters(answer, capsys):
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def answered() -> None:
            with server.accept()[0] as one:
                one.recv(1000)
                one.sendall(answer)

        pool.submit(answered)
        assert main(["rehearse", f"http://127.0.0.1:{server.getsockname()[1]}/"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("dpviz: nothing answers at http://127.0.0.1")
    assert said.removesuffix("\n").isprintable()


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_s_link_opens_what_the_lesson_does(name):
    """But for what a visitor's own browser adds."""
    lesson = LESSONS_BY_NAME[name]
    query = dict(parse_qsl(lesson_link(lesson).partition("?")[2]))
    opened = opened_link({key: [value] for key, value in query.items()}, START)
    assert opened.problems == []
    assert (opened.scenario, opened.view.lesson) == (lesson.scenario, name)
    assert query.keys() == prepared_query(State(), lesson).keys() - {"followed"}


@pytest.mark.slow
@pytest.mark.skipif(bool(SKIP_REASON), reason=SKIP_REASON)
def test_a_real_server_is_opened_and_played_behind_nginx(tmp_path, monkeypatch):
    """By https, as participants come."""
    with served("shipped") as server, running_nginx(tmp_path, server.url) as nginx:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
        played = rehearse(
            nginx.url, lesson="rates", participants=3, seconds=6.0, lessons=("guess", "rates")
        )
        found = run_apart(played)
    assert found.failures == Counter()
    assert len(found.joining) == 3
    assert len(found.answers) >= 6


@pytest.mark.slow
def test_phones_answer_the_rounds_of_the_game():
    with served("shipped") as server:
        played = rehearse(
            server.url, lesson="guess", participants=2, seconds=6.0, lessons=("guess",)
        )
        found = run_apart(played)
    assert found.failures == Counter()
    assert len(found.answers) >= 4


async def answered(socket: ClientConnection, page: Page) -> None:
    """Take messages to the end of a run."""
    kind = ""
    while kind != "script_finished":
        message = page.receive(await socket.recv(decode=False))
        kind = message.WhichOneof("type")


async def vote(url: str, code: str, choice: str) -> str:
    """Predict as a phone of the class does; return its link from then on."""
    cookies = await load_files(url, "lessons")
    page = Page(address=f"{url}lessons", name="lessons", query=f"class={code}&lesson=bag")
    async with connected(url, cookies) as socket:
        await socket.send(page.first_message())
        await answered(socket, page)
        (control,) = (one for one in page.controls() if one.name == "predict_bag")
        await socket.send(page.set(control, choice))
        while page.acts:
            await answered(socket, page)
    return page.query


@pytest.mark.slow
def test_class_of_40_votes_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By two servers that share one file; each vote counts once."""
    monkeypatch.setenv(CLASSES_VARIABLE, str(tmp_path / "classes.sqlite"))
    classes = Classes(tmp_path / "classes.sqlite")
    started = classes.start()

    async def all_vote(urls: list[str]) -> list[str]:
        votes = (vote(urls[at % 2], started.code, "aab"[at % 3]) for at in range(40))
        async with asyncio.timeout(120):
            return await asyncio.gather(*votes)

    with served("shipped", of=2) as first, served("shipped", of=2) as second:
        links = run_apart(all_vote([first.url, second.url]))
    assert len(set(links)) == 40  # each has a key of its own
    tally = classes.tally(started.code, started.key, "bag")
    assert tally.counts == ({"a": 27, "b": 13},)
