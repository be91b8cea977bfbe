"""Processes for first answers: nothing else holds them up, and nothing else is computed there."""

import os
import time
from functools import partial

import pytest

from dpviz.jobs.pool import FIRST_NICENESS, NICENESS
from tests.jobs import tasks

FIRST = {"is_first": True}
NICEST = 19  # more than that is taken for that


def test_first_answers_come_from_processes_of_their_own(desk):
    kinds = {"first": ("a", tasks.pid, FIRST), "other": ("a", tasks.pid)}
    first, other = (outcome.get() for outcome in desk.wait_for(**kinds))
    desk.outcomes.clear()
    assert [outcome.get() for outcome in desk.wait_for(**kinds)] == [first, other]
    assert first != other


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no niceness")
def test_the_system_lets_first_answers_go_before_the_others(desk):
    own = os.getpriority(os.PRIO_PROCESS, 0)
    first, other = desk.wait_for(
        first=("a", partial(os.getpriority, os.PRIO_PROCESS, 0), FIRST),
        other=("a", partial(os.getpriority, os.PRIO_PROCESS, 0)),
    )
    assert first.get() == min(own + FIRST_NICENESS, NICEST)
    assert other.get() == min(own + NICENESS, NICEST)


def test_a_process_is_there_before_the_first_visitor_is(open_desk):
    first, other = open_desk(first=2).pool._lanes
    assert len(first.staff._spares) == len(first.staff._all) == 1
    assert not other.staff._all


def test_a_first_answer_that_takes_long_is_in_nobodys_way(desk):
    """The next ones are computed beside it, and nothing of it is lost."""
    desk.want("long", partial(tasks.burn, 1.5), "a", is_first=True)
    time.sleep(0.1)
    quick = {f"quick{n}": (f"v{n}", tasks.pid, FIRST) for n in range(3)}
    desk.wait_for(long=("a", partial(tasks.burn, 1.5), FIRST), **quick)
    assert desk.order[-1] == "long"
    assert all(desk.outcomes[key].error is None for key in (*quick, "long"))


def test_all_else_goes_on_when_nobody_sees_nothing_any_more(desk):
    """Nothing of it is begun before the last first answer is."""
    burning = partial(tasks.burn, 0.1)
    desk.want("under way", burning, "a", is_first=True)
    time.sleep(0.02)
    desk.want("next", burning, "b", is_first=True)
    desk.want("filling", tasks.pid, "d")
    desk.wait_for(next=("b", burning, FIRST), filling=("d", tasks.pid))
    assert desk.order.index("under way") < desk.order.index("filling")


def test_a_pool_is_behind_while_more_see_nothing_than_it_has_processes_for(open_desk):
    desk = open_desk()
    assert not desk.pool.is_behind(within=60.0)
    desk.want("under way", partial(tasks.burn, 0.5), "a", is_first=True)
    time.sleep(0.1)
    desk.want("next", tasks.pid, "b", is_first=True)
    assert not desk.pool.is_behind()
    desk.want("after", tasks.pid, "c", is_first=True)
    assert desk.pool.is_behind()
    desk.wait_for(after=("c", tasks.pid, FIRST))
    assert not desk.pool.is_behind()
    assert desk.pool.is_behind(within=60.0)


def test_first_answers_wait_for_no_other_work(desk):
    """However much is being filled in for others."""
    for n in range(4):
        desk.want(f"filling{n}", partial(tasks.burn, 5.0), f"v{n}")
    desk.wait_for(first=("a", tasks.pid, FIRST))
    assert not any(key.startswith("filling") for key in desk.outcomes)
