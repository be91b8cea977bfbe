"""The privacy loss of Poisson windows of a series that may be absent (Proposition 5).

For each number m of untouched windows the best threshold t solves, in standard deviations,

    sum w_i (e^(i s t) - alpha e^(-i s t)) e^(-(i s)^2 / 2)
        = (alpha - 1) (1 - rho) / rho e^(-m s t - (m s)^2 / 2),

with s = 1 / sigma; the left side grows in t, the right one falls.
"""

import numpy as np

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray, log_of_sum
from dpviz.accounting.labelled_loss import LabelledLoss, Parts, Thresholds
from dpviz.guarantees import AbsentPoissonPair

_STEPS = 60
_ELEMENTS_AT_ONCE = 2**19


class PoissonLoss(LabelledLoss):
    """One label for each number of untouched windows."""

    def __init__(self, pair: AbsentPoissonPair) -> None:
        scale = 1.0 / pair.noise_multiplier
        self._shifts = scale * np.array(pair.touched)
        self._untouched = scale * np.array(pair.untouched)
        self._log_weights = np.log(np.array(pair.touched_weights))
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

    def _thresholds(self, losses: FloatArray) -> Thresholds:
        piece = max(_ELEMENTS_AT_ONCE // (len(self._shifts) * len(self._untouched)), 1)
        found = [
            self._at_once(losses[start : start + piece]) for start in range(0, len(losses), piece)
        ]
        thresholds, errors = zip(*found, strict=True)
        return Thresholds(
            of_labels=np.concatenate(thresholds, axis=1), errors=np.concatenate(errors)
        )

    def _at_once(self, losses: FloatArray) -> tuple[FloatArray, FloatArray]:
        shape = (len(self._untouched), len(losses))
        low, high = np.zeros(shape), np.ones(shape)
        while np.any(short := self._log_ratio(high)[0] < losses):
            high = np.where(short, 2.0 * high, high)
        t = (low + high) / 2
        for _ in range(_STEPS):
            value, slope, rounding = self._log_ratio(t)
            found = np.abs(value - losses) <= rounding
            if np.all(found):
                break
            low, high = np.where(value < losses, t, low), np.where(value < losses, high, t)
            with np.errstate(divide="ignore", invalid="ignore"):
                newton = t + (losses - value) / slope
            inside = (newton > low) & (newton < high)
            t = np.where(found, t, np.where(inside, newton, (low + high) / 2))
        value, _, rounding = self._log_ratio(t)
        return t, np.asarray((np.abs(value - losses) + rounding).max(axis=0))

    def _log_ratio(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ln(P / Q) at thresholds t of each label, its slope and bounds on its rounding."""
        shifts = self._shifts[:, None, None]
        untouched = self._untouched[:, None]
        log_weights = self._log_weights[:, None, None]
        finite = np.isfinite(untouched)
        apart = np.where(finite, untouched, 0.0)
        absent = np.where(finite, self._log_absent - apart * (t + apart / 2), -np.inf)[None]
        sides = []
        for sign in (1.0, -1.0):
            terms = log_weights + shifts * (sign * t - shifts / 2)
            terms = np.concatenate([terms, absent])
            value = log_of_sum(terms)
            shares = np.exp(terms - value)
            slope = (sign * shifts * shares[:-1]).sum(axis=0) - apart * shares[-1]
            sides.append((value, slope))
        (first, up), (second, down) = sides
        furthest = self._shifts[-1] * (np.abs(t) + self._shifts[-1])
        rounding = 16.0 * UNIT_ROUNDOFF * (furthest + apart * (t + apart) + len(shifts) + 1.0)
        return first - second, up - down, rounding
