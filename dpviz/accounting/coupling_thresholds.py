"""The best test against a coupled mixture: where each hidden count's outcomes begin to be rejected.

With i of the drawn windows touching the individual, P_i and Q_j lie at most d_max(i, j) apart, and
at most D from the output R of a step without the series (docs/tighter-bounds.md). A test has the
powers Phi(d_i - y_i) on P_i, Phi(-y_i) on Q_i and Phi(-z) on R at best, for thresholds y that do
not decrease in i and y_i - d_i >= z - D. For each order alpha this module finds the thresholds
with the largest rho sum w_i (Phi(d_i - y_i) - alpha Phi(-y_i)) - (alpha - 1)(1 - rho) Phi(-z):

* counts up to some t share one threshold y, at which their likelihood ratio is alpha,
* above, each has its own one, y_i = ln(alpha) / d_i + d_i / 2,
* unless z, the threshold of R, keeps it at d_i - c, with c = D - z.

What rounding costs is found from the dual: how far the weights alpha w_j of the Q_j, and
(alpha - 1)(1 - rho) of R, are from what the thresholds use up.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr, logsumexp, wrightomega

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray, log_of_sum

_NEWTON_STEPS, _HALVINGS, _MOST_STEPS = 60, 64, 100
_LARGEST_EXPONENT = 600.0


@dataclass(frozen=True, kw_only=True, eq=False)
class _Spare:
    """What thresholds leave of the weights, in units of alpha, each of shape (orders,).

    Args:
        of_counts: y, shape (counts, orders).
        excess: ln of what the counts need of R, in parts of what it has.
        slope: its derivative by c.
        log_left: ln of what R has left over, or lacks.
        overdrawn: by how much, in parts, the counts need more of the Q_j, or less.
        weight: of the counts that need some of R.
        log_worth: ln of how much of R stands for all of what some count has of the Q_j.
    """

    of_counts: FloatArray
    excess: FloatArray
    slope: FloatArray
    log_left: FloatArray
    overdrawn: FloatArray
    weight: FloatArray
    log_worth: FloatArray


class ThresholdSolver:
    """Finds thresholds for given privacy losses.

    Args:
        distances: d_i of the counts with weight, increasing, the first at least 0.
        weights: w_i, shape as the distances.
        rate: rho, above 0.
        absence: D; above 0 where the rate is below 1, and of no effect where it is 1.
    """

    def __init__(
        self, distances: FloatArray, weights: FloatArray, rate: float, absence: float
    ) -> None:
        self._has_none = bool(distances[0] == 0.0)
        first = int(self._has_none)
        self._none = float(weights[0]) if self._has_none else 0.0
        self._d, self._w = distances[first:], weights[first:]
        self._rate, self._absence = rate, absence
        self._sums = np.cumsum(self._w)
        self._joins = self._losses_at_which_counts_join()
        # Where the search begins: of increasing losses the place at which R begins to hinder the
        # count that needs most, and ln of how far below it c is.
        self._known: tuple[FloatArray, np.ndarray, FloatArray] | None = None

    def thresholds(self, losses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return y of each count, then z (infinite if the series is always there), and errors."""
        d = self._d[:, None]
        last = self._last(losses)
        if self._rate < 1.0:
            shared, begins = self._unhindered(losses, last)
            c = self._balanced(losses, shared, begins)
            found = self._spare(losses, shared, c)
            y, z = found.of_counts, self._absence - c
            missed = found.overdrawn + self._absence_error(losses, found, c)
        else:
            shared = np.empty(len(losses))
            for at in np.unique(last):
                chosen = last == at
                shared[chosen] = self._shared_threshold(int(at), losses[chosen])
            own = losses / d + d / 2
            y = np.where(np.arange(len(d))[:, None] <= last, shared, own)
            z, missed = np.full(len(losses), np.inf), self._block_error(losses, last, shared)
        # Of the exponents d y - d^2 / 2, and of sums of as many terms.
        rounding = (d * (np.abs(y) + d)).max(axis=0) + np.abs(losses) + len(self._d) + 1.0
        errors = missed + 16.0 * UNIT_ROUNDOFF * rounding
        return np.vstack([y[:1], y, z] if self._has_none else [y, z]), errors

    def _credit(self, losses: FloatArray) -> FloatArray:
        """Return what Q_0 has to spare for higher counts, in units of alpha."""
        return np.asarray(-np.expm1(-losses) * self._none)

    def _log_absent(self, losses: FloatArray) -> FloatArray:
        """Return ln of the weight of R, in units of alpha."""
        return np.asarray(np.log(-np.expm1(-losses)) + np.log1p(-self._rate))

    def _shared_threshold(self, last: int, losses: FloatArray) -> FloatArray:
        """Return y at which the counts up to ``last`` have the losses, by Newton's method.

        From the right, where the logarithm of a sum of exponentials, which is convex, sends no
        step too far.
        """
        d, w = self._d[: last + 1, None], self._w[: last + 1, None]
        wanted = losses + np.log(self._sums[last] + self._credit(losses))
        y = np.asarray(((wanted - np.log(w)) / d + d / 2).min(axis=0))
        furthest = float(d[-1, 0])
        for _ in range(_NEWTON_STEPS):
            exponents = d * y - d * d / 2 + np.log(w)
            peak = exponents.max(axis=0)
            terms = np.exp(exponents - peak)
            total = terms.sum(axis=0)
            slope = (d * terms).sum(axis=0) / total
            step = (peak + np.log(total) - wanted) / slope
            y = y - step
            # Of y itself, and of the exponents, which rounding of as much changes.
            rounding = 1.0 + np.abs(y) + (np.abs(wanted) + furthest * np.abs(y) + furthest) / slope
            if np.all(np.abs(step) <= 4.0 * UNIT_ROUNDOFF * rounding):
                break
        return y

    def _losses_at_which_counts_join(self) -> FloatArray:
        """Return for each count after the first the loss from which on it shares the threshold.

        There its own one, at which e^(d y - d^2 / 2) = alpha, is the shared one.
        """
        d, size = self._d, len(self._d)
        constant = np.log(self._w) - d * d / 2
        before = np.where(np.tri(size - 1, size, dtype=bool), constant, -np.inf)
        none = np.full((size - 1, 1), np.log(self._none) if self._none > 0.0 else -np.inf)
        log_total = np.log(self._sums[:-1] + self._none)
        furthest = float(d[-1] + (1.0 - np.log(self._w.min())) / d[0])
        low, high = np.full(size - 1, -furthest), np.full(size - 1, furthest)
        for _ in range(_HALVINGS):
            y = (low + high) / 2
            # ln of the likelihood ratio of the counts before each, and none, at y.
            terms = np.hstack([before + y[:, None] * d, none])
            ratio = log_of_sum(terms.T) - log_total
            joins = ratio <= d[1:] * y - d[1:] * d[1:] / 2
            low, high = np.where(joins, low, y), np.where(joins, y, high)
        return np.maximum.accumulate(np.maximum(d[1:] * high - d[1:] * d[1:] / 2, 0.0))

    def _last(self, losses: FloatArray) -> np.ndarray:
        """Return the last count that shares a threshold, if none is capped."""
        return np.searchsorted(self._joins, losses, side="right")

    def _block_error(self, losses: FloatArray, last: np.ndarray, shared: FloatArray) -> FloatArray:
        """Return how far the shared threshold's loss is from the given one, if none is capped."""
        within = np.arange(len(self._d))[:, None] <= last
        d, w = self._d[:, None], self._w[:, None]
        with np.errstate(over="ignore"):
            terms = np.where(within, w * np.exp(d * shared - d * d / 2 - losses), 0.0)
        has = np.cumsum(terms, axis=0)
        may = self._sums[:, None] + self._credit(losses)
        over = np.where(within, has / may, 0.0).max(axis=0) - 1.0
        under = 1.0 - has[last, np.arange(len(losses))] / may[last, np.arange(len(losses))]
        return np.asarray(np.maximum(over, 0.0) + np.maximum(under, 0.0))

    def _unhindered(self, losses: FloatArray, last: np.ndarray) -> tuple[FloatArray, FloatArray]:
        """Return y that the counts up to each share, and c below which R hinders each."""
        d, within = self._d[:, None], np.arange(len(self._d))[:, None] <= last
        shared = np.full(within.shape, np.inf)
        for at in range(int(last.max()) + 1):
            chosen = last >= at
            shared[at, chosen] = self._shared_threshold(at, losses[chosen])
        uncapped = np.where(within, shared[last, np.arange(len(losses))], losses / d + d / 2)
        begins = d - np.where(within, shared, uncapped)
        # No count is hindered above what is the last one's own or the whole block's.
        return shared, np.minimum(begins, (d - uncapped).max(axis=0))

    def _balanced(self, losses: FloatArray, shared: FloatArray, begins: FloatArray) -> FloatArray:
        """Return c at which nothing of R is left, or lacks, but for rounding.

        By Newton's method for what is nearly linear in ln(needed / left) between places at which R
        begins to hinder a count, and by halves where that leads astray. What a c is off by is found
        elsewhere.
        """
        best = begins.max(axis=0)
        at = np.flatnonzero(losses > 0.0)  # at 0 there is nothing of R to use
        losses, begins, high = losses[at], begins[:, at], best[at]
        c, all_begins = self._first_guess(losses, shared[:, at], begins), (at, losses, begins)
        least, low = np.full(len(at), np.inf), np.full(len(at), -np.inf)
        absence = self._absence
        # Of the logarithms that are summed for needed / left.
        logs = losses - self._log_absent(losses) - np.log(self._rate)
        for step in range(_MOST_STEPS):
            found = self._spare(losses, shared[:, at], c)
            f, slope = found.excess, found.slope
            better = np.abs(f) < least
            least, best[at] = np.where(better, np.abs(f), least), np.where(better, c, best[at])
            low, high = np.where(f > 0.0, c, low), np.where(f <= 0.0, c, high)
            noise = 8.0 * UNIT_ROUNDOFF * (logs + absence * (np.abs(c) + absence) + 1.0)
            is_left = (np.abs(f) > noise) & (absence * (high - low) > noise)
            begins = begins[:, is_left]
            at, losses, logs, low, high, least, c, f, slope, tiny = (
                column[is_left]
                for column in (at, losses, logs, low, high, least, c, f, slope, noise / absence)
            )
            if len(at) == 0:
                break
            base = np.where(begins > np.maximum(low, c - tiny), begins, np.inf).min(axis=0)
            below = _where_none_lacks(base - c, f, slope)
            # Where that is above the place, what is next to it tells on which side it is.
            beside = np.where(base < high, base + tiny, base - tiny)
            following = np.where(below > 0.0, base - below, beside)
            # A step far enough to get the root between two places, where it is as near as that.
            least_step = np.where(f > 0.0, 0.9, -0.9) * tiny
            near = np.abs(following - c) < np.abs(least_step)
            following = np.where(near, c + least_step, following)
            lowest = np.maximum(low, c - 2.0 ** (step + 3))
            astray = ~((following > lowest) & (following < high))
            if astray.any():
                between = self._between(low, high, begins, tiny, step)
                following = np.where(astray, between, following)
            c = following
        if self._known is None and len(all_begins[0]) > 1:
            self._remember(*all_begins[1:], best[all_begins[0]])
        return np.asarray(best)

    def _first_guess(
        self, losses: FloatArray, shared: FloatArray, begins: FloatArray
    ) -> FloatArray:
        """Return about the c that was found for losses nearby; if none was, one between places."""
        columns = np.arange(len(losses))
        if self._known is None:
            places = np.sort(begins, axis=0)
            first, last = np.zeros_like(columns), np.full_like(columns, len(places) - 1)
            for _ in range(len(places).bit_length()):
                middle = (first + last) // 2
                is_below = self._spare(losses, shared, places[middle, columns]).excess > 0.0
                first, last = (
                    np.where(is_below, middle + 1, first),
                    np.where(is_below, last, middle),
                )
                first = np.minimum(first, last)
            lowest = places[0] - 1.0 / self._absence
            below = np.where(first > 0, places[first - 1, columns], lowest)
            return np.asarray((below + places[first, columns]) / 2)
        known, places, log_below = self._known
        nearest = places[np.searchsorted(np.sqrt(known[1:] * known[:-1]), losses)]
        below = np.exp(np.interp(np.log(losses), np.log(known), log_below))
        return np.asarray(begins[nearest, columns] - below)

    def _remember(self, losses: FloatArray, begins: FloatArray, c: FloatArray) -> None:
        above = np.where(begins >= c, begins, np.inf)
        log_below = np.log(np.maximum(above.min(axis=0) - c, UNIT_ROUNDOFF**2))
        self._known = losses, above.argmin(axis=0), log_below

    def _between(
        self, low: FloatArray, high: FloatArray, begins: FloatArray, tiny: FloatArray, step: int
    ) -> FloatArray:
        """Return a place between, where a count begins to be hindered if there is one."""
        inside = np.where((begins > low) & (begins < high), begins, np.inf)
        many = np.isfinite(inside).sum(axis=0)
        base = np.where(begins >= high, begins, np.inf).min(axis=0)
        with np.errstate(invalid="ignore"):
            middle = base - np.sqrt((base - low) * np.maximum(base - high, tiny))
        middle = np.where(np.isfinite(low), middle, high - 2.0**step)
        middle = np.where((middle > low) & (middle < high), middle, (low + high) / 2)
        return np.where(many > 0, np.sort(inside, axis=0)[many // 2, np.arange(len(low))], middle)

    def _absence_error(self, losses: FloatArray, found: _Spare, c: FloatArray) -> FloatArray:
        """Return what unused weight of R, and rounding of what is used, count for in losses."""
        d, w, absence = self._d[:, None], self._w[:, None], self._absence
        of_absence = log_ndtr(c - absence)
        of_counts = logsumexp(np.log(self._rate * w) + log_ndtr(-found.of_counts), axis=0)
        total = np.logaddexp(of_counts, np.log1p(-self._rate) + of_absence)
        furthest = np.maximum(d, absence)  # of the exponents
        rounding = np.abs(losses) + (furthest * (np.abs(c) + furthest)).max(axis=0)
        rounding = 16.0 * UNIT_ROUNDOFF * (rounding + len(self._d) + 1.0)
        each = absence * (absence / 2 - c) - losses + of_absence - total
        with np.errstate(divide="ignore"):
            gross = np.exp(np.minimum(each + np.log(found.weight), _LARGEST_EXPONENT))
        with np.errstate(over="ignore", invalid="ignore"):
            # Twice, as the threshold of what is used less lies a little higher.
            by_absence = 2.0 * np.exp(found.log_left + of_absence - total)
            # Where R counts for little, so small a part more or less of Q_j makes up for it.
            by_counts = np.nan_to_num(np.exp(found.log_left - found.log_worth), nan=np.inf)
        by_absence, by_counts = by_absence + rounding * self._rate * gross, by_counts + rounding
        return np.asarray(np.minimum(by_absence, by_counts))

    def _spare(self, losses: FloatArray, shared: FloatArray, c: FloatArray) -> _Spare:
        """Return what thresholds z = D - c leave."""
        d, w = self._d[:, None], self._w[:, None]
        columns, rows = np.arange(len(losses)), np.arange(len(d))[:, None]
        capped = d - c
        is_capped = capped > shared
        top = np.where(is_capped.any(axis=0), is_capped.argmax(axis=0), len(d))
        # No count of the block is kept by R: the block is all that have a threshold of their own.
        free = np.isfinite(shared).sum(axis=0) - 1
        before = np.where(top < len(d), top - 1, free)
        y_before = np.where(before >= 0, shared[np.maximum(before, 0), columns], np.inf)
        y_top = np.where(top < len(d), capped[np.minimum(top, len(d) - 1), columns], np.inf)
        joined = (top < len(d)) & (y_top < y_before)
        y_block = np.minimum(y_before, y_top)
        block = np.where(joined, top, before)
        own = np.maximum(losses / d + d / 2, capped)
        y = np.where(rows <= block, y_block, own)
        with np.errstate(over="ignore"):
            used = np.where(rows <= block, np.exp(d * y - d * d / 2 - losses), 0.0) * w
        sums = np.cumsum(used, axis=0)
        may = self._sums[:, None] + self._credit(losses)
        at = np.maximum(block, 0)
        too_much = np.where(block >= 0, sums[at, columns] - may[at, columns], 0.0)
        below = np.where(rows < block, sums / may, 0.0).max(axis=0) - 1.0
        # Of a block that R helps, what is too much is R's part.
        missed = np.where(joined, np.maximum(-too_much, 0.0), np.abs(too_much)) / may[at, columns]
        over = np.maximum(below, 0.0) + missed
        # What a count needs of R, times e^(D c - D^2 / 2): the rest of its own density. The sum in
        # logarithms, as a threshold far off needs what no number can tell.
        of_own = -np.expm1(np.minimum(losses + d * c - d * d / 2, 0.0))
        alone = np.where(rows > block, w * of_own, 0.0)
        absence = self._absence
        needed = absence * (absence / 2 - c)
        d_top = self._d[np.minimum(top, len(d) - 1)]
        log_scale = needed + d_top * c - d_top**2 / 2
        lacks = joined & (too_much > 0.0)
        of_alone, is_alone = alone.sum(axis=0), alone > 0.0
        first = is_alone.argmax(axis=0)
        d_first = self._d[first]
        log_rate = np.log(self._rate)
        # What is left of R takes the place of what the block's last count has of the Q_j: no more.
        last_has = may[at, columns] - np.where(at > 0, sums[at - 1, columns], 0.0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            log_alone = np.log(of_alone) + needed - losses
            log_block = np.log(np.where(lacks, too_much, 0.0))
            # How fast ln of either falls in c.
            falls = (d * np.where(is_alone, w - alone, 0.0)).sum(axis=0) / of_alone + absence
            block_falls = (d * used).sum(axis=0, where=rows <= block) / too_much
            if (huge := lacks & np.isinf(too_much)).any():
                terms = np.where(rows <= block, d * y - d * d / 2 - losses + np.log(w), -np.inf)
                log_block[huge] = log_of_sum(terms[:, huge])
                block_falls[huge] = (d * np.exp(terms[:, huge] - log_block[huge])).sum(axis=0)
            log_block += log_scale
            log_need = np.logaddexp(log_alone, log_block)
            slope = -np.where(of_alone > 0.0, falls * np.exp(log_alone - log_need), 0.0)
            block_falls += absence - d_top
            slope -= np.where(lacks, block_falls * np.exp(log_block - log_need), 0.0)
            log_need += log_rate
            log_has = self._log_absent(losses)
            excess = log_need - log_has
            log_left = np.maximum(log_need, log_has) + np.log(-np.expm1(-np.abs(excess)))
            log_worth = np.where(
                joined,
                np.log(may[at, columns]) + log_scale,
                np.log(self._w[first]) + needed + d_first * c - d_first**2 / 2,
            )
            most_left = log_rate + np.log(last_has) + log_scale
        is_worth = np.where(joined, (excess >= 0.0) | (log_left <= most_left), is_alone.any(axis=0))
        of_top = np.exp(np.minimum(losses + d_top * c - d_top**2 / 2, _LARGEST_EXPONENT))
        weight = np.where(is_alone, w, 0.0).sum(axis=0)
        return _Spare(
            log_worth=np.where(is_worth, log_worth + log_rate, -np.inf),
            of_counts=y,
            log_left=np.where(log_need == -np.inf, log_has, log_left),  # also where it has nothing
            excess=excess,
            slope=slope,
            overdrawn=over,
            weight=weight + np.where(joined, may[at, columns] * of_top, 0.0),
        )


def _where_none_lacks(below: FloatArray, f: FloatArray, slope: FloatArray) -> FloatArray:
    """Return about how far below the next place above f, ln(needed / left), is 0.

    With f = ln(a + b s) where it rises less than s does, and else f = ln s + k s + a constant.

    Args:
        below: s, how far below it f and its slope in -s are known.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        excess = -slope * below - 1.0
        flat = below - np.expm1(-f) / slope
        k = excess / below
        steep = np.real(wrightomega(np.log(np.maximum(excess, 0.0)) + excess - f)) / k
    return np.asarray(np.where(excess > 0.0, steep, flat))
