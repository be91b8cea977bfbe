"""Pages answer at once and fill in the rest: equal parts have one name, and come in order."""

from dataclasses import replace
from time import perf_counter
from unittest.mock import Mock

import numpy as np
import pytest
import streamlit as st

from dpviz.accounting import takes_new_directions
from dpviz.jobs import Limits, Outcome, TooCostlyError
from dpviz.planning import curves_of
from dpviz.planning.over_steps import delta_over_steps
from dpviz.scenario import to_json
from dpviz.ui import compute, filling
from dpviz.ui import results as kept
from dpviz.ui.compute import (
    budget_parts,
    curves_ladder,
    curves_part,
    epsilon_parts,
    known_curves,
    known_lines,
    part_of,
    told_curves,
    used_up_part,
)
from dpviz.ui.filling import (
    Filled,
    begin_run,
    fill_in,
    first_of_each,
    go_on,
    is_left_out,
    result_of,
    waiting_for_all,
)
from dpviz.ui.results import Part, SharedResults
from tests.scenario.changes import TOY, varied


class Clock:
    """A clock that stands still but for what parts say they cost."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def part(self, key, seconds, calls):
        """Return a part that takes so long by this clock, and notes that it was computed."""

        def compute():
            self.now += seconds
            calls.append(key)
            return f"result of {key}"

        return Part(key=key, compute=compute)


@pytest.fixture
def results(monkeypatch):
    """Let nobody else's results be known; returns those that are."""
    own = SharedResults()
    for module in (kept, filling, compute):
        monkeypatch.setattr(module, "RESULTS", own)
    return own


@pytest.fixture
def clock(monkeypatch, results):
    clock = Clock()
    monkeypatch.setattr(filling, "monotonic", clock)
    return clock


def test_an_answer_is_filled_in_for_as_long_as_the_budget_lasts(clock):
    calls = []
    parts = [clock.part(key, 0.4, calls) for key in "abcde"]
    assert fill_in(parts, budget=1.0).results == (
        "result of a", "result of b", "result of c", None, None,
    )  # fmt: skip
    assert calls == ["a", "b", "c"]
    filled = fill_in(parts, budget=1.0)
    assert not filled.to_come
    assert filled.progress is None
    assert calls == list("abcde")


def test_each_call_brings_at_least_one_new_result(clock):
    """However small the budget: else a page would draw itself again for ever."""
    calls = []
    parts = [clock.part(key, 5.0, calls) for key in "abc"]
    for done in (1, 2, 3):
        filled = fill_in(parts, budget=0.0)
        assert 3 - len(filled.to_come) == done == len(calls)
        assert filled.progress == (None if done == 3 else pytest.approx(done / 3))


def test_known_results_cost_no_budget_and_gaps_are_filled_in_order(clock):
    calls = []
    parts = [clock.part(key, 2.0, calls) for key in "abcd"]
    assert fill_in(parts, only_known=True).results == (None,) * 4
    filling.RESULTS.get(parts[1])
    assert fill_in(parts[:2], only_known=True).results == (None, "result of b")
    assert fill_in(parts, budget=1.0).results == ("result of a", "result of b", None, None)
    assert fill_in(parts, budget=1.0).results == (
        "result of a", "result of b", "result of c", None,
    )  # fmt: skip
    assert calls == ["b", "a", "c"]
    assert fill_in([]) == Filled(results=())
    assert Filled(results=()).progress is None


def test_an_error_stops_the_filling_and_is_not_kept(clock):
    fail = Mock(side_effect=ValueError("broken"))
    parts = [clock.part("a", 0.0, []), Part(key="b", compute=fail)]
    with pytest.raises(ValueError, match="broken"):
        fill_in(parts)
    assert filling.RESULTS.peek("a") == "result of a"
    assert filling.RESULTS.peek("b") is None


def costly(key, what="time"):
    return Part(key=key, compute=Mock(side_effect=TooCostlyError(Limits(), what)))


def plain(key):
    return Part(key=key, compute=lambda: f"result of {key}")


def test_what_costs_too_much_is_left_out_and_the_rest_is_there(clock):
    parts = [plain("a"), costly("b"), plain("c")]
    filled = fill_in(parts)
    assert filled.results == ("result of a", None, "result of c")
    assert filled.by("abc") == {"a": "result of a", "c": "result of c"}
    assert filled.progress is None  # nobody waits for it
    assert not filled.is_complete
    assert [is_left_out(part) for part in parts] == [False, True, False]


def test_the_first_ones_are_waited_for_whatever_they_take(clock):
    calls = []
    parts = [clock.part(key, 5.0, calls) for key in "abcd"]
    assert fill_in(parts, first=2, budget=0.0).results == (
        "result of a", "result of b", "result of c", None,
    )  # fmt: skip
    assert calls == list("abc")
    with pytest.raises(TooCostlyError):
        fill_in([costly("e"), parts[0]], first=1)


