"""A scenario as JSON and as a link; both carry the same flat, named fields.

Reading is strict: an unknown, missing or invalid field raises a
:class:`~dpviz.scenario.errors.ScenarioError` that names it. Numbers are written with as many
digits as it takes to read the same number back.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dpviz.scenario.data import DataShape, Rates
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.relation import Relation, TimeStep, Units
from dpviz.scenario.scenario import Noise, Sampling, Scenario, Training

SCHEMA_VERSION = 1
Field = int | float | str | list[int]
LONGEST_DOCUMENT = 20_000

_INTEGERS = (
    "schema", "num_series", "context_length", "forecast_length", "longer_series_beyond",
    "steps_per_epoch", "touched_windows", "start_positions", "batch_size", "num_subsequences",
    "relation_width", "num_channels", "steps", "epochs",
)  # fmt: skip
_REALS = (
    "bottom_rate", "top_rate", "forecast_share", "noise_multiplier", "context_noise",
    "forecast_noise", "max_change", "delta",
)  # fmt: skip
_TEXTS = ("top_level", "bottom_level", "relation", "time_step", "value_unit")
FIELD_NAMES = frozenset((*_INTEGERS, *_REALS, *_TEXTS, "series_length"))

# What schema 1 means when a field is absent. These never change with the program's own
# defaults: an old link must keep its meaning.
_SCHEMA_1_DEFAULTS: dict[str, Field] = {
    "top_level": "without-replacement",
    "bottom_level": "with-replacement",
    "num_subsequences": 1,
    "context_noise": 0.0,
    "forecast_noise": 0.0,
    "relation": "event",
    "relation_width": 1,
    "num_channels": 1,
    "delta": 1e-7,
}


def to_fields(scenario: Scenario) -> dict[str, Field]:
    """Return every field of a scenario under its public name; unknown ones are left out."""
    data, sampling, relation = scenario.data, scenario.sampling, scenario.relation
    shape = data if isinstance(data, DataShape) else data.last_shape
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
        fields |= {
            "bottom_rate": data.bottom_rate,
            "top_rate": data.top_rate,
            "steps_per_epoch": data.steps_per_epoch,
            "forecast_share": data.forecast_share,
            "touched_windows": data.touched_windows,
            "start_positions": data.start_positions,
        }
    fields |= {
        "top_level": sampling.top_level,
        "bottom_level": sampling.bottom_level,
        "batch_size": sampling.batch_size,
        "num_subsequences": sampling.num_subsequences,
        "noise_multiplier": scenario.noise.noise_multiplier,
        "context_noise": scenario.noise.context_noise,
        "forecast_noise": scenario.noise.forecast_noise,
        "relation": relation.level,
        "relation_width": relation.width,
        "max_change": relation.max_change,
        "num_channels": relation.num_channels,
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
            raise ScenarioError(name, value, "no such field; known are " + _known_fields())
    given = dict(fields)
    schema = _required(given, "schema")
    if isinstance(schema, bool) or schema != SCHEMA_VERSION:
        raise ScenarioError("schema", schema, f"this version reads schema {SCHEMA_VERSION}")
    given = {**_SCHEMA_1_DEFAULTS, **given}
    units = [unit for unit in ("steps", "epochs") if unit in given]
    if len(units) != 1:
        raise ScenarioError("steps", given.get("steps"), "give either steps or epochs")
    return Scenario(
        data=_data(given),
        sampling=Sampling(
            top_level=given["top_level"],
            bottom_level=given["bottom_level"],
            batch_size=_required(given, "batch_size"),
            num_subsequences=given["num_subsequences"],
        ),
        noise=Noise(
            noise_multiplier=_required(given, "noise_multiplier"),
            context_noise=given["context_noise"],
            forecast_noise=given["forecast_noise"],
        ),
        training=Training(unit=units[0], count=given[units[0]]),
        relation=Relation(
            level=given["relation"],
            width=given["relation_width"],
            max_change=given.get("max_change"),
            num_channels=given["num_channels"],
        ),
        units=Units(
            time_step=TimeStep.parse(given["time_step"]) if "time_step" in given else None,
            value_unit=given.get("value_unit"),
        ),
        delta=given["delta"],
    )


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
        raise ScenarioError("scenario", f"{len(text):,} characters", allowed)
    try:
        fields = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ScenarioError):
            raise
        raise ScenarioError("scenario", text, f"{allowed} ({error})") from None
    if not isinstance(fields, dict):
        raise ScenarioError("scenario", fields, allowed)
    return from_fields(fields)


def to_query(scenario: Scenario) -> str:
    """Return the query string of a link that reopens exactly this scenario.

    >>> from dpviz.scenario.presets import PRESETS
    >>> scenario = PRESETS["traffic"].scenario
    >>> from_query(to_query(scenario)) == scenario
    True
    """
    return urlencode(
        {
            name: ",".join(map(str, value)) if isinstance(value, list) else value
            for name, value in to_fields(scenario).items()
        },
        safe=",",
    )


def from_query(query: str) -> Scenario:
    """Read a scenario from a link's query string; see :func:`from_fields` for errors."""
    pairs = parse_qsl(query.removeprefix("?"), keep_blank_values=True)
    return from_fields(fields_from_query(_without_repeats(pairs)))


