"""One finished run as a row of the table, and tables as text."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any


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
_TEXTS = frozenset({"question", "data", "model", "setting", "theorem"})
_INTEGERS = frozenset({"seed", "steps"})
_OPTIONAL = frozenset({"untrained_crps", "epsilon_spent", "delta", "noise_multiplier"})


def rows_csv(rows: Iterable[Row]) -> str:
    """Return a table with a header; numbers have all their digits, ``inf`` is without privacy."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        cells = (getattr(row, name) for name in COLUMNS)
        writer.writerow("" if cell is None else cell for cell in cells)
    return text.getvalue()


def rows_from_csv(text: str) -> tuple[Row, ...]:
    """Return the rows of a table; lines that begin with ``#`` are left out.

    Raises:
        ValueError: a cell is not what its column has.
        KeyError: a column is missing.
    """
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return tuple(row_from(row) for row in csv.DictReader(lines))


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
