"""A study of many protections and forecasters: its cells, and what is told of all of them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

import dpviz
from dpviz.protected_forecasts.data import FloatArray, Series, SeriesToProtect
from dpviz.protected_forecasts.features import Reasons, features_of, reasons_for_change
from dpviz.protected_forecasts.forecaster import forecaster_named
from dpviz.protected_forecasts.protections import protection_named
from dpviz.protected_forecasts.study import ErrorSummary, error_summary, next_values, released
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import checked_integer
from dpviz.studies.run import Journal, Progress, answers_to, case_name, each, on_processors

Cell = tuple[str, str]
"""Protection and forecaster."""
ORIGINAL = "none"
LARGEST_SEED = 10**9
_ALWAYS_USED = ("numpy", "statsmodels")
# Series that one process forecasts at a time.
_CHUNK = 20


@dataclass(frozen=True, kw_only=True)
class StudyPlan:
    """What is studied: every forecaster after every protection, and without any.

    The data are ``m3`` or ``generated``; protections are as on the command line, where the original
    series come first, asked for or not.

    Raises:
        ScenarioError: a protection, a forecaster or the seed is not allowed.
    """

    data_name: str
    protections: tuple[str, ...]
    forecasters: tuple[str, ...]
    seed: int

    def __post_init__(self) -> None:
        others = [one for one in dict.fromkeys(self.protections) if one != ORIGINAL]
        object.__setattr__(self, "protections", (ORIGINAL, *others))
        object.__setattr__(self, "forecasters", tuple(dict.fromkeys(self.forecasters)))
        for protection in self.protections:
            _check(protection)
        for name in self.forecasters:
            forecaster_named(name)
        checked_integer("seed", self.seed, 0, LARGEST_SEED)

    @property
    def cells(self) -> list[Cell]:
        """Protection and forecaster of each cell of the table."""
        return [(one, name) for one in self.protections for name in self.forecasters]

    @property
    def versions(self) -> dict[str, str]:
        """Version by name of dpviz and of each package that decides the numbers."""
        packages = [p for name in self.forecasters for p in forecaster_named(name).packages]
        named = {"dpviz": dpviz.__version__}
        # What stands in brackets is a part of a package, which has no version of its own.
        names = [package.partition("[")[0] for package in (*_ALWAYS_USED, *packages)]
        return named | {package: version(package) for package in names}


def _check(protection: str) -> None:
    try:
        protection_named(protection)
    except ScenarioError as problem:
        if problem.field == "protection":
            raise
        allowed = f"of {problem.field}, {problem.allowed}"
        raise ScenarioError("protection", protection, allowed) from None


def run_study(
    plan: StudyPlan,
    data: SeriesToProtect,
    *,
    processes: int = 1,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> dict[Cell, FloatArray]:
    """Return the forecasts of all cells, of which those in the journal are not computed again."""

    def compute(cell: Cell) -> list[float | None]:
        forecasts = cell_forecasts(data, *cell, plan.seed, processes)
        return [number if number == number else None for number in forecasts.tolist()]

    answers = answers_to(_cases(plan, data), each(compute), journal=journal, progress=progress)
    return finished_cells(plan, data, answers)


def finished_cells(
    plan: StudyPlan, data: SeriesToProtect, answers: Mapping[str, Any]
) -> dict[Cell, FloatArray]:
    """Return the forecasts of the cells that are among a journal's answers; nothing is computed."""
    return {
        cell: np.array(answers[name], dtype=np.float64)  # null becomes NaN
        for name, cell in _cases(plan, data).items()
        if name in answers
    }


def _cases(plan: StudyPlan, data: SeriesToProtect) -> dict[str, Cell]:
    """Return the cells by what journals call them: by all that decides their numbers."""
    told = hashlib.sha256()
    for values in (*data.known, data.next_values):
        told.update(np.ascontiguousarray(values).tobytes() + b"|")
    return {
        case_name(
            f"{name} after {protection}",
            {
                "data": told.hexdigest(),
                "seed": plan.seed,
                "versions": replace(plan, protections=(), forecasters=(name,)).versions,
            },
        ): (protection, name)
        for protection, name in plan.cells
    }


def cell_forecasts(
    data: SeriesToProtect, protection: str, name: str, seed: int, processes: int
) -> FloatArray:
    """Return the forecasts of one cell, shape (series,).

    Several processes compute at a time where each series has a model of its own; a script that
    calls this then must not do so while it is imported.
    """
    series, forecaster = released(data, protection, seed), forecaster_named(name)
    if forecaster.learns_from_all or processes == 1:
        return next_values(series, forecaster)
    starts = range(0, len(series), _CHUNK)
    chunks = {str(at): series[at : at + _CHUNK] for at in starts}
    found = dict(on_processors(partial(_chunk, name), chunks, processes))
    return np.concatenate([found[str(at)] for at in starts])


def _chunk(name: str, series: Series) -> FloatArray:
    return next_values(series, forecaster_named(name))


@dataclass(frozen=True, kw_only=True)
class StudyResults:
    """What a study found of its cells that are computed; reasons where there are enough series.

    Features are quartiles (25, 50, 75 %) of each by protection, shape (3, features).
    """

    plan: StudyPlan
    source: str
    errors: Mapping[Cell, ErrorSummary]
    features: Mapping[str, FloatArray]
    reasons: Mapping[Cell, Reasons]


def study_results(
    plan: StudyPlan, data: SeriesToProtect, forecasts: Mapping[Cell, FloatArray]
) -> StudyResults:
    """Return what is told of a study's forecasts, given those of all its cells or some.

    Nothing is told of a forecaster whose forecasts of the original series are not among them.
    """
    originals = {name: found for (one, name), found in forecasts.items() if one == ORIGINAL}
    cells = [cell for cell in plan.cells if cell in forecasts and cell[1] in originals]
    features = {one: features_of(released(data, one, plan.seed)) for one in plan.protections}
    truth, means = data.next_values, np.array([values.mean() for values in data.known])
    errors, reasons = {}, {}
    for one, name in cells:
        before, after = originals[name], forecasts[one, name]
        errors[one, name] = error_summary(after, truth, None if one == ORIGINAL else before)
        if one != ORIGINAL:
            found = reasons_for_change(
                (np.abs(before - truth), np.abs(after - truth)),
                (before, after),
                (features[ORIGINAL], features[one]),
                means,
                np.random.default_rng(plan.seed),
            )
            if found is not None:
                reasons[one, name] = found
    return StudyResults(
        plan=plan,
        source=data.source,
        errors=errors,
        features={one: feature_quartiles(found) for one, found in features.items()},
        reasons=reasons,
    )


def feature_quartiles(features: FloatArray) -> FloatArray:
    """Return quartiles of features, shape (3, features), over the series that have them."""
    columns = [column[np.isfinite(column)] for column in features.T]
    levels: Sequence[float] = (0.25, 0.5, 0.75)
    return np.column_stack(
        [np.quantile(one, levels) if len(one) else np.full(3, np.nan) for one in columns]
    )
