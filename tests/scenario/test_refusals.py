"""Every field refuses what it cannot mean, by name; nothing given is silently left out."""

import json
from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import (
    PRESETS,
    Rates,
    Scenario,
    ScenarioError,
    TimeStep,
    from_fields,
    from_json,
    from_query,
    scenario_from_link,
    to_fields,
    to_json,
    to_query,
)
from dpviz.scenario.fields import FIELD_NAMES
from tests.scenario.strategies import RATES_ONLY, scenarios

SHAPE = replace(
    PRESETS["traffic"].scenario,
    relation=replace(PRESETS["traffic"].scenario.relation, max_change=0.1),
    units=replace(PRESETS["traffic"].scenario.units, value_unit="occupancy"),
    data=replace(PRESETS["traffic"].scenario.data, longer_series_beyond=120),
)
RATES = SHAPE.with_rates()
# The first and last value of each number that is allowed on its own.
LIMITS = {
    "num_series": (1, 10**9), "context_length": (0, 10**6), "forecast_length": (1, 10**6),
    "series_length": (1, 10**9), "longer_series_beyond": (1, 10**9), "batch_size": (1, 10**9),
    "num_subsequences": (1, 64), "relation_width": (1, 10**6), "num_channels": (1, 10**6),
    "epochs": (1, 10**7), "bottom_rate": (1e-9, 1.0), "top_rate": (1e-9, 1.0),
    "steps_per_epoch": (1, 10**9), "forecast_share": (0.0, 1.0), "touched_windows": (1, 10**9),
    "start_positions": (1, 10**9), "noise_multiplier": (0.1, 100.0),
    "context_noise": (0.0, 1e6), "forecast_noise": (0.0, 1e6), "max_change": (1e-12, 1e12),
    "delta": (1e-15, 0.999),
}  # fmt: skip
NO_NUMBERS = [float("nan"), float("inf"), -float("inf"), 10**400, True, "7", "", None, [[]], {}]
TEXTS = ["top_level", "bottom_level", "relation", "time_step", "value_unit"]
NO_TEXTS = [7, 1.5, True, "", " ", "x" * 300, "a\x00b", "\u202e", ["event"], {}]


def refusal(fields, name):
    with pytest.raises(ScenarioError) as refused:
        from_fields(fields)
    assert refused.value.field == name
    assert refused.value.allowed
    assert str(refused.value).startswith(name)
    return refused.value


def base_with(name):
    return to_fields(RATES if name not in to_fields(SHAPE) else SHAPE)


def test_every_field_is_covered_here():
    assert set(LIMITS) | set(TEXTS) | {"schema", "steps"} == FIELD_NAMES


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("wrong", NO_NUMBERS, ids=lambda value: repr(value)[:12])
def test_number_fields_take_numbers_only(name, wrong):
    """Neither booleans nor text nor infinities; absent optional values may be null."""
    optional = ("max_change", "longer_series_beyond", "forecast_share", "touched_windows",
                "start_positions")  # fmt: skip
    fields = base_with(name) | {name: wrong}
    if wrong is None and name in optional:
        assert from_fields(fields) is not None
    else:
        refusal(fields, name)


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("side", [0, 1])
def test_numbers_beyond_the_limits_are_refused_with_the_value(name, side):
    limit = LIMITS[name][side]
    beyond = limit + (2 * side - 1) * (1 if isinstance(limit, int) else max(limit, 1e-9) * 1e-6)
    refused = refusal(base_with(name) | {name: beyond}, name)
    given_value = refused.value[0] if isinstance(refused.value, tuple | list) else refused.value
    assert given_value == beyond


@pytest.mark.parametrize("name", ["delta", "noise_multiplier", "forecast_share", "max_change"])
@pytest.mark.parametrize("side", [0, 1])
def test_the_limits_themselves_are_allowed(name, side):
    scenario = from_fields(base_with(name) | {name: LIMITS[name][side]})
    assert to_fields(scenario)[name] == LIMITS[name][side]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("wrong", NO_TEXTS, ids=lambda value: repr(value)[:12])
def test_text_fields_take_short_printable_text_only(name, wrong):
    refusal(to_fields(SHAPE) | {name: wrong}, name)


@pytest.mark.parametrize("wrong", [0, 2, 1.5, True, "1", None, float("nan")])
def test_other_schemas_are_refused(wrong):
    refusal(to_fields(SHAPE) | {"schema": wrong}, "schema")


@pytest.mark.parametrize("name", ["num_series", "steps_per_epoch"])
def test_repeated_keys_in_json_are_refused(name):
    text = to_json(RATES)
    with pytest.raises(ScenarioError) as refused:
        from_json(text[:-1] + f', "{name}": 3}}')
    assert refused.value.field == name


