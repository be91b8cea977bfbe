"""What an attacker may believe after an attack; and where the chances are a Gaussian's."""

import math
from fractions import Fraction

import numpy as np

from dpviz.accounting import Curve
from dpviz.guarantees import (
    AbsentPoissonPair,
    AllocatedPair,
    Bound,
    CoupledPair,
    DominatingPair,
    PlanarPair,
    ShiftedMixturePair,
)

# How far beyond epsilon the loss may lie: any of these is sound, and the best one counts.
_BEYOND = np.geomspace(1e-3, 30.0, 60)
# Roundings of the probability and the sum.
_RELATIVE = 2.0**-40


def gaussian_dp_mu(bound: Bound) -> float | None:
    """Return mu, if the trade-off curve of a bound is that of N(0, 1) and N(mu, 1).

    Then TPR = Phi(Phi^-1(FPR) + mu) at every FPR. So it is where each unit is a Gaussian mechanism:
    mu is the distance of the means in standard deviations, and n units have sqrt(n) mu (Dong et al.
    2022, *Gaussian Differential Privacy*, Cor. 3.3). ``None`` where sampling amplifies: the curve
    is another one then, and no single mu has it. Rounded to the bound's side.

    >>> from dpviz.guarantees import sampled_top_level
    >>> rates = {"bottom_rate": 1.0, "top_rate": 1.0}
    >>> gaussian_dp_mu(sampled_top_level(**rates, noise_multiplier=4.0, steps=16).upper)
    2.0
    """
    squares = [_squared_distance(pair) for pair in bound.pairs]
    if bound.share != 1.0 or None in squares:
        return None
    exact = bound.count * max(square for square in squares if square is not None)
    mu = math.sqrt(exact)
    if bound.bounds_from_above:
        return mu if Fraction(mu) ** 2 >= exact else math.nextafter(mu, math.inf)
    return mu if Fraction(mu) ** 2 <= exact else math.nextafter(mu, 0.0)


def _squared_distance(pair: DominatingPair) -> Fraction | None:
    """Return how far apart the means are, in standard deviations, if both are one Gaussian."""
    if isinstance(pair, AbsentPoissonPair | PlanarPair | AllocatedPair):
        return None
    if isinstance(pair, ShiftedMixturePair):
        distance, is_certain = pair.shift, pair.rate == 1.0
    elif isinstance(pair, CoupledPair):
        distance, is_certain = pair.distances[0], pair.rate == 1.0 and pair.weights == (1.0,)
    else:
        distance, is_certain = pair.means[0], pair.weights == (1.0,)
        distance *= 2.0 if pair.reflected else 1.0
    return (Fraction(distance) / Fraction(pair.noise_multiplier)) ** 2 if is_certain else None


def posterior_of_claim(
    prior: float, false_positive_rate: float, true_positive_rate: float
) -> float:
    """Return how likely a positive claim is to be right (Bayes' rule).

    With the largest true positive rate at a false positive rate above 0 it is the most that any
    attack with this false positive rate reaches.
    """
    right = prior * true_positive_rate
    return right / (right + (1.0 - prior) * false_positive_rate)


def posterior_at_loss(prior: float, loss: float) -> float:
    """Return how likely something is, once its odds have grown by e^loss."""
    return prior / (prior + (1.0 - prior) * float(np.exp(-loss)))


def loss_exceeded_with(curve: Curve, probability: float) -> float | None:
    """Return a privacy loss, in nats, that is exceeded with at most this probability, if known.

    Whatever else an attacker knows, the odds of what was looked for grow by more than e^loss with
    at most this probability. That is more than epsilon at this delta: (epsilon, delta) alone allows
    outcomes that are more likely than delta and reveal a little more than epsilon. For every t > 0,
    epsilon(probability (1 - e^-t)) + t will do (docs/attack-rates.md; Kasiviswanathan and Smith
    2014, *On the Semantics of Differential Privacy*, Lemma 3.3, has t = epsilon). Under the other
    distribution the loss is exceeded less often still.

    Raises:
        ValueError: the curve is of a lower bound, or the probability is not from above 0 to 1.

    >>> from dpviz.accounting import best_upper
    >>> from dpviz.scenario import PRESETS
    >>> upper = best_upper(PRESETS["toy"].scenario)
    >>> f"{upper.quoted_epsilon_at(1e-7):.1f} < {loss_exceeded_with(upper, 1e-7):.1f}"
    '19.0 < 20.3'
    """
    if not curve.bound.bounds_from_above:
        raise ValueError("curve is of a lower bound")
    if not 0.0 < probability <= 1.0:
        raise ValueError(
            f"probability = {probability} is not allowed: it must be from above 0 to 1"
        )
    losses = []
    for beyond in _BEYOND.tolist():
        allowed = -probability * float(np.expm1(-beyond)) * (1.0 - _RELATIVE)
        epsilon = curve.quoted_epsilon_at(allowed)
        if epsilon is not None:
            losses.append((float(epsilon) + beyond) * (1.0 + _RELATIVE))
    return min(losses, default=None)
