"""A pool with visitors, for the tests of what becomes of their computations."""

import threading
import time

import pytest

from dpviz.jobs import Pool
from tests.jobs import tasks

WAIT = 90.0  # seconds; never reached unless something is broken


class Desk:
    """A pool, and visitors who wait patiently."""

    def __init__(self, **options):
        self.day, self.outcomes, self.order = 0, {}, []
        self.changed = threading.Condition()
        self.pool = Pool(self.deliver, **{"first": 1, "short": 1, "long": 1} | options)

    def open(self):
        """Begin another day: nothing of those before is told any more."""
        with self.changed:
            self.day, self.outcomes, self.order = self.day + 1, {}, []
        return self

    def deliver(self, key, outcome):
        day, key = key
        with self.changed:
            if day == self.day:
                self.outcomes[key] = outcome
                self.order.append(key)
                self.changed.notify_all()

    def want(self, key, compute, visitor, **options):
        self.pool.want((self.day, key), compute, visitor, **options)

    def wait_for(self, **wishes):
        """Ask for computations by key, as (visitor, task, options), until all are there."""
        end = time.monotonic() + WAIT
        while not wishes.keys() <= self.outcomes.keys():
            assert time.monotonic() < end
            for key, (visitor, compute, *options) in wishes.items():
                if key not in self.outcomes:
                    self.want(key, compute, visitor, **(options[0] if options else {}))
            with self.changed:
                self.changed.wait(0.1)
        return [self.outcomes[key] for key in wishes]

    def pids(self):
        return [process.pid for lane in self.pool._lanes for process in lane.staff._all]

    def ask(self, key, compute, **options):
        return self.wait_for(**{key: ("a", compute, options)})[0]


@pytest.fixture(scope="module")
def _shared_desk():
    shared = Desk()
    shared.wait_for(warm=("x", tasks.pid), warm_first=("x", tasks.pid, {"is_first": True}))
    yield shared
    shared.pool.close()


@pytest.fixture
def desk(_shared_desk):
    return _shared_desk.open()


@pytest.fixture
def open_desk():
    """Return a function that opens a desk, with the options of a pool; it ends with the test."""
    opened = []

    def opening(**options):
        opened.append(Desk(**options))
        return opened[-1]

    yield opening
    for one in opened:
        one.pool.close()
