"""Windows by number, as PyTorch's ``DataLoader`` asks a data set for them; without PyTorch too."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from dpviz.sampling import Batch, noise_of_windows, noisy_windows, windows
from dpviz.sampling.scheme import FloatArray, Numbering, scheme_for
from dpviz.scenario import Scenario, ScenarioError


class WindowDataset:
    """All windows of some series: a map-style data set for PyTorch's ``DataLoader``.

    A window is a pair of arrays, context (L_C, channels if any) and forecast (L_F, likewise).
    Only drawn windows are copied. Where the scenario has noise on windows each one gets new noise
    whenever it is read, from the operating system's entropy: workers of a loader share no state.

    Args:
        series: the N series, each of shape (L,) or (L, channels).
        scenario: what is accounted for; its data must be a ``DataShape``.

    Attributes:
        noise: what is added to windows, see :func:`dpviz.sampling.noise_of_windows`.
        window_parts: L_C and L_F.

    Raises:
        ScenarioError: the scenario is about other numbers or lengths of series, or has noise on
            windows and no ``max_change`` to measure it by, or fewer channels than the series. Of
            one channel ``max_change`` bounds the Euclidean norm of all values of a time step.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> data = WindowDataset(np.ones((320, 20)), toy)
    >>> len(data), [part.shape for part in data[0]]
    (6400, [(1,), (1,)])
    """

    def __init__(
        self,
        series: Sequence[npt.NDArray[np.number]] | npt.NDArray[np.number],
        scenario: Scenario,
        dtype: type[np.floating[Any]] = np.float32,
    ) -> None:
        if len(series) == 0:
            raise ScenarioError("num_series", 0, "there are no series")
        self.noise = noise_of_windows(scenario)
        channels, stated = prod(np.shape(series[0])[1:]), scenario.relation.num_channels
        if self.noise and channels > stated > 1:  # of one, v bounds their Euclidean norm
            allowed = f"the guarantee is about {stated} values of a time step that change together"
            raise ScenarioError("num_channels", channels, allowed)
        lengths = [len(values) for values in series]
        self.series, self.series_lengths, self.dtype = series, lengths, dtype
        self.numbers = Numbering(scheme_for(scenario, lengths).start_positions)
        shape = scenario.given_shape
        self.window_parts = shape.context_length, shape.forecast_length

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, number: int) -> tuple[FloatArray, FloatArray]:
        context, forecast = self.__getitems__([number])
        return context[0], forecast[0]

    def __getitems__(self, numbers: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Return contexts and forecasts of a batch, shapes (windows, L_C) and (windows, L_F).

        PyTorch asks for a whole batch in this way. An empty batch has no rows.

        Raises:
            IndexError: there is no such window.
        """
        asked = np.asarray(numbers, dtype=np.int64)
        if asked.size and not (asked.min() >= 0 and asked.max() < len(self)):
            raise IndexError(f"there are windows 0 to {len(self) - 1:,} only")
        series, starts = self.numbers.places(asked)
        drawn = Batch(series=series, starts=starts, step=0, epoch=0)
        # Rounding comes after the noise: before it, a value that changes by v could change by more.
        dtype = np.float64 if self.noise else self.dtype
        cut = windows(self.series, drawn, *self.window_parts, dtype)
        if self.noise:
            cut = noisy_windows(cut, np.random.default_rng(), **self.noise)
        context, forecast = (np.asarray(one, self.dtype) for one in (cut.context, cut.forecast))
        return context, forecast


def tensors(batch: tuple[FloatArray, FloatArray]) -> tuple[Any, ...]:
    """Return a batch of :class:`WindowDataset` as tensors: the ``collate_fn`` of a ``DataLoader``.

    An empty batch, which happens where coins are tossed, has tensors without rows: training must
    take its step, too.
    """
    import torch

    return tuple(torch.from_numpy(part) for part in batch)
