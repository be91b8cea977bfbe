"""One unit's privacy loss on a grid, rounded to a known side.

Up: connect the dots (Doroshenko et al. 2022, *Connect the Dots: Tighter Discrete Approximations
of Privacy Loss Distributions*), by the masses of loss buckets. Down: merging outcomes and moving
probability from outcomes of higher to outcomes of lower likelihood ratio (Pigou-Dalton
transfers), both of which lower every hockey-stick divergence.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.accounting.loss_distribution import Direction, LossDistribution, Rounding
from dpviz.accounting.privacy_loss import (
    UNIT_ROUNDOFF,
    FloatArray,
    LossBuckets,
    largest_resolved_loss,
    loss_buckets,
    loss_errors_at,
    smallest_resolved_loss,
)
from dpviz.guarantees import ShiftedMixturePair

MOST_POINTS = 2**21
_CACHED_DISTRIBUTIONS = 48


@lru_cache(maxsize=_CACHED_DISTRIBUTIONS)
def one_unit(
    pair: ShiftedMixturePair, direction: Direction, rounding: Rounding, interval: float
) -> LossDistribution:
    """Return the privacy loss distribution of one step or epoch on a grid.

    Args:
        pair: the pair (P, Q).
        direction: which loss of the pair.
        rounding: UP for a distribution that dominates the exact one, DOWN for one that it
            dominates.
        interval: grid distance in nats.

    Raises:
        ValueError: the grid would have more than ``MOST_POINTS`` points.
    """
    if pair.rate == 0.0:
        return LossDistribution(
            interval=interval, origin=0.0, first=0, mass=np.ones(1), infinity=0.0
        )
    if loss_range(pair) > MOST_POINTS * interval:
        raise ValueError(f"interval = {interval:g} is too fine for this pair's privacy loss")
    if direction is Direction.MIRRORED:
        if rounding is Rounding.UP:
            return _mirrored_up(pair, interval)
        return _mirrored_down(pair, interval)
    return _directed(pair, direction, rounding, interval)


def loss_range(pair: ShiftedMixturePair) -> float:
    """Return the width of the losses, in nats, that the largest one-unit grid covers."""
    largest = largest_resolved_loss(pair)
    return max(largest - smallest_resolved_loss(pair), 2 * largest)


def _directed(
    pair: ShiftedMixturePair, direction: Direction, rounding: Rounding, interval: float
) -> LossDistribution:
    grid = _aligned_grid(pair, direction, interval)
    origin = grid.origin
    last = max(int(np.ceil((largest_resolved_loss(pair) - origin) / interval)), 1)
    if pair.rate == 1.0:
        first = int(np.floor((smallest_resolved_loss(pair) - origin) / interval))
    else:
        first = -1  # no loss lies below origin - interval
    between = 0.0 if rounding is Rounding.UP else grid.first_edge - origin
    edges = origin + between + np.arange(first, last + 1) * interval
    edge_errors = loss_errors_at(pair, edges)
    if rounding is Rounding.UP:
        # No outcome's loss may exceed its bucket's upper edge; backward that is the lower one.
        edges += edge_errors if direction is Direction.BACKWARD else -edge_errors
    buckets = loss_buckets(pair, edges)
    if direction is Direction.BACKWARD:
        buckets, edge_errors, origin, first = buckets.swapped(), edge_errors[::-1], -origin, -last
    if rounding is Rounding.UP:
        mass = _connected_dots(buckets, origin + first * interval, interval, edge_errors)
        mass[0] += buckets.upper_below  # moved up from a smaller loss still
        infinity = buckets.upper_above
    else:
        # Buckets lie around the points first + 1, ... forward, and first, ... backward.
        first += 1 if direction is Direction.FORWARD else 0
        mass, left_over = _transferred_down(buckets, origin + first * interval, interval)
        mass[1] += left_over
        first, infinity = first - 1, 0.0
    return LossDistribution(
        interval=interval, origin=origin, first=first, mass=mass, infinity=infinity
    )


@dataclass(frozen=True, kw_only=True)
class _Grid:
    """Where index 0 lies, and the edge between the buckets around indices 0 and 1."""

    origin: float
    first_edge: float


def _aligned_grid(pair: ShiftedMixturePair, direction: Direction, interval: float) -> _Grid:
    """Lay the grid through the loss that most outcomes share.

    At low rates almost all outcomes have nearly the smallest possible loss, ln(1 - q). A grid
    that misses it would shift the whole distribution at every composition. Its floating-point
    error is taken on the side on which the bucket has mass to spare, not mass lacking.
    """
    if pair.rate == 1.0:
        return _Grid(origin=0.0, first_edge=interval / 2)
    smallest = max(float(np.log1p(-pair.rate)), smallest_resolved_loss(pair))
    sign = -1.0 if direction is Direction.FORWARD else 1.0
    origin = smallest
    for _ in range(3):  # centres the bucket on its own loss
        edge = origin + interval / 2
        lowest = loss_buckets(pair, np.array([smallest - interval, edge]))
        merged = float(lowest.log_ratio[0] + sign * 2 * lowest.log_ratio_error[0])
        if not np.isfinite(merged):
            return _Grid(origin=smallest, first_edge=smallest + interval / 2)
        origin = min(max(merged, smallest), edge - interval / 4)
    return _Grid(origin=origin, first_edge=edge)


def _mirrored_up(pair: ShiftedMixturePair, interval: float) -> LossDistribution:
    last = max(int(np.ceil(largest_resolved_loss(pair) / interval)), 1)
    edges = np.arange(last + 1) * interval
    edge_errors = loss_errors_at(pair, edges)
    buckets = loss_buckets(pair, edges - edge_errors)
    positive = _connected_dots(buckets, 0.0, interval, edge_errors)[1:]
    infinity = buckets.upper_above
    losses = np.arange(1, last + 1) * interval
    slack = _worst_neighbour(2 * (buckets.upper_error + buckets.lower_error))[1:]
    negative = positive * np.exp(-losses) * np.maximum(1.0 - slack, 0.0)
    # The second distribution's mass beyond the grid mirrors to losses below -last.
    negative[-1] += buckets.lower_above
    return _with_centre(positive, negative, infinity, interval)


def _mirrored_down(pair: ShiftedMixturePair, interval: float) -> LossDistribution:
    last = max(int(np.ceil(largest_resolved_loss(pair) / interval)), 1)
    buckets = loss_buckets(pair, (np.arange(1, last + 2) - 0.5) * interval)
    mass, _ = _transferred_down(buckets, interval, interval)  # what is left over lands at 0
    positive = mass[1:]
    losses = np.arange(1, len(positive) + 1) * interval
    # A point's mass may come from the bucket around it and from both neighbours of that one.
    slack = _worst_neighbour(2 * (buckets.upper_error + buckets.lower_error))
    slack = np.maximum(slack, np.append(slack[1:], 0.0))
    negative = positive * np.exp(-losses) * (1.0 + slack)
    # The mirror image of what lies beyond the grid has a loss below -last: it is left out.
    return _with_centre(positive, negative, 0.0, interval, left_out=buckets.lower_above)


def _with_centre(
    positive: FloatArray,
    negative: FloatArray,
    infinity: float,
    interval: float,
    *,
    left_out: float = 0.0,
) -> LossDistribution:
    # The rest sits at loss 0. It cannot be negative but by rounding: the mass at loss 0 is at
    # least the probability that the two distributions of the pair share.
    placed = float(positive.sum()) + float(negative.sum())
    centre = max(0.0, 1.0 - infinity - left_out - placed)
    return LossDistribution(
        interval=interval,
        origin=0.0,
        first=-len(positive),
        mass=np.concatenate([negative[::-1], [centre], positive]),
        infinity=infinity,
    )


def _connected_dots(
    buckets: LossBuckets, lowest_edge: float, interval: float, edge_errors: FloatArray
) -> FloatArray:
    """Split each bucket between its two edges, keeping its mass under both distributions.

    Returns the masses at the edges, shape (buckets + 1,). With g the lower edge, p and q the
    masses, the upper edge gets (p - q e^g) / (1 - e^-h) = p (1 - e^-r) / (1 - e^-h), where
    r = ln(p/q) - g. A bucket's losses may lie below its lower edge by twice that edge's error:
    lifting those to the edge first raises r by no more than that.
    """
    lower_edges = lowest_edge + np.arange(len(buckets.upper)) * interval
    above_edge = buckets.log_ratio + buckets.log_ratio_error + 2.0 * edge_errors[:-1] - lower_edges
    above_edge = np.clip(np.where(np.isnan(above_edge), interval, above_edge), 0.0, interval)
    p = buckets.upper + _absolute(buckets.upper, buckets.upper_error)
    to_upper_edge = p * np.expm1(-above_edge) / np.expm1(-interval)
    mass = np.zeros(len(p) + 1)
    mass[:-1] = p - to_upper_edge
    mass[1:] += to_upper_edge
    return np.maximum(mass, 0.0)


def _transferred_down(
    buckets: LossBuckets, lowest_point: float, interval: float
) -> tuple[FloatArray, float]:
    """Put each bucket on the grid point it lies around, by moving probability downwards.

    On grid point g a bucket with second mass q holds exactly q e^g of first mass. What it has
    too much is handed to the next lower bucket, which lifts a part of it to the next higher
    point; what it lacks comes from the next higher bucket, a part of which then drops to the
    next lower point. Every such transfer has its donor at or above its receiver, before and
    after, so it lowers every hockey-stick divergence: a donor that drops to the receiver's
    point gives only what the receiver lacks there, and then no part of the receiver is lifted.
    A bucket whose neighbour cannot cover what it lacks drops to the next lower point, where
    its own mass suffices. Mass that remains is put on a point below its due.

    Args:
        buckets: buckets of width ``interval`` around the grid points; the first may reach
            further down.
        lowest_point: the loss that the first bucket lies around.
        interval: grid distance.

    Returns:
        The masses at the grid points one below the first bucket's to one above the last's,
        shape (buckets + 2,), and the mass handed down past the first bucket.
    """
    points = lowest_point + np.arange(len(buckets.upper)) * interval
    offset = buckets.log_ratio - buckets.log_ratio_error - points
    # Buckets at the unresolved ends may have no ratio that can be trusted: they give nothing.
    usable = np.isfinite(offset) & (offset > -interval)
    offset = np.minimum(np.where(usable, offset, 0.0), 0.5 * interval)
    p = np.maximum(buckets.upper - _absolute(buckets.upper, buckets.upper_error), 0.0)
    p = np.where(usable, p, 0.0)
    due = p * np.exp(-offset)
    surplus = -p * np.expm1(-offset)
    drop = -np.expm1(-interval)  # of its due, what a bucket gives by dropping one point
    lift = np.expm1(interval)

    dropped = np.zeros(len(p), dtype=bool)
    dropped[-1] = surplus[-1] < 0.0
    while True:
        lacking = np.where(dropped, 0.0, np.maximum(-surplus, 0.0))
        spare = np.where(dropped, 0.0, np.maximum(surplus, 0.0))
        given = np.maximum(spare, np.append(0.0, lacking[:-1]))  # by each to the next lower
        received = np.append(given[1:], 0.0)
        net = surplus + np.where(dropped, due * drop, 0.0) + received - given
        least = np.where(dropped, 0.0, -due * drop)
        failing = net < least
        failing[0] = False  # nothing depends on what the first bucket gives
        if not failing.any():
            break
        dropped[:-1] |= failing[1:]

    # Split what each bucket has by masses no larger than that: with a grid of many nats ``due``
    # may exceed it by e^interval, and so would its rounding error.
    has = p + received - given
    raised = np.where(dropped, 0.0, np.clip(net, 0.0, due * lift) / drop)
    unspent = np.where(dropped, 0.0, np.maximum(net - due * lift, 0.0))
    staying = np.clip((has - p * np.exp(-offset - interval)) / drop, 0.0, np.maximum(has, 0.0))
    staying = np.where(dropped, 0.0, np.where(net < 0.0, staying, has - raised - unspent))
    mass = np.zeros(len(p) + 2)
    mass[1:-1] = np.maximum(staying, 0.0)
    mass[2:] += raised + unspent
    mass[:-2] += np.where(dropped | (net < 0.0), np.maximum(has - staying, 0.0), 0.0)
    return mass, float(given[0])


def _absolute(mass: FloatArray, relative_error: FloatArray) -> FloatArray:
    return np.where(mass > 0.0, mass * np.nan_to_num(relative_error, nan=0.0, posinf=1.0), 0.0)


def _worst_neighbour(errors: FloatArray) -> FloatArray:
    """Return for each edge the larger error of the two buckets that meet there."""
    errors = np.nan_to_num(errors, nan=0.0, posinf=1.0)
    padded = np.concatenate([[0.0], errors, [0.0]])
    return np.maximum(padded[:-1], padded[1:])
