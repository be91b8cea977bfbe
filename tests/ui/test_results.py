"""Results that all visitors share: computed once, kept for a while, filled in bit by bit."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Lock, Thread
from time import monotonic
from unittest.mock import Mock

import pytest

from dpviz.jobs import Limits, Outcome, TooCostlyError
from dpviz.scenario import ScenarioError
from dpviz.ui import results as kept
from dpviz.ui.results import Part, SharedResults

ONE = kept._BYTES_BESIDE + 100  # bytes of one small result, about
LONG_WAIT = 20.0  # seconds; never reached unless something is broken


class Held:
    """A computation that goes on when it is told to; then it has one outcome after the other."""

    def __init__(self, *outcomes):
        self.begun, self.go_on, self.calls = Event(), Event(), 0
        self.part = Part(key="held", compute=self.compute)
        self._outcomes = Mock(side_effect=outcomes)

    def compute(self):
        self.calls += 1
        self.begun.set()
        assert self.go_on.wait(LONG_WAIT)
        return self._outcomes()

    def asked_twice(self, results, pool):
        """Let one ask, and another one while it is computed for the first; return both."""
        first = pool.submit(results.get, self.part)
        assert self.begun.wait(LONG_WAIT)
        second = pool.submit(results.get, self.part)
        self.go_on.set()
        return first, second


def test_two_who_ask_at_once_wait_for_one_computation():
    held = Held(object())
    with ThreadPoolExecutor(2) as pool:
        first, second = held.asked_twice(SharedResults(), pool)
        assert first.result(LONG_WAIT) is second.result(LONG_WAIT)
    assert held.calls == 1


def test_who_waited_for_a_computation_that_failed_computes():
    held = Held(ValueError("broken"), "mended")
    with ThreadPoolExecutor(2) as pool:
        first, second = held.asked_twice(SharedResults(), pool)
        with pytest.raises(ValueError, match="broken"):
            first.result(LONG_WAIT)
        assert second.result(LONG_WAIT) == "mended"


def test_nobody_waits_for_a_result_that_others_wait_for():
    """A slow result holds up only those who asked for it."""
    results, held = SharedResults(), Held("slow")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(results.get, held.part)
        assert held.begun.wait(LONG_WAIT)
        assert results.peek("held") is None
        assert results.get(Part(key="quick", compute=lambda: "quick")) == "quick"
        held.go_on.set()
        assert waiting.result(LONG_WAIT) == "slow"


def test_however_threads_are_interleaved_each_result_is_computed_once():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for attempt in range(300):
            results, lock, calls, barrier = SharedResults(), Lock(), [], Barrier(8)

            def compute(calls=calls, lock=lock):
                with lock:
                    calls.append(1)
                return "result"

            def ask(results=results, barrier=barrier, compute=compute):
                barrier.wait()
                for _ in range(5):
                    assert results.get(Part(key="one", compute=compute)) == "result"

            threads = [Thread(target=ask) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(calls) == 1, f"attempt {attempt}"
    finally:
        sys.setswitchinterval(interval)


def test_whoever_comes_while_a_result_is_put_away_finds_it():
    results, calls = SharedResults(), []
    part = Part(key="one", compute=lambda: calls.append(1) or "result")

    class Locked:
        """The lock of the results, after each use of which another visitor asks."""

        def __init__(self, lock):
            self.lock, self.asking = lock, False

        def __enter__(self):
            return self.lock.__enter__()

        def __exit__(self, *error):
            self.lock.__exit__(*error)
            # The first one has computed: whatever comes now must not compute again.
            if calls and not self.asking:
                self.asking = True
                other = Thread(target=results.get, args=(part,), daemon=True)
                other.start()
                other.join(0.2)  # it may have to wait for the first one to be done
                self.asking = False

    results._lock = Locked(results._lock)
    assert results.get(part) == "result"
    assert calls == [1]


def test_errors_are_not_kept_and_the_next_one_who_asks_computes():
    results = SharedResults()
    part = Part(key="one", compute=Mock(side_effect=[ValueError("broken"), "mended"]))
    with pytest.raises(ValueError, match="broken"):
        results.get(part)
    assert results.peek("one") is None
    assert results.get(part) == "mended"
    assert results.get(part) == "mended"


def test_those_asked_for_longest_ago_go_first():
    """Memory is bounded, and what is in use stays."""
    results, calls = SharedResults(most_bytes=3 * ONE), []

    def part(key):
        return Part(key=key, compute=lambda: calls.append(key) or key)

    for key in "abc":
        results.get(part(key))
    results.get(part("a"))
    results.peek("b")
    results.get(part("d"))
    assert [key for key in "abcd" if results.peek(key)] == ["a", "b", "d"]
    results.get(part("c"))
    assert calls == ["a", "b", "c", "d", "c"]


def test_results_of_a_busy_day_do_not_pile_up():
    results = SharedResults(most_bytes=5 * ONE)
    for at in range(1000):
        results.get(Part(key=str(at), compute=lambda at=at: at + 1))
    assert [at for at in range(1000) if results.peek(str(at)) is not None] == list(range(995, 1000))


def test_long_keys_take_room_too():
    results = SharedResults(most_bytes=5 * ONE)
    keys = [str(at) * 2 * ONE for at in range(9)]
    for key in keys:
        results.put(key, Outcome(result=1))
    assert [key for key in keys if results.peek(key)] == keys[-1:]


@pytest.mark.parametrize(
    "error",
    [ScenarioError("delta", 2.0, "it must be less than 1"), TooCostlyError(Limits(), "time")],
)
def test_a_refusal_that_is_kept_keeps_nothing_of_the_page_that_was_told(error):
    """Refusals stay for hours: with their tracebacks whole pages would."""
    results = SharedResults()
    results.put("one", Outcome(error=error))
    for _ in range(2):
        with pytest.raises(type(error)) as told:
            results.told("one", results.outcome("one"))
        assert str(told.value) == str(error)
        assert vars(told.value) == vars(error)
    assert results.outcome("one").error.__traceback__ is None


def test_what_a_busy_machine_did_not_finish_is_computed_when_it_is_asked_for_again():
    results = SharedResults()
    results.put("one", Outcome(error=TooCostlyError(Limits(), "clock")))
    with pytest.raises(TooCostlyError, match="try again"):
        results.told("one", results.outcome("one"))
    assert results.get(Part(key="one", compute=lambda: 1)) == 1


def test_an_accident_is_forgotten_also_by_those_who_leave_out_what_it_stands_for(monkeypatch):
    results = SharedResults()
    for what in ("clock", "time"):
        results.put(what, Outcome(error=TooCostlyError(Limits(), what)))
    assert results.outcome("clock") is not None
    later = monotonic() + kept._ACCIDENT_SECONDS + 1.0
    monkeypatch.setattr(kept, "monotonic", lambda: later)
    assert results.outcome("clock") is None
    assert results.outcome("time") is not None


def test_whoever_is_told_of_an_accident_late_drops_no_result_that_came_since():
    results, accident = SharedResults(), Outcome(error=OSError("no memory"))
    results.put("one", accident)
    results.put("one", Outcome(result="mended"))
    with pytest.raises(OSError, match="no memory"):
        results.told("one", accident)
    assert results.peek("one") == "mended"


def test_who_watches_a_result_is_told_of_it_and_of_no_other():
    results = SharedResults()
    with results.watched(["mine", "mine, too"]) as news, results.watched(["another"]) as others:
        results.put("another", Outcome(result=1))
        assert others.is_set()
        assert not news.is_set()
        results.put("mine, too", Outcome(result=2))
        assert news.is_set()


def test_nobody_is_remembered_who_watches_no_more():
    results = SharedResults()
    with results.watched(["one"]) as first:
        with results.watched(["one", "two"]) as second:
            pass
        results.put("one", Outcome(result=1))
        assert first.is_set()
        assert not second.is_set()
    assert not results._watched