def test_who_waits_for_all_is_given_all_of_it_or_refused(clock):
    """A table has every number of its chart; what was to come is what is drawn meanwhile."""
    parts = [clock.part(key, 5.0, []) for key in "abc"]
    with waiting_for_all():
        assert fill_in(parts[:1], only_known=True).results == (None,)
        assert fill_in(parts, budget=0.0).is_complete
        with pytest.raises(TooCostlyError):
            fill_in([plain("d"), costly("e")])
    assert not fill_in([costly("e")]).is_complete


def test_what_costs_too_much_is_not_computed_again(clock):
    part = costly("a")
    for _ in range(3):
        with pytest.raises(TooCostlyError, match="more than 2 s of computing"):
            result_of(part)
    part.compute.assert_called_once()


def mended(key):
    return Part(key=key, compute=Mock(side_effect=[OSError("no memory"), "mended"]))


def test_the_coarser_one_stands_in_for_what_costs_too_much(clock):
    assert first_of_each([[costly("fine"), plain("coarse")]])[0] == "result of coarse"
    assert first_of_each([[plain("a")], [costly("fine"), plain("coarse")]]) == [
        "result of a", "result of coarse",
    ]  # fmt: skip
    with pytest.raises(TooCostlyError, match="500 MB"):
        first_of_each([[costly("all", "memory"), costly("of them", "memory")]])[0]


def test_an_accident_is_told_once_also_one_of_the_coarser_part(clock):
    """Else all who come later would be told of it."""
    part = mended("a")
    with pytest.raises(OSError, match="no memory"):
        result_of(part)
    assert result_of(part) == "mended"
    coarse = mended("coarse")
    with pytest.raises(OSError, match="no memory"):
        first_of_each([[costly("fine"), coarse]])[0]
    assert first_of_each([[costly("fine"), coarse]])[0] == "mended"


def test_who_waits_to_draw_again_leaves_the_processor_to_others(monkeypatch, results):
    """Also when all that is to come has come before it is time."""
    asked, drawn = [], []
    monkeypatch.setattr(filling.workers, "has_workers", lambda: True)
    monkeypatch.setattr(filling.workers, "want", lambda parts, **_: asked.append(list(parts)))
    monkeypatch.setattr(filling, "draw_again", lambda: drawn.append(1))
    monkeypatch.setattr(filling, "_SECONDS_TO_SEND", 0.3)
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(filling, "session_name", lambda: "one")
    part = plain("a")
    fill_in([part], only_known=True)
    results.put(part.key, Outcome(result="a"))
    go_on()
    assert drawn == [1]
    assert len(asked) < 10


@pytest.fixture
def far_away(clock, monkeypatch):
    """Let processes that never answer compute; returns what they are asked for."""
    asked = []
    monkeypatch.setattr(filling.workers, "has_workers", lambda: True)
    monkeypatch.setattr(filling.workers, "want", lambda parts, **_: asked.extend(parts))
    monkeypatch.setattr(filling, "is_overtaken", lambda: False)
    monkeypatch.setattr(filling, "monotonic", perf_counter)
    return asked


class OvertakenError(Exception):
    """Stands for the end of a page's run."""


@pytest.mark.parametrize("wait", [lambda: result_of(plain("a")), go_on])
def test_who_has_moved_on_waits_for_nothing_more(far_away, monkeypatch, wait):
    """Streamlit lets a move in a part of a page wait for the end of the run before it."""

    def end():
        raise OvertakenError

    monkeypatch.setattr(filling, "draw_again", end)
    monkeypatch.setattr(filling, "is_overtaken", lambda: True)
    monkeypatch.setattr(filling, "to_come", lambda: {"a": plain("a")})
    with pytest.raises(OvertakenError):
        wait()
    assert [part.key for part in far_away] == ["a"]


def test_page_is_drawn_with_what_is_there_when_its_time_is_over(far_away):
    filling.RESULTS.put("b", Outcome(result="known"))
    filled = fill_in([plain("a"), plain("b")], budget=0.05)
    assert filled.results == (None, "known")
    assert [part.key for part in filled.to_come] == ["a"]
    assert [part.key for part in far_away] == ["a"]  # what is there is not asked for


def test_page_goes_on_for_all_that_it_has_asked_for_and_lacked(monkeypatch, results):
    """Also for what came before it was drawn to its end: what stands above lacks it."""
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(filling, "session_name", lambda: "one")
    begin_run()
    results.put("known", Outcome(result=1))
    fill_in([plain("slow"), plain("late"), plain("known")], only_known=True)
    fill_in([plain("other")], only_known=True, awaits=False)
    results.put("late", Outcome(result=2))
    fill_in([plain("late"), plain("slow")], only_known=True)
    assert [*filling.to_come()] == ["slow", "late"]
    assert filling.progress() == pytest.approx(1 / 3)
    begin_run()
    assert filling.progress() is None
    go_on()


