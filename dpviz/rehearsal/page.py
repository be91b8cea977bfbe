"""What a browser knows of one page: its elements, and its controls as they are drawn.

This follows Streamlit 1.67's browser part, and the queue of acts in
``dpviz/ui/browser/controls.js``, as far as a visitor who only moves controls makes use of them: one
who moves again before the last move was answered sends at once, where the queue may wait.
"""

import json
import random
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dpviz.scenario.number_text import shown_number
from dpviz.settings.grids import NAMED_GRIDS

# Most moves are slides by a few of a hundred stops; the rest chooses from what is offered.
_SHARE_OF_SLIDES = 0.8
_MOST_STOPS = 15
FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
# Ends the name of the block that holds the sentence; the chart follows it at once.
_ANSWER = "-answer"
# The components of a control, and of what acts go through.
_CONTROL, _BRIDGE = "dpviz_control", "dpviz_acts"
# The guessing game's answers, as its buttons are called.
_GAME = ("game_y", "game_n")
# How Streamlit names what a component triggers, after the component's own identity.
_TRIGGERS = "events"
_Place = tuple[int, ...]


@dataclass(frozen=True)
class Control:
    """A control that can be moved: its name, and the values it offers, as an act tells them."""

    name: str
    kind: str
    options: tuple[Any, ...]


@dataclass
class _Node:
    run: str
    fragment: str
    kind: str
    element: Any
    spec: dict[str, Any] | None = None  # of a control


