"""Runs to be put side by side in words and in tables."""

from dataclasses import replace

from dpviz.planning import curves_of
from dpviz.planning.comparison import ComparedRun
from dpviz.scenario import Noise, Relation
from tests.planning.kinds import sampled

LIMITED = Relation(max_change=1.0)


def row(scenario, name="pin B") -> ComparedRun:
    return ComparedRun(name=name, scenario=scenario, curves=curves_of(scenario))


def large(batch: int, sigma: float):
    return replace(sampled(batch_size=batch), noise=Noise(noise_multiplier=sigma))


def bare(sigma: float, batch: int, name: str) -> ComparedRun:
    return ComparedRun(name=name, scenario=large(batch, sigma), curves=None)
