"""The profile of independent units of several kinds: products of tilted Fourier transforms.

As for units of one kind (:mod:`dpviz.accounting.self_composition`), with one tilt for all of them:
the cumulants add up, and so do the errors of the factors.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import fft

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.capped import capped_losses, ordinary_range
from dpviz.accounting.chernoff import CumulantBound, tilt_for_tail, tilted_range
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.profile import Profile
from dpviz.accounting.scaled_profile import delta_of_tilted_sum, weights_norm
from dpviz.accounting.self_composition import (
    LOG_NEGLIGIBLE,
    LOG_WRAPPED_TAIL,
    LONG_WINDOW,
    MOST_SOFTENINGS,
    MOST_WINDOW_POINTS,
    SMALLEST_DELTA,
    TAIL_ROUNDING,
    TILT_TAILS,
    WIDEST_RANGE,
    WORTH_CAPPING,
    TiltedUnit,
    WindowTooLargeError,
    composed_profile,
    power_of,
    two_norm,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Repeated:
    """Independent units of one kind.

    Args:
        distribution: one unit's loss.
        count: how many of them, at least 1.
    """

    distribution: LossDistribution
    count: int


def mixed_profile(
    parts: Sequence[Repeated],
    rounding: Rounding,
    *,
    smallest_delta: float = SMALLEST_DELTA,
    most_points: float = MOST_WINDOW_POINTS,
) -> Profile:
    """Return the profile of all units together, bounded on the rounding's side.

    Args:
        parts: units by kind, all on grids of the same interval and rounded in the same sense.
        rounding: UP for an upper bound on delta, DOWN for a lower bound.
        smallest_delta: the bounds may be loose for smaller deltas, if that saves time.
        most_points: longest transform to take.

    Raises:
        WindowTooLargeError: the grid is too fine for so many units.
        ValueError: the grids have different intervals, or there is no unit.
    """
    if len({part.distribution.interval for part in parts}) != 1:
        raise ValueError("parts are not allowed: their grids must have one interval")
    kinds = _merged(parts)
    if len(kinds) == 1:
        [one] = kinds
        return composed_profile(
            one.distribution,
            one.count,
            rounding,
            smallest_delta=smallest_delta,
            most_points=most_points,
        )
    reveals = _reveals_all(kinds) if rounding is Rounding.UP else 0.0
    if not all(part.distribution.mass.any() for part in kinds):
        # Some unit has nothing but outcomes that reveal everything, or nothing that is claimed.
        return Profile(rounding=rounding, interval=1.0, start=0.0, delta=np.full(2, reveals))
    total = _Sum(kinds)
    h = total.interval
    ordinary = float(
        np.sqrt(sum(ordinary_range(part.distribution, part.count) ** 2 for part in kinds))
    )
    if total.size > max(LONG_WINDOW, ordinary / h):
        capped = _Sum(
            [
                Repeated(
                    distribution=capped_losses(
                        part.distribution, part.count, rounding, smallest_delta / len(kinds)
                    ),
                    count=part.count,
                )
                for part in kinds
            ]
        )
        if capped.size < WORTH_CAPPING * total.size:
            total = capped
            reveals = _reveals_all(total.parts) if rounding is Rounding.UP else 0.0
    if total.size > most_points:
        counts = sum(part.count for part in kinds)
        raise WindowTooLargeError(h, counts, total.size / most_points)
    start = min(max(int(np.floor(-total.origin / h)) - total.first, 0), total.size - 2)
    values = [total.delta_bound(at, start, rounding) for at in range(len(total.tilts))]
    delta = np.min(values, axis=0) if rounding is Rounding.UP else np.max(values, axis=0)
    if rounding is Rounding.UP:
        delta = np.minimum.accumulate(np.minimum(delta + reveals, 1.0))
    else:
        delta = np.maximum.accumulate(np.maximum(delta, 0.0)[::-1])[::-1]
    # The origins, multiplied, added and cancelled by the grid's losses, have lost some digits.
    lost = (8.0 + 2.0 * len(kinds)) * UNIT_ROUNDOFF * total.origins
    return Profile(
        rounding=rounding,
        interval=h,
        start=total.origin
        + (total.first + start) * h
        + (lost if rounding is Rounding.UP else -lost),
        delta=delta,
    )


def _merged(parts: Sequence[Repeated]) -> list[Repeated]:
    """Return one part for each kind, without those that say nothing about anybody."""
    counts: dict[int, int] = {}
    kinds = {id(part.distribution): part.distribution for part in parts}
    for part in parts:
        counts[id(part.distribution)] = counts.get(id(part.distribution), 0) + part.count
    merged = [Repeated(distribution=kinds[key], count=count) for key, count in counts.items()]
    telling = [part for part in merged if not _is_silent(part.distribution)]
    return telling or merged[:1]


def _is_silent(distribution: LossDistribution) -> bool:
    is_at_zero = len(distribution.mass) == 1 and distribution.first == 0 == distribution.origin
    return is_at_zero and distribution.infinity == 0.0


def _reveals_all(parts: Sequence[Repeated]) -> float:
    """Return the probability that some unit reveals everything, rounded up."""
    with np.errstate(divide="ignore"):  # at infinity = 1 the logarithm is -inf, rightly
        kept = [part.count * np.log1p(-part.distribution.infinity) for part in parts]
    return min(-float(np.expm1(sum(kept))) * (1.0 + TAIL_ROUNDING), 1.0)


class _Sum:
    """The sum of all units' losses, under several tilts, and the window that holds it."""

    def __init__(self, parts: Sequence[Repeated]) -> None:
        self.parts = parts
        self.interval = parts[0].distribution.interval
        self.origin = float(sum(part.count * part.distribution.origin for part in parts))
        self.origins = float(sum(part.count * abs(part.distribution.origin) for part in parts))
        self.tilts: list[list[TiltedUnit]] = []
        ranges = self._tilt()
        first_of_all = sum(part.count * part.distribution.first for part in parts)
        last_of_all = sum(part.count * part.distribution.last for part in parts)
        h, origin = self.interval, self.origin
        lowest = max((min(low for low, _ in ranges) - origin) / h, first_of_all)
        highest = min((max(high for _, high in ranges) - origin) / h, last_of_all)
        # The profile is asked for from epsilon = 0 on, and needs one point beyond the last loss.
        self.first = int(np.floor(lowest)) - 1
        last = max(int(np.ceil(highest)), int(np.ceil(-origin / h))) + 2
        self.size = int(fft.next_fast_len(last - self.first + 1, real=True))

    def _tilt(self) -> list[tuple[float, float]]:
        cumulant = _TotalCumulant(self.parts)
        ranges: list[tuple[float, float]] = []
        started, widest = -1.0, np.inf
        for tail in (None, *TILT_TAILS):
            tilt = 0.0 if tail is None else tilt_for_tail(cumulant, 1, float(np.log(tail)))
            if tilt == started:
                continue
            started = tilt
            for _ in range(MOST_SOFTENINGS):
                units = [TiltedUnit(part.distribution, tilt) for part in self.parts]
                low, high = tilted_range(
                    cumulant, 1, tilt, self._log_scale(units), LOG_WRAPPED_TAIL
                )
                if high - low <= widest:
                    self.tilts.append(units)
                    ranges.append((low, high))
                    break
                tilt *= 0.8
            if tail is None:
                widest = WIDEST_RANGE * (ranges[0][1] - ranges[0][0])
        return ranges

    def _log_scale(self, units: Sequence[TiltedUnit]) -> float:
        scales = [part.count * unit.log_scale for part, unit in zip(self.parts, units, strict=True)]
        return float(sum(scales))

    def delta_bound(self, at: int, start: int, rounding: Rounding) -> FloatArray:
        """Return the bound on delta that a tilt gives from the window's place ``start`` on."""
        units, size, h = self.tilts[at], self.size, self.interval
        counts, t = [part.count for part in self.parts], units[0].tilt
        spectra = []
        for part, unit in zip(self.parts, units, strict=True):
            positions = part.distribution.indices % size
            spectra.append(fft.rfft(np.bincount(positions, weights=unit.mass, minlength=size)))
        magnitudes = [np.sqrt(one.real**2 + one.imag**2) for one in spectra]
        with np.errstate(divide="ignore"):
            logs = sum(count * np.log(one) for count, one in zip(counts, magnitudes, strict=True))
        kept = np.flatnonzero(logs > LOG_NEGLIGIBLE)
        product = np.zeros_like(spectra[0])
        product[kept] = 1.0
        for count, spectrum in zip(counts, spectra, strict=True):
            product[kept] *= power_of(spectrum[kept], count)
        composed = np.roll(np.maximum(fft.irfft(product, size), 0.0), -(self.first % size))
        error = _transform_error(counts, size, magnitudes, kept, composed)
        absolute = error * weights_norm(size, h, t) + 2.0 * float(np.exp(LOG_WRAPPED_TAIL))
        scales = [count * unit.log_scale for count, unit in zip(counts, units, strict=True)]
        return delta_of_tilted_sum(
            composed[start:],
            np.asarray(self.origin + (self.first + np.arange(start, size)) * h),
            interval=h,
            tilt=t,
            log_scale=float(sum(scales)),
            log_scales=float(sum(map(abs, scales))) + abs(t) * self.origins,
            size=size,
            absolute=absolute,
            relative=sum(
                count * unit.relative_error for count, unit in zip(counts, units, strict=True)
            ),
            rounding=rounding,
        )


