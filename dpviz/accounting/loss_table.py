"""Outcomes with given losses, where the loss has no closed inverse.

Newton's method within the cells of a table, and what it misses is measured.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.buckets import UNIT_ROUNDOFF, FloatArray
from dpviz.accounting.privacy_loss import Located

_CELLS = 1024
_NEWTON_STEPS = 4


class LossTable:
    """A loss at evenly spaced outcomes.

    Args:
        evaluate: returns losses, bounds on their rounding errors, and slopes, at outcomes; the
            exact loss must increase.
        smallest: the first outcome.
        largest: the last one.

    Attributes:
        outcomes: the table's outcomes, shape (cells + 1,).
        losses: at the outcomes, not decreasing, in nats.
    """

    def __init__(
        self,
        evaluate: Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]],
        smallest: float,
        largest: float,
    ) -> None:
        self._evaluate = evaluate
        self.outcomes = np.linspace(smallest, largest, _CELLS + 1)
        values, errors, self._slopes = evaluate(self.outcomes)
        self.losses = np.maximum.accumulate(values)
        # A loss that stands in for a smaller one has that one's error or its own.
        replaced = self.losses > values
        self._errors = np.where(replaced, np.maximum.accumulate(errors), errors)

    def located(self, losses: FloatArray, side: int = 0) -> Located:
        """Return outcomes by Newton's method; what the loss there misses is part of the error.

        Where a loss has to be kept on one side and Newton's method does not reach it, the nearest
        outcome of the table is taken that is on that side for certain.
        """
        cells = np.clip(np.searchsorted(self.losses, losses) - 1, 0, _CELLS - 1)
        # A loss of the table itself may need the next cell.
        low = self.outcomes[np.maximum(cells - (side < 0), 0)]
        high = self.outcomes[np.minimum(cells + 1 + (side > 0), _CELLS)]
        # Aimed at a little to the side, so that rounding does not lead across.
        of_grid = 2.0 * UNIT_ROUNDOFF * (np.abs(losses) + np.abs(losses - losses[0]))
        cell_errors = np.maximum(self._errors[cells], self._errors[cells + 1])
        close = 0.5 * (cell_errors + of_grid)
        aimed = losses + side * 4.0 * close
        x = np.clip(self._interpolated(aimed, cells), low, high)
        values, errors, slopes = self._evaluate(x)
        left = np.arange(len(x))
        for _ in range(_NEWTON_STEPS):
            # So close to the aim an outcome is as good as it gets, and on its side.
            left = left[~(np.abs(values - aimed)[left] <= close[left])]
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.where(slopes[left] > 0.0, (values - aimed)[left] / slopes[left], 0.0)
            step = np.where(np.isfinite(step), step, 0.0)
            moved = np.clip(x[left] - step, low[left], high[left])
            left, moved = left[moved != x[left]], moved[moved != x[left]]
            if len(left) == 0:
                break
            x[left] = moved
            values[left], errors[left], slopes[left] = self._evaluate(moved)
        errors += of_grid
        if side == 0:
            return Located(
                outcomes=np.maximum.accumulate(x), errors=np.abs(values - losses) + errors
            )
        wrong = side * (values - losses) < errors
        certain = self._certain_outcomes(losses, of_grid, side)
        x = np.where(wrong, self.outcomes[certain], x)
        values = np.where(wrong, self.losses[certain], values)
        errors = np.where(wrong, self._errors[certain] + of_grid, errors)
        # Where the table ends there may be no outcome on that side: the end itself is taken, which
        # no bucket reaches beyond, and what its loss misses towards the other side is no error.
        missed = np.maximum(side * (values - losses), 0.0) + errors
        # Of outcomes in the wrong order, all on their side, the nearer one is right for both.
        ordered = np.maximum.accumulate(x) if side < 0 else np.minimum.accumulate(x[::-1])[::-1]
        return Located(outcomes=ordered, errors=missed)

    def _interpolated(self, losses: FloatArray, cells: NDArray[np.intp]) -> FloatArray:
        """Return about the outcomes with losses in cells: the inverse as a cubic (Hermite)."""
        start, end = self.outcomes[cells], self.outcomes[cells + 1]
        first, width = self.losses[cells], np.diff(self.losses)[cells]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            share = np.clip((losses - first) / width, 0.0, 1.0)
            rise = width / self._slopes[cells] / (end - start)
            rise_at_end = width / self._slopes[cells + 1] / (end - start)
            passed = share * (
                rise + share * (3.0 - 2.0 * rise - rise_at_end + share * (rise + rise_at_end - 2.0))
            )
        passed = np.where(np.isfinite(passed), np.clip(passed, 0.0, 1.0), 0.5)
        return np.asarray(start + passed * (end - start))

    def _certain_outcomes(
        self, losses: FloatArray, of_grid: FloatArray, side: int
    ) -> NDArray[np.intp]:
        """Return the table's nearest places whose losses are on a side whatever was rounded."""
        if side < 0:
            most = np.maximum.accumulate(self.losses + self._errors)
            return np.maximum(np.searchsorted(most, losses - of_grid, side="right") - 1, 0)
        least = (self.losses - self._errors)[::-1]
        least = np.minimum.accumulate(least)[::-1]
        return np.minimum(np.searchsorted(least, losses + of_grid), _CELLS)
