"""One run of a small forecaster: what it would cost, and what it tells while it is trained."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.scenario import Scenario, ScenarioError, Training, Units, from_fields, to_fields, to_json
from dpviz.scenario.scenario import TARGET_EPSILON_RANGE
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.models import NETWORKS, forecaster
from dpviz.training.panel import training_shape
from dpviz.training.panel_source import PanelSource
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.quantiles import LEVELS
from dpviz.training.run import train, trained
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split

# Points of the curve: enough to see its course, and few enough to be told.
_POINTS = 40
# Processor seconds, measured by bench/training.py with room to spare: to begin, of one step, of one
# window by its quantiles, its parameters and its context, and of one look at what is spent.
_SECONDS_TO_BEGIN, _SECONDS_A_STEP, _SECONDS_A_LOOK = 1.0, 6e-4, 0.02
_SECONDS_A_WINDOW, _SECONDS_A_QUANTILE = 2e-6, 3e-8
_SECONDS_A_PARAMETER, _SECONDS_AN_INPUT = 1e-9, 1e-8
# Of networks in PyTorch: to import it; of recurrent ones for each value that is read, alone and in
# each window; of attention for each step, window, and pair of places in the season.
_SECONDS_TO_IMPORT, _SECONDS_A_VALUE, _SECONDS_A_VALUE_READ = 4.0, 1.2e-3, 1.1e-5
_SECONDS_TO_ATTEND, _SECONDS_A_WINDOW_ATTENDED, _SECONDS_A_PAIR = 0.01, 1.2e-4, 1.7e-7
SHOWN_VALIDATION = "curve"
"""What becomes of held-out windows: their error is shown along the way."""
NOT_ACCOUNTED = (
    "the same model without privacy, trained to compare with: its error, and whether noise was too "
    "much"
)
"""What is told beside a private run of the values as they are."""
_MOST_HISTORY = 120
# Forecasts that a server keeps of one run: a model's beyond that are not there to compare with.
MOST_SHOWN_NUMBERS = 200_000


@dataclass(frozen=True, kw_only=True)
class WithoutPrivacy:
    """What the same run comes to with no noise, no clipping and no budget.

    Args:
        crps: error of the forecasts of the test windows; ``None`` where its training diverged.
    """

    crps: float | None


Told = TrainingSettings | Progress | WithoutPrivacy | TrainingResult


@dataclass(frozen=True, kw_only=True)
class SmallRun:
    """What decides a run but for its data.

    Args:
        scenario: how batches are drawn and noised; its shape is that of the training part, and its
            steps are those asked for.
        target_epsilon: the budget, at the scenario's delta; ``None`` without privacy.
        fits_noise: whether the smallest noise on gradients is looked for that lasts for all steps,
            in the place of the scenario's.
        seed: the same one gives the same run; ``None`` for noise that nobody can draw again.
        noise_factor: how many times the noise on gradients it has after all, for all steps,
            whatever epsilon they come to.
    """

    scenario: Scenario
    model: str
    period: int
    target_epsilon: float | None
    fits_noise: bool
    learning_rate: float
    seed: int | None
    noise_factor: float | None = None

    @property
    def is_private(self) -> bool:
        """Whether noise is added, and a budget kept to."""
        return self.target_epsilon is not None

    @property
    def key(self) -> str:
        """Names the run among all on the same data, whose units change no number."""
        return json.dumps(
            [
                to_json(replace(self.scenario, units=Units())), self.model, self.period,
                self.target_epsilon, self.fits_noise, self.learning_rate, self.seed,
                self.noise_factor,
            ]
        )  # fmt: skip

    def check(self) -> None:
        """Refuse what cannot be trained, without any search."""
        self._unfitted()

    def settings(self) -> TrainingSettings:
        """Return all that the training loop wants to know; the noise is looked for here.

        Raises:
            ScenarioError: no noise meets the budget, or the settings are refused.
        """
        settings = self._unfitted()
        if settings.target is None or self.model == "naive":
            return settings
        if self.fits_noise:
            fitted = calibrated(settings.scenario, "noise_multiplier", settings.target)
            settings = replace(settings, scenario=fitted)
        if self.noise_factor is None:
            return settings
        noise = settings.scenario.noise
        sigma = self.noise_factor * noise.noise_multiplier
        return replace(
            settings,
            scenario=replace(settings.scenario, noise=replace(noise, noise_multiplier=sigma)),
            target=Target(epsilon=TARGET_EPSILON_RANGE[1], delta=self.scenario.delta),
        )

    def _unfitted(self) -> TrainingSettings:
        target = None
        if self.target_epsilon is not None:
            target = Target(epsilon=self.target_epsilon, delta=self.scenario.delta)
        scenario = self.scenario
        if not scenario.noise.is_on_windows:  # changed by any amount: no v is of effect
            scenario = replace(scenario, relation=replace(scenario.relation, max_change=None))
        return TrainingSettings(
            scenario=scenario,
            model=self.model,
            target=target,
            most_steps=self.scenario.num_steps,
            learning_rate=self.learning_rate,
            seed=self.seed,
            evaluate_every=math.ceil(self.scenario.num_steps / _POINTS),
            validation=SHOWN_VALIDATION,
        )

    def without_privacy(self) -> "SmallRun":
        """Return the same run with no noise, no clipping and no budget."""
        return replace(self, target_epsilon=None, fits_noise=False, noise_factor=None)

    def changed(self, field: str, value: int | float | str) -> "SmallRun":
        """Return the run with another value of a field that says how it draws or noises."""
        return replace(self, scenario=from_fields({**to_fields(self.scenario), field: value}))


def small_run(
    base: Scenario,
    parts: Split,
    *,
    context_length: int,
    forecast_length: int,
    batch_size: int,
    max_change: float,
    steps: int,
    model: str,
    target_epsilon: float | None,
    fits_noise: bool,
    learning_rate: float,
    seed: int | None,
    units: Units | None = None,
) -> SmallRun:
    """Return a run on a panel that draws, noises and protects as a scenario of other data does.

    Of the scenario are taken: how series and windows are chosen, windows per series, the noise,
    which values are protected, and delta. The rest is the panel's own.

    Args:
        max_change: v, in the panel's unit.
        steps: training steps asked for; see :class:`SmallRun` for the others.
        units: those of the panel, as its owner has set them; without them, as it has them itself.
    """
    relation = replace(base.relation, max_change=max_change, num_channels=1)
    shape = training_shape(parts.training, context_length, forecast_length, relation)
    scenario = Scenario(
        data=shape,
        sampling=replace(base.sampling, batch_size=batch_size),
        noise=replace(base.noise, noise_multiplier=1.0) if fits_noise else base.noise,
        training=Training(unit="steps", count=steps),
        relation=relation,
        units=units or Units(time_step=parts.training.time_step),
        delta=base.delta,
    )
    return SmallRun(
        scenario=scenario,
        model=model,
        period=parts.training.period,
        target_epsilon=target_epsilon,
        fits_noise=fits_noise,
        learning_rate=learning_rate,
        seed=seed,
    )


def estimated_seconds(run: SmallRun) -> float:
    """Return about how much processor time a run takes, rather too much than too little."""
    begin, a_step = _costs(run)
    return begin + run.scenario.num_steps * a_step


def check_cost(run: SmallRun, seconds: float, runs: int = 1) -> None:
    """Refuse a run that would take too long.

    Args:
        seconds: of processor time that it may take, and all others with it.

    Raises:
        ScenarioError: names ``trained_steps``, with what would be allowed.
    """
    needed = runs * estimated_seconds(run)
    if needed <= seconds:
        return
    begin, a_step = _costs(run)
    most = max(0, int((seconds / runs - begin) / a_step))
    many = "training" if runs == 1 else f"{runs} runs"
    allowed = (
        f"it must be at most {most:,} with windows, batches and a model of this size"
        if most
        else "even one step would, with windows, batches and a model of this size"
    )
    raise ScenarioError(
        "trained_steps",
        run.scenario.num_steps,
        f"{many} would take this server about {needed:,.0f} s of computing, more than the "
        f"{seconds:,.0f} s that it gives: {allowed}",
    )


def _costs(run: SmallRun) -> tuple[float, float]:
    """Return processor seconds to begin with, looks included, and those of one step."""
    shape = run.scenario.given_shape
    L_C, L_F = shape.context_length, shape.forecast_length
    model = forecaster(run.model, L_C, L_F, run.period)
    of_a_window = (
        _SECONDS_A_WINDOW
        + _SECONDS_A_QUANTILE * LEVELS.size * L_F
        + _SECONDS_A_PARAMETER * model.num_parameters
        + _SECONDS_AN_INPUT * L_C
    )
    begin, a_step = _SECONDS_TO_BEGIN, _SECONDS_A_STEP
    if run.model in NETWORKS:
        begin += _SECONDS_TO_IMPORT
        if run.model == "recurrent":
            a_step += _SECONDS_A_VALUE * (L_C + L_F)
            of_a_window += _SECONDS_A_VALUE_READ * (L_C + L_F)
        else:
            a_step += _SECONDS_TO_ATTEND
            of_a_window += _SECONDS_A_WINDOW_ATTENDED + _SECONDS_A_PAIR * min(run.period, L_C) ** 2
    # Held-out windows are forecast twice at each look: for their loss, and for their CRPS.
    a_look = _SECONDS_A_LOOK + 2 * shape.num_series * of_a_window
    a_step += run.scenario.sampling.batch_size * of_a_window
    if run.model == "naive":
        return _SECONDS_TO_BEGIN, 1e-9
    return begin + _POINTS * a_look, a_step


def told_by_run(run: SmallRun, source: PanelSource) -> Iterator[Told]:
    """Train, and tell the settings first, then where it stands, and then the result.

    After that comes what the same run comes to without privacy, where it has any.

    Raises:
        DivergedError: the training went out of bounds.
    """
    settings = run.settings()
    yield settings
    result = yield from train(settings, source.panel())
    yield small(result)
    if run.is_private and run.model != "naive":
        settings = run.without_privacy().settings()
        try:
            found = trained(replace(settings, evaluate_every=settings.most_steps), source.panel())
            yield WithoutPrivacy(crps=found.crps)
        except DivergedError:
            yield WithoutPrivacy(crps=None)


def shown_windows(count: int, forecast_length: int) -> int:
    """Return of how many test windows forecasts are kept, the first ones."""
    return min(count, max(1, MOST_SHOWN_NUMBERS // (LEVELS.size * forecast_length)))


def small(result: TrainingResult) -> TrainingResult:
    """Return a result without what no page shows: parameters, long histories, many forecasts."""
    windows, quantiles = result.windows, result.quantiles
    shown = slice(shown_windows(len(windows), quantiles.shape[1]))
    return replace(
        result,
        parameters=np.zeros(0),
        quantiles=quantiles[shown],
        windows=replace(
            windows,
            context=windows.context[shown],
            truth=windows.truth[shown],
            histories=tuple(one[-_MOST_HISTORY:] for one in windows.histories[shown]),
            series=windows.series[shown],
            starts=windows.starts[shown],
        ),
    )
