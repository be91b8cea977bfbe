"""Links: all of one that can be used is, with a reason for the rest; states reopen exactly."""

import base64
import zlib
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import product
from random import Random
from time import perf_counter
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import (
    PRESETS,
    ScenarioError,
    from_fields,
    scenario_from_link,
    to_fields,
    to_query,
)
from dpviz.scenario.errors import MISSING
from dpviz.scenario.link import expanded, shortened
from dpviz.scenario.pins import PIN_SLOTS, pinned
from dpviz.settings import View
from dpviz.ui import address
from dpviz.ui import state as module
from dpviz.ui.address import current, show_link
from dpviz.ui.state import State, change, change_pins, change_view, undo
from tests.scenario.address_bar import AddressBar
from tests.scenario.changes import TOY, TRAFFIC, varied
from tests.scenario.strategies import BARE, RATES, SHAPE
from tests.settings.random_states import random_pins, random_scenario, random_view


@pytest.mark.parametrize(
    ("link_of", "field"),
    [
        *((BARE, field) for field in ("num_series", "series_length", "longer_series_beyond")),
        *((SHAPE, field) for field in ("bottom_rate", "top_rate")),
    ],
)
def test_half_of_a_shape_or_of_rates_does_not_take_the_rest_of_another(link_of, field):
    """A lone field of the one beside all of the other is named and left out."""
    link = dict(parse_qsl(to_query(link_of)))
    for base, text in product((SHAPE, RATES, BARE), ("7", "0.5", "0", "x")):
        opened, problems = scenario_from_link(link | {field: text}, base)
        assert opened == link_of
        assert [problem.field for problem in problems] == [field]


def test_longer_series_do_not_let_half_a_shape_in():
    link = dict(parse_qsl(to_query(BARE))) | {"num_series": "500", "longer_series_beyond": "100"}
    opened, problems = scenario_from_link(link, TRAFFIC)
    assert opened == BARE
    assert {problem.field for problem in problems} == {"num_series", "longer_series_beyond"}


@pytest.mark.parametrize("link_of", [SHAPE, RATES], ids=["shape", "rates"])
@pytest.mark.parametrize("text", ["0", "x"])
def test_a_shape_with_one_bad_field_keeps_the_rest(link_of, text):
    """The open scenario's value takes the place of the bad one, which is named."""
    link = dict(parse_qsl(to_query(link_of))) | {"num_series": text}
    base = varied(SHAPE, num_series=900, series_lengths=(30, 40))
    opened, problems = scenario_from_link(link, base)
    assert [problem.field for problem in problems] == ["num_series"]
    assert to_fields(opened) == to_fields(link_of) | {"num_series": 900}


def test_a_field_that_is_refused_with_the_value_before_it_too_is_named_once():
    """Where two fields do not go with the others, nothing but what was open before is left."""
    two = dict(parse_qsl(to_query(TRAFFIC))) | {"top_level": "flat", "num_subsequences": "500"}
    opened, problems = scenario_from_link(two, TRAFFIC)
    assert opened == TRAFFIC
    assert [one.field for one in problems] == ["batch_size", "top_level", "num_subsequences"]


def test_no_value_that_is_refused_is_called_used():
    """One bag has more steps in an epoch than series that are drawn."""
    bag = dict(parse_qsl(to_query(TRAFFIC))) | {"top_level": "flat"}
    said = address.opened_link({name: [text] for name, text in bag.items()}, TRAFFIC).problems
    assert len(said) == 1
    assert said[0].endswith("top_level = without-replacement is used.")


def test_fields_that_a_link_lacks_are_named_with_what_becomes_of_them():
    link = {name: [text] for name, text in parse_qsl(to_query(SHAPE))}
    del link["batch_size"]
    said = "The link lacks batch_size: it keeps its value."
    assert address.opened_link(link, SHAPE).problems == [said]
    del link["num_series"]
    said = "The link lacks num_series, batch_size: they keep their values."
    assert address.opened_link(link, SHAPE).problems == [said]


@pytest.mark.parametrize("text", ["0", "x"])
def test_longer_series_are_not_read_beside_the_lengths_of_another_shape(text):
    link = dict(parse_qsl(to_query(SHAPE))) | {"series_length": text}
    for base in (TRAFFIC, varied(SHAPE, series_lengths=(300,), longer_series_beyond=400)):
        opened, problems = scenario_from_link(link, base)
        assert {problem.field for problem in problems} == {"series_length", "longer_series_beyond"}
        lengths = ("series_length", "longer_series_beyond")
        kept = {name: value for name, value in to_fields(base).items() if name in lengths}
        others = {name: value for name, value in to_fields(SHAPE).items() if name not in lengths}
        assert to_fields(opened) == others | kept


def test_rates_open_without_the_shape_where_nothing_can_replace_its_bad_field():
    link = dict(parse_qsl(to_query(RATES))) | {"num_series": "0"}
    opened, problems = scenario_from_link(link, replace(BARE, delta=0.5))
    assert opened == BARE
    shape = {"num_series", "series_length", "context_length", "forecast_length"}
    assert {problem.field for problem in problems} == shape | {"longer_series_beyond"}


