"""The trend of a context: its moving average."""

import numpy as np

from dpviz.training.forecaster import FloatArray


def moving_average(context: FloatArray, kernel: int) -> FloatArray:
    """Return the mean of ``kernel`` values around each one, the ends repeated (Zeng et al. 2023).

    Args:
        context: shape (windows, L_C).
        kernel: number of values, odd.

    >>> moving_average(np.array([[0.0, 3.0, 6.0]]), 3).tolist()
    [[1.0, 3.0, 5.0]]
    """
    half = kernel // 2
    padded = np.pad(context, ((0, 0), (half, half)), mode="edge")
    with np.errstate(all="ignore"):
        around = np.lib.stride_tricks.sliding_window_view(padded, kernel, axis=1)
        return np.asarray(around.mean(axis=2))
