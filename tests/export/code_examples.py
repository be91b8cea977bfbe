"""Scenarios whose code is looked at."""

from dataclasses import replace

from dpviz.scenario import PRESETS, Noise, Rates, Relation, Training, Units
from tests.scenario import examples

TOY = PRESETS["toy"].scenario
TRAFFIC = PRESETS["traffic"].scenario
LENGTHS = replace(TOY.data, series_lengths=(4, 5, 9), context_length=6, forecast_length=2)
RATES = replace(TOY, data=Rates(bottom_rate=0.1, top_rate=1 / 3, steps_per_epoch=2))


def drawn(scenario=TOY, **sampling):
    return replace(scenario, sampling=replace(scenario.sampling, **sampling))


SCENARIOS = {
    "toy": TOY,
    "traffic": TRAFFIC,
    "rates only": RATES,
    "rates only, share": replace(
        RATES,
        data=replace(RATES.data, forecast_share=0.1),
        noise=Noise(noise_multiplier=1.0, forecast_noise=0.3),
    ),
    "rates and last shape": TRAFFIC.with_rates(top_rate=0.1),
    "several lengths": replace(TOY, data=LENGTHS),
    "some lengths left out": replace(TOY, data=replace(LENGTHS, longer_series_beyond=10)),
    "four windows": drawn(num_subsequences=4),
    "Poisson windows": drawn(
        replace(TOY, data=LENGTHS), bottom_level="poisson", num_subsequences=4
    ),
    "shuffled": drawn(top_level="shuffled"),
    "no lower bound": replace(
        drawn(replace(TOY, data=LENGTHS), top_level="flat", batch_size=100),
        noise=Noise(noise_multiplier=1.0, forecast_noise=2.0),
    ),
    "walked": replace(drawn(top_level="deterministic"), training=Training(unit="epochs", count=3)),
    "Poisson series": drawn(top_level="poisson"),
    "one bag": drawn(top_level="flat", batch_size=100),
    "noise on labels": replace(
        TOY,
        noise=Noise(noise_multiplier=1.0, forecast_noise=2.0),
        relation=Relation(max_change=0.1, num_channels=2),
    ),
    "user": replace(TOY, relation=Relation(level="user", width=3)),
    "another delta": replace(TOY, delta=1e-5),
    "no finite epsilon": replace(
        drawn(top_level="deterministic", num_subsequences=64, batch_size=64),
        data=replace(TOY.data, series_lengths=(2,)),
        noise=Noise(noise_multiplier=0.1),
    ),
    "every field": examples.SHAPE,
}


def without_units(scenario):
    return replace(scenario, units=Units())
