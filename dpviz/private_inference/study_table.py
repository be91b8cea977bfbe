"""The study's findings as a CSV table, and back."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from functools import cache
from pathlib import Path

from dpviz.files.commented_csv import commented_csv, rows_in, said_above
from dpviz.private_inference import study as grid
from dpviz.private_inference.study import Case, Found

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
    f"{grid.DELTA:g}, for one individual who changes width values of one context by at most "
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
        "seeds": ", ".join(map(str, grid.SEEDS)),
        "draws_of_noise_each": str(grid.DRAWS),
        "training_steps": str(grid.STEPS),
        "forecast_length": str(grid.FORECAST_LENGTH),
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
        f"{grid.DATA[found.data].max_change:g}",
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
