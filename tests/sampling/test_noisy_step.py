"""Clip, sum, add noise, divide."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from scipy import stats

from dpviz.sampling import clipped_sum, noisy_gradient
from tests.sampling.laws import SIGNIFICANCE

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
