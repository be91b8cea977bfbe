"""Reads the tables from the CSV files beside this one, in which they are kept as printed."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from dpviz.reported.table import Cell, ReportedLine, ReportedTable

_FOLDER = Path(__file__).parent / "tables"
_NUMBERS = range(1, 14)


def table_from_csv(text: str) -> ReportedTable:
    """Return the table of a file.

    Its first lines begin with ``#`` and say what it is, ``# key: value``; a header of columns and
    one row for each printed error follow, the errors of a model one after the other.

    Raises:
        ValueError: a model lacks an error, or has one at another place than the first model has.
        KeyError: the file does not say what it is.
    """
    lines = text.splitlines()
    about = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    said = {key: value for key, _, value in about if key != "remark"}
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    cells: dict[tuple[str, float | None], list[Cell]] = {}
    for row in rows:
        rate = float(row["rate"]) if "rate" in row else None
        cells.setdefault((row["model"], rate), []).append(_cell(row, said["varied"]))
    table = ReportedTable(
        number=int(said["table"]),
        source=said["source"],
        what=said["what"],
        data_set=said["data_set"],
        varied=said["varied"],
        mechanism=said["mechanism"],
        relation=said.get("relation"),
        relation_width=_optional_integer(said, "relation_width"),
        max_change=_optional(said, "max_change"),
        epsilon=_optional(said, "epsilon"),
        delta=float(said["delta"]),
        remarks=tuple(value for key, _, value in about if key == "remark"),
        lines=tuple(
            ReportedLine(model=model, rate=rate, cells=tuple(found))
            for (model, rate), found in cells.items()
        ),
    )
    _check_places(table.number, [[cell.at for cell in line.cells] for line in table.lines])
    return table


def table_csv(number: int) -> str:
    """Return the file of a table as it is kept."""
    return (_FOLDER / f"table_{number:02d}.csv").read_text(encoding="utf-8")


def _cell(row: Mapping[str, str], varied: str) -> Cell:
    float(row["mean"] or "none")  # a number, or the file is wrong
    if row["spread"]:
        float(row["spread"])
    return Cell(
        at=float(row[varied]),
        mean=row["mean"],
        spread=row["spread"] or None,
        bold={"0": False, "1": True}[row["bold"]],
    )


def _check_places(number: int, places: Sequence[Sequence[float]]) -> None:
    if any(list(one) != sorted(set(places[0])) for one in places):
        raise ValueError(f"table {number}: not every model has an error at {list(places[0])}")


def _optional(said: Mapping[str, str], key: str) -> float | None:
    return float(said[key]) if key in said else None


def _optional_integer(said: Mapping[str, str], key: str) -> int | None:
    return int(said[key]) if key in said else None


TABLES: dict[str, ReportedTable] = {
    table.name: table for table in (table_from_csv(table_csv(number)) for number in _NUMBERS)
}
