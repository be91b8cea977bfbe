"""What one small run tells while it is trained."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpviz.training.panel_source import PanelSource
from dpviz.training.progress import Forecasts, Progress, TrainingResult
from dpviz.training.run import train
from dpviz.training.settings import TrainingSettings
from dpviz.training.small_run import SmallRun
from dpviz.training.smoothing_baseline import shown_windows

_MOST_HISTORY = 120

Told = TrainingSettings | Progress | TrainingResult


def told_by_run(run: SmallRun, source: PanelSource) -> Iterator[Told]:
    """Train, and tell the settings first, then where it stands, and last the result.

    Args:
        run: what is trained.
        source: the data.

    Raises:
        ScenarioError: the budget allows no step, or the data do not fit.
        DivergedError: the training went out of bounds.
    """
    settings = run.settings()
    yield settings
    training = train(settings, source.panel())
    while True:
        try:
            yield next(training)
        except StopIteration as end:
            yield small(end.value)
            return


def small(result: TrainingResult) -> TrainingResult:
    """Return a result without what no page shows: parameters, long histories, many forecasts."""
    forecasts = result.forecasts
    windows, quantiles = forecasts.windows, forecasts.quantiles
    chosen = np.arange(shown_windows(len(windows), quantiles.shape[1]))
    return replace(
        result,
        parameters=np.zeros(0),
        forecasts=Forecasts(
            levels=forecasts.levels,
            quantiles=quantiles[chosen],
            windows=replace(
                windows,
                context=windows.context[chosen],
                truth=windows.truth[chosen],
                histories=tuple(
                    np.array(windows.histories[at][-_MOST_HISTORY:]) for at in chosen.tolist()
                ),
                series=windows.series[chosen],
                starts=windows.starts[chosen],
            ),
        ),
    )
