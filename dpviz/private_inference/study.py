"""The study's questions, and when one counts as answered: fixed before anything was computed.

Does it help to keep only a part of each context, at the same budget? For each model, data set,
context length, protected width and epsilon, forecasts with r = 0.5 and r = 0.75 are compared with
those of r = 1, the plain Gaussian mechanism. Each has the least noise that its budget needs, by the
exact accounting. As in Appendix H of Schuchardt et al., models are trained without privacy and on
contexts as they are, delta is 1e-4, and contexts are short. Otherwise than there, models are
trained on other series than they forecast, so that epsilon, which is of one released forecast of
each series, leaves nothing out but public data; and a context of which nothing was kept becomes the
mean of those other series.

**Subsampling helps** where the mean error (CRPS) over the noise draws is smaller than with r = 1
for every one of the seeds; it **hurts** where it is larger for every one; else the case is
**open**.
A seed decides the model, which values are kept and the noise, and is the same for both sides.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from functools import cache
from math import inf, isinf
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import dpviz
from dpviz.files.commented_csv import commented_csv, rows_in, said_above
from dpviz.private_inference.model import LOWEST, crps_of_hidden, halves, last_windows, model_of
from dpviz.private_inference.noise import exact_noise
from dpviz.private_inference.plan import HidingPlan
from dpviz.studies.run import Journal, Progress, answers_to, case_name, each
from dpviz.training.panel import Panel
from dpviz.training.panel_source import GeneratedSource, M3Source, StudiedData
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss

RATES = (1.0, 0.75, 0.5)
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
NO_NOISE = inf
"""In the place of epsilon: values are left out, and nothing is hidden."""
DELTA = 1e-4
CONTEXT_LENGTHS = (2, 8, 24)
FORECAST_LENGTH = 6
MODELS = ("linear", "dlinear", "feedforward", "naive")
SEEDS = tuple(range(1, 11))
DRAWS = 5
STEPS = 1000
HELPS, HURTS, OPEN = "helps", "hurts", "open"


# Of each every other series is trained on and the rest forecast; max_change is about a tenth of the
# mean value.
DATA = {
    "generated": StudiedData(
        GeneratedSource(num_series=200, length=144, period=12, seed=1),
        10.0,
        "200 made-up series with a season of 12",
    ),
    "m3": StudiedData(M3Source(), 400.0, "474 monthly micro series of the M3 competition"),
}


def widths(context_length: int) -> tuple[int, int]:
    """Return the protected widths w: one value, and all of the context."""
    return 1, context_length


def verdict(errors: Sequence[float], with_all_values: Sequence[float]) -> str:
    """Return whether keeping a part helps, by the criterion above, given each seed's errors.

    >>> verdict([1.0, 2.0], [1.5, 2.5]), verdict([1.0, 3.0], [1.5, 2.5])
    ('helps', 'open')
    >>> verdict([2.0, 3.0], [1.5, 2.5]), verdict([2.0, 3.0], [1.5, 3.0])
    ('hurts', 'open')
    """
    pairs = list(zip(errors, with_all_values, strict=True))
    if all(one < other for one, other in pairs):
        return HELPS
    return HURTS if all(one > other for one, other in pairs) else OPEN


@dataclass(frozen=True)
class Unit:
    """What is computed at once: one model, trained once, with every rate and budget.

    The seed is of its training, of the values kept and of the noise.
    """

    data: str
    context_length: int
    model: str
    seed: int


@dataclass(frozen=True)
class Case:
    """How a context was hidden: protected width, budget, and share of values kept."""

    width: int
    epsilon: float
    rate: float


def units(data: Iterable[str]) -> list[Unit]:
    """Return all units of some data sets, in the order of ``DATA``."""
    chosen = frozenset(data)
    return [
        Unit(name, context_length, model, seed)
        for name in DATA
        if name in chosen
        for context_length in CONTEXT_LENGTHS
        for model in MODELS
        for seed in SEEDS
    ]


def cases(context_length: int) -> list[Case]:
    """Return the cases of a unit."""
    return [
        Case(width, epsilon, rate)
        for width in widths(context_length)
        for epsilon in (*EPSILONS, NO_NOISE)
        for rate in RATES
    ]


@cache
def noise_of(data: str, context_length: int, case: Case) -> float:
    """Return the standard deviation of a case's noise, in the data's unit; 0 without a budget."""
    if isinf(case.epsilon):
        return 0.0
    plan = HidingPlan(
        context_length=context_length,
        rate=case.rate,
        max_change=DATA[data].max_change,
        epsilon=case.epsilon,
        delta=DELTA,
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
    training, forecast = halves_of(unit.data)
    model, parameters = model_of(
        unit.model, training, unit.context_length, FORECAST_LENGTH, steps=STEPS, seed=unit.seed
    )
    windows = last_windows(forecast, unit.context_length, FORECAST_LENGTH)
    return {
        case: crps_of_hidden(
            model,
            parameters,
            windows,
            rate=case.rate,
            noise=noise_of(unit.data, unit.context_length, case),
            nothing_kept=mean_value(training),
            seed=[unit.seed],
            draws=DRAWS,
        )
        for case in cases(unit.context_length)
    }


def run_study(
    units: Iterable[Unit], journal: Journal, progress: Progress | None = None
) -> tuple[dict[Unit, dict[Case, float]], float]:
    """Return the errors of units, and how many seconds of processor time they took."""
    named = {unit_name(unit): unit for unit in units}
    answers = answers_to(named, each(_answer), journal=journal, progress=progress)
    errors = {
        unit: dict(zip(cases(unit.context_length), answers[name]["errors"], strict=True))
        for name, unit in named.items()
    }
    return errors, sum(answers[name]["seconds"] for name in named)


def unit_name(unit: Unit) -> str:
    """Return what journals call a unit, with a digest of all that decides its errors."""
    return case_name(
        f"{unit.data}-{unit.context_length}-{unit.model}-{unit.seed}",
        {
            "grid": [DELTA, FORECAST_LENGTH, DRAWS, STEPS, LOWEST],
            "cases": [
                [case.width, str(case.epsilon), case.rate] for case in cases(unit.context_length)
            ],
            "max_change": DATA[unit.data].max_change,
            "versions": versions(),
        },
    )


def _answer(unit: Unit) -> dict[str, Any]:
    begun = process_time()
    errors = unit_errors(unit)
    found = [errors[case] for case in cases(unit.context_length)]
    return {"errors": found, "seconds": process_time() - begun}


def mean_value(panel: Panel) -> float:
    """Return the mean of all values of the series that models are trained on."""
    return float(np.concatenate(panel.series).mean())


def error_without_context(data: str) -> float:
    """Return the error of forecasts that read no context: quantiles of the other series' values."""
    training, forecast = halves_of(data)
    windows = last_windows(forecast, min(CONTEXT_LENGTHS), FORECAST_LENGTH)
    quantiles = np.quantile(np.concatenate(training.series), LEVELS)
    repeated = np.broadcast_to(quantiles, (*windows.truth.shape, len(LEVELS)))
    return mean_weighted_quantile_loss(repeated, windows.truth)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the study found of one model in one case; the spread is over seeds (of a sample).

    Args:
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
    """Return what all units of some data sets, in the order of :func:`units`, say together."""
    groups: dict[tuple[str, int, str], list[Mapping[Case, float]]] = {}
    for unit, found in errors.items():
        groups.setdefault((unit.data, unit.context_length, unit.model), []).append(found)
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
        verdict="" if is_whole else verdict(own, whole),
        better_seeds=sum(a < b for a, b in zip(own, whole, strict=True)),
    )


