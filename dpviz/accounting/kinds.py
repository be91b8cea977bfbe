"""Bounds that are composed, as kinds of units: which tell something, and how losses vary."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpviz.accounting.allocated_loss import coarsely
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.losses import loss_of
from dpviz.guarantees import Bound

# What rounding to a grid adds to the variance is its distance's square times the mass of the losses
# that make up the variance. So where these are rare and large, a part of their size is as good.
_OF_TYPICAL_LOSS = 0.22


def variances(bounds: Sequence[Bound], interval: float) -> list[float]:
    """Return the variance of each bound's privacy loss, all its units together, in nats squared.

    What cannot be told apart has 0. Variances add up over the bounds; epsilon does not. Of pairs
    for several lengths it is the largest.
    """
    return [
        bound.count
        * max(
            one_unit(pair, Direction.MIRRORED, Rounding.UP, interval, bound.share).variance
            for pair in bound.pairs
        )
        for bound in bounds
    ]


def telling_kinds(bounds: Sequence[Bound]) -> list[Bound]:
    """Return bounds with equal pairs as one of all their units, without those that say nothing."""
    counts: dict[Bound, int] = {}
    for bound in bounds:
        # Theorem and words do not matter for the sum.
        kind = replace(bound, count=1, theorem="", kind=bounds[0].kind, unit=bounds[0].unit,
                       extension="", condition="")  # fmt: skip
        counts[kind] = counts.get(kind, 0) + bound.count
    return [
        replace(kind, count=count)
        for kind, count in counts.items()
        if kind.share > 0.0 and not all(pair.is_trivial for pair in kind.pairs)
    ]


def coarse_kinds(kinds: Sequence[Bound]) -> list[Bound]:
    """Return kinds with pairs of which less is known where that takes less time."""
    return [
        replace(kind, pair=coarsely(kind.pair), other_pairs=tuple(map(coarsely, kind.other_pairs)))
        for kind in kinds
    ]


def spread_of(kinds: Sequence[Bound]) -> float:
    """Return the root mean square of one unit's loss, over all units, or what is as good."""
    squares = []
    for bound in kinds:
        losses = [loss_of(pair, Rounding.UP) for pair in bound.pairs if not pair.is_trivial]
        spread = min(max(loss.spread, _OF_TYPICAL_LOSS * loss.typical) for loss in losses)
        squares.append(bound.count * bound.share * spread**2)
    return float(np.sqrt(sum(squares) / sum(bound.count for bound in kinds)))