class _TotalCumulant(CumulantBound):
    """An upper bound on the cumulants of the sum of all units' losses."""

    def __init__(self, parts: Sequence[Repeated]) -> None:
        self._parts = [(part.count, CumulantBound(part.distribution)) for part in parts]
        self.spread = float(np.sqrt(sum(count * one.spread**2 for count, one in self._parts)))

    def __call__(self, tilts: FloatArray) -> FloatArray:
        return np.asarray(sum(count * one(tilts) for count, one in self._parts))


def _transform_error(
    counts: Sequence[int],
    size: int,
    magnitudes: Sequence[FloatArray],
    kept: np.ndarray,
    composed: FloatArray,
) -> float:
    """Bound the 2-norm of the rounding error of all units' tilted masses.

    As for units of one kind: each factor's coefficient z errs by e, so the product of the powers
    z_i^s_i by at most e times the sum of s_i / (|z_i| + e), times the product of (|z_i| + e)^s_i.
    Coefficients that are left out err by that last product at most.

    Args:
        counts: s_i, the number of units of each kind.
        size: length of the transforms.
        magnitudes: |z_i| for the non-negative frequencies.
        kept: the frequencies that are not left out.
        composed: the masses of all units together.
    """
    transform = 8.0 * UNIT_ROUNDOFF * float(np.log2(size))
    padded = [one + transform for one in magnitudes]
    bound = np.exp(sum(count * np.log(one) for count, one in zip(counts, padded, strict=True)))
    errors = bound.copy()
    errors[kept] = (
        transform
        * bound[kept]
        * sum(count / one[kept] for count, one in zip(counts, padded, strict=True))
    )
    # The negative frequencies mirror the others, so each counts twice at most.
    spectral = float(np.sqrt(2.0 / size * np.sum(errors**2)))
    # Powers by repeated squaring, and the products of the kinds.
    of_powers = 8.0 * (sum(counts) + len(counts)) * UNIT_ROUNDOFF * two_norm(composed)
    return (spectral + of_powers + transform * two_norm(composed)) * 1.01
