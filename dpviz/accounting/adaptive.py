"""The profile of units whose pair an attacker chooses anew, by what earlier units have shown.

With V_0(epsilon) = max(0, 1 - e^epsilon) and a choice of losses L for each of the next m units,

    V_k(epsilon) = max over choices of E[V_(k - m)(epsilon - L_1 - ... - L_m)]

is what can be told of k units (docs/tighter-bounds.md, Proposition 9). In units of e^(-t epsilon)
each stage is a convolution with tilted masses, whose errors are relative to its peak; they are
added to an upper bound and subtracted from a lower one at each stage.
"""

from collections.abc import Sequence

import numpy as np
from scipy import fft

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.composition import WindowTooLargeError
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.profile import Profile
from dpviz.accounting.tilted_sum import (
    LOG_WRAPPED_TAIL,
    Repeated,
    SumCumulantBound,
    TiltedUnit,
    tilted_range,
)
from dpviz.accounting.transforms import power_of, transform_error, two_norm

# Thresholds at which e^(t epsilon) is this small are left out: nothing is gained there from below,
# and V is at most 1 from above.
_NEGLIGIBLE_THRESHOLDS = {Rounding.DOWN: 16.0, Rounding.UP: 30.0}
_MOST_POINTS = 2**17
_WIDEST_REACH = 1.5
_MOST_SOFTENINGS = 20
# An exponential and its factors, for each stage.
_STAGE_ROUNDING = 16.0


class _Choice:
    """One kind of unit, tilted; its spectrum follows once the transforms' length is known."""

    def __init__(self, unit: LossDistribution, tilt: float) -> None:
        self.unit = unit
        self.tilted = TiltedUnit(unit, tilt)
        self._tilt = tilt
        self.spectrum = np.zeros(0, dtype=np.complex128)

    def reach(self, count: int) -> float:
        """Return how far the tilted sum of so many units' losses may lie from 0, in nats."""
        bound = SumCumulantBound([Repeated(self.unit, count)])
        low, high = tilted_range(bound, self._tilt, count * self.tilted.log_scale)
        return max(abs(low), abs(high))


def softened(units: Sequence[LossDistribution], count: int, tilt: float, furthest: float) -> float:
    """Return a tilt under which rare huge losses do not make the sum's range much wider."""
    widest = _WIDEST_REACH * max(furthest, *(_Choice(unit, 0.0).reach(count) for unit in units))
    for _ in range(_MOST_SOFTENINGS):
        if max(_Choice(unit, tilt).reach(count) for unit in units) <= widest:
            break
        tilt *= 0.7
    return tilt


