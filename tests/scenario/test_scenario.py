"""Derived quantities against hand-computed numbers, and the two parametrisations."""

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import (
    PRESETS,
    DataShape,
    Rates,
    Relation,
    ScenarioError,
    TimeStep,
    worst_case_lengths,
)
from dpviz.scenario.relation import LEVELS
from tests.scenario.changes import TOY, varied
from tests.scenario.strategies import scenarios, small_shapes


@pytest.mark.parametrize(
    ("name", "k", "start_positions", "series", "num_series", "steps_per_epoch", "steps"),
    [
        ("toy", 2, 20, 32, 320, 10, 1000),
        ("traffic", 120, 17_521, 256, 862, 3, 12_000),
        ("electricity", 48, 26_281, 128, 321, 2, 16_000),
        ("solar_10_minutes", 300, 52_501, 128, 137, 1, 16_000),
    ],
)
def test_presets_have_the_papers_rates(
    name, k, start_positions, series, num_series, steps_per_epoch, steps
):
    scenario = PRESETS[name].scenario
    assert scenario.touched_windows == k
    assert scenario.bottom_rate == k / start_positions
    assert scenario.top_rate == series / num_series
    assert scenario.steps_per_epoch == steps_per_epoch
    assert scenario.num_steps == steps


@pytest.mark.parametrize(
    ("level", "width", "length", "expected"),
    [
        ("event", 1, 100, 8),
        ("event", 5, 100, 12),
        ("user", 5, 100, 40),
        ("event", 1, 5, 4),  # short series: every window touches the value
        ("event", 1000, 100, 99),
        ("user", 1000, 100, 99),
    ],
)
def test_touched_windows_of_events_and_users(level, width, length, expected):
    shape = DataShape(num_series=1, series_lengths=(length,), context_length=6, forecast_length=2)
    assert Relation(level=level, width=width).touched_windows(shape) == expected


@given(
    small_shapes(longest=35, most_context=8, most_forecast=6),
    st.integers(1, 4),
    st.sampled_from(LEVELS),
)
def test_touched_windows_are_attained_by_a_placement_of_the_values(shape, width, level):
    """K is the largest number of windows that any placement of w values meets."""
    length, positions = shape.series_lengths[0], shape.start_positions
    context, forecast = shape.context_length, shape.forecast_length
    windows = [set(range(start - context, start + forecast)) for start in range(positions)]
    if level == "event":
        placements = [set(range(at, at + width)) for at in range(length)]
        most = max(sum(bool(window & values) for window in windows) for values in placements)
        assert Relation(level=level, width=width).touched_windows(shape) == most
    else:
        # Placed a window apart, as far as the series allows.
        starts = [forecast - 1 + step * (context + forecast) for step in range(width)]
        values = {min(max(start, 0), length - 1) for start in starts}
        met = sum(bool(window & values) for window in windows)
        assert Relation(level=level, width=width).touched_windows(shape) >= met


@given(
    small_shapes(longest=10**9, most_context=10**6, most_forecast=10**6),
    st.builds(
        Relation,
        level=st.sampled_from(LEVELS),
        width=st.integers(1, 10**6),
        num_channels=st.integers(1, 10**6),
    ),
)
def test_no_more_windows_are_touched_than_there_are(shape, relation):
    """Also where more values are protected than a series has: r is at most 1."""
    (length,) = shape.series_lengths
    for positions in (None, 1, length):
        k = relation.touched_windows(shape, positions)
        assert 1 <= k <= (shape.start_positions if positions is None else positions)
    scenario = varied(TOY, data=shape, batch_size=1, relation=relation)
    assert 0 < scenario.bottom_rate <= 1
    assert scenario.with_rates().touched_windows == scenario.touched_windows
    if relation.width >= length:
        assert scenario.bottom_rate == 1


@given(scenarios().filter(lambda scenario: scenario.sampling.bottom_level != "poisson"))
def test_rates_mode_keeps_the_numbers_and_leads_back(scenario):
    rates = scenario.with_rates()
    assert isinstance(rates.data, Rates)
    for name in ("bottom_rate", "top_rate", "steps_per_epoch", "num_steps", "num_epochs"):
        assert getattr(rates, name) == getattr(scenario, name)
    if scenario.shape is not None:
        assert rates.with_last_shape() == scenario
        assert rates.data.start_positions == scenario.shape.start_positions
        assert rates.data.forecast_share == scenario.shape.forecast_share


@pytest.mark.parametrize(("rate", "steps"), [(0.3, 3), (0.1, 4)])
def test_rho_of_bins_is_that_of_the_batches_of_an_epoch_whatever_rate_is_given(rate, steps):
    scenario = varied(TOY.with_rates(top_rate=rate), steps_per_epoch=steps)
    assert (scenario.top_rate, scenario.steps_per_epoch) == (rate, steps)
    in_bins = varied(scenario, top_level="bins")
    assert (in_bins.top_rate, in_bins.steps_per_epoch) == (1 / steps, steps)
    assert in_bins.set_top_rate == rate
    assert varied(in_bins, top_level="without-replacement") == scenario


def test_rates_of_bins_are_those_of_series_that_are_drawn_as_well():
    shape = varied(TOY, batch_size=120, top_level="bins")
    assert (shape.top_rate, shape.set_top_rate) == (1 / 2, 120 / 320)
    rates = shape.with_rates(bottom_rate=0.5)
    assert (rates.top_rate, rates.set_top_rate, rates.steps_per_epoch) == (1 / 2, 120 / 320, 2)


