"""One worker process: what comes back, what is stopped, and that it is there for the next one."""

import sys
from contextlib import nullcontext
from functools import partial

import pytest

from dpviz.jobs import Limits, TooCostlyError, worker
from dpviz.jobs.process import WorkerEndedError, WorkerProcess
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError, read_series_lengths
from tests.jobs import tasks

WAIT = 60.0  # seconds; never reached unless something is broken
LIMITS = Limits(seconds=0.5, megabytes=100)
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@pytest.fixture(scope="module")
def process():
    started = WorkerProcess()
    yield started
    started.kill()


def answer(process, compute, limits=LIMITS):
    process.begin(compute, limits)
    assert process.wait(WAIT)
    return process.answer()


def test_a_result_comes_back_with_its_size(process):
    kind, value, size = answer(process, partial(bytes, 10_000))
    assert (kind, value) == ("result", bytes(10_000))
    assert 10_000 <= size < 11_000


def test_a_refusal_comes_back_as_it_was_raised(process):
    kind, error, _ = answer(process, tasks.refuse)
    assert kind == "error"
    assert isinstance(error, ScenarioError)
    assert (error.field, error.value, error.allowed) == ("delta", 2.0, "it must be less than 1")
    assert str(error) == "delta = 2.0 is not allowed: it must be less than 1."


def test_an_error_that_cannot_travel_is_told_in_words(process):
    kind, error, _ = answer(process, tasks.fail_locally)
    assert (kind, str(error)) == ("error", "LocalError: this and that")


def test_what_a_computation_prints_is_no_answer(process):
    assert answer(process, tasks.chatter)[:2] == ("result", "an answer")


@needs_signals
@pytest.mark.parametrize("task", [tasks.burn, tasks.burn_though_asked_not_to])
def test_what_takes_too_long_is_stopped_and_the_process_goes_on(process, task):
    kind, error, _ = answer(process, partial(task, 30.0))
    assert (kind, str(error)) == ("error", "it takes more than 0.5 s of computing")
    assert isinstance(error, TooCostlyError)
    assert answer(process, tasks.pid)[1] == process.pid


def test_waiting_is_no_cost(process):
    """A busy machine refuses nothing that an idle one allows: only processor time counts."""
    assert answer(process, partial(tasks.sleep, 0.8))[:2] == ("result", 0.8)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's own limits")
def test_what_needs_too_much_memory_is_stopped_and_the_process_goes_on(process):
    kind, error, _ = answer(process, partial(tasks.fill, 400))
    assert (kind, str(error)) == ("error", "it needs more than 100 MB of memory")
    assert answer(process, partial(tasks.fill, 50))[:2] == ("result", 50_000_000)
    assert answer(process, partial(tasks.fill, 400), Limits(megabytes=500))[0] == "result"


@needs_signals
def test_what_nobody_wants_is_given_up_and_the_process_goes_on(process):
    process.begin(partial(tasks.burn, 30.0), Limits(seconds=60.0))
    assert not process.wait(0.2)
    process.give_up()
    assert process.wait(WAIT)
    assert process.answer()[0] == "given up"
    process.give_up()  # there is nothing to give up: no harm
    assert answer(process, tasks.pid)[1] == process.pid


@needs_signals
def test_no_import_is_left_half_made(process):
    """What is interrupted while it imports would fail ever after: it is stopped behind that."""
    process.begin(partial(tasks.burn_in_an_import, "imported_for_long"), Limits(seconds=60.0))
    assert not process.wait(0.2)
    process.give_up()
    assert process.wait(WAIT)
    assert process.answer()[0] in {"given up", "result"}
    quick = partial(tasks.burn_in_an_import, "imported_for_long")
    assert answer(process, quick, Limits(seconds=0.3))[:2] == ("result", "whole")


@needs_signals
def test_time_that_runs_out_in_an_import_does_so_behind_it():
    process = WorkerProcess()
    slow = partial(tasks.burn_in_an_import, "imported_for_long")
    assert answer(process, slow, Limits(seconds=0.3))[0] in {"error", "result"}
    assert answer(process, slow, Limits(seconds=0.3))[:2] == ("result", "whole")
    process.kill()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's own limits")
def test_a_process_whose_import_failed_computes_no_more():
    process = WorkerProcess()
    kind, error, _ = answer(process, partial(tasks.burn_in_an_import, "imported_at_a_cost"))
    assert (kind, str(error)) == ("error", "it needs more than 100 MB of memory")
    with pytest.raises(WorkerEndedError):
        answer(process, tasks.pid)
    process.kill()


def test_an_ended_process_says_so():
    process = WorkerProcess()
    process.begin(tasks.die, LIMITS)
    assert process.wait(WAIT)
    with pytest.raises(WorkerEndedError):
        process.answer()
    with pytest.raises(WorkerEndedError):
        process.begin(tasks.pid, LIMITS)
    process.kill()


def test_a_file_is_read_there_or_refused(process):
    content = b"date,a,b\n2024-01-01,3,\n2024-01-02,5,1\n"
    kind, lengths, _ = answer(process, partial(read_series_lengths, content, "a.csv"))
    assert (kind, lengths.lengths) == ("result", (2, 1))
    kind, error, _ = answer(process, partial(read_series_lengths, b"", "a.csv"))
    assert (kind, type(error)) == ("error", SeriesFileError)
    assert str(error) == "The file is empty."


def test_no_time_is_up_in_the_midst_of_what_is_told(monkeypatch):
    """Half of it, and then why it ended: nobody could tell one from the other."""
    monkeypatch.setattr(worker, "_limited", lambda _: nullcontext())
    can_end = []
    counting = partial(tasks.count_to, 3)
    ended = worker._answer(counting, LIMITS, lambda _: can_end.append(worker._computing))
    assert (ended[0], can_end) == ("result", [False] * 3)
