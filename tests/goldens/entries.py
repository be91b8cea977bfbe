"""Figures, tables and other data as lines of text that a difference can be read in."""

import base64
import csv
import io
import json
from typing import Any

import numpy as np

from tests.goldens.comparing import MOST_LISTED, masked, numbers_in_short, rounded, texts_in_short

MOST_CHARACTERS = 110


def data_lines(name: str, value: Any, *, longest: int = MOST_CHARACTERS) -> list[str]:
    """Return data as lines of a path and a value, in the order of their names.

    Args:
        name: what the data are, or the path to them.
        value: the data, as of JSON.
        longest: how long a line of several values may be, in characters.
    """
    value = _decoded(value)
    short = _short(value, longest)
    if short is not None:
        return [f"{name}: {short}"]
    if isinstance(value, dict):
        items = [(f"{name}.{key}", value[key]) for key in sorted(value)]
        return [line for path, item in items for line in data_lines(path, item, longest=longest)]
    if len(value) > MOST_LISTED:
        numbers, texts = _parts(value)
        return [
            f"{name}, {len(value)} items: {numbers_in_short(numbers)}",
            f"{name}, {len(value)} items: {texts_in_short(texts or [''])}",
        ]
    items = [(f"{name}[{at}]", item) for at, item in enumerate(value)]
    return [line for path, item in items for line in data_lines(path, item, longest=longest)]


def figure_entries(figure: dict[str, Any]) -> list[str]:
    """Return what is drawn: a text for each trace, then one for axes, titles and all else."""
    traces = [_brief(f"trace {at}", trace) for at, trace in enumerate(figure["data"])]
    layout = figure.get("layout", {})
    rest = {name: value for name, value in figure.items() if name not in ("data", "layout")}
    around = [
        "\n".join(data_lines(f"layout {key}", layout[key], longest=600)) for key in sorted(layout)
    ]
    return [*traces, *around, *([] if not rest else ["\n".join(data_lines("figure", rest))])]


def _brief(name: str, trace: dict[str, Any]) -> str:
    """Return a trace: what has one value in one line, and each list in a line of its own."""
    lists = {key for key, value in trace.items() if isinstance(_decoded(value), list)}
    others = {key: value for key, value in trace.items() if key not in lists}
    lines = [line for key in sorted(lists) for line in data_lines(f"  {key}", trace[key])]
    return "\n".join([*data_lines(name, others, longest=2000), *lines])


def json_lines(text: str) -> list[str]:
    """Return what a text of JSON holds, or the text where it is a sentence in its place."""
    try:
        return data_lines("json", json.loads(text), longest=1000)
    except json.JSONDecodeError:
        return text.split("\n")


def csv_lines(text: str) -> list[str]:
    """Return comments as they are, and each column of the table."""
    lines = text.rstrip("\n").split("\n")
    comments = [line for line in lines if line.startswith("#")]
    rows = [*csv.reader(io.StringIO("\n".join(line for line in lines if line[:1] != "#")))]
    if not rows:
        return comments
    found = [*comments, f"{len(rows) - 1} rows of {', '.join(rows[0])}"]
    for at, name in enumerate(rows[0]):
        column = [row[at] if at < len(row) else "(none)" for row in rows[1:]]
        found.append(f"column {name}: {_column(column)}")
    return found


def _column(values: list[str]) -> str:
    try:
        return numbers_in_short([float(text) if text else None for text in values])
    except ValueError:
        few = [*dict.fromkeys(values)]
        if len(values) > MOST_LISTED and len(few) > 3:
            return texts_in_short(values)
        return ", ".join(f"{values.count(text)} times {text}" for text in few)


def _short(value: Any, longest: int) -> str | None:
    """Return a value in one line, if it can be told in one."""
    flat = _flat(value)
    if flat is not None:
        is_nested = bool(value) and any(isinstance(item, list) for item in value)
        shape = f"{len(value)} lists, " if is_nested else ""
        return shape + numbers_in_short(flat)
    is_long = isinstance(value, list) and len(value) > MOST_LISTED
    if is_long and all(isinstance(item, str) for item in value):
        return texts_in_short(value)
    if isinstance(value, dict | list):
        text = json.dumps(_rounded(value), ensure_ascii=False, sort_keys=True)
        return text if len(text) <= longest or not value else None
    return json.dumps(_rounded(value), ensure_ascii=False)


def _flat(value: Any) -> list[float | None] | None:
    """Return the numbers of a list or of lists in it; ``None`` if it holds anything else."""
    if not isinstance(value, list) or not value:
        return None
    found: list[float | None] = []
    for item in value:
        if isinstance(item, list):
            inner = _flat(item)
            if inner is None:
                return None
            found += inner
        elif item is None or (isinstance(item, int | float) and not isinstance(item, bool)):
            found.append(item)
        else:
            return None
    return found if any(item is not None for item in found) else None


def _parts(value: Any) -> tuple[list[float | None], list[str]]:
    """Return all numbers, and all texts and names, of what is too much to be listed."""
    numbers: list[float | None] = []
    texts: list[str] = []

    def go(item: Any) -> None:
        item = _decoded(item)
        if isinstance(item, dict):
            for key in sorted(item):
                texts.append(key)
                go(item[key])
        elif isinstance(item, list):
            texts.append(str(len(item)))
            for one in item:
                go(one)
        elif item is None or (isinstance(item, int | float) and not isinstance(item, bool)):
            numbers.append(item)
        else:
            texts.append(masked(str(item)) if len(str(item)) > 1000 else str(item))

    go(value)
    return numbers, texts


def _decoded(value: Any) -> Any:
    """Return a list for what plotly has encoded."""
    if isinstance(value, dict) and "bdata" in value:
        numbers = np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"])
        if "shape" in value:
            numbers = numbers.reshape([int(n) for n in str(value["shape"]).split(",")])
        return [None if n != n else n for n in numbers] if numbers.ndim == 1 else numbers.tolist()
    return value


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(rounded(value))
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
