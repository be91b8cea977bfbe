"""Windows and what is made of them: cut, noised, clipped and summed as documented."""

import re
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from scipy import stats

from dpviz.sampling import (
    batches,
    clipped_sum,
    middle_position,
    noisy_gradient,
    noisy_windows,
    windows,
)
from tests.sampling.laws import SIGNIFICANCE, all_windows, batch_of, law_of_hits, scenario_of

DATA = np.arange(1.0, 31.0).reshape(3, 10)


@pytest.mark.parametrize("context", [0, 1, 3, 12])
@pytest.mark.parametrize("forecast", [1, 2, 10])
def test_windows_are_those_of_algorithm_4(context, forecast):
    """Cropping t, ..., t + L_C + L_F - 1 (from 1) out of the series with L_C zeros in front."""
    padded = np.concatenate([np.zeros(context), DATA[1]])
    cut = all_windows(DATA[1], context, forecast)
    assert len(cut.context) == len(cut.forecast) == 10 - forecast + 1
    for start, (past, ahead) in enumerate(zip(cut.context, cut.forecast, strict=True)):
        assert [*past, *ahead] == padded[start : start + context + forecast].tolist()
        assert ahead.tolist() == DATA[1, start : start + forecast].tolist()


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
    ("lengths", "field"),
    [((-1, 2), "context_length"), ((3, 0), "forecast_length"), ((3, 11), "start")],
)
def test_impossible_windows_are_refused(lengths, field):
    with pytest.raises(ValueError, match=field):
        windows(DATA, batch_of([0], [0]), *lengths)


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


CLIPPING_NORM = 0.5


def mixture_cdf(scenario, top_rate, shift):
    """Return (1 - rho) N(0) + rho MoG(shift i, ...) with the theorems' weights, in units of C."""
    weights = law_of_hits(scenario, top_rate, 12)
    means, sigma = shift * np.arange(len(weights)), scenario.noise.noise_multiplier

    def cdf(x):
        return stats.norm.cdf((np.asarray(x)[:, np.newaxis] - means) / sigma) @ weights

    return cdf


@pytest.mark.parametrize(
    ("top", "top_rate"),
    [("without-replacement", 2 / 5), ("poisson", 2 / 5), ("deterministic", 1.0), ("shuffled", 1.0)],
)
@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
@pytest.mark.parametrize("num_subsequences", [1, 3])
@pytest.mark.every(8)
def test_an_attained_output_is_the_mixture_of_the_theorem(top, top_rate, bottom, num_subsequences):
    """The gradient function of the tightness proofs: C where the value is, 0 elsewhere.

    The noisy sum of one step (for walks: of an epoch's one step with the series) is then
    distributed as the mixture of Thms 4.2, 4.4, E.8, F.7 and F.8 with means i C.
    """
    scenario = scenario_of(
        num_series=5, lengths=(12,), context=3, forecast=2, batch=2 * num_subsequences,
        windows=num_subsequences, top=top, bottom=bottom, steps=3000, sigma=0.5,
    )  # fmt: skip
    if top_rate == 1.0:  # N' = N: a walk is one step
        sampling = replace(scenario.sampling, batch_size=5 * num_subsequences)
        scenario = replace(scenario, sampling=sampling)
    data = np.zeros((5, 12))
    data[0, middle_position(scenario.data, scenario.data.start_positions)] = 1.0
    rng = np.random.default_rng(21)
    outputs = []
    for batch in batches(scenario, rng):
        cut = windows(data, batch, 3, 2)
        gradients = 7.0 * (cut.context.sum(axis=1) + cut.forecast.sum(axis=1))[:, np.newaxis]
        noisy = noisy_gradient(
            gradients,
            rng,
            clipping_norm=CLIPPING_NORM,
            noise_multiplier=scenario.noise.noise_multiplier,
            batch_size=scenario.sampling.batch_size,
        )
        outputs.append(noisy[0] * scenario.sampling.batch_size / CLIPPING_NORM)
    assert stats.kstest(outputs, mixture_cdf(scenario, top_rate, 1.0)).pvalue > SIGNIFICANCE


PAGE = Path(__file__).parents[2] / "docs" / "sampling.md"


def test_the_training_loop_of_the_page_runs_and_learns():
    """A random walk is best forecast by its last value: the one weight approaches 1."""
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert len(example.splitlines()) <= 16
    unseeded = (
        "rng = np.zeros((shape.context_length, shape.forecast_length)), np.random.default_rng()"
    )
    assert unseeded in example
    names = {}
    exec(example.replace(unseeded, unseeded[:-1] + "1)"), names)
    # 1000 steps, each with noise of deviation 0.1 * sigma / Lambda on the weight.
    assert np.abs(names["weights"] - 1.0).max() < 0.1


