"""What the page tests read off a running page."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

from dpviz.scenario import PRESETS, Pin, Scenario, to_query
from dpviz.scenario.pins import pins_to_query
from dpviz.settings import View
from dpviz.settings.view import view_to_query
from dpviz.ui.state import State

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 60
EXPLORING = ("privacy_curve", "subsequences", "sample_or_walk", "label_noise", "protection")
FOLDED_PARTS = (
    "open_data",
    "open_relation",
    "open_augmentation",
    "open_differences",
    "open_certificate",
    "open_certificate_1",
    "open_certificate_2",
    "open_bounds",
    "open_deltas",
    "open_orders",
    "open_code",
    "open_sampling",
    "open_optimiser",
    "open_reading",
    "open_forecasters",
)
TOY = PRESETS["toy"].scenario
# Of what the browser is given of a control.
_UNSEEN = ("name", "kind", "opening", "label", "means", "icon", "shortcut", "type", "min", "max")
_NO_NUMBER = re.compile(r"\b(nan|inf|infinity)\b", re.IGNORECASE)


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def keyed(app: AppTest, kind: str, key: str):
    return next(element for element in app.get(kind) if element.key == key)


def headline(app: AppTest) -> str:
    """Return the sentence over the chart."""
    return element_of(answer_of(app), "markdown").value


def answer_of(app: AppTest):
    return next(block for block in elements_of(app.main) if block.key == "answer")


def element_of(block: Any, kind: str) -> Any:
    return next(element for element in elements_of(block) if element.type == kind)


def state_of(app: AppTest) -> State:
    return app.session_state["dpviz_state"]


def scenario_of(app: AppTest) -> Scenario:
    return state_of(app).scenario


def link_of(
    scenario: Scenario, pins: tuple[Pin, ...] = (), view: View | None = None
) -> dict[str, str]:
    return (
        dict(parse_qsl(to_query(scenario)))
        | pins_to_query(pins)
        | ({} if view is None else view_to_query(view))
    )


def link_in_address_bar(app: AppTest) -> dict[str, str]:
    return dict(app.query_params.items())


def chart(app: AppTest, key: str) -> dict[str, Any]:
    """Return the figure that a chart was given."""
    figure: dict[str, Any] = _chart_data(app, key)[1]
    # Plotly looks for parts of a trace by a selector that its uid is in.
    uids = [trace.get("uid", "none") for trace in figure["data"]]
    assert all(re.fullmatch(r"[\w-]+", uid) for uid in uids), uids
    return figure


def chart_title(app: AppTest, key: str) -> str:
    title = chart(app, key)["layout"]["title"]["text"]
    return re.sub(r"\s*<br>\s*", " ", title)


def described(app: AppTest, key: str) -> str:
    """Return a chart's words for those who cannot see it."""
    return _chart_data(app, key)[0]["alt"]


def control_specs(app: AppTest) -> list[dict[str, Any]]:
    """Return what the browser is given of each control, in their order."""
    return [
        json.loads(element.proto.bytes)
        for element in app.get("bidi_component")
        if element.proto.component_name == "dpviz_control"
    ]


def warnings(app: AppTest) -> str:
    """Return what was refused, as the page says it at its top and beside its controls."""
    top = [warning.value.replace("\\", "") for warning in app.warning]
    return " ".join([*top, *(spec["problem"] for spec in control_specs(app) if spec["problem"])])


def notes(app: AppTest) -> str:
    """Return what was changed, as the page says it at its top and beside its controls."""
    top = [note.value.replace("\\", "") for note in app.info]
    return " ".join([*top, *(spec["note"] for spec in control_specs(app) if spec["note"])])


def errors(app: AppTest) -> str:
    return " ".join(error.value for error in app.error).replace("\\", "")


def captions(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)


def said(app: AppTest) -> str:
    """Return the page's own words: sentences, tables and captions."""
    return " ".join([*(text.value for text in app.markdown), captions(app)])


def texts(app: AppTest) -> list[str]:
    """Return every text of the page, those of charts and controls too; not the code."""
    found = []
    for element in elements_of(app.main):
        for name in ("value", "label", "help", "placeholder"):
            text = getattr(element, name, None)
            if isinstance(text, str) and element.type != "code":
                found.append(text)
        if isinstance(options := getattr(element, "options", None), list):
            found += map(str, options)
        if element.type == "bidi_component" and element.proto.bytes:
            text = element.proto.bytes.decode()
            is_control = element.proto.component_name == "dpviz_control"
            found += _seen_of(json.loads(text)) if is_control else [text]
    return found


def _seen_of(spec: dict[str, Any]) -> list[str]:
    """Return the texts of a control that a visitor sees."""
    words = [text for name, text in spec.items() if name not in _UNSEEN and isinstance(text, str)]
    words += [*spec.get("ends", ()), *(words for _, words in spec.get("options", ()))]
    words += ["".join(text for text, *_ in spans) for spans in spec.get("help", ())]
    return words


def assert_sound(app: AppTest, key: str) -> None:
    """Check what holds for every page with a chart, whatever its settings are."""
    checked(app)
    assert not app.error
    assert headline(app)
    for text in texts(app):
        found = _NO_NUMBER.search(text)
        assert found is None, text[max(0, found.start() - 80) : found.end() + 40]
    # On a logarithmic axis there is no place for 0.
    assert chart(app, key)["data"] or "epsilon is at most 0 " in described(app, key)


def _chart_data(app: AppTest, key: str) -> list[Any]:
    return json.loads(keyed(app, "bidi_component", key).proto.bytes)


def elements_of(block: Any) -> list[Any]:
    found = [block]
    for child in getattr(block, "children", {}).values():
        found += elements_of(child)
    return found
