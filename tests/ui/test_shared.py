"""Results that all visitors share: computed once, kept for a while, filled in bit by bit."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier, Event, Lock, Thread

import numpy as np
import pytest

from dpviz.planning import curves_of
from dpviz.scenario import PRESETS, to_json
from dpviz.ui import shared
from dpviz.ui.compute import budget_parts, curves_part, steps_parts, used_up_part
from dpviz.ui.shared import Filled, Part, SharedResults, fill_in

TOY = PRESETS["toy"].scenario
LONG_WAIT = 20.0  # seconds; never reached unless something is broken


class Clock:
    """A clock that stands still but for what parts say they cost."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        """Return the time."""
        return self.now

    def part(self, key, seconds, calls):
        """Return a part that takes so long by this clock, and notes that it was computed."""

        def compute():
            self.now += seconds
            calls.append(key)
            return f"result of {key}"

        return Part(key=key, compute=compute)


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(shared, "perf_counter", clock)
    monkeypatch.setattr(shared, "RESULTS", SharedResults())
    return clock


def test_two_who_ask_at_once_wait_for_one_computation():
    results, begun, go_on, calls = SharedResults(), Event(), Event(), []

    def compute():
        calls.append("computed")
        begun.set()
        assert go_on.wait(LONG_WAIT)
        return object()

    part = Part(key="one", compute=compute)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(results.get, part)
        assert begun.wait(LONG_WAIT)
        second = pool.submit(results.get, part)
        go_on.set()
        assert first.result(LONG_WAIT) is second.result(LONG_WAIT)
    assert calls == ["computed"]


def test_nobody_waits_for_a_result_that_others_wait_for():
    """A slow result holds up only those who asked for it."""
    results, begun, go_on = SharedResults(), Event(), Event()

    def slow():
        begun.set()
        assert go_on.wait(LONG_WAIT)
        return "slow"

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(results.get, Part(key="slow", compute=slow))
        assert begun.wait(LONG_WAIT)
        assert results.peek("slow") is None
        assert results.get(Part(key="quick", compute=lambda: "quick")) == "quick"
        go_on.set()
        assert waiting.result(LONG_WAIT) == "slow"


def test_however_threads_are_interleaved_each_result_is_computed_once():
    """Also by those who come in the moment in which it is put away."""
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
    """The moment in which a computation has ended: the result is there, or still under way."""
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
    results, answers = SharedResults(), iter([ValueError("broken"), "mended"])

    def compute():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    part = Part(key="one", compute=compute)
    with pytest.raises(ValueError, match="broken"):
        results.get(part)
    assert results.peek("one") is None
    assert results.get(part) == "mended"
    assert results.get(part) == "mended"


def test_who_waited_for_a_computation_that_failed_computes():
    results, begun, go_on, calls = SharedResults(), Event(), Event(), []

    def compute():
        calls.append("computed")
        if len(calls) == 1:
            begun.set()
            assert go_on.wait(LONG_WAIT)
            raise ValueError("broken")
        return "mended"

    part = Part(key="one", compute=compute)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(results.get, part)
        assert begun.wait(LONG_WAIT)
        second = pool.submit(results.get, part)
        go_on.set()
        with pytest.raises(ValueError, match="broken"):
            first.result(LONG_WAIT)
        assert second.result(LONG_WAIT) == "mended"


def test_those_asked_for_longest_ago_go_first():
    """Memory is bounded, and what is in use stays."""
    results, calls = SharedResults(most=3), []

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
    results = SharedResults(most=5)
    for at in range(1000):
        results.get(Part(key=str(at), compute=lambda at=at: at + 1))
    assert [at for at in range(1000) if results.peek(str(at)) is not None] == list(range(995, 1000))


def test_an_answer_is_filled_in_for_as_long_as_the_budget_lasts(clock):
    calls = []
    parts = [clock.part(key, 0.4, calls) for key in "abcde"]
    assert fill_in(parts, budget=1.0).results == (
        "result of a", "result of b", "result of c", None, None,
    )  # fmt: skip
    assert calls == ["a", "b", "c"]
    filled = fill_in(parts, budget=1.0)
    assert filled.missing == 0
    assert filled.progress is None
    assert calls == list("abcde")


def test_each_call_brings_at_least_one_new_result(clock):
    """However small the budget: else a page would draw itself again for ever."""
    calls = []
    parts = [clock.part(key, 5.0, calls) for key in "abc"]
    for done in (1, 2, 3):
        filled = fill_in(parts, budget=0.0)
        assert 3 - filled.missing == done == len(calls)
        assert filled.progress == (None if done == 3 else pytest.approx(done / 3))


def test_known_results_cost_no_budget_and_gaps_are_filled_in_order(clock):
    calls = []
    parts = [clock.part(key, 2.0, calls) for key in "abcd"]
    shared.RESULTS.get(parts[1])
    assert fill_in(parts, budget=1.0).results == ("result of a", "result of b", None, None)
    assert fill_in(parts, budget=1.0).results == (
        "result of a", "result of b", "result of c", None,
    )  # fmt: skip
    assert calls == ["b", "a", "c"]


def test_only_known_results_are_asked_for_without_computing(clock):
    calls = []
    parts = [clock.part(key, 1.0, calls) for key in "ab"]
    assert fill_in(parts, only_known=True).results == (None, None)
    shared.RESULTS.get(parts[1])
    assert fill_in(parts, only_known=True).results == (None, "result of b")
    assert calls == ["b"]


def test_an_empty_answer_is_complete():
    assert fill_in([]) == Filled(results=())
    assert Filled(results=()).progress is None


def test_an_error_stops_the_filling_and_is_not_kept(clock):
    calls = []

    def fail():
        raise ValueError("broken")

    good = clock.part("a", 0.0, calls)
    parts = [good, Part(key="b", compute=fail)]
    with pytest.raises(ValueError, match="broken"):
        fill_in(parts)
    assert shared.RESULTS.peek("a") == "result of a"
    assert shared.RESULTS.peek("b") is None


def test_equal_keys_mean_equal_results():
    """A key that forgets a field would show one visitor the numbers of another."""
    changes = {
        "top level": replace(TOY, sampling=replace(TOY.sampling, top_level="deterministic")),
        "bottom level": replace(TOY, sampling=replace(TOY.sampling, bottom_level="poisson")),
        "batch": replace(TOY, sampling=replace(TOY.sampling, batch_size=16)),
        "noise": replace(TOY, noise=replace(TOY.noise, noise_multiplier=1.5)),
        "labels": replace(TOY, noise=replace(TOY.noise, forecast_noise=1.5)),
        "steps": replace(TOY, training=replace(TOY.training, count=7)),
        "epochs": replace(TOY, training=replace(TOY.training, unit="epochs")),
        "relation": replace(TOY, relation=replace(TOY.relation, width=2)),
        "user": replace(TOY, relation=replace(TOY.relation, level="user", width=2)),
        "delta": replace(TOY, delta=1e-6),
        "rates": TOY.with_rates(),
        "lengths": replace(TOY, data=replace(TOY.data, series_lengths=(20, 30))),
    }
    keys = set()
    for scenario in (TOY, *changes.values()):
        parts = [
            curves_part(scenario),
            curves_part(scenario, 1e-2),
            *steps_parts([scenario], 1.0, (1, 2)),
            *steps_parts([scenario], 2.0, (1, 2)),
            *steps_parts([scenario], 1.0, (1, 3)),
            used_up_part(scenario, 1.0),
            used_up_part(scenario, 2.0),
        ]
        keys |= {part.key for part in parts}
        assert all(to_json(scenario) in part.key for part in parts)
    assert len(keys) == 7 * (1 + len(changes))


def test_parts_of_several_runs_are_each_their_own():
    """A loop's last run must not stand for all."""
    runs = [replace(TOY, training=replace(TOY.training, count=count)) for count in (1, 2)]
    one, other = (part.compute() for part in steps_parts(runs, 1.0, (1, 2)))
    assert [one.scenario, other.scenario] == runs
    short = replace(TOY, training=replace(TOY.training, count=3))
    points = [part.compute() for part in budget_parts(short)]
    assert len({point.count for point in points}) == len(points)
    exact, coarse = (curves_part(short, tolerance).compute() for tolerance in (None, 1e-2))
    assert np.array_equal(exact.upper.delta_high, curves_of(short).upper.delta_high)
    assert coarse.upper.interval > exact.upper.interval
