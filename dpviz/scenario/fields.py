"""A scenario as flat, named fields: the one form behind JSON, which is here, links and options.

Reading is strict: an unknown, missing or invalid field raises a
:class:`~dpviz.scenario.errors.ScenarioError` that names it.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from dpviz.scenario.data import DataShape, Rates
from dpviz.scenario.errors import MISSING, ScenarioError
from dpviz.scenario.mechanism import Noise, Sampling, Training
from dpviz.scenario.number_text import real_number
from dpviz.scenario.relation import Relation, TimeStep, Units
from dpviz.scenario.scenario import Scenario

SCHEMA_VERSION = 1
Field = int | float | str | list[int]

INTEGER_FIELDS = (
    "schema", "num_series", "context_length", "forecast_length", "longer_series_beyond",
    "steps_per_epoch", "touched_windows", "start_positions", "batch_size", "num_subsequences",
    "relation_width", "num_channels", "series_per_person", "steps", "epochs",
)  # fmt: skip
REAL_FIELDS = (
    "bottom_rate", "top_rate", "forecast_share", "noise_multiplier", "context_noise",
    "forecast_noise", "max_change", "delta",
)  # fmt: skip
SHAPE_FIELDS = ("num_series", "series_length", "context_length", "forecast_length")
RATE_FIELDS = ("bottom_rate", "top_rate")
OF_RATES_FIELDS = ("steps_per_epoch", "forecast_share", "touched_windows", "start_positions")
_OF_SAMPLING = ("top_level", "bottom_level", "batch_size", "num_subsequences")
_OF_NOISE = ("noise_multiplier", "context_noise", "forecast_noise")
TEXT_FIELDS = ("top_level", "bottom_level", "relation", "time_step", "value_unit")
FIELD_NAMES = frozenset((*INTEGER_FIELDS, *REAL_FIELDS, *TEXT_FIELDS, "series_length"))

# What schema 1 means when a field is absent. These never change with the program's own
# defaults: an old link must keep its meaning.
SCHEMA_1_DEFAULTS: dict[str, Field] = {
    "top_level": "without-replacement",
    "bottom_level": "with-replacement",
    "num_subsequences": 1,
    "context_noise": 0.0,
    "forecast_noise": 0.0,
    "relation": "event",
    "relation_width": 1,
    "num_channels": 1,
    "series_per_person": 1,
    "delta": 1e-7,
}
# These mean something, or "unknown", when they are absent; all others are needed.
OPTIONAL_FIELDS = frozenset(SCHEMA_1_DEFAULTS) | {
    "longer_series_beyond", "forecast_share", "touched_windows", "start_positions", "max_change",
    "time_step", "value_unit",
}  # fmt: skip


def to_fields(scenario: Scenario) -> dict[str, Field]:
    """Return every field of a scenario under its public name; unknown ones are left out."""
    data, relation, shape = scenario.data, scenario.relation, scenario.known_shape
    fields: dict[str, Field | None] = {"schema": SCHEMA_VERSION}
    if shape is not None:
        fields |= {
            "num_series": shape.num_series,
            "series_length": list(shape.series_lengths),
            "context_length": shape.context_length,
            "forecast_length": shape.forecast_length,
            "longer_series_beyond": shape.longer_series_beyond,
        }
    if isinstance(data, Rates):
        fields |= {name: getattr(data, name) for name in (*RATE_FIELDS, *OF_RATES_FIELDS)}
    fields |= {name: getattr(scenario.sampling, name) for name in _OF_SAMPLING}
    fields |= {name: getattr(scenario.noise, name) for name in _OF_NOISE}
    fields |= {
        "relation": relation.level,
        "relation_width": relation.width,
        "max_change": relation.max_change,
        "num_channels": relation.num_channels,
        # Left out where it is 1: what was written before it was known stays as it was.
        "series_per_person": None
        if relation.series_per_person == 1
        else relation.series_per_person,
        scenario.training.unit: scenario.training.count,
        "delta": scenario.delta,
        "time_step": None if scenario.units.time_step is None else str(scenario.units.time_step),
        "value_unit": scenario.units.value_unit,
    }
    return {name: value for name, value in fields.items() if value is not None}


def from_fields(fields: Mapping[str, Any]) -> Scenario:
    """Build a scenario from its fields.

    Raises:
        ScenarioError: a field is unknown, missing or invalid.
    """
    for name, value in fields.items():
        if name not in FIELD_NAMES:
            raise no_such_field(name, value)
    given = dict(fields)
    schema = _required(given, "schema")
    if isinstance(schema, bool) or schema != SCHEMA_VERSION:
        raise ScenarioError("schema", schema, f"this version reads schema {SCHEMA_VERSION}")
    given = {**SCHEMA_1_DEFAULTS, **given}
    units = [unit for unit in ("steps", "epochs") if unit in given]
    if len(units) != 1:
        raise ScenarioError("steps", given.get("steps"), "give either steps or epochs")
    return Scenario(
        data=_data(given),
        sampling=Sampling(**{name: _required(given, name) for name in _OF_SAMPLING}),
        noise=Noise(**{name: _required(given, name) for name in _OF_NOISE}),
        training=Training(unit=units[0], count=given[units[0]]),
        relation=Relation(
            level=given["relation"],
            width=given["relation_width"],
            max_change=given.get("max_change"),
            num_channels=given["num_channels"],
            series_per_person=given["series_per_person"],
        ),
        units=Units(
            time_step=TimeStep.parse(given["time_step"]) if "time_step" in given else None,
            value_unit=given.get("value_unit"),
        ),
        delta=given["delta"],
    )


def no_such_field(name: str, value: object) -> ScenarioError:
    """Return the error for an unknown field, with the known name that is most like it.

    >>> print(no_such_field("bach_size", 32))
    bach_size = 32 is not allowed: there is no such field; the nearest is batch_size.
    """
    alike = get_close_matches(name.lower(), sorted(FIELD_NAMES), n=1)
    nearest = f"; the nearest is {alike[0]}" if alike else ""
    return ScenarioError(name, value, "there is no such field" + nearest)


def _data(given: Mapping[str, Any]) -> DataShape | Rates:
    in_rates_mode = any(name in given for name in RATE_FIELDS)
    shape = None
    if any(name in given for name in SHAPE_FIELDS) or not in_rates_mode:
        shape = DataShape(
            num_series=_required(given, "num_series"),
            series_lengths=_lengths(_required(given, "series_length")),
            context_length=_required(given, "context_length"),
            forecast_length=_required(given, "forecast_length"),
            longer_series_beyond=given.get("longer_series_beyond"),
        )
    elif "longer_series_beyond" in given:
        raise not_alone("longer_series_beyond", given, SHAPE_FIELDS)
    if not in_rates_mode:
        for name in OF_RATES_FIELDS:
            if name in given:
                raise not_alone(name, given, RATE_FIELDS)
        assert shape is not None  # one of the two branches above was taken
        return shape
    told: dict[str, Any] = {name: given.get(name) for name in OF_RATES_FIELDS}
    told |= {name: _required(given, name) for name in (*RATE_FIELDS, "steps_per_epoch")}
    return Rates(**told, last_shape=shape)


def not_alone(name: str, given: Mapping[str, Any], needed: tuple[str, ...]) -> ScenarioError:
    """Return the error for a field that means nothing without the ``needed`` ones."""
    return ScenarioError(name, given[name], "it is read only along with " + ", ".join(needed))


def _lengths(value: object) -> tuple[Any, ...]:
    if isinstance(value, list | tuple):
        # Their order carries no meaning, so a link or a file may give any.
        return (
            tuple(sorted(value)) if all(isinstance(item, int) for item in value) else tuple(value)
        )
    return (value,)


def _required(given: Mapping[str, Any], name: str) -> Any:
    if name not in given:
        raise ScenarioError(name, None, MISSING)
    return given[name]


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return named values as a dict, or raise if a name occurs twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        repeated = next(name for name, count in counts.items() if count > 1)
        raise ScenarioError(repeated, fields[repeated], "it is given more than once")
    return fields


LONGEST_DOCUMENT = 20_000
_MOST_DIGITS = 1000


def to_json(scenario: Scenario, *, indent: int | None = None) -> str:
    """Return the canonical JSON of a scenario (the cache key when ``indent`` is ``None``)."""
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
    return json.loads(
        text, object_pairs_hook=without_repeats, parse_float=real_value, parse_int=_whole
    )


def real_value(text: str) -> float | UnreadableNumber:
    """Return the number that a text of a file writes."""
    try:
        return real_number(text)
    except ValueError:  # such as 1e-400, which Python would make no noise at all
        return UnreadableNumber(text)


def _whole(text: str) -> int | UnreadableNumber:
    return int(text) if len(text) <= _MOST_DIGITS else UnreadableNumber(text)
