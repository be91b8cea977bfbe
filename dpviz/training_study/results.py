"""Results of the study as files: those that a command has written, and those that dpviz ships."""

import gzip
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from scipy.special import stdtrit

import dpviz
from dpviz.accounting import Bracket
from dpviz.files.commented_csv import commented_csv, rows_in
from dpviz.guarantees import Bound, guarantee_for
from dpviz.planning.budget_tracker import Spent
from dpviz.scenario import Scenario
from dpviz.training_study import questions as plan

ROWS_FILE, ABOUT_FILE, JOURNAL_FILE = "rows.csv.gz", "about.json", "runs.journal"
DRAWING_FILE = "drawing.csv"
SHIPPED = Path(__file__).parent / "results"
NETWORKS = SHIPPED / "networks"
"""Runs of models that need PyTorch, which were made later."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one run came to.

    Args:
        epsilon: the budget that noise was fitted to; infinite without privacy.
        crps: error of the forecasts of the last values of each series, as a mean weighted quantile
            loss; smaller is better, no unit.
        baseline_crps: that of the seasonal naive forecast.
        untrained_crps: that of the same model before its first step.
        spent: proven epsilon after all steps; ``None`` without privacy.
        noise_multiplier: sigma, noise on the sum of gradients in units of the clipping norm;
            ``None`` without privacy.
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
    spent: Spent | None
    noise_multiplier: float | None
    steps: int
    seconds: float

    @property
    def epsilon_spent(self) -> float | None:
        """Upper bound on epsilon; ``None`` without privacy."""
        return None if self.spent is None else self.spent.epsilon

    @property
    def delta(self) -> float | None:
        """Where it is quoted."""
        return None if self.spent is None else self.spent.delta

    @property
    def theorem(self) -> str:
        """By which it is proven; empty without privacy."""
        return "" if self.spent is None else self.spent.bound.theorem


COLUMNS = (
    "question", "data", "model", "setting", "value", "epsilon", "seed", "crps", "baseline_crps",
    "untrained_crps", "epsilon_spent", "delta", "theorem", "noise_multiplier", "steps", "seconds",
)  # fmt: skip


def row_from(cells: dict[str, Any]) -> Row:
    """Return a row from texts, or from what :func:`row_fields` returned.

    Raises:
        ValueError: it is not as it was written, or proven by another theorem than today.

    >>> row_from({**dict.fromkeys(COLUMNS, "1"), "epsilon_spent": "", "epsilon": "inf"}).epsilon
    inf
    """
    told = (one for one in fields(Row) if one.name != "spent")
    row = Row(**{one.name: _typed(one.type, cells[one.name]) for one in told}, spent=None)
    if cells["epsilon_spent"] in ("", None):
        return row
    row = with_epsilon(row, float(cells["epsilon_spent"]), float(cells["delta"]))
    if row.theorem != cells["theorem"]:
        raise ValueError(f"theorem = {cells['theorem']!r}: today it is {row.theorem!r}")
    return row


def with_epsilon(row: Row, epsilon: float, delta: float) -> Row:
    """Return a private row with an epsilon that was computed of it: its bracket's upper end."""
    assert row.noise_multiplier is not None  # it is private
    bound = _bound(row.question, row.data, row.value, row.noise_multiplier, row.steps)
    bracket = Bracket(low=0.0, high=epsilon)
    return replace(row, spent=Spent(bound=bound, bracket=bracket, steps=row.steps, delta=delta))


@cache
def _bound(question: str, data: str, value: float, noise: float, steps: int) -> Bound:
    number, shortest = plan.SERIES[data]
    lengths = (shortest - plan.FORECAST_LENGTH,) * number
    scenario = plan.drawn_for(question, data, value, lengths=lengths, steps=steps)
    noised = replace(scenario, noise=replace(scenario.noise, noise_multiplier=noise))
    return guarantee_for(noised).upper


def row_fields(row: Row) -> dict[str, Any]:
    """Return a row as data for JSON, which has no infinity: that is the text ``inf``."""
    cells = {name: getattr(row, name) for name in COLUMNS}
    return {name: "inf" if cell == float("inf") else cell for name, cell in cells.items()}


