"""Noise on what is to be forecast (Thm G.1, an upper bound): sigma_C = 0, one window a series."""

from itertools import pairwise

import numpy as np
import pytest

from dpviz.accounting import best_upper
from dpviz.guarantees import guarantee_for
from dpviz.planning.paper_figures.families import toy
from dpviz.scenario import Noise, Rates, Sampling, Scenario, Training
from tests.findings.orders import certainly_below
from tests.findings.settings import NUM_SERIES

SETTINGS = [(0.1, 0.1), (0.5, 0.5), (0.5, 0.1), (0.1, 0.5)]
CONTEXT_LENGTH = FORECAST_LENGTH = 4
FORECAST_NOISE = (0.0, 0.5, 1.0, 2.0, 5.0, 1e6)
EPSILONS = np.geomspace(1e-2, 20.0, 60)
# TV(1, sigma_F) is 4e-7 at the largest allowed noise: what is left of the forecast's share.
REST_OF_THE_FORECAST = 1e-6
# A delta grows less than that many times faster than the rate does, here.
DELTA_PER_RATE = 100


def start_positions(bottom_rate):
    return round((CONTEXT_LENGTH + FORECAST_LENGTH) / bottom_rate)


def with_noise(rates, forecast_noise, steps):
    bottom_rate, batch_share = rates
    scenario = toy(
        bottom_rate=bottom_rate,
        batch_share=batch_share,
        training=Training(unit="steps", count=steps),
        context_length=CONTEXT_LENGTH,
        forecast_length=FORECAST_LENGTH,
        forecast_noise=forecast_noise,
    )
    assert scenario.data.start_positions == start_positions(bottom_rate)
    assert scenario.bottom_rate == bottom_rate
    return scenario


def without_forecast(rates, steps):
    """Return the same T and L_C with L_F = 0: an individual is in L_C of the T windows."""
    bottom_rate, batch_share = rates
    return Scenario(
        data=Rates(
            bottom_rate=CONTEXT_LENGTH / start_positions(bottom_rate),
            top_rate=batch_share,
            steps_per_epoch=round(1 / batch_share),
        ),
        sampling=Sampling(batch_size=round(batch_share * NUM_SERIES)),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="steps", count=steps),
    )


@pytest.mark.parametrize("rates", SETTINGS)
@pytest.mark.parametrize("steps", [1, 100])
def test_delta_falls_as_the_noise_on_the_forecast_grows(rates, steps):
    """At every epsilon, from no noise to the largest; both sides are upper bounds."""
    bounds = [best_upper(with_noise(rates, noise, steps)) for noise in FORECAST_NOISE]
    assert [curve.bound.theorem for curve in bounds] == ["4.4"] + ["G.1"] * 5
    for less, more in pairwise(bounds):
        assert np.all(certainly_below(more, less, EPSILONS))


@pytest.mark.parametrize("rates", SETTINGS)
@pytest.mark.parametrize("steps", [1, 100])
def test_the_largest_noise_is_as_good_as_no_forecast(rates, steps):
    """Sigma_F to infinity equals L_F to 0 with T and L_C fixed: the rate is rho L_C / T."""
    noisy, none = with_noise(rates, FORECAST_NOISE[-1], steps), without_forecast(rates, steps)
    rate = guarantee_for(noisy).upper.pair.rate
    assert rate == pytest.approx(guarantee_for(none).upper.pair.rate, rel=REST_OF_THE_FORECAST)
    assert rate == pytest.approx(rates[0] * rates[1] / 2, rel=REST_OF_THE_FORECAST)
    first, second = best_upper(noisy).delta_at(EPSILONS), best_upper(none).delta_at(EPSILONS)
    assert np.all(second.low <= first.high)
    assert np.all(first.low <= second.high * (1.0 + DELTA_PER_RATE * REST_OF_THE_FORECAST))
