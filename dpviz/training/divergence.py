"""Training that went out of bounds."""

import numpy as np

from dpviz.planning.budget_tracker import Spent
from dpviz.training.forecaster import FloatArray

_LARGEST_PARAMETER = 1e100


class DivergedError(ArithmeticError):
    """A training run ended in numbers that are no forecast.

    Attributes:
        step: the training step after which it was seen.
        what: what diverged, in words.
        spent: what the run had spent by then; ``None`` without privacy or before the first step.
    """

    def __init__(self, step: int, what: str, spent: Spent | None) -> None:
        self.step, self.what, self.spent = step, what, spent
        super().__init__(f"training diverged: after step {step:,} {what}; lower learning_rate")

    def __reduce__(self) -> tuple[type, tuple[int, str, Spent | None]]:
        """Say how it is made again, for whoever gets it from another process."""
        return type(self), (self.step, self.what, self.spent)


def is_out_of_bounds(parameters: FloatArray) -> bool:
    """Return whether parameters are too large to compute with, or no numbers.

    >>> bool(is_out_of_bounds(np.array([1.0, np.nan]))), is_out_of_bounds(np.array([1.0]))
    (True, False)
    """
    # A comparison with NaN is never true.
    return not bool(np.all(np.abs(parameters) <= _LARGEST_PARAMETER))
