"""The same bound through the dp-accounting library, to compare with.

This is a check, not a second accountant: its numbers come from the closed-form profile by other
means than dpviz's own, and it returns one estimate from above with no bracket around it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import log_ndtr

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.labelled_loss import LabelledLoss
from dpviz.accounting.loss_distribution import Direction, Rounding, grid_losses
from dpviz.accounting.losses import loss_of
from dpviz.accounting.mixture_loss import MixtureLoss
from dpviz.accounting.privacy_loss import LARGEST_LOSS
from dpviz.accounting.two_component_loss import loss_at
from dpviz.guarantees import (
    AbsentPoissonPair,
    AllocatedPair,
    Bound,
    Composition,
    CoupledPair,
    DominatingPair,
    MixturePair,
    PlanarPair,
    ShiftedMixturePair,
)
from dpviz.scenario.errors import MissingPackageError

# Probability beyond 9 standard deviations is about 1e-19, below the library's own truncation.
_DEVIATIONS = 9.0
_NEGLIGIBLE_WEIGHT = 1e-19
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

    Raises:
        ValueError: the grid would have more than ``MOST_GRID_POINTS`` points, the bound is about
            several pairs, of lengths or attacks, of bins, or chooses anew in each unit, or
            dp-accounting is not installed.

    >>> from dpviz.guarantees import sampled_top_level
    >>> bound = sampled_top_level(
    ...     bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=1000).upper
    >>> f"{second_opinion(bound).epsilon_at(1e-7):.4f}"
    '19.0262'
    """
    # Slow to import, and not needed unless somebody asks.
    try:
        from dp_accounting.pld.pld_pmf import create_pmf_pessimistic_connect_dots_fixed_gap
        from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution
    except ModuleNotFoundError:
        raise MissingPackageError("dp-accounting") from None

    pair = bound.pair
    if bound.composition in (Composition.ADAPTIVE, Composition.RECURSIVE):
        raise ValueError("directions that are chosen anew are not expressed for dp-accounting")
    if bound.other_pairs:
        raise ValueError("several lengths, or attacks, are not expressed for dp-accounting")
    if isinstance(pair, AllocatedPair):
        raise ValueError("the steps of an epoch of bins are not expressed for dp-accounting")
    if bound.composition is Composition.MIRRORED or pair.is_symmetric:
        directions = [Direction.MIRRORED]
    else:
        directions = [Direction.FORWARD, Direction.BACKWARD]
    masses = []
    for direction in directions:
        first, last = _grid_ends(pair, direction, interval)
        if last - first >= MOST_GRID_POINTS:
            raise ValueError(f"interval = {interval:g} is too fine for this pair's privacy loss")
        epsilon = grid_losses(0.0, np.arange(first, last + 1), interval)
        profile = profile_at(pair, direction, epsilon, bound.share)
        masses.append(create_pmf_pessimistic_connect_dots_fixed_gap(interval, first, last, profile))
    distribution = PrivacyLossDistribution(*masses)
    if bound.count > 1:
        distribution = distribution.self_compose(bound.count)
    return SecondOpinion(bound=bound, interval=interval, distribution=distribution)


def profile_at(
    pair: DominatingPair, direction: Direction, epsilon: FloatArray, share: float = 1.0
) -> FloatArray:
    """Return one unit's exact delta at epsilons of either sign, but for rounding.

    Formal guarantee: with x the outcome whose loss is epsilon, delta is P(X > x) -
    e^epsilon Q(X > x); the mirrored pair follows it (or a share of it) from 0 on and H(alpha) =
    1 - alpha + alpha H(1 / alpha) below (Schuchardt et al., Thms 4.2 and 4.4).
    """
    if pair.is_trivial:
        return np.maximum(-np.expm1(epsilon), 0.0)
    if direction is Direction.MIRRORED:
        above = share * _directed_profile(pair, Direction.FORWARD, np.abs(epsilon))
        delta = np.where(
            epsilon >= 0.0, above, -np.expm1(-np.abs(epsilon)) + np.exp(-np.abs(epsilon)) * above
        )
    else:
        delta = _directed_profile(pair, direction, epsilon)
    return np.asarray(np.clip(delta, 0.0, 1.0))


