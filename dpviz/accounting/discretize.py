"""One unit's privacy loss on a grid, rounded to a known side.

Up by connecting dots (Doroshenko et al. 2022, *Connect the Dots: Tighter Discrete Approximations of
Privacy Loss Distributions*), by the masses of loss buckets instead of differences of the profile;
down by transfers. Here these are laid out on a grid, for a mirrored pair or for one direction of an
attained one.
"""

from functools import lru_cache

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray, LossBuckets
from dpviz.accounting.loss_distribution import (
    Direction,
    IndexArray,
    LossDistribution,
    Rounding,
    covered_range,
    grid_losses,
    spaced_indices,
)
from dpviz.accounting.losses import loss_of
from dpviz.accounting.privacy_loss import LARGEST_LOSS, PrivacyLoss
from dpviz.guarantees import DominatingPair


def connected_dots(
    buckets: LossBuckets, lower_edges: FloatArray, widths: FloatArray, edge_errors: FloatArray
) -> FloatArray:
    """Split each bucket between its two edges, keeping its mass under both distributions.

    Returns the masses at the edges, shape (buckets + 1,). With g the lower edge, h the width, p and
    q the masses, the upper edge gets (p - q e^g) / (1 - e^-h) = p (1 - e^-r) / (1 - e^-h), where
    r = ln(p/q) - g. A bucket's losses may lie below its lower edge by twice that edge's error:
    lifting those to the edge first raises r by no more than that.
    """
    with np.errstate(invalid="ignore"):  # an unknown ratio with an unknown error: see below
        above_edge = buckets.log_ratio + buckets.log_ratio_error + 2.0 * edge_errors[:-1]
        above_edge = above_edge - lower_edges
    # A bucket of unknown ratio goes to its upper edge whole.
    above_edge = np.clip(np.where(np.isnan(above_edge), widths, above_edge), 0.0, widths)
    upper = buckets.upper
    p = upper.mass + np.where(upper.mass > 0.0, upper.error, 0.0)
    to_upper_edge = p * np.expm1(-above_edge) / np.expm1(-widths)
    mass = np.zeros(len(p) + 1)
    mass[:-1] = p - to_upper_edge
    mass[1:] += to_upper_edge
    return np.maximum(mass, 0.0)


MOST_POINTS = 2**21
_CACHED_DISTRIBUTIONS = 48
LARGEST_INTERVAL = 300.0  # e^interval and its square stay finite numbers


@lru_cache(maxsize=_CACHED_DISTRIBUTIONS)
def one_unit(
    pair: DominatingPair,
    direction: Direction,
    rounding: Rounding,
    interval: float,
    share: float = 1.0,
) -> LossDistribution:
    """Return the privacy loss distribution of one step or epoch on a grid.

    Args:
        direction: which loss of the pair.
        rounding: UP for a distribution that dominates the exact one, DOWN for one that it
            dominates.
        share: the profile is this part of the pair's; only for the mirrored direction.

    Raises:
        ValueError: the grid would have more than ``MOST_POINTS`` points, or the interval is not
            above 0 and at most ``LARGEST_INTERVAL``; or a share is asked of one direction.
    """
    if not 0.0 < interval <= LARGEST_INTERVAL:
        raise ValueError(f"interval = {interval!r} is not allowed: it must be from above 0 to 300")
    if direction is not Direction.MIRRORED and share != 1.0:
        raise ValueError(f"share = {share!r} is not allowed: one direction of a pair has none")
    if pair.is_trivial or share == 0.0:
        return LossDistribution(
            interval=interval,
            origin=0.0,
            indices=np.zeros(1, dtype=np.int64),
            mass=np.ones(1),
            infinity=0.0,
        )
    if loss_range(pair) > MOST_POINTS * interval:
        raise ValueError(f"interval = {interval:g} is too fine for this pair's privacy loss")
    loss = loss_of(pair, rounding)
    if direction is Direction.MIRRORED:
        if rounding is Rounding.UP:
            return _mirrored_up(loss, interval, share)
        return _mirrored_down(loss, interval, share)
    grids = _aligned_grids(loss, direction, interval)
    if rounding is Rounding.UP:
        return _directed(loss, direction, rounding, interval, grids[0])
    # Rounded down on any grid it is a lower bound: the largest on average is taken.
    rounded = [_directed(loss, direction, rounding, interval, grid) for grid in grids]
    return max(rounded, key=lambda one: float(np.sum(one.mass * one.losses)))


