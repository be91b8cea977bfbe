"""A reflected pair whose mixture also has weight below 0: of guesses that may be wrong."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from dpviz.accounting import composed_curve
from dpviz.guarantees import Bound, Composition, Kind, MixturePair, Unit


@pytest.mark.parametrize(("right", "wrong", "sigma"), [(0.06, 0.01, 1.0), (0.3, 0.29, 4.0)])
def test_one_step_is_what_integration_says(right, wrong, sigma):
    weights = (wrong, 1.0 - right - wrong, right)
    bound = Bound(
        theorem="dpviz 6",
        kind=Kind.LOWER,
        unit=Unit.STEP,
        count=1,
        pair=MixturePair(
            means=(-1.0, 0.0, 1.0),
            weights=weights,
            noise_multiplier=sigma,
            reflected=True,
            largest_mean=1.0,
        ),
        composition=Composition.ATTAINED,
    )
    for epsilon in (0.0, 0.01, 0.1, 0.5):

        def excess(x: float, alpha: float = np.exp(epsilon)) -> float:
            first = sum(w * norm.pdf(x, m, sigma) for w, m in zip(weights, (-1, 0, 1), strict=True))
            other = sum(w * norm.pdf(x, m, sigma) for w, m in zip(weights, (1, 0, -1), strict=True))
            return max(first - alpha * other, 0.0)

        exact = quad(excess, -40.0, 40.0, points=(-4.0, 0.0, 4.0), limit=400, epsabs=1e-14)[0]
        brackets = composed_curve(bound, at_delta=1e-3).delta_at(np.array([epsilon]))
        assert brackets.low[0] <= exact + 1e-12
        assert exact - 1e-12 <= brackets.high[0]
        assert brackets.high[0] - brackets.low[0] <= 1e-4