def _directed_profile(
    pair: DominatingPair, direction: Direction, epsilon: FloatArray
) -> FloatArray:
    if isinstance(pair, CoupledPair | AbsentPoissonPair):
        assert direction is Direction.FORWARD  # it stands for the mirrored pair only
        return _labelled_profile(pair, epsilon)
    # Only ever one of several pairs; and refused.
    assert not isinstance(pair, PlanarPair | AllocatedPair)
    side = 1.0 if direction is Direction.FORWARD else -1.0
    x = _outcome_at(pair, side * epsilon)
    tails = [_log_tail(*one, x, pair.noise_multiplier, side) for one in pair.components]
    own, other = tails if direction is Direction.FORWARD else tails[::-1]
    return np.asarray(np.exp(own) - np.exp(epsilon + other))


def _log_tail(
    means: tuple[float, ...], weights: tuple[float, ...], x: FloatArray, sigma: float, side: float
) -> FloatArray:
    """Return ln P(side X > side x) of a mixture, shape as x."""
    total = np.full(x.shape, -np.inf)
    with np.errstate(divide="ignore"):
        for mean, weight in zip(means, np.log(weights), strict=True):
            total = np.logaddexp(total, weight + log_ndtr(side * (mean - x) / sigma))
    return total


def _labelled_profile(pair: CoupledPair | AbsentPoissonPair, epsilon: FloatArray) -> FloatArray:
    """Return delta from the thresholds of the best test: P beyond them - e^epsilon Q beyond them.

    Counts that are not listed count whole.
    """
    found, places = np.unique(epsilon, return_inverse=True)
    loss = loss_of(pair, Rounding.UP)
    assert isinstance(loss, LabelledLoss)
    upper, lower = loss.log_beyond(found)
    return np.asarray(np.maximum(np.exp(upper) - np.exp(found + lower), 0.0)[places])


def _outcome_at(pair: ShiftedMixturePair | MixturePair, loss: FloatArray) -> FloatArray:
    """Return the outcomes with increasing losses; -inf where none is so small."""
    if isinstance(pair, MixturePair):
        found, places = np.unique(loss, return_inverse=True)
        return loss_of(pair, Rounding.UP).located(found).outcomes[places]
    # ln(1 - q + q e^(shift (x - shift/2) / sigma^2)) = loss
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        rest = np.log1p(-(1.0 - pair.rate) * np.exp(-loss))
    exponent = np.where(np.isnan(rest), -np.inf, loss + rest - np.log(pair.rate))
    return np.asarray(pair.noise_multiplier**2 / pair.shift * exponent + pair.shift / 2)


def _grid_ends(pair: DominatingPair, direction: Direction, interval: float) -> tuple[int, int]:
    """Return the indices between which one unit's losses lie but for a negligible tail."""
    if pair.is_trivial:
        return 0, 0
    reach = _DEVIATIONS * pair.noise_multiplier
    if isinstance(pair, CoupledPair | AbsentPoissonPair):
        largest = loss_of(pair, Rounding.UP).largest_resolved
    elif isinstance(pair, ShiftedMixturePair):
        largest, smallest = loss_at(pair, pair.shift + reach), loss_at(pair, -reach)
    else:
        assert isinstance(pair, MixturePair)
        tails = np.cumsum(np.array(pair.weights)[::-1])[::-1]
        furthest = float(np.array(pair.means)[tails > _NEGLIGIBLE_WEIGHT][-1])
        nearest = min(0.0, pair.means[0])
        ends, _ = MixtureLoss(pair, Rounding.UP).at(np.array([nearest - reach, furthest + reach]))
        smallest, largest = (float(np.clip(end, -LARGEST_LOSS, LARGEST_LOSS)) for end in ends)
    if direction is Direction.MIRRORED:
        smallest = -largest
    elif direction is Direction.BACKWARD:
        largest, smallest = -smallest, -largest
    return int(np.floor(smallest / interval)), int(np.ceil(largest / interval))
