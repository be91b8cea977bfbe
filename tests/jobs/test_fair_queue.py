"""Who is next: everybody in turn, the latest wish first, and nobody who has gone."""

from functools import partial

import pytest

from dpviz.jobs.fair_queue import MOST_IN_A_TURN, MOST_SECONDS_BEHIND, FairQueue
from dpviz.jobs.job import PATIENCE_SECONDS, Job, Limits, Wish


class Desk:
    """A queue whose clock is set by hand."""

    def __init__(self):
        self.now = 0.0
        self.queue = FairQueue(clock=lambda: self.now)

    def ask(self, visitor, *keys, wave=1, is_long=False, is_first=False):
        for key in keys:
            job = self.queue.find(key) or Job(
                key=key, compute=int, limits=Limits(), is_long=is_long
            )
            job.wishes[visitor] = Wish(at=self.now, wave=wave, is_first=is_first)
            self.queue.put(job)

    def take(self, *, is_long=False):
        """Return the next first answer, or the next job of all else."""
        first = self.queue.take(is_long=is_long, is_first=True)
        return first or self.queue.take(is_long=is_long, is_first=False)

    def all(self, *, is_long=False):
        """Return the keys of all jobs, in their order, and take them out."""
        return [job.key for job in iter(partial(self.take, is_long=is_long), None)]


@pytest.fixture
def desk():
    return Desk()


def test_one_who_asks_for_much_does_not_hold_up_one_who_asks_for_little(desk):
    desk.ask("map", *(f"m{at}" for at in range(200)))
    desk.ask("slider", "s")
    assert desk.all()[:3] == ["m0", "s", "m1"]


def test_each_of_many_gets_a_turn_before_anybody_gets_a_second_one(desk):
    for visitor in "abcde":
        desk.ask(visitor, f"{visitor}1", f"{visitor}2")
    assert desk.all() == [f"{visitor}{at}" for at in (1, 2) for visitor in "abcde"]


def test_many_pages_of_one_person_have_one_turn(desk):
    for page in range(15):
        desk.ask(f"many/{page}", f"m{page}")
    desk.ask("one/0", "o1", "o2")
    desk.ask("other/0", "t1")
    assert desk.all()[:6] == ["m0", "o1", "t1", "m1", "o2", "m2"]


def test_what_an_earlier_position_of_a_slider_asked_for_is_dropped(desk):
    desk.ask("a", "old 1", "old 2", "still shown", wave=1)
    desk.ask("a", "new", wave=2)
    desk.ask("a", "still shown", wave=2)
    assert desk.all() == ["new", "still shown"]


def test_what_another_visitor_asked_for_is_not_dropped_with_it(desk):
    desk.ask("a", "shared", wave=1)
    desk.ask("b", "shared", wave=7)
    desk.ask("a", "new", wave=2)
    assert sorted(desk.all()) == ["new", "shared"]


def test_who_sees_nothing_yet_comes_before_who_sees_the_rest_filled_in(desk):
    desk.ask("map", *(f"m{at}" for at in range(5)))
    desk.ask("b", "b more")
    desk.ask("b", "b answer", is_first=True)
    desk.ask("c", "c answer", is_first=True)
    assert desk.all()[:4] == ["b answer", "c answer", "m0", "b more"]


def test_all_else_waits_while_somebody_sees_nothing(desk):
    """But not for ever: first answers come without end where many move."""
    others = partial(desk.queue.take, is_long=False, is_first=False)
    desk.ask("a", "filling")
    desk.ask("b", "first", is_first=True)
    assert others() is None
    desk.now = MOST_SECONDS_BEHIND + 1.0
    desk.queue.find("filling").since = 0.0
    for visitor, key in (("a", "filling"), ("a", "young"), ("b", "first")):
        desk.ask(visitor, key, is_first=key == "first")
    assert others().key == "filling"
    assert others() is None
    assert desk.queue.take(is_long=False, is_first=True).key == "first"
    assert others().key == "young"


def test_nothing_is_stopped_for_what_would_not_be_begun(desk):
    """Of what fills in, while somebody sees nothing."""
    desk.ask("a", "under way")
    under_way = desk.queue.take(is_long=False, is_first=False)
    under_way.wishes["a"] = Wish(at=desk.now, wave=1)
    desk.ask("b", "other")
    desk.ask("c", "first", is_first=True)
    assert not desk.queue.is_held_up_by(under_way, is_first=False)
    assert desk.queue.take(is_long=False, is_first=True).key == "first"
    assert desk.queue.is_held_up_by(under_way, is_first=False)


