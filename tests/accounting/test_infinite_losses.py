"""What reveals everything is rounded up, and where nearly all outcomes do nothing breaks."""

import numpy as np
import pytest
from mpmath import mp, mpf

from dpviz.accounting import account_for, composed_curve
from dpviz.accounting.composition import composed_profile
from dpviz.accounting.loss_distribution import LossDistribution, Rounding
from dpviz.accounting.tilted_sum import Repeated
from dpviz.guarantees import sampled_top_level
from dpviz.scenario import PRESETS, DataShape
from tests.scenario.changes import varied

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
    profile = composed_profile([Repeated(unit, 25)], Rounding.UP)
    assert np.all(profile.delta_at(np.array([0.0, 1.0, 50.0])) >= 1.0 - 0.999**25)


TOY = PRESETS["toy"].scenario


@pytest.mark.every(4)
@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("context", [15, 127, 255, 1023])
def test_no_epsilon_is_promised_in_a_large_batch_of_few_series(bottom_level, context):
    """Two series, and most of their windows in each of ten batches: 3,000 of at most 4,000."""
    shape = DataShape(
        num_series=2, series_lengths=(2000,), context_length=context, forecast_length=1
    )
    bag = varied(
        TOY, data=shape, batch_size=3000, top_level="flat", bottom_level=bottom_level, steps=10
    )
    account = account_for(bag)
    upper = account.upper.quoted_epsilon_at(1e-7)
    lower = account.lower.quoted_epsilon_at(1e-7)
    # Of 16 windows and more that hold a value, each batch has three in four.
    assert upper is None or upper > 100.0
    assert lower is None or upper is None or lower <= upper
