"""The privacy loss of labelled outcomes: of tests with a threshold of their own for each label.

A profile that is a largest value over thresholds, none of which falls as alpha grows, is that of a
pair of labelled outcomes: those between the thresholds of two orders have losses between the two.
"""

from abc import abstractmethod
from copy import copy
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np
from scipy.special import log_ndtr, logsumexp

from dpviz.accounting.buckets import (
    UNIT_ROUNDOFF,
    UNRESOLVED_TAIL,
    BoolArray,
    FloatArray,
    LossBuckets,
    Masses,
    log_quotients,
    log_sums,
    loss_buckets,
    normal_masses,
)
from dpviz.accounting.loss_distribution import IndexArray
from dpviz.accounting.privacy_loss import LARGEST_LOSS, Located, PrivacyLoss, root_mean_square
from dpviz.guarantees import AbsentPoissonPair

# Rounding errors of thresholds are guessed from every so many.
_EVERY, _MOST_GUESSES = 16, 30
_DEVIATIONS = 12.0  # beyond, a normal tail is below the unresolved one
_SCANNED = 160
_ELEMENTS_AT_ONCE = 2**19
_LEAST_SPREAD = 1e-9


class Parts(NamedTuple):
    """Normal outcomes of both distributions, in standard deviations, shape (parts,).

    Args:
        labels: the threshold that decides about each part.
        weights: of each part.
        upper: means under the first distribution.
        lower: means under the second one.
    """

    labels: IndexArray
    weights: FloatArray
    upper: FloatArray
    lower: FloatArray


