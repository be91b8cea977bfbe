"""The scenarios of a sweep, from a file, and what it answers about each of them."""

import json
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np

from dpviz.accounting import Curve, composed_curve
from dpviz.accounting.composition import SMALLEST_DELTA, WindowTooLargeError
from dpviz.guarantees import guarantee_for
from dpviz.scenario import SCHEMA_VERSION, Scenario, ScenarioError, from_fields
from dpviz.scenario.fields import json_value, real_value

MOST_ROWS = 200_000
LONGEST_FILE = 50_000_000
Fields = Mapping[str, Any]
_FORM = (
    "it must hold fields of a scenario, each with a value or a list of values, or a list of "
    "scenarios as `scenarios`"
)


class GridError(ValueError):
    """A file holds no grid; the message is one sentence without a full stop."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One scenario of a sweep.

    Args:
        number: its place in the sweep, from 1.
        scenario: what they describe; ``None`` where they are not allowed.
    """

    number: int
    fields: Fields
    scenario: Scenario | None
    problem: ScenarioError | None

    @property
    def name(self) -> str:
        """What journals call it."""
        return str(self.number)


def read_grid(text: str, *, is_toml: bool = False) -> tuple[Row, ...]:
    """Return the rows of a sweep, in the file's order; of a grid the last field varies first.

    Args:
        text: an object of fields, where a list stands for several values; or an object whose
            ``scenarios`` is a list of scenarios, which have the other fields in common; or, in
            JSON, such a list alone. Series of several lengths are a list within the list.
        is_toml: whether the text is TOML; else it is JSON.

    Raises:
        GridError: the text is neither, or it describes no row, or too many.

    >>> rows = read_grid('{"steps": [10, 20], "delta": [1e-5, 2]}')
    >>> [(row.number, row.fields["steps"], row.problem.field) for row in rows]
    [(1, 10, 'num_series'), (2, 10, 'num_series'), (3, 20, 'num_series'), (4, 20, 'num_series')]
    """
    try:
        found = tomllib.loads(text, parse_float=_toml_real) if is_toml else json_value(text)
    except RecursionError:
        raise GridError(f"it is nested too deeply: {_FORM}") from None
    except ValueError as problem:  # a name that occurs twice, too
        kind = "TOML" if is_toml else "JSON"
        raise GridError(f"it is not {kind} ({str(problem).rstrip('.')}): {_FORM}") from None
    return tuple(_row(number, fields) for number, fields in enumerate(_all_fields(found), start=1))


def _toml_real(text: str) -> Any:
    return real_value(text.replace("_", ""))  # which TOML lets stand between digits


def fingerprint(rows: tuple[Row, ...], epsilons: tuple[float, ...], version: str) -> str:
    """Return what tells a sweep from all others: of other rows, questions or program versions."""
    told = json.dumps([version, epsilons, [dict(row.fields) for row in rows]], default=repr)
    return sha256(told.encode(errors="surrogatepass")).hexdigest()


def _all_fields(found: Any) -> Iterator[Fields]:
    if isinstance(found, list):
        found = {"scenarios": found}
    if not isinstance(found, dict):
        raise GridError(f"it is not allowed: {_FORM}")
    if "scenarios" not in found:
        values = [value if isinstance(value, list) else [value] for value in found.values()]
        _check_number(math.prod(map(len, values)) if values else 0)
        yield from (dict(zip(found, chosen, strict=True)) for chosen in product(*values))
        return
    scenarios = found.pop("scenarios")
    if not isinstance(scenarios, list) or not all(isinstance(one, dict) for one in scenarios):
        raise GridError(f"scenarios is not allowed: {_FORM}")
    _check_number(len(scenarios))
    yield from ({**found, **one} for one in scenarios)


def _check_number(rows: int) -> None:
    if rows == 0:
        raise GridError(f"it describes no scenario: {_FORM}")
    if rows > MOST_ROWS:
        raise GridError(f"it describes {rows:,} scenarios: at most {MOST_ROWS:,} are computed")


def _row(number: int, fields: Fields) -> Row:
    try:
        scenario = from_fields({"schema": SCHEMA_VERSION, **fields})
    except ScenarioError as problem:
        return Row(number=number, fields=fields, scenario=None, problem=problem)
    return Row(number=number, fields=fields, scenario=scenario, problem=None)


Answer = dict[str, Any]
# The few that rows in a chunk's order may still share, upper and lower ones: they are large.
_KEPT_CURVES = 8
ANSWERED, UNREACHABLE, REFUSED, FAILED = "answered", "no finite epsilon", "refused", "failed"


Chunk = Sequence[tuple[str, Scenario]]
"""Rows that are computed together, in one process: each scenario with its name."""


def answered(chunk: Chunk, epsilons: Sequence[float]) -> list[tuple[str, Answer]]:
    """Return the answer to each row of a chunk, by its name.

    An answer does not depend on the other rows: only equal work is shared.
    """
    curve = lru_cache(maxsize=_KEPT_CURVES)(composed_curve)
    return [(name, _answer(scenario, epsilons, curve)) for name, scenario in chunk]


def refusal(problem: ScenarioError) -> Answer:
    """Return the answer to a row that is not allowed, or that no bound covers."""
    return {"status": REFUSED, "error_field": problem.field, "error": str(problem)}


def _answer(scenario: Scenario, epsilons: Sequence[float], curve: Callable[..., Curve]) -> Answer:
    try:
        return _proven(scenario, epsilons, curve)
    except ScenarioError as problem:
        return refusal(problem)
    except Exception as problem:  # one row must not cost the others
        kind = "" if isinstance(problem, WindowTooLargeError) else f"{type(problem).__name__}: "
        return {"status": FAILED, "error_field": None, "error": f"{kind}{problem}"}


def _proven(scenario: Scenario, epsilons: Sequence[float], curve: Callable[..., Curve]) -> Answer:
    delta = scenario.delta
    guarantee = guarantee_for(scenario)
    upper, lower = curve(guarantee.upper, at_delta=delta), None
    if guarantee.lower is not None:
        # On the first grid, which no larger delta changes: half the work, and as sound.
        on_first_grid = min(delta, SMALLEST_DELTA)
        lower = curve(guarantee.lower, at_delta=on_first_grid, only_quoted=True)
    epsilon = upper.quoted_epsilon_at(delta)
    asked = np.asarray(epsilons, dtype=np.float64)
    at_most = upper.quoted_delta_at(asked).tolist()
    at_least = [None] * len(asked) if lower is None else lower.quoted_delta_at(asked).tolist()
    return {
        "status": UNREACHABLE if epsilon is None else ANSWERED,
        "epsilon_upper": epsilon,
        "epsilon_lower": None if lower is None else lower.quoted_epsilon_at(delta),
        "upper_theorem": upper.bound.theorem,
        "upper_kind": upper.bound.kind_after_composition.value,
        "upper_condition": upper.bound.condition or None,
        "upper_extension": upper.bound.extension or None,
        "lower_theorem": None if lower is None else lower.bound.theorem,
        "unit": upper.bound.unit.value,
        "count": upper.bound.count,
        "delta_upper": at_most,
        "delta_lower": at_least,
    }
