"""What noise on context and labels changes: runs to compare, what it hides, a map of epsilon."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.accounting import Bracket, composed_curve
from dpviz.accounting.buckets import FloatArray
from dpviz.guarantees import (
    Bound,
    ShiftedMixturePair,
    covers_noise_on_windows,
    guarantee_for,
    revealing_rate,
    windows_with_replacement,
)
from dpviz.guarantees.noised_rates import total_variation
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION

FORECAST_NOISES = (0.0, 0.5, 1.0, 2.0, 5.0, LARGEST_AUGMENTATION)
"""Compared on labels; the last one is as good as noise without end: no label tells anything."""
LIMITS_OF_NOISE = (FORECAST_NOISES[0], FORECAST_NOISES[-1])
# Standard deviations of the noise in units of v, along both sides of the map.
NOISES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
# Between two rates of the table epsilon differs by no more than one of these two, in the end: by
# a part of itself, or by an epsilon that makes no difference to anybody.
FINE_ENOUGH = 0.01
NEGLIGIBLE_EPSILON = 1e-4


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


def untold_by_rates(scenario: Scenario) -> ScenarioError | None:
    """Return why rates alone do not tell what noise on windows buys; ``None`` where it is known."""
    data, width = scenario.data, scenario.relation.width
    if isinstance(data, DataShape) or not covers_noise_on_windows(scenario):
        return None
    if data.forecast_share is None:
        reason = "rates alone do not tell what noise buys; give the data's shape"
        return ScenarioError("forecast_share", None, reason)
    if width > 1:
        reason = "for more than 1, rates do not tell what noise buys: go back to the data's shape"
        return ScenarioError("relation_width", width, reason)
    return None


def compared_noises(
    scenario: Scenario, noises: Sequence[float] = FORECAST_NOISES
) -> list[Scenario]:
    """Return the run with each other noise on its labels; none where rates do not tell."""
    if untold_by_rates(scenario) is not None:
        return []
    own = scenario.noise.forecast_noise
    return [with_noise(scenario, forecast=noise) for noise in noises if noise != own]


def noisy_bound(scenario: Scenario) -> Bound:
    """Return the upper bound on the run with noise on context and on labels, whatever its own."""
    return guarantee_for(with_noise(scenario, context=1.0, forecast=1.0)).upper


@dataclass(frozen=True, kw_only=True)
class NoisedValue:
    """One value of an individual before and after it changes, with the noise that a window adds.

    Args:
        sigma: standard deviation of the noise, in units of v.
        distance: how far the change moves the value, in units of v: sqrt(D_in) over D_in channels.
        told_apart: total variation distance of N(0, sigma) and N(distance, sigma): how much more
            often than chance allows the two can be told apart, from 0 to 1.
    """

    sigma: float
    distance: float
    told_apart: float


def noised_value(scenario: Scenario, part: str) -> NoisedValue:
    """Return what noise leaves of one value of a part, ``"context"`` or ``"forecast"``.

    TV = erf(d / (2 sqrt(2) sigma)), and 1 without noise (Schuchardt et al., Thm G.1, App. I.2).
    """
    noise = scenario.noise
    sigma = noise.context_noise if part == "context" else noise.forecast_noise
    distance = float(np.sqrt(scenario.relation.num_channels))
    told_apart = total_variation(distance, sigma)
    return NoisedValue(sigma=sigma, distance=distance, told_apart=told_apart)


def equivalent_forecast_length(scenario: Scenario) -> float | None:
    """Return how long a forecast window without noise would reveal as much, in values.

    For one changed value in series with T >= L_C + L_F start positions, Theorem G.1 reads q = rho /
    T (L_C TV(sigma_C) + L_F TV(sigma_F)): with T, L_C and sigma_C held fixed, labels with noise
    count like L_F TV(sigma_F) labels without. A real number from 0 to L_F; ``None`` without noise
    on labels, for several changed values, for shorter series, without a data shape, or where no
    theorem covers the noise.
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


@dataclass(frozen=True, kw_only=True, eq=False)
class NoiseMap:
    """Upper bounds on epsilon at the scenario's delta; arrays of shape (labels, context).

    Epsilon grows with q, so a cell has the epsilon of the table's next larger rate: it is never
    below the cell's own. The scenario's own noise on windows plays no part.

    Args:
        rates: q of each cell.
        table_rates: the rate of the table, at least q, whose epsilon the cell has.
        epsilon: proven to be at least the bound's value; infinite where none is known.
        at_least: the bound's value at the cell's q is at least this.
    """

    scenario: Scenario
    rates: FloatArray
    table_rates: FloatArray
    epsilon: FloatArray
    at_least: FloatArray

    @property
    def excess(self) -> float:
        """By how much of itself a cell's epsilon may exceed the bound's value, at most.

        Differences of at most ``NEGLIGIBLE_EPSILON`` do not count; infinite where a cell's value is
        not known to be above 0.
        """
        known = np.isfinite(self.epsilon)
        epsilon, at_least = self.epsilon[known], self.at_least[known]
        differs = epsilon - at_least > NEGLIGIBLE_EPSILON
        if not differs.any():
            return 0.0
        with np.errstate(divide="ignore"):
            return float(np.max(epsilon[differs] / at_least[differs] - 1.0))


