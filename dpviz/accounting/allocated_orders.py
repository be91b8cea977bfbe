"""What the best test tells of a series in one of many batches, at one order.

With a and b the likelihoods of one batch's output under U and V of an allocated pair, relative to
a batch without the series, H_theta(U || V) = E (X_1 + ... + X_K)+ / K, where X = a - theta b are
independent and alike (docs/tighter-bounds.md, Proposition 24). Their sum is put on a grid.

* From above: X is moved up to a least value and split between grid points with its mean kept, which
  raises the value, for (sum)+ is convex and increases. What X has above a largest value is counted
  apart. The sum's law is tilted, so that errors of transforms are relative to what is asked for.
* From below: any event is a test. Taken is that the sum of the rounded X is above 0, or is wrapped
  around to what is above 0.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy import fft
from scipy.special import ndtr, ndtri

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray, Masses, normal_masses
from dpviz.accounting.transforms import SummedTransform, two_norm

# Of X's standard deviation without its tails: the grid's distance, where that takes no more points
# than the most.
_STEP = 0.03
_FEWEST_POINTS, MOST_POINTS = 2**12, 2**14
_FAR_APART = 2.8  # standard deviations; then a and b have long tails
# What X has beyond the largest value may be this part of the result, its tail before the least
# value this probable in some batch.
_BEYOND, _BEFORE = 1e-4, 1e-5
_LEAST_VALUE = 1e-25
_DEVIATIONS = 10.0
_TYPICAL = 3.0
# Least tilts and rates of Chernoff bounds, in units of the largest value, and of the least. Each
# next one is larger by the root of 2: its powers are the squares of those two places before.
_FIRST_RATE, _FIRST_RATE_BELOW = 0.02, 0.1
_RATES, _RATES_BELOW = 25, 18  # so many
# About the rounding error of a transform.
_TRANSFORM_ERROR = 1e-14


class SumOfRatios:
    """The sum of X = a - theta b over all batches, on a grid.

    Args:
        batches: K, at least 2.
        means: of the two distributions in the batch that has the series, in standard deviations of
            the noise: (s, -s), (s, 0) or (0, -s).
        order: theta >= 1.
        guess: about the value of H_theta; no bound rests on it.
        most_points: of the grid, unless a and b have long tails: four times as many then.

    Attributes:
        spread: about how far the privacy loss is from 0, at the order 1.
    """

    def __init__(
        self,
        batches: int,
        means: tuple[float, float],
        order: float,
        guess: float,
        most_points: int = MOST_POINTS,
    ) -> None:
        """Lay the grid."""
        self._batches, self._order, self._means = batches, order, means
        u, v = means
        least = order
        if v < 0.0:
            least *= float(np.exp(-v * -ndtri(_BEFORE / batches) - v * v / 2))
        largest = 1.0
        self._makes_up = v == 0.0  # for all other batches: their X is -theta at least
        if self._makes_up:
            largest = batches * order
        elif u > 0.0:
            beyond = max(_BEYOND * guess, _LEAST_VALUE)
            largest = float(np.exp(u * (u - ndtri(beyond)) - u * u / 2))
        square = np.exp(u * u) * ndtr(_TYPICAL - 2.0 * u)
        square += order**2 * np.exp(v * v) * ndtr(_TYPICAL + 2.0 * v)
        square -= 2.0 * order * np.exp(u * v) * ndtr(_TYPICAL - u - v)
        deviation = float(np.sqrt(max(square - (1.0 - order) ** 2, 1e-12)))
        if self._makes_up:
            deviation = min(deviation, 0.5 * order * float(np.sqrt(batches)))
        sums = deviation * float(np.sqrt(batches))
        self.spread = deviation / float(np.sqrt(batches))
        below = batches * (order - 1.0) + _DEVIATIONS * sums + 3.0 * least
        below = min(below, batches * least)
        above = _DEVIATIONS * sums + min(batches, 3) * largest
        wanted = (below + above) / (_STEP * deviation)
        exponent = np.ceil(np.log2(max(wanted, _FEWEST_POINTS)))
        most = most_points if u - v < _FAR_APART else 4 * most_points
        self._size = int(min(2.0**exponent, most))
        step = float((below + above) / (self._size - 4))
        if self._makes_up:  # -theta, near which X nearly always is, is a place of the grid
            step = order / max(float(np.floor(order / step)), 1.0)
        self._step = step
        self._first = -int(np.ceil(least / step * (1.0 - 1e-9)))
        self._last = min(max(int(np.ceil(largest / step)), self._first + 2), self._size)
        self._lowest_sum = -int(np.ceil(below / step)) - 1
        self._places: FloatArray = np.asarray(
            np.arange(self._first, self._last + 1) * step, dtype=np.float64
        )
        self._sums: FloatArray = np.asarray(
            (self._lowest_sum + np.arange(self._size)) * step, dtype=np.float64
        )

    def value_from_above(self) -> float:
        """Return an upper bound on H_theta."""
        law, beyond = self._law_from_above()
        if self._makes_up:
            return self._value_by_parity(law)
        tilt, log_moment, wrapped = self._best_tilt(law)
        tilted = law * np.exp(tilt * self._places - log_moment)
        composed, error = self._summed([tilted], [self._batches])
        positive = self._sums > 0.0
        weights = np.where(positive, self._sums, 0.0) * np.exp(-tilt * np.maximum(self._sums, 0.0))
        value = float(np.sum(weights * composed))
        value += two_norm(weights) * error
        # What wraps around counts s e^(-tilt s) at most.
        value += wrapped / (math.e * tilt)
        # Exponents and sums are off by some units each, the powers of the moment by as many each.
        largest = 4.0 * (np.abs(tilt * self._places).max() + abs(log_moment) + 40.0)
        off = self._batches * largest + np.abs(tilt * self._sums).max() + self._size
        scale = float(np.exp(self._batches * log_moment))
        value *= scale / self._batches * (1.0 + 4.0 * float(off) * UNIT_ROUNDOFF)
        return value + beyond

    def _value_by_parity(self, law: FloatArray) -> float:
        """Return the bound by E (sum)+ = E sum + E (-sum)+, where X may be cut off above."""
        composed, error = self._summed([law], [self._batches])
        lacks = np.maximum(-self._sums, 0.0)
        value = float(np.sum(lacks * composed)) * (1.0 + 2.0 * self._size * UNIT_ROUNDOFF)
        value += two_norm(lacks) * error
        # Sums below the window wrap around; they are -K theta at least.
        rates, moments = self._log_moments(law, _FIRST_RATE_BELOW / self._places[0], _RATES_BELOW)
        outside = self._outside(rates, self._batches * moments, self._lowest_sum)
        value += self._batches * self._order * outside
        return 1.0 - self._order + value / self._batches + 8.0 * UNIT_ROUNDOFF * self._order

    def _law_from_above(self) -> tuple[FloatArray, float]:
        """Return masses at the places, each rounded up, and what X has beyond the last one."""
        u, v = self._means
        places, step, order = self._places, self._step, self._order
        edges = self._outcomes(places)
        base, top, low = (self._masses(edges, mean) for mean in (0.0, u, v))
        mass = base.mass[1:-1]
        moment = top.mass[1:-1] - order * low.mass[1:-1]
        to_next = np.clip((moment - places[:-1] * mass) / step, 0.0, mass)
        units = 512.0 * UNIT_ROUNDOFF  # also for edges that are off
        typical = np.maximum(np.abs(places[:-1]), np.abs(places[1:]))
        error = (top.mass + order * low.mass)[1:-1] * units + typical * mass * units
        error += top.error[1:-1] + order * low.error[1:-1] + typical * base.error[1:-1]
        error = 2.0 * error / step + base.error[1:-1] + units * mass
        law = np.zeros(len(places))
        law[:-1] += mass - to_next + error
        law[1:] += to_next + error
        law[0] += base.mass[0] + base.error[0]
        law[-1] += base.mass[-1] + base.error[-1]
        return law, float(top.mass[-1] + top.error[-1]) if u > 0.0 else 0.0

    def event_from_below(self) -> tuple[float, float]:
        """Return the masses of the event that the sum of all rounded X is above 0.

        That under the first distribution is rounded down, under the second one up.
        """
        edges = self._outcomes(self._places[:-1] + 0.5 * self._step)
        base, *own = (self._masses(edges, mean) for mean in (0.0, *self._means))
        taken = self._sums > 0.0
        masses, errors = [], []
        for one in own:
            composed, error = self._summed([base.mass, one.mass], [self._batches - 1, 1])
            errors.append(
                error * float(np.sqrt(np.count_nonzero(taken)))
                + float(np.sum(one.error) + (self._batches - 1) * np.sum(base.error))
                + 1e-14
            )
            masses.append(float(np.sum(composed[taken])))
        return max(masses[0] - errors[0], 0.0), masses[1] + errors[1]

    def _outcomes(self, ratios: FloatArray) -> FloatArray:
        """Return the outcomes of a batch at which X has these values, up to rounding."""
        u, v = self._means
        with np.errstate(divide="ignore", invalid="ignore"):
            if v == 0.0:
                return np.asarray(np.log(np.maximum(ratios + self._order, 0.0)) / u + u / 2)
            if u == 0.0:
                return np.asarray((np.log(np.maximum(1.0 - ratios, 0.0) / self._order)) / v + v / 2)
        # With A = e^(u z): a = A e^(-u^2/2), b = e^(-u^2/2) / A.
        root = np.sqrt(self._order)
        scaled = ratios * np.exp(u * u / 2) / (2.0 * root)
        return np.asarray((np.arcsinh(scaled) + np.log(root)) / u)

    def _masses(self, edges: FloatArray, mean: float) -> Masses:
        bounded = np.concatenate([[-np.inf], np.maximum.accumulate(edges), [np.inf]])
        return normal_masses(bounded - mean)

    def _best_tilt(self, law: FloatArray) -> tuple[float, float, float]:
        """Return a tilt under which little wraps around, where the sum is near 0.

        Returns the tilt, ln of its moment, and a bound on the mass of tilted sums outside of the
        window (Chernoff).
        """
        below = self._log_moments(law, _FIRST_RATE_BELOW / self._places[0], _RATES_BELOW)
        above = self._log_moments(law, _FIRST_RATE / self._places[-1], _RATES)
        rates, moments = (np.concatenate([a[::-1], b]) for a, b in zip(below, above, strict=True))
        ends = self._lowest_sum, self._lowest_sum + self._size
        found = []
        for place in range(_RATES_BELOW, len(rates)):
            others = self._batches * (moments - moments[place])
            outside = 0.0
            for end in ends:
                away = np.sign(end) * (rates - rates[place]) > 0.0
                outside += self._outside((rates - rates[place])[away], others[away], end)
            error = self._batches * moments[place] + np.log(outside + _TRANSFORM_ERROR)
            found.append((error - np.log(rates[place]), place, outside))
        _, place, outside = min(found)
        return float(rates[place]), float(moments[place]), outside

    def _log_moments(
        self, law: FloatArray, first: float, count: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return rates from the first one on, and ln of the law's moments at them.

        A square doubles the relative error: at the last rate it is about 1e-12.
        """
        rates = first * np.sqrt(2.0) ** np.arange(count)
        moments = np.empty(count)
        for start in range(2):
            powers = np.exp(rates[start] * self._places)
            for place in range(start, count, 2):
                moments[place] = np.einsum("i,i", powers, law)  # no threads of BLAS for so little
                powers *= powers
        return rates, np.log(moments)

    def _outside(self, rates: FloatArray, log_moments: FloatArray, end: int) -> float:
        """Bound the mass of sums beyond one end of the window (Chernoff), at rates on its side."""
        furthest = self._batches * (self._first if end < 0 else self._last)
        if abs(furthest) < abs(end):
            return 0.0
        bounds = log_moments - rates * end * self._step
        return float(np.exp(min([*bounds.tolist(), 300.0]))) * (1.0 + 1e-9)

    def _summed(
        self, parts: Sequence[FloatArray], counts: Sequence[int]
    ) -> tuple[FloatArray, float]:
        """Return the masses of a sum of so many of each part, and a bound on their error's 2-norm.

        Args:
            parts: masses at the places, from the first one on.
            counts: of each part; of all together as many as there are batches.
        """
        spectra = [np.asarray(fft.rfft(one, self._size)) for one in parts]
        summed = SummedTransform(spectra, counts, self._size)
        masses = np.maximum(fft.irfft(summed.product, self._size), 0.0)
        lowest = self._lowest_sum - self._batches * self._first
        composed = np.asarray(np.roll(masses, -(lowest % self._size)))
        return composed, summed.error(composed)
