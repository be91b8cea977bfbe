"""One training step's gradient: windows cut, noised, clipped, summed, noised (Algorithm 2)."""

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from dpviz.sampling import Batch, Windows, noise_of_windows, noisy_average, noisy_windows, windows
from dpviz.sampling.noisy_step import CLIPPING_NORM_RANGE
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.panel import Panel
from dpviz.training.settings import TrainingSettings

# So many zeros before all series together are kept in memory; beyond, windows are cut one by one.
_MOST_PADDING = 20_000_000
# No gradient that is a number a computer can sum is as long.
_NO_CLIPPING = CLIPPING_NORM_RANGE[1]
_ROUNDING = 1e-9  # of a sum of norms


class WindowReader:
    """Cuts what :func:`dpviz.sampling.windows` cuts, from one array of all series.

    Each series is kept behind L_C zeros, so that every window is a stretch of that array.

    Args:
        series: the values of each, each of shape (L,), L at least L_F.

    >>> reader = WindowReader([np.array([5.0, 6.0, 7.0, 8.0])], 3, 2)
    >>> cut = reader.read(Batch(series=np.array([0]), starts=np.array([1]), step=0, epoch=0))
    >>> cut.context.tolist(), cut.forecast.tolist()
    ([[0.0, 0.0, 5.0]], [[6.0, 7.0]])
    """

    def __init__(
        self, series: Sequence[FloatArray], context_length: int, forecast_length: int
    ) -> None:
        self._series, self._lengths = series, (context_length, forecast_length)
        self._last = np.array([len(values) for values in series]) - forecast_length
        self._stretches: FloatArray | None = None
        if len(series) * context_length <= _MOST_PADDING:
            padding = np.zeros(context_length)
            whole = np.concatenate([part for values in series for part in (padding, values)])
            self._stretches = sliding_window_view(whole, context_length + forecast_length)
            ends = np.cumsum([context_length + len(values) for values in series])
            self._begins = np.concatenate([[0], ends[:-1]])

    def read(self, batch: Batch) -> Windows:
        """Return the windows of a batch, context and forecast each of shape (windows, length)."""
        index, starts = batch.series, batch.starts
        is_there = (index >= 0) & (index < len(self._last)) & (starts >= 0)
        is_there[is_there] = starts[is_there] <= self._last[index[is_there]]
        if self._stretches is None or not is_there.all():
            return windows(self._series, batch, *self._lengths)  # says what is not there
        cut = self._stretches[self._begins[index] + starts]
        context, forecast = np.split(cut, [self._lengths[0]], axis=1)
        return Windows(context=context, forecast=forecast)


class Mechanism:
    """Computes the gradients of a run; the only place that sees the training values.

    Args:
        settings: what is added to windows and gradients; without a target nothing is.
    """

    def __init__(
        self,
        settings: TrainingSettings,
        training: Panel,
        forecaster: Forecaster,
        generators: dict[str, np.random.Generator],
    ) -> None:
        self._settings, shape = settings, settings.shape
        self._reader = WindowReader(training.series, shape.context_length, shape.forecast_length)
        self._forecaster, self._generators = forecaster, generators

    # A warning would tell which values had caused it.
    @np.errstate(all="ignore")
    def gradient(self, parameters: FloatArray, batch: Batch) -> FloatArray:
        """Return what the optimiser sees of a batch, which may be empty, shape (parameters,)."""
        settings, cut = self._settings, self._reader.read(batch)
        if not settings.is_private:
            return self._sum(parameters, cut, _NO_CLIPPING) / settings.scenario.sampling.batch_size
        if noise := noise_of_windows(settings.scenario):
            cut = noisy_windows(cut, self._generators["windows"], **noise)
        return noisy_average(
            self._sum(parameters, cut, settings.clipping_norm),
            self._generators["gradients"],
            clipping_norm=settings.clipping_norm,
            noise_multiplier=settings.scenario.noise.noise_multiplier,
            batch_size=settings.scenario.sampling.batch_size,
        )

    def _sum(self, parameters: FloatArray, cut: Windows, clipping_norm: float) -> FloatArray:
        context, forecast = (np.asarray(part, np.float64) for part in (cut.context, cut.forecast))
        found = self._forecaster.clipped_gradient(parameters, context, forecast, clipping_norm)
        # A forecaster that clips wrongly would make every epsilon wrong.
        most = len(context) * clipping_norm if len(context) else 0.0
        if not np.linalg.norm(found.total) <= most * (1.0 + _ROUNDING):
            raise AssertionError("the forecaster's sum is longer than clipped gradients are")
        return found.total
