"""The rates are those of riskcal, which reads them off dp-accounting's distributions.

An independent chain: other losses, other grids, another composition and another way to the curve
(Neyman-Pearson thresholds on masses instead of lines by epsilon). It has no brackets and rounds one
way, so it is compared up to a tolerance.
"""

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.accounting.second_opinion import second_opinion
from dpviz.guarantees import in_one_direction
from dpviz.guarantees.poisson import poisson_deterministic
from dpviz.risk import (
    advantage,
    attained_true_positive_rates,
    directed_true_positive_rates,
    true_positive_rates,
)
from tests.accounting.rows import drawn

riskcal = pytest.importorskip("riskcal.analysis")

RATES = np.array([1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9])
SCHEMES = {
    "4.4": drawn(0.1, 1.0, 100, top=0.1),
    "Gaussian": drawn(1.0, 4.0, 16),
    "dpviz 2": drawn(0.1, 2.0, 50, 4, 0.25),
    "E.8": poisson_deterministic(touched=[(3, 0.25)], noise_multiplier=2.0, epochs=10),
}
# What one grid of 1e-3 nats and the library's truncation leave.
TOLERANCE = 3e-4


def theirs(bound):
    """Return true positive rates and the advantage, as riskcal has them."""
    distribution = second_opinion(bound, interval=1e-3).distribution
    missed = riskcal.get_beta_from_pld(distribution, alpha=RATES)
    return 1.0 - missed, riskcal.get_advantage_from_pld(distribution)


ONE_BY_ONE = [
    name if name == "dpviz 2" else pytest.param(name, marks=pytest.mark.slow) for name in SCHEMES
]


@pytest.mark.parametrize("scheme", ONE_BY_ONE)
def test_what_any_attacker_has_at_most(scheme):
    bound = SCHEMES[scheme].upper
    curve = composed_curve(bound, at_delta=1e-3, tolerance=1e-4)
    rates, most = theirs(bound)
    ours = true_positive_rates(curve, RATES)
    np.testing.assert_allclose(ours.high, rates, rtol=TOLERANCE)
    np.testing.assert_allclose(ours.low, rates, rtol=TOLERANCE)
    assert advantage(curve).high == pytest.approx(most, rel=TOLERANCE)


@pytest.mark.parametrize("scheme", ONE_BY_ONE)
def test_what_some_attacker_has_at_least(scheme):
    """Equal but where the directions cross: there riskcal joins them by a straight line.

    That line bounds whoever may choose the direction by lot from above, and is no single attack.
    """
    bound = in_one_direction(SCHEMES[scheme].lower)
    curve = composed_curve(bound, at_delta=1e-3, tolerance=1e-4)
    rates, most = theirs(bound)
    ours = attained_true_positive_rates(curve, RATES)
    assert advantage(curve).low == pytest.approx(most, rel=TOLERANCE)
    assert np.all(ours.low <= rates * (1.0 + TOLERANCE))
    joined = np.zeros(len(RATES), dtype=bool)
    if len(directed_true_positive_rates(curve, RATES)) > 1:
        even = np.linspace(0.0, 1.0, 2001)
        gain = attained_true_positive_rates(curve, even).low - even
        # The largest gains of the two directions: between them lies the line.
        peaks = even[gain >= gain.max() * (1.0 - 1e-4)]
        middle, half = (peaks.max() + peaks.min()) / 2.0, (peaks.max() - peaks.min()) / 2.0
        joined = np.abs(RATES - middle) < half + 1e-3
    np.testing.assert_allclose(ours.low[~joined], rates[~joined], rtol=TOLERANCE)
    np.testing.assert_allclose(ours.low, rates, rtol=5e-3)