def test_rates_alone_allow_neither_poisson_nor_wider_relations():
    rates = TOY.with_rates(bottom_rate=0.5)
    with pytest.raises(ScenarioError, match="bottom_level"):
        varied(rates, bottom_level="poisson")
    bare = varied(rates, last_shape=None)
    with pytest.raises(ScenarioError, match="relation_width"):
        varied(bare, width=2)
    with pytest.raises(ScenarioError, match="no data shape"):
        bare.with_last_shape()


@pytest.mark.parametrize(
    ("num_series", "windows", "allowed"),
    [
        (320, 1, "at most 320, the number of series."),
        (1, 1, "at most 1, the number of series."),
        (2, 2, "at most 4, the number of series times num_subsequences."),
    ],
)
def test_too_large_batch_is_refused_with_the_largest_one(num_series, windows, allowed):
    with pytest.raises(ScenarioError, match=allowed):
        varied(TOY, num_series=num_series, batch_size=999, num_subsequences=windows)


@pytest.mark.parametrize(
    ("per_epoch", "reason"),
    [
        (1000, "it must be at most 10,000, to come to at most 10,000,000 steps"),
        (10**8, "one epoch alone has more than 10,000,000 steps"),
    ],
)
def test_epochs_of_too_many_steps_are_refused(per_epoch, reason):
    with pytest.raises(ScenarioError) as refused:
        varied(TOY, num_series=per_epoch, batch_size=1, epochs=20_000)
    assert (refused.value.field, refused.value.allowed) == ("epochs", reason)


def test_scenarios_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        TOY.delta = 0.1


@given(
    st.lists(st.integers(5, 300), min_size=1, max_size=20),
    st.integers(0, 40), st.integers(1, 5), st.integers(1, 6), st.sampled_from(LEVELS),
)  # fmt: skip
def test_kept_lengths_hold_the_worst_case_of_the_whole_set(
    lengths, context, forecast, width, level
):
    relation = Relation(level=level, width=width)
    kept = worst_case_lengths(
        lengths,
        num_series=len(lengths),
        context_length=context,
        forecast_length=forecast,
        relation=relation,
    )

    def rate(length: int) -> float:
        one = kept.with_value("series_length", length)
        return relation.touched_windows(one) / one.start_positions

    assert set(kept.series_lengths) <= set(lengths)
    worst = max(map(rate, lengths))
    assert rate(kept.series_lengths[0]) == worst
    dropped = set(lengths) - set(kept.series_lengths)
    assert all(length > kept.series_lengths[-1] for length in dropped)
    assert (kept.longer_series_beyond is not None) == bool(dropped)


def test_time_steps_say_durations_exactly():
    assert TimeStep.parse("1 month").values_in(1, "week") is None
    assert TimeStep.parse("15 minutes").values_in(1, "day") == 96
    assert TimeStep.parse("7 minutes").values_in(1, "day") == 206  # covers the day
    assert TimeStep.parse("1 day").duration(14) == "2 weeks"
    assert TimeStep.parse("1 month").duration(18) == "6 quarters"


@pytest.mark.parametrize(
    ("series", "batch", "top_rate", "steps"),
    [
        (320, 32, 0.05, 20),
        (320, 32, 0.1, 10),
        (862, 10, 10 / 862, 86),
        (862, 256, 1 / 3, 3),
        (320, 32, 0.3, 3),
        (320, 32, 1.0, 1),
        (320, 32, 1e-9, 10**9),
    ],
)
def test_an_epoch_of_another_top_rate_is_a_pass_at_that_rate(series, batch, top_rate, steps):
    """As with the batch of that rate: half the batch, twice the steps of an epoch."""
    scenario = varied(TOY, num_series=series, batch_size=batch)
    assert scenario.with_rates(top_rate=top_rate).steps_per_epoch == steps
    assert scenario.with_rates().with_rates(top_rate=top_rate).steps_per_epoch == steps


def test_the_way_back_to_the_shape_s_own_rate_has_its_epochs():
    """Of 320 series, 10 in each batch of 32 with 3 windows of each: 30 steps, not 32."""
    three = varied(TOY, num_subsequences=3)
    assert three.steps_per_epoch == 30
    moved = three.with_rates(top_rate=0.5)
    assert moved.steps_per_epoch == 2
    assert moved.with_rates(top_rate=three.top_rate).steps_per_epoch == 30


def test_steps_per_epoch_of_a_link_stay_as_they_are():
    data = Rates(bottom_rate=0.1, top_rate=0.01, steps_per_epoch=10)
    given = replace(TOY, data=data)
    assert given.steps_per_epoch == 10
    assert given.with_rates(bottom_rate=0.2, top_rate=0.01).steps_per_epoch == 10
    # Fewer than a pass has: epochs of somebody's own.
    assert given.with_rates(top_rate=0.02).steps_per_epoch == 10


def test_a_rate_whose_epochs_would_be_too_many_steps_is_refused_by_name():
    hundred = varied(TOY, epochs=100)
    with pytest.raises(ScenarioError, match=r"top_rate = 1e-09 .* at least 1e-05, for 100 epochs"):
        hundred.with_rates(top_rate=1e-9)
    assert hundred.with_rates(top_rate=1e-5).num_steps == 10**7
