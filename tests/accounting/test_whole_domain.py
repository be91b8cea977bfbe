"""Every scheme that can be asked for, over the whole domain: the curves are sane."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import account_for
from dpviz.accounting.discretize import LARGEST_INTERVAL
from dpviz.guarantees import Composition
from dpviz.scenario import PRESETS, Relation, Sampling, ScenarioError, Training
from dpviz.scenario.mechanism import MOST_STEPS
from tests.scenario.strategies import scenarios

EPSILONS = np.concatenate([[0.0], np.logspace(-4, 3, 50)])
DELTAS = (1e-15, 1e-7, 0.1)


@st.composite
def any_scheme(draw):
    """Draw from all top and bottom levels, with and without noise, and counts by their size."""
    scenario = draw(scenarios())
    steps = int(10 ** draw(st.floats(0, np.log10(MOST_STEPS))))
    scenario = replace(scenario, training=Training(unit="steps", count=steps))
    if draw(st.booleans()):
        quiet = replace(scenario.noise, context_noise=0.0, forecast_noise=0.0)
        scenario = replace(scenario, noise=quiet)
    if scenario.shape is not None and draw(st.integers(0, 4)) == 0:
        most = min(scenario.sampling.batch_size, scenario.shape.num_series)
        one_bag = replace(
            scenario.sampling,
            top_level="flat",
            bottom_level="with-replacement",
            num_subsequences=1,
            batch_size=most,
        )
        scenario = replace(scenario, sampling=one_bag)
    return scenario


def assert_sane(curve):
    brackets = curve.delta_at(EPSILONS)
    for values in (brackets.low, brackets.high):
        assert np.all(np.isfinite(values))
        assert np.all((values >= 0) & (values <= 1))
        assert np.all(np.diff(values) <= 0)
    assert np.all(brackets.low <= brackets.high)
    for delta in DELTAS:
        epsilon = curve.epsilon_at(delta)
        if epsilon.high is not None:
            assert epsilon.low is not None
            assert 0 <= epsilon.low <= epsilon.high
            assert curve.delta_at(np.array([epsilon.high])).high[0] <= delta * (1 + 1e-9)


def account_or_refusal(scenario):
    """Return the account, or the field that a scenario is refused for; few ever are."""
    try:
        return account_for(scenario), None
    except ScenarioError as refused:
        return None, refused.field


@settings(max_examples=12, derandomize=True, deadline=None)
@given(any_scheme())
def test_curves_are_sane_for_every_scheme(scenario):
    """Low below high, both probabilities, falling in epsilon; upper bounds above lower ones."""
    account, refused = account_or_refusal(scenario)
    if account is None:
        # Rates say too little about noise on the data; lengths may have been left out.
        in_rates_mode = scenario.shape is None
        noises = ("forecast_noise", "context_noise")
        assert refused in (noises if in_rates_mode else ("longer_series_beyond",))
        assert in_rates_mode or scenario.shape.longer_series_beyond is not None
        return
    assert account.upper.bound.composition is Composition.MIRRORED
    assert account.upper.quotes_high
    assert_sane(account.upper)
    if account.lower is None:
        return
    assert not account.lower.quotes_high or account.lower.bound.kind.value == "tight"
    assert_sane(account.lower)
    low = account.lower.delta_at(EPSILONS).low
    assert np.all(low <= account.upper.delta_at(EPSILONS).high)


@pytest.mark.parametrize("delta", [0.3, 1e-15])
@settings(max_examples=5, derandomize=True, deadline=None)
@given(any_scheme())
def test_every_delta_can_be_asked_for(delta, scenario):
    account, _ = account_or_refusal(replace(scenario, delta=delta))
    if account is not None:
        bracket = account.upper.epsilon_at(delta)
        assert bracket.high is None or bracket.high >= bracket.low >= 0


@pytest.mark.parametrize("tolerance", [0.1, 1e-2])
@pytest.mark.parametrize(("sigma", "windows"), [(1.0, 32), (0.5, 16), (0.1, 4), (0.1, 32)])
def test_losses_of_thousands_of_nats_have_curves_at_every_tolerance(sigma, windows, tolerance):
    """However far one epoch's losses reach: the grid's distance stays one that is allowed."""
    toy = PRESETS["toy"].scenario
    sampling = replace(toy.sampling, top_level="deterministic", num_subsequences=windows)
    scenario = replace(toy, sampling=sampling, noise=replace(toy.noise, noise_multiplier=sigma))
    account = account_for(scenario, tolerance=tolerance)
    assert account.lower is not None
    for curve in (account.upper, account.lower):
        assert curve.interval <= LARGEST_INTERVAL
        assert_sane(curve)
    low = account.lower.delta_at(EPSILONS).low
    assert np.all(low <= account.upper.delta_at(EPSILONS).high)


def test_losses_that_are_one_huge_number_but_for_rounding_are_composed():
    toy = PRESETS["toy"].scenario
    whole_series = replace(
        toy,
        data=replace(toy.data, num_series=3, series_lengths=(11,)),
        sampling=Sampling(batch_size=192, num_subsequences=64, top_level="poisson"),
        training=Training(unit="steps", count=MOST_STEPS // 100),
        relation=Relation(level="user", width=1000),
    )
    account = account_for(whole_series)
    assert account.upper.epsilon_at(1e-7).low > 1e8
    assert account.lower.epsilon_at(1e-7).low > 1e7
