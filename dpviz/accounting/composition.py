"""The profile of many independent units: products of powers of tilted Fourier transforms.

The masses p(l) of each kind of unit are tilted to p(l) e^(t l) / M(t) before they are transformed,
all kinds with the same t. The tilted sum sits where delta is small, so rounding errors, which are
relative to its peak, stay small relative to delta there. In units of e^(-t epsilon) and the product
of the M(t)^s every error is one number:

* the tilted probability outside of the transform's window (a Chernoff bound), which wraps
  around to some other loss,
* the rounding error of the transforms, of the powers and of their product.

Both are added to an upper bound and subtracted from a lower one. Mostly one tilt leaves nothing to
be seen of them; where it does not, others are used as well, and at each epsilon the best of their
bounds holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import fft

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.profile import Profile, delta_of_tilted_sum, weights_norm
from dpviz.accounting.tilted_sum import (
    LOG_WRAPPED_TAIL,
    Repeated,
    SumCumulantBound,
    TiltedSum,
    capped_losses,
    tilt_for_tail,
    tilted_range,
)
from dpviz.accounting.transforms import SummedTransform

# The first sum is centred at the loss that is exceeded with this probability: near enough to
# those of delta = 1 and of the smallest one. Those beside it are not tilted, or tilted to this.
_TAIL, _FAR_TAIL = 1e-4, 1e-9
# Errors of so small a part of delta show nowhere: brackets are about a hundred times wider.
_NEGLIGIBLE_ERROR = 1e-5
# At low rates a strong tilt makes single huge losses likely, and the range of the sum wide: it
# is softened until the window is at most this many times as wide as without a tilt.
_WIDEST_RANGE = 2.0
_MOST_SOFTENINGS = 12
MOST_WINDOW_POINTS = 2**22
# In longer transforms of more than ordinary ranges, losses that hardly matter are cut off.
_LONG_WINDOW = 2**16
# Between the losses that a sum lies beyond with the tiny probability that a transform may cut
# off, there are about 34 standard deviations if it has no rare huge losses.
ORDINARY_RANGE = 40.0
_WORTH_CAPPING = 0.7
# A sum of n normal tails at up to 38 standard deviations is off by less than n + 6,100 units in the
# last place (4 z^2 for each tail); this is more for tens of thousands, and shows nowhere.
_TAIL_ROUNDING = 2.0**-37
# Deltas down to this one are resolved in any case.
SMALLEST_DELTA = 1e-12


class WindowTooLargeError(ValueError):
    """The composed losses need more grid points than a transform is allowed to have.

    Args:
        count: number of units.
        excess: how many times as many points it would need; above 1.
    """

    def __init__(self, interval: float, count: int, excess: float) -> None:
        super().__init__(f"interval = {interval:g} is too fine for {count} units")
        self.excess = excess


def composed_profile(
    parts: Sequence[Repeated],
    rounding: Rounding,
    *,
    smallest_delta: float = SMALLEST_DELTA,
    most_points: float = MOST_WINDOW_POINTS,
) -> Profile:
    """Return the profile of all units together, bounded on the rounding's side.

    Args:
        parts: units by kind, all on grids of the same interval and rounded in the same sense.
        smallest_delta: the bounds may be loose for smaller deltas, if that saves time.
        most_points: more a transform must not have.

    Raises:
        WindowTooLargeError: the grid is too fine for so many units.
        ValueError: the grids have different intervals, or there is no unit.
    """
    if len({part.distribution.interval for part in parts}) != 1:
        raise ValueError("parts are not allowed: their grids must have one interval")
    kinds = _telling_kinds(parts)
    if not kinds:
        return Profile(rounding=rounding, interval=1.0, start=0.0, delta=np.zeros(2))
    if not all(kind.distribution.mass.any() for kind in kinds):
        # Some unit has nothing but outcomes that reveal everything, or nothing that is claimed.
        delta = np.full(2, _reveals_all(kinds) if rounding is Rounding.UP else 0.0)
        return Profile(rounding=rounding, interval=1.0, start=0.0, delta=delta)
    total = _Sum(kinds)
    size = total.window.size
    if size > max(_LONG_WINDOW, total.ordinary_size()):
        each = smallest_delta / len(kinds)
        capped = _Sum(
            [
                Repeated(capped_losses(kind.distribution, kind.count, rounding, each), kind.count)
                for kind in kinds
            ]
        )
        if capped.window.size < _WORTH_CAPPING * size:
            total = capped
    first, delta = total.delta_bound(rounding, smallest_delta, most_points)
    # The origins, multiplied, added and cancelled by the grid's losses, have lost some digits.
    lost = (6.0 + 2.0 * len(kinds)) * UNIT_ROUNDOFF * total.origins
    if rounding is Rounding.UP:
        delta = np.minimum.accumulate(np.minimum(delta + _reveals_all(total.kinds), 1.0))
    else:
        delta, lost = np.maximum.accumulate(delta[::-1])[::-1], -lost
    return Profile(
        rounding=rounding,
        interval=total.interval,
        start=total.origin + first * total.interval + lost,
        delta=delta,
    )


def _telling_kinds(parts: Sequence[Repeated]) -> list[Repeated]:
    """Return one part for each kind, without those that say nothing about anybody."""
    counts: dict[LossDistribution, int] = {}  # the same object, not one that is alike
    for part in parts:
        counts[part.distribution] = counts.get(part.distribution, 0) + part.count
    return [
        Repeated(one, count)
        for one, count in counts.items()
        if not (len(one.mass) == 1 and one.first == 0 == one.origin and one.infinity == 0.0)
    ]


def _reveals_all(kinds: Sequence[Repeated]) -> float:
    """Return the probability that some unit reveals everything, rounded up."""
    with np.errstate(divide="ignore"):  # at infinity = 1 the logarithm is -inf, rightly
        kept = sum(kind.count * np.log1p(-kind.distribution.infinity) for kind in kinds)
    return min(-float(np.expm1(kept)) * (1.0 + _TAIL_ROUNDING), 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Window:
    """The part of the grid, of the sum's losses, that holds a tilted sum."""

    tilted: TiltedSum
    first: int
    size: int


