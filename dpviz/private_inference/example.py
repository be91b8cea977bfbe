"""A made-up series whose context is hidden, with forecasts before and after."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.private_inference.hide import BoolArray, forecasts_of_hidden, hidden_contexts
from dpviz.private_inference.model import (
    LOWEST,
    crps_of_hidden,
    known_values,
    last_windows,
    model_of,
)
from dpviz.private_inference.study import DRAWS, FORECAST_LENGTH, STEPS, halves_of, mean_value
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.models import forecaster
from dpviz.training.quantiles import LEVELS
from dpviz.training.split import EvaluationWindows

_DATA = "generated"
_TRAINING_SEED = 1
NUM_SERIES = 100
"""Made-up series that are forecast; as many others are trained on."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Example:
    """One forecast.

    Args:
        first: number of the context's first value in its series, from 1.
        context: as it is, shape (L_C,), as ``seen``, what the model sees of it.
        kept: which of these values are noisy ones, likewise.
        truth: what came, shape (L_F,).
        hidden: quantiles forecast from what is seen, shape (L_F, levels); ``None`` without a model.
        clear: those forecast from the context as it is, likewise.
    """

    name: str
    first: int
    context: FloatArray
    seen: FloatArray
    kept: BoolArray
    truth: FloatArray
    hidden: FloatArray | None
    clear: FloatArray | None


@dataclass(frozen=True, kw_only=True)
class Errors:
    """Mean errors (CRPS) of forecasts of all the made-up series.

    Args:
        hidden: with the given share of values kept, and its noise.
        whole: with all values kept, and the noise that takes.
        clear: from contexts as they are.
    """

    hidden: float
    whole: float
    clear: float


def example_parameters(model: str, context_length: int) -> FloatArray:
    """Return the parameters of a model that was trained on half of the made-up series."""
    training, _ = halves_of(_DATA)
    return model_of(
        model, training, context_length, FORECAST_LENGTH, steps=STEPS, seed=_TRAINING_SEED
    )[1]


def example(
    model: str,
    context_length: int,
    parameters: FloatArray | None,
    series: int,
    *,
    rate: float,
    noise: float,
    seed: int,
) -> Example:
    """Return the forecast of one of the :data:`NUM_SERIES` series; none without parameters."""
    built, windows = _built(model, context_length)
    context = windows.context[series : series + 1]
    hidden = hidden_contexts(
        context,
        rate=rate,
        noise=noise,
        nothing_kept=public_value(),
        known=known_values(windows)[series : series + 1],
        rng=np.random.default_rng([seed, series]),
    )
    forecasts: tuple[FloatArray | None, FloatArray | None] = (None, None)
    if parameters is not None:
        forecasts = (
            forecasts_of_hidden(built, parameters, hidden, LEVELS, lowest=LOWEST)[0],
            np.clip(built.quantiles(parameters, context, LEVELS), LOWEST, None)[0],
        )
    return Example(
        # Of those that are forecast: every other series of the panel is.
        name=f"made-up series {series + 1}",
        first=int(windows.starts[series]) - context_length + 1,
        context=context[0],
        seen=hidden.values[0],
        kept=hidden.kept[0],
        truth=windows.truth[series],
        hidden=forecasts[0],
        clear=forecasts[1],
    )


def example_errors(
    model: str,
    context_length: int,
    parameters: FloatArray,
    *,
    rate: float,
    noise: float,
    whole_noise: float,
    seed: int,
) -> Errors:
    """Return the errors over all series and several draws; see :func:`example`."""
    built, windows = _built(model, context_length)

    def error(rate: float, noise: float, draws: int) -> float:
        return crps_of_hidden(
            built,
            parameters,
            windows,
            rate=rate,
            noise=noise,
            nothing_kept=public_value(),
            seed=[seed, NUM_SERIES],
            draws=draws,
        )

    return Errors(
        hidden=error(rate, noise, DRAWS),
        whole=error(1.0, whole_noise, DRAWS),
        clear=error(1.0, 0.0, 1),
    )


def public_value() -> float:
    """Return what stands in for a context of which nothing is kept: the other series' mean."""
    return mean_value(halves_of(_DATA)[0])


@lru_cache(maxsize=16)
def _built(model: str, context_length: int) -> tuple[Forecaster, EvaluationWindows]:
    _, panel = halves_of(_DATA)
    windows = last_windows(panel, context_length, FORECAST_LENGTH)
    return forecaster(model, context_length, FORECAST_LENGTH, panel.period), windows
