"""Random scenarios, pins and views: plain draws, in large numbers faster than Hypothesis's."""

from collections.abc import Sequence
from contextlib import suppress
from math import log10
from random import Random
from typing import Any

from dpviz.scenario import (
    DataShape,
    Noise,
    Pin,
    Relation,
    Sampling,
    Scenario,
    ScenarioError,
    TimeStep,
    Training,
    Units,
)
from dpviz.scenario.mechanism import BOTTOM_LEVELS, MOST_STEPS, TOP_LEVELS, TRAINING_UNITS
from dpviz.scenario.pins import MOST_SHOWN, PIN_SLOTS
from dpviz.scenario.relation import LEVELS, TIME_UNITS
from dpviz.settings import SETTINGS, View
from tests.scenario.changes import varied

# Everything that has a meaning in a link, and some that has none.
_CHARACTERS = "abcXYZ 0123456789&=?+%#;/\\'\"<>[](){}$*_`~|,.:!€°µλδ世界\u00a0"


def random_scenario(draw: Random, **limits: Any) -> Scenario:
    """Return any scenario that is valid, over the whole of most ranges or within limits."""
    while True:
        try:
            return _attempt(draw, **limits)
        except ScenarioError:
            continue


def random_pins(draw: Random, scenarios: list[Scenario]) -> tuple[Pin, ...]:
    """Return 0 to 6 pins in any slots, at most four of them shown."""
    slots = sorted(draw.sample(PIN_SLOTS, draw.randint(0, len(PIN_SLOTS))))
    shown = draw.sample(slots, draw.randint(0, min(MOST_SHOWN, len(slots))))
    return tuple(
        Pin(slot=slot, scenario=draw.choice(scenarios), shown=slot in shown) for slot in slots
    )


def random_view(draw: Random) -> View:
    """Return any view, often with some choices as at first."""
    choices = {
        "chart": draw.choice(tuple(SETTINGS["chart"].choices)),
        "target_epsilon": 10 ** draw.uniform(-4, 3),
        "fixed_epsilon": draw.choice((1e-4, 1e3, 0.1, 10 ** draw.uniform(-4, 3))),
        "compared_steps": draw.choice((0, 1, MOST_STEPS, draw.randint(0, MOST_STEPS))),
        "compared_length": draw.choice(tuple(SETTINGS["compared_length"].choices)),
    }
    return View(**{name: value for name, value in choices.items() if draw.random() < 0.5})


def _attempt(
    draw: Random,
    *,
    most_series: int = 10**6,
    widest: int = 10**6,
    top_levels: Sequence[str] = TOP_LEVELS,
    may_be_bare: bool = True,
) -> Scenario:
    forecast = draw.choice((1, draw.randint(1, 500)))
    lengths = {
        forecast + int(10 ** draw.uniform(0, 5)) for _ in range(draw.choice((1, 1, 1, 2, 5)))
    }
    shape = DataShape(
        num_series=int(10 ** draw.uniform(0, log10(most_series))),
        series_lengths=tuple(sorted(lengths)),
        context_length=draw.choice((0, draw.randint(0, 500))),
        forecast_length=forecast,
        longer_series_beyond=draw.choice((None, None, draw.randint(1, 10**6))),
    )
    windows = draw.choice((1, 1, draw.randint(1, 64)))
    scenario = Scenario(
        data=shape,
        sampling=Sampling(
            batch_size=int(10 ** draw.uniform(0, log10(most_series))),
            num_subsequences=windows,
            top_level=draw.choice(top_levels),
            bottom_level=draw.choice(BOTTOM_LEVELS),
        ),
        noise=Noise(
            noise_multiplier=draw.choice((0.1, 100.0, draw.uniform(0.1, 100))),
            context_noise=draw.choice((0.0, 0.0, 10 ** draw.uniform(-12, 6))),
            forecast_noise=draw.choice((0.0, 0.0, 10 ** draw.uniform(-12, 6))),
        ),
        training=Training(unit=draw.choice(TRAINING_UNITS), count=int(10 ** draw.uniform(0, 7))),
        relation=Relation(
            level=draw.choice(LEVELS),
            width=draw.choice((1, int(10 ** draw.uniform(0, log10(widest))))),
            max_change=draw.choice((None, 10 ** draw.uniform(-12, 12))),
            num_channels=draw.choice((1, int(10 ** draw.uniform(0, 6)))),
        ),
        units=Units(
            time_step=draw.choice(
                (None, TimeStep(draw.randint(1, 10**6), draw.choice(TIME_UNITS)))
            ),
            value_unit=draw.choice((None, _text(draw))),
        ),
        delta=draw.choice((1e-7, 10 ** draw.uniform(-15, -0.01))),
    )
    kind = draw.random()
    if kind < 0.6:
        return scenario
    given = scenario.with_rates(bottom_rate=draw.choice((None, 10 ** draw.uniform(-9, 0))))
    with suppress(ScenarioError):  # the epochs of so small a rate are too many steps
        given = given.with_rates(top_rate=draw.choice((None, 10 ** draw.uniform(-9, 0))))
    if kind < 0.8 or not may_be_bare:
        return given
    return varied(
        given,
        relation=Relation(),
        forecast_share=draw.choice((None, given.data.forecast_share)),
        touched_windows=None,
        start_positions=None,
        last_shape=None,
    )


def _text(draw: Random) -> str:
    return "".join(draw.choices(_CHARACTERS, k=draw.randint(1, 40))).strip() or "a"