def loss_range(pair: DominatingPair) -> float:
    """Return the interval times the points of the largest one-unit grid, in nats.

    For losses of a few spreads this is their range; larger ones get fewer points.
    """
    if pair.is_trivial:
        return 0.0
    loss = loss_of(pair, Rounding.UP)
    reach = max(loss.largest_resolved, -loss.smallest_resolved)
    return 2.0 * covered_range(reach, loss.spread)


def _directed(
    loss: PrivacyLoss,
    direction: Direction,
    rounding: Rounding,
    interval: float,
    grid: tuple[float, float],
) -> LossDistribution:
    origin, first_edge = grid
    last = max(int(np.ceil((loss.largest_resolved - origin) / interval)), 1)
    first = min(int(np.floor((loss.smallest_resolved - origin) / interval)), -1)
    indices = np.concatenate(
        [
            -spaced_indices(-first, interval, loss.spread)[:0:-1],
            spaced_indices(last, interval, loss.spread),
        ]
    )
    if rounding is Rounding.UP:
        edges = grid_losses(origin, indices, interval)
    else:
        indices = np.append(indices, last + 1)
        edges = _edges_between(origin, indices, interval, first_edge - origin)
    # No outcome's loss may exceed its bucket's upper edge; backward that is the lower one.
    side = 0 if rounding is Rounding.DOWN else -1 if direction is Direction.FORWARD else 1
    located = loss.located(edges, side)
    buckets, edge_errors = loss.buckets(located.outcomes), located.errors
    if direction is Direction.BACKWARD:
        buckets, edge_errors = buckets.swapped(), edge_errors[::-1]
        origin, indices = -origin, -indices[::-1]
    points, distances = grid_losses(origin, indices, interval), np.diff(indices) * interval
    if rounding is Rounding.UP:
        mass = connected_dots(buckets, points[:-1], distances, edge_errors)
        # Moved up. The first outcome may have a larger loss than the first point, where the pair
        # is not resolved any further, but never than the third.
        mass[2] += buckets.upper.below
        infinity = buckets.upper.above
    else:
        mass, left_over = transferred_down(buckets, points[1:-1], distances)
        # It has at least the loss of the first bucket's own point.
        mass[1 + int(np.argmax(buckets.upper.mass > 0.0))] += left_over
        mass[-2] += _beyond_the_cap(loss, buckets.upper.above, direction)
        infinity = 0.0
    return LossDistribution(
        interval=interval, origin=origin, indices=indices, mass=mass, infinity=infinity
    )


def _edges_between(
    origin: float, indices: IndexArray, interval: float, from_even: float
) -> FloatArray:
    """Return the edges between the buckets around neighbouring points, one fewer than these.

    Args:
        origin: the loss of index 0.
        from_even: by how much an edge lies above its lower point where the next one is an
            interval away; elsewhere by half of what is more than that as well.
    """
    further = 0.5 * (np.diff(indices) - 1)
    return grid_losses(origin + from_even, indices[:-1] + further, interval)


def _beyond_the_cap(loss: PrivacyLoss, above: float, direction: Direction) -> float:
    """Return the mass of losses that are cut off because they are as good as infinite.

    Put at the cap, it only counts for less: with S a sum of losses delta = E (1 - e^(epsilon -
    S))+ under the first distribution, which increases in every unit's loss. Mirrored, what the
    loss -cap has too much comes from the loss 0, which lowers as well.
    """
    capped = direction is not Direction.BACKWARD and loss.largest_resolved == LARGEST_LOSS
    return above if capped else 0.0


def _aligned_grids(
    loss: PrivacyLoss, direction: Direction, interval: float
) -> list[tuple[float, float]]:
    """Lay the grid through the loss that most outcomes share, around it, or through the smallest.

    Of each grid it is told where index 0 lies, and the edge between the buckets around 0 and 1.

    At low rates almost all outcomes have nearly the smallest possible loss, ln(1 - q). A grid
    that misses it would shift the whole distribution at every composition. Its floating-point
    error is taken on the side on which the bucket has mass to spare, not mass lacking.
    """
    sign = -1.0 if direction is Direction.FORWARD else 1.0
    plain = 0.0, interval / 2
    grids = []
    if loss.commonest is not None:
        middle, offset = loss.commonest, 0.0
        for _ in range(3):  # centres the bucket on its own loss
            middle += offset
            around = loss.between(np.array([middle - interval / 2, middle + interval / 2]))
            merged = float(around.log_ratio[0] + sign * 2 * around.log_ratio_error[0]) - middle
            offset = float(np.clip(np.nan_to_num(merged), -interval / 5, interval / 5))
        # Where no bucket has most of the mass it is better if all lie above their points.
        edge = middle + interval / 2
        grids = [(middle + offset, edge), plain, (middle + sign * interval / 5, edge)]
    if np.isfinite(loss.infimum):
        grids.append(_lowest_grid(loss, interval, sign))
    return grids or [plain]