@dataclass(frozen=True, kw_only=True, eq=False)
class _Bound:
    """What one tilt says of delta from the grid's place ``first`` on, and how far off it may be."""

    first: int
    delta: FloatArray
    error: FloatArray

    def lacks(self, smallest_delta: float) -> tuple[bool, bool]:
        """Return whether it is off by more than shows at small epsilons, and at large ones.

        Each delta that may be one of those to resolve counts.
        """
        is_off = self.error > _NEGLIGIBLE_ERROR * self.delta
        lacking = np.flatnonzero(is_off & (self.delta + 2.0 * self.error >= smallest_delta))
        if len(lacking) == 0:
            return False, False
        with np.errstate(divide="ignore", invalid="ignore"):
            best = int(np.argmax(np.nan_to_num(self.delta / self.error)))
        return bool(lacking[0] <= best), bool(lacking[-1] >= best)


class _Sum:
    """The sum of all units' losses, tilted as it is needed.

    Attributes:
        kinds: the units.
        origin: the loss of the grid's place 0.
        origins: the sum of the absolute values that it is the sum of.
        window: of the tilt that comes first.
    """

    def __init__(self, kinds: Sequence[Repeated]) -> None:
        self.kinds = kinds
        self.interval = kinds[0].distribution.interval
        origins = [kind.count * kind.distribution.origin for kind in kinds]
        self.origin, self.origins = float(sum(origins)), float(sum(map(abs, origins)))
        self._cumulant = SumCumulantBound(kinds)
        scale = float(sum(kind.count * np.log(kind.distribution.mass.sum()) for kind in kinds))
        low, high = tilted_range(self._cumulant, 0.0, scale)
        self._widest = _WIDEST_RANGE * (high - low)
        self._tilt = tilt_for_tail(self._cumulant, float(np.log(_TAIL)))
        self.window = self._tilted(self._tilt) or self._untilted()

    def _tilted(self, tilt: float) -> _Window | None:
        """Return the window of a tilt, or of a softer one; ``None`` where none is narrow."""
        for _ in range(_MOST_SOFTENINGS):
            tilted = TiltedSum(self.kinds, tilt)
            low, high = tilted_range(self._cumulant, tilt, tilted.log_scale)
            if high - low <= self._widest:
                return self._window(tilted, low, high)
            tilt *= 0.8
        return None

    def _untilted(self) -> _Window:
        tilted = TiltedSum(self.kinds, 0.0)
        within = tilted_range(self._cumulant, 0.0, tilted.log_scale)
        return self._window(tilted, *within)

    def _window(self, tilted: TiltedSum, low: float, high: float) -> _Window:
        h = self.interval
        first_of_all = sum(kind.count * kind.distribution.first for kind in self.kinds)
        last_of_all = sum(kind.count * kind.distribution.last for kind in self.kinds)
        first = int(np.floor(max((low - self.origin) / h, first_of_all))) - 1
        highest = min((high - self.origin) / h, last_of_all)
        # The profile is asked for from epsilon = 0 on, and needs one point beyond the last loss.
        last = max(int(np.ceil(highest)), int(np.ceil(-self.origin / h))) + 2
        size = int(fft.next_fast_len(last - first + 1, real=True))
        return _Window(tilted=tilted, first=first, size=size)

    def ordinary_size(self) -> float:
        """Return how many points there would be if no unit had rare huge losses."""
        variance = sum(kind.count * kind.distribution.variance for kind in self.kinds)
        return ORDINARY_RANGE * float(np.sqrt(variance)) / self.interval

    def delta_bound(
        self, rounding: Rounding, smallest_delta: float, most_points: float
    ) -> tuple[int, FloatArray]:
        """Return a bound on delta, and from which place of the grid on it is known.

        Arguments and errors as for :func:`composed_profile`.
        """
        bounds = [self._bound(self.window, rounding, most_points)]
        at_small, at_large = bounds[0].lacks(smallest_delta)
        begins_late = self.origin + bounds[0].first * self.interval > 0.0
        if (at_small or begins_late) and self.window.tilted.tilt > 0.0:
            bounds.append(self._bound(self._untilted(), rounding, most_points))
        if at_large:
            tilt = tilt_for_tail(self._cumulant, float(np.log(_FAR_TAIL)))
            window = None if tilt == self._tilt else self._tilted(tilt)
            if window is not None:
                bounds.append(self._bound(window, rounding, most_points))
        first = min(bound.first for bound in bounds)
        end = max(bound.first + len(bound.delta) for bound in bounds)
        # Where a window has ended nothing is bounded by it.
        is_up = rounding is Rounding.UP
        delta = np.full(end - first, 1.0 if is_up else 0.0)
        for bound in bounds:
            part = delta[bound.first - first :][: len(bound.delta)]
            part[:] = np.minimum(part, bound.delta) if is_up else np.maximum(part, bound.delta)
        return first, delta

    def _bound(self, window: _Window, rounding: Rounding, most_points: float) -> _Bound:
        """Return the bound on delta that a tilt gives for epsilon >= 0, as far as its window."""
        tilted, size, h = window.tilted, window.size, self.interval
        if size > most_points:
            raise WindowTooLargeError(h, sum(kind.count for kind in self.kinds), size / most_points)
        spectra = [unit.transform(size) for unit in tilted.units]
        summed = SummedTransform(spectra, [kind.count for kind in self.kinds], size)
        rounded: FloatArray = fft.irfft(summed.product, size)
        composed = np.roll(np.maximum(rounded, 0.0), -(window.first % size))
        # Each point's error counts as its mass does; all of them, by Cauchy-Schwarz.
        absolute = summed.error(composed) * weights_norm(size, h, tilted.tilt)
        absolute += 2.0 * float(np.exp(LOG_WRAPPED_TAIL))
        # From epsilon = 0 on, and the one grid point before it.
        start = min(max(int(np.floor(-self.origin / h)) - window.first, 0), size - 2)
        first = window.first + start
        delta, error = delta_of_tilted_sum(
            tilted,
            composed[start:],
            np.asarray(self.origin + (window.first + np.arange(start, size)) * h),
            interval=h,
            origins=self.origins,
            size=size,
            absolute=absolute,
            rounding=rounding,
        )
        return _Bound(first=first, delta=delta, error=error)
