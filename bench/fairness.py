"""What visitors with heavy scenarios cost one who moves a slider beside them.

    python bench/fairness.py [--visitors 5] [--seconds 30]

The pool of processes that the app uses. One visitor asks every 0.2 s for the curves of a new light
scenario, first alone, then beside others who each ask for heavy ones without a pause: two seconds
of computing each, the most that one may cost. The goal is at most 200 ms more.
"""

import argparse
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from threading import Condition, Event, Thread
from time import monotonic, sleep

import numpy as np

from dpviz.jobs import Outcome, Pool
from dpviz.planning import curves_of
from dpviz.scenario import PRESETS, Scenario

LIGHT = PRESETS["toy"].scenario
HEAVY = replace(
    LIGHT,
    sampling=replace(LIGHT.sampling, bottom_level="poisson"),
    training=replace(LIGHT.training, count=10_000_000),
)
GOAL_SECONDS = 0.2
PAUSE_SECONDS = 0.2


class Server:
    """The pool, and what it has answered."""

    def __init__(self) -> None:
        self.outcomes: dict[str, Outcome] = {}
        self.changed = Condition()
        count = os.cpu_count() or 1
        self.pool = Pool(self._keep, first=count, short=count, long=count)

    def answer(self, key: str, scenario: Scenario, visitor: str, stop: Event | None = None) -> None:
        """Wait for the curves of a scenario, as a page does."""
        while key not in self.outcomes and not (stop is not None and stop.is_set()):
            self.pool.want(key, partial(curves_of, scenario), visitor, is_first=True)
            with self.changed:
                if key not in self.outcomes:
                    self.changed.wait(0.5)

    def _keep(self, key: str, outcome: Outcome) -> None:
        with self.changed:
            self.outcomes[key] = outcome
            self.changed.notify_all()


def main() -> None:
    """Measure alone and beside others; print both, and the difference."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    server = Server()
    for warm in range(4):
        server.answer(f"warm {warm}", LIGHT, "warm")
    scenarios = new_ones()
    print(f"load of the machine: {os.getloadavg()[0]:.1f} of {os.cpu_count()} processors")
    alone = light_answers(server, scenarios, options.seconds)
    stop = Event()
    others = [
        Thread(target=ask_for_heavy, args=(server, f"heavy {number}", stop), daemon=True)
        for number in range(options.visitors)
    ]
    for other in others:
        other.start()
    beside = light_answers(server, scenarios, options.seconds)
    stop.set()
    for other in others:
        other.join()
    heavy = sum(key.startswith("heavy") for key in server.outcomes)
    server.pool.close()
    print(f"{'a light scenario, in ms':44}{'median':>8}{'95 %':>8}{'most':>8}")
    for name, times in (("alone", alone), (f"beside {options.visitors} with heavy ones", beside)):
        middle, most_of, most = np.percentile(times, (50, 95, 100)) * 1e3
        print(f"{name:44}{middle:8.0f}{most_of:8.0f}{most:8.0f}")
    more = np.percentile(beside, 95) - np.percentile(alone, 95)
    print(f"more at 95 %: {1e3 * more:.0f} ms (goal: {1e3 * GOAL_SECONDS:.0f}); {heavy} heavy ones")


def new_ones() -> Iterator[Scenario]:
    """Yield scenarios that nobody asked for before."""
    sigma = 1.0
    while True:
        sigma += 1e-4
        yield replace(LIGHT, noise=replace(LIGHT.noise, noise_multiplier=sigma))


def light_answers(server: Server, scenarios: Iterator[Scenario], seconds: float) -> list[float]:
    """Return how long each answer took, in seconds."""
    times = []
    end = monotonic() + seconds
    while monotonic() < end:
        scenario = next(scenarios)
        began = monotonic()
        server.answer(f"light {scenario.noise.noise_multiplier!r}", scenario, "light")
        times.append(monotonic() - began)
        sleep(PAUSE_SECONDS)
    return times


def ask_for_heavy(server: Server, visitor: str, stop: Event) -> None:
    """Ask for one heavy scenario after another."""
    number = 0
    while not stop.is_set():
        number += 1
        scenario = replace(HEAVY, delta=HEAVY.delta * (1.0 + 1e-3 * number))
        server.answer(f"{visitor} {number}", scenario, visitor, stop)


if __name__ == "__main__":
    main()
