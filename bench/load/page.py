"""What a browser knows of one page: its elements, its controls and their values.

The server sends messages (``ForwardMsg``) that put elements at places in a tree; the browser sends
back (``BackMsg``) the state of all widgets, with the fragment whose control was moved. This follows
Streamlit 1.67's browser part as far as a visitor who only moves controls makes use of it.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

# Most moves are slides by a few stops; the rest chooses from a menu.
_SHARE_OF_SLIDES = 0.8
_MOST_STOPS = 3
FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
# Ends the name of the block that holds the sentence; the chart follows it at once.
_ANSWER = "-answer"
_Place = tuple[int, ...]


@dataclass(frozen=True)
class Control:
    """A control that can be moved: its identity, the values it offers, and where it is drawn."""

    identity: str
    kind: str
    options: tuple[Any, ...]
    fragment: str


@dataclass
class _Node:
    run: str
    fragment: str
    kind: str
    element: Any


@dataclass
class Page:
    """The page as one visitor's browser has it.

    Args:
        address: of the page, without the query.
        name: the last part of its address, empty for the first page.
        query: what follows the question mark in the address bar.
        has_new_headline: whether the last message was the sentence that answers the settings.
    """

    address: str
    name: str
    query: str = ""
    script_hash: str = ""
    run: str = ""
    fragments: tuple[str, ...] = ()
    values: dict[str, WidgetState] = field(default_factory=dict)
    exceptions: list[str] = field(default_factory=list)
    has_new_headline: bool = False
    _nodes: dict[_Place, _Node] = field(default_factory=dict)
    _kept: dict[str, bytes] = field(default_factory=dict)

    def receive(self, data: bytes) -> ForwardMsg:
        """Take a message of the server into the page and return it."""
        self.has_new_headline = False
        message = ForwardMsg.FromString(data)
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
            self._clear_stale()
        return message

    def first_message(self) -> bytes:
        """Return what a browser asks with when it has connected."""
        return self._rerun("")

    def controls(self) -> list[Control]:
        """Return the controls that can be moved, in the page's order."""
        found = []
        for _, node in sorted(self._nodes.items()):
            options = _options(node.kind, node.element)
            if len(options) > 1:
                found.append(Control(node.element.id, node.kind, options, node.fragment))
        return found

    def move(self, rng: random.Random, *, one_slider: bool = False) -> bytes | None:
        """Move one control; return the message to the server, or None if there is none to move.

        Args:
            rng: chooses the control and its value.
            one_slider: move the same slider each time, which is the same for all on this page.
        """
        controls = self.controls()
        sliders = [control for control in controls if control.kind == "slider"]
        if one_slider and sliders:
            control = random.Random(self.name).choice(sliders)
            return self.set(control, other_value(control, self.value(control), rng))
        others = [control for control in controls if control.kind != "slider"]
        slides = sliders and (not others or rng.random() < _SHARE_OF_SLIDES)
        if not controls:
            return None
        control = rng.choice(sliders if slides else others)
        return self.set(control, other_value(control, self.value(control), rng))

    def value(self, control: Control) -> Any:
        """Return what a control shows."""
        state = self.values.get(control.identity)
        kind = None if state is None else state.WhichOneof("value")
        if kind is None:
            return None
        value = getattr(state, kind)
        if kind != "string_array_value":
            return value
        return value.data[0] if value.data else None  # nothing is chosen

    def set(self, control: Control, value: Any) -> bytes:
        """Make a control show a value; return the message to the server."""
        self.values[control.identity] = _state(control.identity, value, control.kind)
        return self._rerun(control.fragment)

    def _rerun(self, fragment: str) -> bytes:
        message = BackMsg()
        client = message.rerun_script
        client.query_string = self.query
        client.page_script_hash = self.script_hash
        client.page_name = "" if self.script_hash else self.name
        client.fragment_id = fragment
        client.widget_states.widgets.extend(self.values.values())
        client.cached_message_hashes.extend(self._kept)
        context = client.context_info
        context.timezone, context.timezone_offset, context.locale = "UTC", 0, "en-US"
        context.url = f"{self.address}?{self.query}" if self.query else self.address
        context.is_embedded, context.color_scheme = False, "light"
        return message.SerializeToString()

    def _place(self, place: _Place, delta: Any) -> None:
        if delta.WhichOneof("type") == "add_block":
            kind = f"{delta.add_block.WhichOneof('type')} block"
            element = delta.add_block
        else:
            kind = delta.new_element.WhichOneof("type")
            element = getattr(delta.new_element, kind)
            for other in [one for one in self._nodes if one[: len(place)] == place]:
                del self._nodes[other]
            if kind == "exception" and not element.is_warning:
                self.exceptions.append(f"{element.type}: {element.message}"[:200])
            self._mount(kind, element)
            block = self._nodes.get(place[:-1])
            self.has_new_headline = block is not None and _is_answer(block)
        self._nodes[place] = _Node(self.run, delta.fragment_id, kind, element)

    def _mount(self, kind: str, element: Any) -> None:
        if kind not in _SHOWN:
            return
        if element.id not in self.values or element.set_value:
            shown = _SHOWN[kind](element)
            self.values[element.id] = _state(element.id, shown, kind)

    def _clear_stale(self) -> None:
        for place, node in list(self._nodes.items()):
            was_due = not self.fragments or node.fragment in self.fragments
            if was_due and node.run != self.run:
                del self._nodes[place]
        there = {getattr(node.element, "id", "") for node in self._nodes.values()}
        self.values = {name: state for name, state in self.values.items() if name in there}