class LabelledLoss(PrivacyLoss):
    """The loss of labelled outcomes; located outcomes are thresholds, shape (labels, losses).

    Subclasses set ``_elements``, the numbers that thresholds for one loss take at once, before all.
    """

    _elements: int

    def __init__(self, parts: Parts, unlisted: float) -> None:
        """Find the range of losses.

        Args:
            parts: of both distributions.
            unlisted: mass of the first one that reveals everything.
        """
        used = parts.weights > 0.0
        self._parts = Parts._make(column[used] for column in parts)
        self._unlisted = unlisted
        furthest = float(np.max(parts.upper - parts.lower))
        most = min(furthest * (furthest / 2 + _DEVIATIONS), LARGEST_LOSS)
        losses = np.append(0.0, np.geomspace(1e-9 * most, most, _SCANNED))
        masses = self.buckets(self._thresholds(losses)[0])
        upper = masses.upper.mass
        beyond = np.cumsum(upper[::-1])[::-1] + masses.upper.above
        last = int(np.searchsorted(-beyond, -UNRESOLVED_TAIL))
        self.largest_resolved = float(losses[min(last + 1, len(losses) - 1)])
        self.smallest_resolved = -self.largest_resolved
        both = upper + masses.lower.mass
        weights = np.append(both, 1.0 - float(np.sum(upper)))
        spread = root_mean_square(np.append(losses[1:], 0.0), weights)
        # Next to nothing, where nearly all losses are as good as infinite.
        self.spread = max(spread, _LEAST_SPREAD * self.largest_resolved)
        far = (losses[1:] > self.spread) & (both > 0.0)
        if far.any():
            self.typical = root_mean_square(losses[1:][far], both[far])

    def without_unlisted(self) -> Self:
        """Return the loss without the mass that reveals everything, which rounds it down."""
        without = copy(self)
        without._unlisted = 0.0
        return without

    def _thresholds(self, losses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the best thresholds for increasing losses of at least 0, in nats.

        Thresholds are in standard deviations, shape (labels, losses); with them come bounds on how
        far the losses there may miss the given ones.
        """
        piece = max(_ELEMENTS_AT_ONCE // self._elements, 1)
        found = [
            self._at_once(losses[start : start + piece]) for start in range(0, len(losses), piece)
        ]
        thresholds, errors = zip(*found, strict=True)
        return np.concatenate(thresholds, axis=1), np.concatenate(errors)

    @abstractmethod
    def _at_once(self, losses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the same for few losses."""

    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return thresholds, and what bounds the distance of their losses to the given ones."""
        if side == 0:
            thresholds, missed = self._thresholds(losses)
            return Located(outcomes=thresholds, errors=0.5 * missed)
        room = 4.0 * np.maximum.accumulate(self._thresholds(losses[::_EVERY])[1])
        for _ in range(_MOST_GUESSES):
            errors = np.repeat(room, _EVERY)[: len(losses)]
            # Thresholds are taken at smaller losses, so that those between two of them stay below
            # the upper one with all that rounding may add.
            shifts = np.cumsum(2.0 * errors)
            thresholds, missed = self._thresholds(np.maximum(losses - shifts, 0.0))
            if np.all(missed <= errors):
                return Located(outcomes=thresholds, errors=0.5 * (shifts + errors))
            room = 4.0 * room
        raise ValueError("losses are not allowed: rounding leaves nothing of their thresholds")

    def buckets(self, outcomes: FloatArray) -> LossBuckets:
        """Return the masses between thresholds."""
        parts = self._parts
        upper = self._masses(outcomes, parts.upper)
        lower = self._masses(outcomes, parts.lower)
        log_ratio, log_ratio_error = log_quotients(upper.mass, upper.error, lower.mass, lower.error)

        def of_tiny(tiny: BoolArray) -> tuple[FloatArray, FloatArray]:
            of_parts = outcomes[parts.labels]
            edges = of_parts[:, :-1][:, tiny], of_parts[:, 1:][:, tiny]
            top, top_error = log_sums(parts.upper, parts.weights, *edges)
            low, low_error = log_sums(parts.lower, parts.weights, *edges)
            with np.errstate(invalid="ignore"):
                return top - low, top_error + low_error

        revealing = replace(upper, above=upper.above + self._unlisted)
        return loss_buckets(revealing, lower, log_ratio, log_ratio_error, of_tiny)

    def log_beyond(self, losses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ln of the masses of both distributions beyond increasing losses, unrounded."""
        parts, (found, _) = self._parts, self._thresholds(losses)
        weights = np.log(parts.weights)[:, None]
        edges = found[parts.labels]
        upper, lower = (
            logsumexp(weights + log_ndtr(means[:, None] - edges), axis=0)
            for means in (parts.upper, parts.lower)
        )
        return np.logaddexp(upper, np.log(self._unlisted)) if self._unlisted else upper, lower

    def _masses(self, outcomes: FloatArray, means: FloatArray) -> Masses:
        """Return the masses of all parts between their thresholds, weighted and summed."""
        mass, above, below = np.zeros(outcomes.shape[1] - 1), 0.0, 0.0
        error = np.zeros_like(mass)
        parts = self._parts
        for label, weight, mean in zip(parts.labels, parts.weights, means, strict=True):
            part = normal_masses(outcomes[label] - mean)
            mass += weight * part.mass
            error += weight * (part.error + 4.0 * UNIT_ROUNDOFF * part.mass)
            above += weight * part.above
            below += weight * part.below
        # Of the sum of as many terms.
        error += len(parts.weights) * UNIT_ROUNDOFF * mass
        return Masses(mass=mass, error=error, above=float(above), below=float(below))


_STEPS, _FEW = 60, 32
# Logarithms of terms whose sums and products are as precise as any number of floating point.
_WITHIN_RANGE = 200.0


class PoissonLoss(LabelledLoss):
    """Poisson windows of a series that may be absent (Prop. 5), labelled by the untouched ones.

    For each number m of these the best threshold t solves, in standard deviations,

        sum w_i (e^(i s t) - alpha e^(-i s t)) e^(-(i s)^2 / 2)
            = (alpha - 1) (1 - rho) / rho e^(-m s t - (m s)^2 / 2),

    with s = 1 / sigma; the left side grows in t, the right one falls.
    """

    def __init__(self, pair: AbsentPoissonPair) -> None:
        self._scale = 1.0 / pair.noise_multiplier
        self._shifts = self._scale * np.array(pair.touched)
        self._untouched = self._scale * np.array(pair.untouched)
        self._elements = len(self._shifts) * len(self._untouched)
        self._log_weights = np.log(np.array(pair.touched_weights))
        # Of all numbers from the first that is listed, by powers of e^(s t).
        self._coefficients = np.zeros(pair.touched[-1] - pair.touched[0] + 1)
        listed = np.array(pair.touched) - pair.touched[0]
        self._coefficients[listed] = np.exp(self._log_weights - self._shifts**2 / 2)
        self._log_absent = float(np.log1p(-pair.rate) - np.log(pair.rate))
        # For each number of untouched windows: what is drawn with so many, then what is not.
        labels = np.arange(len(pair.untouched))
        of_labels = np.array(pair.untouched_weights)[:, None]
        drawn = pair.rate * of_labels * np.array(pair.touched_weights)
        weights = np.hstack([drawn, np.where(np.isfinite(self._untouched), 1.0, 0.0)[:, None]])
        weights[:, -1] *= (1.0 - pair.rate) * of_labels[:, 0]
        # Where there is no end to the untouched windows the step without the series hides nothing.
        absent = -np.where(np.isfinite(self._untouched), self._untouched, 0.0)[:, None]
        every = np.broadcast_to(self._shifts, drawn.shape)
        parts = Parts(
            labels=np.repeat(labels, weights.shape[1]),
            weights=weights.ravel(),
            upper=np.hstack([every, absent]).ravel(),
            lower=np.hstack([-every, absent]).ravel(),
        )
        super().__init__(parts, pair.unlisted)

    def _at_once(self, losses: FloatArray) -> tuple[FloatArray, FloatArray]:
        t = self._begin(losses)
        low, high = np.zeros_like(t), np.full_like(t, np.inf)
        for _ in range(_STEPS):
            value, slope, rounding = self._log_ratio(t)
            missed = np.abs(value - losses)
            found = missed <= rounding
            if np.all(found):
                break
            low, high = np.where(value < losses, t, low), np.where(value < losses, high, t)
            with np.errstate(divide="ignore", invalid="ignore"):
                newton = t + (losses - value) / slope
            further = 2.0 * t + 1.0
            inside = (newton > low) & (newton < np.minimum(high, further))
            between = np.where(np.isinf(high), further, (low + high) / 2)
            t = np.where(found, t, np.where(inside, newton, between))
        else:
            value, _, rounding = self._log_ratio(t)
            missed = np.abs(value - losses)
        return t, np.asarray((missed + rounding).max(axis=0))

    def _begin(self, losses: FloatArray) -> FloatArray:
        """Return where to look for thresholds: in line between those of every so many losses."""
        if len(losses) <= _FEW:
            return np.ones((len(self._untouched), len(losses)))
        known = np.unique(np.append(losses[::_EVERY], losses[-1]))
        return np.array([np.interp(losses, known, t) for t in self._at_once(known)[0]])

    def _log_ratio(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ln(P / Q) at thresholds t of each label, its slope and bounds on its rounding."""
        untouched = self._untouched[:, None]
        finite = np.isfinite(untouched)
        apart = np.where(finite, untouched, 0.0)
        absent = np.where(finite, self._log_absent - apart * (t + apart / 2), -np.inf)
        furthest = self._shifts[-1] * (np.abs(t) + self._shifts[-1])
        is_near = furthest.max() + abs(self._log_absent) - self._log_weights.min() < _WITHIN_RANGE
        sum_of = self._sum if is_near else self._sum_of_logarithms
        first, up = sum_of(1.0, t, absent, apart)
        second, down = sum_of(-1.0, t, absent, apart)
        # Powers up to the last number, listed or not; ln of either side may be that of no series.
        many = len(self._coefficients) + abs(self._log_absent) + 1.0
        rounding = 16.0 * UNIT_ROUNDOFF * (furthest + apart * (t + apart) + many)
        return first - second, up - down, rounding

    def _sum(
        self, sign: float, t: FloatArray, absent: FloatArray, apart: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return ln of a side of the equation, P or Q, and its slope: a polynomial in e^(s t)."""
        power = np.exp(sign * self._scale * t)
        total, derivative = np.zeros_like(t), np.zeros_like(t)
        for coefficient in self._coefficients[::-1]:
            derivative *= power
            derivative += total
            total *= power
            total += coefficient
        first = np.exp(sign * self._shifts[0] * t)
        of_absent = np.exp(absent)
        slope = sign * first * (self._shifts[0] * total + self._scale * power * derivative)
        total = first * total + of_absent
        return np.log(total), (slope - apart * of_absent) / total

    def _sum_of_logarithms(
        self, sign: float, t: FloatArray, absent: FloatArray, apart: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same where numbers are too large or too small for floating point."""
        shifts = self._shifts[:, None, None]
        terms = self._log_weights[:, None, None] + shifts * (sign * t - shifts / 2)
        terms = np.concatenate([terms, absent[None]])
        peak = terms.max(axis=0)
        shares = np.exp(terms - peak)
        total = shares.sum(axis=0)
        slope = sign * np.tensordot(self._shifts, shares[:-1], 1) - apart * shares[-1]
        return peak + np.log(total), slope / total
