"""A scenario from a file: one that a page saved, or this program's own answer."""

from json import JSONDecodeError
from typing import Any

from dpviz.command_line.given_file import whole_bytes
from dpviz.command_line.parser import UsageError, shown_path
from dpviz.scenario import Scenario, ScenarioError, from_fields
from dpviz.scenario.json_text import json_value

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
    text = _text(path)
    path = shown_path(path)
    fields = _object(path, text)
    if isinstance(fields.get("scenario"), dict) and "schema" not in fields:
        fields = fields["scenario"]
    try:
        return from_fields(fields)
    except ScenarioError as problem:
        raise UsageError(f"--scenario {path}: {problem}".rstrip(".")) from None


def _text(path: str) -> str:
    content = whole_bytes(path, LONGEST_FILE, option="--scenario")
    try:
        # Some editors begin a file in UTF-8 with a mark that is no part of the JSON.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(
            f"--scenario {shown_path(path)!r} cannot be read: it is not text in UTF-8"
        ) from None


def _object(path: str, text: str) -> dict[str, Any]:
    try:
        fields = json_value(text)
    except ScenarioError as problem:  # a name that occurs twice
        raise UsageError(f"--scenario {path}: {problem}".rstrip(".")) from None
    except JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UsageError(
            f"--scenario {path} is not JSON ({error.msg} at {place}): {_OBJECT}"
        ) from None
    except RecursionError:
        raise UsageError(f"--scenario {path} is nested too deeply: {_OBJECT}") from None
    if not isinstance(fields, dict):
        raise UsageError(f"--scenario {path} is not allowed: {_OBJECT}")
    return fields
