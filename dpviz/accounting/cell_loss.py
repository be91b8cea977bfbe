"""The privacy loss of mixtures in a plane, seen through a grid.

An attacker who sees only in which cell an output lies sees a function of it: by data processing
what such a pair of finitely many outcomes reveals is a lower bound on what the outputs do, and
however coarse cells are, it composes. Cells lie in the order of their ratios. Those at both ends
whose ratio is too extreme for doubles are one outcome with their neighbours.
"""

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpviz.accounting.buckets import (
    SMALLEST_TAIL,
    UNIT_ROUNDOFF,
    UNRESOLVED_TAIL,
    FloatArray,
    LossBuckets,
    Masses,
    log_quotients,
    normal_masses,
)
from dpviz.accounting.loss_distribution import IndexArray
from dpviz.accounting.privacy_loss import LARGEST_LOSS, Located, PrivacyLoss, root_mean_square
from dpviz.guarantees import PlanarPair

# Of a standard deviation: cells this wide lose about a 1700th of what small shifts tell. Finer ones
# take longer (ten times, at 1 / 16 and 512) for epsilons that are less than a 500th larger.
_CELL = 1.0 / 12.0
_MOST_CELLS = 256  # of an axis; where means lie further apart cells are wider
_FINER_ON_A_LINE = 64  # where there is nothing to see along the other axis
_REACH = -float(ndtri(1e-16))  # beyond the outermost means, in standard deviations
# Relative errors of masses whose ratio is used, of cells and of those put together at an end.
_LARGEST_ERROR, _LARGEST_ERROR_OF_AN_END = 1e-9, 1e-8
_LEAST_LOSS = 1e-9
_SMALLEST_CELL = 1e-36  # of both masses: what all such cells have is not resolved


