"""Long runs: shared, in turn, within limits, cancelled, and ended when nobody watches."""

import os
import signal
import subprocess
import sys
from functools import partial
from threading import Thread

import pytest

from dpviz.jobs import Limits, LongRun, LongRuns, QueueFullError, State, TooCostlyError, long_runs
from dpviz.scenario import ScenarioError
from tests.browser.processes import children_of, ended_within
from tests.browser.server import REPOSITORY
from tests.jobs import tasks
from tests.waiting import until

WAIT = 60.0  # seconds; never reached unless something is broken

SERVER = """
import time
from dpviz.jobs import Limits, LongRuns
from tests.jobs.tasks import tell_who_computes
runs = LongRuns(at_once=1, most_waiting=1, most_kept=1, limits=Limits(seconds=600.0),
                patience_seconds=600.0)
run = runs.start("key", tell_who_computes, "me")
run.wait_for_news(0, 60.0)
print(*run.told, flush=True)
time.sleep(600.0)
"""


@pytest.fixture
def make():
    """Return a function that returns runs, which end with the test."""
    made = []

    def runs(**options):
        usual = {
            "at_once": 1,
            "most_waiting": 2,
            "most_kept": 2,
            "limits": Limits(seconds=20.0),
            "patience_seconds": WAIT,
        }
        made.append(LongRuns(**usual | options))
        return made[-1]

    yield runs
    for one in made:
        one.close()


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ended(run):
    until(lambda: run.state.is_over)
    return run


def test_what_a_run_tells_is_there_in_its_order(make):
    run = ended(make().start("count", partial(tasks.count_to, 20), "me"))
    assert run.state is State.DONE
    assert run.told == tuple(range(20))


def test_a_run_that_gets_no_thread_takes_no_place(make, monkeypatch):
    class NoThread(Thread):
        def start(self):
            raise RuntimeError("can't start new thread")

    runs, steps = make(), partial(tasks.count_to, 1)
    with monkeypatch.context() as crowded:
        crowded.setattr(long_runs, "Thread", NoThread)
        assert runs.start("count", steps, "me").state is State.FAILED
    assert ended(runs.start("count", steps, "me")).state is State.DONE


def test_news_are_there_before_the_end(make):
    run = make().start("count", tasks.tell_who_computes, "me")
    run.wait_for_news(0, WAIT)
    assert len(run.told) == 1
    assert run.state is State.RUNNING


def test_two_who_want_the_same_share_one_run_also_afterwards(make):
    runs = make()
    run = runs.start("count", partial(tasks.count_to, 3), "one")
    assert runs.start("count", partial(tasks.count_to, 3), "two") is run
    ended(run)
    assert runs.start("count", partial(tasks.count_to, 3), "three") is run
    assert runs.find("count") is run


def test_what_failed_or_was_cancelled_can_be_started_anew(make):
    runs = make()
    run = ended(runs.start("fail", partial(tasks.count_and_fail, 1), "me"))
    assert runs.start("fail", partial(tasks.count_to, 1), "me") is not run


def test_the_error_of_a_run_is_kept_with_what_it_told(make):
    run = ended(make().start("fail", partial(tasks.count_and_fail, 2), "me"))
    assert run.state is State.FAILED
    assert isinstance(run.error, ScenarioError)
    assert run.told == (0, 1)


@pytest.mark.parametrize("answer", [int, ()])
def test_a_run_that_has_told_its_answer_is_done_whatever_follows(make, answer):
    runs = make()
    run = ended(runs.start("fail", partial(tasks.count_and_fail, 1), "me", answer=answer))
    assert (run.state is State.DONE, run.error is None) == (answer is int, answer is int)
    run = runs.start("left", tasks.tell_who_computes, "me", answer=answer)
    run.wait_for_news(0, WAIT)
    runs.leave(run, "me")
    assert run.state is (State.DONE if answer is int else State.CANCELLED)


@pytest.mark.parametrize(
    ("steps", "seconds", "by_the_clock", "what", "told"),
    [
        (tasks.count_and_burn, 0.3, 20.0, "time", (1,)),
        (partial(tasks.count_to, 2, pause=WAIT), 20.0, 0.02, "clock", ()),
        (tasks.end_without_a_word, 20.0, 20.0, "end", (1,)),
    ],
)
def test_a_run_that_is_ended_fails_with_what_ended_it(
    make, monkeypatch, steps, seconds, by_the_clock, what, told
):
    monkeypatch.setattr(long_runs, "_CLOCK_FACTOR", by_the_clock)
    run = ended(make(limits=Limits(seconds=seconds)).start("run", steps, "me"))
    assert run.state is State.FAILED
    assert isinstance(run.error, TooCostlyError)
    assert (run.error.what, run.told) == (what, told)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("end", "by hand. You can start it again."),
        ("clock", "not done in time, perhaps as others compute, too; try again."),
        ("memory", "needs more than 500 MB of memory. Ask for fewer steps"),
    ],
)
def test_a_trained_run_that_was_killed_is_not_told_as_one_that_asked_for_too_much(what, told):
    train_runs = pytest.importorskip("dpviz.ui.questions.train_runs")
    run = LongRun("key", lambda: iter(()))
    run.end(State.FAILED, TooCostlyError(Limits(), what))
    said = train_runs.failure(run)
    assert told in said
    assert ("Ask for fewer" in said) == (what == "memory")


