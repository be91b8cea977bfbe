"""The link in the address bar: it reopens scenario, pins and view exactly, and says what it lacks.

The state is that of the pages; in the address bar's place stands a dictionary.
"""

from functools import lru_cache
from random import Random
from time import perf_counter
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode

import pytest

from dpviz.scenario import to_query
from dpviz.scenario.pins import PIN_SLOTS, pinned
from dpviz.settings import View
from dpviz.ui import address
from dpviz.ui import state as module
from dpviz.ui.address import current, show_link
from dpviz.ui.state import State, change, change_pins, change_view, undo
from tests.scenario.address_bar import AddressBar
from tests.scenario.changes import TOY, TRAFFIC
from tests.settings.random_states import random_pins, random_scenario, random_view

STATES = 1000
PROMPT_SECONDS = 5.0


@pytest.fixture
def browser(monkeypatch):
    """Return a function that gives each call a new visitor with an empty address bar."""

    def visitor(link=""):
        fake = SimpleNamespace(query_params=AddressBar(), session_state={})
        for one in (module, address):
            monkeypatch.setattr(one, "st", fake)
        fake.query_params.open(link)
        return fake

    return visitor


@lru_cache(maxsize=1)
def random_states():
    draw = Random(20_240_229)
    scenarios = [random_scenario(draw) for _ in range(STATES)]
    return [(one, random_pins(draw, scenarios), random_view(draw)) for one in scenarios]


def link_of(scenario, pins=(), view=None):
    """Return the link that a page shows for a state."""
    state = State(scenario=scenario, pins=pins, view=view or View())
    show_link(state)
    return state.link


def test_random_states_cover_what_there_is():
    """Else the tests below would promise less than they seem to."""
    scenarios, pins, views = zip(*random_states(), strict=True)
    assert {one.sampling.top_level for one in scenarios} == {
        "without-replacement", "deterministic", "shuffled", "bins", "poisson", "flat",
    }  # fmt: skip
    assert {one.sampling.bottom_level for one in scenarios} == {"with-replacement", "poisson"}
    assert {type(one.data).__name__ for one in scenarios} == {"DataShape", "Rates"}
    assert any(one.shape is None and one.data.last_shape is None for one in scenarios)
    assert {len(kept) for kept in pins} == set(range(7))
    assert {pin.slot for kept in pins for pin in kept} == set(PIN_SLOTS)
    assert {view.compared_length for view in views} == {"step", "epoch", "ten-epochs", "run"}
    assert len({to_query(one) for one in scenarios}) == STATES


def test_a_link_reopens_a_thousand_states_exactly(browser):
    for scenario, pins, view in random_states():
        browser()
        link = link_of(scenario, pins, view)
        browser(link)
        state = current()
        assert (state.scenario, state.pins, state.view) == (scenario, pins, view)
        assert state.problems == []
        assert state.origin == scenario
        show_link(state)
        assert state.link == link


def test_a_link_wins_only_when_it_is_not_one_put_there(browser, monkeypatch):
    """A page that is drawn again does not undo what was changed in it."""
    bar = browser(link_of_toy()).query_params
    state = current()
    show_link(state)
    change(lambda scenario: scenario.with_rates(bottom_rate=0.5))
    assert current().scenario.bottom_rate == 0.5
    show_link(state)
    assert bar.to_dict()["bottom_rate"] == "0.5"
    bar.open(link_of_toy())  # which the browser has sent before it had the new one
    assert current().scenario.bottom_rate == 0.5
    assert bar.to_dict()["bottom_rate"] == "0.5"
    bar.open(link_of_toy())  # the browser's back button
    with monkeypatch.context() as back:
        back.setattr(address, "goes_through_history", lambda: True)
        assert current().scenario == TOY
    show_link(state)
    undo()
    assert current().scenario.bottom_rate == 0.5


def link_of_toy():
    return to_query(TOY)


def test_an_emptied_address_bar_gets_its_link_back(browser):
    bar = browser(link_of_toy()).query_params
    state = current()
    show_link(state)
    bar.clear()
    assert current() is state
    show_link(state)
    assert bar.to_dict() == dict(parse_qsl(link_of_toy()))


def test_pins_and_view_in_a_link_come_beside_what_is_open(browser):
    bar = browser(to_query(TRAFFIC)).query_params
    state = current()
    show_link(state)
    bar.open("chart=training")
    assert current().scenario == TRAFFIC
    assert state.view == View(chart="training")


def test_a_refused_change_keeps_the_value_and_says_so(browser):
    browser(link_of_toy())
    state = current()
    change_view(lambda: {"target_epsilon": -1.0})
    assert state.view == View()
    assert "The value before it was kept." in state.problems[0]
    change_pins(lambda pins: pinned(pinned(pins, TOY), TOY))
    assert state.pins == ()
    assert "already" in state.problems[0]
    change_pins(lambda pins: pinned(pins, TOY))
    assert state.problems == []
    assert [pin.name for pin in state.pins] == ["A"]


HOSTILE = {
    "a megabyte of a value": urlencode({"delta": "1" * 10**6}),
    "a megabyte of text": urlencode({"top_level": "x" * 10**6}),
    "a megabyte of a name": "x" * 10**6 + "=1",
    "a megabyte of a name, twice": ("x" * 10**6 + "=1&") * 2,
    "control characters": urlencode({"top_level": "a\x00\n\x1b[2Jb\u202e", "ti\nme\x1b[2J": "1"}),
    "control characters, twice": urlencode([("ti\nme\x1b[2J", "1"), ("ti\nme\x1b[2J", "2")]),
    "a megabyte of a view": urlencode({"chart": "x" * 10**6, "fixed_epsilon": "y" * 10**6}),
    "a megabyte of a pin": urlencode({"pin_a": "x" * 10**6, "pin_b": "y=" * 10**5}),
    "a megabyte of letters": urlencode({"pins_hidden": "a," * 500_000}),
    "bytes that are no text": "top_level=%ff%fe%00&%ff=1",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_gives_short_readable_lines_and_harms_nothing(browser, name):
    """Each message is one line; what was open stays, and the page is not held up."""
    browser(f"{link_of_toy()}&{HOSTILE[name]}")
    began = perf_counter()
    state = current()
    assert perf_counter() - began < PROMPT_SECONDS
    assert state.scenario == TOY
    assert state.view == View()
    assert state.pins == ()
    assert state.problems
    for problem in state.problems:
        assert problem.isprintable()
        assert len(problem) < 400
    show_link(state)
    assert state.link == link_of_toy()