# A norm is a root of a sum of a few dozen rounded squares.
ROUNDING = 1e-14

ROWS = numpy_strategies.arrays(
    np.float64,
    numpy_strategies.array_shapes(min_dims=2, max_dims=2, max_side=8),
    elements=st.floats(width=64),
)


@settings(max_examples=200)
@given(ROWS, st.floats(1e-6, 1e6))
def test_one_window_counts_with_at_most_the_clipping_norm(gradients, norm):
    for row in gradients:
        clipped = clipped_sum(row[np.newaxis], norm)
        assert np.linalg.norm(clipped) <= norm * (1 + ROUNDING)
    assert np.linalg.norm(clipped_sum(gradients, norm)) <= len(gradients) * norm * (1 + ROUNDING)


def test_clipping_is_that_of_algorithm_2():
    """As g / max(1, |g| / C): long rows keep their direction, short ones stay as they are."""
    rng = np.random.default_rng(1)
    gradients = rng.standard_normal((50, 7)) * np.geomspace(1e-3, 1e3, 50)[:, np.newaxis]
    expected = sum(row / max(1.0, np.linalg.norm(row) / 0.7) for row in gradients)
    np.testing.assert_allclose(clipped_sum(gradients, 0.7), expected, rtol=1e-12)
    short = np.array([[0.1, -0.2]])
    assert clipped_sum(short, 1.0).tolist() == short[0].tolist()


def test_windows_are_clipped_each_on_its_own():
    """Not the batch: two rows of norm C that point the same way add up to 2 C."""
    assert clipped_sum(np.array([[5.0, 0.0], [9.0, 0.0]]), 1.0).tolist() == [2.0, 0.0]


def test_rows_without_a_finite_norm_add_nothing():
    gradients = np.array([[1.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [1e300, 0.0]])
    assert clipped_sum(gradients, 2.0).tolist() == [1.0, 0.0]


def test_single_precision_is_summed_in_double_without_a_second_copy():
    gradients = np.random.default_rng(2).standard_normal((100, 10_000)).astype(np.float32)
    expected = clipped_sum(gradients.astype(np.float64), 1.0)
    tracemalloc.start()
    try:
        total = clipped_sum(gradients, 1.0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    np.testing.assert_allclose(total, expected, rtol=1e-12, atol=1e-15)
    assert peak < gradients.nbytes / 4


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_noise_is_normal_with_deviation_sigma_c_over_lambda(rows):
    """Around the clipped sum over Lambda; an empty batch is noised and divided alike."""
    gradients = np.tile(np.linspace(-1.0, 1.0, 20_000), (rows, 1))
    noisy = noisy_gradient(
        gradients, np.random.default_rng(3), clipping_norm=0.5, noise_multiplier=4.0, batch_size=8
    )
    noise = noisy - clipped_sum(gradients, 0.5) / 8
    assert stats.kstest(noise, stats.norm(0, 4.0 * 0.5 / 8).cdf).pvalue > SIGNIFICANCE


def test_the_divisor_is_the_constant_batch_size():
    """The number of drawn windows is private where it is random."""
    total = noisy_gradient(
        np.full((3, 1), 1e-3), np.random.default_rng(4), clipping_norm=1.0, noise_multiplier=1.0,
        batch_size=1,
    )  # fmt: skip
    divided = noisy_gradient(
        np.full((3, 1), 1e-3), np.random.default_rng(4), clipping_norm=1.0, noise_multiplier=1.0,
        batch_size=64,
    )  # fmt: skip
    assert divided == total / 64


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"clipping_norm": 0.0}, "clipping_norm"),
        ({"clipping_norm": float("inf")}, "clipping_norm"),
        ({"noise_multiplier": 0.0}, "noise_multiplier"),
        ({"noise_multiplier": float("nan")}, "noise_multiplier"),
        ({"batch_size": 0}, "batch_size"),
        ({"batch_size": 2.5}, "batch_size"),
        ({"gradients": np.zeros(3)}, "gradients"),
        ({"gradients": np.zeros((3, 2), dtype=int)}, "gradients"),
    ],
)
def test_impossible_steps_are_refused(changes, field):
    arguments = {"clipping_norm": 1.0, "noise_multiplier": 1.0, "batch_size": 4} | changes
    gradients = arguments.pop("gradients", np.zeros((3, 2)))
    with pytest.raises(ValueError, match=field):
        noisy_gradient(gradients, np.random.default_rng(1), **arguments)
