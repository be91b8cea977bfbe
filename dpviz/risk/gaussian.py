"""Where an attacker has exactly the chances of telling two Gaussians apart."""

import math

from dpviz.guarantees import (
    AbsentPoissonPair,
    Bound,
    CoupledPair,
    DominatingPair,
    ShiftedMixturePair,
)


def gaussian_dp_mu(bound: Bound) -> float | None:
    """Return mu, if the trade-off curve of a bound is that of N(0, 1) and N(mu, 1).

    Then TPR = Phi(Phi^-1(FPR) + mu) at every FPR. So it is where each unit is a Gaussian mechanism:
    mu is the distance of the means in standard deviations, and n units have sqrt(n) mu (Dong et
    al. 2022, *Gaussian Differential Privacy*, Cor. 3.3). ``None`` where sampling amplifies: the
    curve is another one then, and no single mu has it.

    >>> from dpviz.guarantees import sampled_top_level
    >>> rates = {"bottom_rate": 1.0, "top_rate": 1.0}
    >>> gaussian_dp_mu(sampled_top_level(**rates, noise_multiplier=4.0, steps=16).upper)
    2.0
    >>> rates = {"bottom_rate": 0.5, "top_rate": 1.0}
    >>> gaussian_dp_mu(sampled_top_level(**rates, noise_multiplier=4.0, steps=16).upper) is None
    True
    """
    distances = [_distance(pair) for pair in bound.pairs]
    if bound.share != 1.0 or None in distances:
        return None
    largest = max(distance for distance in distances if distance is not None)
    return math.sqrt(bound.count) * largest


def _distance(pair: DominatingPair) -> float | None:
    """Return how far apart the means are, in standard deviations, if both are one Gaussian."""
    if isinstance(pair, ShiftedMixturePair):
        return pair.shift / pair.noise_multiplier if pair.rate == 1.0 else None
    if isinstance(pair, AbsentPoissonPair) or pair.weights != (1.0,):
        return None
    if isinstance(pair, CoupledPair):
        return pair.distances[0] / pair.noise_multiplier if pair.rate == 1.0 else None
    return (2.0 if pair.reflected else 1.0) * pair.means[0] / pair.noise_multiplier
