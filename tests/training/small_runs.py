"""Small runs on a small panel, for tests of what is trained, said and drawn."""

from functools import cache

from dpviz.scenario import PRESETS
from dpviz.training.panel_source import GeneratedSource, parts_of
from dpviz.training.progress import TrainingResult
from dpviz.training.small_run import SmallRun, small_run, told_by_run

SOURCE = GeneratedSource(num_series=30, length=80, period=12, seed=1)
USUAL = {
    "context_length": 12,
    "forecast_length": 6,
    "batch_size": 16,
    "max_change": 10.0,
    "steps": 20,
    "model": "linear",
    "target_epsilon": 20.0,
    "fits_noise": True,
    "learning_rate": 0.01,
    "seed": 1,
}


def a_run(base=PRESETS["toy"].scenario, **options) -> SmallRun:
    chosen = USUAL | options
    parts = parts_of(SOURCE, chosen["context_length"], chosen["forecast_length"])
    return small_run(base, parts, **chosen)


@cache
def told(**options):
    return list(told_by_run(a_run(**options), SOURCE))


def result_in(told):
    return next(one for one in told if isinstance(one, TrainingResult))


def result(**options):
    return result_in(told(**options))
