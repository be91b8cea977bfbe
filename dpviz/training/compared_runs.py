"""Runs beside each other, and beside exponential smoothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpviz.planning.budget_tracker import Spent
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario, ScenarioError, Training
from dpviz.training.baselines import exponential_smoothing, seasonal_naive
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.panel_source import PanelSource, parts_of
from dpviz.training.progress import TrainingResult, accounted_scenario
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss
from dpviz.training.run import trained
from dpviz.training.small_run import SmallRun, shown_windows

# Each takes 0.05 to 0.2 s of processor time: all of them some ten seconds, in the background.
MOST_SMOOTHED = 100
COMPARED_VALUES: dict[str, tuple[int | float | str, ...]] = {
    "num_subsequences": (1, 4, 16),
    "forecast_noise": (0.0, 1.0, 2.0, 5.0),
    "top_level": ("without-replacement", "poisson", "deterministic", "flat"),
    "noise_multiplier": (0.5, 1.0, 2.0),
}


@dataclass(frozen=True, kw_only=True)
class SmoothedBaseline:
    """Errors of exponential smoothing and of the seasonal naive forecast, on the same windows.

    Args:
        windows: how many were forecast.
        of: how many test windows there are.
    """

    windows: int
    of: int
    crps: float
    naive_crps: float


def smoothed_windows(count: int, forecast_length: int) -> IntArray:
    """Return which of so many test windows are smoothed, evenly spaced, from 0.

    >>> smoothed_windows(3, 6).tolist(), len(smoothed_windows(474, 6))
    ([0, 1, 2], 100)
    """
    shown = shown_windows(count, forecast_length)
    many = min(shown, MOST_SMOOTHED)
    return np.asarray(np.arange(many) * shown // many)


def smoothed_baseline(
    source: PanelSource, context_length: int, forecast_length: int
) -> SmoothedBaseline:
    """Fit each of some series alone, and return how well its last values are forecast.

    Args:
        context_length: L_C; decides with L_F which values are held out.

    Raises:
        ScenarioError: a series is too short, or all that came is zero.
    """
    parts = parts_of(source, context_length, forecast_length)
    windows, period = parts.test, parts.training.period
    chosen = smoothed_windows(len(windows), forecast_length)
    histories = [windows.histories[at] for at in chosen.tolist()]
    smoothed = exponential_smoothing(histories, forecast_length, period, LEVELS)
    naive = seasonal_naive(histories, forecast_length, period, LEVELS)
    truth = windows.truth[chosen]
    return SmoothedBaseline(
        windows=len(chosen),
        of=len(windows),
        crps=mean_weighted_quantile_loss(smoothed, truth),
        naive_crps=mean_weighted_quantile_loss(naive, truth),
    )


def crps_beside(result: TrainingResult, count: int) -> float | None:
    """Return a model's error on the windows that are smoothed; ``None`` where all of them are zero.

    Args:
        count: how many test windows there are; a result may have kept the first of them alone.
    """
    truth = result.windows.truth
    chosen = smoothed_windows(count, truth.shape[1])
    try:
        return mean_weighted_quantile_loss(result.quantiles[chosen], truth[chosen])
    except ScenarioError:  # nothing to divide by
        return None


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One of the runs that are compared.

    Args:
        value: of the setting that differs; ``None`` for the run without privacy.
        run: to be trained; ``None`` where it is refused.
    """

    value: int | float | str | None
    run: SmallRun | None
    refusal: str = ""


