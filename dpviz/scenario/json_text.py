"""Values of JSON text, with nothing changed or dropped on the way."""

import json
from dataclasses import dataclass
from typing import Any

from dpviz.scenario.fields import without_repeats
from dpviz.scenario.number_text import real_number

_MOST_DIGITS = 1000


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