@pytest.mark.parametrize(
    "name", ["steps_per_epoch", "forecast_share", "touched_windows", "start_positions"]
)
def test_what_belongs_to_rates_is_not_silently_ignored_without_them(name):
    """A shape decides its own steps per epoch: giving another number is an error."""
    refusal(to_fields(SHAPE) | {name: to_fields(RATES)[name]}, name)


def test_what_belongs_to_a_shape_is_not_silently_ignored_without_it():
    bare = to_fields(replace(RATES, data=replace(RATES.data, last_shape=None)))
    refusal(bare | {"longer_series_beyond": 3}, "longer_series_beyond")


@pytest.mark.parametrize("count", [1, 59, 10**7, 10**15])
def test_time_steps_of_any_length_survive_the_round_trip(count):
    scenario = replace(SHAPE, units=replace(SHAPE.units, time_step=TimeStep(count, "second")))
    assert from_json(to_json(scenario)) == scenario
    assert from_query(to_query(scenario)) == scenario


@given(scenarios() | RATES_ONLY, st.sampled_from(sorted(FIELD_NAMES)), st.text(max_size=9))
def test_one_bad_field_leaves_all_others_as_the_link_says(scenario, name, text):
    """Whatever scenario is open: a link with one bad field is not mixed up with it."""
    link = dict(parse_qsl(to_query(scenario)))
    fields = to_fields(scenario)
    for base in (SHAPE, RATES):
        opened, problems = scenario_from_link(link | {name: text}, base)
        named = {problem.field for problem in problems}
        kept = to_fields(opened)
        for field, value in fields.items():
            assert field == name or field in named or kept.get(field) == value


def test_what_a_link_leaves_out_means_what_its_schema_says_not_what_was_open():
    """Also when another field is refused: the width below is 1, not that of the open scenario."""
    needed = ("schema", "num_series", "series_length", "context_length", "forecast_length",
              "batch_size", "noise_multiplier", "epochs")  # fmt: skip
    full = dict(parse_qsl(to_query(PRESETS["traffic"].scenario)))
    link = {name: full[name] for name in needed}
    open_before = replace(SHAPE, relation=replace(SHAPE.relation, width=24, level="user"))
    opened, problems = scenario_from_link(link | {"nonsense": "1"}, open_before)
    assert [problem.field for problem in problems] == ["nonsense"]
    assert opened == from_fields({name: to_fields(PRESETS["traffic"].scenario)[name]
                                  for name in needed})  # fmt: skip


def test_rates_in_a_link_open_beside_a_poisson_scenario():
    poisson = replace(SHAPE, sampling=replace(SHAPE.sampling, bottom_level="poisson"))
    link = dict(parse_qsl(to_query(RATES)))
    opened, problems = scenario_from_link(link | {"nonsense": "1"}, poisson)
    assert opened == RATES
    assert [problem.field for problem in problems] == ["nonsense"]


def test_a_link_with_a_shape_is_not_overridden_by_rates_that_were_open():
    link = dict(parse_qsl(to_query(SHAPE))) | {"delta": "2"}
    opened, problems = scenario_from_link(link, RATES.with_rates(bottom_rate=0.9))
    assert [problem.field for problem in problems] == ["delta"]
    assert opened == SHAPE


def test_a_link_that_cannot_be_used_at_all_says_so_for_each_field():
    bare = replace(RATES, data=replace(RATES.data, last_shape=None))
    opened, problems = scenario_from_link({"num_series": "3", "noise_multiplier": "9"}, bare)
    assert opened == bare
    assert {"num_series", "noise_multiplier"} <= {problem.field for problem in problems}


def test_a_pass_never_counts_for_more_steps_than_its_batches_allow():
    """Half of the series in a batch: after two steps the next pass begins, in any case."""
    scenario = replace(
        SHAPE.with_rates(top_rate=0.5), training=replace(SHAPE.training, unit="steps", count=1000)
    )
    for steps_per_epoch, passes in ((1, 1000), (2, 500), (3, 500), (1000, 500)):
        data = replace(scenario.data, steps_per_epoch=steps_per_epoch)
        assert isinstance(data, Rates)
        assert replace(scenario, data=data).num_epochs == passes


@given(scenarios())
def test_passes_over_a_shape_use_no_series_twice(scenario: Scenario):
    """floor(N lambda / Lambda) steps never draw more series than there are."""
    if scenario.shape is not None:
        drawn = scenario.steps_per_epoch * scenario.sampling.series_per_batch
        assert drawn <= scenario.shape.num_series
        unrounded = -(-scenario.num_steps // scenario.steps_per_epoch)
        assert scenario.num_epochs == unrounded


def test_canonical_json_is_one_line_in_a_fixed_order():
    """The cache key: equal scenarios, equal text, whatever the order of the fields read."""
    shuffled = dict(sorted(to_fields(SHAPE).items(), reverse=True))
    assert to_json(from_json(json.dumps(shuffled))) == to_json(SHAPE)
    assert "\n" not in to_json(SHAPE)
