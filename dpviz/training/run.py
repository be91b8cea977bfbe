"""The private training loop (Schuchardt et al., Algorithms 1 and 2)."""

from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

import dpviz
from dpviz.scenario import ScenarioError
from dpviz.training.baselines import seasonal_naive
from dpviz.training.budgeted_run import BudgetedRun
from dpviz.training.checkpoint import FILE_NAME, CheckpointError
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.models import forecaster as forecaster_named
from dpviz.training.panel import Panel
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split, split

_TEST = (
    "the forecasts of the test windows, their error and that of the baselines: they are computed "
    "from the very values that are forecast, and from the values before them"
)
_BASELINES = (
    "the baselines' forecasts: each series' own last season, or a fit to that series alone, both "
    "without noise"
)
_CURVE = "the error of held-out windows along the way"
_BEST = "the choice of the parameters by the error of held-out windows"
_NAIVE = (
    "the naive forecasts: nothing is trained, but each of them repeats values of its own series as "
    "they are"
)
_OTHER_RUNS = "other runs on the same data, also those by which settings were chosen"
Run = Generator[Progress, None, TrainingResult]


def _untrained(
    settings: TrainingSettings, parts: Split, seconds: float, quantiles: FloatArray | None = None
) -> TrainingResult:
    """Return the result of some forecasts that no step was taken for, by default the baseline's."""
    baseline = seasonal_naive(
        parts.test.histories, settings.shape.forecast_length, parts.training.period, LEVELS
    )
    quantiles = baseline if quantiles is None else quantiles
    return TrainingResult(
        settings=settings,
        crps=mean_weighted_quantile_loss(quantiles, parts.test.truth),
        baseline_crps=mean_weighted_quantile_loss(baseline, parts.test.truth),
        spent=None,
        steps=0,
        best_step=0,
        last_allowed=None,
        curve=(),
        quantiles=quantiles,
        windows=parts.test,
        parameters=np.zeros(0),
        seconds=seconds,
        versions={"dpviz": dpviz.__version__, "numpy": np.__version__},
        not_accounted=not_accounted(settings.model, settings.validation),
    )


def not_accounted(model: str, validation: str) -> tuple[str, ...]:
    """Return what a run computes from the data that is not part of epsilon, as sentences."""
    if model == "naive":
        return (_NAIVE, _TEST)
    looked_at = {"none": (), "curve": (_CURVE,), "best": (_CURVE, _BEST)}[validation]
    return (_TEST, _BASELINES, *looked_at, _OTHER_RUNS)


def train(
    settings: TrainingSettings,
    panel: Panel,
    *,
    forecaster: Forecaster | None = None,
    checkpoints: Path | None = None,
) -> Run:
    """Train, telling where training stands, and return the result.

    A generator: each :class:`Progress` comes after ``settings.evaluate_every`` steps, and work is
    done only when the next one is asked for. Whoever stops asking has stopped the training.

    Args:
        settings: what decides the run; its shape is that of the panel's training part.
        panel: the data, all of it: the end of each series is held out here.
        checkpoints: folder to keep the run in. A run of the same settings goes on where an
            earlier process ended, and has spent what that one spent.

    Raises:
        ScenarioError: the panel does not fit the settings, all that is to be forecast in the test
            is 0, or the budget allows no step.
        CheckpointError: the folder's checkpoint is damaged, or of another run.
        DivergedError: parameters or errors went out of bounds.
        OSError: the folder cannot be written to.
    """
    shape, held_out = settings.shape, (settings.validation_windows, settings.test_windows)
    parts = split(panel, shape.context_length, shape.forecast_length, *held_out)
    # That the lengths of series are covered is checked where batches are drawn.
    if len(panel) != shape.num_series:
        raise ScenarioError("num_series", shape.num_series, f"the data have {len(panel):,} series")
    if not parts.test.truth.any():  # it would have no error in the end
        raise ScenarioError(
            "test windows",
            0.0,
            "the values to be forecast must not all be 0: errors are told as parts of them",
        )
    return _run(settings, parts, forecaster, checkpoints)


def trained(
    settings: TrainingSettings,
    panel: Panel,
    *,
    forecaster: Forecaster | None = None,
    checkpoints: Path | None = None,
    tell: Callable[[Progress], object] = lambda _: None,
) -> TrainingResult:
    """Train to the end, as :func:`train` does, telling where training stands."""
    run = train(settings, panel, forecaster=forecaster, checkpoints=checkpoints)
    while True:
        try:
            tell(next(run))
        except StopIteration as end:
            result: TrainingResult = end.value
            return result


def _run(
    settings: TrainingSettings,
    parts: Split,
    forecaster: Forecaster | None,
    checkpoints: Path | None,
) -> Run:
    begun = perf_counter()
    if settings.model == "naive":
        if checkpoints is not None and (kept := checkpoints / FILE_NAME).exists():
            raise CheckpointError(
                f"{kept} is of another run, whose results these would replace: write them to "
                "another folder"
            )
        return _untrained(settings, parts, perf_counter() - begun)
    shape = settings.shape
    model = forecaster or forecaster_named(
        settings.model, shape.context_length, shape.forecast_length, parts.training.period
    )
    budgeted = BudgetedRun(settings, parts, model, checkpoints)
    yield from budgeted.progress()
    seconds, state, spending = perf_counter() - begun, budgeted.state, budgeted.spending
    with np.errstate(all="ignore"):
        quantiles = model.quantiles(state.best_parameters, parts.test.context, LEVELS)
        untrained = _untrained(settings, parts, seconds, quantiles)
    return replace(
        untrained,
        spent=spending.spent(spending.accounted),
        steps=state.steps,
        best_step=state.best_step,
        last_allowed=spending.last_allowed,
        curve=budgeted.curve(),
        parameters=state.best_parameters,
    )
