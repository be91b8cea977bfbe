"""The one number that noise on windows changes is that of the bound."""

from dataclasses import replace

import pytest

from dpviz.guarantees import covers_noise_on_windows, guarantee_for, revealing_rate
from dpviz.guarantees.noised_rates import total_variation
from dpviz.scenario import PRESETS, Noise, Sampling

TOY = PRESETS["toy"].scenario


def noisy(context, forecast, **changes):
    noise = Noise(noise_multiplier=1.0, context_noise=context, forecast_noise=forecast)
    return replace(TOY, noise=noise, **changes)


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "shuffled"])
@pytest.mark.parametrize("noise", [(0.0, 0.0), (0.5, 2.0)])
def test_it_is_that_of_the_bound(top_level, noise):
    scenario = noisy(*noise, sampling=replace(TOY.sampling, top_level=top_level))
    assert covers_noise_on_windows(scenario)
    assert revealing_rate(scenario) == guarantee_for(scenario).upper.pair.rate
    rho = 0.1 if top_level == "without-replacement" else 1.0
    expected = rho * 0.1 * (total_variation(1.0, noise[0]) + total_variation(1.0, noise[1])) / 2
    assert revealing_rate(scenario) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(batch_size=32, num_subsequences=2),
        Sampling(batch_size=32, bottom_level="poisson"),
        Sampling(batch_size=32, top_level="flat"),
    ],
)
def test_elsewhere_there_is_none(sampling):
    """The pair of one bag has the same form, but is about one window."""
    scenario = noisy(0.5, 2.0, sampling=sampling)
    assert not covers_noise_on_windows(scenario)
    with pytest.raises(ValueError, match="no theorem covers noise"):
        revealing_rate(scenario)
