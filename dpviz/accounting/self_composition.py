"""The profile of many independent units: powers of a tilted Fourier transform.

The masses p(l) are tilted to p(l) e^(t l) / M(t) before they are transformed. The tilted sum
sits where delta is small, so rounding errors, which are relative to its peak, stay small
relative to delta there. In units of M(t)^s e^(-t epsilon) every error is one number:

* the tilted probability outside of the transform's window (a Chernoff bound), which wraps
  around to some other loss,
* the rounding error of the transforms and of the power.

Both are added to an upper bound and subtracted from a lower one. Several tilts are used; at
each epsilon the best of their bounds holds.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.capped import capped_losses, ordinary_range
from dpviz.accounting.chernoff import CumulantBound, tilt_for_tail, tilted_range
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.profile import Profile
from dpviz.accounting.scaled_profile import delta_of_tilted_sum, weights_norm

# Besides the plain sum: sums centred at the losses that are exceeded with these probabilities.
TILT_TAILS = (1e-4, 1e-9)
# At low rates a strong tilt makes single huge losses likely, and the range of the sum wide: it
# is softened until the window is at most this many times as wide as without a tilt.
WIDEST_RANGE = 2.0
MOST_SOFTENINGS = 12
# Below the rounding error of the transforms, at which a smaller tail would be lost anyway.
LOG_WRAPPED_TAIL = float(np.log(1e-16))
MOST_WINDOW_POINTS = 2**22
ComplexArray = NDArray[np.complex128]
LOG_NEGLIGIBLE = float(np.log(1e-140))
# In longer transforms of more than ordinary ranges, losses that hardly matter are cut off.
LONG_WINDOW = 2**16
WORTH_CAPPING = 0.7
# A sum of at most 300 normal tails at up to 38 standard deviations is off by less than 6,400 units
# in the last place (4 z^2 for each tail); this is more, and shows nowhere.
TAIL_ROUNDING = 2.0**-40
# Deltas down to this one are resolved in any case.
SMALLEST_DELTA = 1e-12


class WindowTooLargeError(ValueError):
    """The composed losses need more grid points than a transform is allowed to have.

    Args:
        interval: grid distance, in nats.
        count: number of units.
        excess: how many times as many points it would need; above 1.
    """

    def __init__(self, interval: float, count: int, excess: float) -> None:
        super().__init__(f"interval = {interval:g} is too fine for {count} units")
        self.excess = excess


def composed_profile(
    distribution: LossDistribution,
    count: int,
    rounding: Rounding,
    *,
    smallest_delta: float = SMALLEST_DELTA,
    most_points: float = MOST_WINDOW_POINTS,
) -> Profile:
    """Return the profile of ``count`` independent units, bounded on the rounding's side.

    Args:
        distribution: one unit's loss, itself rounded in the same sense.
        count: number of units, at least 1.
        rounding: UP for an upper bound on delta, DOWN for a lower bound.
        smallest_delta: the bounds may be loose for smaller deltas, if that saves time.
        most_points: more a transform must not have.

    Raises:
        WindowTooLargeError: the grid is too fine for so many units.
    """
    is_at_zero = len(distribution.mass) == 1 and distribution.first == 0 == distribution.origin
    if is_at_zero and distribution.infinity == 0.0:
        return Profile(rounding=rounding, interval=1.0, start=0.0, delta=np.zeros(2))
    if not distribution.mass.any():
        # Nothing but outcomes that reveal everything, or nothing that is claimed.
        delta = np.full(2, _reveals_all(distribution, count) if rounding is Rounding.UP else 0.0)
        return Profile(rounding=rounding, interval=1.0, start=0.0, delta=delta)
    units, ranges = _tilted_units(distribution, count)
    first, size = _window(distribution, count, ranges)
    if size > max(LONG_WINDOW, ordinary_range(distribution, count) / distribution.interval):
        capped = capped_losses(distribution, count, rounding, smallest_delta)
        capped_units, ranges = _tilted_units(capped, count)
        capped_first, capped_size = _window(capped, count, ranges)
        if capped_size < WORTH_CAPPING * size:
            distribution, units = capped, capped_units
            first, size = capped_first, capped_size
    if size > most_points:
        raise WindowTooLargeError(distribution.interval, count, size / most_points)
    # Keep epsilon >= 0, and the one grid point before it.
    origin = count * distribution.origin
    start = min(max(int(np.floor(-origin / distribution.interval)) - first, 0), size - 2)
    values = [unit.delta_bound(count, first, size, start, rounding) for unit in units]
    delta = np.min(values, axis=0) if rounding is Rounding.UP else np.max(values, axis=0)
    if rounding is Rounding.UP:
        delta = delta + _reveals_all(distribution, count)
        delta = np.minimum.accumulate(np.minimum(delta, 1.0))
    else:
        delta = np.maximum.accumulate(np.maximum(delta, 0.0)[::-1])[::-1]
    # The origin, multiplied and then cancelled by the grid's losses, has lost some digits.
    lost = 8.0 * UNIT_ROUNDOFF * abs(origin) * (1.0 if rounding is Rounding.UP else -1.0)
    return Profile(
        rounding=rounding,
        interval=distribution.interval,
        start=origin + (first + start) * distribution.interval + lost,
        delta=delta,
    )


def _reveals_all(distribution: LossDistribution, count: int) -> float:
    """Return the probability that some unit reveals everything, rounded up."""
    with np.errstate(divide="ignore"):  # at infinity = 1 the logarithm is -inf, rightly
        reveals = -float(np.expm1(count * np.log1p(-distribution.infinity)))
    return min(reveals * (1.0 + TAIL_ROUNDING), 1.0)


def _tilted_units(
    distribution: LossDistribution, count: int
) -> tuple[list["TiltedUnit"], list[tuple[float, float]]]:
    """Return the untilted unit and some tilted ones, with the ranges of their sums."""
    cumulant = CumulantBound(distribution)
    plain = TiltedUnit(distribution, 0.0)
    units = [plain]
    ranges = [tilted_range(cumulant, count, 0.0, count * plain.log_scale, LOG_WRAPPED_TAIL)]
    started = 0.0
    widest = WIDEST_RANGE * (ranges[0][1] - ranges[0][0])
    for tail in TILT_TAILS:
        tilt = tilt_for_tail(cumulant, count, float(np.log(tail)))
        if tilt == started:
            continue
        started = tilt
        for _ in range(MOST_SOFTENINGS):
            unit = TiltedUnit(distribution, tilt)
            low, high = tilted_range(
                cumulant, count, tilt, count * unit.log_scale, LOG_WRAPPED_TAIL
            )
            if high - low <= widest:
                units.append(unit)
                ranges.append((low, high))
                break
            tilt *= 0.8
    return units, ranges


def _window(
    distribution: LossDistribution, count: int, ranges: list[tuple[float, float]]
) -> tuple[int, int]:
    """Return the first index and the length of a transform that covers all the ranges."""
    h, origin = distribution.interval, count * distribution.origin
    lowest = max((min(low for low, _ in ranges) - origin) / h, count * distribution.first)
    highest = min((max(high for _, high in ranges) - origin) / h, count * distribution.last)
    # The profile is asked for from epsilon = 0 on, and needs one point beyond the last loss.
    first = int(np.floor(lowest)) - 1
    last = max(int(np.ceil(highest)), int(np.ceil(-origin / h))) + 2
    return first, int(fft.next_fast_len(last - first + 1, real=True))


class TiltedUnit:
    """One unit's masses, tilted by ``e^(tilt loss)`` and normalised.

    Attributes:
        mass: tilted and normalised, shape (points,).
        log_scale: ln of the normalisation.
        relative_error: bound on the relative error of the masses.
    """

    def __init__(self, distribution: LossDistribution, tilt: float) -> None:
        self.distribution = distribution
        self.tilt = tilt
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

    def delta_bound(
        self, count: int, first: int, size: int, start: int, rounding: Rounding
    ) -> FloatArray:
        """Return the bound on delta at the losses first + start, ..., first + size - 1."""
        h, t = self.distribution.interval, self.tilt
        positions = self.distribution.indices % size
        folded = np.asarray(np.bincount(positions, weights=self.mass, minlength=size), dtype=float)
        spectrum = fft.rfft(folded)
        magnitude = np.sqrt(spectrum.real**2 + spectrum.imag**2)
        # Most coefficients of many units vanish: whose power is far below any rounding error.
        kept = np.flatnonzero(magnitude > np.exp(LOG_NEGLIGIBLE / count))
        powers = np.zeros_like(spectrum)
        powers[kept] = power_of(spectrum[kept], count)
        rounded: FloatArray = fft.irfft(powers, size)
        composed = np.roll(np.maximum(rounded, 0.0), -(first % size))

        error = _transform_error(count, size, magnitude[kept], composed)
        # Each point's error counts as its mass does; all of them, by Cauchy-Schwarz.
        absolute = error * weights_norm(size, h, t) + 2.0 * float(np.exp(LOG_WRAPPED_TAIL))

        places = (first + np.arange(start, size)) * h
        return delta_of_tilted_sum(
            composed[start:],
            np.asarray(count * self.distribution.origin + places),
            interval=h,
            tilt=t,
            log_scale=count * self.log_scale,
            log_scales=abs(count * self.log_scale),
            size=size,
            absolute=absolute,
            relative=count * self.relative_error,
            rounding=rounding,
        )


def power_of(spectrum: ComplexArray, count: int) -> ComplexArray:
    """Return ``spectrum ** count`` by repeated squaring, much cheaper than exp(count log).

    No coefficient is so small that one of the squares, none of a higher power, is subnormal, and
    slow.
    """
    power, square, left = np.ones_like(spectrum), spectrum.copy(), count
    while True:
        if left % 2:
            power *= square
        left //= 2
        if left == 0:
            return power
        square *= square


def _transform_error(count: int, size: int, kept: FloatArray, composed: FloatArray) -> float:
    """Bound the 2-norm of the rounding error of ``count`` units' tilted masses.

    A transform of length n errs by at most about 7 u log2(n) relative to its 2-norm (Higham
    2002, *Accuracy and Stability of Numerical Algorithms*, Thm 24.2, with accurate twiddle
    factors); 8 leaves room for other radices. By the same argument along each path from an
    input to an output, no coefficient errs by more than that times the 1-norm, which is 1 here.

    * The spectrum z errs by e, its power by at most s e (|z| + e)^(s - 1).
    * The power itself, by repeated squaring, errs by at most about 2 sqrt(5) s units in the last
      place (sqrt(5) for each complex product, doubled by each squaring after it).
    * The transform back errs as such.

    Args:
        count: s, the number of units.
        size: n, the length of the transforms.
        kept: |z| of one unit, for the non-negative frequencies; those that are not kept have
            a power of at most ``exp(LOG_NEGLIGIBLE)``, and 0 stands for it.
        composed: the masses of ``count`` units.
    """
    transform = 8.0 * UNIT_ROUNDOFF * np.log2(size)
    # The negative frequencies mirror the others, so each counts twice at most.
    powers = np.exp(2.0 * (count - 1) * np.log(kept + transform))
    dropped = np.exp(2.0 * (count - 1) * np.log(np.exp(LOG_NEGLIGIBLE / count) + transform))
    squares = float(np.sum(powers)) + (size // 2 + 1 - len(kept)) * float(dropped)
    spectral = np.sqrt(2.0 / size * squares)
    power = 8.0 * count * UNIT_ROUNDOFF * two_norm(composed)
    # What is dropped errs by its power, too: by less than any of this rounds to.
    return float((count * transform * spectral + power + transform * two_norm(composed)) * 1.01)


def two_norm(values: FloatArray) -> float:
    """Return the 2-norm."""
    # Without BLAS: for vectors of this size its threads cost far more than they save.
    return float(np.sqrt(np.sum(values * values)))
