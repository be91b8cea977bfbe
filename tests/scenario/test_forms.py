"""JSON and links, of ledgers too: exact round trips, and refusals that name the field."""

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import given

from dpviz.scenario import (
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
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.scenario.ledger import (
    LEDGER_PARAMETERS,
    MOST_RUNS,
    NamedRun,
    ledger_from_json,
    ledger_from_query,
    ledger_to_json,
    ledger_to_query,
    with_run,
)
from dpviz.settings.view import view_from_query, view_to_query
from tests.scenario.changes import TOY, TRAFFIC, varied
from tests.scenario.strategies import BARE, RATES, RATES_ONLY, SHAPE, scenarios

FIXTURES = Path(__file__).parent / "fixtures"
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


def refusal(fields, name):
    with pytest.raises(ScenarioError) as refused:
        from_fields(fields)
    assert refused.value.field == name
    assert refused.value.allowed
    assert str(refused.value).startswith(name)
    return refused.value


@pytest.mark.parametrize("name", ["schema", "num_series", "batch_size", "noise_multiplier"])
def test_missing_field_is_named(name):
    fields = to_fields(TOY)
    del fields[name]
    refusal(fields, name)


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


def test_repeated_parameter_of_a_link_is_refused():
    with pytest.raises(ScenarioError, match=r"^delta\b"):
        from_query(to_query(TOY) + "&delta=0.1")


def test_lenient_reading_keeps_the_good_fields():
    link = dict(parse_qsl(to_query(TRAFFIC)))
    scenario, problems = scenario_from_link(link | {"delta": "2", "wrong": "1"}, TOY)
    assert sorted(problem.field for problem in problems) == ["delta", "wrong"]
    assert json.loads(to_json(scenario)) == to_fields(TRAFFIC)


# The first and last value of each number that is allowed on its own.
LIMITS = {
    "num_series": (1, 10**9), "context_length": (0, 10**6), "forecast_length": (1, 10**6),
    "series_length": (1, 10**9), "longer_series_beyond": (1, 10**9), "batch_size": (1, 10**9),
    "num_subsequences": (1, 1024), "relation_width": (1, 10**6), "num_channels": (1, 10**6),
    "epochs": (1, 10**7), "bottom_rate": (1e-9, 1.0), "top_rate": (1e-9, 1.0),
    "steps_per_epoch": (1, 10**9), "forecast_share": (0.0, 1.0), "touched_windows": (1, 10**9),
    "start_positions": (1, 10**9), "noise_multiplier": (0.1, 100.0),
    "context_noise": (0.0, 1e6), "forecast_noise": (0.0, 1e6), "max_change": (1e-12, 1e12),
    "delta": (1e-15, 0.999), "series_per_person": (1, 1000),
}  # fmt: skip
NO_NUMBERS = [float("nan"), float("inf"), -float("inf"), 10**400, True, "7", "", None, [[]], {}]
TEXTS = ["top_level", "bottom_level", "relation", "time_step", "value_unit"]
NO_TEXTS = [7, 1.5, True, "", " ", "x" * 300, "a\x00b", "\u202e", ["event"], {}]


def base_with(name):
    return to_fields(RATES if name not in to_fields(SHAPE) else SHAPE)


def test_every_field_is_covered_here():
    assert set(LIMITS) | set(TEXTS) | {"schema", "steps"} == FIELD_NAMES


@pytest.mark.parametrize("name", LIMITS)
def test_number_fields_take_numbers_only(name):
    """Neither booleans nor text nor infinities; absent optional values may be null."""
    optional = ("max_change", "longer_series_beyond", "forecast_share", "touched_windows",
                "start_positions")  # fmt: skip
    others = {field: value for field, value in base_with(name).items() if field != name}
    for wrong in NO_NUMBERS:
        fields = others | {name: wrong}
        if wrong is None and name in optional:
            assert from_fields(fields) == from_fields(others)
        else:
            refusal(fields, name)


@pytest.mark.parametrize("name", LIMITS)
def test_numbers_beyond_the_limits_are_refused_with_the_value(name):
    for side, limit in enumerate(LIMITS[name]):
        beyond = limit + (2 * side - 1) * (1 if isinstance(limit, int) else max(limit, 1e-9) * 1e-6)
        refused = refusal(base_with(name) | {name: beyond}, name)
        assert refused.value in (beyond, (beyond,), [beyond])


@pytest.mark.parametrize("name", ["delta", "noise_multiplier", "forecast_share", "max_change"])
def test_the_limits_themselves_are_allowed(name):
    for limit in LIMITS[name]:
        assert to_fields(from_fields(base_with(name) | {name: limit}))[name] == limit


@pytest.mark.parametrize("name", TEXTS)
def test_text_fields_take_short_printable_text_only(name):
    for wrong in NO_TEXTS:
        refusal(to_fields(SHAPE) | {name: wrong}, name)


@pytest.mark.parametrize("wrong", [0, 2, 1.5, True, "1", None, float("nan")])
def test_other_schemas_are_refused(wrong):
    refusal(to_fields(SHAPE) | {"schema": wrong}, "schema")


@pytest.mark.parametrize(
    "name", ["steps_per_epoch", "forecast_share", "touched_windows", "start_positions"]
)
def test_what_belongs_to_rates_is_not_silently_ignored_without_them(name):
    """A shape decides its own steps per epoch: giving another number is an error."""
    refusal(to_fields(SHAPE) | {name: to_fields(RATES)[name]}, name)


def test_what_belongs_to_a_shape_is_not_silently_ignored_without_it():
    refusal(to_fields(BARE) | {"longer_series_beyond": 3}, "longer_series_beyond")


def test_more_touched_windows_than_start_positions_are_refused():
    assert replace(RATES.data, touched_windows=5, start_positions=5).touched_windows == 5
    fields = to_fields(RATES) | {"touched_windows": 6, "start_positions": 5}
    refused = refusal(fields, "touched_windows")
    assert (refused.value, refused.allowed) == (6, "it must be at most start_positions (5)")


def test_a_pass_never_counts_for_more_steps_than_its_batches_allow():
    """Half of the series in a batch: after two steps the next pass begins, in any case."""
    scenario = varied(SHAPE.with_rates(top_rate=0.5), steps=1000)
    for steps_per_epoch, passes in ((1, 1000), (2, 500), (3, 500), (1000, 500)):
        changed = varied(scenario, steps_per_epoch=steps_per_epoch)
        assert changed.num_epochs == passes
        # Counted in epochs, it is the same training.
        assert varied(changed, epochs=passes).num_steps == 1000


@given(scenarios())
def test_passes_over_a_shape_use_no_series_twice(scenario: Scenario):
    """floor(N lambda / Lambda) steps never draw more series than there are."""
    if scenario.shape is not None:
        drawn = scenario.steps_per_epoch * scenario.sampling.series_per_batch
        assert drawn <= scenario.shape.num_series
        unrounded = -(-scenario.num_steps // scenario.steps_per_epoch)
        assert scenario.num_epochs == unrounded


def test_canonical_json_is_one_line_in_a_fixed_order():
    shuffled = dict(sorted(to_fields(SHAPE).items(), reverse=True))
    assert to_json(from_json(json.dumps(shuffled))) == to_json(SHAPE)
    assert "\n" not in to_json(SHAPE)


OTHER = varied(TOY, noise_multiplier=2.0, delta=1e-5)
RUNS = (
    NamedRun(name="pilot & more = 1; ε, %41", scenario=TOY),
    NamedRun(name="+ second", scenario=OTHER),
)


def test_a_link_and_json_give_the_same_runs_back():
    assert ledger_from_query(ledger_to_query(RUNS)) == RUNS
    assert ledger_from_json(ledger_to_json(RUNS)) == RUNS
    assert ledger_from_json(ledger_to_json(RUNS).encode()) == RUNS


def test_a_full_ledger_refuses_one_more_and_keeps_what_it_has():
    runs: tuple[NamedRun, ...] = ()
    for number in range(MOST_RUNS):
        runs = with_run(runs, NamedRun(name=f"run {number}", scenario=TOY))
    with pytest.raises(ScenarioError, match=f"at most {MOST_RUNS} runs"):
        with_run(runs, NamedRun(name="one more", scenario=TOY))
    query = ledger_to_query(runs)
    assert tuple(query) == LEDGER_PARAMETERS
    assert ledger_from_query(query) == runs


def test_two_runs_have_two_names():
    with pytest.raises(ScenarioError, match="another run of the ledger has this name"):
        with_run(RUNS, replace(RUNS[0], scenario=OTHER))


@pytest.mark.parametrize("name", ["", " pilot", "a\nb", "x" * 41, None, 3])
def test_a_name_is_short_printable_text(name):
    with pytest.raises(ScenarioError, match="run_name"):
        NamedRun(name=name, scenario=TOY)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name=x", "schema: it is missing"),
        ("schema=1&name=x&noise=3", "noise = '3' is not allowed: there is no such field"),
        ("name=x&name=y", "name = 'y' is not allowed: it is given more than once"),
        ("%00", "there is no such field"),
    ],
)
def test_a_run_of_a_link_that_cannot_be_used_is_named_and_costs_no_other(text, said):
    view, [problem] = view_from_query({**ledger_to_query(RUNS), "run_3": text})
    assert ledger_from_query(view_to_query(view)) == RUNS
    assert str(problem).startswith("run_3 = ")
    assert "it must be a run of a ledger, but " in str(problem)
    assert said in str(problem)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it must be a JSON object such as"),
        ("[1]", "it must be a JSON object such as"),
        ('{"runs": []}', "it must be a JSON object such as"),
        ('{"runs": [3]}', "run 1 is none"),
        ('{"runs": [{"scenario": {"schema": 1}}]}', "(in run 1 of the ledger)"),
        (json.dumps({"runs": [{}] * 101}), "it has 101 runs: at most 100 are read"),
        ("[" * 10_000, "it must be a JSON object such as"),
        (" " * 1_000_001, "at most 1,000,000 bytes"),
    ],
    ids=range(8),
)
def test_what_is_no_ledger_is_said(text, said):
    with pytest.raises(ScenarioError) as refused:
        ledger_from_json(text)
    assert said in str(refused.value)
