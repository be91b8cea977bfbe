"""Results of the study as files: those that a command has written, and those that dpviz ships."""

import gzip
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import dpviz
from dpviz.studies.tables import commented_csv, read_commented
from dpviz.training_study.questions import PLAN

_TEXTS = frozenset({"question", "data", "model", "setting", "theorem"})
_INTEGERS = frozenset({"seed", "steps"})
_OPTIONAL = frozenset({"untrained_crps", "epsilon_spent", "delta", "noise_multiplier"})
ROWS_FILE, ABOUT_FILE, JOURNAL_FILE = "rows.csv.gz", "about.json", "runs.journal"
_SHIPPED = Path(__file__).parent / "results"


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one run came to.

    Args:
        question: it was trained for.
        data: name of the series.
        model: name of the forecaster.
        setting: what differs from run to run.
        value: of the setting.
        epsilon: the budget that noise was fitted to; infinite without privacy.
        seed: of all that is drawn.
        crps: error of the forecasts of the last values of each series, as a mean weighted quantile
            loss; smaller is better, no unit.
        baseline_crps: that of the seasonal naive forecast.
        untrained_crps: that of the same model before its first step.
        epsilon_spent: proven upper bound on epsilon after all steps, at ``delta``; ``None``
            without privacy.
        delta: ``None`` without privacy.
        theorem: by which the bound is proven; empty without privacy.
        noise_multiplier: sigma, noise on the sum of gradients in units of the clipping norm;
            ``None`` without privacy.
        steps: training steps taken.
        seconds: that it took, by the clock.
    """

    question: str
    data: str
    model: str
    setting: str
    value: float
    epsilon: float
    seed: int
    crps: float
    baseline_crps: float
    untrained_crps: float | None
    epsilon_spent: float | None
    delta: float | None
    theorem: str
    noise_multiplier: float | None
    steps: int
    seconds: float


COLUMNS = tuple(field.name for field in fields(Row))


def rows_csv(rows: Iterable[Row]) -> str:
    """Return a table with a header; numbers have all their digits, ``inf`` is without privacy."""
    return commented_csv((), COLUMNS, ([getattr(row, name) for name in COLUMNS] for row in rows))


def rows_from_csv(text: str) -> tuple[Row, ...]:
    """Return the rows of a table; lines that begin with ``#`` are left out.

    Raises:
        ValueError: a cell is not what its column has.
        KeyError: a column is missing.
    """
    return tuple(map(row_from, read_commented(text).rows))


def row_from(cells: dict[str, Any]) -> Row:
    """Return a row from texts, or from what :func:`row_fields` returned.

    >>> row_from({**dict.fromkeys(COLUMNS, "1"), "delta": "", "epsilon": "inf"}).epsilon
    inf
    """
    return Row(**{name: _typed(name, cells[name]) for name in COLUMNS})


def row_fields(row: Row) -> dict[str, Any]:
    """Return a row as data for JSON, which has no infinity: that is the text ``inf``."""
    found = {name: getattr(row, name) for name in COLUMNS}
    return {name: "inf" if cell == float("inf") else cell for name, cell in found.items()}


def of_cell(
    rows: Sequence[Row], question: str, data: str, model: str, value: float, epsilon: float
) -> dict[int, Row]:
    """Return the runs of one cell of a question by their seeds."""
    return {
        row.seed: row
        for row in rows
        if (row.question, row.data, row.model, row.value, row.epsilon)
        == (question, data, model, value, epsilon)
    }


def _typed(name: str, cell: Any) -> Any:
    if name in _TEXTS:
        return str(cell)
    if name in _OPTIONAL and cell in ("", None):
        return None
    return int(cell) if name in _INTEGERS else float(cell)


@dataclass(frozen=True, kw_only=True)
class Results:
    """Rows, and what made them.

    Args:
        rows: one for each run.
        about: plan, versions, date, seeds and seconds, as data for JSON.
    """

    rows: tuple[Row, ...]
    about: dict[str, Any]


def about_rows(rows: Sequence[Row], date: str) -> dict[str, Any]:
    """Return what made rows.

    Args:
        rows: at least one.
        date: on which they were finished, as YYYY-MM-DD.
    """
    return {
        "plan": PLAN,
        "date": date,
        "versions": {
            "dpviz": dpviz.__version__,
            "numpy": np.__version__,
            "scipy": version("scipy"),
            "python": platform.python_version(),
        },
        "questions": list(dict.fromkeys(row.question for row in rows)),
        "data": list(dict.fromkeys(row.data for row in rows)),
        "models": list(dict.fromkeys(row.model for row in rows)),
        "seeds": sorted({row.seed for row in rows}),
        "runs": len(rows),
        "seconds_of_all_runs": round(sum(row.seconds for row in rows), 1),
    }


def packed(rows: Sequence[Row]) -> bytes:
    """Return rows as compressed CSV: equal rows give equal bytes."""
    return gzip.compress(rows_csv(rows).encode(), mtime=0)


def about_text(about: dict[str, Any]) -> str:
    """Return what made rows, as a file."""
    return json.dumps(about, indent=2) + "\n"


def read_results(folder: Path) -> Results:
    """Return the results in a folder.

    Raises:
        OSError: a file cannot be read.
        ValueError: it is not as it was written.
    """
    rows = rows_from_csv(gzip.decompress((folder / ROWS_FILE).read_bytes()).decode())
    return Results(rows=rows, about=json.loads((folder / ABOUT_FILE).read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def shipped_results() -> Results:
    """Return the results that come with dpviz."""
    return read_results(_SHIPPED)
