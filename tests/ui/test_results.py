"""Results that all visitors share: kept for a while, and told to who waits."""

from time import monotonic
from unittest.mock import Mock

import pytest

from dpviz.jobs import Limits, Outcome, TooCostlyError
from dpviz.scenario import ScenarioError
from dpviz.ui import results as kept
from dpviz.ui.results import Part, SharedResults

ONE = kept._BYTES_BESIDE + 100  # bytes of one small result, about


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
