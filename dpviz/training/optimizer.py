"""How noisy gradients move the parameters. An optimiser sees nothing else of the data."""

from typing import Protocol

import numpy as np

from dpviz.scenario.errors import checked_choice
from dpviz.training.forecaster import FloatArray
from dpviz.training.settings import OPTIMIZERS

# The constants that Kingma and Ba propose.
_FIRST_DECAY, _SECOND_DECAY, _SMALLEST_SCALE = 0.9, 0.999, 1e-8


class Optimizer(Protocol):
    """Moves parameters; what it remembers is kept in arrays of the parameters' shape."""

    memory: dict[str, FloatArray]

    def moved(self, parameters: FloatArray, gradient: FloatArray, step: int) -> FloatArray:
        """Return the parameters after one step.

        Args:
            parameters: shape (parameters,).
            gradient: shape (parameters,).
            step: number of this step, from 1.
        """


def optimizer_named(name: str, learning_rate: float, num_parameters: int) -> Optimizer:
    """Return a fresh optimiser: ``adam`` or ``sgd``."""
    if checked_choice("optimizer", name, OPTIMIZERS) == "adam":
        return _Adam(learning_rate, num_parameters)
    return _Sgd(learning_rate)


class _Sgd:
    """Steps against the gradient."""

    def __init__(self, learning_rate: float) -> None:
        self.learning_rate = learning_rate
        self.memory: dict[str, FloatArray] = {}

    def moved(
        self,
        parameters: FloatArray,
        gradient: FloatArray,
        step: int,  # noqa: ARG002
    ) -> FloatArray:
        return parameters - self.learning_rate * gradient


class _Adam:
    """Adam: *A Method for Stochastic Optimization* (Kingma and Ba 2015), Algorithm 1."""

    def __init__(self, learning_rate: float, num_parameters: int) -> None:
        self.learning_rate = learning_rate
        self.memory = {name: np.zeros(num_parameters) for name in ("first", "second")}

    def moved(self, parameters: FloatArray, gradient: FloatArray, step: int) -> FloatArray:
        first, second = self.memory["first"], self.memory["second"]
        first = _FIRST_DECAY * first + (1.0 - _FIRST_DECAY) * gradient
        second = _SECOND_DECAY * second + (1.0 - _SECOND_DECAY) * gradient**2
        self.memory = {"first": first, "second": second}
        mean = first / (1.0 - _FIRST_DECAY**step)
        scale = np.sqrt(second / (1.0 - _SECOND_DECAY**step))
        return np.asarray(parameters - self.learning_rate * mean / (scale + _SMALLEST_SCALE))
