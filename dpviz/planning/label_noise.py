"""What noise on context and labels changes: which runs to compare, and what the noise hides."""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.guarantees import Bound, covers_noise_on_windows, guarantee_for
from dpviz.guarantees.augmentation import total_variation
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION

# The last one stands for noise without end: then no label tells anything.
FORECAST_NOISES = (0.0, 0.5, 1.0, 2.0, 5.0, LARGEST_AUGMENTATION)


def with_noise(
    scenario: Scenario, *, context: float | None = None, forecast: float | None = None
) -> Scenario:
    """Return the scenario with other noise on its windows, in units of v; ``None`` keeps it."""
    noise = scenario.noise
    if context is not None:
        noise = replace(noise, context_noise=context)
    if forecast is not None:
        noise = replace(noise, forecast_noise=forecast)
    return replace(scenario, noise=noise)


def without_noise(scenario: Scenario) -> Scenario:
    """Return the scenario with windows as they are."""
    return with_noise(scenario, context=0.0, forecast=0.0)


def has_noise(scenario: Scenario) -> bool:
    """Return whether the windows get noise."""
    return scenario.noise.context_noise > 0.0 or scenario.noise.forecast_noise > 0.0


def untold_by_rates(scenario: Scenario) -> ScenarioError | None:
    """Return why rates alone do not tell what noise on windows buys; ``None`` where it is known."""
    data, width = scenario.data, scenario.relation.width
    if isinstance(data, DataShape) or not covers_noise_on_windows(scenario):
        return None
    if data.forecast_share is None:
        reason = "rates alone do not tell what noise buys: give the data's shape"
        return ScenarioError("forecast_share", None, reason)
    if width > 1:
        reason = "for more than 1, rates do not tell what noise buys: go back to the data's shape"
        return ScenarioError("relation_width", width, reason)
    return None


def compared_noises(scenario: Scenario) -> list[Scenario]:
    """Return the run with each noise on its labels that is compared, its own left out.

    The noise on the context stays. Where rates do not tell what noise buys, there is none.
    """
    if untold_by_rates(scenario) is not None:
        return []
    own = scenario.noise.forecast_noise
    return [with_noise(scenario, forecast=noise) for noise in FORECAST_NOISES if noise != own]


def noisy_bound(scenario: Scenario) -> Bound:
    """Return the upper bound on the run with noise on context and on labels, whatever its own."""
    return guarantee_for(with_noise(scenario, context=1.0, forecast=1.0)).upper


def same_bounds(scenario: Scenario) -> Scenario:
    """Return the scenario whose bounds are the same, for all of the same bounds the same one.

    Where no theorem covers the noise, how much of it there is makes no difference.

    >>> from dpviz.scenario import PRESETS, Sampling
    >>> several = Sampling(batch_size=32, num_subsequences=4)
    >>> run = with_noise(replace(PRESETS["toy"].scenario, sampling=several), context=3.0)
    >>> same_bounds(run) == same_bounds(with_noise(run, forecast=2.0))
    True
    """
    if covers_noise_on_windows(scenario) or not has_noise(scenario):
        return scenario
    return with_noise(scenario, context=0.0, forecast=1.0)


@dataclass(frozen=True, kw_only=True)
class NoisedValue:
    """One value of an individual before and after it changes, with the noise that a window adds.

    Args:
        sigma: standard deviation of the noise, in units of v.
        distance: how far the change moves the value, in units of v: sqrt(D_in) over D_in channels
            that each change by v.
        told_apart: total variation distance of N(0, sigma) and N(distance, sigma): how much more
            often than chance allows the two can be told apart, from 0 to 1.
    """

    sigma: float
    distance: float
    told_apart: float


def noised_value(scenario: Scenario, part: str) -> NoisedValue:
    """Return what noise leaves of one value.

    TV = erf(d / (2 sqrt(2) sigma)), and 1 without noise (Schuchardt et al., Thm G.1, App. I.2).

    Args:
        scenario: the training set-up.
        part: ``"context"`` or ``"forecast"``.

    >>> from dpviz.scenario import PRESETS
    >>> noised_value(PRESETS["toy"].scenario, "forecast").told_apart
    1.0
    """
    noise = scenario.noise
    sigma = noise.context_noise if part == "context" else noise.forecast_noise
    distance = float(np.sqrt(scenario.relation.num_channels))
    told_apart = float(total_variation(np.array([distance]), sigma)[0])
    return NoisedValue(sigma=sigma, distance=distance, told_apart=told_apart)


def equivalent_forecast_length(scenario: Scenario) -> float | None:
    """Return how long a forecast window without noise would reveal as much, in values.

    For one changed value in series with T >= L_C + L_F start positions, Theorem G.1 reads
    q = rho / T (L_C TV(sigma_C) + L_F TV(sigma_F)): with T, L_C and sigma_C held fixed, labels
    with noise count like L_F TV(sigma_F) labels without. As sigma_F grows, that goes to 0.

    Returns:
        A real number of values from 0 to L_F; ``None`` where no such length is known: there is no
        noise on the labels, more values change, series are shorter, the data's shape is not
        given, or no theorem covers the noise.

    >>> from dpviz.scenario import PRESETS
    >>> run = with_noise(PRESETS["traffic"].scenario, forecast=2.0)
    >>> round(equivalent_forecast_length(run), 2)
    4.74
    """
    shape = scenario.shape
    if (
        shape is None
        or not covers_noise_on_windows(scenario)
        or scenario.noise.forecast_noise == 0.0
        or scenario.relation.width > 1
        or shape.start_positions < shape.window_length
    ):
        return None
    return shape.forecast_length * noised_value(scenario, "forecast").told_apart
