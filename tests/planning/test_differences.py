"""What differs between two runs is told completely, and each difference by itself."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning.comparison import DATA_FIELDS, Difference, differences, with_taken_over
from dpviz.scenario import PRESETS, DataShape, Rates, Scenario, ScenarioError, TimeStep, to_fields
from tests.scenario.changes import varied
from tests.scenario.strategies import RATES_ONLY, scenarios

TOY = PRESETS["toy"].scenario
# Noise that is all but none divides by nearly zero, which is not what is asked here.
NOISES = ("context_noise", "forecast_noise")
ANY = (scenarios() | RATES_ONLY).filter(
    lambda scenario: all(not 0 < getattr(scenario.noise, name) < 1e-3 for name in NOISES)
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Scenario, Scenario]:
    """Two scenarios that differ in everything, or in a few fields only."""
    here, there = draw(ANY), draw(ANY)
    names = sorted(to_fields(here).keys() | to_fields(there).keys())
    few = draw(st.lists(st.sampled_from(names), max_size=3))
    try:
        return here, with_taken_over(here, there, few)
    except ScenarioError:
        return here, there


def told(scenario: Scenario) -> dict:
    """The fields that a bound or its meaning depends on."""
    fields = to_fields(scenario)
    unused = {"delta", "time_step", "value_unit"}
    if isinstance(scenario.data, Rates):
        unused |= {
            "num_series", "series_length", "context_length", "forecast_length",
            "longer_series_beyond",
        }  # fmt: skip
    return {name: value for name, value in fields.items() if name not in unused}


def fields_that_differ(here: Scenario, there: Scenario) -> list[tuple[str, ...]]:
    return [found.fields for found in differences(here, there)]


@given(pairs())
def test_all_differences_together_are_the_other_run(pair):
    """Nothing that differs is left out but delta, units, and a shape that is not in use."""
    here, there = pair
    found = differences(here, there)
    names = [name for difference in found for name in difference.fields]
    assert len(names) == len(set(names))
    after = with_taken_over(here, there, names)
    assert told(after) == told(there)
    assert (after.delta, after.units) == (here.delta, here.units)
    if after.shape is not None:
        assert replace(there, delta=here.delta, units=here.units) == after
    assert (found == ()) == (told(here) == told(there))
    for difference in found:
        assert_changes_its_own_fields_only(difference, here, there)


def assert_changes_its_own_fields_only(found: Difference, here: Scenario, there: Scenario) -> None:
    if found.alone is None:
        return
    assert found.alone != here
    mine, theirs, alone = told(here), told(there), told(found.alone)
    taken = set(found.fields)
    if {"bottom_rate", "top_rate"} <= taken:
        taken |= set(DATA_FIELDS)  # also those that are the same in a shape not in use
    for name in alone.keys() | mine.keys() | theirs.keys():
        expected = theirs if name in taken else mine
        assert alone.get(name) == expected.get(name), name


@given(ANY, st.floats(1e-15, 0.999))
def test_delta_and_units_are_no_differences(scenario, delta):
    step = varied(scenario, delta=delta, time_step=TimeStep(3, "week"))
    assert differences(scenario, step) == ()


def test_steps_and_epochs_are_one_difference():
    epochs = varied(TOY, epochs=100)
    (found,) = differences(TOY, epochs)
    assert found.fields == ("steps", "epochs")
    assert found.alone == epochs


def test_rates_against_a_shape_are_one_difference():
    by_rates = varied(TOY.with_rates(bottom_rate=0.2), noise_multiplier=2.0)
    data, sigma = differences(TOY, by_rates)
    assert {"bottom_rate", "top_rate", "steps_per_epoch"} <= set(data.fields)
    assert data.alone == TOY.with_rates(bottom_rate=0.2)
    assert sigma.fields == ("noise_multiplier",)


def test_what_belongs_to_a_rate_goes_with_it():
    long = varied(TOY, series_lengths=(200,)).with_rates()
    (found,) = differences(TOY.with_rates(), long)
    assert found.fields == ("bottom_rate", "start_positions")
    assert found.alone is not None
    assert found.alone.bottom_rate == long.bottom_rate


def test_what_is_allowed_only_together_has_no_scenario_of_its_own():
    """A batch of more series than there are is none."""
    large = varied(TOY, num_series=1000, batch_size=500)
    series, batch = differences(TOY, large)
    assert (series.fields, batch.fields) == (("num_series",), ("batch_size",))
    assert series.alone is not None
    assert batch.alone is None


def test_what_no_bound_covers_alone_has_no_scenario_of_its_own():
    """Of series of many lengths, those that wider windows would need were left out."""
    shape = DataShape(
        num_series=10, series_lengths=(5, 9), context_length=2, forecast_length=2,
        longer_series_beyond=4,
    )  # fmt: skip
    here = varied(TOY, data=shape, batch_size=2, bottom_level="poisson")
    there = varied(here, context_length=6, series_lengths=(5, 9, 12), longer_series_beyond=8)
    lengths, context = differences(here, there)
    assert lengths.fields == ("series_length", "longer_series_beyond")
    assert lengths.alone is not None
    assert context.alone is None


@pytest.mark.parametrize("width", [1, 24])
def test_a_wider_relation_brings_the_shape_that_allows_it(width):
    bare = replace(TOY, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10))
    wide = varied(TOY, width=24).with_rates(bottom_rate=0.1)
    found = {fields.fields: fields.alone for fields in differences(bare, wide)}
    alone = found["relation_width",]
    assert alone is not None
    assert alone.relation.width == 24
    assert alone.bottom_rate == 0.1


def test_the_order_is_data_sampling_noise_training_relation():
    other = varied(TOY, num_series=400, batch_size=64, noise_multiplier=2.0, steps=10, width=2)
    assert [fields[0] for fields in fields_that_differ(TOY, other)] == [
        "num_series", "batch_size", "noise_multiplier", "steps", "relation_width",
    ]  # fmt: skip


@settings(max_examples=50)
@given(ANY.filter(lambda one: one.shape is not None), ANY.filter(lambda one: one.shape is None))
def test_data_is_one_difference_between_rates_and_a_shape(shaped, rated):
    for pair in ((shaped, rated), (rated, shaped)):
        data = differences(*pair)[0].fields
        assert set(data) <= set(DATA_FIELDS)
        assert {"bottom_rate", "top_rate"} <= set(data)
