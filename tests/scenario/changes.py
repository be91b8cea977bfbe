"""Scenarios of which tests change some values."""

from dataclasses import fields, replace
from typing import Any

from dpviz.scenario import PRESETS, Scenario, Training

TOY, TRAFFIC = PRESETS["toy"].scenario, PRESETS["traffic"].scenario


def varied(scenario: Scenario, **values: Any) -> Scenario:
    """Return a scenario with other values: ``varied(TOY, num_series=9, top_level="bins")``.

    Args:
        scenario: all else is as it has it.
        values: by the names that they have in its parts, whole parts, or ``steps`` or ``epochs``.
    """
    parts: dict[str, Any] = {}
    for unit in values.keys() & {"steps", "epochs"}:
        parts["training"] = Training(unit=unit, count=values.pop(unit))
    for name in ("data", "sampling", "noise", "relation", "units"):
        part = getattr(scenario, name)
        names = {field.name for field in fields(part)} & values.keys()
        if names:
            parts[name] = replace(part, **{one: values.pop(one) for one in names})
    return replace(scenario, **parts, **values)
