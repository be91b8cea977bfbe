"""What the mechanisms put out: unit, property and statistical tests."""

import math
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.release import (
    CircularFilter,
    ReleaseSettings,
    SystemEntropy,
    calibrated,
    release,
    subsampled_delta,
)
from dpviz.release.mechanisms import interpolated, low_pass_as_printed, released_subsample
from dpviz.scenario import ScenarioError
from tests.release.test_calibration import PAIRS

SERIES = 500.0 + 100.0 * np.sin(np.arange(2000) / 100.0)
SETTINGS = ReleaseSettings(length=2000, participation=50)


@pytest.mark.parametrize(("mechanism", "accounting"), PAIRS)
def test_a_seed_repeats_a_release_and_another_one_does_not(mechanism, accounting):
    plan = calibrated(SETTINGS, mechanism, accounting)
    first, again, other = (
        release(SERIES, plan, np.random.default_rng(seed)).values for seed in (1, 1, 2)
    )
    assert first.shape == SERIES.shape
    assert np.isfinite(first).all()
    assert (first == again).all()
    assert (first != other).all()


@pytest.mark.parametrize(("mechanism", "accounting"), PAIRS)
def test_the_systems_entropy_serves_every_mechanism(mechanism, accounting):
    plan = calibrated(SETTINGS, mechanism, accounting)
    one, two = (release(SERIES, plan, SystemEntropy()).values for _ in range(2))
    assert (one != two).all()


def test_the_systems_entropy_is_normal():
    draws = 200_000
    normal = SystemEntropy().standard_normal(draws)
    assert abs(normal.mean()) < 5 / math.sqrt(draws)
    assert abs(normal.var() - 1.0) < 5 * math.sqrt(2 / draws)
    assert abs((normal > 1.959964).mean() - 0.025) < 5 * math.sqrt(0.025 / draws)


@pytest.mark.parametrize(("byte", "sign"), [(b"\x00", -1.0), (b"\xff", 1.0)])
def test_noise_is_finite_whatever_the_system_draws(monkeypatch, byte, sign):
    monkeypatch.setattr(os, "urandom", lambda count: byte * count)
    (normal,) = SystemEntropy().standard_normal(1)
    assert sign * normal == pytest.approx(8.2095, abs=1e-3)  # 2^-53 of all draws lie beyond


def test_noise_has_the_calibrated_standard_deviation():
    """Of the Gaussian mechanism, and of the kept steps; within five standard errors."""
    plan = calibrated(SETTINGS, "gaussian", "analytic")
    rng = np.random.default_rng(1)
    noise = np.concatenate([release(SERIES, plan, rng).values - SERIES for _ in range(50)])
    assert abs(noise.std() / plan.noise - 1.0) < 5 / math.sqrt(2 * len(noise))
    plan = calibrated(SETTINGS, "subsample", "exact")
    kept = [release(SERIES, plan, rng) for _ in range(200)]
    noise = np.concatenate([(one.values - SERIES)[one.kept] for one in kept])
    assert abs(noise.std() / plan.noise - 1.0) < 5 / math.sqrt(2 * len(noise))
    share = len(noise) / (200 * len(SERIES))
    assert abs(share - 0.1) < 5 * math.sqrt(0.09 / (200 * len(SERIES)))


def test_which_steps_are_kept_does_not_depend_on_the_data():
    plan = calibrated(SETTINGS, "filter-subsample", "exact")
    kept = [release(x, plan, np.random.default_rng(4)).kept for x in (SERIES, 0.0 * SERIES)]
    assert (kept[0] == kept[1]).all()


def test_only_kept_steps_tell_of_the_data():
    """Two series that agree there give the same release from the same seed."""
    plan = calibrated(SETTINGS, "subsample", "exact")
    first = release(SERIES, plan, np.random.default_rng(5))
    other = np.zeros_like(SERIES)
    other[first.kept] = SERIES[first.kept]
    assert (release(other, plan, np.random.default_rng(5)).values == first.values).all()


def test_nothing_or_one_step_kept():
    """None kept: the agreed constant, whatever the data. One kept: its noisy value everywhere."""
    nothing = released_subsample(SERIES, 0.0, 1.0, np.random.default_rng(1))
    assert len(nothing.kept) == 0
    assert (nothing.values == 0.0).all()
    one = next(
        found
        for seed in range(100)
        if len((found := released_subsample(SERIES, 5e-4, 1.0, np.random.default_rng(seed))).kept)
        == 1
    )
    assert len(set(one.values.tolist())) == 1
    assert abs(one.values[0] - SERIES[one.kept[0]]) < 6.0


