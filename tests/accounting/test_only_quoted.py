"""The side to quote alone: a bound all the same, and never a claim about the other side."""

import numpy as np
import pytest

from dpviz.accounting import account_for
from dpviz.accounting.curve import composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.planning import curves_of
from dpviz.scenario import PRESETS

_EPSILONS = np.array([0.0, 0.1, 1.0, 5.0, 20.0])


@pytest.mark.parametrize("name", ["toy", "traffic"])
def test_the_quoted_side_is_that_of_the_whole_curve_on_the_same_grid(name: str) -> None:
    guarantee = guarantee_for(PRESETS[name].scenario)
    assert guarantee.lower is not None
    for bound in (guarantee.upper, guarantee.lower):
        one = composed_curve(bound, interval=0.05, only_quoted=True)
        whole = composed_curve(bound, interval=0.05)
        np.testing.assert_array_equal(
            one.quoted_delta_at(_EPSILONS), whole.quoted_delta_at(_EPSILONS)
        )
        assert one.quoted_epsilon_at(1e-7) == whole.quoted_epsilon_at(1e-7)


def test_the_side_that_was_not_computed_claims_nothing() -> None:
    account = account_for(PRESETS["toy"].scenario, only_quoted=True)
    assert account.lower is not None
    upper, lower = account.upper.delta_at(_EPSILONS), account.lower.delta_at(_EPSILONS)
    assert np.all(upper.low == 0.0)
    assert np.all(lower.high == 1.0)
    assert account.upper.epsilon_at(1e-7).low == 0.0
    assert account.lower.epsilon_at(1e-7).high is None


@pytest.mark.parametrize("name", ["toy", "traffic", "electricity"])
def test_rough_curves_are_bounds_and_close_to_the_exact_ones(name: str) -> None:
    scenario = PRESETS[name].scenario
    rough, exact = curves_of(scenario, tolerance=1e-2, only_quoted=True), curves_of(scenario)
    assert rough.upper.only_quoted
    assert not exact.upper.only_quoted
    assert rough.epsilon_upper is not None
    assert rough.epsilon_lower is not None
    assert exact.upper.bracket.low is not None
    assert exact.upper.bracket.low <= rough.epsilon_upper <= 1.02 * exact.upper.bracket.low
    assert exact.lower is not None
    assert exact.lower.bracket.high is not None
    assert 0.98 * exact.lower.bracket.high <= rough.epsilon_lower <= exact.lower.bracket.high
