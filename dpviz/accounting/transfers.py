"""Rounding a privacy loss down: Pigou-Dalton transfers.

Merging outcomes, and moving probability of the first distribution from outcomes of higher to
outcomes of lower likelihood ratio, both lower every hockey-stick divergence.
"""

import numpy as np

from dpviz.accounting.buckets import FloatArray, LossBuckets

# A bucket's own loss lies below its point by half the distance to the next one at most; the rest
# is room for rounding.
_FURTHEST_OFFSET = 0.75


def transferred_down(
    buckets: LossBuckets, points: FloatArray, distances: FloatArray
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
    offset = np.minimum(np.where(usable, offset, 0.0), 0.5 * above)
    p = np.maximum(buckets.upper - buckets.upper_absolute_error, 0.0)
    p = np.where(usable, p, 0.0)
    due = p * np.exp(-offset)
    surplus = -p * np.expm1(-offset)
    drop = -np.expm1(-below)  # of its due, what a bucket gives by dropping one point
    lift = np.expm1(above)  # and what it takes to lift it by one

    dropped = np.zeros(len(p), dtype=bool)
    dropped[-1] = surplus[-1] < 0.0
    while True:
        lacking = np.where(dropped, 0.0, -surplus)
        spare = np.where(dropped, 0.0, np.maximum(surplus, 0.0))
        given = np.maximum(spare, np.append(0.0, lacking[:-1]))  # by each to the next lower
        received = np.append(given[1:], 0.0)
        own = np.where(dropped, -p * np.expm1(-offset - below), surplus)
        net = own + received - given
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
        (received - given - p * np.expm1(-offset - below)) / drop,
        np.where(dropped, 0.0, has - raised - unspent),
    )
    lowered = np.where(lowers, -net * np.exp(-below) / drop, np.where(dropped, has, 0.0))
    mass = np.zeros(len(p) + 2)
    mass[1:-1] = np.maximum(kept, 0.0)
    mass[2:] += raised + unspent
    mass[:-2] += lowered
    return mass, float(given[0])
