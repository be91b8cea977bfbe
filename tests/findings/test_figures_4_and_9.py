"""Noise on what is to be forecast (Thm G.1, an upper bound): sigma_C = 0, one window a series."""

from itertools import pairwise

import numpy as np
import pytest

from dpviz.accounting import best_upper
from dpviz.guarantees import guarantee_for
from dpviz.planning.paper_figures import FIGURES
from tests.findings.settings import certainly_below

# Of Fig. 9 all rates; the panels of Fig. 4 are among them. What they are, and with which noises:
# see tests/planning/test_paper_figures.
PANELS = FIGURES["9"].panels
EPSILONS = np.geomspace(1e-2, 20.0, 60)
# TV(1, sigma_F) is 4e-7 at the largest allowed noise: what is left of the forecast's share.
REST_OF_THE_FORECAST = 1e-6
# A delta grows less than that many times faster than the rate does, here.
DELTA_PER_RATE = 100


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel.number))
def test_delta_falls_as_the_noise_on_the_forecast_grows(panel):
    """At every epsilon, from no noise to the largest; both sides are upper bounds."""
    bounds = [best_upper(run) for run in panel.scenarios[:-1]]
    assert [curve.bound.theorem for curve in bounds] == ["4.4"] + ["G.1"] * 5
    for less, more in pairwise(bounds):
        assert np.all(certainly_below(more, less, EPSILONS))


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: str(panel.number))
def test_the_largest_noise_is_as_good_as_no_forecast(panel):
    """Sigma_F to infinity equals L_F to 0 with T and L_C fixed: the rate is rho L_C / T."""
    *_, noisy, none = panel.scenarios
    rate, (bottom_rate, batch_share) = guarantee_for(noisy).upper.pair.rate, panel.settings["rates"]
    assert rate == pytest.approx(guarantee_for(none).upper.pair.rate, rel=REST_OF_THE_FORECAST)
    assert rate == pytest.approx(bottom_rate * batch_share / 2, rel=REST_OF_THE_FORECAST)
    first, second = best_upper(noisy).delta_at(EPSILONS), best_upper(none).delta_at(EPSILONS)
    assert np.all(second.low <= first.high)
    assert np.all(first.low <= second.high * (1.0 + DELTA_PER_RATE * REST_OF_THE_FORECAST))
