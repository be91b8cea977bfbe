"""Everything that a page under AppTest says and draws, in its order."""

import json
import re
from typing import Any
from urllib.parse import urlencode

from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from tests.goldens.entries import csv_lines, figure_entries, json_lines
from tests.goldens.masks import report_entries, without_days
from tests.pages.app import elements_of

# Of a chart, which is sent with every move of a slider.
_MOST_CHARACTERS = 250_000
# Of a control: what moves, and what another opening or run has another of.
_MOVES = ("value", "text", "disabled", "problem", "note", "origin", "means", "shows", "stops")
_FRESH = ("opening", "heard", "turn")
# Of an element of Streamlit: how it is identified, and where it lies.
_LAYOUT = {
    "id", "pageScriptHash", "deferredFileId", "url", "formId", "ignoreRerun", "elementType", "wrap",
    "widthConfig", "heightConfig", "hideAnchor", "labelVisibility",
}  # fmt: skip
_PLACES = {"main", "flex_container", "column", "vertical", "event", "sidebar"}
_SAID = {"markdown", "caption", "title", "header", "subheader", "code", "exception"}


def entries_of(app: AppTest, opened: str) -> list[str]:
    """Return what is seen, one text for each element, and the link in the address bar.

    Args:
        app: the page.
        opened: query string of the link that it was opened by.
    """
    link = urlencode(_in_address_bar(app))
    found = ["link as it was opened" if link == opened else f"link {link}"]
    for block in (app.main, app.sidebar):
        for element in elements_of(block):
            found += _entries(element)
    return [without_days(entry) for entry in found]


def file_entries(label: str, name: str, content: Any) -> list[str]:
    """Return what a button hands out or a command writes, as it can be compared."""
    if isinstance(content, bytes):
        return [f"{label} {name}: {len(content)} bytes"]
    head = f"{label} {name}:"
    if name.endswith(".csv"):
        return [head, *map(without_days, csv_lines(content))]
    if name.endswith(".json"):
        lines = json_lines(content)
    elif name.endswith(".html"):
        return [head, *map(without_days, report_entries(content))]
    else:
        # By paragraphs, most of which several scripts and statements share.
        return [head, *map(without_days, content.split("\n\n"))]
    return [without_days("\n".join([head, *lines]))]


def _in_address_bar(app: AppTest) -> list[tuple[str, str]]:
    # Under AppTest a parameter is a list of all that were given by this name.
    return [
        (name, ",".join(value) if isinstance(value, list) else str(value))
        for name, value in app.query_params.items()
    ]


def _entries(element: Any) -> list[str]:
    kind = element.type
    if kind in _PLACES:
        return []
    if kind == "bidi_component":
        return _component(element)
    if kind == "expander":
        return [f"folded {'open' if element.proto.expanded else 'shut'}: {element.label}"]
    if kind in ("table", "dataframe"):
        told = element.proto.alt if hasattr(element.proto, "alt") else ""
        return [f"table {told}", *csv_lines(element.value.to_csv(index=False))]
    if kind in _SAID:
        text = str(element.value)
        help_ = getattr(element, "help", "")
        return [f"{kind}: {text}", *([f"{kind}, when pointed at: {help_}"] if help_ else [])]
    told = MessageToDict(element.proto)
    told = {name: value for name, value in told.items() if name not in _LAYOUT}
    told.get("popover", {}).pop("id", None)
    if (kind == "button" and told.get("label") == "") or kind == "empty":
        return []
    return [f"{kind} {json.dumps(told, ensure_ascii=False, sort_keys=True)}"]


def _component(element: Any) -> list[str]:
    proto = element.proto
    name = proto.component_name.removeprefix("dpviz_")
    text = proto.bytes.decode() if proto.bytes else proto.json
    if name in ("acts", "connection", "page_top"):
        return []  # what the browser sends, and that it is there
    if name == "control":
        return _control(json.loads(text))
    if name == "chart":
        options, figure = json.loads(text)
        _check_drawn(options["alt"], figure)
        told = {k: v for k, v in options.items() if k not in (*_FRESH, "alt")}
        head = f"chart {json.dumps(told, sort_keys=True)}"
        return [f"chart {element.key} in words: {options['alt']}", head, *figure_entries(figure)]
    return [f"{name} {element.key}: {text}".rstrip()]


def _check_drawn(words: str, figure: dict[str, Any]) -> None:
    """Check that it has words, can be sent with every move, keeps a zoom and suits both themes."""
    assert len(words) > 20, words
    layout = dict(figure["layout"])
    meta = layout.pop("meta", {})
    drawn = json.dumps(figure | {"layout": layout}, ensure_ascii=False, separators=(",", ":"))
    assert len(drawn) < _MOST_CHARACTERS, words
    assert layout["uirevision"], words
    assert not re.search(r'"#[0-9a-f]{3,8}"|rgb', drawn), words
    roles = set(re.findall(r"var\(--([\w-]+)", drawn))
    assert roles <= set(meta["palette"]["light"]), words


def _control(spec: dict[str, Any]) -> list[str]:
    """Return how a control stands, and what it is."""
    moves = {
        name: spec[name]
        for name in _MOVES
        if name in spec and spec[name] not in ("", None, False, [])
    }
    others = {k: v for k, v in spec.items() if k not in (*_MOVES, *_FRESH, "name")}
    return [
        f"control {spec['name']} stands at {json.dumps(moves, ensure_ascii=False)}",
        f"control {spec['name']} is {json.dumps(others, ensure_ascii=False, sort_keys=True)}",
    ]
