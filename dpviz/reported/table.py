"""A table of forecast errors as the main paper prints it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

from dpviz.files.commented_csv import comments_in, rows_in, said_above
from dpviz.scenario import PRESETS, Relation, Scenario

BASELINES = ("Seasonal", "AutoETS")
_FOLDER = Path(__file__).parent / "tables"
_REMARK = "remark: "


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One printed forecast error.

    Args:
        at: value of what the table varies; infinite where training is not private.
        mean: average CRPS (continuous ranked probability score) as printed; smaller is better.
        spread: what is printed behind the plus-minus sign; ``None`` where there is none.
    """

    at: float
    mean: str
    spread: str | None
    bold: bool

    @property
    def number(self) -> float:
        """The mean as a number."""
        return float(self.mean)

    @property
    def deviation(self) -> float | None:
        """The spread as a number; ``None`` where none is printed, or the mean a second time."""
        return None if self.spread is None or self.repeats_mean else float(self.spread)

    @property
    def repeats_mean(self) -> bool:
        """Whether the spread is printed equal to the mean, digit by digit: a slip, most likely."""
        return self.spread == self.mean

    @property
    def printed(self) -> str:
        """Mean and spread as printed."""
        return self.mean if self.spread is None else f"{self.mean} ± {self.spread}"


@dataclass(frozen=True, kw_only=True)
class ReportedLine:
    """One row of a table: a model, and its error at each value of what is varied.

    Args:
        rate: probability that a value is kept, where a table subsamples what a forecast reads.
    """

    model: str
    rate: float | None
    cells: tuple[Cell, ...]

    @property
    def is_baseline(self) -> bool:
        """Whether it is a conventional method, which is not trained by gradients."""
        return self.model in BASELINES


@dataclass(frozen=True, kw_only=True)
class ReportedTable:
    """A table of the main paper (Schuchardt et al.).

    Args:
        data_set: name of the data set, one of the ready-made scenarios.
        varied: ``epsilon``, ``relation_width`` or ``forecast_noise``.
        mechanism: ``training``, or ``forecasting`` where only the forecast is private.
        relation: ``event`` or ``user``; ``None`` where the paper does not say.
        relation_width: w; ``None`` where it is varied or not said.
        max_change: v, the largest change of one value; ``None`` for no limit.
        epsilon: the privacy budget; ``None`` where it is varied.
    """

    number: int
    source: str
    data_set: str
    varied: str
    mechanism: str
    relation: str | None
    relation_width: int | None
    max_change: float | None
    epsilon: float | None
    delta: float
    remarks: tuple[str, ...]
    lines: tuple[ReportedLine, ...]

    @property
    def name(self) -> str:
        """What links call it."""
        return str(self.number)

    @property
    def data_name(self) -> str:
        """The data set in a word, without how often it was measured."""
        return self.data_set.partition("_")[0]

    @property
    def columns(self) -> tuple[float, ...]:
        """The values of what is varied."""
        return tuple(cell.at for cell in self.lines[0].cells)

    @property
    def trained(self) -> tuple[ReportedLine, ...]:
        """The rows of trained models."""
        return tuple(line for line in self.lines if not line.is_baseline)

    @property
    def baselines(self) -> tuple[ReportedLine, ...]:
        """The rows of conventional methods."""
        return tuple(line for line in self.lines if line.is_baseline)

    @property
    def has_spreads(self) -> bool:
        """Whether spreads are printed of the trained models."""
        return any(cell.spread is not None for line in self.trained for cell in line.cells)

    def column(self, number: int) -> int:
        """Return the place of a column; beyond the last one, the last."""
        return min(number, len(self.columns) - 1)


def best_at(lines: Sequence[ReportedLine], column: int) -> ReportedLine:
    """Return the row with the smallest printed error in a column, the first of equal ones."""
    return min(lines, key=lambda line: line.cells[column].number)


def all_best_at(lines: Sequence[ReportedLine], column: int) -> list[ReportedLine]:
    """Return all rows with the smallest printed error in a column."""
    least = best_at(lines, column).cells[column].number
    return [line for line in lines if line.cells[column].number == least]


