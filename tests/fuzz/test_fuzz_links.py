"""Links broken in every way: what is used is exactly what was given, and all else is told."""

import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, parse_qsl

from _pytest.monkeypatch import MonkeyPatch
from hypothesis import Phase
from hypothesis import strategies as st

from dpviz.scenario import Scenario, to_fields
from dpviz.scenario.fields import FIELD_NAMES, SCHEMA_1_DEFAULTS
from dpviz.scenario.pins import PIN_PARAMETERS, PIN_SLOTS
from dpviz.settings.view import VIEW_PARAMETERS
from dpviz.ui import address
from dpviz.ui import state as state_module
from dpviz.ui.state import START, State
from dpviz.ui.texts import plain
from tests.fuzz.bounds import assert_readable, bounded, check_examples, few_or_many
from tests.fuzz.broken_links import broken_links
from tests.fuzz.hostile import same_value
from tests.pages.app import ROOT, TOY, Page
from tests.pages.made_up_map import make_up_map
from tests.scenario.address_bar import AddressBar
from tests.scenario.changes import TRAFFIC
from tests.scenario.strategies import BARE, RATES, SHAPE

# What may be open before: nothing, or any kind of scenario.
OPEN = (None, SHAPE, RATES, BARE, TRAFFIC)


def check(query: str, open_before) -> None:
    with MonkeyPatch.context() as patch, bounded():
        visit = visitor_of(patch)
        before = None if open_before is None else State(scenario=open_before)
        state = visit(query, before)
        check_opened(query, state, open_before or START)
        again = visit(state.link)
        assert again.problems == []
        assert (again.scenario, again.pins, again.view) == (state.scenario, state.pins, state.view)
        assert again.link == state.link


@few_or_many(50, 4000)
def test_broken_links_are_used_exactly_or_told(most):
    """No error escapes, nothing is dropped or replaced in silence, and what is open reopens."""
    check_examples(check, most, broken_links(), st.sampled_from(OPEN))


_TWICE = re.compile(r"given (several|[\d,]+) times[;,] the last one is used")
KNOWN = (*FIELD_NAMES, *PIN_PARAMETERS, *VIEW_PARAMETERS)
# Each field of a link once, and a few for what it repeats and what is none.
MOST_PROBLEMS = len(KNOWN) + 20


def check_opened(query: str, state: State, before: Scenario) -> None:
    """Check a visitor's state after a link was opened.

    Args:
        query: the link's query string.
        state: the visitor's.
        before: the scenario that was there before.
    """
    given = parse_qs(query, keep_blank_values=True)
    assert_readable((*state.problems, *state.notes))
    assert len(state.problems) <= MOST_PROBLEMS
    last = {name: texts[-1] for name, texts in given.items()}
    told = "\n".join(problem for problem in state.problems if not _TWICE.search(problem))
    _check_repeated(given, state)
    _check_unknown(last, state)
    _check_view(last, state, told)
    _check_pins(last, state, told)
    fields = {name: text for name, text in last.items() if name in FIELD_NAMES}
    if not fields:
        assert state.scenario == before
    elif "nothing of the link was used" in told:
        assert state.scenario == before
        assert last["schema"] != "1"
    else:
        _check_fields(fields, to_fields(state.scenario), told)


def is_named(name: str, told: str) -> bool:
    """Return whether messages speak of a field."""
    return re.search(rf"(?<![\w']){re.escape(name)}(?!\w)", told) is not None


def _check_fields(given: Mapping[str, str], used: Mapping[str, Any], told: str) -> None:
    meant = SCHEMA_1_DEFAULTS | used  # what is left out is as it was in the first links
    for name, text in given.items():
        if not is_named(name, told):
            assert name in meant, f"{name} = {text!r} was dropped in silence"
            assert same_value(text, meant[name]), f"{name} = {text!r} became {meant[name]!r}"
    for name, value in used.items():
        if name not in given and not is_named(name, told):
            assert name in ("schema", *SCHEMA_1_DEFAULTS), f"{name} = {value!r} came from nowhere"
            assert value == SCHEMA_1_DEFAULTS.get(name, 1)