def _lowest_grid(loss: PrivacyLoss, interval: float, sign: float) -> tuple[float, float]:
    """Lay the grid through the loss of the outcomes that have the smallest ones."""
    smallest = max(loss.infimum, loss.smallest_resolved)
    origin = smallest
    for _ in range(3):  # centres the bucket on its own loss
        edge = origin + interval / 2
        lowest = loss.between(np.array([smallest - interval, edge]))
        merged = float(lowest.log_ratio[0] + sign * 2 * lowest.log_ratio_error[0])
        if not np.isfinite(merged):
            return smallest, smallest + interval / 2
        origin = min(merged, edge - interval / 4)
    return origin, edge


def _mirrored_up(loss: PrivacyLoss, interval: float, share: float) -> LossDistribution:
    indices = _mirrored_indices(loss, interval, share)
    edges = grid_losses(0.0, indices, interval)
    located = loss.located(edges, side=-1)
    buckets = loss.buckets(located.outcomes)
    distances = np.diff(indices) * interval
    positive = connected_dots(buckets, edges[:-1], distances, located.errors)[1:]
    negative = positive * np.exp(-edges[1:]) * (1.0 - _mirror_rounding(edges[1:]))
    # The second distribution's mass beyond the grid mirrors to losses below -last.
    negative[-1] += buckets.lower.above
    infinity = share * buckets.upper.above
    return _with_centre(share * positive, share * negative, indices[1:], infinity, interval)


def _mirrored_down(loss: PrivacyLoss, interval: float, share: float) -> LossDistribution:
    indices = _mirrored_indices(loss, interval, share)
    indices = np.append(indices, indices[-1] + 1)
    buckets = loss.between(_edges_between(0.0, indices, interval, 0.5 * interval))
    points = grid_losses(0.0, indices, interval)
    # What is left over lands at 0.
    mass, _ = transferred_down(buckets, points[1:-1], np.diff(indices) * interval)
    positive = mass[1:]
    positive[-2] += _beyond_the_cap(loss, buckets.upper.above, Direction.MIRRORED)
    negative = positive * np.exp(-points[1:]) * (1.0 + _mirror_rounding(points[1:]))
    # The mirror image of what lies beyond the grid has a loss below -last: it is left out.
    left_out = share * buckets.lower.above
    # A bucket that drops by a point has more of the second mass there. Where no outcome has a loss
    # near 0 that may be more than is left: then less of all is claimed.
    placed = share * (float(positive.sum()) + float(negative.sum()))
    claimed = share * min(1.0, (1.0 - left_out) / placed) if placed > 0.0 else 0.0
    return _with_centre(
        claimed * positive, claimed * negative, indices[1:], 0.0, interval, left_out=left_out
    )


def _mirrored_indices(loss: PrivacyLoss, interval: float, share: float) -> IndexArray:
    last = max(int(np.ceil(loss.largest_resolved / interval)), 1)
    return spaced_indices(last, interval, loss.spread * float(np.sqrt(share)))


def _with_centre(
    positive: FloatArray,
    negative: FloatArray,
    indices: IndexArray,
    infinity: float,
    interval: float,
    *,
    left_out: float = 0.0,
) -> LossDistribution:
    # The rest sits at loss 0. It cannot be negative but by rounding: upwards both distributions'
    # masses are kept, and all that they share is left; downwards no more is claimed.
    placed = float(positive.sum()) + float(negative.sum())
    centre = max(0.0, 1.0 - infinity - left_out - placed)
    return LossDistribution(
        interval=interval,
        origin=0.0,
        indices=np.concatenate([-indices[::-1], [0], indices]),
        mass=np.concatenate([negative[::-1], [centre], positive]),
        infinity=infinity,
    )


def _mirror_rounding(losses: FloatArray) -> FloatArray:
    """Return by how much, relative, masses at -losses may be off that mirror those at the losses.

    These lie on a side of the exact ones whatever was rounded, and so does their mirror image: of
    it no more than e^-loss is rounded. With less of it than that orders below 1 have more, with
    more of it less, as the rest is at loss 0.
    """
    return 4.0 * UNIT_ROUNDOFF * (2.0 + losses)


