"""Exact privacy of keeping steps by chance, without and with a filter."""

import itertools
import math

import numpy as np
import pytest

from dpviz.accounting.gaussian import gaussian_delta
from dpviz.release import (
    CircularFilter,
    filtered_delta,
    is_filter_free,
    subsampled_delta,
)
from tests.release.exact import delta_of_moves, exact_subsampled_delta

LENGTH = 8
PATTERNS = np.array(list(itertools.product((0.0, 1.0), repeat=LENGTH)))
BUDGETS = [
    (epsilon, rate, noise)
    for epsilon in (0.01, 0.5, 2.0)
    for rate in (0.1, 0.7)
    for noise in (0.04, 0.3, 2.0)
]


@pytest.mark.parametrize(("epsilon", "rate", "noise"), BUDGETS)
def test_exact_delta_is_that_of_every_pattern_of_as_many_steps(epsilon, rate, noise):
    """Brute force over all 256 patterns and 256 masks: the bound is attained, and never broken."""
    deltas = delta_of_moves(PATTERNS, epsilon, rate, noise)
    for pattern, delta in zip(PATTERNS, deltas, strict=True):
        steps = int(pattern.sum())
        if steps:
            bound = subsampled_delta(epsilon, steps, rate, noise)
            assert delta == pytest.approx(bound, rel=1e-8, abs=1e-14)


@pytest.mark.every(3)
@pytest.mark.parametrize("width", [0.3, 1.0, 100.0])
@pytest.mark.parametrize(("epsilon", "rate", "noise"), BUDGETS)
def test_no_filtered_pattern_breaks_the_bound_with_a_filter(width, epsilon, rate, noise):
    """Brute force: also where the filter is not free, and the tangent counts."""
    filter_ = CircularFilter(LENGTH, width)
    moves = np.array([filter_.filtered(pattern) for pattern in PATTERNS])
    deltas = delta_of_moves(moves, epsilon, rate, noise)
    for steps in range(1, LENGTH + 1):
        worst = deltas[PATTERNS.sum(axis=1) == steps].max()
        assert worst <= filtered_delta(epsilon, steps, rate, noise) * (1 + 1e-9) + 1e-14
        if is_filter_free(epsilon, steps, noise):
            assert worst <= subsampled_delta(epsilon, steps, rate, noise) * (1 + 1e-9) + 1e-14


@pytest.mark.parametrize(("epsilon", "rate", "noise"), BUDGETS)
def test_no_fractional_move_breaks_the_bound_with_a_filter(epsilon, rate, noise):
    """The proof is about all moves in [0, 1] of sum I, whatever filter they come from."""
    rng = np.random.default_rng(7)
    for steps in (1, 2, 5):
        moves = rng.dirichlet(np.full(LENGTH, 0.5), size=60) * steps
        moves = moves[moves.max(axis=1) <= 1.0]
        worst = delta_of_moves(moves, epsilon, rate, noise).max(initial=0.0)
        assert worst <= filtered_delta(epsilon, steps, rate, noise) * (1 + 1e-9) + 1e-14


def test_a_filter_is_not_free_where_the_noise_is_small():
    """The counterexample: T = 10, I = 1, p = 0.1, and noise far below what epsilon asks for."""
    epsilon, rate, noise = 0.0096, 0.1, 0.041
    assert not is_filter_free(epsilon, 1, noise)
    unfiltered = subsampled_delta(epsilon, 1, rate, noise)
    assert unfiltered == pytest.approx(0.1, rel=1e-3)
    moves = np.zeros((1, 10))
    moves[0, :7] = 1 / 7  # one step, by a moving mean of seven
    filtered = float(delta_of_moves(moves, epsilon, rate, noise)[0])
    assert filtered == pytest.approx(0.489, abs=1e-3)
    assert filtered <= filtered_delta(epsilon, 1, rate, noise)


@pytest.mark.parametrize(("participation", "rate", "noise"), [
    (1, 0.1, 1.0), (50, 0.1, 3.0), (180, 0.1, 26.1), (300, 0.7, 40.0), (200, 0.001, 0.5),
])  # fmt: skip
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 5.0])
def test_exact_delta_is_rounded_up_from_60_digits(participation, rate, noise, epsilon):
    exact = exact_subsampled_delta(epsilon, participation, rate, noise)
    computed = subsampled_delta(epsilon, participation, rate, noise)
    assert computed >= exact
    assert computed <= exact * (1 + 1e-8) + 1e-13


@pytest.mark.parametrize("participation", [10**4, 10**6])
@pytest.mark.parametrize("rate", [1e-4, 0.1, 0.9999])
def test_very_many_steps_lie_between_two_gaussian_mechanisms(participation, rate):
    """Almost all the time the number of kept steps is near its mean."""
    mean = participation * rate
    noise = 2.0 * math.sqrt(mean)
    delta = subsampled_delta(0.5, participation, rate, noise)
    reach = 8.0 * math.sqrt(mean) + 40.0
    low, high = max(0.0, mean - reach), min(participation, mean + reach)
    assert float(gaussian_delta(0.5, math.sqrt(low) / noise)) <= delta
    assert delta <= float(gaussian_delta(0.5, math.sqrt(high) / noise)) + 1e-12


def test_delta_is_rounded_up_to_no_more_than_one():
    assert subsampled_delta(1e-9, 5, 1.0, 1e-6) == 1.0


def test_keeping_every_step_is_the_gaussian_mechanism():
    plain = float(gaussian_delta(0.5, 10.0 / 30.0))
    assert subsampled_delta(0.5, 100, 1.0, 30.0) == pytest.approx(plain, rel=1e-9)


def test_hiding_how_many_steps_were_kept_would_be_optimistic():
    """J is public: one mixture over the number of kept steps understates delta."""
    rng = np.random.default_rng(3)
    noise, rate, steps, epsilon = 1.0, 0.5, 4, 1.0
    kept = rng.binomial(steps, rate, 400_000)
    x = np.sqrt(kept) + noise * rng.standard_normal(len(kept))
    number = np.arange(steps + 1)
    chances = np.array([math.comb(steps, k) for k in number]) * rate**steps
    means = np.sqrt(number)[:, None]
    density = (chances[:, None] * np.exp((means * x - means**2 / 2) / noise**2)).sum(axis=0)
    mixture = np.maximum(0.0, 1.0 - math.exp(epsilon) / density).mean()
    error = 4.0 / math.sqrt(len(kept))
    assert mixture + error < subsampled_delta(epsilon, steps, rate, noise)
