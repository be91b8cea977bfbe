"""Several small runs beside each other: what differs, each several times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.planning.budget_tracker import Spent
from dpviz.scenario import ScenarioError
from dpviz.training.divergence import DivergedError
from dpviz.training.panel_source import PanelSource
from dpviz.training.progress import TrainingResult
from dpviz.training.run import trained
from dpviz.training.small_run import SmallRun
from dpviz.training.smoothing_baseline import crps_beside

COMPARED_VALUES: dict[str, tuple[int | float | str, ...]] = {
    "num_subsequences": (1, 4, 16),
    "forecast_noise": (0.0, 1.0, 2.0, 5.0),
    "top_level": ("without-replacement", "poisson", "deterministic", "flat"),
}


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One of the runs that are compared.

    Args:
        value: of the setting that differs; ``None`` for the run without privacy.
        run: to be trained; ``None`` where it is refused.
        refusal: why it is refused.
    """

    value: int | float | str | None
    run: SmallRun | None
    refusal: str = ""


@dataclass(frozen=True, kw_only=True)
class ComparedRun:
    """One finished run among those that are compared.

    Args:
        variant: its place among the variants.
        repeat: which of the variant's runs, from 0.
        seed: it was drawn with; ``None`` for none.
        crps: error of the forecasts of the test windows.
        baseline_crps: that of the seasonal naive forecast.
        crps_beside: error on the windows that exponential smoothing forecasts, too.
        spent: the proven epsilon; ``None`` without privacy.
        steps: training steps that were taken.
        noise_multiplier: sigma; ``None`` without privacy.
        last_held_out: CRPS of the held-out windows after the last step.
        curve: of each evaluation but the first the epsilon so far and the CRPS of held-out
            windows; empty without privacy.
    """

    variant: int
    repeat: int
    seed: int | None
    crps: float
    baseline_crps: float
    crps_beside: float | None
    spent: Spent | None
    steps: int
    noise_multiplier: float | None
    last_held_out: float
    curve: tuple[tuple[float, float], ...]


@dataclass(frozen=True, kw_only=True)
class RefusedRun:
    """A run of a comparison that could not be trained, and why."""

    variant: int
    repeat: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Spread:
    """What several runs of one variant came to: mean, smallest and largest."""

    mean: float
    low: float
    high: float


def variants_of(run: SmallRun, setting: str) -> tuple[Variant, ...]:
    """Return the runs of a comparison; the last one is without privacy, for what privacy costs.

    Args:
        run: whose other settings they share.
        setting: one of ``COMPARED_VALUES``.
    """
    found = [_variant(run, setting, value) for value in COMPARED_VALUES[setting]]
    return (*found, Variant(value=None, run=replace(run, target_epsilon=None, fits_noise=False)))


def _variant(run: SmallRun, setting: str, value: int | float | str) -> Variant:
    try:
        return Variant(value=value, run=run.changed(**{setting: value}))
    except ScenarioError as problem:
        return Variant(value=value, run=None, refusal=str(problem))


def told_by_comparison(
    variants: Sequence[Variant], repeats: int, source: PanelSource
) -> Iterator[ComparedRun | RefusedRun]:
    """Train them all, and tell each as it is done: all variants once, then all again.

    Args:
        variants: what is compared.
        repeats: how often each is trained, with seeds that follow each other.
        source: the data.
    """
    panel, settings = source.panel(), {}
    refused: dict[int, str] = {
        at: variant.refusal for at, variant in enumerate(variants) if variant.run is None
    }
    for repeat in range(repeats):
        for at, variant in enumerate(variants):
            if variant.run is not None and at not in refused:
                try:
                    if at not in settings:
                        settings[at] = variant.run.settings()
                    seed = variant.run.seed
                    seed = None if seed is None else seed + repeat
                    result = trained(replace(settings[at], seed=seed), panel)
                except (ScenarioError, DivergedError) as problem:
                    refused[at] = str(problem)
                else:
                    yield _compared(at, repeat, result)
                    continue
            yield RefusedRun(variant=at, repeat=repeat, reason=refused[at])


def spread_of(values: Sequence[float]) -> Spread:
    """Return mean and range of at least one number.

    >>> spread_of([1.0, 2.0, 6.0])
    Spread(mean=3.0, low=1.0, high=6.0)
    """
    return Spread(mean=float(np.mean(values)), low=min(values), high=max(values))


def of_variant(told: Sequence[ComparedRun | RefusedRun], at: int) -> list[ComparedRun]:
    """Return the finished runs of one variant."""
    return [one for one in told if isinstance(one, ComparedRun) and one.variant == at]


def _compared(at: int, repeat: int, result: TrainingResult) -> ComparedRun:
    settings = result.settings
    sigma = settings.scenario.noise.noise_multiplier if settings.is_private else None
    return ComparedRun(
        variant=at,
        repeat=repeat,
        seed=settings.seed,
        crps=result.crps,
        baseline_crps=result.baseline_crps,
        crps_beside=crps_beside(result.forecasts, len(result.forecasts.windows)),
        spent=result.spent,
        steps=result.steps,
        noise_multiplier=sigma,
        last_held_out=next(
            (
                row.validation_crps
                for row in reversed(result.curve)
                if row.validation_crps is not None
            ),
            result.crps,
        ),
        curve=tuple(
            (row.epsilon_spent, row.validation_crps)
            for row in result.curve
            if row.epsilon_spent and row.validation_crps is not None
        ),
    )
