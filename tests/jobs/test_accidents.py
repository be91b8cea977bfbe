"""Whatever happens to processes and threads: nobody waits for ever, and nobody gets another's."""

import signal
import threading
from functools import partial

import pytest

from dpviz.jobs import Limits, Outcome, TooCostlyError, pool, process
from dpviz.jobs.job import Job
from dpviz.jobs.pool import ending_of
from dpviz.jobs.process import Staff, WorkerEndedError, WorkerProcess
from dpviz.scenario import ScenarioError
from tests.jobs import tasks
from tests.waiting import until

WAIT = 60.0  # seconds; never reached unless something is broken


class Double:
    """A process that is none: says at once what it is told to say."""

    pid = 0

    def __init__(self, *answers, begins=True):
        self.answers, self.begins = list(answers), begins
        self.was_asked_to_give_up = self.is_dead = False
        self.is_free, self.has_ended = True, False

    def begin(self, compute, _limits):
        if not self.begins:
            raise WorkerEndedError
        if not self.answers:
            self.answers.append(("result", compute(), 1))

    def processor_seconds(self):
        """Return nothing: only the clock tells."""

    def wait(self, _seconds):
        return bool(self.answers)

    def answer(self):
        found = self.answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    def give_up(self):
        self.was_asked_to_give_up = True

    def leave(self):
        self.is_free = False

    def kill(self):
        self.is_dead = True


def test_a_process_that_is_not_ready_in_time_is_given_nothing(monkeypatch):
    """Else its word that it is ready were the first one's answer, and so on for ever."""
    monkeypatch.setattr(process, "_START_SECONDS", 0.0)
    late = WorkerProcess()
    try:
        with pytest.raises(WorkerEndedError):
            late.begin(tasks.pid, Limits())
    finally:
        late.kill()


def test_what_was_answered_holds_though_the_process_ended_after_it():
    once = WorkerProcess()
    once.begin(tasks.pid, Limits())
    assert once.wait(WAIT)
    pid = once.pid
    once.kill()
    assert once.answer()[:2] == ("result", pid)
    with pytest.raises(WorkerEndedError):
        once.begin(tasks.pid, Limits())


@pytest.mark.parametrize("is_long", [False, True])
def test_what_cannot_be_told_to_a_process_or_back_is_an_error_and_the_next_one_is_served(
    open_desk, is_long
):
    """No thread that serves is lost over it, and no place for what takes long."""
    at = open_desk()
    here = "only here"
    for n in range(2):
        assert at.ask(f"lambda {n}", lambda: here, is_long=is_long).error is not None
        with pytest.raises(ScenarioError):
            at.ask(f"unreadable {n}", tasks.unreadable, is_long=is_long).get()
    assert at.ask("next", tasks.pid, is_long=is_long).get() in at.pids()


@pytest.mark.parametrize("is_long", [False, True])
def test_where_no_process_begins_to_compute_nobody_waits_for_ever(open_desk, monkeypatch, is_long):
    monkeypatch.setattr(pool, "_PAUSE_SECONDS", 0.0)
    begun = []

    def start(_niceness):
        begun.append(Double(begins=len(begun) > 40))
        return begun[-1]

    at = open_desk(start=start)
    with pytest.raises(WorkerEndedError, match="No process can be started"):
        at.ask("first", tasks.pid, is_long=is_long).get()
    kept = [one for lane in at.pool._lanes for one in lane.staff._spares]
    assert all(one.is_dead for one in begun if one not in kept)
    while at.ask(f"later {len(begun)}", tasks.pid, is_long=is_long).error is not None:
        assert len(begun) < 100  # the server mends itself when processes begin again


def test_a_machine_without_threads_still_computes(open_desk, monkeypatch):
    at = open_desk(start=lambda _: Double(), short=2)

    class NoThread(threading.Thread):
        def start(self):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(pool, "Thread", NoThread)
    for n in range(3):
        assert at.ask(f"long {n}", tasks.pid, is_long=True).error is None
    assert at.pool._lanes[1].places_for_long == 1
    monkeypatch.setattr(process, "Thread", NoThread)
    assert Staff(WorkerProcess, regular=1, spares=0, most=1)._new() is None


def job(**options):
    return Job(key="one", compute=tasks.pid, limits=Limits(), **options)


class Stuck(Double):
    """A process that does not answer."""

    def wait(self, _seconds):
        return False


