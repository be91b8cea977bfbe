"""Training runs on the same data that are kept together, and their forms in a link and as JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl

from dpviz.scenario.errors import ScenarioError, checked_text
from dpviz.scenario.fields import (
    from_fields,
    json_value,
    to_fields,
    without_repeats,
)
from dpviz.scenario.link import as_parameter, fields_from_query
from dpviz.scenario.scenario import Scenario

MOST_RUNS = 10
LONGEST_NAME = 40
_PREFIX = "run_"
LEDGER_PARAMETERS = tuple(f"{_PREFIX}{place}" for place in range(1, MOST_RUNS + 1))
MOST_RUNS_IN_A_FILE = 100
LONGEST_LEDGER = 1_000_000
_FORM = 'it must be a JSON object such as {"runs": [{"name": "first", "scenario": {...}}]}'
SAME_DATA = "all runs of a ledger must be on the same data and protect the same individual"


@dataclass(frozen=True, kw_only=True)
class NamedRun:
    """One training run of a ledger.

    Args:
        name: what it is called, 1 to 40 printable characters.
        scenario: its set-up; its delta is of no effect.

    Raises:
        ScenarioError: the name is none.
    """

    name: str
    scenario: Scenario

    def __post_init__(self) -> None:
        checked_text("run_name", self.name, LONGEST_NAME)


def with_run(runs: Sequence[NamedRun], new: NamedRun) -> tuple[NamedRun, ...]:
    """Return the runs with one more at the end.

    Raises:
        ScenarioError: there are too many, another one has its name, or it does not belong to the
            others.
    """
    if len(runs) >= MOST_RUNS:
        raise ScenarioError(
            "ledger", None, f"it holds at most {MOST_RUNS} runs: remove one, or compose the rest "
            "with `python -m dpviz ledger`"
        )  # fmt: skip
    together = (*runs, new)
    check_together(together)
    return together


def check_together(runs: Sequence[NamedRun]) -> None:
    """Check that runs have names of their own, the same data and the same individual.

    Windows, sampling, noise and length may differ: each run's bound holds for the same two data
    sets all the same. So may the lengths of the series: where each is cut to a part of it, no more
    values differ. Nothing is known of the data of rates that were given without a shape.

    Raises:
        ScenarioError: names the field that differs, and the two runs.
    """
    names: set[str] = set()
    for run in runs:
        if run.name in names:
            raise ScenarioError("run_name", run.name, "another run of the ledger has this name")
        names.add(run.name)
    firsts: dict[str, tuple[str, object]] = {}
    for run in runs:
        for field, here in _common_fields(run.scenario).items():
            first, there = firsts.setdefault(field, (run.name, here))
            if there != here:
                its = "none" if here is None else "it"
                other = "none" if there is None else there
                raise ScenarioError(
                    field,
                    here,
                    f"run {run.name!r} has {its} and run {first!r} has {other}, but {SAME_DATA}; "
                    "give both the same, or keep a ledger for each",
                )


def _common_fields(scenario: Scenario) -> dict[str, object]:
    """Return what has to be the same in all runs that have it, by the names of the fields.

    How far values change, and in how many channels, is of no effect without noise on windows.
    """
    shape, relation, units = scenario.known_shape, scenario.relation, scenario.units
    common: dict[str, object] = {
        "num_series": None if shape is None else shape.num_series,
        "relation": relation.level,
        "relation_width": relation.width,
        "series_per_person": relation.series_per_person,
    }
    if units.time_step is not None:
        common["time_step"] = units.time_step.duration(1)  # 24 hours are a day
    if scenario.noise.is_on_windows:
        common |= {"max_change": relation.max_change, "num_channels": relation.num_channels}
        if units.value_unit is not None:
            common["value_unit"] = units.value_unit
    return common


def ledger_to_query(runs: Sequence[NamedRun]) -> dict[str, str]:
    """Return the parameters of a link that reopen the runs."""
    return {
        parameter: as_parameter(run.scenario, name=run.name)
        for parameter, run in zip(LEDGER_PARAMETERS, runs, strict=False)
    }


def ledger_from_query(query: Mapping[str, str]) -> tuple[NamedRun, ...]:
    """Return a link's runs; whether they belong together is for :func:`check_together` to say.

    Raises:
        ScenarioError: a place holds no run.
    """
    texts = [query.get(parameter, "") for parameter in LEDGER_PARAMETERS]
    return tuple(_run(text) for text in texts if text)


def checked_run(field: str, value: object) -> str:
    """Return a run as a link has it, or raise :class:`ScenarioError`; an empty place is one."""
    if not isinstance(value, str):
        raise ScenarioError(field, value, "it must be a run of a ledger as links have it")
    if value:
        try:
            _run(value)
        except ScenarioError as problem:
            told = f"it must be a run of a ledger, but {problem}".rstrip(".")
            raise ScenarioError(field, value, told) from None
    return value


# Every change of a view looks at all of its places again.
@lru_cache(maxsize=128)
def _run(text: str) -> NamedRun:
    given = without_repeats(parse_qsl(text, keep_blank_values=True))
    name = given.pop("name", "")
    return NamedRun(name=name, scenario=from_fields(fields_from_query(given)))


def ledger_to_json(runs: Sequence[NamedRun]) -> str:
    """Return the JSON of a ledger, that :func:`ledger_from_json` reads."""
    told = [{"name": run.name, "scenario": to_fields(run.scenario)} for run in runs]
    return json.dumps({"runs": told}, indent=2, allow_nan=False) + "\n"


def ledger_from_json(text: str | bytes, *, most: int = MOST_RUNS_IN_A_FILE) -> tuple[NamedRun, ...]:
    """Read a ledger's runs; whatever else an answer has beside them is left out.

    Raises:
        ScenarioError: the text is no ledger, a run is not allowed, or the runs do not belong
            together.
    """
    if len(text) > LONGEST_LEDGER:
        raise ScenarioError("ledger", None, f"it may have at most {LONGEST_LEDGER:,} bytes")
    try:
        found = json_value(text)
    except ScenarioError:
        raise
    except (ValueError, RecursionError):
        raise ScenarioError("ledger", None, _FORM) from None
    runs = found.get("runs") if isinstance(found, dict) else None
    if not isinstance(runs, list) or not runs:
        raise ScenarioError("ledger", None, _FORM)
    if len(runs) > most:
        raise ScenarioError("ledger", None, f"it has {len(runs):,} runs: at most {most} are read")
    read = tuple(_run_in_json(entry, number) for number, entry in enumerate(runs, start=1))
    check_together(read)
    return read


def _run_in_json(entry: object, number: int) -> NamedRun:
    if not isinstance(entry, dict) or not isinstance(entry.get("scenario"), dict):
        raise ScenarioError("ledger", None, f"run {number} is none: {_FORM}")
    name = entry.get("name", f"run {number}")
    try:
        return NamedRun(name=name, scenario=from_fields(entry["scenario"]))
    except ScenarioError as problem:
        raise ScenarioError(
            problem.field, problem.value, f"{problem.allowed} (in run {number} of the ledger)"
        ) from None