def _check_view(given: Mapping[str, str], state: State, told: str) -> None:
    for name in VIEW_PARAMETERS:
        if name in given and not is_named(name, told):
            used = getattr(state.view, name)
            assert same_value(given[name], used), f"{name} = {given[name]!r} became {used!r}"


def _check_pins(given: Mapping[str, str], state: State, told: str) -> None:
    pins = {pin.slot: pin for pin in state.pins}
    for slot in PIN_SLOTS:
        text = given.get(f"pin_{slot}")
        if text is None:
            assert slot not in pins
        elif f"Pin {slot.upper()} was left out" not in told:
            pairs = parse_qsl(text, keep_blank_values=True)
            assert len(dict(pairs)) == len(pairs)
            _check_fields(dict(pairs), to_fields(pins[slot].scenario), "")
    hidden = {slot for slot, pin in pins.items() if not pin.shown}
    if not is_named("pins_hidden", told) and "pins can be shown" not in told:
        assert hidden == set(filter(None, given.get("pins_hidden", "").split(",")))


def _check_unknown(given: Mapping[str, str], state: State) -> None:
    unknown = [name for name in given if name not in KNOWN]
    refused = [problem for problem in state.problems if "no such field" in problem]
    counted = [re.search(r"([\d,]+) more parameters have", problem) for problem in state.problems]
    more = sum(int(match[1].replace(",", "")) for match in counted if match)
    of_pins = sum("was left out" in problem for problem in refused)
    if not any("nothing of the link was used" in problem for problem in state.problems):
        assert len(refused) - of_pins - bool(more) + more >= len(unknown)


def _check_repeated(given: Mapping[str, list[str]], state: State) -> None:
    told = "\n".join(problem for problem in state.problems if _TWICE.search(problem))
    for name, texts in given.items():
        if len(texts) > 1 and name in KNOWN:
            assert is_named(name, told), f"{name} was given {len(texts)} times"
    if any(len(texts) > 1 for name, texts in given.items() if name not in KNOWN):
        assert told


def visitor_of(monkeypatch: Any) -> Callable[..., State]:
    """Return a function that has a new visitor open a link."""

    def opened(query: str, before: State | None = None) -> State:
        session = {} if before is None else {"dpviz_state": before}
        fake = SimpleNamespace(query_params=AddressBar(), session_state=session)
        for module in (address, state_module):
            monkeypatch.setattr(module, "st", fake)
        fake.query_params.open(query)
        state: State = address.current()
        address.show_link(state)
        return state

    return opened


# These have nothing of a link's settings.
TEXTS = {"theorems", "how_to_choose", "glossary"}
PAGES = tuple(sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - TEXTS))
PAGE_CPU_SECONDS = 60.0  # a page computes what it shows, for any settings
MOST_PARAMETERS = 1000  # Streamlit takes none of a link with more
# Streamlit keeps its own parameters, embed and the like, to itself.
LINKS = broken_links().filter(
    lambda query: "embed" not in query and query.count("&") < MOST_PARAMETERS
)


def check_page(query: str, page: str) -> None:
    app = Page()
    for name, texts in parse_qs(query, keep_blank_values=True).items():
        app.query_params[name] = texts
    app.switch_page(f"pages/{page}.py")
    with bounded(PAGE_CPU_SECONDS):
        app.run()
    state = app.state
    check_opened(query, state, TOY)
    told = "".join(warning.value for warning in app.warning)
    for problem in state.problems:
        assert plain(problem) in told
    if state.shown:  # the pages without settings leave the address as it is
        assert app.query_params.keys() == state.shown.keys()


@few_or_many(2, 300)
def test_broken_links_open_a_page_that_tells_what_was_not_used(most, monkeypatch):
    """On any page, with every message where the visitor looks."""
    # Which the server, unlike this test, would give up after 2 s a column.
    make_up_map(monkeypatch)
    check_examples(check_page, most, LINKS, st.sampled_from(PAGES), phases=[Phase.generate])