def test_all_else_does_not_wait_for_what_takes_long(desk):
    """One who asks for a second opinion holds up nobody."""
    desk.ask("a", "filling")
    desk.ask("b", "long first", is_first=True, is_long=True)
    assert desk.queue.take(is_long=False, is_first=False).key == "filling"


def test_all_that_one_answer_lacks_is_one_turn(desk):
    """Job by job, an answer of several would come after the visitor's next move."""
    desk.ask("a", "a1", "a2", "a3", is_first=True)
    desk.ask("b", "b1", "b2", is_first=True)
    assert desk.all() == ["a1", "a2", "a3", "b1", "b2"]


def test_what_an_answer_turns_out_to_lack_belongs_to_the_same_turn(desk):
    desk.ask("a", "curve", is_first=True)
    desk.ask("b", "b1", is_first=True)
    assert desk.take().key == "curve"
    desk.ask("a", "rates", is_first=True)
    assert desk.all() == ["rates", "b1"]


def test_a_move_after_the_turn_has_begun_waits_for_the_next_one(desk):
    """Who moves without a pause would be served alone."""
    desk.ask("a", "old 1", "old 2", is_first=True)
    desk.ask("b", "b1", is_first=True)
    assert desk.take().key == "old 1"
    desk.ask("a", "new", wave=2, is_first=True)
    assert desk.all() == ["b1", "new"]


def test_a_turn_ends_after_so_many_jobs(desk):
    desk.ask("many", *(f"m{at}" for at in range(MOST_IN_A_TURN + 3)), is_first=True)
    desk.ask("b", "b1", is_first=True)
    assert desk.all().index("b1") == MOST_IN_A_TURN


def test_who_sees_nothing_is_counted_once(desk):
    desk.ask("a", "a1", "a2", is_first=True)
    desk.ask("b", "b1", is_first=True)
    desk.ask("c", "c1")
    assert desk.queue.count_blank() == 2
    desk.all()
    assert desk.queue.count_blank() == 0


def test_only_what_comes_before_a_long_one_holds_it_up(desk):
    def wish(visitor, *, wave=1, is_first=False):
        wishes = {visitor: Wish(at=0.0, wave=wave, is_first=is_first)}
        return Job(key="under way", compute=int, limits=Limits(), wishes=wishes)

    desk.ask("b", "more")
    assert desk.queue.is_held_up_by(wish("a"), is_first=False)
    assert not desk.queue.is_held_up_by(wish("a", is_first=True), is_first=True)
    assert not desk.queue.is_held_up_by(wish("b"), is_first=False)
    desk.ask("b", "answer", wave=2, is_first=True)
    assert desk.queue.is_held_up_by(wish("a", is_first=True), is_first=True)
    assert desk.queue.is_held_up_by(wish("b"), is_first=True)


def test_what_nobody_waits_for_any_more_is_dropped(desk):
    desk.ask("a", "one", "two")
    desk.now += 0.6 * PATIENCE_SECONDS
    desk.ask("a", "two")
    desk.now += 0.6 * PATIENCE_SECONDS
    assert desk.all() == ["two"]
    assert desk.queue.find("one") is None
    assert desk.queue.count("a") == 0


def test_what_one_of_two_still_waits_for_is_computed_once(desk):
    desk.ask("gone", "shared")
    desk.now += 0.9 * PATIENCE_SECONDS
    desk.ask("there", "shared")
    desk.now += 0.5 * PATIENCE_SECONDS
    assert desk.all() == ["shared"]
    assert desk.all() == []


def test_what_takes_long_waits_in_a_line_of_its_own(desk):
    desk.ask("a", "long", is_long=True)
    desk.ask("a", "short")
    assert desk.all() == ["short"]
    assert desk.all(is_long=True) == ["long"]


def test_who_moves_a_slider_keeps_their_turn(desk):
    desk.ask("a", "a old", wave=1)
    desk.ask("b", "b")
    desk.ask("a", "a new", wave=2)
    assert desk.all() == ["a new", "b"]


def test_who_has_moved_on_does_not_wait_again_for_what_another_one_asks_for(desk):
    desk.ask("a", "shared", is_first=True)
    desk.ask("b", "shared")
    desk.ask("a", "new", wave=2)
    desk.ask("b", "shared")
    assert (desk.queue.count("a"), desk.queue.count_blank()) == (1, 0)


def test_who_sees_something_by_now_waits_with_all_others(desk):
    desk.ask("a", "answer", is_first=True)
    desk.ask("a", "answer")
    assert not desk.queue.waits_for_first()
    desk.ask("b", "first", is_first=True)
    assert desk.all() == ["first", "answer"]
