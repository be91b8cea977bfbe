"""A scenario as JSON. Numbers are written with as many digits as it takes to read them back."""

import json

from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.fields import from_fields, to_fields
from dpviz.scenario.json_text import json_value
from dpviz.scenario.scenario import Scenario

LONGEST_DOCUMENT = 20_000


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
