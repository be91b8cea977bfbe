"""Who draws a page when many want to."""

from contextlib import nullcontext
from threading import Event, Thread
from time import sleep

import pytest
import streamlit as st

from dpviz.ui import filling, turns
from dpviz.ui.filling import begin_run, let_answers_go_first
from dpviz.ui.turns import Turns, fill_in_next, others_turn, turn
from tests.waiting import until

LONG_WAIT = 10.0


class Visitors:
    """Threads that take a turn, one after the other; each leaves when it is told to."""

    def __init__(self, them):
        self.them, self.drawn, self._done, self._threads = them, [], {}, []

    def come(self, name, person="", *, is_filling=False):
        """Return when somebody draws or waits."""
        self._done[name] = Event()

        def draw():
            had_turn = self.them.take(person, is_filling=is_filling)
            self.drawn.append(name)
            assert self._done[name].wait(LONG_WAIT)
            if had_turn:
                self.them.leave()

        thread = Thread(target=draw, daemon=True)
        self._threads.append(thread)
        before = len(self.them._waiting) + len(self.drawn)
        thread.start()
        until(lambda: len(self.them._waiting) + len(self.drawn) > before)

    def finish(self, name):
        self._done[name].set()

    def all_finish(self):
        """Return when all have drawn and left."""
        for done in self._done.values():
            done.set()
        for thread in self._threads:
            thread.join(LONG_WAIT)
            assert not thread.is_alive()


@pytest.fixture
def one_turn(monkeypatch):
    only = Turns(1)
    monkeypatch.setattr(turns, "_TURNS", only)
    return only


def is_free(them):
    return them._free == 1


def test_as_many_draw_as_there_are_turns_and_the_others_in_their_order():
    visitors = Visitors(Turns(2))
    for name in "abcd":
        visitors.come(name)
    assert sorted(visitors.drawn) == ["a", "b"]
    visitors.finish("b")
    until(lambda: "c" in visitors.drawn)
    assert "d" not in visitors.drawn
    visitors.all_finish()
    assert visitors.drawn[2:] == ["c", "d"]
    assert visitors.them._free == 2


def test_many_pages_of_one_person_do_not_hold_up_one_page_of_another():
    visitors = Visitors(Turns(1))
    for page in range(4):
        visitors.come(f"many {page}", "many")
    visitors.come("one", "one")
    visitors.come("many 4", "many")
    visitors.come("other", "other")
    for name in ("many 0", "one", "other"):
        until(lambda name=name: visitors.drawn[-1] == name)
        visitors.finish(name)
    visitors.all_finish()
    assert visitors.drawn == ["many 0", "one", "other", *(f"many {at}" for at in (1, 2, 3, 4))]


@pytest.mark.parametrize(("patience", "second"), [(LONG_WAIT, "moved"), (0.0, "fills in")])
def test_who_only_fills_in_lets_others_go_first_but_not_for_ever(monkeypatch, patience, second):
    monkeypatch.setattr(turns, "_PATIENCE_SECONDS", patience)
    visitors = Visitors(Turns(1))
    visitors.come("first")
    visitors.come("fills in", is_filling=True)
    visitors.come("moved")
    visitors.all_finish()
    assert visitors.drawn[:2] == ["first", second]


def test_nobody_waits_for_ever_for_somebody_who_does_not_leave():
    visitors = Visitors(Turns(1, most_seconds=0.05))
    visitors.come("stays")
    visitors.come("goes on")
    until(lambda: "goes on" in visitors.drawn)
    visitors.all_finish()
    assert is_free(visitors.them)  # who had no turn gives none back


@pytest.mark.parametrize("is_filling", [False, True])
def test_who_has_done_something_else_meanwhile_waits_no_more(monkeypatch, one_turn, is_filling):
    """The visitor's next run answers both, and nobody draws for what is overtaken."""
    drawn, ended, overtaken = [], Event(), Event()
    monkeypatch.setattr(turns, "is_begun_by_acts", lambda: not is_filling)
    monkeypatch.setattr(turns, "_LOOK_SECONDS", 0.002)
    monkeypatch.setattr(turns, "is_overtaken", overtaken.is_set)
    monkeypatch.setattr(turns, "draw_again", lambda: (_ for _ in ()).throw(EndedError))

    def wait():
        if is_filling:
            fill_in_next()
        try:
            with turn():
                drawn.append("overtaken")
        except EndedError:
            assert not turns._mine.is_filling  # the next run is for something new
            ended.set()

    with turn():
        waiting = Thread(target=wait, daemon=True)
        waiting.start()
        until(turns.is_crowded)
        overtaken.set()
        assert ended.wait(LONG_WAIT)
        assert not turns.is_crowded()
        assert not is_free(one_turn)
    waiting.join(LONG_WAIT)
    assert not drawn
    assert is_free(one_turn)


