"""Losses ready to be summed: tilted, without those that lengthen a sum; Chernoff bounds on sums."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from scipy import fft

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.transforms import ComplexArray


@dataclass(frozen=True, eq=False)
class Repeated:
    """Independent units of one kind: one unit's loss, and how many there are, at least 1."""

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
        self._indices = distribution.indices

    def transform(self, size: int) -> ComplexArray:
        """Return the masses' transform of that length, at frequencies that are not negative."""
        places = self._indices % size
        return np.asarray(fft.rfft(np.bincount(places, weights=self.mass, minlength=size)))


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
    return replace(
        distribution, indices=distribution.indices[first:end], mass=kept, infinity=infinity
    )


_FINE_CELLS = 32
_CELL_GROWTH = 1.08
_TILTS = 64
_CACHED_CUMULANTS = 48
_ROUNDING = 16.0 * UNIT_ROUNDOFF
# Below the rounding error of the transforms, at which a smaller tail would be lost anyway.
LOG_WRAPPED_TAIL = float(np.log(1e-16))


class CumulantBound:
    """An upper bound on the cumulants ln E e^(t L) of a loss distribution, for many t at once.

    The distribution's points are grouped into cells, narrow near loss 0 and wider away from
    it. Within a cell e^(t l) lies below its chord, so a cell's mass and mean bound its part of
    the sum, for t of either sign. The wider cells add under 0.1 % to the variance.
    """

    def __init__(self, distribution: LossDistribution) -> None:
        starts = _cell_starts(distribution.first, distribution.last)
        mass, losses = distribution.mass, distribution.losses
        offsets = np.unique(np.searchsorted(distribution.indices, starts))
        left, right = losses[offsets], losses[np.append(offsets[1:], len(losses)) - 1]
        total = np.add.reduceat(mass, offsets)
        first_moment = np.add.reduceat(mass * losses, offsets)
        second_moment = float(np.sum(mass * losses**2))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.clip(np.where(total > 0, first_moment / total, left), left, right)
            share = np.where(right > left, (mean - left) / (right - left), 0.0)
        points = np.concatenate([left, right])
        weights = np.concatenate([total * (1 - share), total * share])
        occupied = weights > 0
        self._points = points[occupied]
        self._log_weights = np.log(weights[occupied])
        spread = np.sqrt(max(second_moment - float(first_moment.sum()) ** 2, 0.0))
        self.spread = max(spread, distribution.interval * 1e-6)

    def __call__(self, tilts: FloatArray) -> FloatArray:
        """Return a bound on ln E e^(t L) for each t of ``tilts``."""
        exponents = np.multiply.outer(tilts, self._points) + self._log_weights
        peaks = exponents.max(axis=-1)
        return np.asarray(peaks + np.log(np.exp(exponents - peaks[..., None]).sum(axis=-1)))


# Of the same distribution again and again where only counts vary.
_cumulant_bound = lru_cache(maxsize=_CACHED_CUMULANTS)(CumulantBound)


class SumCumulantBound:
    """An upper bound on the cumulants of a sum of independent losses.

    Args:
        parts: how many losses there are of each distribution.
    """

    def __init__(self, parts: Sequence[Repeated]) -> None:
        self._parts = [(part.count, _cumulant_bound(part.distribution)) for part in parts]
        self._spread = np.sqrt(sum(count * one.spread**2 for count, one in self._parts))

    def __call__(self, tilts: FloatArray) -> FloatArray:
        """Return a bound on ln E e^(t S) for each t of ``tilts``."""
        return np.asarray(sum(count * one(tilts) for count, one in self._parts))

    @cached_property
    def tilts(self) -> FloatArray:
        """Tilts that cover the tails of the sum, from mild to strong."""
        return np.geomspace(min(1e-3 / self._spread, 0.05), 300.0 / self._spread, _TILTS)

    @cached_property
    def at_tilts(self) -> FloatArray:
        """The bound at these."""
        return self(self.tilts)


def tilt_for_tail(cumulant: SumCumulantBound, log_tail: float) -> float:
    """Return the t >= 0 whose Chernoff bound reaches ``log_tail`` at the smallest loss.

    That loss is min over t of (K(t) - log_tail) / t. Any t is sound; this one centres the
    tilted sum where its tail probability is about e^log_tail.
    """
    reach = (cumulant.at_tilts - log_tail) / cumulant.tilts
    return float(cumulant.tilts[int(np.argmin(reach))])


def tilted_range(cumulant: SumCumulantBound, tilt: float, log_scale: float) -> tuple[float, float]:
    """Return losses beyond each of which the tilted sum has no more than the wrapped tail.

    Args:
        cumulant: the bound on K.
        tilt: t, the exponential tilt of the sum.
        log_scale: ln of the tilted sum's normalisation, K(t), exactly.
    """
    more = cumulant.tilts
    stronger = cumulant(tilt + more) if tilt > 0.0 else cumulant.at_tilts
    weaker = cumulant(tilt - more)
    # Where all losses are as good as one, huge number, only rounding is between the two ends.
    slack = np.abs(stronger) + np.abs(weaker) + abs(log_scale) + abs(LOG_WRAPPED_TAIL)
    slack = _ROUNDING * slack
    above = (stronger - log_scale - LOG_WRAPPED_TAIL + slack) / more
    below = (LOG_WRAPPED_TAIL + log_scale - weaker - slack) / more
    return float(np.max(below)), float(np.min(above))


def _cell_starts(first: int, last: int) -> np.ndarray:
    """Return the first index of each cell, increasing, beginning with ``first``."""
    reach = max(abs(first), abs(last)) + 1
    fine = np.arange(1, min(_FINE_CELLS, reach) + 1)
    count = max(int(np.log(reach / _FINE_CELLS) / np.log(_CELL_GROWTH)) + 1, 0) if reach > 32 else 0
    coarse = np.unique((_FINE_CELLS * _CELL_GROWTH ** np.arange(1, count + 1)).astype(np.int64))
    positive = np.unique(np.concatenate([fine, coarse]))
    starts = np.concatenate([1 - positive[::-1], positive])
    starts = starts[(starts > first) & (starts <= last)]
    return np.concatenate([[first], starts])
