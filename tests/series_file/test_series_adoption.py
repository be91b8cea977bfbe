"""Scenarios that take over the data shape of a file."""

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpviz.scenario import (
    PRESETS,
    DataShape,
    Noise,
    Rates,
    Relation,
    Sampling,
    Scenario,
    TimeStep,
    Training,
    Units,
    from_json,
    to_json,
)
from dpviz.series_file import SeriesFileError, SeriesLengths, adopt_lengths
from tests.scenario.changes import varied

BASE = Scenario(
    data=DataShape(num_series=100, series_lengths=(50,), context_length=6, forecast_length=4),
    sampling=Sampling(batch_size=20, num_subsequences=2),
    noise=Noise(noise_multiplier=1.0),
    training=Training(unit="epochs", count=10),
)


def _lengths(*lengths: int, time_step: TimeStep | None = None) -> SeriesLengths:
    return SeriesLengths(lengths=lengths, layout="long", time_step=time_step)


def _shape(scenario: Scenario) -> DataShape:
    assert scenario.shape is not None
    return scenario.shape


def test_windows_stay_and_series_are_replaced() -> None:
    adoption = adopt_lengths(BASE, _lengths(*[30] * 40, *[60] * 10))
    assert adoption.scenario == replace(BASE, data=_shape(adoption.scenario))
    shape = _shape(adoption.scenario)
    assert (shape.num_series, shape.series_lengths) == (50, (30,))
    assert shape.longer_series_beyond == 10
    assert (shape.context_length, shape.forecast_length) == (6, 4)
    assert adoption.changes == (
        "The number of series is now 50 instead of 100.",
        "The series now have 30 to 60 values each.",
    )


def test_of_untold_fields_nothing_is_told_but_how_many_are_left() -> None:
    series, told = _lengths(3, *[40] * 5, 2), ("num_series", "series_length")
    short, lowered = adopt_lengths(BASE, series, untold=told).changes
    assert short.startswith("N is 5: 2 of the 7 series in the file are shorter than the forecast")
    assert lowered.startswith("The batch size was lowered from 20 to 10")
    asked = (*told, "context_length", "forecast_length", "batch_size", "training")
    assert adopt_lengths(BASE, series, untold=asked).changes == ()
    assert adopt_lengths(BASE, _lengths(*[3] * 20), untold=asked).changes == ()
    # How many are left depends on how long they are to be forecast.
    assert adopt_lengths(BASE, series, untold=set(asked) - set(told)).changes == ()
    rates = replace(BASE, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10))
    (replaced,) = adopt_lengths(rates, series, untold=asked).changes
    assert replaced.startswith("The rates set by hand")


def test_nothing_changes_for_the_same_data() -> None:
    adoption = adopt_lengths(BASE, _lengths(*[50] * 100))
    assert (adoption.scenario, adoption.changes) == (BASE, ())


def test_short_series_are_left_out() -> None:
    adoption = adopt_lengths(BASE, _lengths(3, *[40] * 30, 2))
    shape = _shape(adoption.scenario)
    assert (shape.num_series, shape.series_lengths) == (30, (40,))
    assert (
        "N is 30: 2 of the 32 series in the file are shorter than the forecast length 4 and left "
        "out. Training must leave them out, too." in adoption.changes
    )


def test_forecast_is_shortened_if_all_series_are_too_short() -> None:
    adoption = adopt_lengths(BASE, _lengths(*[3] * 20, 2))
    shape = _shape(adoption.scenario)
    assert (shape.num_series, shape.forecast_length, shape.context_length) == (21, 2, 6)
    assert adoption.changes[0].startswith("All series are shorter than the forecast length 4, so")


def test_one_series() -> None:
    adoption = adopt_lengths(BASE, _lengths(500))
    assert adoption.scenario.sampling == Sampling(batch_size=2, num_subsequences=2)
    assert (adoption.scenario.top_rate, adoption.scenario.steps_per_epoch) == (1.0, 1)
    assert any("The batch size was lowered from 20 to 2" in one for one in adoption.changes)


def test_epochs_are_lowered_where_they_come_to_too_many_steps() -> None:
    base = varied(BASE, sampling=Sampling(batch_size=1), epochs=4000)
    adoption = adopt_lengths(base, _lengths(*[30] * 5000))
    assert adoption.scenario.training.count == 2000
    assert "The epochs were lowered from 4,000 to 2,000" in adoption.changes[-1]


def test_time_step_of_the_file() -> None:
    hourly = replace(BASE, units=Units(time_step=TimeStep(1, "hour"), value_unit="cars"))
    adoption = adopt_lengths(hourly, _lengths(*[50] * 100, time_step=TimeStep(5, "minute")))
    assert adoption.scenario.units == Units(time_step=TimeStep(5, "minute"), value_unit="cars")
    assert adoption.changes == ("The time step is now 5 minutes, as the file's time stamps say.",)
    adoption = adopt_lengths(hourly, _lengths(*[50] * 100))
    assert adoption.scenario.units == hourly.units
    assert "1 hour was kept: check" in adoption.changes[0]