def table_csv(number: int) -> str:
    """Return the file of a table as it is kept.

    Its first lines begin with ``#`` and say what it is, ``# key: value``; a header of columns and
    one row for each printed error follow, the errors of a model one after the other.
    """
    return (_FOLDER / f"table_{number:02d}.csv").read_text(encoding="utf-8")


def _table(number: int) -> ReportedTable:
    text = table_csv(number)
    said = said_above(text)
    remarks = [line for line in comments_in(text) if line.startswith(_REMARK)]
    cells: dict[tuple[str, float | None], list[Cell]] = {}
    for row in rows_in(text):
        at, spread = float(row[said["varied"]]), row["spread"] or None
        cell = Cell(at=at, mean=row["mean"], spread=spread, bold=row["bold"] == "1")
        cells.setdefault((row["model"], _optional(row, "rate")), []).append(cell)
    words = ("source", "data_set", "varied", "mechanism")
    return ReportedTable(
        **{name: said[name] for name in words},
        number=int(said["table"]),
        relation=said.get("relation"),
        relation_width=int(said["relation_width"]) if "relation_width" in said else None,
        max_change=_optional(said, "max_change"),
        epsilon=_optional(said, "epsilon"),
        delta=float(said["delta"]),
        remarks=tuple(line.removeprefix(_REMARK) for line in remarks),
        lines=tuple(
            ReportedLine(model=model, rate=rate, cells=tuple(found))
            for (model, rate), found in cells.items()
        ),
    )


def _optional(said: Mapping[str, str], key: str) -> float | None:
    return float(said[key]) if key in said else None


TABLES: dict[str, ReportedTable] = {str(number): _table(number) for number in range(1, 14)}


@dataclass(frozen=True, kw_only=True)
class UnreadFigure:
    """A figure whose numbers are in its picture, and nowhere in the paper's text."""

    number: int
    varied: str
    values: tuple[int, ...]
    section: str = "Appendix C.2.4"

    @property
    def name(self) -> str:
        """What links call it."""
        return f"figure-{self.number}"

    @property
    def scenario(self) -> Scenario:
        """The data set and the sampling that it starts from."""
        return PRESETS["traffic"].scenario


FIGURES_WITHOUT_NUMBERS: dict[str, UnreadFigure] = {
    figure.name: figure
    for figure in (
        UnreadFigure(number=11, varied="batch_size", values=(16, 32, 64, 128)),
        UnreadFigure(number=12, varied="num_subsequences", values=(1, 2, 4, 8, 16)),
    )
}
WINDOWS = ("stated", "lags")
# Appendix B.4.2: the largest lag that DeepAR reads, in time steps.
LARGEST_LAGS = {"traffic": 169, "electricity": 25, "solar_10_minutes": 169}


@dataclass(frozen=True, kw_only=True)
class SetUp:
    """What was trained behind a column, and the budget that it had.

    Args:
        scenario: data set, sampling, noise, who is protected, and the largest number of epochs
            (App. B). Its series are whole, of which the paper trained on a part.
        target_epsilon: the budget at which training stopped, if it lasted so long.
    """

    scenario: Scenario
    target_epsilon: float


def setup_of(table: ReportedTable, column: int, windows: str = "stated") -> SetUp | None:
    """Return the set-up of a column, or ``None`` where training was not private.

    Args:
        windows: ``stated``: the context that the paper states; ``lags``: with DeepAR's largest
            lag added to it. The paper says that its lags count as context, but not how.
    """
    at = table.columns[column]
    epsilon = at if table.epsilon is None else table.epsilon
    if table.mechanism != "training" or not isfinite(epsilon):
        return None
    scenario = PRESETS[table.data_set].scenario
    if windows == "lags":
        shape = scenario.given_shape
        context = shape.context_length + LARGEST_LAGS[table.data_set]
        scenario = replace(scenario, data=replace(shape, context_length=context))
    assert table.relation is not None  # said of all training
    relation = Relation(
        level=table.relation,
        width=int(at) if table.relation_width is None else table.relation_width,
        max_change=table.max_change,
    )
    noise = scenario.noise
    if table.varied == "forecast_noise":
        noise = replace(noise, forecast_noise=at)
    return SetUp(
        scenario=replace(scenario, relation=relation, noise=noise, delta=table.delta),
        target_epsilon=epsilon,
    )