# A bucket's own loss lies below its point by half the distance to the next one at most; the rest
# is room for rounding.
_FURTHEST_OFFSET = 0.75


def transferred_down(
    buckets: LossBuckets, points: FloatArray, distances: FloatArray
) -> tuple[FloatArray, float]:
    """Put each bucket on the grid point it lies around, by moving probability downwards.

    Pigou-Dalton transfers: merging outcomes, and moving probability of the first distribution from
    outcomes of higher to outcomes of lower likelihood ratio, both lower every hockey-stick
    divergence.

    On grid point g a bucket with second mass q holds exactly q e^g of first mass. What it has
    too much is handed to the next lower bucket, which lifts a part of it to the next higher
    point; what it lacks comes from the next higher bucket, a part of which then drops to its
    own point. Every such transfer has its donor at or above its receiver, before and after, so
    it lowers every hockey-stick divergence: a donor that drops to the receiver's point gives
    only what the receiver lacks there, and then no part of the receiver is lifted. A bucket
    whose neighbour cannot cover what it lacks drops to the next lower point, where its own mass
    suffices. Mass that remains is put on a point below its due. Empty buckets are passed over.

    Args:
        buckets: buckets around the grid points, which reach half way to the next ones; the first
            may reach further down.
        points: the losses that the buckets lie around, shape (buckets,).
        distances: between neighbouring points, from one below the first bucket's to one above
            the last's, shape (buckets + 1,).

    Returns:
        The masses at these points, shape (buckets + 2,), and the mass handed down past the first
        bucket.
    """
    below, above = distances[:-1], distances[1:]
    with np.errstate(invalid="ignore"):
        offset = buckets.log_ratio - buckets.log_ratio_error - points
    # Buckets at the unresolved ends may have no ratio that can be trusted: they give nothing.
    usable = np.isfinite(offset) & (offset > -_FURTHEST_OFFSET * below)
    p = np.maximum(buckets.upper.mass - buckets.upper.error, 0.0)
    mass = np.zeros(len(p) + 2)
    at = np.flatnonzero(usable & (p > 0.0))
    if len(at) == 0:
        return mass, 0.0
    p, below, above = p[at], below[at], above[at]
    offset = np.minimum(offset[at], 0.5 * above)
    # Down to the point of the next lower bucket that is not empty.
    far = np.append(below[0], np.add.reduceat(distances[: at[-1] + 1], at[:-1] + 1))
    due = p * np.exp(-offset)
    surplus = -p * np.expm1(-offset)
    drop = -np.expm1(-far)  # of its due, what a bucket gives by dropping so far
    lift = np.expm1(above)  # and what it takes to lift it by one point

    dropped = np.zeros(len(p), dtype=bool)
    dropped[-1] = surplus[-1] < 0.0
    while True:
        lacking = np.where(dropped, 0.0, -surplus)
        spare = np.where(dropped, 0.0, np.maximum(surplus, 0.0))
        given = np.maximum(spare, np.append(0.0, lacking[:-1]))  # by each to the next lower
        received = np.append(given[1:], 0.0)
        own = np.where(dropped, -p * np.expm1(-offset - below), surplus)
        net = own - given + received
        least = np.where(dropped, 0.0, -due * drop)
        failing = net < least
        failing[0] = False  # nothing depends on what the first bucket gives
        if not failing.any():
            break
        dropped[:-1] |= failing[1:]

    # In terms that keep both their digits on a fine grid, where the differences are small, and
    # their size on a grid of many nats, where ``due`` may exceed the mass by e^interval.
    raised = np.where(dropped, 0.0, -np.clip(net, 0.0, due * lift) / np.expm1(-above))
    unspent = np.where(dropped, 0.0, np.maximum(net - due * lift, 0.0))
    has = np.maximum(p + received - given, 0.0)
    lowers = ~dropped & (net < 0.0)
    kept = np.where(
        lowers,
        (received - given - p * np.expm1(-offset - far)) / drop,
        np.where(dropped, 0.0, has - raised - unspent),
    )
    lowered = np.where(lowers, -net * np.exp(-far) / drop, np.where(dropped, has, 0.0))
    mass[at + 1] = np.maximum(kept, 0.0)
    mass[at + 2] += raised + unspent
    mass[np.where(lowers, np.append(at[0], at[:-1] + 1), at)] += lowered
    return mass, float(given[0])
