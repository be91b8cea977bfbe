"""Advice in place applies to the settings, and leads to the whole of it."""

from dataclasses import replace

import pytest

from dpviz.scenario import PRESETS, DataShape, Noise, Relation, Sampling, Training
from dpviz.wording.choices import CHOICES
from dpviz.wording.plan_questions import (
    data_advice,
    data_line,
    delta_advice,
    noise_advice,
    protection_advice,
    sampling_advice,
)

TRAFFIC = replace(PRESETS["traffic"].scenario, training=Training(unit="steps", count=12_000))
KEYS = {choice.key for choice in CHOICES}


def sampled(**changes):
    return replace(TRAFFIC, sampling=replace(TRAFFIC.sampling, **changes))


def protecting(level, width):
    return replace(TRAFFIC, relation=Relation(level=level, width=width))


FEW = replace(
    TRAFFIC,
    data=DataShape(num_series=8, series_lengths=(50_000,), context_length=96, forecast_length=24),
    sampling=Sampling(batch_size=8),
    training=Training(unit="steps", count=1000),
)
LABELS = replace(
    TRAFFIC,
    data=DataShape(num_series=862, series_lengths=(17_544,), context_length=0, forecast_length=24),
)


@pytest.mark.parametrize(
    ("advice", "scenario", "key"),
    [
        (data_advice, TRAFFIC, "public-calendar"),
        (data_advice, FEW, "few-series"),
        (data_advice, LABELS, None),
        (data_advice, TRAFFIC.with_rates(bottom_rate=0.1), None),
        (protection_advice, TRAFFIC, "who"),
        (protection_advice, protecting("event", 336), "who"),
        (protection_advice, protecting("user", 4), "who"),
        (protection_advice, protecting("user", 17_544), "give-up"),
        (delta_advice, TRAFFIC, None),
        (delta_advice, replace(TRAFFIC, delta=1e-3), "delta"),
        (sampling_advice, TRAFFIC, "by-coins"),
        (sampling_advice, sampled(num_subsequences=4), "one-window-first"),
        (sampling_advice, sampled(top_level="poisson"), "by-coins"),
        (sampling_advice, sampled(top_level="shuffled"), "loader"),
        (sampling_advice, sampled(top_level="deterministic"), "many-series"),
        (sampling_advice, sampled(top_level="deterministic", batch_size=862), None),
        (sampling_advice, sampled(top_level="flat"), "one-bag"),
        (sampling_advice, sampled(top_level="flat", bottom_level="poisson"), "one-bag"),
        (noise_advice, TRAFFIC, None),
        (noise_advice, LABELS, "label-noise"),
        (noise_advice, replace(TRAFFIC, noise=Noise(noise_multiplier=1, forecast_noise=2)),
         "label-noise"),
        (noise_advice, replace(LABELS, noise=Noise(noise_multiplier=1, forecast_noise=2)), None),
    ],
)  # fmt: skip
def test_advice_is_the_one_that_applies(advice, scenario, key):
    told = advice(scenario)
    assert (None if told is None else told.key) == key
    if told is not None:
        assert key in KEYS
        assert told.linked.endswith(f"[More](how_to_choose#{key})")


def test_nothing_is_told_of_windows_that_nobody_has_chosen():
    assert data_line(TRAFFIC, is_chosen=False) == "862 series, hourly, windows still to be chosen"
    assert "Λ" not in data_line(TRAFFIC, found="batch_size")
