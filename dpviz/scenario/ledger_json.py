"""A ledger's runs as JSON."""

import json
from collections.abc import Sequence

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.fields import from_fields, to_fields
from dpviz.scenario.json_text import json_value
from dpviz.scenario.ledger import NamedRun, check_together

MOST_RUNS_IN_A_FILE = 100
LONGEST_LEDGER = 1_000_000
_FORM = 'it must be a JSON object such as {"runs": [{"name": "first", "scenario": {...}}]}'


def ledger_to_json(runs: Sequence[NamedRun]) -> str:
    """Return the JSON of a ledger, that :func:`ledger_from_json` reads."""
    told = [{"name": run.name, "scenario": to_fields(run.scenario)} for run in runs]
    return json.dumps({"runs": told}, indent=2, allow_nan=False) + "\n"


def ledger_from_json(text: str | bytes, *, most: int = MOST_RUNS_IN_A_FILE) -> tuple[NamedRun, ...]:
    """Read a ledger's runs; whatever else an answer has beside them is left out.

    Args:
        text: the JSON.
        most: how many runs it may have.

    Raises:
        ScenarioError: the text is no ledger, a run is not allowed, or the runs do not belong
            together.

    >>> from dpviz.scenario.presets import PRESETS
    >>> runs = (NamedRun(name="first", scenario=PRESETS["toy"].scenario),)
    >>> ledger_from_json(ledger_to_json(runs)) == runs
    True
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
    read = tuple(_run(entry, number) for number, entry in enumerate(runs, start=1))
    check_together(read)
    return read


def _run(entry: object, number: int) -> NamedRun:
    if not isinstance(entry, dict) or not isinstance(entry.get("scenario"), dict):
        raise ScenarioError("ledger", None, f"run {number} is none: {_FORM}")
    name = entry.get("name", f"run {number}")
    try:
        return NamedRun(name=name, scenario=from_fields(entry["scenario"]))
    except ScenarioError as problem:
        raise ScenarioError(
            problem.field, problem.value, f"{problem.allowed} (in run {number} of the ledger)"
        ) from None
