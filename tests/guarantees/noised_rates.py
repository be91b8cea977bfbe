"""Scenarios with noise on context and labels, and total variation from its definition."""

from dataclasses import replace

from scipy.stats import norm

from dpviz.scenario import PRESETS, Noise

TOY = PRESETS["toy"].scenario
NOISE = Noise(noise_multiplier=1.0, context_noise=0.5, forecast_noise=2.0)
NOISY = replace(TOY, noise=NOISE)
LARGE = 1e6  # stands for infinite noise


def noise_of(pair):
    return Noise(noise_multiplier=1.0, context_noise=pair[0], forecast_noise=pair[1])


def tv(shift, sigma):
    """Total variation distance of N(0, sigma) and N(shift, sigma), from their tails."""
    return 1.0 if sigma == 0.0 else 1.0 - 2.0 * float(norm.sf(shift / (2.0 * sigma)))
