"""A scenario as JSON. Numbers are written with as many digits as it takes to read them back."""

import json
from dataclasses import dataclass
from typing import Any

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.fields import from_fields, to_fields, without_repeats
from dpviz.scenario.number_text import real_number
from dpviz.scenario.scenario import Scenario

LONGEST_DOCUMENT = 20_000
_MOST_DIGITS = 1000


def to_json(scenario: Scenario, *, indent: int | None = None) -> str:
    """Return the canonical JSON of a scenario (the cache key when ``indent`` is ``None``).

    >>> from dpviz.scenario.presets import PRESETS
    >>> scenario = PRESETS["toy"].scenario
    >>> from_json(to_json(scenario)) == scenario
    True
    """
    return json.dumps(to_fields(scenario), indent=indent, allow_nan=False)


def from_json(text: str | bytes) -> Scenario:
    """Read a scenario from JSON.

    Raises:
        ScenarioError: the text is no JSON object, or a field is unknown, missing or invalid.
    """
    allowed = "it must be a JSON object of scenario fields"
    if len(text) > LONGEST_DOCUMENT:
        length = (
            f"JSON text of {len(text):,} {'bytes' if isinstance(text, bytes) else 'characters'}"
        )
        raise ScenarioError("scenario", length, f"it may have at most {LONGEST_DOCUMENT:,}")
    try:
        fields = json_value(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ScenarioError):
            raise
        shown = text.decode(errors="replace") if isinstance(text, bytes) else text
        raise ScenarioError("scenario", shown, f"{allowed} ({error})") from None
    if not isinstance(fields, dict):
        raise ScenarioError("scenario", fields, allowed)
    return from_fields(fields)


@dataclass(frozen=True, repr=False)
class UnreadableNumber:
    """A number in JSON that no double or whole number holds; every field refuses it."""

    text: str

    def __repr__(self) -> str:
        return self.text


def json_value(text: str | bytes) -> Any:
    """Return what JSON text holds.

    Raises:
        ScenarioError: a name occurs twice in an object.
        ValueError: the text is no JSON, or not in UTF-8, UTF-16 or UTF-32.
        RecursionError: it is nested too deeply.

    >>> json_value('{"context_noise": 1e-400}')
    {'context_noise': 1e-400}
    """
    return json.loads(text, object_pairs_hook=without_repeats, parse_float=_real, parse_int=_whole)


def _real(text: str) -> float | UnreadableNumber:
    try:
        return real_number(text)
    except ValueError:  # such as 1e-400, which Python would make no noise at all
        return UnreadableNumber(text)


def _whole(text: str) -> int | UnreadableNumber:
    return int(text) if len(text) <= _MOST_DIGITS else UnreadableNumber(text)