def test_rates_go_back_to_a_shape() -> None:
    adoption = adopt_lengths(BASE.with_rates(bottom_rate=0.5), _lengths(*[50] * 100))
    assert adoption.scenario == BASE
    assert adoption.changes == (
        "The rates set by hand were replaced by those that follow from the file.",
    )


def test_rates_without_a_shape() -> None:
    base = replace(BASE, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10))
    adoption = adopt_lengths(base, _lengths(*[50] * 100))
    shape = _shape(adoption.scenario)
    assert (shape.context_length, shape.forecast_length) == (1, 1)
    assert any("set to 1: set your own" in sentence for sentence in adoption.changes)


def test_too_many_short_lengths_are_refused() -> None:
    wide = replace(
        BASE,
        data=DataShape(num_series=9, series_lengths=(5000,), context_length=900, forecast_length=1),
        sampling=Sampling(batch_size=2),
    )
    with pytest.raises(SeriesFileError, match=r"300 different lengths.*shorten the windows"):
        adopt_lengths(wide, _lengths(*range(100, 400)))


@pytest.mark.parametrize(
    ("lengths", "sentences"),
    [
        ((500,), ["The only series now has 500 values.", "more than the only series."]),
        ((3,), ["The only series is shorter than the forecast length 4, so it was lowered to 3, "
                "the length of that series.", "The only series now has 3 values."]),
        ((1,), ["The only series now has 1 value."]),
        ((1, 1), ["The series now have 1 value each.", "more than the 2 series there are."]),
    ],
)  # fmt: skip
def test_one_is_not_spoken_of_as_several(lengths: tuple[int, ...], sentences: list[str]) -> None:
    said = adopt_lengths(BASE, _lengths(*lengths)).changes
    for sentence in sentences:
        assert any(change.endswith(sentence) for change in said), said


@settings(derandomize=True, deadline=None, max_examples=300)
@given(
    st.sampled_from([preset.scenario for preset in PRESETS.values()]),
    st.lists(st.integers(1, 400), min_size=1, max_size=60),
    st.sampled_from([None, TimeStep(5, "minute")]),
    st.integers(1, 10_000),
    st.integers(1, 64),
    st.sampled_from(["steps", "epochs"]),
    st.integers(1, 10**6),
    st.sampled_from(["event", "user"]),
    st.booleans(),
)
def test_every_file_gives_a_valid_scenario(
    preset, lengths, time_step, batch_size, num_subsequences, unit, count, level, as_rates
) -> None:
    assume(batch_size >= num_subsequences)
    # Every batch must be allowed beforehand, so the data set before is large.
    shape = replace(_shape(preset), num_series=10_000)
    steps = max(1, shape.num_series * num_subsequences // batch_size)
    base = varied(
        preset,
        data=shape,
        batch_size=batch_size,
        num_subsequences=num_subsequences,
        training=Training(unit=unit, count=min(count, 10**7 // steps)),
        relation=Relation(level=level),
    )
    if as_rates and base.sampling.bottom_level != "poisson":
        base = base.with_rates()
    adoption = adopt_lengths(base, _lengths(*lengths, time_step=time_step))
    scenario = adoption.scenario
    assert from_json(to_json(scenario)) == scenario
    kept = [length for length in lengths if length >= _shape(scenario).forecast_length]
    assert _shape(scenario).num_series == len(kept) >= 1
    assert _shape(scenario).series_lengths[0] == min(kept)
    assert scenario.sampling.num_subsequences == num_subsequences
    assert scenario.steps_per_epoch >= 1
    if scenario != base:
        assert adoption.changes
    for sentence in adoption.changes:
        assert not re.search(r"\b1 (values|series there are)\b", sentence)


def test_a_bag_keeps_a_batch_of_more_windows_than_there_are_series() -> None:
    bag = varied(BASE, sampling=Sampling(batch_size=90, top_level="flat"))
    adoption = adopt_lengths(bag, _lengths(*[50] * 30))
    assert adoption.scenario.sampling == bag.sampling
    few = adopt_lengths(bag, _lengths(20, 21, 22))
    assert few.scenario.sampling.batch_size == 3 * 17
    assert any("more than the 51 windows there are" in sentence for sentence in few.changes)


def test_epochs_of_a_bag_are_passes_over_its_windows() -> None:
    bag = varied(BASE, sampling=Sampling(batch_size=2, top_level="flat"), epochs=100)
    adoption = adopt_lengths(bag, _lengths(*[5000] * 100))
    assert adoption.scenario.num_steps == 40 * 249_850
