"""The Gaussian mechanism's delta and noise."""

import math

import numpy as np
import pytest
from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism
from hypothesis import given
from hypothesis import strategies as st

from dpviz.release import analytic_noise, classical_noise, gaussian_delta
from dpviz.scenario import ScenarioError
from tests.release.exact import exact_gaussian_delta

EPSILONS = [0.0, 1e-4, 0.01, 0.5, 1.0, 3.0, 30.0, 1000.0]
RATIOS = [1e-6, 1e-3, 0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0, 60.0, 1e4]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_delta_is_rounded_up_from_the_exact_value(epsilon):
    """Never below the value of 60 digits; above it by 1e-10 of it, or what doubles cannot tell."""
    for ratio in RATIOS:
        exact = exact_gaussian_delta(epsilon, ratio)
        computed = float(gaussian_delta(epsilon, ratio))
        if exact < 1e-290:
            assert computed <= 1e-280
            continue
        assert computed >= exact or computed == 1.0
        assert computed - exact <= 1e-10 * exact + 1e-14


@pytest.mark.parametrize("epsilon", [995.0868381718249, 190400.47074161153, 675033.5459601746])
@pytest.mark.parametrize("beyond", [-8.0, -7.4542, -3.0, 0.0, 1e-8, 0.0409, 0.3])
def test_delta_is_rounded_up_where_the_terms_of_an_argument_cancel(epsilon, beyond):
    """About the bend, mu^2 = 2 epsilon, two large numbers leave a small one with their errors."""
    ratio = math.sqrt(2.0 * epsilon) + beyond
    exact = exact_gaussian_delta(epsilon, ratio)
    assert exact <= float(gaussian_delta(epsilon, ratio)) <= exact * (1 + 1e-10)


def test_delta_agrees_with_dp_accounting():
    other = from_gaussian_mechanism(2.0, value_discretization_interval=1e-4)
    for epsilon in (0.1, 0.5, 1.0):
        assert float(gaussian_delta(epsilon, 0.5)) == pytest.approx(
            other.get_delta_for_epsilon(epsilon), rel=1e-4
        )


def test_no_and_infinite_signal():
    assert gaussian_delta(0.5, [0.0, np.inf]).tolist() == [0.0, 1.0]


@given(
    epsilon=st.floats(1e-4, 50.0),
    ratio=st.floats(1e-3, 50.0),
    factor=st.floats(1.001, 3.0),
)
def test_more_signal_or_less_epsilon_never_means_less_delta(epsilon, ratio, factor):
    here = float(gaussian_delta(epsilon, ratio))
    assert float(gaussian_delta(epsilon, ratio * factor)) >= here * (1 - 1e-9)
    assert float(gaussian_delta(epsilon / factor, ratio)) >= here * (1 - 1e-9)


@given(epsilon=st.floats(1e-3, 20.0), exponent=st.floats(-14.0, -1.0), root=st.floats(0.1, 100.0))
def test_analytic_noise_meets_its_delta_and_hardly_more(epsilon, exponent, root):
    """By the 60-digit formula, not by dpviz's own."""
    delta = 10.0**exponent
    noise = analytic_noise(epsilon, delta, root)
    assert exact_gaussian_delta(epsilon, root / noise) <= delta
    assert exact_gaussian_delta(epsilon, root / (noise * (1 - 1e-7))) > delta * (1 - 1e-4)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("delta", [1e-9, 1e-4, 0.01])
def test_the_classical_noise_is_enough_where_it_is_proven(epsilon, delta):
    noise = classical_noise(epsilon, delta, 3.0)
    assert exact_gaussian_delta(epsilon, 3.0 / noise) <= delta
    assert noise >= analytic_noise(epsilon, delta, 3.0)


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 50.0])
def test_the_classical_noise_is_refused_from_epsilon_1_on(epsilon):
    with pytest.raises(ScenarioError, match=r"epsilon = .* is not allowed: .*below 1"):
        classical_noise(epsilon, 1e-5, 1.0)


def test_the_classical_formula_would_be_wrong_for_large_epsilon():
    """Why it is refused: at epsilon 50 its noise misses the delta."""
    noise = math.sqrt(2.0 * math.log(1.25e5)) / 50.0
    assert exact_gaussian_delta(50.0, 1.0 / noise) > 1e-5