def test_equal_keys_mean_equal_results():
    """A key that forgets a field would show one visitor the numbers of another."""
    changes = {
        "top level": varied(TOY, top_level="deterministic"),
        "bottom level": varied(TOY, bottom_level="poisson"),
        "batch": varied(TOY, batch_size=16),
        "noise": varied(TOY, noise_multiplier=1.5),
        "labels": varied(TOY, forecast_noise=1.5),
        "steps": varied(TOY, steps=7),
        "epochs": replace(TOY, training=replace(TOY.training, unit="epochs")),
        "relation": varied(TOY, width=2),
        "user": varied(TOY, level="user", width=2),
        "delta": replace(TOY, delta=1e-6),
        "rates": TOY.with_rates(),
        "lengths": varied(TOY, series_lengths=(20, 30)),
    }
    keys = set()
    takes_directions = 0
    for scenario in (TOY, *changes.values()):
        takes_directions += takes_new_directions(scenario)
        parts = [
            curves_part(scenario),
            curves_part(scenario, may_change_direction=False),
            curves_ladder(scenario, is_rough=True)[1],
            part_of(delta_over_steps, scenario, 1.0, (1, 2)),
            part_of(delta_over_steps, scenario, 2.0, (1, 2)),
            part_of(delta_over_steps, scenario, 1.0, (1, 3)),
            used_up_part(scenario, 1.0),
            used_up_part(scenario, 2.0),
        ]
        keys |= {part.key for part in parts}
        assert all(to_json(scenario) in part.key for part in parts)
    assert len(keys) == 7 * (1 + len(changes)) + takes_directions
    assert 5 < takes_directions < len(changes)


def test_parts_of_several_runs_are_each_their_own():
    """A loop's last run must not stand for all."""
    runs = [varied(TOY, steps=count) for count in (1, 2)]
    parts = [part_of(delta_over_steps, run, 1.0, (1, 2)) for run in runs]
    one, other = (part.compute() for part in parts)
    assert [one.scenario, other.scenario] == runs
    short = varied(TOY, steps=3)
    points = [part.compute() for part in budget_parts(short)]
    assert len({point.count for point in points}) == len(points)
    exact = curves_part(short).compute()
    coarse = curves_ladder(short, is_rough=True)[1].compute()
    assert np.array_equal(exact.upper.delta_high, curves_of(short).upper.delta_high)
    assert coarse.upper.interval > exact.upper.interval
    assert coarse.upper.only_quoted


@pytest.mark.parametrize("is_behind", [False, True])
@pytest.mark.usefixtures("results")
def test_where_visitors_queue_curves_are_rough_first(monkeypatch, is_behind):
    """And exact with the next drawing of the page."""
    monkeypatch.setattr(compute, "are_behind", lambda **_: is_behind)
    monkeypatch.setattr(st, "session_state", {})
    run = varied(TOY, steps=20)
    first, second = known_curves([run]), known_curves([run])
    assert first.own.upper.only_quoted == is_behind
    assert first.filled.is_complete != is_behind
    coarse = curves_ladder(run, is_rough=True)[1].compute()
    assert (first.own.upper.interval > coarse.upper.interval) == is_behind
    assert told_curves(first.own) != told_curves(coarse)
    assert second.filled.is_complete
    assert not second.own.upper.only_quoted
    with waiting_for_all():
        assert not known_curves([varied(TOY, steps=21)]).own.upper.only_quoted


def test_lines_are_filled_in_from_their_ends_and_then_ever_more_finely(monkeypatch):
    """What the page has curves of is told without computing."""
    asked = []

    def nothing_yet(parts, **_):
        asked.append([part.key for part in parts])
        return Filled(results=(None,) * len(parts), to_come=tuple(parts))

    monkeypatch.setattr(compute, "fill_in", nothing_yet)
    line = [varied(TOY, steps=20, width=width) for width in range(1, 10)]
    own = curves_of(line[3])
    lines, _ = known_lines({"values": line}, [own], lambda run: (run.relation.width, "w"))
    in_order = [line[at] for at in (8, 0, 4, 2, 6, 1, 5, 7)]
    assert asked[-1] == [part.key for part in epsilon_parts(in_order)]
    assert [(name, [point.x for point in points]) for name, points in lines] == [("values", [4])]


def test_a_finer_answer_that_is_known_stands_in_for_one_to_be_computed(monkeypatch, results):
    """And a rougher one for as long as it takes; nobody waits for what they see already."""
    monkeypatch.setattr(st, "session_state", {})
    run = varied(TOY, steps=20)
    _, rough, rougher = curves_ladder(run, is_rough=True)
    assert rougher.key != rough.key
    monkeypatch.setattr(compute, "are_behind", lambda **_: True)
    results.get(rough)
    known_curves([run])
    assert results.peek(rougher.key) is None


def test_curves_with_another_lower_bound_are_told_apart():
    """Figures and second opinions are kept by what tells curves apart."""
    run = varied(TOY, steps=20)
    best, plain = (curves_part(run, may_change_direction=may).compute() for may in (True, False))
    assert [one.lower.bound.theorem for one in (best, plain)] == ["dpviz 9", "4.4"]
    assert plain.upper.bracket == best.upper.bracket
    assert plain.epsilon_lower < best.epsilon_lower
    assert told_curves(plain) != told_curves(best)
