"""Which run is the best in what, for an individual; and what differs between two, completely."""

import math
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning import curves_of
from dpviz.planning.comparison import (
    DATA_FIELDS,
    ComparedRun,
    Difference,
    WhyNone,
    best_epsilon,
    best_noise,
    covers,
    differences,
    refusal,
    with_taken_over,
)
from dpviz.scenario import (
    DataShape,
    Rates,
    Relation,
    Scenario,
    ScenarioError,
    TimeStep,
    Units,
    to_fields,
)
from tests.planning.kinds import RUNS, TOY, run_of, run_with
from tests.scenario.changes import varied
from tests.scenario.strategies import RATES_ONLY, scenarios

NOISES = st.floats(0.1, 100.0)
BATCHES = st.integers(1, 320)


def with_noise(name: str, sigma: float, batch: int) -> ComparedRun:
    scenario = varied(TOY, batch_size=batch, noise_multiplier=sigma)
    return ComparedRun(name=name, scenario=scenario, curves=None)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.floats(0.0, 50.0), st.floats(0.0, 0.02)) | st.just((None, None)),
        min_size=2,
        max_size=7,
    )
)
def test_best_epsilon_is_the_smallest_for_an_individual_whatever_the_order(drawn):
    runs = [
        run_with(str(at), high if high is None else high * (1 - gap), high)
        for at, (high, gap) in enumerate(drawn)
    ]
    best = best_epsilon(runs)
    assert (best.why_none is None) == bool(best.names)
    finite = [high for high, _ in drawn if high is not None]
    for name in best.names:
        high, _ = drawn[int(name)]
        assert high <= 1.01 * min(finite)
    if best.names:
        smallest = next(d for d in drawn if d[0] == min(finite))
        assert str(drawn.index(smallest)) in best.names
        assert len(best.names) < len(runs)
    elif best.why_none is WhyNone.NO_BOUND:
        assert not finite
    else:
        assert best.why_none is WhyNone.ALL_ALIKE
        assert max(finite) <= 1.01 * min(finite)
        assert len(finite) == len(runs)
    assert set(best_epsilon(runs[::-1]).names) == set(best.names)


@settings(max_examples=60)
@given(st.lists(st.tuples(NOISES, BATCHES), min_size=2, max_size=7))
def test_best_noise_is_the_least_noise_per_gradient(drawn):
    runs = [with_noise(str(at), sigma, batch) for at, (sigma, batch) in enumerate(drawn)]
    noises = [sigma / batch for sigma, batch in drawn]
    best = best_noise(runs)
    if best.names:
        assert str(noises.index(min(noises))) in best.names
        others = [noise for at, noise in enumerate(noises) if str(at) not in best.names]
        assert min(others) > max(noises[int(name)] for name in best.names)
    else:
        assert best.why_none is WhyNone.ALL_ALIKE
        assert max(noises) <= 1.001 * min(noises)


def test_runs_that_are_told_with_the_same_digits_share_the_mark_and_no_others():
    runs = [run_with("a", 9.99, 10.0), run_with("b", 9.995, 10.01), run_with("c", 11.0, 11.01)]
    assert best_epsilon(runs[:2]).why_none is WhyNone.ALL_ALIKE
    equal = run_with("d", 9.9995, 9.9996)  # told as 10, and resolved
    assert best_epsilon([*runs, equal]).names == ("a", "d")
    assert best_epsilon([run_with("a", 9.9991, 9.9992), equal]).why_none is WhyNone.ALL_ALIKE
    # Proven is the quoted end: a wide bracket that begins lower is no tie.
    wide = run_with("wide", 5.0, 20.0)
    assert best_epsilon([runs[0], wide]).names == ("a",)


def test_nothing_is_the_best_of_one_and_nothing_while_bounds_are_computed():
    one = run_of("drawn")
    assert best_epsilon([one]).why_none is best_noise([one]).why_none is WhyNone.ONE_RUN
    waiting = ComparedRun(name="b", scenario=RUNS["walked"], curves=None)
    assert best_epsilon([one, waiting]).why_none is WhyNone.COMPUTING
    coarse = replace(run_of("walked"), is_exact=False)
    assert best_epsilon([one, coarse]).why_none is WhyNone.COMPUTING
    left_out = replace(coarse, is_left_out=True)
    assert best_epsilon([one, left_out]).why_none is WhyNone.LEFT_OUT
    assert best_epsilon([one, left_out, waiting]).why_none is WhyNone.COMPUTING


