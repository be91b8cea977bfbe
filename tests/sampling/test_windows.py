"""What is cut from the data."""

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from dpviz.sampling import Batch, noisy_windows, window, windows
from tests.sampling.laws import SIGNIFICANCE

DATA = np.arange(1.0, 31.0).reshape(3, 10)


def batch_of(series, starts):
    series, starts = np.array(series, dtype=np.int64), np.array(starts, dtype=np.int64)
    return Batch(series=series, starts=starts, step=0, epoch=0)


@pytest.mark.parametrize("context", [0, 1, 3, 12])
@pytest.mark.parametrize("forecast", [1, 2, 10])
def test_windows_are_those_of_algorithm_4(context, forecast):
    """Cropping t, ..., t + L_C + L_F - 1 (from 1) out of the series with L_C zeros in front."""
    for start in range(10 - forecast + 1):
        padded = np.concatenate([np.zeros(context), DATA[1]])
        cropped = padded[start : start + context + forecast]
        assert len(cropped) == context + forecast
        cut = window(DATA[1], start, context, forecast)
        assert cut.context.tolist() == cropped[:context].tolist()
        assert cut.forecast.tolist() == cropped[context:].tolist()
        assert cut.forecast.tolist() == DATA[1, start : start + forecast].tolist()


def test_all_windows_of_a_batch_are_those_cut_one_by_one():
    series, starts = [2, 0, 2, 1], [0, 7, 4, 4]
    cut = windows(DATA, batch_of(series, starts), 4, 3)
    assert cut.context.shape == (4, 4)
    assert cut.forecast.shape == (4, 3)
    for row, (index, start) in enumerate(zip(series, starts, strict=True)):
        one = window(DATA[index], start, 4, 3)
        assert np.array_equal(cut.context[row], one.context)
        assert np.array_equal(cut.forecast[row], one.forecast)


def test_series_of_several_lengths_types_and_channels():
    ragged = [np.arange(1, 4), np.arange(1.0, 9.0), np.arange(1, 6, dtype=np.float32)]
    cut = windows(ragged, batch_of([0, 1, 2], [1, 6, 3]), 3, 2)
    assert cut.context.tolist() == [[0, 0, 1], [4, 5, 6], [1, 2, 3]]
    assert cut.forecast.tolist() == [[2, 3], [7, 8], [4, 5]]
    channels = np.stack([DATA, -DATA], axis=2)
    cut = windows(channels, batch_of([1], [1]), 2, 1, dtype=np.float32)
    assert cut.context.dtype == np.float32
    assert cut.context.tolist() == [[[0, 0], [11, -11]]]
    assert cut.forecast.tolist() == [[[12, -12]]]


def test_an_empty_batch_gives_tables_without_rows():
    cut = windows(DATA, batch_of([], []), 4, 3)
    assert (cut.context.shape, cut.forecast.shape) == ((0, 4), (0, 3))


def test_cutting_does_not_share_memory_with_the_data():
    data = DATA.copy()
    cut = windows(data, batch_of([0], [5]), 4, 3)
    cut.context[:] = 99.0
    cut.forecast[:] = 99.0
    assert np.array_equal(data, DATA)


def test_the_data_are_never_copied():
    """Cutting 100 short windows out of 80 MB takes the memory of the windows."""
    data = np.zeros((10, 10**6))
    rng = np.random.default_rng(1)
    batch = batch_of(rng.integers(10, size=100), rng.integers(10**6 - 10, size=100))
    for form in (data, list(data)):
        tracemalloc.start()
        try:
            windows(form, batch, 20, 10)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 100_000  # bytes; the windows have 24,000, one series 8,000,000


@pytest.mark.parametrize(
    ("series", "start", "message"),
    [
        (0, -1, "start = -1 is not allowed: .* it must be 0 to 8"),
        (0, 9, "start = 9 is not allowed: .* it must be 0 to 8"),
        (-1, 0, "series = -1 is not allowed: it must be 0 to 2"),
        (3, 0, "series = 3 is not allowed: it must be 0 to 2"),
    ],
)
def test_windows_outside_the_data_are_refused(series, start, message):
    """An index that NumPy would wrap around or cut short is an error."""
    with pytest.raises(ValueError, match=message):
        windows(DATA, batch_of([series], [start]), 3, 2)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((-1, 3, 2), "start"),
        ((0.5, 3, 2), "start"),
        ((0, -1, 2), "context_length"),
        ((0, 3, 0), "forecast_length"),
        ((0, 3, 11), "start"),
    ],
)
def test_impossible_windows_are_refused(arguments, field):
    with pytest.raises(ValueError, match=field):
        window(DATA[0], *arguments)


def test_noise_has_the_stated_levels_and_is_independent():
    """Normal with standard deviations sigma_C v and sigma_F v, padding included."""
    clean = windows(np.zeros((1, 10)), batch_of([0] * 20_000, [0] * 20_000), 3, 2)
    noisy = noisy_windows(
        clean, np.random.default_rng(2), context_noise=0.5, forecast_noise=2.0, max_change=3.0
    )
    for values, deviation in ((noisy.context, 1.5), (noisy.forecast, 6.0)):
        for column in values.T:
            assert stats.kstest(column, stats.norm(0, deviation).cdf).pvalue > SIGNIFICANCE
    both = np.hstack([noisy.context, noisy.forecast])
    correlations = np.corrcoef(both.T)[np.triu_indices(5, 1)]
    # Ten correlations of 20,000 independent pairs, each normal with deviation 1 / sqrt(20,000).
    assert np.abs(correlations).max() < 4 / np.sqrt(20_000)


def test_noise_is_added_to_the_values_and_leaves_them_as_they_are():
    clean = windows(DATA, batch_of([0, 1], [2, 3]), 4, 3, dtype=np.float32)
    before = clean.context.copy()
    noisy = noisy_windows(
        clean, np.random.default_rng(3), context_noise=1e-3, forecast_noise=0.0, max_change=1.0
    )
    assert np.array_equal(clean.context, before)
    assert noisy.context.dtype == np.float32
    assert 0 < np.abs(noisy.context - clean.context).max() < 1e-2
    assert np.array_equal(noisy.forecast, clean.forecast)
    assert not np.shares_memory(noisy.forecast, clean.forecast)


@pytest.mark.parametrize("field", ["context_noise", "forecast_noise", "max_change"])
@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf"), None])
def test_impossible_noise_is_refused(field, value):
    clean = windows(DATA, batch_of([0], [0]), 1, 1)
    levels = {"context_noise": 1.0, "forecast_noise": 1.0, "max_change": 1.0} | {field: value}
    with pytest.raises(ValueError, match=field):
        noisy_windows(clean, np.random.default_rng(1), **levels)
