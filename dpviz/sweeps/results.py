"""The results of a sweep as a table: one row a scenario, in the grid's order."""

import importlib
import io
import re
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from dpviz.files.commented_csv import commented_csv
from dpviz.scenario import to_fields
from dpviz.scenario.errors import MissingPackageError
from dpviz.scenario.fields import (
    INTEGER_FIELDS,
    OF_RATES_FIELDS,
    RATE_FIELDS,
    REAL_FIELDS,
    SHAPE_FIELDS,
    TEXT_FIELDS,
)
from dpviz.sweeps.grid import Answer, Row

# Names as in links and JSON, in the order in which a scenario is told.
FIELD_COLUMNS = (
    "schema", *SHAPE_FIELDS, "longer_series_beyond", *RATE_FIELDS, *OF_RATES_FIELDS, "top_level",
    "bottom_level", "batch_size", "num_subsequences", "noise_multiplier", "context_noise",
    "forecast_noise", "relation", "relation_width", "max_change", "num_channels",
    "series_per_person", "steps", "epochs", "delta", "time_step", "value_unit",
)  # fmt: skip
ANSWER_COLUMNS = (
    "epsilon_upper", "epsilon_lower", "upper_theorem", "upper_kind", "upper_condition",
    "upper_extension", "lower_theorem", "unit", "count",
)  # fmt: skip
AT_EPSILON = ("delta_upper_at_epsilon_", "delta_lower_at_epsilon_")
_WHOLE = {"row", "count", *INTEGER_FIELDS}
_REAL = {"epsilon_upper", "epsilon_lower", *REAL_FIELDS}
# What a spreadsheet computes, also behind apostrophes that take it for text.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
Table = dict[str, list[Any]]


def results_table(
    rows: Sequence[Row], answers: Sequence[Answer], epsilons: Sequence[float]
) -> Table:
    """Return the columns by name, each with one value a row; ``None`` where there is none.

    A number is the bound's sound end: ``epsilon_upper`` is proven to be at least, and
    ``epsilon_lower`` at most, what training gives away at the row's ``delta``. Nothing depends
    on when or where a row was computed.
    """
    table: Table = {"row": [row.number for row in rows]}
    fields = [_fields(row) for row in rows]
    table |= {name: [one.get(name) for one in fields] for name in FIELD_COLUMNS}
    table["status"] = [answer["status"] for answer in answers]
    table |= {name: [answer.get(name) for answer in answers] for name in ANSWER_COLUMNS}
    for at, epsilon in enumerate(epsilons):
        for side, column in zip(("delta_upper", "delta_lower"), AT_EPSILON, strict=True):
            table[f"{column}{repr(epsilon).removesuffix('.0')}"] = [
                answer[side][at] if side in answer else None for answer in answers
            ]
    table |= {name: [one.get(name) for one in answers] for name in ("error_field", "error")}
    return table


def csv_text(table: Table) -> str:
    """Return the table as CSV, numbers with all their digits."""
    rows = (map(_no_formula, values) for values in zip(*table.values(), strict=True))
    return commented_csv((), tuple(table), rows)


def parquet_bytes(table: Table) -> bytes:
    """Return the table as Parquet, typed."""
    arrow = check_parquet()
    types = {
        name: arrow.int64()
        if name in _WHOLE
        else arrow.float64()
        if name in _REAL or name.startswith(AT_EPSILON)
        else arrow.string()
        for name in table
    }
    columns = {name: arrow.array(values, type=types[name]) for name, values in table.items()}
    sink = io.BytesIO()
    arrow.parquet.write_table(arrow.table(columns), sink)
    return sink.getvalue()


def check_parquet() -> ModuleType:
    """Return the package that writes Parquet.

    Raises:
        MissingPackageError: it is not installed.
    """
    try:
        importlib.import_module("pyarrow.parquet")
        return importlib.import_module("pyarrow")
    except ImportError:
        raise MissingPackageError("pyarrow") from None


def _fields(row: Row) -> dict[str, Any]:
    """Return a row's fields; of one that is refused those that have the right type."""
    given = row.fields if row.scenario is None else to_fields(row.scenario)
    kept: dict[str, Any] = {}
    for name, value in given.items():
        if name == "series_length":
            lengths = value if isinstance(value, list) else [value]
            if all(_is_whole(length) for length in lengths):
                kept[name] = ",".join(map(str, lengths))
        elif name in INTEGER_FIELDS:
            if _is_whole(value):
                kept[name] = value
        elif name in REAL_FIELDS:
            if isinstance(value, int | float) and not isinstance(value, bool):
                kept[name] = _real(value)
        elif name in TEXT_FIELDS and isinstance(value, str):
            kept[name] = value.encode(errors="replace").decode()
    return kept


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _real(value: float) -> float | None:
    try:
        return float(value)
    except OverflowError:  # an integer of more than 300 digits
        return None


def _no_formula(cell: object) -> object:
    """Return a cell; a text that a spreadsheet would compute begins with an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell
