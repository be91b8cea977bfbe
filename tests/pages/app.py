"""A page of the app without a browser: what a visitor reads off it, and does with its controls."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from dpviz.scenario import PRESETS, Pin, Scenario, to_query
from dpviz.scenario.pins import pins_to_query
from dpviz.settings import View
from dpviz.settings.grids import NAMED_GRIDS
from dpviz.settings.view import view_to_query
from dpviz.ui.state import State
from dpviz.wording.texts import without_formulas
from tests.pages import as_served  # noqa: F401

ROOT = Path(__file__).parents[2]
EXPLORING = ("privacy_curve", "subsequences", "sample_or_walk", "label_noise", "protection")
SETTINGS_PARTS = ("open_data", "open_relation", "open_augmentation", "open_sampling")
FOLDED_PARTS = (
    *SETTINGS_PARTS, "open_differences", "open_certificate", "open_certificate_1",
    "open_certificate_2", "open_bounds", "open_deltas", "open_orders", "open_code",
    "open_every_rate", "open_beliefs", "open_coupled", "open_gradient", "open_epoch",
    "open_optimiser", "open_reading", "open_forecasters",
)  # fmt: skip
TOY = PRESETS["toy"].scenario
# Set directly; and without any data shape that they came from.
RATES = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10"}
BARE_RATES = RATES | {"batch_size": "4", "noise_multiplier": "1", "steps": "5", "delta": "1e-7"}
# Of what the browser is given of a control.
_UNSEEN = ("name", "kind", "opening", "label", "means", "icon", "shortcut", "type", "min", "max")
NO_NUMBER = re.compile(r"\b(nan|inf|infinity)\b", re.IGNORECASE)
# Each act is one that stands alone, unless a test says which gesture it belongs to.
_GESTURES = count(1_000_000)


@dataclass(frozen=True)
class Control:
    """A control as the page has drawn it last.

    Args:
        spec: what the browser is given, whose entries are attributes of the control, too: its
            ``name`` for acts, its ``kind``, the ``value`` that is set, the ``text`` in the box of a
            number, and whether it is ``disabled``.
    """

    spec: dict[str, Any]

    def __getattr__(self, entry: str) -> Any:
        return self.spec[entry]

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
        named = self.spec["stops"]
        return NAMED_GRIDS[named] if isinstance(named, str) else tuple(named)

    @property
    def can_go_back(self) -> bool:
        """Whether the way back beside a number can be pressed."""
        origin = self.spec["origin"]
        return origin not in (None, self.text) and not self.disabled

    @property
    def options(self) -> list[str]:
        return [words for _, words in self.spec["options"]]

    @property
    def tokens(self) -> list[str]:
        """What an act on the options names them by."""
        return [token for token, _ in self.spec["options"]]


class Page(AppTest):
    """A page that is open; no run of it may raise anything.

    Args:
        script: of Streamlit.
        link: the parameters of its link.
        parts: the folded parts that are open.
        seconds: how long a run may take, by the clock of a machine that may have other work.
    """

    def __init__(
        self,
        script: Path = ROOT / "app.py",
        *,
        link: Mapping[str, str] | None = None,
        parts: Iterable[str] = (),
        seconds: float = 240,
    ) -> None:
        super().__init__(script, default_timeout=seconds)
        self.query_params.update(link or {})
        for part in parts:
            self.session_state[part] = True

    def _run(self, *arguments: Any, **options: Any) -> "Page":
        super()._run(*arguments, **options)
        assert not self.exception
        return self

    @property
    def elements(self) -> list[Any]:
        """What stands on the page beside the navigation."""
        return elements_of(self.main)

    def keyed(self, kind: str, key: str) -> Any:
        """Return an element by its kind and its identity in the page."""
        return next(element for element in self.get(kind) if element.key == key)

    @property
    def answer(self) -> Any:
        """What holds the sentence over the chart."""
        return next(block for block in self.elements if block.key == "answer")

    @property
    def headline(self) -> str:
        """The sentence over the chart, with its symbols as they are written."""
        return without_formulas(element_of(self.answer, "markdown").value)

    @property
    def state(self) -> State:
        return self.session_state["dpviz_state"]

    @property
    def scenario(self) -> Scenario:
        return self.state.scenario

    @property
    def link(self) -> dict[str, str]:
        """The parameters in the address bar."""
        return dict(self.query_params.items())

    def components(self, name: str) -> list[Any]:
        """Return what a component of dpviz's own has drawn, in their order."""
        return [one for one in self.get("bidi_component") if one.proto.component_name == name]

    @property
    def chart_keys(self) -> set[str]:
        """The identities of the charts that are drawn."""
        return {one.key for one in self.components("dpviz_chart")}

    def chart(self, key: str) -> dict[str, Any]:
        """Return the figure that a chart was given."""
        figure: dict[str, Any] = self._chart_data(key)[1]
        # Plotly looks for parts of a trace by a selector that its uid is in.
        uids = [trace.get("uid", "none") for trace in figure["data"]]
        assert all(re.fullmatch(r"[\w-]+", uid) for uid in uids), uids
        return figure

    def traces(self, key: str) -> dict[str, dict[str, Any]]:
        """Return the lines and points of a chart by their identity."""
        return {trace["uid"]: trace for trace in self.chart(key)["data"]}

    def chart_title(self, key: str) -> str:
        title = self.chart(key)["layout"]["title"]["text"]
        return re.sub(r"\s*<br>\s*", " ", title)

    def described(self, key: str) -> str:
        """Return a chart's words for those who cannot see it."""
        return self._chart_data(key)[0]["alt"]

    @property
    def control_specs(self) -> list[dict[str, Any]]:
        """What the browser is given of each control, in their order."""
        return [json.loads(one.proto.bytes) for one in self.components("dpviz_control")]

    @property
    def drawn(self) -> list[Control]:
        return [Control(spec) for spec in self.control_specs]

    @property
    def controls(self) -> dict[str, Control]:
        return {control.name: control for control in self.drawn}

    def control(self, name: str) -> Control:
        found = self.controls
        assert name in found, f"{name} is none of {sorted(found)}"
        return found[name]

    @property
    def warnings(self) -> str:
        """What was refused, as the page says it at its top and beside its controls."""
        return self._told(self.warning, "problem")

    @property
    def notes(self) -> str:
        """What was changed, as the page says it at its top and beside its controls."""
        return self._told(self.info, "note")

    @property
    def errors(self) -> str:
        """What stands in the place of an answer that there is not."""
        return " ".join(error.value for error in self.error).replace("\\", "")

    @property
    def captions(self) -> str:
        """What stands small below others."""
        told = " ".join(without_formulas(caption.value) for caption in self.caption)
        return told.replace("\\", "")

    @property
    def words(self) -> str:
        """Its sentences and tables, without captions."""
        return " ".join(without_formulas(text.value) for text in self.markdown)

    @property
    def said(self) -> str:
        """The page's own words: sentences, tables and captions."""
        return f"{self.words} {self.captions}"

    @property
    def texts(self) -> list[str]:
        """Every text of the page, those of charts and controls too; not the code."""
        found = []
        for element in self.elements:
            for name in ("value", "label", "help", "placeholder"):
                text = getattr(element, name, None)
                if isinstance(text, str) and element.type != "code":
                    found.append(without_formulas(text))
            if isinstance(options := getattr(element, "options", None), list):
                found += map(str, options)
            if element.type == "bidi_component" and element.proto.bytes:
                text = element.proto.bytes.decode()
                is_control = element.proto.component_name == "dpviz_control"
                found += _seen_of(json.loads(text)) if is_control else [text]
        return found

    @property
    def lasting_texts(self) -> list[str]:
        """Every text, without what names this one opening of the page, or drawing of a chart."""
        return [re.sub(r'"(opening|turn)": "?\w+"?', "", text) for text in self.texts]

    @property
    def all_words(self) -> str:
        """All of its texts, as they are read."""
        return " ".join(self.texts).replace("\\", "")

    def assert_sound(self, key: str) -> None:
        """Check what holds for every page with a chart, whatever its settings are."""
        assert not self.error
        assert self.headline
        for text in self.texts:
            found = NO_NUMBER.search(text)
            assert found is None, text[max(0, found.start() - 80) : found.end() + 40]
        # On a logarithmic axis there is no place for 0.
        assert self.chart(key)["data"] or "epsilon is at most 0 " in self.described(key)

    def open_link(self, link: Mapping[str, str]) -> "Page":
        self.query_params.clear()
        self.query_params.update(link)
        return self.run()

    def go_to(self, page: str) -> "Page":
        self.switch_page(f"pages/{page}.py")
        return self.run()

    def click(self, key: str) -> "Page":
        """Press one of Streamlit's own buttons."""
        return self.button(key=key).click().run()

    def upload(self, key: str, name: str, content: bytes) -> "Page":
        kind = "application/json" if name.endswith(".json") else "text/csv"
        return self.file_uploader(key=key).set_value((name, content, kind)).run()

    def open_series(self, name: str, content: bytes, key: str = "upload_0") -> "Page":
        """Open a file of series, and use it as it was read."""
        return self.upload(key, name, content).press("use_file")

    def act(self, name: str, value: Any, *, gesture: int | None = None) -> "Page":
        """Do something with a control, and run the page once; numbers as a slider gives them."""
        return self.acts([(name, value)], gesture=gesture)

    def acts(self, done: list[tuple[str, Any]], *, gesture: int | None = None) -> "Page":
        """Do several things before the page runs again, as a browser sends them: in one message."""
        return self.send(self.message(done, gesture=gesture))

    def press(self, name: str) -> "Page":
        spec = self.control(name).spec
        assert not spec["disabled"], f"{name} cannot be pressed"
        return self.act(name, spec["means"])

    def go_back(self, name: str) -> "Page":
        """Press the way back beside a number."""
        return self.act(name, None)

    def message(self, done: list[tuple[str, Any]], *, gesture: int | None = None) -> dict[str, Any]:
        """Return what a browser sends of things that were done with the page as it is."""
        told = json.loads(self.keyed("bidi_component", "acts").proto.bytes)
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

    def send(self, told: Any) -> "Page":
        """Send a message as it is, and run the page once."""
        states = self._tree.get_widget_states()
        bridge = self.keyed("bidi_component", "acts").proto.id
        payload = json.dumps([{"event": "acts", "value": told}])
        states.widgets.add(id=_make_trigger_id(bridge, "events"), json_trigger_value=payload)
        return self._run(states)

    def _chart_data(self, key: str) -> list[Any]:
        return json.loads(self.keyed("bidi_component", key).proto.bytes)

    def _told(self, top: Iterable[Any], name: str) -> str:
        beside = (spec[name] for spec in self.control_specs if spec[name])
        return " ".join([*(note.value.replace("\\", "") for note in top), *beside])


def element_of(block: Any, kind: str) -> Any:
    return next(element for element in elements_of(block) if element.type == kind)


def elements_of(block: Any) -> list[Any]:
    found = [block]
    for child in getattr(block, "children", {}).values():
        found += elements_of(child)
    return found


def link_of(
    scenario: Scenario, pins: tuple[Pin, ...] = (), view: View | None = None
) -> dict[str, str]:
    return (
        dict(parse_qsl(to_query(scenario)))
        | pins_to_query(pins)
        | ({} if view is None else view_to_query(view))
    )


def series_csv(lengths: Iterable[int]) -> bytes:
    """Return a file of series of these lengths, called s0, s1 and so on."""
    rows = [
        f"s{at},{time},{100 + 10 * at + time % 12}"
        for at, length in enumerate(lengths)
        for time in range(length)
    ]
    return "\n".join(["series_id,t,value", *rows]).encode()


def _seen_of(spec: dict[str, Any]) -> list[str]:
    """Return the texts of a control that a visitor sees."""
    words = [text for name, text in spec.items() if name not in _UNSEEN and isinstance(text, str)]
    words += [*spec.get("ends", ()), *(words for _, words in spec.get("options", ()))]
    words += ["".join(text for text, *_ in spans) for spans in spec.get("help", ())]
    return words


def _sent(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return repr(value)
