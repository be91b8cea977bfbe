"""The results of a sweep as a table, one row a scenario; and read out of anybody's file."""

import importlib
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.files.commented_csv import commented_csv
from dpviz.scenario import PRESETS, Scenario, from_fields, to_fields
from dpviz.scenario import fields as known
from dpviz.scenario.errors import MissingPackageError
from dpviz.scenario.link import fields_from_query
from dpviz.scenario.number_text import real_number
from dpviz.series_file import SeriesFileError
from dpviz.series_file.errors import quoted
from dpviz.series_file.read import table_in
from dpviz.series_file.table import Cells
from dpviz.series_file.table import Table as FileTable
from dpviz.settings.sweep import SWEEP_AXES
from dpviz.sweeps.grid import ANSWERED, Answer, Row, read_grid
from dpviz.sweeps.run import run_sweep

# Names as in links and JSON, in the order in which a scenario is told.
FIELD_COLUMNS = (
    "schema", *known.SHAPE_FIELDS, "longer_series_beyond", *known.RATE_FIELDS,
    *known.OF_RATES_FIELDS, "top_level", "bottom_level", "batch_size", "num_subsequences",
    "noise_multiplier", "context_noise", "forecast_noise", "relation", "relation_width",
    "max_change", "num_channels", "series_per_person", "steps", "epochs", "delta", "time_step",
    "value_unit",
)  # fmt: skip
ANSWER_COLUMNS = (
    "epsilon_upper", "epsilon_lower", "upper_theorem", "upper_kind", "upper_condition",
    "upper_extension", "lower_theorem", "unit", "count",
)  # fmt: skip
AT_EPSILON = ("delta_upper_at_epsilon_", "delta_lower_at_epsilon_")
_WHOLE = {"row", "count", *known.INTEGER_FIELDS}
_REAL = {"epsilon_upper", "epsilon_lower", *known.REAL_FIELDS}
# What a spreadsheet computes, also behind apostrophes that take it for text.
FORMULA = re.compile(r"'*[=+\-@\t\r]")
Table = dict[str, list[Any]]
MOST_SHOWN_ROWS = 10_000
_NEEDED = ("row", "status", "epsilon_upper", "epsilon_lower", "delta")
_WORDS = (
    *("status", "upper_theorem", "upper_kind", "upper_condition", "upper_extension"),
    *("lower_theorem", "unit"),
)
EXAMPLE_GRID = {
    "batch_size": [16, 32, 64, 128],
    "noise_multiplier": [0.8, 1.0, 1.5, 2.0, 4.0],
    "steps": [100, 300, 1000],
}


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

    def no_formula(cell: object) -> object:
        return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell

    rows = (map(no_formula, values) for values in zip(*table.values(), strict=True))
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
    """Return the package that writes Parquet; raise ``MissingPackageError`` without it."""
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
            if all(map(_is_whole, lengths)):
                kept[name] = ",".join(map(str, lengths))
        elif name in known.INTEGER_FIELDS:
            if _is_whole(value):
                kept[name] = value
        elif name in known.REAL_FIELDS:
            if isinstance(value, int | float) and not isinstance(value, bool):
                kept[name] = _real(value)
        elif name in known.TEXT_FIELDS and isinstance(value, str):
            kept[name] = value.encode(errors="replace").decode()
    return kept


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _real(value: float) -> float | None:
    try:
        return float(value)
    except OverflowError:  # an integer of more than 300 digits
        return None


@dataclass(frozen=True, kw_only=True, eq=False)
class SweepResults:
    """The rows of a sweep that could be answered.

    Args:
        numbers: columns of numbers by name, NaN where a row has none; shape (rows,) each. Of a
            column of words it has their places in ``names``.
        names: the words of such columns, each once.
        rows: their numbers in the sweep, shape (rows,).
        words: columns of texts by name, shape (rows,) each.
        fields: the fields of the scenarios as links have them, likewise.
        others: how many rows of the file have no finite epsilon, were refused or failed.
        is_text: whether the file is one, in which formulas begin with an apostrophe.
    """

    numbers: Mapping[str, NDArray[np.float64]]
    names: Mapping[str, tuple[str, ...]]
    rows: NDArray[np.int64]
    words: Mapping[str, NDArray[np.object_]]
    fields: Mapping[str, NDArray[np.object_]]
    others: int
    is_text: bool = True

    def scenario_at(self, place: int) -> Scenario:
        """Return the scenario of the row at a place.

        Raises:
            ScenarioError: the file's fields are none.
        """
        texts = {name: str(column[place]) for name, column in self.fields.items()}
        told = {
            name: text[1:] if self.is_text and text[0] == "'" and FORMULA.match(text, 1) else text
            for name, text in texts.items()
            if text
        }
        return from_fields(fields_from_query(told))


