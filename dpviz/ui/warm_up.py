"""Compute what a first visitor's first slider move will ask for, before anybody asks."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from time import sleep

from dpviz.scenario import Scenario
from dpviz.settings.grids import BOTTOM_RATES, COUNTS, NOISE_MULTIPLIERS, TOP_RATES
from dpviz.ui import workers
from dpviz.ui.compute import curves_part
from dpviz.ui.shared import RESULTS
from dpviz.ui.state import START

NAME = "dpviz-warm-up"
# One at a time, and not one after another without a pause: visitors come first.
_LOOK_SECONDS = 0.25


def start_warming_up() -> None:
    """Begin in the background, where there are processes that compute."""
    if workers.has_workers():
        threading.Thread(target=_warm_up, name=NAME, daemon=True).start()


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


def _warm_up() -> None:
    for scenario in one_move_away(START):
        part = curves_part(scenario)
        # What no bound covers is known as soon as its refusal is: whoever asks will be told.
        while RESULTS.outcome(part.key) is None:
            workers.want([part], visitor=NAME)
            sleep(_LOOK_SECONDS)
