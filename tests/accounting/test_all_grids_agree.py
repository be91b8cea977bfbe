"""One number, many grids: brackets of the same bound always have a value in common."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import composed_curve
from dpviz.accounting.discretize import LARGEST_INTERVAL
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.losses import loss_of
from dpviz.guarantees import sampled_top_level

GRIDS_IN_SPREADS = (None, 0.1, 0.6, 4.0)
# Finer grids only take longer.
MOST_POINTS = 2**15


def curves_on_grids(rate, sigma, steps, *, attained):
    guarantee = sampled_top_level(
        bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps
    )
    bound = guarantee.lower if attained else guarantee.upper
    loss = loss_of(bound.pair, Rounding.UP)
    finest = 2 * max(loss.largest_resolved, -loss.smallest_resolved) / MOST_POINTS
    for size in GRIDS_IN_SPREADS:
        if size is None:
            yield composed_curve(bound)
        else:
            wanted = max(size * loss.spread, finest)
            yield composed_curve(bound, interval=min(wanted, LARGEST_INTERVAL))


def assert_brackets_meet(rate, sigma, steps, *, attained):
    curves = list(curves_on_grids(rate, sigma, steps, attained=attained))
    known = [curves[0].epsilon_at(delta).high for delta in (0.3, 1e-3, 1e-7, 1e-12)]
    epsilons = np.unique([0.0, 1e-4, 1e-2, 1.0, 1e3, *(e for e in known if e is not None)])
    brackets = [curve.delta_at(epsilons) for curve in curves]
    low = np.max([b.low for b in brackets], axis=0)
    high = np.min([b.high for b in brackets], axis=0)
    assert np.all(low <= high)


@settings(max_examples=15, derandomize=True, deadline=None)
@given(st.floats(-9, 0), st.floats(-1, 2), st.floats(0, 5), st.booleans())
def test_every_grid_brackets_the_same_value(log_rate, log_sigma, log_steps, attained):
    assert_brackets_meet(10.0**log_rate, 10.0**log_sigma, int(10.0**log_steps), attained=attained)


@pytest.mark.parametrize("attained", [False, True])
@pytest.mark.parametrize(
    ("rate", "sigma", "steps"),
    [(1 - 2e-9, 0.104, 3), (1 - 1e-14, 0.54, 100), (1 - 1e-12, 0.1147, 799), (0.55, 0.112, 99),
     (1.3e-8, 0.77, 136_500), (1.2e-9, 0.109, 10**5), (1e-9, 100.0, 10**5)],
)  # fmt: skip
def test_far_corners_of_the_domain(rate, sigma, steps, attained):
    """Rates next to 1, rare but huge losses, losses of 1e-13 nats."""
    assert_brackets_meet(rate, sigma, steps, attained=attained)


def test_rare_huge_losses_are_in_the_lower_bound_too():
    """A leak of hundreds of nats that happens with probability 1e-4 decides epsilon."""
    bound = sampled_top_level(
        bottom_rate=1.2e-9, top_rate=1.0, noise_multiplier=0.109, steps=10**5
    ).lower
    bracket = composed_curve(bound).epsilon_at(1e-7)
    assert bracket.low > 200.0
    assert bracket.relative_gap < 1e-3


def test_reading_far_beyond_the_grid():
    """Any epsilon up to infinity may be asked for: both sides fall to what is left there."""
    bound = sampled_top_level(bottom_rate=0.01, top_rate=1.0, noise_multiplier=1.0, steps=10).upper
    with np.errstate(all="raise", under="ignore"):
        brackets = composed_curve(bound).delta_at(np.array([50.0, 1e3, 1e9, np.inf]))
    assert not brackets.low.any()
    assert np.all((brackets.high >= 0.0) & (brackets.high <= 1e-15))


def test_unreachable_delta_has_no_epsilon():
    """Below what outcomes beyond the grid add, no number is made up."""
    bound = sampled_top_level(bottom_rate=0.5, top_rate=1.0, noise_multiplier=1.0, steps=1000).upper
    bracket = composed_curve(bound).epsilon_at(1e-300)
    assert bracket.high is None
    assert bracket.relative_gap is None


def test_brackets_at_a_coarse_delta_start_at_zero():
    bound = sampled_top_level(bottom_rate=0.001, top_rate=1.0, noise_multiplier=4.0, steps=1).upper
    bracket = composed_curve(bound).epsilon_at(0.9)
    assert (bracket.low, bracket.high, bracket.relative_gap) == (0.0, 0.0, 0.0)