def test_run_that_no_bound_covers_is_waited_for_by_nobody_and_never_the_best():
    unknown = varied(TOY, longer_series_beyond=1, forecast_noise=1.0)
    said = refusal(unknown)
    assert said.startswith("longer_series_beyond = 1 is not allowed")
    runs = [run_of("drawn"), ComparedRun(name="b", scenario=unknown, curves=None, refusal=said)]
    assert best_epsilon(runs).names == ("drawn",)
    assert not any(refusal(scenario) for scenario in RUNS.values())


def test_no_finite_epsilon_is_worse_than_any():
    delta = RUNS["no finite epsilon"].delta
    small = replace(TOY, delta=delta)
    runs = [
        run_of("no finite epsilon"),
        ComparedRun(name="toy", scenario=small, curves=curves_of(small)),
    ]
    assert best_epsilon(runs).names == ("toy",)
    assert best_epsilon([runs[0], replace(runs[0], name="b")]).why_none is WhyNone.NO_BOUND


def test_small_number_for_one_value_is_no_better_than_a_larger_one_for_a_week():
    narrow = run_with("narrow", 1.0, 1.0)
    wide = run_with("wide", 2.0, 2.0, relation=Relation(width=168))
    assert best_epsilon([narrow, wide]).why_none is WhyNone.OTHER_PROTECTION
    # Who protects more with less is the best all the same.
    wide = run_with("wide", 0.5, 0.5, relation=Relation(width=168))
    assert best_epsilon([narrow, wide]).names == ("wide",)


@pytest.mark.parametrize(
    ("one", "other", "is_covered"),
    [
        (Relation(level="user", width=3), Relation(width=3), True),
        (Relation(width=3), Relation(level="user", width=3), False),
        (Relation(width=3), Relation(level="user", width=1), True),
        (Relation(width=2), Relation(width=3), False),
        # Without noise on windows a bound holds for changes of any size and in all channels.
        (Relation(max_change=1.0), Relation(num_channels=5), True),
    ],
)
def test_what_covers_what(one, other, is_covered):
    first = run_with("a", 1.0, 1.0, relation=one).curves
    assert covers(first, run_with("b", 1.0, 1.0, relation=other).curves) is is_covered


# v, or that none is given.
CHANGES = st.sampled_from([None, 1.0, 2.0])
RELATIONS = st.builds(
    Relation,
    level=st.sampled_from(["event", "user"]),
    width=st.integers(1, 3),
    max_change=CHANGES,
    num_channels=st.integers(1, 2),
    series_per_person=st.integers(1, 2),
)
# A drawn bound holds for any change, those of noise on windows for changes of at most v.
PROTECTIONS = st.tuples(st.sampled_from(["drawn", "noise on labels"]), RELATIONS)
# How many values of how many series change, whether in a row, in how many channels, by how much.
ANY_CHANGES = list(
    product((1, 2, 3), (True, False), (1, 2), (1, 2, 3), (0.5, 1.0, 1.5, 2.0, 2.5, math.inf))
)


def hidden(kind: str, relation: Relation, not_given: float) -> set[tuple]:
    """The changes of data that a bound is about, with the v that is not given set to a number."""
    v = relation.max_change or not_given
    is_limited = kind != "drawn"
    return {
        (values, in_a_row or values == 1, series, channels, size)
        for values, in_a_row, series, channels, size in ANY_CHANGES
        if values <= relation.width
        and (in_a_row or values == 1 or relation.level == "user")
        and series <= relation.series_per_person
        and not (is_limited and (channels > relation.num_channels or size > v))
    }


