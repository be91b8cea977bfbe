"""The masses of independent units' losses, tilted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF
from dpviz.accounting.loss_distribution import LossDistribution


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
