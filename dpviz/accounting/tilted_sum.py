"""One unit's losses, ready to be summed: tilted, and without those that only lengthen the sum."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF
from dpviz.accounting.loss_distribution import LossDistribution, Rounding


@dataclass(frozen=True, kw_only=True, eq=False)
class Repeated:
    """Independent units of one kind.

    Args:
        distribution: one unit's loss.
        count: how many of them, at least 1.
    """

    distribution: LossDistribution
    count: int


class TiltedUnit:
    """One unit's masses, tilted by ``e^(tilt loss)`` and normalised.

    Attributes:
        mass: tilted and normalised, shape (points,).
        log_scale: ln of the normalisation.
        relative_error: bound on the relative error of the masses.
    """

    def __init__(self, distribution: LossDistribution, tilt: float) -> None:
        losses = distribution.losses
        with np.errstate(divide="ignore"):
            log_mass = np.log(distribution.mass) + tilt * losses
        peak = float(log_mass.max())
        mass = np.exp(log_mass - peak)
        total = float(mass.sum())
        self.mass = mass / total
        self.log_scale = peak + float(np.log(total))
        # exp(x) is off by |x| units in the last place, and so is the normalisation. The rest is
        # room for the rounding of the sum, and of the masses themselves.
        strongest = abs(tilt) * float(max(abs(losses[0]), abs(losses[-1])))
        self.relative_error = UNIT_ROUNDOFF * (32.0 + 2.0 * strongest + 2.0 * abs(self.log_scale))


class TiltedSum:
    """All units' masses under one tilt.

    Attributes:
        tilt: t.
        units: one of each kind.
        log_scale: ln of the normalisation of the sum.
        log_scales: the sum of the absolute values that it is the sum of.
        relative_error: bound on the relative error of all units' masses together.
    """

    def __init__(self, kinds: Sequence[Repeated], tilt: float) -> None:
        self.tilt = tilt
        self.units = [TiltedUnit(kind.distribution, tilt) for kind in kinds]
        counted = [(kind.count, unit) for kind, unit in zip(kinds, self.units, strict=True)]
        scales = [count * unit.log_scale for count, unit in counted]
        self.log_scale, self.log_scales = float(sum(scales)), float(sum(map(abs, scales)))
        self.relative_error = float(sum(count * unit.relative_error for count, unit in counted))


# What the largest losses of all units may change: this part of the smallest delta to resolve.
_CUT_PART = 1e-4
# What the smallest ones may change: this part of every delta.
_RAISED_PART = 1e-6
# Between the losses that a sum lies beyond with the tiny probability that a transform may cut
# off, there are about 34 standard deviations if it is nearly normal.
_ORDINARY_DEVIATIONS = 40.0


def ordinary_range(distribution: LossDistribution, count: int) -> float:
    """Return how wide a sum's range is, in nats, where its units have no rare huge losses."""
    mean = float(np.sum(distribution.mass * distribution.losses))
    square = float(np.sum(distribution.mass * distribution.losses**2))
    return _ORDINARY_DEVIATIONS * float(np.sqrt(max(count * (square - mean**2), 0.0)))


def capped_losses(
    distribution: LossDistribution, count: int, rounding: Rounding, smallest_delta: float
) -> LossDistribution:
    """Return a unit's loss distribution with fewer extreme losses, on the same side or further.

    Upwards the largest losses become infinite, and the smallest ones become the smallest that is
    left. Downwards the largest ones become the largest that is left, and the smallest ones are
    left out, as if they were -infinity. After any number of units delta = E (1 - e^(epsilon - S))+
    with S the sum of the losses under the first distribution: it increases in every one of
    them, so each change is to the rounding's side.

    How much it costs: at most the probability that any unit has one of the largest losses. Of
    the smallest ones it is at most the probability that any unit has one *times delta*, since a sum
    with one of them in it is smaller than one without.

    Args:
        distribution: of one unit.
        count: number of units.
        rounding: the side on which the distribution lies.
        smallest_delta: deltas from this one on are changed by no more than a part of 1e-4.
    """
    mass = distribution.mass
    below, above = np.cumsum(mass), np.cumsum(mass[::-1])
    first = int(np.searchsorted(below, _RAISED_PART / count, side="right"))
    cut = int(np.searchsorted(above, _CUT_PART * smallest_delta / count, side="right"))
    end = len(mass) - cut
    if first >= end:
        return distribution
    kept = mass[first:end].copy()
    room = len(mass) * UNIT_ROUNDOFF  # for the rounding of these sums
    infinity = distribution.infinity
    if rounding is Rounding.UP:
        infinity += float(mass[end:].sum()) * (1.0 + room)
        kept[0] += float(mass[:first].sum()) * (1.0 + room)
    else:
        kept[-1] += float(mass[end:].sum()) * (1.0 - room)
    return LossDistribution(
        interval=distribution.interval,
        origin=distribution.origin,
        indices=distribution.indices[first:end],
        mass=kept,
        infinity=infinity,
    )
