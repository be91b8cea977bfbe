"""Results of the study as files: those that a command has written, and those that dpviz ships."""

import gzip
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import dpviz
from dpviz.training_study.common import PLAN
from dpviz.training_study.row import Row, rows_csv, rows_from_csv

ROWS_FILE, ABOUT_FILE, JOURNAL_FILE = "rows.csv.gz", "about.json", "runs.journal"
_SHIPPED = Path(__file__).parent / "results"


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
