"""JSON and links: exact round trips, and a named reason for everything refused."""

import json
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpviz.scenario import (
    PRESETS,
    Scenario,
    ScenarioError,
    from_fields,
    from_json,
    from_query,
    scenario_from_link,
    to_fields,
    to_json,
    to_query,
)
from tests.scenario.strategies import RATES_ONLY, scenarios

FIXTURES = Path(__file__).parent / "fixtures"
TOY = PRESETS["toy"].scenario
VALID = scenarios() | RATES_ONLY


@given(VALID)
def test_json_gives_the_same_scenario_back(scenario):
    assert from_json(to_json(scenario)) == scenario
    assert from_json(to_json(scenario, indent=2)) == scenario


@given(VALID)
def test_link_gives_the_same_scenario_back(scenario):
    assert from_query(to_query(scenario)) == scenario
    assert from_query("?" + to_query(scenario)) == scenario
    lenient, problems = scenario_from_link(dict(parse_qsl(to_query(scenario))), TOY)
    assert (lenient, problems) == (scenario, [])


@given(VALID, VALID)
def test_canonical_json_is_equal_exactly_when_the_scenarios_are(one, other):
    assert (to_json(one) == to_json(other)) == (one == other)


@pytest.mark.parametrize("name", ["shape", "rates"])
def test_links_and_json_of_schema_1_keep_opening(name):
    """What was saved with an earlier version opens to the same scenario for ever."""
    scenario = from_json((FIXTURES / f"schema_1_{name}.json").read_text(encoding="utf-8"))
    link = (FIXTURES / f"schema_1_{name}.txt").read_text(encoding="utf-8").strip()
    assert from_query(link) == scenario
    assert (scenario.bottom_rate, scenario.top_rate) == {
        "shape": (143 / 17521, 256 / 862),
        "rates": (0.25, 0.5),
    }[name]
    assert scenario.noise.noise_multiplier == {"shape": 4.0, "rates": 1.5}[name]
    assert scenario.num_steps == {"shape": 12_000, "rates": 100}[name]


def test_absent_fields_mean_what_schema_1_says():
    needed = ("schema", "num_series", "series_length", "context_length", "forecast_length",
              "batch_size", "noise_multiplier", "steps")  # fmt: skip
    fields = to_fields(TOY)
    assert from_fields({name: fields[name] for name in needed}) == TOY


BAD_FIELDS = [
    ("schema", 2), ("schema", True), ("num_series", 0), ("num_series", 1.5), ("num_series", "x"),
    ("num_series", True), ("num_series", float("nan")), ("num_series", 10**400),
    ("series_length", []), ("series_length", [20, 20]),
    ("series_length", 0), ("context_length", -1), ("forecast_length", 0),
("batch_size", 321), ("batch_size", 0),
    ("num_subsequences", 0), ("num_subsequences", 1025), ("noise_multiplier", 0.0),
    ("noise_multiplier", float("inf")), ("noise_multiplier", "1"), ("context_noise", -0.1),
    ("forecast_noise", float("nan")), ("top_level", "random"), ("bottom_level", ""),
    ("relation", "w"), ("relation_width", 0), ("num_channels", 0), ("max_change", 0.0),
    ("steps", 0), ("steps", 10**7 + 1), ("delta", 0.0), ("delta", 1.0), ("time_step", "soon"),
    ("time_step", "0 hours"), ("value_unit", ""), ("value_unit", "x" * 41),
    ("value_unit", "a\nb"), ("longer_series_beyond", 0), ("surprise", 1),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), BAD_FIELDS, ids=lambda value: repr(value)[:20])
def test_bad_value_raises_an_error_naming_field_value_and_what_is_allowed(name, value):
    with pytest.raises(ScenarioError) as refused:
        from_fields(to_fields(TOY) | {name: value})
    assert refused.value.field == name
    assert len(str(refused.value)) > len(name) + 10
    assert len(str(refused.value)) < 700


@pytest.mark.parametrize("name", ["schema", "num_series", "batch_size", "noise_multiplier"])
def test_missing_field_is_named(name):
    fields = to_fields(TOY)
    del fields[name]
    with pytest.raises(ScenarioError) as refused:
        from_fields(fields)
    assert refused.value.field == name


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("bach_size", "batch_size"), ("Delta", "delta"), ("series_lengths", "series_length")],
)
def test_unknown_field_is_named_with_the_nearest_known_one(name, nearest):
    for read in (
        lambda: from_fields(to_fields(TOY) | {name: 1}),
        lambda: from_query(to_query(TOY) + f"&{name}=1"),
    ):
        with pytest.raises(ScenarioError, match=f"no such field; the nearest is {nearest}\\.$"):
            read()


@pytest.mark.parametrize("name", ["surprise", "", "x" * 10_000, "a\nb\x1b[2J"])
def test_unknown_field_of_any_name_is_refused_in_one_short_line(name):
    with pytest.raises(ScenarioError, match=r"there is no such field\.$") as refused:
        from_fields(to_fields(TOY) | {name: 1})
    assert refused.value.field == name
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 150


@pytest.mark.parametrize("text", [b'{"schema": 1,', b"\xff{", '{"caf\u00e9": }'.encode()])
def test_damaged_json_given_as_bytes_is_shown_as_text(text):
    with pytest.raises(ScenarioError) as refused:
        from_json(text)
    shown = str(refused.value)
    assert "= b'" not in shown
    assert "\\x" not in shown
    assert text.decode(errors="replace")[1:6] in shown


def test_steps_and_epochs_exclude_each_other():
    with pytest.raises(ScenarioError, match="either steps or epochs"):
        from_fields(to_fields(TOY) | {"epochs": 3})


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{", "[" * 5000, '{"schema": 1, "schema": 1}', "x" * 30_000]
)
def test_text_that_is_no_scenario_is_refused(text):
    with pytest.raises(ScenarioError):
        from_json(text)


def test_repeated_parameter_of_a_link_is_refused():
    with pytest.raises(ScenarioError) as refused:
        from_query(to_query(TOY) + "&delta=0.1")
    assert refused.value.field == "delta"


JUNK = st.dictionaries(
    st.sampled_from(sorted(to_fields(TOY))) | st.text(max_size=8),
    st.text(max_size=12) | st.sampled_from(["-1", "0", "1", "1e400", "nan", "1_0", "٣"]),
    max_size=8,
)


@given(JUNK)
@example({"schema": "1", "num_series": "3", "batch_size": "32"})
@example({"bottom_rate": "0.5"})
def test_any_link_opens_with_a_reason_for_all_that_was_not_used(query):
    scenario, problems = scenario_from_link(query, TOY)
    assert isinstance(scenario, Scenario)
    named = {problem.field for problem in problems}
    if "schema" in named:
        assert (scenario, named) == (TOY, {"schema"})
        return
    kept = to_fields(scenario)
    for name, text in query.items():
        assert name in named or name in kept, f"{name}={text} vanished"


def test_lenient_reading_keeps_the_good_fields():
    link = dict(parse_qsl(to_query(PRESETS["traffic"].scenario)))
    scenario, problems = scenario_from_link(link | {"delta": "2", "wrong": "1"}, TOY)
    assert sorted(problem.field for problem in problems) == ["delta", "wrong"]
    assert json.loads(to_json(scenario)) == to_fields(PRESETS["traffic"].scenario)
