"""Who is next: everybody in turn, the latest wish first, and nobody who has gone."""

import pytest

from dpviz.jobs.fair_queue import FairQueue
from dpviz.jobs.job import PATIENCE_SECONDS, Job, Wish
from dpviz.jobs.limits import Limits


class Desk:
    """A queue whose clock is set by hand."""

    def __init__(self):
        self.now = 0.0
        self.queue = FairQueue(clock=lambda: self.now)

    def ask(self, visitor, *keys, wave=1, is_long=False):
        """Let a visitor wait for jobs."""
        for key in keys:
            job = self.queue.find(key) or Job(
                key=key, compute=int, limits=Limits(), is_long=is_long
            )
            job.wishes[visitor] = Wish(at=self.now, wave=wave)
            self.queue.put(job)

    def all(self, *, is_long=False):
        """Return the keys of all jobs, in their order, and take them out."""
        keys = []
        while (job := self.queue.take(is_long=is_long)) is not None:
            keys.append(job.key)
        return keys


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


def test_what_the_latest_position_of_a_slider_asks_for_comes_first(desk):
    desk.ask("a", "old 1", "old 2", wave=1)
    desk.ask("a", "new 1", "new 2", wave=2)
    desk.ask("a", "old 2", wave=2)  # still shown
    assert desk.all() == ["old 2", "new 1", "new 2", "old 1"]


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
