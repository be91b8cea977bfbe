"""All runs of the study: what decides each, the row that it becomes, and how they are resumed."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import dpviz
from dpviz.planning.calibrate import calibrated
from dpviz.planning.target import Target
from dpviz.scenario import Scenario
from dpviz.studies.run import Journal, Progress, answers_to, each
from dpviz.training.models import forecaster
from dpviz.training.panel import Panel
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss
from dpviz.training.run import trained
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import Split, split
from dpviz.training.state import generators
from dpviz.training_study import questions as plan
from dpviz.training_study.questions import DATA, QUESTIONS, Question, is_private
from dpviz.training_study.results import Row, row_fields, row_from

_KEPT_SETTINGS = 64
_LENGTHS = plan.CONTEXT_LENGTH, plan.FORECAST_LENGTH


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """What decides one run; see :class:`dpviz.training_study.results.Row`."""

    question: str
    data: str
    model: str
    value: float
    epsilon: float
    seed: int

    @property
    def name(self) -> str:
        """What journals call it."""
        return " ".join(map(str, astuple(self)))


def planned_runs(
    questions: Iterable[Question] = QUESTIONS.values(),
    data: Iterable[str] = DATA,
    seeds: Iterable[int] = plan.SEEDS,
    models: Iterable[str] = plan.LEARNING_RATES,
) -> tuple[PlannedRun, ...]:
    """Return all planned runs of questions, one setting with all its seeds after the other.

    >>> len(planned_runs([QUESTIONS["width"]], ["generated"], [1, 2]))
    16
    """
    data, seeds, models = tuple(data), frozenset(seeds), frozenset(models)
    return tuple(
        PlannedRun(
            question=question.name, data=name, model=model, value=value, epsilon=epsilon, seed=seed
        )
        for question in questions
        for name in data
        for model in question.models
        if model in models
        for value, epsilon in question.cells
        for seed in plan.seeds_of(model)
        if seed in seeds
    )


def scenario_of(run: PlannedRun) -> Scenario:
    """Return how a run draws and noises, with the smallest noise on gradients that fits its budget.

    Without privacy no noise is added, whatever the scenario says.

    Raises:
        ScenarioError: no noise meets the budget.
        MissingPackageError: the series are in a package that is not installed.
    """
    return _scenario(replace(run, model="", seed=0))


@lru_cache(maxsize=_KEPT_SETTINGS)
def _scenario(run: PlannedRun) -> Scenario:
    lengths = _parts(run.data).training.lengths
    scenario = plan.drawn_for(run.question, run.data, run.value, lengths=lengths, steps=plan.STEPS)
    if not is_private(run.epsilon):
        return scenario
    return calibrated(scenario, "noise_multiplier", _target(run))


def settings_of(run: PlannedRun) -> TrainingSettings:
    """Return the settings of a run: the last parameters are taken, and nothing is held out."""
    return TrainingSettings(
        scenario=scenario_of(run),
        model=run.model,
        target=_target(run) if is_private(run.epsilon) else None,
        most_steps=plan.STEPS,
        clipping_norm=plan.CLIPPING_NORM,
        learning_rate=plan.LEARNING_RATES[run.model],
        seed=run.seed,
        evaluate_every=plan.STEPS,
        validation="none",
        validation_windows=0,
    )


def finished_row(run: PlannedRun) -> Row:
    """Train, and return the row: the same one again, but for its seconds."""
    settings, begun = settings_of(run), perf_counter()
    result = trained(settings, _panel(run.data))
    seconds = perf_counter() - begun
    return Row(
        **asdict(run),
        setting=QUESTIONS[run.question].setting,
        crps=result.crps,
        baseline_crps=result.baseline_crps,
        untrained_crps=_untrained(settings, _parts(run.data)),
        spent=result.spent,
        noise_multiplier=settings.scenario.noise.noise_multiplier if settings.is_private else None,
        steps=result.steps,
        seconds=round(seconds, 2),
    )


def _target(run: PlannedRun) -> Target:
    return Target(epsilon=run.epsilon, delta=plan.DELTA)


def _untrained(settings: TrainingSettings, parts: Split) -> float:
    """Return the error of the parameters that training begins with."""
    model = forecaster(settings.model, *_LENGTHS, parts.training.period)
    parameters = model.initial_parameters(generators(settings.seed)["parameters"])
    quantiles = model.quantiles(parameters, parts.test.context, LEVELS)
    return mean_weighted_quantile_loss(quantiles, parts.test.truth)


@lru_cache(maxsize=len(DATA))
def _panel(name: str) -> Panel:
    return DATA[name].source.panel()


@lru_cache(maxsize=len(DATA))
def _parts(name: str) -> Split:
    return split(_panel(name), *_LENGTHS, validation_windows=0)


def open_journal(path: Path) -> Journal:
    """Return the journal of finished runs, made if there is none.

    Raises:
        JournalError: it is of another plan or version, or somebody is writing it.
        OSError: it cannot be read or written.
    """
    decides = {
        "plan": [run.name for run in planned_runs()],
        "common": [
            plan.PLAN, *_LENGTHS, plan.BATCH_SIZE, plan.STEPS, plan.DELTA, plan.CLIPPING_NORM,
            plan.LEARNING_RATES, [[data.source.key, data.max_change] for data in DATA.values()],
        ],
        "versions": [dpviz.__version__, np.__version__],
    }  # fmt: skip
    return Journal(path, "study", hashlib.sha256(json.dumps(decides).encode()).hexdigest())


def run_study(
    runs: Sequence[PlannedRun],
    *,
    journal: Journal,
    processes: int = 1,
    progress: Progress | None = None,
) -> tuple[Row, ...]:
    """Return the rows of runs in their order, of which those in the journal are not trained again.

    Raises:
        OSError: there is no room for a row.
    """
    cases = {run.name: run for run in runs}
    rows = answers_to(cases, each(_fields_of, processes), journal=journal, progress=progress)
    return tuple(row_from(rows[run.name]) for run in runs)


def _fields_of(run: PlannedRun) -> dict[str, Any]:
    return row_fields(finished_row(run))
