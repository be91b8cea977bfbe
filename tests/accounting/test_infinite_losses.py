"""What reveals everything is rounded up, too: at its own delta there is no finite epsilon."""

import numpy as np
import pytest
from mpmath import mp, mpf

from dpviz.accounting import composed_curve
from dpviz.accounting.composition import composed_profile
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.tilted_sum import Repeated
from dpviz.guarantees import sampled_top_level

DIGITS = 40
# Eight windows at so little noise have losses of thousands of nats: whoever is drawn is revealed.
DRAWN = [
    (3.951678769868717e-05, 1712),
    (0.1, 2),
    (0.04, 2),
    (0.05, 2),
    (0.08, 2),
    (0.14, 2),
    (1e-9, 10**7),
]


def upper_bound(top_rate, steps):
    return sampled_top_level(
        bottom_rate=1.0, top_rate=top_rate, noise_multiplier=0.1, steps=steps, subsequences=8
    ).upper


@pytest.mark.every(4)
@pytest.mark.parametrize(("top_rate", "steps"), DRAWN)
def test_delta_is_never_below_the_chance_of_being_drawn(top_rate, steps):
    """Not even by a unit in the last place, where epsilon jumps from thousands to less than 1."""
    curve = composed_curve(upper_bound(top_rate, steps))
    with mp.workdps(DIGITS):
        drawn = 1 - (1 - mpf(top_rate)) ** steps
        high = float(curve.delta_at(np.array([1000.0])).high[0])
        assert mpf(high) >= drawn
        assert mpf(high) <= drawn * (1 + mpf("1e-11"))


@pytest.mark.parametrize(("top_rate", "steps"), DRAWN)
def test_just_below_that_delta_there_is_no_finite_epsilon(top_rate, steps):
    with mp.workdps(DIGITS):
        drawn = 1 - (1 - mpf(top_rate)) ** steps
        below = float(drawn * (1 - mpf("1e-15")))
    curve = composed_curve(upper_bound(top_rate, steps), at_delta=below)
    assert curve.epsilon_at(below).high is None


def test_a_single_loss_of_0_does_not_hide_what_reveals_everything() -> None:
    unit = LossDistribution(
        interval=0.1,
        origin=0.0,
        indices=np.zeros(1, dtype=np.int64),
        mass=np.array([0.999]),
        infinity=1e-3,
    )
    profile = composed_profile([Repeated(distribution=unit, count=25)], Rounding.UP)
    assert np.all(profile.delta_at(np.array([0.0, 1.0, 50.0])) >= 1.0 - 0.999**25)
