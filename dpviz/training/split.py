"""Which values are trained on, and which are only forecast: a split in time."""

from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from dpviz.sampling import Batch, windows
from dpviz.sampling.scheme import IntArray
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import ScenarioError, checked_integer
from dpviz.series_file.errors import quoted
from dpviz.training.forecaster import FloatArray
from dpviz.training.panel import Panel, check_sizes

MOST_WINDOWS = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationWindows:
    """Forecasts to be made, and what then came.

    Args:
        context: the L_C values before each forecast, zeros where a series had not begun, shape
            (windows, L_C).
        truth: the values to be forecast, shape (windows, L_F).
        histories: all values of the same series before each forecast, for baselines that read
            more than the context; each of shape (values,).
        series: which series each window is of, 0 to N - 1, shape (windows,).
        starts: where its truth starts in that series, from 0, shape (windows,).
    """

    context: FloatArray
    truth: FloatArray
    histories: tuple[FloatArray, ...]
    series: IntArray
    starts: IntArray

    def __len__(self) -> int:
        return len(self.series)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """A panel cut in time, each series at its own end.

    Args:
        training: the beginning of each series, all that training sees.
        validation: forecasts of the values that follow; without windows if none were asked for.
    """

    training: Panel
    validation: EvaluationWindows
    test: EvaluationWindows

    @property
    def values_kept(self) -> int:
        """How many values at the end of each series are not trained on."""
        return (self.validation.truth.size + self.test.truth.size) // len(self.training.series)

    def digest(self) -> str:
        """Return a text that changes with any value that is trained on or forecast (SHA-256).

        It is a function of private values: who guesses all of them can see that the guess is right.
        """
        found = sha256()
        for values in (*self.training.series, self.validation.truth, self.test.truth):
            # The size sets one series apart from the next.
            found.update(values.size.to_bytes(8, "little") + values.astype("<f8").tobytes())
        return found.hexdigest()


def split(
    panel: Panel,
    context_length: int,
    forecast_length: int,
    validation_windows: int = 1,
    test_windows: int = 1,
) -> Split:
    """Keep the end of each series for validation, and the very end for the test.

    The forecasts of a series follow each other without overlap. No value that is to be forecast is
    in the training part or in both other parts. A context reaches back into the parts before, as
    it does where a trained model is used: it is what is known on the day of the forecast.

    Args:
        validation_windows: forecasts of each series for validation, from 0; ``test_windows``, from
            1, for the test.

    >>> parts = split(Panel(series=([1, 2, 3, 4, 5],), names=("a",), period=1), 3, 1)
    >>> parts.training.series[0].tolist(), parts.validation.truth.tolist()
    ([1.0, 2.0, 3.0], [[4.0]])
    >>> parts.test.context.tolist(), parts.test.truth.tolist()
    ([[2.0, 3.0, 4.0]], [[5.0]])
    """
    context_length = checked_integer("context_length", context_length, 1, LONGEST_WINDOW)
    forecast_length = checked_integer("forecast_length", forecast_length, 1, LONGEST_WINDOW)
    validation_windows = checked_integer("validation_windows", validation_windows, 0, MOST_WINDOWS)
    test_windows = checked_integer("test_windows", test_windows, 1, MOST_WINDOWS)
    check_sizes(panel)
    kept = validation_windows + test_windows
    least = (kept + 1) * forecast_length
    if min(panel.lengths) < least:
        raise ScenarioError("forecast_length", forecast_length, _room(panel, kept, least))
    trained_on = tuple(values[: len(values) - kept * forecast_length] for values in panel.series)
    lengths = context_length, forecast_length
    return Split(
        training=replace(panel, series=trained_on),
        validation=_forecasts(panel, *lengths, range(kept, test_windows, -1)),
        test=_forecasts(panel, *lengths, range(test_windows, 0, -1)),
    )


def _room(panel: Panel, kept: int, least: int) -> str:
    """Return which forecasts have room in every series, and which series lack room for this one."""
    name, shortest = min(zip(panel.names, panel.lengths, strict=True), key=lambda one: one[1])
    short, most = sum(length < least for length in panel.lengths), shortest // (kept + 1)
    ways = [f"it must be at most {most:,}"] if most else []
    ways += ["shorter series have to be left out"] if short < len(panel) else []
    return (
        f"{', or '.join(ways) or 'it needs longer series'}: each needs {least:,} values, room for "
        f"{kept + 1:,} forecasts, all but one of them kept from training. {short:,} of "
        f"{len(panel):,} series {'has' if short == 1 else 'have'} fewer: {quoted(name)} has "
        f"{shortest:,}"
    )


def _forecasts(
    panel: Panel, context_length: int, forecast_length: int, from_the_end: range
) -> EvaluationWindows:
    """Cut the forecasts that start so many forecast lengths before the end of each series."""
    places = [
        (index, length - forecasts * forecast_length)
        for index, length in enumerate(panel.lengths)
        for forecasts in from_the_end
    ]
    series, starts = np.array(places, dtype=np.int64).reshape(-1, 2).T
    batch = Batch(series=series, starts=starts, step=0, epoch=0)
    cut = windows(panel.series, batch, context_length, forecast_length)
    return EvaluationWindows(
        context=np.asarray(cut.context, dtype=np.float64),
        truth=np.asarray(cut.forecast, dtype=np.float64),
        histories=tuple(panel.series[index][:start] for index, start in places),
        series=series,
        starts=starts,
    )
