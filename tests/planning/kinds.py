"""One cheap run for each kind of answer that dpviz gives."""

from dataclasses import replace
from functools import lru_cache

from dpviz.planning import ScenarioCurves, curves_of
from dpviz.scenario import PRESETS, Noise, Rates, Relation, Scenario, Training

TOY = PRESETS["toy"].scenario


def sampled(scenario: Scenario = TOY, **changes: object) -> Scenario:
    """Return a run whose batches are drawn in another way."""
    return replace(scenario, sampling=replace(scenario.sampling, **changes))


ONE_STEP = Training(unit="steps", count=1)
RUNS = {
    "drawn": TOY,
    "walked": sampled(top_level="deterministic"),
    "one step": replace(TOY, training=ONE_STEP),
    "tight for many": TOY.with_rates(bottom_rate=1.0, top_rate=1.0),
    "several windows": sampled(num_subsequences=4),
    "plain Gaussian": sampled(
        TOY.with_rates(bottom_rate=0.9, top_rate=1.0), num_subsequences=4, top_level="deterministic"
    ),
    "Poisson windows": sampled(bottom_level="poisson"),
    "shuffled": sampled(top_level="shuffled"),
    "no lower bound": replace(
        sampled(top_level="flat"),
        # Longer series are left out: the number of all windows is not known.
        data=replace(TOY.data, longer_series_beyond=20),
        noise=Noise(noise_multiplier=2.0, forecast_noise=1.0),
        training=Training(unit="steps", count=10),
    ),
    "Poisson series": sampled(top_level="poisson"),
    "noise on labels": replace(TOY, noise=Noise(noise_multiplier=1.0, forecast_noise=1.0)),
    "noise on both parts": replace(
        TOY, noise=Noise(noise_multiplier=1.0, context_noise=1.0, forecast_noise=1.0)
    ),
    "wide and noisy": replace(
        TOY,
        noise=Noise(noise_multiplier=1.0, forecast_noise=1.0),
        relation=Relation(width=3, level="user"),
    ),
    "one bag": sampled(top_level="flat"),
    "one bag, one step": replace(sampled(top_level="flat"), training=ONE_STEP),
    "several lengths": replace(
        sampled(bottom_level="poisson"),
        data=replace(TOY.data, series_lengths=(2, 3), context_length=2),
    ),
    "no finite epsilon": replace(
        sampled(num_subsequences=64, batch_size=64, top_level="deterministic"),
        noise=Noise(noise_multiplier=0.3),
        training=Training(unit="steps", count=10**5),
        delta=1e-15,
    ),
    "epsilon 0": replace(TOY, noise=Noise(noise_multiplier=100.0), delta=0.9),
    "negligible": replace(
        TOY,
        data=Rates(bottom_rate=1e-9, top_rate=1e-5, steps_per_epoch=10),
        training=ONE_STEP,
    ),
}


@lru_cache(maxsize=64)
def curves_of_kind(name: str) -> ScenarioCurves:
    """Return what is proven about one of the runs, computed once for all tests."""
    return curves_of(RUNS[name])