@pytest.mark.parametrize("text", ["0", "x"])
def test_training_length_of_another_unit_is_named_when_it_is_used(text):
    link = dict(parse_qsl(to_query(SHAPE)))
    del link["epochs"]
    opened, problems = scenario_from_link(link | {"steps": text}, SHAPE)
    assert opened == SHAPE
    assert [problem.field for problem in problems] == ["steps", "epochs"]


@pytest.mark.parametrize(
    ("field", "text", "named"),
    [
        ("top_level", "flat", "epochs = 4000"),
        ("num_subsequences", "500", "batch_size = 256"),
        ("forecast_length", "20000", "series_length = 17544"),
    ],
)
def test_a_field_beside_which_another_is_refused_is_given_up_alone(field, text, named):
    """The open scenario's value is no better: the rest of the link is used."""
    good = varied(TRAFFIC, noise_multiplier=2.5, width=3)
    opened, problems = scenario_from_link(dict(parse_qsl(to_query(good))) | {field: text}, TRAFFIC)
    assert opened == good
    (problem,) = problems
    assert problem.field == field
    assert f" is not allowed: with it, {named} is not allowed: " in str(problem)


@pytest.mark.parametrize("schema", ["0", "2", "x", ""])
def test_nothing_is_used_of_a_link_of_another_schema(schema):
    """Its fields may mean something else."""
    link = dict(parse_qsl(to_query(RATES))) | {"schema": schema, "delta": "2", "nonsense": "1"}
    opened, problems = scenario_from_link(link, SHAPE)
    assert opened == SHAPE
    assert [problem.field for problem in problems] == ["schema"]
    assert "nothing of the link was used" in str(problems[0])


def test_refused_touched_windows_stay_unknown():
    """Those of the open scenario belong to its own rates."""
    link = dict(parse_qsl(to_query(BARE))) | {"touched_windows": "6", "start_positions": "5"}
    opened, problems = scenario_from_link(link, RATES.with_rates(bottom_rate=0.5))
    assert [problem.field for problem in problems] == ["touched_windows"]
    assert opened == varied(BARE, touched_windows=None, start_positions=5)


def test_what_a_link_leaves_out_means_what_its_schema_says_not_what_was_open():
    """Also when another field is refused: the width below is 1, not that of the open scenario."""
    needed = ("schema", "num_series", "series_length", "context_length", "forecast_length",
              "batch_size", "noise_multiplier", "epochs")  # fmt: skip
    full = dict(parse_qsl(to_query(TRAFFIC)))
    link = {name: full[name] for name in needed}
    open_before = varied(SHAPE, width=24, level="user")
    opened, problems = scenario_from_link(link | {"nonsense": "1"}, open_before)
    assert [problem.field for problem in problems] == ["nonsense"]
    assert opened == from_fields({name: to_fields(TRAFFIC)[name]
                                  for name in needed})  # fmt: skip


@pytest.mark.parametrize("base", [SHAPE, RATES, BARE], ids=["shape", "rates", "bare"])
def test_a_parameter_of_somebody_else_leaves_all_settings_as_they_are(base):
    """Mail programs append their own, also to a link that has a view only."""
    opened, problems = scenario_from_link({"utm_source": "mail"}, replace(base, delta=0.01))
    assert opened == replace(base, delta=0.01)
    assert [problem.field for problem in problems] == ["utm_source"]


def test_a_link_that_cannot_be_used_names_what_is_kept_instead():
    """A forecast longer than the series that are open: their other fields stay, and are named."""
    base = varied(SHAPE, series_lengths=(30,), delta=0.5)
    opened, problems = scenario_from_link({"forecast_length": "94"}, base)
    assert opened == base
    kept = {problem.field for problem in problems if problem.allowed == MISSING}
    assert {"num_series", "context_length", "batch_size", "delta"} <= kept


QUERIES = [to_query(preset.scenario) for preset in PRESETS.values()]


def code_of(query: str) -> str:
    return shortened(query).removeprefix("z=")


@pytest.mark.parametrize("query", QUERIES)
def test_links_of_scenarios_become_less_than_half(query):
    assert expanded(code_of(query)) == query
    assert len(shortened(query)) < len(query) / 2


@given(st.text(max_size=3000))
def test_any_text_comes_back(text):
    text = text.encode("utf-8", "ignore").decode()
    assert expanded(code_of(text)) == text


@given(st.text(max_size=80))
def test_no_code_breaks_anything(code):
    with suppress(ScenarioError):  # any other error fails
        assert isinstance(expanded(code), str)


def test_what_unpacks_to_more_than_any_link_is_refused():
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(b"a" * 10**7) + packer.flush()
    with pytest.raises(ScenarioError):
        expanded(base64.urlsafe_b64encode(bomb).decode().rstrip("="))


def test_a_code_that_is_cut_off_is_refused():
    with pytest.raises(ScenarioError):
        expanded(code_of(QUERIES[0])[:-8])


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


@pytest.mark.parametrize("states", [200, pytest.param(STATES, marks=pytest.mark.slow)])
def test_a_link_reopens_random_states_exactly(browser, states):
    for scenario, pins, view in random_states()[:states]:
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
