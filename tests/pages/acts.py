"""What a visitor does with the controls of a page under AppTest."""

import json
from dataclasses import dataclass
from itertools import count
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from dpviz.settings.grids import NAMED_GRIDS
from tests.pages.app import checked, control_specs, keyed

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
    def name(self) -> str:
        """What acts on it call it."""
        return self.spec["name"]

    @property
    def kind(self) -> str:
        """What it is, as the browser knows it: a number, a text, a toggle and the like."""
        return self.spec["kind"]

    @property
    def value(self) -> Any:
        """What is set."""
        return self.spec["value"]

    @property
    def text(self) -> str:
        """What stands in the box of a number."""
        return self.spec["text"]

    @property
    def label(self) -> str:
        """What it is called, without markup."""
        return self.spec["plainLabel"]

    @property
    def help(self) -> str:
        """What its question mark tells, without markup."""
        return " ".join("".join(text for text, *_ in spans) for spans in self.spec["help"])

    @property
    def stops(self) -> tuple[float, ...]:
        """Where a slider stops."""
        named = self.spec["stops"]
        return NAMED_GRIDS[named] if isinstance(named, str) else tuple(named)

    @property
    def disabled(self) -> bool:
        """Whether nothing can be done with it."""
        return self.spec["disabled"]

    @property
    def can_go_back(self) -> bool:
        """Whether the way back beside a number can be pressed."""
        origin = self.spec["origin"]
        return origin not in (None, self.text) and not self.disabled

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
    return {control.name: control for control in drawn(app)}


def drawn(app: AppTest) -> list[Control]:
    """Return the controls that the page has drawn, in their order."""
    return [Control(spec) for spec in control_specs(app)]


def control(app: AppTest, name: str) -> Control:
    found = controls(app)
    assert name in found, f"{name} is none of {sorted(found)}"
    return found[name]


def act(app: AppTest, name: str, value: Any, *, gesture: int | None = None) -> AppTest:
    """Do something with a control, and run the page once; numbers as a slider gives them."""
    return acts(app, [(name, value)], gesture=gesture)


def acts(app: AppTest, done: list[tuple[str, Any]], *, gesture: int | None = None) -> AppTest:
    """Do several things before the page runs again, as a browser sends them: in one message."""
    return send(app, message(app, done, gesture=gesture))


def message(
    app: AppTest, done: list[tuple[str, Any]], *, gesture: int | None = None
) -> dict[str, Any]:
    """Return what a browser sends of things that were done with the page as it is."""
    told = json.loads(keyed(app, "bidi_component", "acts").proto.bytes)
    return {
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


def send(app: AppTest, told: Any) -> AppTest:
    """Send a message as it is, and run the page once."""
    states = app._tree.get_widget_states()
    bridge = keyed(app, "bidi_component", "acts").proto.id
    payload = json.dumps([{"event": "acts", "value": told}])
    states.widgets.add(id=_make_trigger_id(bridge, "events"), json_trigger_value=payload)
    # AppTest would run the page without its router, which a browser never does.
    del app.session_state["dpviz_routed"]
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


def open_series(app, name, content, key="upload_0"):
    """Open a file of series, and use it as it was read."""
    checked(app.file_uploader(key=key).set_value((name, content, "text/csv")).run())
    return press(app, "use_file")