def read_results(content: bytes, name: str) -> SweepResults:
    """Return the answered rows of a file of results.

    Raises:
        SeriesFileError: it cannot be read, is too large, or holds no results of a sweep.
    """
    table = table_in(content, name)
    for column in _NEEDED:
        if column not in table.header:
            raise SeriesFileError(
                f'The file has no column "{column}", so it holds no results of a sweep: open what '
                "`python -m dpviz sweep` has written."
            )
    cells, places = [], []
    height = others = 0
    for block in table.blocks(range(len(table.header)), ()):
        height += len(block.lines)
        if height > MOST_SHOWN_ROWS:
            raise SeriesFileError(
                f"The file has more than {MOST_SHOWN_ROWS:,} rows, the most that are shown: leave "
                "some out."
            )
        texts = block.texts(range(len(table.header)))
        is_answered = texts[:, table.header.index("status")] == ANSWERED
        others += int(np.count_nonzero(~is_answered))
        cells.append(texts[is_answered])
        places.append(block.lines[is_answered])
    kept = Cells(np.concatenate(places), np.concatenate(cells))
    if len(kept.cells) == 0:
        raise SeriesFileError(f"None of the file's {height:,} rows has a finite epsilon.")
    return _results(table, kept, others)


def _results(table: FileTable, kept: Cells, others: int) -> SweepResults:
    numbers, names = {}, {}
    for name in (one for one in SWEEP_AXES if one in table.header):
        column = table.header.index(name)
        if _is_of_words(name, kept.cells[:, column]):
            numbers[name], names[name] = _places(name, kept.cells[:, column])
        else:
            numbers[name] = _numbers(table, kept, column)
            if name in known.SCHEMA_1_DEFAULTS and name not in _NEEDED:
                default = known.SCHEMA_1_DEFAULTS[name]
                numbers[name] = np.where(np.isnan(numbers[name]), default, numbers[name])
        if name not in _NEEDED and np.isnan(numbers[name]).all():
            del numbers[name]  # an axis of it would have no point
    rows = _numbers(table, kept, table.header.index("row"))
    if not np.all(np.isfinite(rows) & (rows >= 1) & (rows < 2**31) & (rows == np.floor(rows))):
        raise SeriesFileError('Column "row" must hold the whole numbers of the rows, from 1.')
    if len(np.unique(rows)) < len(rows):
        raise SeriesFileError('Column "row" holds a number twice.')
    for name in ("epsilon_upper", "epsilon_lower", "delta"):
        found = numbers[name]
        if np.any(found < 0.0) or (name != "epsilon_lower" and np.any(np.isnan(found))):
            raise SeriesFileError(
                f'Column "{name}" must hold a number of at least 0 in each answered row.'
            )
    if np.any(numbers["epsilon_lower"] > numbers["epsilon_upper"] * (1 + 1e-9)):
        raise SeriesFileError("A lower bound on epsilon is larger than its row's upper bound.")

    words, fields = (
        {name: kept.cells[:, table.header.index(name)] for name in asked if name in table.header}
        for asked in (_WORDS, FIELD_COLUMNS)
    )
    return SweepResults(
        numbers=numbers,
        names=names,
        rows=rows.astype(np.int64),
        words=words,
        fields=fields,
        others=others,
        is_text=table.place == "Line",
    )


def _is_of_words(name: str, cells: NDArray[Any]) -> bool:
    # Series may have several lengths, between commas.
    return name in known.TEXT_FIELDS or (
        name == "series_length" and any("," in text for text in cells.tolist())
    )


def _places(name: str, cells: NDArray[Any]) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Return the words of a column, the shortest first, and the place of each row's."""
    texts = [text or str(known.SCHEMA_1_DEFAULTS.get(name, "")) for text in cells.tolist()]
    words = sorted({text for text in texts if text}, key=lambda text: (len(text), text))
    places = {text: float(place) for place, text in enumerate(words)}
    return np.array([places.get(text, np.nan) for text in texts]), tuple(words)


def _numbers(table: FileTable, kept: Cells, column: int) -> NDArray[np.float64]:
    """Return a column as numbers, NaN where empty; a comma in one is no part of it."""
    codes, texts = pd.factorize(kept.cells[:, column])
    found = np.full(len(texts), np.nan)
    for at, text in enumerate(texts.tolist()):
        if text:
            try:
                found[at] = real_number(text)
            except ValueError:
                found[at] = np.inf
            if np.isinf(found[at]):
                row = int(kept.lines[int(np.argmax(codes == at))])
                raise SeriesFileError(
                    f"{table.place} {row}, {table.label(column)}: {quoted(text)} is no finite "
                    "number."
                )
    return np.asarray(found[codes])


def varying(results: SweepResults, places: NDArray[Any]) -> list[str]:
    """Return the columns that have several values at some places, the bounds on epsilon last."""
    shown = {name: values[places] for name, values in results.numbers.items()}
    # How many units are composed mostly is how long training was.
    left_out = {"epsilon_lower", "epsilon_upper"}
    for length in ("steps", "epochs"):
        if length in shown and np.array_equal(shown[length], shown.get("count", np.empty(0))):
            left_out.add("count")
    found = [
        name
        for name, values in shown.items()
        # That a row has none, as no limit of changes, is a value, too.
        if name not in left_out and len(np.unique(values)) > 1
    ]
    return [*found, "epsilon_upper"]


def example_rows() -> tuple[Row, ...]:
    """Return the scenarios: the toy data set with several batch sizes, noises and lengths."""
    return read_grid(json.dumps(to_fields(PRESETS["toy"].scenario) | EXAMPLE_GRID))


def example_results() -> SweepResults:
    """Return what is proven about them, as read from the file that the command would write."""
    rows = example_rows()
    answers = run_sweep(rows, compute=map)
    return read_results(csv_text(results_table(rows, answers, ())).encode(), "example.csv")
