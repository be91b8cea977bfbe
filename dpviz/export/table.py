"""The one table of an answer: its numbers, and what every column of them means."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

import dpviz
from dpviz.accounting import Bracket
from dpviz.guarantees import Bound
from dpviz.planning import ProvenCurve
from dpviz.planning.over_steps import DeltaSide
from dpviz.scenario import Scenario, to_json
from dpviz.wording.numbers import counted
from dpviz.wording.scope import conditions, protected_in, relation_name, run_length, scheme_name

Row = Mapping[str, object]
BOUND_MEANING = "direction, theorem, unit and count of that bound"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
# What ends a cell in one country or another, and what names a program in a formula.
_ENDS = str.maketrans({character: f"\\u{ord(character):04x}" for character in ",;|"})


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Numbers with what they mean.

    Args:
        about: what has to be known of all of it: who is protected, on what condition.
        meanings: of the columns, by their names; several names with one meaning have commas
            between them. None where ``about`` says what all columns are.
        source: what it was computed from.
        answers: places of the rows that come nearest to what the page says in its headline.
        float_format: of numbers whose last digits mean nothing; all digits by default.

    Raises:
        ValueError: a column has no meaning, and others have.
    """

    title: str
    cells: pd.DataFrame
    about: Sequence[str] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    source: Sequence[str] = ()
    answers: Sequence[int] = ()
    float_format: str | None = None

    def __post_init__(self) -> None:
        """Make sure that no number goes out without its meaning."""
        if not self.meanings:
            return
        told = {name.strip() for names in self.meanings for name in names.split(",")}
        if lacking := [name for name in self.cells.columns if name not in told]:
            raise ValueError(f"these columns have no meaning: {', '.join(lacking)}")

    @property
    def comments(self) -> list[str]:
        """Return everything but the numbers, as lines."""
        columns = [f"{name}: {meaning}" for name, meaning in self.meanings.items()]
        return [f"dpviz {dpviz.__version__}: {self.title}", *self.about, *columns, *self.source]

    def csv(self) -> str:
        """Return the table as CSV text; lines that begin with # describe it.

        ``pandas.read_csv(path, comment="#")`` reads it.
        """
        about = "".join(f"# {line}\n" for line in self.comments)
        return about if self.cells.columns.empty else about + csv_of(self.cells, self.float_format)

    def as_written(self) -> pd.DataFrame:
        """Return the cells as the texts that the file has of them."""
        if self.cells.columns.empty:
            return self.cells
        text = io.StringIO(csv_of(self.cells, self.float_format))
        return pd.read_csv(text, dtype=str, keep_default_na=False)


def csv_of(cells: pd.DataFrame, float_format: str | None = None) -> str:
    """Return cells as CSV text, whose numbers have all their digits if no format is given."""
    # A text with # would end there for who reads the lines above the table as comments.
    has_marks = any(
        cells[name].astype(str).str.contains("#", regex=False).any()
        for name in cells.select_dtypes(exclude="number")
    )
    # lineterminator: the same bytes on every system; repr digits: floats read back exactly.
    text: str = cells.to_csv(
        index=False,
        lineterminator="\n",
        float_format=float_format,
        quoting=csv.QUOTE_NONNUMERIC if has_marks else csv.QUOTE_MINIMAL,
    )
    return text


def without_cells(reason: str, *about: str) -> Table:
    r"""Return what stands in a table's place where there are no numbers.

    >>> without_cells("No file is open.").csv().partition(": ")[2]
    'No file is open.\n'
    """
    return Table(title=reason, about=about, cells=pd.DataFrame())


def cells_of(rows: Iterable[Row | Sequence[object]], names: Iterable[str]) -> pd.DataFrame:
    """Return rows as cells; what a row lacks is empty, and whole numbers beside it stay whole.

    >>> print(cells_of([{"a": 1}, {"b": 0.5}], ["a", "b"]).to_csv(index=False), end="")
    a,b
    1,
    ,0.5
    """
    return pd.DataFrame(list(rows), columns=list(names), dtype=object)


ATTACKS = "of Propositions 7, 9 and 22 that of the attack computed, above which the bound may lie"


def bracket_columns(
    quantity: str, upper: str, lower: str, named: tuple[str, str] | None = None
) -> dict[str, str]:
    """Return the columns of an upper and a lower bound, each with its numerical bracket.

    ``upper`` and ``lower`` are what these mean, ``named`` the columns of their theorems.
    """
    between = "the exact value of that bound lies between"
    high, low = f"{quantity}_upper", f"{quantity}_lower"
    of_upper, of_lower = ({}, {}) if named is None else ({name: BOUND_MEANING} for name in named)
    return {
        high: upper,
        f"{high}_bracket_low": f"{between} this and {high}",
        **of_upper,
        low: lower,
        f"{low}_bracket_high": f"{between} {low} and this; {ATTACKS}",
        **of_lower,
    }


def epsilons_of(upper: Bracket, lower: Bracket | None) -> dict[str, object]:
    """Return the cells of those columns for epsilon, without those of theorems."""
    return {
        "epsilon_upper": upper.high,
        "epsilon_upper_bracket_low": upper.low,
        "epsilon_lower": known(lower, "low"),
        "epsilon_lower_bracket_high": known(lower, "high"),
    }


def deltas_of(
    upper: ProvenCurve | DeltaSide, lower: ProvenCurve | DeltaSide | None
) -> dict[str, object]:
    """Return the cells of those columns for delta; NaN where there is no lower bound."""
    return {
        "delta_upper": upper.delta_high,
        "delta_upper_bracket_low": upper.delta_low,
        "delta_lower": np.nan if lower is None else lower.delta_low,
        "delta_lower_bracket_high": np.nan if lower is None else lower.delta_high,
    }


def json_in_csv(scenario: Scenario) -> str:
    r"""Return the JSON of a scenario for a comment or a cell of a CSV file.

    What somebody typed must not begin a cell: a spreadsheet would compute what begins with an
    equals sign, and run what that names. JSON has another way to write the same character.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS, Units
    >>> cars = replace(PRESETS["toy"].scenario, units=Units(value_unit="cars,=1+1"))
    >>> json_in_csv(cars)[-26:]
    'e_unit": "cars\\u002c=1+1"}'
    """
    return _STRING.sub(lambda string: string[0].translate(_ENDS), to_json(scenario))


def plain_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet computes."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def scenario_line(scenario: Scenario) -> str:
    """Return the whole set-up, to be read by dpviz."""
    return f"scenario: {json_in_csv(scenario)}"


def whom(scenario: Scenario) -> str:
    """Return the individual whom bounds are about, and the relation."""
    return f"{protected_in(scenario)}; {relation_name(scenario.relation)}"


def training_line(scenario: Scenario) -> str:
    """Return how long is trained, and on batches of which scheme."""
    scheme = scheme_name(scenario.sampling)
    steps = counted(scenario.steps_per_epoch, "step")
    return f"training: {run_length(scenario)} with {scheme}; {steps} per epoch"


def rates_line(scenario: Scenario) -> str:
    """Return the rates of both levels, with all digits."""
    bottom, top = scenario.bottom_rate, scenario.top_rate
    return f"rates: bottom r = {bottom!r}, top rho = {top!r}, product = {bottom * top!r}"


def condition_lines(bounds: Sequence[Bound]) -> list[str]:
    """Return on what some bounds rest, as no line or one."""
    needed = conditions(bounds)
    return [f"conditions: {needed}"] if needed else []


def known(value: Any, name: str) -> Any:
    """Return an attribute of what may be missing, which then is missing, too."""
    return None if value is None else getattr(value, name)