def rates_of_row(scenario: Scenario, forecast_noise: float) -> FloatArray:
    """Return q for one noise on the labels and each noise on the context, shape (noises,).

    Raises:
        ScenarioError: the rates do not tell it.
        ValueError: no theorem covers noise on windows in this scheme.
    """
    cells = (with_noise(scenario, context=noise, forecast=forecast_noise) for noise in NOISES)
    return np.array([revealing_rate(cell) for cell in cells])


def bound_at_rate(scenario: Scenario, rate: float) -> Bound:
    """Return the upper bound at another q; it says nothing of why q is what it is."""
    plain = without_noise(scenario)
    upper = guarantee_for(plain).upper
    if isinstance(upper.pair, ShiftedMixturePair):
        return replace(upper, pair=replace(upper.pair, rate=rate))
    drawn = 1.0 if scenario.sampling.is_walk else scenario.top_rate
    return windows_with_replacement(plain, min(1.0, rate / drawn)).upper


def epsilon_of(bound: Bound, delta: float) -> Bracket:
    """Return the bracket of a bound's epsilon, as the curves have it."""
    return composed_curve(bound, at_delta=delta).epsilon_at(delta)


def rates_to_come(rates: Sequence[float], table: Mapping[float, Bracket]) -> list[float]:
    """Return the rates that the table still lacks, those that tell most first.

    Between two rates (increasing, each once) whose epsilons hardly differ none is needed.
    """
    last = len(rates) - 1
    ends = dict.fromkeys((rates[last], rates[0]))
    missing = [rate for rate in ends if rate not in table]
    return [*missing, *_halving(rates, table, last)]


def _halving(rates: Sequence[float], table: Mapping[float, Bracket], last: int) -> Iterator[float]:
    gaps = deque([(0, last)])
    while gaps:
        low, high = gaps.popleft()
        middle = (low + high) // 2
        if middle == low or _is_fine(table.get(rates[low]), table.get(rates[high])):
            continue
        if rates[middle] not in table:
            yield rates[middle]
        gaps += [(low, middle), (middle, high)]


def _is_fine(low: Bracket | None, high: Bracket | None) -> bool:
    """Return whether all epsilons between two rates are nearly the same."""
    if low is None or high is None:
        return False  # not known yet
    if low.low is None:
        return True  # no epsilon is known from the lower rate on
    if high.high is None:
        return False
    return high.high <= max((1.0 + FINE_ENOUGH) * low.low, low.low + NEGLIGIBLE_EPSILON)


def noise_map(scenario: Scenario, rates: FloatArray, table: Mapping[float, Bracket]) -> NoiseMap:
    """Return the map as far as the table is known.

    Args:
        rates: q of each cell, shape (labels, context).
        table: epsilon at some of these rates; the largest has to be among them.
    """
    brackets = [table[rate] for rate in sorted(table)]
    known = np.array(sorted(table))
    above = np.searchsorted(known, rates)
    below = above - (known[above] != rates)
    high = np.array([np.inf if one.high is None else one.high for one in brackets])
    # Beyond what is resolved, and below the first rate, it is not known to be above anything.
    low = np.array([*(one.low or 0.0 for one in brackets), 0.0])
    return NoiseMap(
        scenario=scenario,
        rates=rates,
        table_rates=known[above],
        epsilon=high[above],
        at_least=low[below],
    )


def uncovered_map(scenario: Scenario, epsilon: Bracket) -> NoiseMap:
    """Return the map of one epsilon where no theorem covers the noise, or raise ``ValueError``."""
    if covers_noise_on_windows(scenario):
        raise ValueError("scenario is not allowed: a theorem covers its noise on windows")
    shape = (len(NOISES), len(NOISES))
    unknown = np.full(shape, np.nan)
    return NoiseMap(
        scenario=scenario,
        rates=unknown,
        table_rates=unknown,
        epsilon=np.full(shape, np.inf if epsilon.high is None else epsilon.high),
        at_least=np.full(shape, epsilon.low or 0.0),
    )
