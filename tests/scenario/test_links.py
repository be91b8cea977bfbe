"""Links: all of one that can be used is, with a reason for the rest; shorter ones open the same."""

import base64
import zlib
from contextlib import suppress
from dataclasses import replace
from itertools import product
from urllib.parse import parse_qsl

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
from tests.scenario.changes import TRAFFIC, varied
from tests.scenario.strategies import BARE, RATES, SHAPE


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


@pytest.mark.parametrize("link_of", [SHAPE, RATES], ids=["shape", "rates"])
@pytest.mark.parametrize("text", ["0", "x"])
def test_a_shape_with_one_bad_field_keeps_the_rest(link_of, text):
    """The open scenario's value takes the place of the bad one, which is named."""
    link = dict(parse_qsl(to_query(link_of))) | {"num_series": text}
    base = varied(SHAPE, num_series=900, series_lengths=(30, 40))
    opened, problems = scenario_from_link(link, base)
    assert [problem.field for problem in problems] == ["num_series"]
    assert to_fields(opened) == to_fields(link_of) | {"num_series": 900}


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


def test_rates_in_a_link_open_beside_a_poisson_scenario():
    poisson = varied(SHAPE, bottom_level="poisson")
    link = dict(parse_qsl(to_query(RATES)))
    opened, problems = scenario_from_link(link | {"nonsense": "1"}, poisson)
    assert opened == RATES
    assert [problem.field for problem in problems] == ["nonsense"]


def test_a_link_that_cannot_be_used_at_all_says_so_for_each_field():
    opened, problems = scenario_from_link({"num_series": "3", "noise_multiplier": "9"}, BARE)
    assert opened == BARE
    assert {"num_series", "noise_multiplier"} <= {problem.field for problem in problems}


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
