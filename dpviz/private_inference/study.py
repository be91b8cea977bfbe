"""A study of hidden contexts: one unit of it, and what all of them say together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isinf

import numpy as np

import dpviz
from dpviz.private_inference import study_grid as grid
from dpviz.private_inference.evaluation import crps_of_hidden
from dpviz.private_inference.model import halves, last_windows, model_of
from dpviz.private_inference.noise import exact_noise
from dpviz.private_inference.plan import HidingPlan
from dpviz.training.crps import mean_weighted_quantile_loss
from dpviz.training.panel import Panel
from dpviz.training.quantile_head import LEVELS


@dataclass(frozen=True, order=True)
class Unit:
    """What is computed at once: one model, trained once, with every rate and budget.

    Args:
        data: name of the data.
        context_length: L_C.
        model: name of the model.
        seed: of its training, of the values kept and of the noise.
    """

    data: str
    context_length: int
    model: str
    seed: int

    @property
    def name(self) -> str:
        """Of the unit's file."""
        return f"{self.data}-{self.context_length}-{self.model}-{self.seed}"


@dataclass(frozen=True, order=True)
class Case:
    """How a context was hidden: protected width, budget, and share of values kept."""

    width: int
    epsilon: float
    rate: float


def units(data: Iterable[str]) -> list[Unit]:
    """Return all units of some data sets."""
    return [
        Unit(name, context_length, model, seed)
        for name in data
        for context_length in grid.CONTEXT_LENGTHS
        for model in grid.MODELS
        for seed in grid.SEEDS
    ]


def cases(context_length: int) -> list[Case]:
    """Return the cases of a unit."""
    return [
        Case(width, epsilon, rate)
        for width in grid.widths(context_length)
        for epsilon in (*grid.EPSILONS, grid.NO_NOISE)
        for rate in grid.RATES
    ]


@cache
def noise_of(data: str, context_length: int, case: Case) -> float:
    """Return the standard deviation of a case's noise, in the data's unit; 0 without a budget."""
    if isinf(case.epsilon):
        return 0.0
    plan = HidingPlan(
        context_length=context_length,
        rate=case.rate,
        max_change=grid.DATA[data].max_change,
        epsilon=case.epsilon,
        delta=grid.DELTA,
        width=case.width,
    )
    noise = exact_noise(plan).noise
    assert noise is not None  # the exact accounting always has one
    return noise


def unit_errors(unit: Unit) -> dict[Case, float]:
    """Return the mean error (CRPS) over the draws of each case.

    Values kept and noise come from the same numbers in all cases of a unit, so that differences
    between cases are not those between draws.

    Raises:
        MissingPackageError: the data are not installed.
    """
    training, forecast = _halves(unit.data)
    model, parameters = model_of(
        unit.model,
        training,
        unit.context_length,
        grid.FORECAST_LENGTH,
        steps=grid.STEPS,
        seed=unit.seed,
    )
    windows = last_windows(forecast, unit.context_length, grid.FORECAST_LENGTH)
    return {
        case: float(
            np.mean(
                [
                    crps_of_hidden(
                        model,
                        parameters,
                        windows,
                        rate=case.rate,
                        noise=noise_of(unit.data, unit.context_length, case),
                        nothing_kept=mean_value(training),
                        lowest=grid.LOWEST,
                        rng=np.random.default_rng([unit.seed, draw]),
                    )
                    for draw in range(grid.DRAWS)
                ]
            )
        )
        for case in cases(unit.context_length)
    }


def mean_value(panel: Panel) -> float:
    """Return the mean of all values of the series that models are trained on."""
    return float(np.concatenate(panel.series).mean())


def error_without_context(data: str) -> float:
    """Return the error of forecasts that read no context: quantiles of the other series' values."""
    training, forecast = _halves(data)
    windows = last_windows(forecast, min(grid.CONTEXT_LENGTHS), grid.FORECAST_LENGTH)
    quantiles = np.quantile(np.concatenate(training.series), LEVELS)
    repeated = np.broadcast_to(quantiles, (*windows.truth.shape, len(LEVELS)))
    return mean_weighted_quantile_loss(repeated, windows.truth)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the study found of one model in one case.

    Args:
        data: name of the data.
        context_length: L_C.
        model: name of the model.
        case: how contexts were hidden.
        noise: standard deviation, in the data's unit.
        error: mean CRPS over seeds.
        spread: standard deviation over seeds (of a sample).
        verdict: against r = 1; empty for r = 1 itself.
        better_seeds: in how many of the seeds the error is smaller than with r = 1.
    """

    data: str
    context_length: int
    model: str
    case: Case
    noise: float
    error: float
    spread: float
    verdict: str
    better_seeds: int


def findings(errors: Mapping[Unit, Mapping[Case, float]]) -> list[Found]:
    """Return what all units of some data sets say together, in the grid's order.

    Args:
        errors: of each unit; for each model all seeds.
    """
    groups: dict[tuple[str, int, str], list[Mapping[Case, float]]] = {}
    for unit in sorted(errors, key=_order):
        groups.setdefault((unit.data, unit.context_length, unit.model), []).append(errors[unit])
    return [
        _found(*group, case, seeds) for group, seeds in groups.items() for case in cases(group[1])
    ]


def versions() -> dict[str, str]:
    """Return the versions that decide the numbers."""
    return {"dpviz": dpviz.__version__, "numpy": np.__version__}


def _found(
    data: str, context_length: int, model: str, case: Case, seeds: Sequence[Mapping[Case, float]]
) -> Found:
    own = [one[case] for one in seeds]
    whole = [one[Case(case.width, case.epsilon, 1.0)] for one in seeds]
    is_whole = case.rate == 1.0
    return Found(
        data=data,
        context_length=context_length,
        model=model,
        case=case,
        noise=noise_of(data, context_length, case),
        error=float(np.mean(own)),
        spread=float(np.std(own, ddof=1)),
        verdict="" if is_whole else grid.verdict(own, whole),
        better_seeds=sum(a < b for a, b in zip(own, whole, strict=True)),
    )


def _order(unit: Unit) -> tuple[int, int, int, int]:
    place = list(grid.DATA).index(unit.data)
    return place, unit.context_length, grid.MODELS.index(unit.model), unit.seed


@cache
def _halves(data: str) -> tuple[Panel, Panel]:
    return halves(grid.DATA[data].source.panel())