def fields_from_query(query: Mapping[str, str]) -> dict[str, Field]:
    """Return a link's parameters as fields with the right types.

    Raises:
        ScenarioError: a parameter is unknown, or its text is not of the field's type.
    """
    return {name: field_from_text(name, text) for name, text in query.items()}


def field_from_text(name: str, text: str) -> Field:
    """Return one field from its text in a link, or raise :class:`ScenarioError`."""
    if name in _TEXTS:
        return text
    try:
        if name in _INTEGERS:
            return _integer(text)
        if name in _REALS:
            return float(text)
        if name == "series_length":
            return [_integer(part) for part in text.split(",")]
    except ValueError:
        kind = "a number" if name in _REALS else "a whole number"
        raise ScenarioError(name, text, f"it must be {kind}") from None
    raise ScenarioError(name, text, "no such field; known are " + _known_fields())


def scenario_from_link(
    query: Mapping[str, str], base: Scenario
) -> tuple[Scenario, list[ScenarioError]]:
    """Read a link leniently: keep what is valid, name what is not.

    Args:
        query: the link's parameters.
        base: the scenario that an unusable field is taken from instead.

    Returns:
        The scenario, and one error for each field that was not used as given.
    """
    problems: list[ScenarioError] = []
    try:
        return from_fields(fields_from_query(query)), problems
    except ScenarioError:
        pass
    scenario = base
    good: dict[str, Field] = {"schema": SCHEMA_VERSION}
    for name, text in query.items():
        try:
            good[name] = field_from_text(name, text)
            if name == "schema" and good[name] != SCHEMA_VERSION:
                good[name] = SCHEMA_VERSION
                raise ScenarioError("schema", text, f"this version reads schema {SCHEMA_VERSION}")
        except ScenarioError as problem:
            problems.append(problem)
    # Fields constrain each other (a batch cannot draw more series than there are): give the
    # link's fields up one by one, those the errors name first, until the rest is a scenario.
    while True:
        try:
            scenario = from_fields(_completed(good, base))
        except ScenarioError as problem:
            given_up = problem.field if problem.field in good else None
            problems.append(problem)
            if given_up is None or given_up == "schema":
                return base, problems
            del good[given_up]
        else:
            return scenario, problems + _missing(query, scenario)


def _missing(query: Mapping[str, str], scenario: Scenario) -> list[ScenarioError]:
    """Return an error for each field that a link lacks and that has no meaning when absent."""
    optional = {*_SCHEMA_1_DEFAULTS, "schema", "forecast_share", "touched_windows",
                "start_positions", "longer_series_beyond", "max_change", "time_step",
                "value_unit"}  # fmt: skip
    if "steps" in query or "epochs" in query:
        optional |= {"steps", "epochs"}
    return [
        ScenarioError(name, None, f"it is missing; {value} is used")
        for name, value in to_fields(scenario).items()
        if name not in query and name not in optional
    ]


def _completed(good: Mapping[str, Field], base: Scenario) -> dict[str, Any]:
    """Return the good fields with every field they lack taken from ``base``."""
    in_rates_mode = "bottom_rate" in good or "top_rate" in good
    if in_rates_mode and isinstance(base.data, DataShape):
        base = base.with_rates()
        if "num_series" not in good and isinstance(base.data, Rates):
            base = replace(base, data=replace(base.data, last_shape=None))
    fallback = to_fields(base)
    if "steps" in good or "epochs" in good:
        fallback = {k: v for k, v in fallback.items() if k not in ("steps", "epochs")}
    if "series_length" in good:
        fallback.pop("longer_series_beyond", None)
    return {**fallback, **good}


def _data(given: Mapping[str, Any]) -> DataShape | Rates:
    shape_fields = ("num_series", "series_length", "context_length", "forecast_length")
    rate_fields = ("bottom_rate", "top_rate")
    shape = None
    if any(name in given for name in shape_fields) or not any(
        name in given for name in rate_fields
    ):
        shape = DataShape(
            num_series=_required(given, "num_series"),
            series_lengths=_lengths(_required(given, "series_length")),
            context_length=_required(given, "context_length"),
            forecast_length=_required(given, "forecast_length"),
            longer_series_beyond=given.get("longer_series_beyond"),
        )
    if not any(name in given for name in rate_fields):
        assert shape is not None  # one of the two branches above was taken
        return shape
    return Rates(
        bottom_rate=_required(given, "bottom_rate"),
        top_rate=_required(given, "top_rate"),
        steps_per_epoch=_required(given, "steps_per_epoch"),
        forecast_share=given.get("forecast_share"),
        touched_windows=given.get("touched_windows"),
        start_positions=given.get("start_positions"),
        last_shape=shape,
    )


def _lengths(value: object) -> tuple[Any, ...]:
    if isinstance(value, list | tuple):
        return tuple(value)
    return (value,)


def _required(given: Mapping[str, Any], name: str) -> Any:
    if name not in given:
        raise ScenarioError(name, None, "it is missing")
    return given[name]


def _integer(text: str) -> int:
    # int() would take "1_000" and Arabic digits; a link holds plain ones, of bounded length.
    if not text.isascii() or not text.lstrip("-").isdigit() or len(text) > 20:
        raise ValueError
    return int(text)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ScenarioError(repeated, fields[repeated], "it is given more than once")
    return fields


def _known_fields() -> str:
    return ", ".join(sorted(FIELD_NAMES))