def _typed(kind: Any, cell: Any) -> Any:
    if kind == float | None:
        return None if cell in ("", None) else float(cell)
    return kind(cell)


@dataclass(frozen=True, kw_only=True)
class Results:
    """Rows, and what made them: plan, versions, date, seeds and seconds of each folder."""

    rows: tuple[Row, ...]
    about: tuple[dict[str, Any], ...]

    @property
    def made(self) -> list[str]:
        """When, by what and with which seeds runs were made, of each folder."""
        return [
            f"made on {one['date']} by "
            f"{', '.join(f'{name} {version}' for name, version in one['versions'].items())}: "
            f"{one['runs']:,} runs ({', '.join(one['models'])}) with the seeds "
            f"{one['seeds'][0]} to {one['seeds'][-1]}, plan {one['plan']}"
            for one in self.about
        ]


def about_rows(rows: Sequence[Row], date: str) -> dict[str, Any]:
    """Return what made at least one row, finished on a date (YYYY-MM-DD)."""

    def told(name: str) -> list[Any]:
        return list(dict.fromkeys(getattr(row, name) for row in rows))

    return {
        "plan": plan.PLAN,
        "date": date,
        "versions": {
            "dpviz": dpviz.__version__,
            "numpy": np.__version__,
            "scipy": version("scipy"),
            "python": platform.python_version(),
        },
        "questions": told("question"),
        "data": told("data"),
        "models": told("model"),
        "seeds": sorted(told("seed")),
        "runs": len(rows),
        "seconds_of_all_runs": round(sum(row.seconds for row in rows), 1),
    }


def packed(rows: Iterable[Row]) -> bytes:
    """Return rows as compressed CSV with all digits: equal rows give equal bytes."""
    cells = (row_fields(row).values() for row in rows)
    return gzip.compress(commented_csv((), COLUMNS, cells).encode(), mtime=0)


def read_results(folder: Path) -> Results:
    """Return the results in a folder.

    Raises:
        OSError: a file cannot be read.
        ValueError: it is not as it was written.
        KeyError: a column is missing.
    """
    rows = rows_in(gzip.decompress((folder / ROWS_FILE).read_bytes()).decode())
    about = json.loads((folder / ABOUT_FILE).read_text(encoding="utf-8"))
    return Results(rows=tuple(map(row_from, rows)), about=(about,))


@lru_cache(maxsize=1)
def shipped_results() -> Results:
    """Return the results that come with dpviz."""
    found = read_results(SHIPPED), read_results(NETWORKS)
    return Results(
        rows=tuple(row for one in found for row in one.rows),
        about=tuple(about for one in found for about in one.about),
    )


class Drawing(NamedTuple):
    """How runs drew their batches, and on what budget.

    Attributes:
        data: ``generated`` as in the study, or ``hourly``: 321 made-up series of a year of hours.
    """

    data: str
    batch_size: int
    num_subsequences: int
    top_level: str
    epsilon: float


