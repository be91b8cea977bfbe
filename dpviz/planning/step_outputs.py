"""What one noisy gradient can look like with and without the protected values: two mixtures."""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.curve import DEFAULT_TOLERANCE, composed_curve
from dpviz.guarantees import (
    Bound,
    Guarantee,
    at_augmented_rate,
    augmented_bottom_rate,
    guarantee_for,
    in_one_direction,
    step_of_bins,
)
from dpviz.guarantees.pairs import (
    AbsentPoissonPair,
    AllocatedPair,
    CoupledPair,
    DominatingPair,
    MixturePair,
    ShiftedMixturePair,
)
from dpviz.planning.proven import Proven
from dpviz.risk import advantage
from dpviz.scenario import Scenario

# Pairs of more components take seconds to the usual tolerance. Their distance, far from what the
# tolerance is about, is narrowly bracketed all the same (64 windows per series: to 10^-7 of it).
_MANY_COMPONENTS, _COARSE = 16, 3e-2
_TAILS = 4.0  # standard deviations to either side; beyond them nothing is left to see
_POINTS = 201
_OF_A_BELL = np.linspace(-3.0, 3.0, 13)
_MOST_BELLS = 30  # that get points of their own
_SEEN_WEIGHT = 1e-4


@dataclass(frozen=True, kw_only=True, eq=False)
class StepOutputs:
    """The pair of outputs that is drawn, and how far apart two neighbours' outputs are.

    The bounds are delta at epsilon 0 of one unit, the step, or the one step of an epoch that uses
    the series: the total variation distance, times the bound's share.
    """

    upper: Proven
    lower: Proven | None

    @property
    def drawn(self) -> Proven:
        """The one whose pair is drawn: the upper one, unless no outputs have its profile."""
        if (
            isinstance(self.upper.bound.pair, CoupledPair | AbsentPoissonPair)
            and self.lower is not None
        ):
            return self.lower
        return self.upper


def step_outputs(scenario: Scenario) -> StepOutputs:
    """Return the bounds on one step's outputs."""
    guarantee = guarantee_for(scenario)
    if isinstance(guarantee.upper.pair, AllocatedPair):
        guarantee = _one_step(scenario, guarantee.upper.pair.rate)
    lower = guarantee.lower
    if scenario.sampling.is_shuffled:
        lower = None  # it is on an epoch's steps without knowing which one uses the series
    return StepOutputs(
        upper=_advantage(guarantee.upper), lower=None if lower is None else _advantage(lower)
    )


def _one_step(scenario: Scenario, bottom_rate: float) -> Guarantee:
    """Return the bounds on one step of an epoch of bins.

    Of many batches the epoch's pair has fewer, which would hit too often for a bound from below.
    """
    step = step_of_bins(
        bottom_rate=bottom_rate,
        noise_multiplier=scenario.noise.noise_multiplier,
        batches=scenario.steps_per_epoch,
    )
    if not scenario.noise.is_on_windows:
        return step
    _, extension = augmented_bottom_rate(scenario)
    upper = at_augmented_rate(step.upper, extension, scenario.relation)
    return Guarantee(upper=upper, lower=None)


def _advantage(bound: Bound) -> Proven:
    # Drawn are the outputs along one direction: a plane's would be of another attack.
    once = replace(in_one_direction(bound), count=1)
    is_large = isinstance(bound.pair, MixturePair) and len(bound.pair.means) > _MANY_COMPONENTS
    tolerance = _COARSE if is_large else DEFAULT_TOLERANCE
    return Proven(bound=once, bracket=advantage(composed_curve(once, tolerance=tolerance)))


def components(pair: DominatingPair) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """Return means and weights of both mixtures, in units of the clipping norm.

    Weight that the pair does not list one by one, below 1e-40 in all, is left out.
    """
    if isinstance(pair, CoupledPair):  # what gradients that all point one way attain
        means, weights = np.array(pair.distances), pair.rate * np.array(pair.weights)
        if pair.rate < 1.0:
            means, weights = np.append(0.0, means), np.append(1.0 - pair.rate, weights)
        return (means, weights), (np.zeros(1), np.ones(1))
    assert isinstance(pair, ShiftedMixturePair | MixturePair)  # what has labels is not drawn
    first, second = ((np.array(means), np.array(weights)) for means, weights in pair.components)
    return first, second


def densities(pair: DominatingPair, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the densities of both mixtures at x, in units of 1 / C; shape as x."""
    sigma = pair.noise_multiplier
    first, second = (_density(means, weights, sigma, x) for means, weights in components(pair))
    return first, second


def _density(means: FloatArray, weights: FloatArray, sigma: float, x: FloatArray) -> FloatArray:
    total = np.zeros_like(x)
    for mean, weight in zip(means.tolist(), weights.tolist(), strict=True):
        total += weight * np.exp(-0.5 * ((x - mean) / sigma) ** 2)
    return np.asarray(total / (sigma * np.sqrt(2.0 * np.pi)))


def outcomes_to_draw(pair: DominatingPair) -> FloatArray:
    """Return where the densities are worth drawing, increasing, in units of C."""
    sigma, centres = pair.noise_multiplier, []
    for means, weights in components(pair):
        seen = weights >= _SEEN_WEIGHT * weights.max()
        centres += sorted(zip(weights[seen].tolist(), means[seen].tolist(), strict=True))[
            -_MOST_BELLS:
        ]
    places = np.array([mean for _, mean in centres])
    low, high = places.min() - _TAILS * sigma, places.max() + _TAILS * sigma
    bells = (places[:, None] + sigma * _OF_A_BELL).ravel()
    return np.unique(np.concatenate([np.linspace(low, high, _POINTS), bells]))