@settings(max_examples=300)
@given(PROTECTIONS, PROTECTIONS)
def test_a_bound_covers_another_if_and_only_if_it_is_about_all_of_its_changes(one, other):
    first, second = (
        run_with(name, 1.0, 1.0, kind, relation=relation).curves
        for name, (kind, relation) in zip("ab", (one, other), strict=True)
    )
    # Whatever v is where it is not given: it is one number.
    always = all(hidden(*one, v) >= hidden(*other, v) for v in (0.5, 1.0, 1.5, 2.0, 2.5))
    assert covers(first, second) is always


@settings(max_examples=100)
@given(st.lists(st.tuples(PROTECTIONS, st.sampled_from([1.0, 1.005, 2.0])), min_size=2, max_size=5))
def test_the_best_is_about_all_that_any_other_bound_is_about(drawn):
    runs = [
        run_with(str(at), high, high, kind, relation=relation)
        for at, ((kind, relation), high) in enumerate(drawn)
    ]
    for name in best_epsilon(runs).names:
        best, _ = drawn[int(name)]
        for other, _ in drawn:
            assert all(hidden(*best, v) >= hidden(*other, v) for v in (0.5, 1.0, 2.0, 2.5))


def test_a_v_in_another_unit_is_another_v():
    limit, here = Relation(max_change=1.0), Units(value_unit="cars")
    one = run_with("a", 1.0, 1.0, "noise on labels", relation=limit, units=here)
    other = run_with("b", 1.0, 1.0, "noise on labels", relation=limit)
    assert not covers(one.curves, other.curves)
    assert covers(one.curves, one.curves)


def test_a_week_of_limited_changes_and_one_value_of_any_change_have_no_best():
    v = Relation(max_change=0.2)
    week = run_with("a", 2.0, 2.0, "noise on labels", relation=replace(v, width=336))
    free = run_with("b", 1.999, 2.0, relation=v)
    assert best_epsilon([week, free]).why_none is WhyNone.OTHER_PROTECTION
    # A bound on one value of limited changes is about less than either.
    narrow = run_with("c", 1.999, 2.0, "noise on labels", relation=v)
    assert best_epsilon([week, narrow]).names == ("a",)
    assert best_epsilon([free, narrow]).names == ("b",)


def test_runs_at_different_deltas_are_refused():
    other = replace(TOY, delta=1e-5)
    with pytest.raises(ScenarioError, match="delta = 1e-05"):
        best_epsilon([run_of("drawn"), ComparedRun(name="b", scenario=other, curves=None)])
    with pytest.raises(ScenarioError, match="delta = 1e-07"):
        ComparedRun(name="b", scenario=other, curves=run_of("drawn").curves)


# Differences.

# Noise that is all but none divides by nearly zero, which is not what is asked here.
NOISED_PARTS = ("context_noise", "forecast_noise")
ANY = (scenarios() | RATES_ONLY).filter(
    lambda scenario: all(not 0 < getattr(scenario.noise, name) < 1e-3 for name in NOISED_PARTS)
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


def test_lengths_that_some_were_left_out_of_come_with_the_forecast_s():
    """Lengths of the one beside forecasts of the other would lack those that may be the worst."""
    short = DataShape(
        num_series=10, series_lengths=(41,), context_length=40, forecast_length=1,
        longer_series_beyond=41,
    )  # fmt: skip
    here = varied(TOY, data=short, batch_size=2, bottom_level="poisson")
    there = varied(
        here,
        context_length=10,
        forecast_length=31,
        series_lengths=(41, 60),
        longer_series_beyond=30,
    )
    lengths, context = differences(here, there)
    assert lengths.fields == ("series_length", "forecast_length", "longer_series_beyond")
    assert context.fields == ("context_length",)


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
    assert [found.fields[0] for found in differences(TOY, other)] == [
        "num_series", "batch_size", "noise_multiplier", "steps", "relation_width",
    ]  # fmt: skip


@settings(max_examples=50)
@given(ANY.filter(lambda one: one.shape is not None), ANY.filter(lambda one: one.shape is None))
def test_data_is_one_difference_between_rates_and_a_shape(shaped, rated):
    for pair in ((shaped, rated), (rated, shaped)):
        data = differences(*pair)[0].fields
        assert set(data) <= set(DATA_FIELDS)
        assert {"bottom_rate", "top_rate"} <= set(data)
