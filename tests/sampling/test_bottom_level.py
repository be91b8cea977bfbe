"""Which windows are drawn from a series."""

import numpy as np
import pytest
from scipy import stats

from dpviz.sampling.draws import WINDOW_DRAWS, draw_starts
from dpviz.scenario.mechanism import BOTTOM_LEVELS
from tests.sampling.laws import assert_counts_follow


def test_every_bottom_level_of_a_scenario_can_be_drawn():
    assert set(WINDOW_DRAWS) == set(BOTTOM_LEVELS)


@pytest.mark.parametrize("positions", [1, 2, 7, 300])
def test_start_positions_are_uniform_including_both_ends(positions):
    """Algorithm 4: 0 and T - 1 are as likely as any other."""
    rng = np.random.default_rng(2)
    drawn = draw_starts("with-replacement", np.full(30_000, positions), 2, rng)
    counts = np.bincount(drawn.start, minlength=positions)
    if positions > 1:
        assert_counts_follow(counts, np.full(positions, 1 / positions))
    assert counts[0] > 0
    assert counts[-1] > 0


def test_windows_of_a_series_are_independent_with_replacement():
    """Also the same window twice: all 9 pairs of start positions are equally likely."""
    rng = np.random.default_rng(3)
    drawn = draw_starts("with-replacement", np.full(9000, 3), 2, rng)
    pairs = drawn.start.reshape(-1, 2) @ [3, 1]
    assert drawn.owner.tolist() == np.repeat(np.arange(9000), 2).tolist()
    assert_counts_follow(np.bincount(pairs, minlength=9), np.full(9, 1 / 9))


@pytest.mark.parametrize(("positions", "windows"), [(4, 1), (4, 2), (4, 3), (5, 1)])
def test_poisson_lets_each_start_position_in_on_its_own(positions, windows):
    """Algorithm 6: all 2^T subsets, with the probabilities of independent coins."""
    rng = np.random.default_rng(4)
    draws = 20_000
    drawn = draw_starts("poisson", np.full(draws, positions), windows, rng)
    codes = np.bincount(drawn.owner, weights=2.0**drawn.start, minlength=draws).astype(int)
    rate = windows / positions
    ones = np.array([bin(code).count("1") for code in range(2**positions)])
    law = rate**ones * (1 - rate) ** (positions - ones)
    assert_counts_follow(np.bincount(codes, minlength=2**positions), law)


@pytest.mark.parametrize("windows", [4, 5, 64])
def test_poisson_takes_all_windows_where_lambda_is_at_least_t(windows):
    drawn = draw_starts("poisson", np.array([4, 1, 2]), windows, np.random.default_rng(5))
    assert drawn.owner.tolist() == [0, 0, 0, 0, 1, 2, 2]
    assert drawn.start.tolist() == [0, 1, 2, 3, 0, 0, 1]


@pytest.mark.parametrize("windows", [1, 8, 64])
def test_poisson_draws_lambda_windows_in_expectation_from_long_series(windows):
    """The number of windows is Binomial(T, lambda / T), never one position twice."""
    rng = np.random.default_rng(6)
    positions, draws = 17_521, 5000
    drawn = draw_starts("poisson", np.full(draws, positions), windows, rng)
    codes = drawn.owner * positions + drawn.start
    assert len(np.unique(codes)) == len(codes)
    counts = np.bincount(np.bincount(drawn.owner, minlength=draws), minlength=windows * 4 + 20)
    law = stats.binom(positions, windows / positions).pmf(np.arange(len(counts)))
    assert_counts_follow(counts, law)
    tenths = np.bincount(drawn.start * 10 // positions, minlength=10)
    sizes = np.bincount(np.arange(positions) * 10 // positions)
    assert_counts_follow(tenths, sizes / positions)


def test_series_of_several_lengths_keep_their_own_rate():
    """T = 2 (all windows), 5 and 50 side by side, lambda = 2: each has its own law."""
    rng = np.random.default_rng(7)
    positions = np.tile([50, 2, 5], 5000)
    drawn = draw_starts("poisson", positions, 2, rng)
    assert (drawn.start < positions[drawn.owner]).all()
    number = np.bincount(drawn.owner, minlength=len(positions)).reshape(-1, 3)
    assert (number[:, 1] == 2).all()
    for column, size in ((0, 50), (2, 5)):
        law = stats.binom(size, 2 / size).pmf(np.arange(size + 1))
        assert_counts_follow(np.bincount(number[:, column], minlength=size + 1), law)
    uniform = draw_starts("with-replacement", positions, 2, rng)
    assert (uniform.start < positions[uniform.owner]).all()
    of_five = uniform.start[positions[uniform.owner] == 5]
    assert_counts_follow(np.bincount(of_five, minlength=5), np.full(5, 1 / 5))


@pytest.mark.parametrize("bottom", BOTTOM_LEVELS)
def test_no_series_give_no_windows(bottom):
    drawn = draw_starts(bottom, np.empty(0, dtype=np.int64), 3, np.random.default_rng(8))
    assert len(drawn.owner) == len(drawn.start) == 0