@cache
def halves_of(data: str) -> tuple[Panel, Panel]:
    """Return the series of a data set that are trained on, and those that are forecast."""
    return halves(DATA[data].source.panel())


_SHIPPED = Path(__file__).parent / "results" / "inference_study.csv"
_WITHOUT = "crps_without_context_"
# Of the noise, which is enough for its epsilon only if it is rounded up.
_UP = Context(prec=6, rounding=ROUND_CEILING)
COLUMNS = (
    "data", "context_length", "width", "max_change", "model", "epsilon", "rate", "noise",
    "crps", "spread", "against_rate_1", "better_seeds",
)  # fmt: skip
NOTE = (
    "epsilon: upper bound, exact accounting, of one released forecast of each series at delta "
    f"{DELTA:g}, for one individual who changes width values of one context by at most "
    "max_change each. Models were trained without privacy on other series. crps and spread: mean "
    "and standard deviation over seeds, lower is better; errors are no part of any budget. "
    "epsilon inf: no noise, nothing is hidden."
)


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study that was computed before, and the date of its end.

    ``without_context`` has the error of forecasts that read no context, by data set.
    """

    date: str
    versions: str
    seconds: float
    without_context: dict[str, float]
    found: tuple[Found, ...]


def study_csv(study: Study) -> str:
    """Return the table; lines that begin with # say what made it."""
    about = {
        "date": study.date,
        "versions": study.versions,
        "processor_seconds": f"{study.seconds:.0f}",
        "seeds": ", ".join(map(str, SEEDS)),
        "draws_of_noise_each": str(DRAWS),
        "training_steps": str(STEPS),
        "forecast_length": str(FORECAST_LENGTH),
        **{_WITHOUT + name: f"{error:.6g}" for name, error in study.without_context.items()},
        "note": NOTE,
    }
    head = (f"{name}: {value}" for name, value in about.items())
    return commented_csv(head, COLUMNS, map(_row, study.found))


def study_from_csv(text: str) -> Study:
    """Return the study of a table; ``KeyError`` or ``ValueError`` for one that is none."""
    about = said_above(text)
    return Study(
        date=about["date"],
        versions=about["versions"],
        seconds=float(about["processor_seconds"]),
        without_context={
            name.removeprefix(_WITHOUT): float(value)
            for name, value in about.items()
            if name.startswith(_WITHOUT)
        },
        found=tuple(map(_read, rows_in(text))),
    )


@cache
def shipped_study() -> Study:
    """Return the study that comes with dpviz."""
    return study_from_csv(_SHIPPED.read_text(encoding="utf-8"))


def _row(found: Found) -> list[str]:
    case = found.case
    return [
        found.data,
        str(found.context_length),
        str(case.width),
        f"{DATA[found.data].max_change:g}",
        found.model,
        f"{case.epsilon:g}",
        f"{case.rate:g}",
        f"{float(_UP.create_decimal(repr(found.noise))):.6g}",
        f"{found.error:.6g}",
        f"{found.spread:.3g}",
        found.verdict,
        str(found.better_seeds),
    ]


def _read(row: dict[str, str]) -> Found:
    return Found(
        data=row["data"],
        context_length=int(row["context_length"]),
        model=row["model"],
        case=Case(int(row["width"]), float(row["epsilon"]), float(row["rate"])),
        noise=float(row["noise"]),
        error=float(row["crps"]),
        spread=float(row["spread"]),
        verdict=row["against_rate_1"],
        better_seeds=int(row["better_seeds"]),
    )
