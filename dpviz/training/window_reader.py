"""The windows of a batch, cut all at once."""

from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from dpviz.sampling import Batch, Windows, windows
from dpviz.training.forecaster import FloatArray

# So many zeros before all series together are kept in memory; beyond, windows are cut one by one.
_MOST_PADDING = 20_000_000


class WindowReader:
    """Cuts what :func:`dpviz.sampling.windows` cuts, from one array of all series.

    Each series is kept behind L_C zeros, so that every window is a stretch of that array.

    Args:
        series: the values of each, each of shape (L,), L at least L_F.
        context_length: L_C.
        forecast_length: L_F.

    >>> reader = WindowReader([np.array([5.0, 6.0, 7.0, 8.0])], 3, 2)
    >>> cut = reader.read(Batch(series=np.array([0]), starts=np.array([1]), step=0, epoch=0))
    >>> cut.context.tolist(), cut.forecast.tolist()
    ([[0.0, 0.0, 5.0]], [[6.0, 7.0]])
    """

    def __init__(
        self, series: Sequence[FloatArray], context_length: int, forecast_length: int
    ) -> None:
        self._series, self._lengths = series, (context_length, forecast_length)
        self._context_length = context_length
        self._last = np.array([len(values) for values in series]) - forecast_length
        self._stretches: FloatArray | None = None
        if len(series) * context_length <= _MOST_PADDING:
            padding = np.zeros(context_length)
            whole = np.concatenate([part for values in series for part in (padding, values)])
            self._stretches = sliding_window_view(whole, context_length + forecast_length)
            ends = np.cumsum([context_length + len(values) for values in series])
            self._begins = np.concatenate([[0], ends[:-1]])

    def read(self, batch: Batch) -> Windows:
        """Return the windows of a batch, context and forecast each of shape (windows, length).

        Raises:
            ValueError: there is no such series or start position.
        """
        if self._stretches is None or not self._are_all_there(batch):
            return windows(self._series, batch, *self._lengths)  # says what is not there
        cut = self._stretches[self._begins[batch.series] + batch.starts]
        return Windows(
            context=cut[:, : self._context_length], forecast=cut[:, self._context_length :]
        )

    def _are_all_there(self, batch: Batch) -> bool:
        index, starts = batch.series, batch.starts
        if np.any((index < 0) | (index >= len(self._last))):
            return False
        return not np.any((starts < 0) | (starts > self._last[index]))