@dataclass(frozen=True, kw_only=True)
class ComparedRun:
    """One finished run among those that are compared.

    Args:
        repeat: which of the variant's runs, from 0.
        crps_beside: error on the windows that exponential smoothing forecasts, too.
        accounted: what epsilon is of; ``None`` without privacy.
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
    accounted: Scenario | None
    last_held_out: float
    curve: tuple[tuple[float, float], ...]

    @property
    def noise_multiplier(self) -> float | None:
        """Sigma; ``None`` without privacy."""
        return None if self.accounted is None else self.accounted.noise.noise_multiplier


@dataclass(frozen=True, kw_only=True)
class RefusedRun:
    """A run of a comparison that could not be trained, or not to its end.

    Args:
        spent: what it has cost nevertheless; ``None`` for nothing.
        accounted: what epsilon is of; ``None`` for nothing.
    """

    variant: int
    repeat: int
    reason: str
    spent: Spent | None = None
    accounted: Scenario | None = None


@dataclass(frozen=True, kw_only=True)
class Spread:
    """What several runs of one variant came to: mean, smallest and largest."""

    mean: float
    low: float
    high: float


def variants_of(run: SmallRun, setting: str) -> tuple[Variant, ...]:
    """Return the runs of a comparison; the last one is without privacy, for what privacy costs.

    Args:
        setting: one of ``COMPARED_VALUES``.

    Raises:
        ScenarioError: it is a run without a budget, of which no noise and no epsilon can differ.
    """
    if run.model == "naive":
        raise ScenarioError("trained_model", run.model, "nothing is trained that could differ")
    if not run.is_private:
        allowed = "runs are compared within a budget, beside the same one without privacy"
        raise ScenarioError("trained_privacy", "none", allowed)
    found = []
    for value in COMPARED_VALUES[setting]:
        try:
            if setting == "noise_multiplier":  # how many times as much as it has
                changed = replace(run, noise_factor=float(value))
            else:
                changed = run.changed(setting, value)
            found.append(Variant(value=value, run=changed))
        except ScenarioError as problem:
            found.append(Variant(value=value, run=None, refusal=str(problem)))
    return (*found, Variant(value=None, run=run.without_privacy()))


def told_by_comparison(
    variants: Sequence[Variant], repeats: int, source: PanelSource
) -> Iterator[ComparedRun | RefusedRun]:
    """Train all that have a run, and tell each as it is done: all once, then all again.

    Args:
        repeats: how often each is trained, with seeds that follow each other.
    """
    panel, settings = source.panel(), {}
    refused: dict[int, str] = {}
    runs = [(at, variant.run) for at, variant in enumerate(variants) if variant.run is not None]
    for repeat in range(repeats):
        for at, run in runs:
            spent = accounted = None
            if at not in refused:
                try:
                    if at not in settings:
                        settings[at] = run.settings()
                    seed = run.seed
                    seed = None if seed is None else seed + repeat
                    result = trained(replace(settings[at], seed=seed), panel)
                except (ScenarioError, DivergedError) as problem:
                    refused[at] = str(problem)
                    if isinstance(problem, DivergedError):
                        spent = problem.spent
                        accounted = accounted_scenario(settings[at], spent)
                else:
                    yield _compared(at, repeat, result)
                    continue
            yield RefusedRun(
                variant=at, repeat=repeat, reason=refused[at], spent=spent, accounted=accounted
            )


def spread_of(values: Sequence[float]) -> Spread:
    """Return mean and range of at least one number.

    >>> spread_of([1.0, 2.0, 6.0])
    Spread(mean=3.0, low=1.0, high=6.0)
    """
    return Spread(mean=float(np.mean(values)), low=min(values), high=max(values))


def of_variant(told: Sequence[ComparedRun | RefusedRun], at: int) -> list[ComparedRun]:
    """Return the finished runs of one variant."""
    return [one for one in told if isinstance(one, ComparedRun) and one.variant == at]


def accounted_runs(told: Sequence[ComparedRun | RefusedRun], at: int) -> list[Scenario]:
    """Return what epsilon is of, of each private run of one variant."""
    return [one.accounted for one in told if one.variant == at and one.accounted is not None]


def together(runs: Sequence[Scenario]) -> Scenario:
    """Return the run that costs as much as all of at least one that differ in length alone.

    It has the steps of all, or the passes that were begun, as each run walks anew.
    """
    if runs[0].sampling.is_walk:
        training = Training(unit="epochs", count=sum(run.num_epochs for run in runs))
    else:
        training = Training(unit="steps", count=sum(run.num_steps for run in runs))
    return replace(runs[0], training=training)


def _compared(at: int, repeat: int, result: TrainingResult) -> ComparedRun:
    held_out = [
        (row.epsilon_spent, row.validation_crps)
        for row in result.curve
        if row.validation_crps is not None
    ]
    return ComparedRun(
        variant=at,
        repeat=repeat,
        seed=result.settings.seed,
        crps=result.crps,
        baseline_crps=result.baseline_crps,
        crps_beside=crps_beside(result, len(result.windows)),
        spent=result.spent,
        steps=result.steps,
        accounted=result.accounted_scenario,
        last_held_out=held_out[-1][1] if held_out else result.crps,
        curve=tuple((epsilon, crps) for epsilon, crps in held_out if epsilon),
    )
