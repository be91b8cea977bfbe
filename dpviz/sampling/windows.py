"""From start positions to context and forecast values, with or without noise on them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpviz.sampling.batches import Batch
from dpviz.sampling.scheme import FloatArray
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import checked_integer, checked_real
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION
from dpviz.scenario.relation import LARGEST_CHANGE, SMALLEST_CHANGE


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """What a model reads and what it must predict (Algorithm 2).

    Args:
        context: the L_C values before the start, zeros where the series had not begun:
            shape (windows, L_C), then channels, if any.
        forecast: the L_F values from the start on: shape (windows, L_F), likewise.
    """

    context: FloatArray
    forecast: FloatArray


def windows(
    data: Sequence[npt.NDArray[np.number]] | npt.NDArray[np.number],
    batch: Batch,
    context_length: int,
    forecast_length: int,
    dtype: type[np.floating] = np.float64,
) -> Windows:
    """Cut all windows of a batch (the cropping of Algorithms 4 and 6). Only these are copied.

    Args:
        data: the N series, each of shape (L,) or (L, channels): an array, or a sequence of
            arrays of any lengths.
        dtype: type of the result, such as ``np.float32``.

    >>> one = Batch(series=np.array([0]), starts=np.array([1]), step=0, epoch=0)
    >>> cut = windows(np.array([[5, 6, 7, 8]]), one, context_length=3, forecast_length=2)
    >>> cut.context.tolist(), cut.forecast.tolist()
    ([[0.0, 0.0, 5.0]], [[6.0, 7.0]])
    """
    context_length = checked_integer("context_length", context_length, 0, LONGEST_WINDOW)
    forecast_length = checked_integer("forecast_length", forecast_length, 1, LONGEST_WINDOW)
    length = context_length + forecast_length
    cut = np.zeros((len(batch), length, *np.shape(data[0])[1:]), dtype=dtype)
    # As fast as one indexed read of a dense array, and at home with series of several lengths.
    pairs = zip(batch.series.tolist(), batch.starts.tolist(), strict=True)
    for row, (index, start) in enumerate(pairs):
        if not 0 <= index < len(data):
            raise ValueError(f"series = {index} is not allowed: it must be 0 to {len(data) - 1}.")
        values = data[index]
        last = len(values) - forecast_length
        if not 0 <= start <= last:
            raise ValueError(
                f"start = {start} is not allowed: in a series of {len(values)} values with "
                f"forecast_length {forecast_length} it must be 0 to {last}."
            )
        first = max(start - context_length, 0)
        end = start + forecast_length
        cut[row, length - (end - first) :] = values[first:end]
    return Windows(context=cut[:, :context_length], forecast=cut[:, context_length:])


def noise_of_windows(scenario: Scenario) -> dict[str, float]:
    """Return what :func:`noisy_windows` is asked for by a scenario; nothing without noise.

    Raises:
        ScenarioError: the scenario has noise on windows and no ``max_change`` to measure it by.
    """
    noise, change = scenario.noise, scenario.relation.max_change
    if not noise.is_on_windows:
        return {}
    if change is None:
        allowed = "it is needed, as noise on context and labels is measured in it"
        raise ScenarioError("max_change", None, allowed)
    return {
        "context_noise": noise.context_noise,
        "forecast_noise": noise.forecast_noise,
        "max_change": change,
    }


def noisy_windows(
    clean: Windows,
    rng: np.random.Generator,
    *,
    context_noise: float,
    forecast_noise: float,
    max_change: float,
) -> Windows:
    """Add Gaussian noise to context and forecast (Schuchardt et al., Section 4.3).

    Each value gets noise of its own, padding included; a window that is drawn again must get
    new noise.

    Args:
        clean: windows to add to, as doubles: two values that differ by v may differ by more where
            they were rounded before. They stay as they are.
        context_noise: sigma_C; the standard deviation is sigma_C v.
        forecast_noise: sigma_F; the standard deviation is sigma_F v.
        max_change: v, in the data's unit.
    """
    v = checked_real("max_change", max_change, SMALLEST_CHANGE, LARGEST_CHANGE)
    sigma_C = checked_real("context_noise", context_noise, 0.0, LARGEST_AUGMENTATION)
    sigma_F = checked_real("forecast_noise", forecast_noise, 0.0, LARGEST_AUGMENTATION)
    return Windows(
        context=_with_noise(clean.context, sigma_C * v, rng),
        forecast=_with_noise(clean.forecast, sigma_F * v, rng),
    )


def _with_noise(values: FloatArray, deviation: float, rng: np.random.Generator) -> FloatArray:
    # Noise is added in double precision; rounding to the data's type comes after it.
    noise = rng.normal(0.0, deviation, size=values.shape) if deviation > 0.0 else 0.0
    return (values + noise).astype(values.dtype)
