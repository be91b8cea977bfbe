"""Sums over all larger losses keep their relative precision, whatever the discount."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.accounting.buckets import UNIT_ROUNDOFF
from dpviz.accounting.scaled_profile import POWERS_ROUNDING, _recurrence, scaled_profile

_FACTORS = (0.0, 1e-300, 1e-30, 0.04, 0.5, 0.9, 0.97, 0.999, 1.0 - 1e-9, 1.0)


def exact_sums(terms: np.ndarray, factor: float) -> list[Fraction]:
    """Return y_k = terms_k + factor y_(k+1), without rounding."""
    sums, last = [], Fraction(0)
    for term in terms[::-1].tolist():
        last = Fraction(term) + Fraction(factor) * last
        # Of so many digits that nothing shows, and no more: exact ones would double each time.
        last = Fraction(int(last * 2**1600), 2**1600)
        sums.append(last)
    return sums[::-1]


@pytest.mark.parametrize("factor", _FACTORS)
@pytest.mark.parametrize("size", [1, 2, 63, 300, 2000])
def test_each_sum_is_as_precise_as_is_allowed_for(factor: float, size: int) -> None:
    rng = np.random.default_rng(size)
    terms = rng.random(size) * 10.0 ** rng.uniform(-12, 0, size)
    sums = _recurrence(terms, factor)
    allowed = UNIT_ROUNDOFF * (size + POWERS_ROUNDING)
    largest = float(sums.max())
    for found, exact in zip(sums.tolist(), exact_sums(terms, factor), strict=True):
        assert abs(Fraction(found) - exact) <= allowed * exact + Fraction(1e-86 * largest)


@given(
    decay=st.floats(1e-6, 50.0),
    size=st.integers(1, 3000),
    seed=st.integers(0, 10),
)
def test_blocks_agree_with_one_sum_after_another(decay: float, size: int, seed: int) -> None:
    terms = np.random.default_rng(seed).random(size)
    factor = float(np.exp(-decay))
    one_by_one = np.empty(size)
    last = 0.0
    for at in range(size - 1, -1, -1):
        one_by_one[at] = last = terms[at] + factor * last
    np.testing.assert_allclose(_recurrence(terms, factor), one_by_one, rtol=1e-11)


def test_a_single_mass_far_up_counts_at_every_loss_below_it() -> None:
    """The blocks' carries: a profile of one mass is (1 - e^-(distance)) of it."""
    size, interval = 5000, 0.25
    mass = np.zeros(size)
    mass[-1] = 1.0
    distance = interval * np.arange(size - 1, -1, -1)
    profile = scaled_profile(mass, interval, 0.0)
    np.testing.assert_allclose(profile, -np.expm1(-distance), rtol=1e-9)