def _is_answer(node: _Node) -> bool:
    return node.kind.endswith(" block") and node.element.id.endswith(_ANSWER)


def other_value(control: Control, now: Any, rng: random.Random) -> Any:
    """Return another value of a control: for a slider, one a few stops away."""
    options = control.options
    if control.kind != "slider" or now not in options:
        return rng.choice([option for option in options if option != now])
    at = options.index(now)
    near = range(max(0, at - _MOST_STOPS), min(len(options), at + _MOST_STOPS + 1))
    return options[rng.choice([one for one in near if one != at])]


def _options(kind: str, element: Any) -> tuple[Any, ...]:
    if kind not in _SHOWN or kind in ("text_input", "date_input") or element.disabled:
        return ()
    if kind == "checkbox":
        return (False, True)
    if kind == "button_group":
        return tuple(option.content for option in element.options)
    return tuple(element.options)


def _state(identity: str, value: Any, kind: str) -> WidgetState:
    state = WidgetState(id=identity)
    if kind in ("slider", "button_group", "date_input"):
        values = [value] if isinstance(value, str) else (value or [])
        state.string_array_value.data.extend(values)
    elif kind == "checkbox":
        state.bool_value = value
    elif value is not None:
        state.string_value = value
    return state


def _shown_slider(element: Any) -> Any:
    if element.set_value and element.raw_value:
        return list(element.raw_value)
    return [element.options[int(at)] for at in element.default]


def _shown_choice(element: Any) -> Any:
    if element.set_value:
        return element.raw_value if element.HasField("raw_value") else None
    return element.options[element.default] if element.HasField("default") else None


def _shown_group(element: Any) -> Any:
    if element.set_value:
        return list(element.raw_values)
    return [element.options[at].content for at in element.default]


def _shown_value(element: Any) -> Any:
    return element.value if element.set_value else element.default


# What a widget shows when the server puts it into the page.
_SHOWN: dict[str, Callable[[Any], Any]] = {
    "slider": _shown_slider,
    "selectbox": _shown_choice,
    "radio": _shown_choice,
    "button_group": _shown_group,
    "checkbox": _shown_value,
    "text_input": _shown_value,
    "date_input": lambda element: list(_shown_value(element)),
}
