"""The same bound through the dp-accounting library, to compare with.

This is a check, not a second accountant: its numbers come from the closed-form profile by other
means than dpviz's own, and it returns one estimate from above with no bracket around it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import log_ndtr, ndtr

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.loss_distribution import Direction, grid_losses
from dpviz.accounting.two_component_loss import loss_at
from dpviz.guarantees import Bound, Composition, ShiftedMixturePair

# Probability beyond 9 standard deviations is about 1e-19, below the library's own truncation.
_DEVIATIONS = 9.0
# The library walks over the grid in Python: more points than this take minutes.
MOST_GRID_POINTS = 500_000


@dataclass(frozen=True, kw_only=True, eq=False)
class SecondOpinion:
    """delta(epsilon) of a bound after ``bound.count`` units, from dp-accounting.

    The values are meant to lie above the exact ones (connect the dots on a grid), but how far
    above is not known, and rounding is not accounted for: there is no bracket. Compare them
    with :class:`~dpviz.accounting.curve.Curve`; do not quote them.

    Limits of the library (0.6): second differences of delta leave noise of about 1e-16 /
    interval on every mass and nothing below about 1e-14 in delta can be trusted, after 10^5
    units nothing below 1e-9; the grid does not adapt, so that bounds are loose where one unit's
    loss is small beside the interval; each query walks over the whole grid.

    Args:
        bound: what was composed.
        interval: grid distance of the privacy loss, in nats.
        distribution: the library's composed ``PrivacyLossDistribution``.
    """

    bound: Bound
    interval: float
    distribution: Any

    def delta_at(self, epsilon: FloatArray) -> FloatArray:
        """Return delta at epsilons (nats) in any order, shape as given."""
        values, places = np.unique(np.asarray(epsilon, dtype=np.float64), return_inverse=True)
        deltas = np.asarray(self.distribution.get_delta_for_epsilon(values), dtype=np.float64)
        return np.asarray(deltas[places].reshape(np.shape(epsilon)))

    def epsilon_at(self, delta: float) -> float | None:
        """Return the smallest epsilon >= 0 with delta(epsilon) <= ``delta``; ``None`` if none."""
        epsilon = float(self.distribution.get_epsilon_for_delta(delta))
        return epsilon if np.isfinite(epsilon) else None


def second_opinion(bound: Bound, *, interval: float = 1e-3) -> SecondOpinion:
    """Return a bound's curve as dp-accounting computes it from the closed-form profile.

    A mirrored bound is one distribution, used for both of the library's directions. An attained
    bound is composed in each direction apart, and the library reports the larger one: that is a
    lower bound on the mechanism, here rounded up.

    Args:
        bound: what to compose.
        interval: grid distance of the privacy loss, in nats.

    Raises:
        ValueError: the grid would have more than ``MOST_GRID_POINTS`` points, or the bound has
            more components than two.

    >>> from dpviz.guarantees import sampled_top_level
    >>> bound = sampled_top_level(
    ...     bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=1000).upper
    >>> f"{second_opinion(bound).epsilon_at(1e-7):.4f}"
    '19.0262'
    """
    # Slow to import, and not needed unless somebody asks.
    from dp_accounting.pld.pld_pmf import create_pmf_pessimistic_connect_dots_fixed_gap
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    pair = bound.pair
    if not isinstance(pair, ShiftedMixturePair) or bound.share < 1.0 or bound.other_pairs:
        raise ValueError(f"Theorem {bound.theorem} is not expressed for dp-accounting")
    if bound.composition is Composition.MIRRORED:
        directions = [Direction.MIRRORED]
    else:
        directions = [Direction.FORWARD, Direction.BACKWARD]
    masses = []
    for direction in directions:
        first, last = _grid_ends(pair, direction, interval)
        if last - first >= MOST_GRID_POINTS:
            raise ValueError(f"interval = {interval:g} is too fine for this pair's privacy loss")
        epsilon = grid_losses(0.0, first, last - first + 1, interval)
        profile = profile_at(pair, direction, epsilon)
        masses.append(create_pmf_pessimistic_connect_dots_fixed_gap(interval, first, last, profile))
    distribution = PrivacyLossDistribution(*masses)
    if bound.count > 1:
        distribution = distribution.self_compose(bound.count)
    return SecondOpinion(bound=bound, interval=interval, distribution=distribution)


def profile_at(pair: ShiftedMixturePair, direction: Direction, epsilon: FloatArray) -> FloatArray:
    """Return one unit's exact delta at epsilons of either sign, but for rounding.

    Formal guarantee: with x the outcome whose loss is epsilon, delta is P(X > x) -
    e^epsilon Q(X > x); the mirrored pair follows it from 0 on and H(alpha) = 1 - alpha +
    alpha H(1 / alpha) below (Schuchardt et al., Thms 4.2 and 4.4).
    """
    if pair.rate == 0.0:
        return np.maximum(-np.expm1(epsilon), 0.0)
    if direction is Direction.MIRRORED:
        above = _forward_profile(pair, np.abs(epsilon))
        delta = np.where(
            epsilon >= 0.0, above, -np.expm1(-np.abs(epsilon)) + np.exp(-np.abs(epsilon)) * above
        )
    elif direction is Direction.FORWARD:
        delta = _forward_profile(pair, epsilon)
    else:
        delta = _backward_profile(pair, epsilon)
    return np.asarray(np.clip(delta, 0.0, 1.0))


def _forward_profile(pair: ShiftedMixturePair, epsilon: FloatArray) -> FloatArray:
    q, sigma = pair.rate, pair.noise_multiplier
    x = _outcome_at(pair, epsilon)
    upper = (1.0 - q) * ndtr(-x / sigma) + q * ndtr((pair.shift - x) / sigma)
    return np.asarray(upper - np.exp(epsilon + log_ndtr(-x / sigma)))


def _backward_profile(pair: ShiftedMixturePair, epsilon: FloatArray) -> FloatArray:
    q, sigma = pair.rate, pair.noise_multiplier
    x = _outcome_at(pair, -epsilon)
    with np.errstate(divide="ignore"):
        of_mixture = np.logaddexp(
            np.log1p(-q) + log_ndtr(x / sigma), np.log(q) + log_ndtr((x - pair.shift) / sigma)
        )
    return np.asarray(ndtr(x / sigma) - np.exp(epsilon + of_mixture))


def _outcome_at(pair: ShiftedMixturePair, loss: FloatArray) -> FloatArray:
    """Return x with ln(1 - q + q e^(shift (x - shift/2) / sigma^2)) = loss; -inf if none."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        rest = np.log1p(-(1.0 - pair.rate) * np.exp(-loss))
    exponent = np.where(np.isnan(rest), -np.inf, loss + rest - np.log(pair.rate))
    return np.asarray(pair.noise_multiplier**2 / pair.shift * exponent + pair.shift / 2)


def _grid_ends(pair: ShiftedMixturePair, direction: Direction, interval: float) -> tuple[int, int]:
    """Return the indices between which one unit's losses lie but for a negligible tail."""
    if pair.rate == 0.0:
        return 0, 0
    reach = _DEVIATIONS * pair.noise_multiplier
    largest, smallest = loss_at(pair, pair.shift + reach), loss_at(pair, -reach)
    if direction is Direction.MIRRORED:
        smallest = -largest
    elif direction is Direction.BACKWARD:
        largest, smallest = -smallest, -largest
    return int(np.floor(smallest / interval)), int(np.ceil(largest / interval))
