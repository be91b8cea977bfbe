"""Batches, windows and noisy steps together are the mechanisms that the theorems speak of."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz.sampling import batches, middle_position, noisy_gradient, windows
from tests.sampling.laws import SIGNIFICANCE, scenario_of

CLIPPING_NORM = 0.5


def mixture_cdf(scenario, top_rate, shift):
    """Return (1 - rho) N(0) + rho MoG(shift i, ...) with the theorems' weights, in units of C."""
    positions, k = scenario.data.start_positions, scenario.touched_windows
    windows_drawn = scenario.sampling.num_subsequences
    if scenario.sampling.bottom_level == "poisson":
        weights = stats.binom(k, min(1.0, windows_drawn / positions)).pmf(np.arange(k + 1))
    else:
        weights = stats.binom(windows_drawn, k / positions).pmf(np.arange(windows_drawn + 1))
    weights = top_rate * weights
    weights[0] += 1 - top_rate
    means, sigma = shift * np.arange(len(weights)), scenario.noise.noise_multiplier

    def cdf(x):
        return stats.norm.cdf((np.asarray(x)[:, np.newaxis] - means) / sigma) @ weights

    return cdf


@pytest.mark.parametrize(
    ("top", "top_rate"),
    [("without-replacement", 2 / 5), ("poisson", 2 / 5), ("deterministic", 1.0), ("shuffled", 1.0)],
)
@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
@pytest.mark.parametrize("num_subsequences", [1, 3])
def test_an_attained_output_is_the_mixture_of_the_theorem(top, top_rate, bottom, num_subsequences):
    """The gradient function of the tightness proofs: C where the value is, 0 elsewhere.

    The noisy sum of one step (for walks: of an epoch's one step with the series) is then
    distributed as the mixture of Thms 4.2, 4.4, E.8, F.7 and F.8 with means i C.
    """
    scenario = scenario_of(
        num_series=5, lengths=(12,), context=3, forecast=2, batch=2 * num_subsequences,
        windows=num_subsequences, top=top, bottom=bottom, steps=3000, sigma=0.5,
    )  # fmt: skip
    if top_rate == 1.0:  # N' = N: a walk is one step
        sampling = replace(scenario.sampling, batch_size=5 * num_subsequences)
        scenario = replace(scenario, sampling=sampling)
    data = np.zeros((5, 12))
    data[0, middle_position(scenario.data, scenario.data.start_positions)] = 1.0
    rng = np.random.default_rng(21)
    outputs = []
    for batch in batches(scenario, rng):
        cut = windows(data, batch, 3, 2)
        gradients = 7.0 * (cut.context.sum(axis=1) + cut.forecast.sum(axis=1))[:, np.newaxis]
        noisy = noisy_gradient(
            gradients,
            rng,
            clipping_norm=CLIPPING_NORM,
            noise_multiplier=scenario.noise.noise_multiplier,
            batch_size=scenario.sampling.batch_size,
        )
        outputs.append(noisy[0] * scenario.sampling.batch_size / CLIPPING_NORM)
    assert stats.kstest(outputs, mixture_cdf(scenario, top_rate, 1.0)).pvalue > SIGNIFICANCE