def test_a_click_on_a_button_of_streamlit_is_not_overtaken(monkeypatch, one_turn):
    """It would end with its run; acts alone are answered by the next."""
    drawn = []
    monkeypatch.setattr(turns, "_LOOK_SECONDS", 0.002)
    monkeypatch.setattr(turns, "is_overtaken", lambda: True)
    monkeypatch.setattr(turns, "is_begun_by_acts", lambda: False)

    def wait():
        with turn():
            drawn.append("what was clicked")

    with turn():
        waiting = Thread(target=wait, daemon=True)
        waiting.start()
        until(turns.is_crowded)
        sleep(0.05)
        assert turns.is_crowded()
    waiting.join(LONG_WAIT)
    assert drawn == ["what was clicked"]


def test_a_turn_that_comes_while_its_run_ends_is_given_to_the_next(monkeypatch):
    them = Turns(1)
    visitors = Visitors(them)
    visitors.come("first")
    left = Event()

    def look():
        visitors.finish("first")
        until(lambda: not them._waiting)  # it has its turn
        raise EndedError

    def wait():
        with pytest.raises(EndedError):
            them.take(look=look)
        left.set()

    monkeypatch.setattr(turns, "_LOOK_SECONDS", 0.002)
    Thread(target=wait, daemon=True).start()
    assert left.wait(LONG_WAIT)
    visitors.all_finish()
    assert is_free(them)


def test_a_turn_ends_with_an_error(one_turn):
    def draw():
        with turn():
            assert not is_free(one_turn)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        draw()
    assert is_free(one_turn)


def test_a_turn_within_a_turn_is_the_same_and_others_draw_while_a_page_waits(one_turn):
    with turn():
        with turn():
            assert not is_free(one_turn)
        assert not is_free(one_turn)
        with others_turn():
            assert is_free(one_turn)
        assert not is_free(one_turn)
    assert is_free(one_turn)
    with others_turn():  # outside of a turn
        assert is_free(one_turn)
    assert is_free(one_turn)


def test_a_run_that_ends_while_it_waits_takes_no_turn_any_more(one_turn):
    taken = []
    take = one_turn.take
    one_turn.take = lambda *who, **how: taken.append(how) or take(*who, **how)
    with pytest.raises(ZeroDivisionError), turn(), others_turn():
        raise ZeroDivisionError
    assert is_free(one_turn)
    assert len(taken) == 1


def test_only_the_next_run_of_a_thread_fills_in(one_turn):
    taken = []
    take = one_turn.take
    one_turn.take = lambda *who, **how: taken.append(how["is_filling"]) or take(*who, **how)
    fill_in_next()
    with turn(), others_turn():
        pass
    with turn():
        pass
    assert taken == [True, False, False]


@pytest.mark.parametrize("is_within", [True, False])
def test_page_is_drawn_again_by_the_part_that_streamlit_runs(monkeypatch, is_within):
    """Not by an answer within it, which Streamlit would not find among what it runs."""
    rerun_within = []

    def rerun(scope="app"):
        rerun_within.append(turns._mine.is_inner)
        raise EndedError

    monkeypatch.setattr(turns.st, "fragment", lambda draw: draw)
    monkeypatch.setattr(turns.st, "rerun", rerun)
    monkeypatch.setattr(turns, "answering_live", lambda **_: nullcontext())
    monkeypatch.setattr(turns._mine, "is_within", is_within)
    left = []

    def draw(*, is_alone):
        assert is_alone is not is_within
        try:
            turns.draw_again()
        except EndedError:
            left.append("from within")
            raise
        yield

    with pytest.raises(EndedError):
        turns.draw_live(draw)
    assert rerun_within == [False]
    assert left == ([] if is_within else ["from within"])


def test_what_stands_around_an_answer_waits_for_those_of_others(monkeypatch):
    """No longer than a moment, and not as a part of the drawing; acts are answered before."""
    asked, done = iter([True, True, False]), []
    monkeypatch.setattr(st, "session_state", {})
    begin_run()
    began = st.session_state["dpviz_run_began"]
    monkeypatch.setattr(filling.workers, "are_behind", lambda: next(asked))
    monkeypatch.setattr(filling, "is_overtaken", lambda: False)
    monkeypatch.setattr(filling, "_LAST_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(filling, "answer_acts", lambda: done.append("answered"))
    monkeypatch.setattr(filling, "fill_in_next", lambda: done.append("filling"))
    let_answers_go_first()
    assert done == ["answered", "filling"]
    assert next(asked, None) is None
    assert st.session_state["dpviz_run_began"] >= began + 0.02


class EndedError(Exception):
    """Stands for the end of a run, which Streamlit begins anew."""