def test_what_is_stopped_for_others_is_never_refused_for_it():
    """However often: on a busy machine a process may not even get as far as to stop in time."""
    patient = job()
    for _ in range(5):
        for one in (Stuck(), Double(("given up", None, 1))):
            assert ending_of(one, patient)[0] is None
        ended = Double(WorkerEndedError())
        ended.give_up()
        assert ending_of(ended, patient)[0] is None


@pytest.mark.parametrize("one", [Stuck(), Double(*[("given up", None, 1)] * 2)])
def test_what_outlasts_all_patience_is_refused_for_this_time(one):
    """Nothing is said of how long it computes: a busy machine may be the reason."""
    late = job(is_late=True)
    assert ending_of(one, late)[0] is None
    late.is_late = True
    outcome = ending_of(one, late)[0]
    assert isinstance(outcome, Outcome)
    with pytest.raises(
        TooCostlyError, match="it was not done in time, perhaps as others compute, too"
    ):
        outcome.get()


def test_what_ends_its_processes_is_refused_without_a_claim_about_its_memory():
    deadly = job()
    one = Double(WorkerEndedError(), WorkerEndedError())
    assert ending_of(one, deadly)[0] is None
    with pytest.raises(TooCostlyError, match="was ended by the system, mostly for lack of memory"):
        ending_of(one, deadly)[0].get()


def test_processes_that_come_and_go_are_few_and_are_not_begun_anew():
    """One that took long comes back; none is begun in its place only to be ended."""
    begun = []

    def start():
        begun.append(Double())
        return begun[-1]

    staff = Staff(start, regular=3, spares=2, most=6)
    serving = [staff.call() for _ in range(3)]
    for _ in range(20):
        long = serving.pop(0)
        serving.append(staff.call())
        staff.send_home(long)
    assert len(begun) == 5
    away = [*serving, *(staff.call() for _ in range(4))]
    assert len(begun) == 7
    for one in away:
        staff.send_home(one)
    assert sum(one.is_dead for one in begun) == 1  # beyond the most that are kept
    assert all(staff.call() in begun for _ in range(6))


def test_a_process_that_is_slow_to_give_up_comes_back_and_others_are_there_meanwhile():
    """A busy machine may not let it come to notice; one that never does makes room."""
    staff = Staff(Double, regular=1, spares=0, most=2)
    slow = staff.call()
    slow.give_up()
    slow.leave()
    staff.send_home(slow)
    other = staff.call()
    assert other is not slow
    slow.is_free = True
    assert staff.call() is slow
    for one in (slow, other):
        one.give_up()
        one.leave()
        staff.send_home(one)
    third = staff.call()
    assert third not in (slow, other)
    assert [one.is_dead for one in (slow, other, third)] == [True, False, False]


def test_a_process_that_never_gives_up_is_asked_again_and_ended(monkeypatch):
    monkeypatch.setattr(process, "_LEAVE_SECONDS", 0.01)
    staff = Staff(Double, regular=1, spares=0, most=2)
    stuck = staff.call()
    stuck.leave()
    staff.send_home(stuck)
    until(lambda: stuck.is_dead)
    assert stuck.was_asked_to_give_up
    assert not staff._all


def test_processes_that_the_system_ended_are_nobodys_failure():
    staff = Staff(Double, regular=3, spares=0, most=3)
    away = [staff.call() for _ in range(3)]
    for one in away:
        one.has_ended = True
        staff.send_home(one)
    assert staff.call() not in away
    assert len(staff._all) == 1


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="where processes are ended instead")
def test_an_answer_that_comes_after_a_process_was_left_is_nobodys():
    one = WorkerProcess()
    try:
        one.begin(partial(tasks.burn_though_asked_not_to, 0.3), Limits())
        one.give_up()
        assert not one.wait(0.0)
        one.leave()
        assert not one.is_free
        one.begin(tasks.pid, Limits())  # waits for what was left
        assert one.wait(WAIT)
        assert one.answer()[:2] == ("result", one.pid)
        assert one.is_free
    finally:
        one.kill()


def test_a_visitor_who_moved_on_is_served_though_what_they_asked_for_before_still_waits(open_desk):
    go_on = threading.Event()
    at = open_desk(start=lambda _: Double())
    at.want("busy", partial(go_on.wait, WAIT), "b")
    for n in range(2 * pool.MOST_WAITING):
        at.want(f"before {n}", tasks.pid, "a", wave=1)
    at.want("now", tasks.pid, "a", wave=2)
    go_on.set()
    until(lambda: "now" in at.outcomes)  # it was asked for only once
    assert not any(key.startswith("before") for key in at.outcomes)
