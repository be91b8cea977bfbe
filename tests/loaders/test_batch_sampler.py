"""A sampler for other people's loops draws what dpviz's own samplers draw."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.loaders import LoaderError, StructuredBatchSampler, WindowDataset
from dpviz.sampling import batches, windows
from dpviz.scenario import (
    PRESETS,
    DataShape,
    Noise,
    Relation,
    Sampling,
    Scenario,
    ScenarioError,
    Training,
)
from dpviz.scenario.data import LARGEST_COUNT

SHAPE = DataShape(num_series=12, series_lengths=(20,), context_length=3, forecast_length=2)
SCHEMES = [
    {"top_level": top, "bottom_level": bottom}
    for top in ("without-replacement", "deterministic", "shuffled", "bins", "poisson", "flat")
    for bottom in ("with-replacement", "poisson")
]


def scenario(**sampling):
    return Scenario(
        data=SHAPE,
        sampling=Sampling(batch_size=4, **sampling),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="steps", count=10),
    )


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_batches_are_those_of_the_samplers(scheme):
    lengths = np.arange(20, 32)
    one = replace(scenario(**scheme), data=replace(SHAPE, series_lengths=tuple(lengths)))
    sampler = StructuredBatchSampler(one, lengths, np.random.default_rng(5))
    assert len(sampler) == min(one.steps_per_epoch, 10)
    drawn = []
    while len(drawn) < 10:
        drawn += list(sampler)
    expected = list(batches(one, np.random.default_rng(5), series_lengths=lengths))
    assert len(drawn) == len(expected) == sampler.drawn == 10
    for numbers, batch in zip(drawn, expected, strict=True):
        series, starts = sampler.numbers.places(np.array(numbers, dtype=np.int64))
        np.testing.assert_array_equal(series, batch.series)
        np.testing.assert_array_equal(starts, batch.starts)


def test_no_batch_beyond_what_was_accounted_for():
    sampler = StructuredBatchSampler(scenario())
    assert [len(list(sampler)) for _ in range(4)] == [3, 3, 3, 1]
    with pytest.raises(LoaderError, match="all 10 training steps"):
        list(sampler)


def test_series_of_one_length_need_no_list_and_no_memory():
    one = scenario(top_level="flat")
    plain, listed = (
        list(StructuredBatchSampler(one, lengths, np.random.default_rng(1)))
        for lengths in (None, [20] * 12)
    )
    assert plain == listed
    many = replace(one, data=replace(SHAPE, num_series=LARGEST_COUNT))
    (first, *_) = StructuredBatchSampler(many)
    assert max(first) > 10**6


def test_windows_are_those_of_the_numbers():
    series = [np.random.default_rng(at).normal(size=20 + at) for at in range(12)]
    one = replace(scenario(), data=replace(SHAPE, series_lengths=tuple(range(20, 32))))
    data = WindowDataset(series, one, np.float64)
    assert len(data) == sum(len(values) - 1 for values in series)
    for batch in batches(one, np.random.default_rng(1), series_lengths=data.series_lengths):
        context, forecast = data.__getitems__(data.numbers.of(batch.series, batch.starts).tolist())
        cut = windows(series, batch, 3, 2)
        np.testing.assert_array_equal(context, cut.context)
        np.testing.assert_array_equal(forecast, cut.forecast)
    np.testing.assert_array_equal(data[0][1], series[0][:2])
    with pytest.raises(IndexError):
        data[len(data)]


def test_an_empty_batch_has_no_rows():
    context, forecast = WindowDataset(np.ones((12, 20)), scenario()).__getitems__([])
    assert (context.shape, forecast.shape) == ((0, 3), (0, 2))


def test_each_reading_of_a_window_has_new_noise_of_the_scenario():
    noisy = replace(
        scenario(),
        noise=Noise(noise_multiplier=1.0, context_noise=2.0, forecast_noise=0.5),
        relation=Relation(max_change=3.0),
    )
    data = WindowDataset(np.zeros((12, 20)), noisy, np.float64)
    context, forecast = data.__getitems__([5] * 4000)
    # 12,000 and 8,000 values: five standard errors are 3.3 % and 4 %.
    assert context.std() == pytest.approx(6.0, rel=0.033)
    assert forecast.std() == pytest.approx(1.5, rel=0.04)
    assert len(np.unique(context)) == context.size
    with pytest.raises(ScenarioError, match="max_change"):
        WindowDataset(np.zeros((12, 20)), replace(noisy, relation=Relation()))


def test_values_are_rounded_after_the_noise_has_hidden_their_change(monkeypatch):
    noisy = replace(
        scenario(),
        noise=Noise(noise_multiplier=1.0, context_noise=1e6, forecast_noise=1e6),
        relation=Relation(max_change=1.0),
    )
    generator = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda: generator(1))
    # Numbers of 32 bits are 8 apart there: rounded first, these two are.
    read = []
    for value in (1e8 + 3.5, 1e8 + 4.5):
        data = WindowDataset(np.full((12, 20), value), noisy)
        read.append(np.concatenate(data.__getitems__(range(200)), axis=1))
    assert read[0].dtype == np.float32
    # Of the same noise, a change of 1 then moves one value of eight by a step of 8.
    assert (read[1] - read[0]).astype(np.float64).mean() == pytest.approx(1.0, abs=0.4)


def test_noise_that_is_for_fewer_channels_is_refused():
    noise = Noise(noise_multiplier=1.0, context_noise=2.0, forecast_noise=2.0)
    two = replace(scenario(), noise=noise, relation=Relation(max_change=1.0, num_channels=2))
    WindowDataset(np.ones((12, 20, 2)), two)
    with pytest.raises(ScenarioError, match=r"num_channels = 3 .* about 2 values"):
        WindowDataset(np.ones((12, 20, 3)), two)
    WindowDataset(np.ones((12, 20, 3)), replace(two, noise=Noise(noise_multiplier=1.0)))
    WindowDataset(np.ones((12, 20, 3)), replace(two, relation=Relation(max_change=1.0)))


def test_series_of_different_channels_are_refused():
    """NumPy would copy the one value of a time step to each channel: all would change with it."""
    with pytest.raises(ScenarioError, match="the same channels"):
        WindowDataset([np.ones((20, 3)), *[np.ones((20, 1))] * 11], scenario())


def test_data_that_the_scenario_is_not_about_are_refused():
    for data in (np.ones((319, 20)), np.ones((320, 19)), []):
        with pytest.raises(ScenarioError):
            WindowDataset(data, PRESETS["toy"].scenario)
