"""What a visitor does with the controls of a page under AppTest."""

import json
from dataclasses import dataclass
from itertools import count
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from tests.pages.app import checked, keyed

# Each act is one that stands alone, unless a test says which gesture it belongs to.
_GESTURES = count(1_000_000)


@dataclass(frozen=True)
class Control:
    """A control as the page has drawn it last.

    Args:
        spec: what the browser is given.
    """

    spec: dict[str, Any]

    @property
    def value(self) -> Any:
        return self.spec["value"]

    @property
    def text(self) -> str:
        """What stands in the box of a number."""
        return self.spec["text"]

    @property
    def label(self) -> str:
        return self.spec["plainLabel"]

    @property
    def help(self) -> str:
        return self.spec["help"]

    @property
    def disabled(self) -> bool:
        return self.spec["disabled"]

    @property
    def options(self) -> list[str]:
        """The words of the options, in their order."""
        return [words for _, words in self.spec["options"]]

    @property
    def tokens(self) -> list[str]:
        """What an act on the options names them by."""
        return [token for token, _ in self.spec["options"]]


def controls(app: AppTest) -> dict[str, Control]:
    """Return the controls that the page has drawn, by name."""
    specs = [
        json.loads(element.proto.bytes)
        for element in app.get("bidi_component")
        if element.proto.component_name == "dpviz_control"
    ]
    return {spec["name"]: Control(spec) for spec in specs}


def control(app: AppTest, name: str) -> Control:
    found = controls(app)
    assert name in found, f"{name} is none of {sorted(found)}"
    return found[name]


def act(app: AppTest, name: str, value: Any, *, gesture: int | None = None) -> AppTest:
    """Do something with a control, and run the page once; numbers as a slider gives them."""
    return acts(app, [(name, value)], gesture=gesture)


def acts(app: AppTest, done: list[tuple[str, Any]], *, gesture: int | None = None) -> AppTest:
    """Do several things before the page runs again, as a browser sends them: in one message."""
    told = json.loads(keyed(app, "bidi_component", "acts").proto.bytes)
    message = {
        "opening": told["opening"],
        "acts": [
            {
                "number": told["heard"] + at,
                "name": name,
                "value": _sent(value),
                "gesture": next(_GESTURES) if gesture is None else gesture,
            }
            for at, (name, value) in enumerate(done, start=1)
        ],
    }
    return send(app, message)


def send(app: AppTest, message: Any) -> AppTest:
    """Send a message as it is, and run the page once."""
    states = app._tree.get_widget_states()
    bridge = keyed(app, "bidi_component", "acts").proto.id
    payload = json.dumps([{"event": "acts", "value": message}])
    states.widgets.add(id=_make_trigger_id(bridge, "events"), json_trigger_value=payload)
    return checked(app._run(states))


def press(app: AppTest, name: str) -> AppTest:
    """Press a button that is enabled."""
    spec = control(app, name).spec
    assert not spec["disabled"], f"{name} cannot be pressed"
    return act(app, name, spec["means"])


def go_back(app: AppTest, name: str) -> AppTest:
    """Press the way back beside a number."""
    return act(app, name, None)


def _sent(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return repr(value)