@pytest.mark.skipif(sys.platform == "win32", reason="asks as POSIX does")
def test_a_cancelled_run_ends_its_process_and_the_next_one_begins(make):
    runs = make()
    run = runs.start("first", tasks.tell_who_computes, "me")
    run.wait_for_news(0, WAIT)
    (pid,) = run.told
    following = runs.start("second", partial(tasks.count_to, 2), "you")
    assert following.state is State.WAITING
    runs.leave(run, "me")
    assert run.state is State.CANCELLED
    assert ended(following).state is State.DONE
    until(lambda: not is_there(pid))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="ends a process as Unix does")
def test_a_run_ends_with_a_server_that_is_killed():
    """Also one that has nothing to tell for long."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout.readline().strip().isdigit()
        computing = children_of(server.pid)
        assert computing
    finally:
        server.kill()
        server.wait()
    assert ended_within(WAIT, computing)


def test_a_run_goes_on_for_those_who_stay(make):
    runs = make()
    run = runs.start("first", tasks.tell_who_computes, "me")
    runs.start("first", tasks.tell_who_computes, "you")
    runs.leave(run, "me")
    assert not run.state.is_over
    runs.leave(run, "you")
    assert run.state is State.CANCELLED


def test_who_joins_a_run_while_the_last_one_leaves_it_has_one(make, monkeypatch):
    runs, joined = make(), []
    run = runs.start("first", tasks.tell_who_computes, "me")
    joins = Thread(
        target=lambda: joined.append(runs.start("first", tasks.tell_who_computes, "you"))
    )
    is_watched = LongRun.is_watched

    def looked(one, seconds):
        found = is_watched(one, seconds)
        if not found and not joins.ident:
            joins.start()
            joins.join(0.2)
        return found

    monkeypatch.setattr(LongRun, "is_watched", looked)
    runs.leave(run, "me")
    joins.join(WAIT)
    assert not joined[0].state.is_over


def test_a_run_that_nobody_watches_any_more_ends(make):
    run = make(patience_seconds=0.5).start("first", tasks.tell_who_computes, "me")
    assert ended(run).state is State.CANCELLED


def test_a_queue_has_an_end_and_tells_the_place_in_it(make):
    runs = make()
    first = runs.start("first", tasks.tell_who_computes, "one")
    until(lambda: first.state is State.RUNNING)
    waiting = [runs.start(name, partial(tasks.count_to, 1), name) for name in ("second", "third")]
    assert [runs.place(run) for run in waiting] == [0, 1]
    with pytest.raises(QueueFullError):
        runs.start("fourth", partial(tasks.count_to, 1), "four")


def test_runs_that_are_over_are_forgotten_oldest_first(make):
    runs = make()
    for name in "abcd":
        ended(runs.start(name, partial(tasks.count_to, 1), "me"))
    assert [runs.find(name) is not None for name in "abcd"] == [False, True, True, True]


def test_what_cannot_be_told_to_a_process_fails_and_the_next_one_is_served(make):
    runs = make()
    run = ended(runs.start("lambda", lambda: iter([1]), "me"))
    assert run.state is State.FAILED
    assert ended(runs.start("count", partial(tasks.count_to, 1), "me")).state is State.DONE


def test_of_those_that_wait_the_smaller_ones_come_first_but_nobody_waits_for_ever(make):
    runs = make(most_waiting=4)
    first = runs.start("first", partial(tasks.count_to, 2, WAIT), "me")
    until(lambda: first.state is State.RUNNING)
    large = runs.start("large", partial(tasks.count_to, 2), "me", size=10)
    small = runs.start("small", partial(tasks.count_to, 2), "you", size=1)
    assert (runs.place(small), runs.place(large)) == (0, 1)
    large.since -= 60.0
    assert (runs.place(large), runs.place(small)) == (0, 1)
    runs.forget(first)
    until(lambda: large.state.is_over and small.state.is_over)
    assert runs.find("first") is None
    assert large.times[0] < small.times[0]


def test_a_process_that_is_ready_before_it_is_needed_ends_with_the_runs(make):
    runs = make(ahead=tasks.pid)
    (ready,) = runs._ready
    run = runs.start("one", tasks.tell_who_computes, "me")
    until(lambda: run.told)
    assert run.told[0] == ready.pid
    runs.forget(run)
    until(lambda: len(runs._ready) == 1)
    runs._ready[0].kill()
    until(lambda: runs._ready[0].has_ended)
    other = runs.start("two", partial(tasks.count_to, 2), "me")
    until(lambda: other.state.is_over)
    assert other.state is State.DONE
    until(lambda: len(runs._ready) == 1)
    last = runs._ready[0]
    runs.close()
    until(lambda: last.has_ended)
