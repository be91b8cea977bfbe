"""The private training loop (Schuchardt et al., Algorithms 1 and 2)."""

from collections.abc import Generator
from pathlib import Path
from time import perf_counter

from dpviz.training.choose import forecaster as forecaster_named
from dpviz.training.forecaster import Forecaster
from dpviz.training.panel import Panel
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.result import finished, naive
from dpviz.training.session import Session
from dpviz.training.settings import TrainingSettings
from dpviz.training.shape import check_shape
from dpviz.training.split import Split, split

Run = Generator[Progress, None, TrainingResult]


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
        forecaster: a model in the place of the named one.
        checkpoints: folder to keep the run in. A run of the same settings goes on where an
            earlier process ended, and has spent what that one spent.

    Raises:
        ScenarioError: the panel does not fit the settings, or the budget allows no step.
        CheckpointError: the folder's checkpoint is damaged, or of another run.
        DivergedError: parameters or errors went out of bounds.
        OSError: the folder cannot be written to.
    """
    shape = settings.shape
    parts = split(
        panel,
        shape.context_length,
        shape.forecast_length,
        validation_windows=settings.validation_windows,
        test_windows=settings.test_windows,
    )
    check_shape(parts.training, shape)
    return _run(settings, parts, forecaster, checkpoints)


def trained(
    settings: TrainingSettings,
    panel: Panel,
    *,
    forecaster: Forecaster | None = None,
    checkpoints: Path | None = None,
) -> TrainingResult:
    """Train to the end, as :func:`train` does, and return the result."""
    run = train(settings, panel, forecaster=forecaster, checkpoints=checkpoints)
    while True:
        try:
            next(run)
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
        return naive(settings, parts, perf_counter() - begun)
    shape = settings.shape
    model = forecaster or forecaster_named(
        settings.model, shape.context_length, shape.forecast_length, parts.training.period
    )
    session = Session(settings, parts, model, checkpoints)
    yield from session.progress()
    return finished(session, model, parts, perf_counter() - begun)
