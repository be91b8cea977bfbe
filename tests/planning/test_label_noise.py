"""What noise on context and labels is compared, and what it is worth."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import erfinv
from scipy.stats import norm

from dpviz.guarantees import guarantee_for, revealing_rate
from dpviz.planning.label_noise import (
    FORECAST_NOISES,
    compared_noises,
    equivalent_forecast_length,
    noised_value,
    noisy_bound,
    untold_by_rates,
    with_noise,
    without_noise,
)
from dpviz.scenario import PRESETS, Rates, Relation, Sampling, ScenarioError
from tests.scenario.changes import varied

TOY, TRAFFIC = PRESETS["toy"].scenario, PRESETS["traffic"].scenario
UNCOVERED = [
    Sampling(batch_size=32, num_subsequences=4),
    Sampling(batch_size=32, bottom_level="poisson"),
    Sampling(batch_size=32, top_level="flat"),
]


def test_each_noise_on_labels_is_compared_but_the_own_one():
    run = with_noise(TOY, context=0.5, forecast=2.0)
    others = compared_noises(run)
    assert [other.noise.forecast_noise for other in others] == [0.0, 0.5, 1.0, 5.0, 1e6]
    assert {other.noise.context_noise for other in others} == {0.5}
    assert len(compared_noises(with_noise(TOY, forecast=3.0))) == len(FORECAST_NOISES)
    assert without_noise(run) == TOY


@pytest.mark.parametrize("context_noise", [0.0, 0.7])
@pytest.mark.parametrize("shorter", [1, 7, 12, 23])
def test_equivalent_length_has_the_same_rate(shorter, context_noise):
    """A window with so many labels and none of their noise: the same q, T and L_C."""
    labels, positions = 24, TRAFFIC.data.start_positions
    sigma = 1.0 / (2.0 * np.sqrt(2.0) * erfinv(shorter / labels))
    noisy = with_noise(TRAFFIC, context=context_noise, forecast=float(sigma))
    assert equivalent_forecast_length(noisy) == pytest.approx(shorter, rel=1e-9)
    without = varied(
        noisy,
        forecast_length=shorter,
        series_lengths=(positions + shorter - 1,),
        forecast_noise=0.0,
    )
    assert without.shape.start_positions == positions
    assert revealing_rate(noisy) == pytest.approx(revealing_rate(without), rel=1e-9)


def test_equivalent_length_counts_channels():
    one = with_noise(TRAFFIC, forecast=2.0)
    four = varied(one, num_channels=4)
    assert equivalent_forecast_length(four) == equivalent_forecast_length(
        with_noise(TRAFFIC, forecast=1.0)
    )


@pytest.mark.parametrize(
    "scenario",
    [
        TRAFFIC,
        with_noise(TRAFFIC, context=2.0),
        with_noise(varied(TRAFFIC, width=2), forecast=2.0),
        with_noise(TRAFFIC.with_rates(), forecast=2.0),
        with_noise(varied(TRAFFIC, series_lengths=(142,)), forecast=2.0),
        *(with_noise(replace(TOY, sampling=scheme), forecast=2.0) for scheme in UNCOVERED),
    ],
)
def test_no_equivalent_length_is_told_where_none_is_known(scenario):
    assert equivalent_forecast_length(scenario) is None


def test_series_just_long_enough_have_one():
    scenario = varied(TRAFFIC, series_lengths=(143,), forecast_noise=2.0)
    assert scenario.shape.start_positions == scenario.shape.window_length
    assert equivalent_forecast_length(scenario) == pytest.approx(4.737, abs=1e-3)


@given(st.floats(0.01, 1e6), st.integers(1, 100), st.sampled_from(["context", "forecast"]))
def test_total_variation_is_that_of_the_two_bells(sigma, channels, part):
    scenario = varied(TOY, num_channels=channels)
    value = noised_value(with_noise(scenario, **{part: sigma}), part)
    assert value.distance == pytest.approx(np.sqrt(channels))
    tails = 2.0 * norm.sf(value.distance / (2.0 * sigma))
    assert value.told_apart == pytest.approx(1.0 - tails, rel=1e-9, abs=1e-12)
    other = "forecast" if part == "context" else "context"
    assert noised_value(scenario, other).told_apart == 1.0


@pytest.mark.parametrize("sampling", UNCOVERED)
def test_without_a_theorem_all_noises_have_the_same_upper_bound(sampling):
    """Not the same lower one: what is attained depends on the noise (Proposition 22)."""
    scenario = replace(TOY, sampling=sampling)
    runs = [with_noise(scenario, context=0.5), *compared_noises(with_noise(scenario, context=2.0))]
    uppers = [guarantee_for(run).upper for run in runs]
    assert len(set(uppers)) == 1
    assert len({guarantee_for(run).lower for run in runs}) > 3
    plain = guarantee_for(scenario)
    assert uppers[0].pair == plain.upper.pair
    assert noisy_bound(scenario).pair == plain.upper.pair


def test_what_is_covered_is_named_by_its_theorem():
    assert noisy_bound(with_noise(TOY, forecast=3.0)).theorem == "G.1"


@pytest.mark.parametrize(
    ("rates", "relation", "field"),
    [
        (Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10), Relation(), "forecast_share"),
        (
            Rates(
                bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10, forecast_share=0.5,
                last_shape=TOY.data,
            ),
            Relation(width=2),
            "relation_width",
        ),
    ],
)  # fmt: skip
def test_rates_that_do_not_tell_are_named_and_nothing_is_compared(rates, relation, field):
    scenario = replace(TOY, data=rates, relation=relation)
    assert untold_by_rates(scenario).field == field
    assert compared_noises(scenario) == []
    with pytest.raises(ScenarioError):
        revealing_rate(with_noise(scenario, forecast=1.0))
    # Without a theorem, noise changes nothing.
    several = varied(scenario, num_subsequences=2)
    assert untold_by_rates(several) is None
    assert len(compared_noises(several)) == len(FORECAST_NOISES) - 1
    assert untold_by_rates(TOY) is None
    assert untold_by_rates(TOY.with_rates()) is None
