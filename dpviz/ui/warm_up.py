"""Compute what a first visitor's first slider move will ask for, before anybody asks."""

import atexit
import threading
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

from dpviz.scenario import Scenario, ScenarioError
from dpviz.ui.compute import curves_part
from dpviz.ui.grids import BOTTOM_RATES, COUNTS, NOISE_MULTIPLIERS, TOP_RATES
from dpviz.ui.shared import RESULTS
from dpviz.ui.state import START
from dpviz.ui.static_files import is_test_of_a_page

# Visitors come first: of a processor's time this takes a quarter.
_REST = 3.0


_ENDS = threading.Event()


def start_warming_up() -> None:
    """Begin in the background; in a test of a page nothing is computed unasked."""
    if not is_test_of_a_page():
        thread = threading.Thread(target=_warm_up, name="dpviz-warm-up", daemon=True)
        thread.start()
        # A thread that is cut off inside compiled code takes the whole process down with it.
        atexit.register(_end, thread)


def one_move_away(scenario: Scenario) -> Iterator[Scenario]:
    """Yield a scenario and those that one move of a slider leads to.

    >>> sum(1 for _ in one_move_away(START)) > 50
    True
    """
    yield scenario
    for sigma in NOISE_MULTIPLIERS:
        yield replace(scenario, noise=replace(scenario.noise, noise_multiplier=sigma))
    for count in COUNTS:
        yield replace(scenario, training=replace(scenario.training, count=count))
    for rate in BOTTOM_RATES:
        yield scenario.with_rates(bottom_rate=rate)
    for rate in TOP_RATES:
        yield scenario.with_rates(top_rate=rate)


def _end(thread: threading.Thread) -> None:
    _ENDS.set()
    thread.join()


def _warm_up() -> None:
    for scenario in one_move_away(START):
        if _ENDS.is_set():
            return
        began = perf_counter()
        try:
            RESULTS.get(curves_part(scenario))
        except ScenarioError:  # not covered: whoever asks will be told
            continue
        _ENDS.wait(_REST * (perf_counter() - began))