@dataclass
class Page:
    """The page as one visitor's browser has it."""

    address: str  # without the query
    name: str  # the last part of the address, empty for the first page
    query: str = ""  # what follows the question mark in the address bar
    script_hash: str = ""
    run: str = ""
    fragments: tuple[str, ...] = ()
    acts: list[dict[str, Any]] = field(default_factory=list)  # those that no run has answered yet
    exceptions: list[str] = field(default_factory=list)
    has_new_headline: bool = False  # the last message was the sentence that answers the settings
    _opening: str = ""
    _heard: int = 0
    _last: int = 0
    _gestures: int = 0
    _bridge: _Node | None = None
    _nodes: dict[_Place, _Node] = field(default_factory=dict)
    _kept: dict[str, bytes] = field(default_factory=dict)

    def receive(self, data: bytes) -> ForwardMsg:
        """Take a message of the server into the page and return it."""
        self.has_new_headline = False
        message: ForwardMsg = ForwardMsg.FromString(data)
        if message.WhichOneof("type") == "ref_hash":
            known = ForwardMsg.FromString(self._kept[message.ref_hash])
            known.metadata.CopyFrom(message.metadata)
            message = known
        elif message.metadata.cacheable:
            self._kept[message.hash] = data
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.run = message.metadata.run.script_run_id
            self.fragments = tuple(message.metadata.run.fragment_ids)
            self.script_hash = message.new_session.page_script_hash
        elif kind == "navigation":
            self.script_hash = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            self._place(tuple(message.metadata.delta_path), message.delta)
        elif kind == "script_finished" and message.script_finished in FINISHED:
            for place, node in list(self._nodes.items()):
                was_due = not self.fragments or node.fragment in self.fragments
                if was_due and node.run != self.run:
                    del self._nodes[place]
        return message

    @property
    def takes_acts(self) -> bool:
        """Whether what acts go through has been drawn, as on every page of dpviz."""
        return self._bridge is not None

    @property
    def has_headline(self) -> bool:
        """Whether a sentence answers the settings, be they those before the last move."""
        return any(_is_answer(node) for node in self._nodes.values())

    def first_message(self) -> bytes:
        """Return what a browser asks with when it has connected."""
        return bytes(self._rerun("").SerializeToString())

    def controls(self) -> list[Control]:
        """Return the controls that can be moved, in the page's order."""
        offered = (Control(one["name"], one["kind"], _options(one)) for one in self._specs())
        return [control for control in offered if len(control.options) > 1]

    def _specs(self) -> list[dict[str, Any]]:
        nodes = (self._nodes[place] for place in sorted(self._nodes))
        return [node.spec for node in nodes if node.spec is not None]

    def move(self, rng: random.Random, *, one_slider: bool = False) -> bytes | None:
        """Move one control; return the message to the server, or None if there is none to move.

        Args:
            rng: chooses the control and its value.
            one_slider: move the same slider each time, which is the same for all on this page; on
                a page without one, answer the game.
        """
        if one_slider and (answer := self._game_answer(rng)) is not None:
            return self.set(*answer)
        controls = self.controls() if self._bridge is not None else []
        if not controls:
            return None
        sliders = [control for control in controls if control.kind == "number"]
        others = [control for control in controls if control.kind != "number"]
        if one_slider and sliders:
            control = random.Random(self.name).choice(sliders)
        else:
            slides = sliders and (not others or rng.random() < _SHARE_OF_SLIDES)
            control = rng.choice(sliders if slides else others)
        return self.set(control, other_value(control, self.value(control), rng))

    def _game_answer(self, rng: random.Random) -> tuple[Control, str] | None:
        """Return yes or no, and the round that it is about; ``None`` where no round is played."""
        specs = self._specs()
        buttons = [spec for spec in specs if spec["name"] in _GAME and not spec["disabled"]]
        if self._bridge is None or not buttons or any(spec["kind"] == "number" for spec in specs):
            return None
        spec = rng.choice(sorted(buttons, key=lambda button: str(button["name"])))
        return Control(spec["name"], spec["kind"], ()), spec["means"]

    def value(self, control: Control) -> Any:
        """Return what a control shows: what the visitor did with it, until that is answered."""
        for act in reversed(self.acts):
            if act["name"] == control.name:
                return act["value"]
        spec = next(spec for spec in self._specs() if spec["name"] == control.name)
        return spec["text" if control.kind == "number" else "value"]

    def set(self, control: Control, value: Any) -> bytes:
        """Make a control show a value; return the message to the server."""
        if self._bridge is None:
            raise ValueError("nothing that acts go through has been drawn")
        self._last += 1
        self._gestures += 1
        self.acts.append(
            {"number": self._last, "name": control.name, "value": value, "gesture": self._gestures}
        )
        message = self._rerun(self._bridge.fragment)
        told = {"opening": self._opening, "acts": self.acts}
        message.rerun_script.widget_states.widgets.add(
            id=trigger_identity(self._bridge.element.id),
            json_trigger_value=json.dumps([{"event": "acts", "value": told}]),
        )
        return bytes(message.SerializeToString())

    def _rerun(self, fragment: str) -> BackMsg:
        message = BackMsg()
        client = message.rerun_script
        client.query_string = self.query
        client.page_script_hash = self.script_hash
        client.page_name = "" if self.script_hash else self.name
        client.fragment_id = fragment
        client.cached_message_hashes.extend(self._kept)
        context = client.context_info
        context.timezone, context.timezone_offset, context.locale = "UTC", 0, "en-US"
        context.url = f"{self.address}?{self.query}" if self.query else self.address
        context.is_embedded, context.color_scheme = False, "light"
        return message

    def _place(self, place: _Place, delta: Any) -> None:
        if delta.WhichOneof("type") == "add_block":
            kind = f"{delta.add_block.WhichOneof('type')} block"
            node = _Node(self.run, delta.fragment_id, kind, delta.add_block)
        else:
            kind = delta.new_element.WhichOneof("type")
            element = getattr(delta.new_element, kind)
            for other in [one for one in self._nodes if one[: len(place)] == place]:
                del self._nodes[other]
            if kind == "exception" and not element.is_warning:
                self.exceptions.append(f"{element.type}: {element.message}"[:200])
            node = _Node(self.run, delta.fragment_id, kind, element)
            component = element.component_name if kind == "bidi_component" else ""
            if component == _CONTROL:
                node.spec = json.loads(element.bytes)
            elif component == _BRIDGE:
                self._bridge = node
            if component in (_CONTROL, _BRIDGE):
                self._hear(json.loads(element.bytes))
            block = self._nodes.get(place[:-1])
            self.has_new_headline = block is not None and _is_answer(block)
        self._nodes[place] = node

    def _hear(self, told: dict[str, Any]) -> None:
        """Take what a run says it has heard; what was done in another opening is void."""
        if told["opening"] != self._opening:
            self._opening, self.acts = told["opening"], []
            self._heard = self._last = told["heard"]
        self._heard = max(self._heard, told["heard"])
        self.acts = [act for act in self.acts if act["number"] > self._heard]


def _is_answer(node: _Node) -> bool:
    return node.kind.endswith(" block") and bool(node.element.id.endswith(_ANSWER))


def trigger_identity(component: str) -> str:
    """Return how the server knows what a component triggers."""
    return f"$$STREAMLIT_INTERNAL_KEY_{component}__{_TRIGGERS}"


def other_value(control: Control, now: Any, rng: random.Random) -> Any:
    """Return another value of a control: for a slider, one a few stops away."""
    options = control.options
    if control.kind != "number" or now not in options:
        return rng.choice([option for option in options if option != now])
    at = options.index(now)
    near = range(max(0, at - _MOST_STOPS), min(len(options), at + _MOST_STOPS + 1))
    return options[rng.choice([one for one in near if one != at])]


def _options(spec: dict[str, Any]) -> tuple[Any, ...]:
    """Return what an act on a control may say; nothing where it cannot be moved."""
    kind = spec["kind"]
    if spec.get("disabled"):
        return ()
    if kind == "number":
        stops = spec["stops"]
        return tuple(map(shown_number, NAMED_GRIDS[stops] if isinstance(stops, str) else stops))
    if kind == "toggle":
        return (False, True)
    if kind not in ("select", "segments"):
        return ()
    tokens = [token for token, _ in spec["options"]]
    return tuple([token] for token in tokens) if spec.get("multiple") else tuple(tokens)
