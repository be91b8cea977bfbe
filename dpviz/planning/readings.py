"""What a gradient tells of a drawn window: that it shows a value, or which data set it is like."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpviz.accounting.buckets import BoolArray
from dpviz.planning.drawn_batches import holds
from dpviz.planning.placement import Placement
from dpviz.sampling import Windows, noisy_windows
from dpviz.sampling.scheme import FloatArray, IntArray

# Values with noise that are drawn at once: some tens of megabytes.
_MOST_VALUES = 10**6
# Random numbers that are as costly as one window's test, and as one of its values.
_OF_A_TEST, _OF_A_VALUE = 40.0, 2.0


class Told(NamedTuple):
    """Of how many windows of some units a gradient says anything, and which data set it says.

    Arrays of shape (units,): ``there`` say that the values are there, if they are; ``not_there``
    say so if they are not.
    """

    answered: IntArray
    there: IntArray
    not_there: IntArray


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Where the protected values lie, and by what a gradient tells that a window holds one.

    Args:
        placed: the values; in a row where there is noise on windows.
        num_channels: values per time step; all of a protected one change.
        tests: whether a window with noise is asked which data set it looks like more; else it is
            only asked whether a part without noise holds a protected value.
        windows: at so many start positions only, those at which the change is largest beside the
            noise; at all without it.
    """

    placed: Placement
    context_noise: float = 0.0
    forecast_noise: float = 0.0
    num_channels: int = 1
    tests: bool = False
    windows: int | None = None

    def tell(
        self, starts: IntArray, rng: np.random.Generator
    ) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Return of which windows anything is said, and which say that the values are there.

        If windows are tested, their noise is drawn, the same for both data sets. So what says that
        the values are there if they are not says so if they are, too.

        Args:
            starts: where the windows start, shape (windows,).

        Returns:
            Arrays of shape (windows,): windows that are answered; of these, those that say it if
            the values are there; and those that say it if they are not.
        """
        in_context, in_forecast = holds(self.placed, starts)
        if not self.tests:
            seen = in_context if self.context_noise == 0.0 else np.zeros_like(in_context)
            seen = seen | in_forecast if self.forecast_noise == 0.0 else seen
            return seen, seen, np.zeros_like(seen)
        answered = in_context | in_forecast
        if self.windows is not None:
            answered &= np.isin(starts, self._told_most())
        there, not_there = np.zeros_like(answered), np.zeros_like(answered)
        tested = np.flatnonzero(answered)
        at_once = max(1, _MOST_VALUES // (self.placed.window_length * self.num_channels))
        for first in range(0, len(tested), at_once):
            some = tested[first : first + at_once]
            there[some], not_there[some] = self._tested(starts[some], rng)
        return answered, there, not_there

    def cost(self, windows: float) -> float:
        """Return about how many random numbers cost as much as to tell of so many windows."""
        if not self.tests:
            return 0.0
        tested = min(self.placed.touched_windows, self.windows or self.placed.touched_windows)
        of_one = _OF_A_TEST + _OF_A_VALUE * self.placed.window_length * self.num_channels
        return windows * tested / self.placed.start_positions * of_one

    def _tested(self, starts: IntArray, rng: np.random.Generator) -> tuple[BoolArray, BoolArray]:
        """Return whether the windows look more like those with the changed values.

        A changed value is 1 where it is there and 0 where not, in units of the largest change.
        Noised by what training noises windows with, the windows are Gaussian on either data set;
        the logarithm of the densities' ratio, summed over values, decides.
        """
        placed, channels = self.placed, self.num_channels
        first, last = placed.values(0)
        places = starts[:, None] + np.arange(-placed.context_length, placed.forecast_length)
        is_changed = (places >= first) & (places <= last)
        change = np.repeat(is_changed.astype(np.float64)[:, :, None], channels, axis=2)
        parts = np.split(change, [placed.context_length], axis=1)
        sigmas = self.context_noise, self.forecast_noise
        noise = noisy_windows(
            Windows(*(np.zeros_like(part) for part in parts)),
            rng,
            context_noise=sigmas[0],
            forecast_noise=sigmas[1],
            max_change=1.0,
        )
        there, not_there = np.zeros(len(starts)), np.zeros(len(starts))
        for part, drawn, sigma in zip(parts, (noise.context, noise.forecast), sigmas, strict=True):
            there += _log_ratio(part, drawn + part, sigma)
            not_there += _log_ratio(part, drawn, sigma)
        return there > 0.0, not_there > 0.0

    def _told_most(self) -> IntArray:
        """Return the start positions of the windows that are told apart best."""
        first, last = self.placed.values(0)
        low, high = self.placed.touched(0)
        starts = np.arange(low, high + 1)
        distances = np.zeros(len(starts))
        for begin, end, sigma in (
            (starts - self.placed.context_length, starts - 1, self.context_noise),
            (starts, starts + self.placed.forecast_length - 1, self.forecast_noise),
        ):
            held = np.maximum(np.minimum(end, last) - np.maximum(begin, first) + 1, 0)
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                distances += np.where(held > 0, (np.sqrt(held) / sigma) ** 2, 0.0)
        return starts[np.argsort(-distances, kind="stable")[: self.windows]]


def _log_ratio(change: FloatArray, values: FloatArray, sigma: float) -> FloatArray:
    """Return each window's log of N(change, sigma^2) over N(0, sigma^2), summed over its values."""
    from_the_middle = values - change / 2.0
    if sigma == 0.0:  # what a changed value is says it all
        surely = (np.sign(from_the_middle) * (change > 0.0)).sum(axis=(1, 2))
        return np.asarray(np.where(surely == 0.0, 0.0, np.copysign(np.inf, surely)))
    with np.errstate(over="ignore"):
        return np.asarray((change / sigma * (from_the_middle / sigma)).sum(axis=(1, 2)))
