"""Many visitors, few processes: turns, limits, accidents, and an end."""

import os
import sys
import time
from functools import partial

import pytest

from dpviz.jobs import Limits, TooCostlyError
from dpviz.jobs.pool import MOST_WAITING
from dpviz.scenario import ScenarioError
from tests.jobs import tasks


def test_results_and_errors_reach_who_asked(desk):
    one, other = desk.wait_for(one=("a", tasks.pid), other=("b", tasks.refuse))
    assert one.get() != os.getpid()
    with pytest.raises(ScenarioError, match=r"delta = 2\.0 is not allowed"):
        other.get()


def test_quick_ones_pass_those_that_take_long(desk):
    """However many visitors ask for what takes long: it is not begun by who serves everybody."""
    long = {f"long{n}": (f"v{n}", partial(tasks.burn, 0.6)) for n in range(3)}
    for key, (visitor, compute) in long.items():
        desk.want(key, compute, visitor)
    desk.wait_for(**{f"quick{n}": ("q", tasks.pid) for n in range(5)})
    assert not long.keys() <= desk.outcomes.keys()
    assert all(outcome.get() == 0.6 for outcome in desk.wait_for(**long))
    assert [key for key in desk.order if key.startswith("quick")] == [f"quick{n}" for n in range(5)]


def test_what_costs_too_much_is_refused_whoever_is_served_beside_it(desk):
    limits = {"limits": Limits(seconds=0.4)}
    (costly,) = desk.wait_for(costly=("a", partial(tasks.burn, 30.0), limits))
    with pytest.raises(TooCostlyError, match="it takes more than"):
        costly.get()
    assert desk.wait_for(next=("a", tasks.pid))[0].get() in desk.pids()


def test_a_known_long_one_never_goes_to_who_serves_everybody(desk):
    (quick,) = desk.wait_for(quick=("a", tasks.pid))
    (long,) = desk.wait_for(long=("a", tasks.pid, {"is_long": True}))
    assert quick.get() != long.get()


def test_a_process_that_ends_is_replaced_and_its_computation_begun_again(desk, tmp_path):
    (outcome,) = desk.wait_for(again=("a", partial(tasks.die_once, tmp_path / "died")))
    assert outcome.get() == "second time"


def test_a_computation_that_ends_every_process_is_refused(desk):
    (outcome,) = desk.wait_for(deadly=("a", tasks.die))
    with pytest.raises(TooCostlyError, match="memory"):
        outcome.get()
    assert desk.wait_for(next=("b", tasks.pid))[0].error is None


def test_one_visitor_cannot_fill_the_queue(desk):
    desk.want("long", partial(tasks.sleep, 0.1), "a")
    for n in range(10 * MOST_WAITING):
        desk.want(f"n{n}", tasks.pid, "a")
    desk.wait_for(quick=("b", tasks.pid))
    time.sleep(0.5)
    assert len(desk.outcomes) <= MOST_WAITING + 4


def test_what_is_given_up_by_its_visitor_makes_room(desk):
    """Nobody has to wait for the computations of somebody who has closed the page."""
    desk.want("left", partial(tasks.burn, 60.0), "gone", limits=Limits(seconds=60.0))
    (long,) = desk.wait_for(long=("b", partial(tasks.burn, 0.5)))
    assert long.get() == 0.5
    assert "left" not in desk.outcomes


@pytest.mark.skipif(sys.platform == "win32", reason="asks as POSIX does")
def test_no_process_outlives_the_pool(open_desk):
    at = open_desk(short=2)
    at.wait_for(warm=("x", tasks.pid))
    pids = at.pids()
    assert pids
    at.pool.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
