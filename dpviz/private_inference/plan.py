"""What is hidden in the contexts of forecasts, from whom, and under which budget."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpviz.scenario.errors import ScenarioError, checked_choice, keep_integer, keep_real
from dpviz.scenario.relation import LARGEST_CHANGE, LEVELS, SMALLEST_CHANGE
from dpviz.scenario.release_settings import (
    DELTA_RANGE,
    EPSILON_RANGE,
    LONGEST_SERIES,
    RATE_RANGE,
    ReleaseSettings,
)

LONGEST_CONTEXT = 10_000
WIDEST = 10**6
MOST_FORECASTS = 10_000
LONGEST_STRIDE = 10_000


@dataclass(frozen=True, kw_only=True)
class HidingPlan:
    """How contexts are hidden, and what an individual may change in them.

    All of it is public, and fixed before any value is looked at.

    Args:
        context_length: L_C, values that one forecast reads.
        rate: r, the probability with which each value of a context is kept.
        max_change: v, the most by which an individual changes one value, in the data's unit.
        level: ``event``: an individual changes ``width`` values in a row of one series; ``user``:
            any ``width`` values of one series.
        forecasts: K, forecasts of the same series that are released. Each hides its context anew.
        stride: time steps from one forecast to the next; 0 where all of them read the same context.

    >>> HidingPlan(context_length=8, rate=0.5, max_change=1.0, epsilon=1, delta=1e-4).readings
    1
    """

    context_length: int
    rate: float
    max_change: float
    epsilon: float
    delta: float
    level: str = "event"
    width: int = 1
    forecasts: int = 1
    stride: int = 1

    def __post_init__(self) -> None:
        keep_integer(self, "context_length", 1, LONGEST_CONTEXT)
        keep_integer(self, "width", 1, WIDEST)
        keep_integer(self, "forecasts", 1, MOST_FORECASTS)
        keep_integer(self, "stride", 0, LONGEST_STRIDE)
        keep_real(self, "rate", *RATE_RANGE)
        keep_real(self, "max_change", SMALLEST_CHANGE, LARGEST_CHANGE)
        keep_real(self, "epsilon", *EPSILON_RANGE)
        keep_real(self, "delta", *DELTA_RANGE)
        checked_choice("level", self.level, LEVELS)
        if (self.forecasts - 1) * self.stride + self.context_length > LONGEST_SERIES:
            raise ScenarioError(
                "forecasts",
                self.forecasts,
                f"with stride {self.stride:,} all contexts together must cover at most "
                f"{LONGEST_SERIES:,} values",
            )
        if self.readings > LONGEST_SERIES:
            raise ScenarioError(
                "forecasts",
                self.forecasts,
                f"an individual's values must be read at most {LONGEST_SERIES:,} times in all",
            )

    @cached_property
    def readings(self) -> int:
        """How often contexts hold a value that the individual changes, at most."""
        return most_readings(
            self.context_length, self.level, self.width, self.forecasts, self.stride
        )

    @property
    def unit_release(self) -> ReleaseSettings:
        """The release of counts (v = 1) whose exact accounting is the same."""
        return ReleaseSettings(
            length=self.readings,
            participation=self.readings,
            epsilon=self.epsilon,
            delta=self.delta,
            rate=self.rate,
        )


def most_readings(context_length: int, level: str, width: int, forecasts: int, stride: int) -> int:
    """Return how often ``forecasts`` contexts together read ``width`` values, at most.

    >>> most_readings(8, "event", 1, 3, 1), most_readings(8, "user", 10, 1, 1)
    (3, 8)
    """
    length = (forecasts - 1) * stride + context_length
    begins = stride * np.arange(forecasts)
    changes = np.zeros(length + 1, dtype=np.int64)
    np.add.at(changes, begins, 1)
    np.add.at(changes, begins + context_length, -1)
    times_read = np.cumsum(changes)[:length]
    reached = min(width, length)
    if level == "user":
        return int(np.sort(times_read)[length - reached :].sum())
    sums = np.concatenate([[0], np.cumsum(times_read)])
    return int((sums[reached:] - sums[:-reached]).max())
