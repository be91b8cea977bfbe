"""A scenario as the query string of a link, read strictly or leniently."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from dpviz.scenario.data import DataShape, Rates
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.fields import (
    INTEGER_FIELDS,
    REAL_FIELDS,
    SCHEMA_1_DEFAULTS,
    SCHEMA_VERSION,
    TEXT_FIELDS,
    Field,
    from_fields,
    known_fields,
    to_fields,
    without_repeats,
)
from dpviz.scenario.scenario import Scenario


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
    return from_fields(fields_from_query(without_repeats(pairs)))


def fields_from_query(query: Mapping[str, str]) -> dict[str, Field]:
    """Return a link's parameters as fields with the right types.

    Raises:
        ScenarioError: a parameter is unknown, or its text is not of the field's type.
    """
    return {name: field_from_text(name, text) for name, text in query.items()}


def field_from_text(name: str, text: str) -> Field:
    """Return one field from its text in a link, or raise :class:`ScenarioError`."""
    if name in TEXT_FIELDS:
        return text
    try:
        if name in INTEGER_FIELDS:
            return _integer(text)
        if name in REAL_FIELDS:
            return float(text)
        if name == "series_length":
            return [_integer(part) for part in text.split(",")]
    except ValueError:
        kind = "a number" if name in REAL_FIELDS else "a whole number"
        raise ScenarioError(name, text, f"it must be {kind}") from None
    raise ScenarioError(name, text, "no such field; known are " + known_fields())


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
    optional = {*SCHEMA_1_DEFAULTS, "schema", "forecast_share", "touched_windows",
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


def _integer(text: str) -> int:
    # int() would take "1_000" and Arabic digits; a link holds plain ones, of bounded length.
    if not text.isascii() or not text.lstrip("-").isdigit() or len(text) > 20:
        raise ValueError
    return int(text)
