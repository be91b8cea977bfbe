"""A scenario from a file: one that a page saved, or this program's own answer."""

import json
from pathlib import Path
from typing import Any

from dpviz.command_line.parser import UsageError
from dpviz.scenario import Scenario, ScenarioError, from_fields
from dpviz.scenario.fields import without_repeats

# An answer has many numbers beside its scenario.
LONGEST_FILE = 1_000_000
_OBJECT = "it must hold a JSON object of scenario fields, or an answer of this program with one"


def saved_scenario(path: str) -> Scenario:
    """Return the scenario in a JSON file: its fields, or an object with them as ``scenario``.

    Raises:
        UsageError: the file cannot be read, or holds no valid scenario.
    """
    if not path.strip():
        raise UsageError(f"--scenario {path!r} is not allowed: it must be the path of a JSON file")
    fields = _object(path, _text(path))
    if isinstance(fields.get("scenario"), dict) and "schema" not in fields:
        fields = fields["scenario"]
    try:
        return from_fields(fields)
    except ScenarioError as problem:
        raise UsageError(f"--scenario {path}: {problem}".rstrip(".")) from None


def _text(path: str) -> str:
    try:
        # Some editors begin a file in UTF-8 with a mark that is no part of the JSON.
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise UsageError(f"--scenario {path!r} cannot be read: {reason}") from None
    if len(text) > LONGEST_FILE:
        raise UsageError(
            f"--scenario {path} is not allowed: {len(text):,} characters are more than the "
            f"{LONGEST_FILE:,} that are read"
        )
    return text


def _object(path: str, text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text, object_pairs_hook=without_repeats)
    except ScenarioError as problem:  # a name that occurs twice
        raise UsageError(f"--scenario {path}: {problem}".rstrip(".")) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UsageError(
            f"--scenario {path} is not JSON ({error.msg} at {place}): {_OBJECT}"
        ) from None
    except RecursionError:
        raise UsageError(f"--scenario {path} is nested too deeply: {_OBJECT}") from None
    except ValueError:
        raise UsageError(
            f"--scenario {path} is not allowed: it holds a whole number of thousands of digits"
        ) from None
    if not isinstance(fields, dict):
        raise UsageError(f"--scenario {path} is not allowed: {_OBJECT}")
    return fields
