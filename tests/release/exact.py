"""Exact delta of steps that are kept by chance, and a bound of Koga et al. nothing rests on."""

import itertools
import math

import numpy as np
from mpmath import binomial, mp, mpf, sqrt

from dpviz.accounting.gaussian import gaussian_delta
from tests.accounting.exact import DIGITS, exact_gaussian_delta


def exact_subsampled_delta(
    epsilon: float | mpf, participation: int, rate: float, noise: float | mpf
) -> mpf:
    """Return the mean over all numbers of kept steps, with many digits."""
    with mp.workdps(DIGITS):
        p, total = mpf(rate), mpf(0)
        for kept in range(1, participation + 1):
            mass = binomial(participation, kept) * p**kept * (1 - p) ** (participation - kept)
            if mass > 0:
                total += mass * exact_gaussian_delta(epsilon, sqrt(mpf(kept)) / mpf(noise))
        return total


def delta_of_moves(moves, epsilon, rate, noise):
    """Return the exact delta of each row of moves: the mean over all masks, one by one."""
    masks = np.array(list(itertools.product((0.0, 1.0), repeat=moves.shape[1])))
    kept = masks.sum(axis=1)
    chances = rate**kept * (1.0 - rate) ** (moves.shape[1] - kept)
    lengths = np.sqrt(moves**2 @ masks.T)
    return gaussian_delta(epsilon, lengths / noise) @ chances


def hoeffding_sensitivity(participation: int, rate: float, failure: float) -> float:
    """Return the sensitivity of kept steps by Corollary 1, an upper bound on Theorem 2's.

    Args:
        failure: delta', the chance with which it may be exceeded, above 0.
    """
    spread = math.sqrt(participation / 2.0 * math.log(1.0 / failure))
    return math.sqrt(participation * rate + spread)
