"""Valid settings drawn from a seed: every scheme, and numbers that are quick to account for."""

from random import Random
from urllib.parse import urlencode

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
from dpviz.scenario.mechanism import BINS, BOTTOM_LEVELS, TOP_LEVELS
from dpviz.scenario.relation import LEVELS
from tests.pages.app import link_of


def settings(draw: Random) -> Scenario:
    """Return some settings that are allowed."""
    while True:
        try:
            return _attempt(draw)
        except ScenarioError:
            continue


def some_pins(draw: Random, count: int) -> tuple[Pin, ...]:
    """Return so many pins, all but the last of them shown."""
    return tuple(
        Pin(slot=slot, scenario=settings(draw), shown=at < count - 1 or count == 1)
        for at, slot in enumerate("abcdef"[:count])
    )


def query(scenario: Scenario, pins: tuple[Pin, ...] = (), **view: object) -> str:
    """Return a link's query string."""
    return urlencode(link_of(scenario, pins) | {name: str(value) for name, value in view.items()})


def _attempt(draw: Random) -> Scenario:
    context, forecast = draw.choice((0, 1, 2, 12)), draw.choice((1, 1, 3))
    shortest = context + forecast + draw.randint(0, 60)
    windows = draw.choice((1, 1, 2, 4))
    scenario = Scenario(
        data=DataShape(
            num_series=draw.randint(2, 500),
            series_lengths=(shortest,) if draw.random() < 0.7 else (shortest, shortest + 17),
            context_length=context,
            forecast_length=forecast,
        ),
        sampling=Sampling(
            batch_size=draw.choice((1, 4, 16, 64)),
            num_subsequences=windows,
            # Bins have records of their own.
            top_level=draw.choice([name for name in TOP_LEVELS if name != BINS]),
            bottom_level=draw.choice(BOTTOM_LEVELS),
        ),
        noise=Noise(
            noise_multiplier=draw.choice((0.5, 1.0, 1.25, 3.0, 20.0)),
            context_noise=draw.choice((0.0, 0.0, 1.5)),
            forecast_noise=draw.choice((0.0, 0.0, 2.0)),
        ),
        training=Training(
            unit=draw.choice(("steps", "epochs")), count=draw.choice((1, 2, 5, 20, 75))
        ),
        relation=Relation(
            level=draw.choice(LEVELS),
            width=draw.choice((1, 1, 2, 5)),
            max_change=draw.choice((None, 2.5)),
            num_channels=draw.choice((1, 1, 3)),
        ),
        units=Units(
            time_step=draw.choice((None, TimeStep(1, "hour"), TimeStep(10, "minute"))),
            value_unit=draw.choice((None, "kWh")),
        ),
        delta=draw.choice((1e-7, 1e-5, 1e-3)),
    )
    if scenario.num_steps > 400:
        raise ScenarioError("steps", scenario.num_steps, "it would take too long")
    if draw.random() < 0.15:
        return scenario.with_rates(bottom_rate=round(draw.uniform(0.01, 0.9), 3))
    return scenario