DRAWING_COLUMNS = (
    *Drawing._fields, "seed", "crps", "baseline_crps", "epsilon_spent", "theorem",
    "noise_multiplier",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class DrawingCell:
    """Runs that drew their batches alike, over seeds.

    Args:
        difference: of the mean CRPS from the seasonal naive forecast's, as a part of it.
        half_width: of the 95 % interval of that, by Student's t.
    """

    difference: float
    half_width: float
    epsilon_spent: float | None
    theorem: str


@lru_cache(maxsize=1)
def _drawn() -> dict[Drawing, DrawingCell]:
    runs: dict[Drawing, list[dict[str, str]]] = {}
    for row in rows_in((SHIPPED / DRAWING_FILE).read_text(encoding="utf-8")):
        kinds = get_type_hints(Drawing).items()
        drawing = Drawing(**{name: kind(row[name]) for name, kind in kinds})
        runs.setdefault(drawing, []).append(row)
    return {drawing: _drawing_cell(rows) for drawing, rows in runs.items()}


def shipped_drawing(varied: str) -> dict[Drawing, DrawingCell]:
    """Return our runs in the place of a figure.

    Args:
        varied: what it varies: ``batch_size``, Figure 11, or ``num_subsequences``, Figure 12.
    """
    by_size = varied == "batch_size"
    alike = (
        {"data": "generated", "num_subsequences": 1} if by_size else {"batch_size": plan.BATCH_SIZE}
    )
    return {
        drawing: cell
        for drawing, cell in _drawn().items()
        if alike.items() <= drawing._asdict().items()
    }


def _drawing_cell(rows: list[dict[str, str]]) -> DrawingCell:
    errors = np.array([float(row["crps"]) / float(row["baseline_crps"]) for row in rows])
    reach = float(stdtrit(len(rows) - 1, 0.975) * errors.std(ddof=1) / np.sqrt(len(rows)))
    spent = [float(row["epsilon_spent"]) for row in rows if row["epsilon_spent"]]
    return DrawingCell(
        difference=float(errors.mean()) - 1.0,
        half_width=reach,
        epsilon_spent=max(spent, default=None),
        theorem=rows[0]["theorem"],
    )


# A training is like the study's where windows and steps are within this factor of theirs.
_FACTOR = 2.0
# Runs count whose noise per gradient is within this factor: the study's lie 1.2 to 1.9 apart.
_NOISE_FACTOR = 1.5


@dataclass(frozen=True, kw_only=True)
class StudiedCost:
    """By how much noise raised the error of forecasts, against the same run without privacy.

    Args:
        low: smallest share of all private runs, such as 0.05; may be below 0.
        noise: smallest and largest sigma / Lambda among them.
        data: on how many sets of series.
    """

    low: float
    high: float
    runs: int
    noise: tuple[float, float]
    data: int


def is_like_the_study(scenario: Scenario) -> bool:
    """Return whether windows, steps and noise are of the kind that the study has trained.

    >>> from dpviz.scenario import PRESETS
    >>> is_like_the_study(PRESETS["traffic"].scenario)
    False
    """
    shape, noise = scenario.shape, scenario.noise
    return (
        shape is not None
        and noise.context_noise == noise.forecast_noise == 0.0
        and _is_near(shape.context_length, plan.CONTEXT_LENGTH)
        and _is_near(shape.forecast_length, plan.FORECAST_LENGTH)
        and _is_near(scenario.num_steps, plan.STEPS)
    )


def studied_cost(scenario: Scenario) -> StudiedCost | None:
    """Return what about as much noise cost in the study; ``None`` where no run of it is like this.

    Runs are compared by the noise on the averaged gradient, sigma / Lambda.
    """
    if not is_like_the_study(scenario):
        return None
    noise = scenario.noise.noise_multiplier / scenario.sampling.batch_size
    near = [one for one in _costs() if _is_near(one[0], noise, _NOISE_FACTOR)]
    if not near:
        return None
    noises, shares, data = zip(*near, strict=True)
    return StudiedCost(
        low=min(shares),
        high=max(shares),
        runs=len(near),
        noise=(min(noises), max(noises)),
        data=len({*data}),
    )


def _is_near(number: float, usual: float, factor: float = _FACTOR) -> bool:
    return usual / factor <= number <= usual * factor


@cache
def _costs() -> tuple[tuple[float, float, str], ...]:
    """Return sigma / Lambda, by what share CRPS is larger, and the data, of each private run."""
    rows = [row for row in shipped_results().rows if row.question == "budget"]
    without = {_pair(row): row.crps for row in rows if row.value == plan.WITHOUT_PRIVACY}
    return tuple(
        (row.noise_multiplier / plan.BATCH_SIZE, row.crps / without[_pair(row)] - 1.0, row.data)
        for row in rows
        if row.noise_multiplier is not None and _pair(row) in without
    )


def _pair(row: Row) -> tuple[str, str, int]:
    return row.data, row.model, row.seed
