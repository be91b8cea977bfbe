"""A scenario as the Python that constructs it, every value written out."""

import textwrap
from dataclasses import fields, is_dataclass
from typing import Any

PYTHON_WIDTH = 88


def scenario_imports(classes: set[str]) -> str:
    r"""Return the line or lines that import some names of dpviz.scenario.

    >>> scenario_imports({"Scenario", "DataShape"})
    'from dpviz.scenario import DataShape, Scenario\n'
    """
    line = f"from dpviz.scenario import {', '.join(sorted(classes))}\n"
    if len(line) <= PYTHON_WIDTH + 1:
        return line
    names = "".join(f"    {name},\n" for name in sorted(classes))
    return f"from dpviz.scenario import (\n{names})\n"


def classes_of(value: object) -> set[str]:
    """Return the names of the classes that it takes to construct a scenario.

    The data's units are left out, here and in the source: they change no number, and no text that
    a visitor typed gets into a program.
    """
    if not is_dataclass(value):
        return set()
    names = (classes_of(item) for _, item in _arguments(value))
    return {type(value).__name__}.union(*names)


def _arguments(value: Any) -> list[tuple[str, Any]]:
    named = [(field.name, getattr(value, field.name)) for field in fields(value)]
    return [(name, item) for name, item in named if item is not None and name != "units"]


def python_source(start: str, value: Any, indent: str = "") -> str:
    """Return ``start`` and a value as Python, over several lines where one is too short.

    >>> from dpviz.scenario import Training
    >>> python_source("training=", Training(unit="steps", count=5))
    'training=Training(unit="steps", count=5)'
    """
    line = f"{indent}{start}{_expression(value)}"
    if len(line) < PYTHON_WIDTH:  # a comma may follow
        return line
    inner = indent + "    "
    if is_dataclass(value):
        opening, closing = f"{type(value).__name__}(", ")"
        lines = ",\n".join(
            python_source(f"{name}=", item, inner) for name, item in _arguments(value)
        )
    else:
        opening, closing = "[]" if isinstance(value, list) else "()"
        numbers = ", ".join(map(repr, value))
        lines = textwrap.fill(
            numbers, PYTHON_WIDTH - 1, initial_indent=inner, subsequent_indent=inner
        )
    return f"{indent}{start}{opening}\n{lines},\n{indent}{closing}"


def _expression(value: Any) -> str:
    if is_dataclass(value):
        inner = ", ".join(f"{name}={_expression(item)}" for name, item in _arguments(value))
        return f"{type(value).__name__}({inner})"
    return f'"{value}"' if isinstance(value, str) else repr(value)