class CellLoss(PrivacyLoss):
    """The loss of a planar pair's cells; located outcomes are places between cells, in order.

    Cells of which next to nothing is known count as revealing everything: rounded up.
    """

    def __init__(self, pair: PlanarPair) -> None:
        """Order the cells."""
        cells = _cell_masses(pair)
        known = cells[1::2] < _LARGEST_ERROR * cells[::2]
        # Cells that nobody sees are left out as well: it saves ordering most of the plane.
        is_used = (known[0] | known[1]) & (cells[0] + cells[2] > _SMALLEST_CELL)
        lost = (cells[::2] + cells[1::2])[:, ~is_used].sum(axis=1) + UNRESOLVED_TAIL
        self._lost_above, self._lost_below = float(lost[0]), float(lost[1])
        self._cells = _in_order(cells[:, is_used], *known[:, is_used])
        losses, errors = log_quotients(*self._cells)
        self._keep(losses, float(np.max(errors)))

    def _keep(self, losses: FloatArray, error: float) -> None:
        """Keep the cells' losses, which increase but for so large errors, and their range."""
        self._losses, self._error, masses = losses, error, self._cells[0]
        most = float(max(np.max(np.abs(losses)), _LEAST_LOSS)) + 4.0 * error
        self.smallest_resolved, self.largest_resolved = -most, min(most, LARGEST_LOSS)
        middle = int(np.searchsorted(np.cumsum(masses), 0.5 * np.sum(masses)))
        self.commonest = float(losses[min(middle, len(losses) - 1)])
        self.spread = max(root_mean_square(losses, masses), _LEAST_LOSS)

    def without_unlisted(self) -> Self:
        """Return it without what is left out of both distributions: rounded down."""
        listed = copy(self)
        listed._lost_above = listed._lost_below = 0.0
        return listed

    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return how many cells lie below each loss, for certain on the asked side."""
        of_grid = 2.0 * UNIT_ROUNDOFF * (np.abs(losses) + np.abs(losses - losses[0]))
        errors = self._error + of_grid
        places = np.searchsorted(
            self._losses, losses + side * errors, side="left" if side > 0 else "right"
        )
        return Located(outcomes=places.astype(np.float64), errors=2.0 * errors)

    def buckets(self, outcomes: FloatArray) -> LossBuckets:
        """Return the masses of the cells between places."""
        places = outcomes.astype(np.int64)
        between = np.array([_sums_between(one, places) for one in self._cells])
        log_ratio, log_ratio_error = log_quotients(*between)
        first, first_error, second, second_error = between
        above = self._cells[::2, places[-1] :].sum(axis=1)
        below = self._cells[::2, : places[0]].sum(axis=1)
        return LossBuckets(
            upper=Masses(
                mass=first,
                error=first_error,
                above=float(above[0]) + self._lost_above,
                below=float(below[0]),
            ),
            lower=Masses(
                mass=second,
                error=second_error,
                above=float(above[1]),
                below=float(below[1]) + self._lost_below,
            ),
            log_ratio=log_ratio,
            log_ratio_error=log_ratio_error,
        )


def _sums_between(cells: FloatArray, places: IndexArray) -> FloatArray:
    """Return sums over the cells between places."""
    sums = np.add.reduceat(np.append(cells, 0.0), places)[:-1]
    # Where there are none, numpy has the next one.
    return np.where(np.diff(places) > 0, sums, 0.0)


def _in_order(
    cells: FloatArray, first_known: NDArray[np.bool_], second_known: NDArray[np.bool_]
) -> FloatArray:
    """Return cells by their ratio; at both ends as many as one as it takes to know both masses."""
    middle = cells[:, first_known & second_known]
    middle = middle[:, np.argsort(np.log(middle[0]) - np.log(middle[2]), kind="stable")]
    low = cells[:, ~first_known & second_known].sum(axis=1)
    high = cells[:, first_known & ~second_known].sum(axis=1)
    from_low = low[:2, None] + np.cumsum(middle[:2], axis=1)
    from_high = high[2:, None] + np.cumsum(middle[2:, ::-1], axis=1)
    enough_low = np.flatnonzero(from_low[1] < _LARGEST_ERROR_OF_AN_END * from_low[0])
    enough_high = np.flatnonzero(from_high[1] < _LARGEST_ERROR_OF_AN_END * from_high[0])
    if len(enough_low) > 0 and len(enough_high) > 0:
        start, end = int(enough_low[0]), middle.shape[1] - 1 - int(enough_high[0])
        if start < end:
            lowest = low + middle[:, : start + 1].sum(axis=1)
            highest = high + middle[:, end:].sum(axis=1)
            return np.column_stack([lowest, middle[:, start + 1 : end], highest])
    return np.asarray(cells[:, first_known | second_known].sum(axis=1, keepdims=True))


def _cell_masses(pair: PlanarPair) -> FloatArray:
    """Return each mixture's masses in all cells, and bounds on their absolute errors: 4 rows."""
    both, sigma = [np.array(one) for one in (pair.means, pair.other_means)], pair.noise_multiplier
    every = np.concatenate(both)
    is_line = bool(np.any(every.min(axis=0) == every.max(axis=0)))
    finer = _FINER_ON_A_LINE if is_line else 1
    edges = [_edges(every[:, axis], sigma, finer) for axis in range(2)]
    weights, rows = np.array(pair.weights)[:, None], []
    for means in both:
        x, y = (
            [normal_masses((edges[axis] - mean) / sigma) for mean in means[:, axis]]
            for axis in range(2)
        )
        x_mass, y_mass = (np.array([one.mass for one in line]) for line in (x, y))
        x_error, y_error = (np.array([one.error for one in line]) for line in (x, y))
        mass = (weights * x_mass).T @ y_mass
        error = (weights * x_mass).T @ y_error + (weights * x_error).T @ (y_mass + y_error)
        # Of products and sums, and of the errors themselves.
        error = 1.001 * error + (len(means) + 8.0) * UNIT_ROUNDOFF * mass + SMALLEST_TAIL
        rows += [mass.ravel(), error.ravel() + pair.unlisted]
    return np.array(rows)


def _edges(means: FloatArray, sigma: float, finer: int) -> FloatArray:
    """Return the edges of cells along one axis; the outermost cells have no end."""
    low, high = float(means.min()), float(means.max())
    if low == high:
        return np.array([-np.inf, np.inf])  # nothing to see
    low, high = low - _REACH * sigma, high + _REACH * sigma
    cells = int(np.clip(np.ceil((high - low) / (_CELL * sigma)), 2, _MOST_CELLS)) * finer
    return np.concatenate([[-np.inf], np.linspace(low, high, cells + 1)[1:-1], [np.inf]])
