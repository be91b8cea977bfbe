"""Runs for each kind of answer that dpviz gives, cheap, and rows of them to compare."""

from dataclasses import replace
from functools import lru_cache

from dpviz.guarantees.noised_rates import condition_on_changes
from dpviz.planning import ScenarioCurves, curves_of
from dpviz.planning.comparison import ComparedRun
from dpviz.scenario import Rates, Scenario
from tests.planning.brackets import with_bracket
from tests.scenario.changes import TOY, varied


def sampled(scenario: Scenario = TOY, **changes: object) -> Scenario:
    """Return a run whose batches are drawn in another way."""
    return varied(scenario, **changes)


RUNS = {
    "drawn": TOY,
    "walked": sampled(top_level="deterministic"),
    "one step": varied(TOY, steps=1),
    "tight for many": TOY.with_rates(bottom_rate=1.0, top_rate=1.0),
    "several windows": sampled(num_subsequences=4),
    "plain Gaussian": sampled(
        TOY.with_rates(bottom_rate=0.9, top_rate=1.0), num_subsequences=4, top_level="deterministic"
    ),
    "Poisson windows": sampled(bottom_level="poisson"),
    "shuffled": sampled(top_level="shuffled"),
    "no lower bound": varied(
        TOY,
        top_level="flat",
        longer_series_beyond=20,  # so that the number of all windows is not known
        noise_multiplier=2.0,
        forecast_noise=1.0,
        steps=10,
    ),
    "Poisson series": sampled(top_level="poisson"),
    "noise on labels": varied(TOY, forecast_noise=1.0),
    "noise on both parts": varied(TOY, context_noise=1.0, forecast_noise=1.0),
    "wide and noisy": varied(TOY, forecast_noise=1.0, width=3, level="user"),
    "one bag": sampled(top_level="flat"),
    "one bag, one step": varied(TOY, top_level="flat", steps=1),
    "several lengths": varied(TOY, bottom_level="poisson", series_lengths=(2, 3), context_length=2),
    "no finite epsilon": varied(
        sampled(num_subsequences=64, batch_size=64, top_level="deterministic"),
        noise_multiplier=0.3,
        steps=10**5,
        delta=1e-15,
    ),
    "epsilon 0": varied(TOY, noise_multiplier=100.0, delta=0.9),
    "negligible": varied(
        TOY, data=Rates(bottom_rate=1e-9, top_rate=1e-5, steps_per_epoch=10), steps=1
    ),
}


@lru_cache(maxsize=64)
def curves_of_kind(name: str) -> ScenarioCurves:
    """Return what is proven about one of the runs, computed once for all tests."""
    return curves_of(RUNS[name])


def run_of(kind: str, name: str | None = None) -> ComparedRun:
    """Return one of the kinds of runs as a row."""
    curves = curves_of_kind(kind)
    return ComparedRun(name=name or kind, scenario=RUNS[kind], curves=curves)


def run_with(
    name: str, low: float | None, high: float | None, kind: str = "drawn", **changes: object
) -> ComparedRun:
    """Return a row with a made-up bracket of the upper bound, no lower one, and else of a kind."""
    known = curves_of_kind(kind)
    scenario: Scenario = replace(known.scenario, **changes)
    upper = with_bracket(known.upper, low, high)
    if upper.bound.condition:  # on changes of at most the v of this relation
        bound = replace(upper.bound, condition=condition_on_changes(scenario.relation))
        upper = replace(upper, at_delta=replace(upper.at_delta, bound=bound))
    curves = replace(known, scenario=scenario, upper=upper, lower=None)
    return ComparedRun(name=name, scenario=scenario, curves=curves)