class AdaptiveGame:
    """V_k on a grid of thresholds, bounded on one side.

    From above V_k is known at the grid's points. From below it is known at both ends of each cell
    between two points: with choices made for a whole cell, as its left end would have them, what is
    attained is linear in e^epsilon within the cell.

    Args:
        choices: the losses of one unit under each choice, all on grids of one interval, rounded to
            ``rounding``.
        tilt: t > 0; about the slope of -ln V where V is asked for.
        furthest: the largest threshold that is resolved.
        longest: the most units of a stage.

    Raises:
        WindowTooLargeError: the grid is too fine.
    """

    def __init__(
        self,
        choices: Sequence[LossDistribution],
        rounding: Rounding,
        *,
        tilt: float,
        furthest: float,
        longest: int,
    ) -> None:
        self._rounding, self._tilt = rounding, tilt
        self._interval = h = choices[0].interval
        self._choices = [_Choice(unit, tilt) for unit in choices]
        self._first = -int(np.ceil(_NEGLIGIBLE_THRESHOLDS[rounding] / tilt / h))
        points = int(np.ceil(furthest / h)) - self._first + 2
        reach = max(choice.reach(longest) for choice in self._choices)
        wanted = points + int(np.ceil(reach / h)) + 4
        if wanted > _MOST_POINTS:
            raise WindowTooLargeError(h, longest, wanted / _MOST_POINTS)
        self._size = int(fft.next_fast_len(wanted, real=True))
        for choice in self._choices:
            choice.spectrum = choice.tilted.transform(self._size)
        self._indices = self._first + np.arange(points)
        self._origin = 0.0  # the threshold of index 0
        self._moved = 0.0  # how far thresholds may have been misplaced, and by rounding
        self._relative = 0.0
        self._log_scale = 0.0
        self._floor = 0.0  # what V has besides the rows, for an upper bound
        ends = [self._indices * h]
        if rounding is Rounding.DOWN:
            ends.append((self._indices + 1) * h)
        self._ends = [tilt * end for end in ends]
        rows = [-np.expm1(np.minimum(end, 0.0)) * np.exp(tilt * end) for end in ends]
        self._rows = np.array(rows)

    def play(self, units: int, only: int | None = None) -> None:
        """Let the attacker choose for so many further units, one choice for all of them.

        Args:
            units: m, at least 1.
            only: the one choice there is; ``None`` for all.
        """
        h, tilt = self._interval, self._tilt
        choices = self._choices if only is None else [self._choices[only]]
        spectra = fft.rfft(self._rows, self._size)
        norm, peak = two_norm(self._rows.ravel()), float(self._rows.max())
        transform = transform_error(self._size)
        off = 1.1 * ((units + 2.0) * transform + (8.0 * units + 4.0) * UNIT_ROUNDOFF) * norm
        off += 2.0 * float(np.exp(LOG_WRAPPED_TAIL)) * peak
        is_up = self._rounding is Rounding.UP
        if is_up:  # thresholds before the first have V <= 1
            left = self._ends[0][0] + tilt * self._origin - self._log_scale
            off += 1.001 * float(np.exp(left))
        origins = [units * choice.unit.origin for choice in choices]
        steps = round((self._origin + origins[0]) / h)
        scales = [units * choice.tilted.log_scale for choice in choices]
        found: list[FloatArray] = []
        misplaced, relative = 0.0, 0.0
        for choice, origin, scale in zip(choices, origins, scales, strict=True):
            place = steps + (origin - origins[0]) / h
            misplaced = max(misplaced, abs(place - round(place)) * h)
            convolved = fft.irfft(spectra * power_of(choice.spectrum, units), self._size)
            moved = np.roll(convolved, round(place), axis=1) if round(place) else convolved
            moved = moved[:, : len(self._indices)]
            if scale < max(scales):
                moved *= np.exp(scale - max(scales))
            if is_up and found:
                np.maximum(found[0], moved, out=found[0])
            else:
                found.append(moved)
            relative = max(relative, units * choice.tilted.relative_error)
        furthest = max(map(abs, origins)) + abs(self._origin)
        self._origin += origins[0] - h * steps
        self._log_scale += max(scales)
        sums = max(map(abs, scales)) + tilt * (furthest + misplaced / UNIT_ROUNDOFF)
        self._relative += relative + UNIT_ROUNDOFF * (_STAGE_ROUNDING + 4.0 * sums)
        self._moved += misplaced + 8.0 * UNIT_ROUNDOFF * (furthest + h)
        if is_up:
            self._floor += 1.001 * units * max(choice.unit.infinity for choice in choices)
            self._rows = found[0] + off
            self._limit_above()
        else:
            best = found[0]
            for one in found[1:]:
                best = np.where(one[0] > best[0], one, best)
            self._rows = np.maximum(best - off, 0.0)
            self._limit_below()

    def _limit_above(self) -> None:
        """Use that V is at most 1 and does not increase: beyond the last point it is the floor."""
        tilted = np.exp(self._ends[0] + self._tilt * self._origin - self._log_scale)
        last = float(self._rows[0, -1] / tilted[-1])
        self._floor += last * 1.001
        self._rows[0] = np.maximum(np.minimum(self._rows[0], tilted) - last * tilted, 0.0)

    def _limit_below(self) -> None:
        """Use that who goes on has no less than who stops: 1 - e^epsilon, linear in e^epsilon.

        From threshold 0 on that is nothing.
        """
        below = int(np.count_nonzero(self._ends[0] / self._tilt + self._origin < 0.0))
        floors = [
            -np.expm1(np.minimum(end / self._tilt + self._origin, 0.0))
            * np.exp(end + self._tilt * self._origin - self._log_scale)
            for end in (end[:below] for end in self._ends)
        ]
        stops = np.array(floors) * (1.0 - 1e-12)
        rows = self._rows[:, :below]
        better = np.all(stops > rows, axis=0)
        rows[:, better] = stops[:, better]

    def profile(self) -> Profile:
        """Return what is known after all units so far."""
        h, tilt = self._interval, self._tilt
        at = self._origin + self._indices * h
        exponents = self._log_scale - tilt * at
        off = self._relative + UNIT_ROUNDOFF * (
            _STAGE_ROUNDING + 4.0 * (abs(self._log_scale) + float(np.abs(tilt * at).max()))
        )
        values = self._rows[0] * np.exp(np.minimum(exponents, 700.0))
        if self._rounding is Rounding.UP:
            delta = values * (1.0 + off) + self._floor * (1.0 + off)
            delta = np.minimum.accumulate(np.minimum(delta, 1.0))
            start = float(at[0]) + self._moved
            return Profile(rounding=self._rounding, interval=h, start=start, delta=delta)
        right = self._rows[1] * np.exp(np.minimum(exponents - tilt * h, 700.0))
        # A line below that of each cell: at a point the smaller of both cells' ends.
        delta = np.minimum(values[1:], right[:-1]) * (1.0 - off)
        delta[-1] = 0.0
        # No smaller threshold has less. A point that this raises may end above the cell before it,
        # whose line would then be too high: that cell has its right end's value throughout.
        raised = np.maximum.accumulate(delta[::-1])[::-1]
        flat = np.append(raised[1:] > delta[1:], False)
        delta = np.where(flat, np.append(raised[1:], 0.0), raised)
        start = float(at[1]) - self._moved
        return Profile(rounding=self._rounding, interval=h, start=start, delta=delta)