@given(st.lists(st.integers(0, 30), unique=True, min_size=1), st.integers(0, 2**31))
def test_lines_go_through_kept_steps_and_stay_between_them(steps, seed):
    kept = np.array(sorted(steps))
    values = np.random.default_rng(seed).normal(size=len(kept))
    line = interpolated(kept, values, 31)
    assert line[kept] == pytest.approx(values)
    assert line.min() >= values.min()
    assert line.max() <= values.max()
    assert (line[: kept[0]] == values[0]).all()
    assert (line[kept[-1] :] == values[-1]).all()


@given(length=st.integers(1, 40), width=st.floats(0.01, 100.0), seed=st.integers(0, 2**31))
def test_the_filter_is_the_matrix_of_the_paper(length, width, seed):
    """Rows and columns sum to 1, no weight is negative, and the transform does what it says."""
    filter_ = CircularFilter(length, width)
    step = np.arange(length)
    matrix = filter_.weights[(step[:, None] - step[None, :]) % length]
    assert (matrix >= 0.0).all()
    assert matrix.sum(axis=0) == pytest.approx(1.0)
    assert matrix.sum(axis=1) == pytest.approx(1.0)
    series = np.random.default_rng(seed).normal(size=length)
    assert filter_.filtered(series) == pytest.approx(matrix @ series, abs=1e-9)
    assert np.linalg.norm(matrix, 2) == pytest.approx(1.0)
    assert filter_.stable_rank == pytest.approx(np.linalg.norm(matrix) ** 2)


def test_the_projection_never_lengthens_a_move():
    """Why sqrt(I) is enough for the low frequencies: the noise is as large as in every step."""
    plan = calibrated(SETTINGS, "dft", "analytic")

    class Silent:
        def random(self, size):
            return np.zeros(size)

        def standard_normal(self, size):
            return np.zeros(size)

    rng = np.random.default_rng(8)
    for _ in range(50):
        move = (rng.random(2000) < rng.random()).astype(float)
        released = release(move, plan, Silent()).values
        assert np.linalg.norm(released) <= np.linalg.norm(move) + 1e-9


def test_a_series_of_another_length_or_without_finite_values_is_refused():
    plan = calibrated(SETTINGS, "gaussian", "analytic")
    with pytest.raises(ScenarioError, match="2,000 values"):
        release(SERIES[:-1], plan, np.random.default_rng(1))
    for value in (np.nan, np.inf, -np.inf):
        with pytest.raises(ScenarioError, match="series = 'not finite' is not"):
            release(np.where(np.arange(2000) == 7, value, SERIES), plan, SystemEntropy())
    for value in (2.0**53 + 2.0, -1e300):
        with pytest.raises(ScenarioError, match="at most 9,007,199,254,740,992 in size"):
            release(np.where(np.arange(2000) == 7, value, SERIES), plan, SystemEntropy())


@pytest.mark.parametrize("length", [1, 2, 7, 8])
def test_fourier_baseline_has_the_papers_noise_though_the_series_has_it(length):
    """Independent in all real and imaginary parts, sqrt(T) times that of a step: as printed.

    The mechanism is linear in what is drawn; its matrix is taken column by column.
    """
    noise = 3.0

    class Told:
        def __init__(self, at):
            self.drawn = (np.arange(3 * length) == at).astype(float)

        def standard_normal(self, size):
            found, self.drawn = self.drawn[:size], self.drawn[size:]
            return found

    def spectrum(values, at):
        released = low_pass_as_printed(values, noise, length, Told(at)).values
        return np.concatenate([np.fft.fft(released).real, np.fft.fft(released).imag])

    columns = np.array([spectrum(np.zeros(length), at) for at in range(3 * length)]).T
    covariance = length * noise**2 * np.eye(2 * length)
    assert columns @ columns.T == pytest.approx(covariance, abs=1e-8)
    series = np.arange(length, dtype=float)
    clear = np.fft.fft(series)
    assert spectrum(series, -1) == pytest.approx(np.concatenate([clear.real, clear.imag]), abs=1e-8)


def test_the_best_attack_on_released_steps_sees_the_exact_delta():
    """Statistical: an attacker who knows the kept steps, 200,000 runs, four standard errors."""
    steps, rate, epsilon, noise, runs = 6, 0.4, 0.3, 2.0, 200_000
    rng = np.random.default_rng(9)
    kept = rng.random((runs, steps)) < rate
    outputs = kept * (1.0 + noise * rng.standard_normal((runs, steps)))
    loss = (kept * (outputs - 0.5)).sum(axis=1) / noise**2
    gains = np.maximum(0.0, 1.0 - np.exp(epsilon - loss))
    expected = subsampled_delta(epsilon, steps, rate, noise)
    assert abs(gains.mean() - expected) < 4.0 * gains.std() / math.sqrt(runs)
