"""What noise on context and labels is worth, and the map of epsilon over both noises."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erfinv

from dpviz.accounting import Bracket, best_upper
from dpviz.accounting.curve import DEFAULT_TOLERANCE
from dpviz.guarantees import guarantee_for, revealing_rate
from dpviz.planning.label_noise import (
    FINE_ENOUGH,
    FORECAST_NOISES,
    NEGLIGIBLE_EPSILON,
    NOISES,
    bound_at_rate,
    compared_noises,
    epsilon_of,
    equivalent_forecast_length,
    noise_map,
    noisy_bound,
    rates_of_row,
    rates_to_come,
    uncovered_map,
    untold_by_rates,
    with_noise,
)
from dpviz.scenario import Rates, Relation, Sampling, ScenarioError
from tests.scenario.changes import TOY, TRAFFIC, varied

UNCOVERED = [
    Sampling(batch_size=32, num_subsequences=4),
    Sampling(batch_size=32, bottom_level="poisson"),
    Sampling(batch_size=32, top_level="flat"),
]


@pytest.mark.parametrize("context_noise", [0.0, 0.7])
@pytest.mark.parametrize("shorter", [1, 7, 12, 23])
def test_equivalent_length_has_the_same_rate(shorter, context_noise):
    """A window with so many labels and none of their noise: the same q, T and L_C."""
    labels, positions = 24, TRAFFIC.data.start_positions
    sigma = 1.0 / (2.0 * np.sqrt(2.0) * erfinv(shorter / labels))
    noisy = with_noise(TRAFFIC, context=context_noise, forecast=float(sigma))
    assert equivalent_forecast_length(noisy) == pytest.approx(shorter, rel=1e-9)
    without = varied(
        noisy,
        forecast_length=shorter,
        series_lengths=(positions + shorter - 1,),
        forecast_noise=0.0,
    )
    assert without.shape.start_positions == positions
    assert revealing_rate(noisy) == pytest.approx(revealing_rate(without), rel=1e-9)


@pytest.mark.parametrize(
    "scenario",
    [
        TRAFFIC,
        with_noise(TRAFFIC, context=2.0),
        with_noise(varied(TRAFFIC, width=2), forecast=2.0),
        with_noise(TRAFFIC.with_rates(), forecast=2.0),
        with_noise(varied(TRAFFIC, series_lengths=(142,)), forecast=2.0),
        *(with_noise(replace(TOY, sampling=scheme), forecast=2.0) for scheme in UNCOVERED),
    ],
)
def test_no_equivalent_length_is_told_where_none_is_known(scenario):
    assert equivalent_forecast_length(scenario) is None


@pytest.mark.parametrize("sampling", UNCOVERED)
def test_without_a_theorem_all_noises_have_the_same_upper_bound(sampling):
    """Not the same lower one: what is attained depends on the noise (Proposition 22)."""
    scenario = replace(TOY, sampling=sampling)
    runs = [with_noise(scenario, context=0.5), *compared_noises(with_noise(scenario, context=2.0))]
    uppers = [guarantee_for(run).upper for run in runs]
    assert len(set(uppers)) == 1
    assert len({guarantee_for(run).lower for run in runs}) > 3
    plain = guarantee_for(scenario)
    assert uppers[0].pair == plain.upper.pair
    assert noisy_bound(scenario).pair == plain.upper.pair


@pytest.mark.parametrize(
    ("rates", "relation", "field"),
    [
        (Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10), Relation(), "forecast_share"),
        (
            Rates(
                bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10, forecast_share=0.5,
                last_shape=TOY.data,
            ),
            Relation(width=2),
            "relation_width",
        ),
    ],
)  # fmt: skip
def test_rates_that_do_not_tell_are_named_and_nothing_is_compared(rates, relation, field):
    scenario = replace(TOY, data=rates, relation=relation)
    assert untold_by_rates(scenario).field == field
    assert compared_noises(scenario) == []
    with pytest.raises(ScenarioError):
        revealing_rate(with_noise(scenario, forecast=1.0))
    # Without a theorem, noise changes nothing.
    several = varied(scenario, num_subsequences=2)
    assert untold_by_rates(several) is None
    assert len(compared_noises(several)) == len(FORECAST_NOISES) - 1
    assert untold_by_rates(TOY) is None
    assert untold_by_rates(TOY.with_rates()) is None


# The map: never too low, and how far above.

SHORT = varied(TOY, steps=50)
WALK = varied(SHORT, top_level="deterministic")
WIDE = varied(SHORT, width=3, num_channels=2)
USERS = varied(SHORT, level="user", width=2)


def all_rates(scenario):
    return np.array([rates_of_row(scenario, noise) for noise in NOISES])


def filled(scenario, most=None):
    """Return the map after so many entries of the table; after all that are wanted."""
    rates = all_rates(scenario)
    distinct, table = np.unique(rates).tolist(), {}
    while (missing := rates_to_come(distinct, table)) and (most is None or len(table) < most):
        table[missing[0]] = epsilon_of(bound_at_rate(scenario, missing[0]), scenario.delta)
    return noise_map(scenario, rates, table), table


@pytest.fixture(scope="module")
def complete():
    return filled(SHORT)


def directly(scenario, context, forecast):
    cell = with_noise(scenario, context=context, forecast=forecast)
    return best_upper(cell).epsilon_at(cell.delta)


@pytest.mark.parametrize(
    "scenario", [SHORT, WALK, WIDE, USERS], ids=["toy", "walk", "wide", "users"]
)
def test_rates_are_those_of_the_bounds(scenario):
    rates = all_rates(scenario)
    assert rates.shape == (len(NOISES), len(NOISES))
    for labels, context in ((0, 0), (0, 3), (4, 0), (6, 2), (-1, -1)):
        cell = with_noise(scenario, context=NOISES[context], forecast=NOISES[labels])
        assert rates[labels, context] == revealing_rate(cell)
    # More noise never reveals more (but for the last bits of a sum).
    for axis in (0, 1):
        assert np.all(np.diff(rates, axis=axis) <= 1e-12 * rates.max())
    assert bound_at_rate(scenario, 0.1).count == (5 if scenario is WALK else 50)


@pytest.mark.every(3)
@pytest.mark.parametrize("most", [1, 4, 12])
@pytest.mark.parametrize("scenario", [SHORT, WIDE], ids=["toy", "wide"])
def test_no_cell_is_below_its_own_epsilon_however_coarse_the_table(scenario, most):
    shown, table = filled(scenario, most)
    assert len(table) == most
    for labels, context in product(range(0, len(NOISES), 2), repeat=2):
        own = directly(scenario, NOISES[context], NOISES[labels])
        read = shown.epsilon[labels, context]
        # Where it is an entry of the table it is the same number; else it is of a larger rate.
        assert read >= own.low
        assert read >= own.high * (1.0 - DEFAULT_TOLERANCE)
        assert shown.at_least[labels, context] <= own.high
        assert shown.table_rates[labels, context] >= shown.rates[labels, context]


def test_entries_of_the_table_are_the_epsilons_of_the_curves(complete):
    shown, table = complete
    same = 0
    for labels, context in product(range(len(NOISES)), repeat=2):
        rate = shown.rates[labels, context]
        if rate in table and labels % 3 == context % 3 == 1:
            own = directly(SHORT, NOISES[context], NOISES[labels])
            assert shown.epsilon[labels, context] == own.high
            assert shown.at_least[labels, context] == own.low
            same += 1
    assert same > 5
    assert shown.epsilon[0, 0] == directly(SHORT, 0.0, 0.0).high


def test_complete_table_is_as_fine_as_it_says(complete):
    shown, table = complete
    assert shown.excess <= FINE_ENOUGH
    gaps = shown.epsilon - shown.at_least
    allowed = np.maximum(FINE_ENOUGH * shown.at_least, NEGLIGIBLE_EPSILON)
    assert np.all(gaps <= allowed * (1.0 + 1e-9))
    assert len(table) < len(np.unique(shown.rates))  # some were not needed


def test_coarse_table_says_how_coarse_it_is(complete):
    fine, _ = complete
    coarse, _ = filled(SHORT, 3)
    assert coarse.excess > fine.excess
    true_excess = np.max(coarse.epsilon / fine.at_least - 1.0)
    assert coarse.excess >= np.max(coarse.epsilon / fine.epsilon - 1.0)
    assert coarse.excess == pytest.approx(np.max(coarse.epsilon / coarse.at_least - 1.0))
    assert true_excess > 1.0


@pytest.mark.parametrize("top_level", ["deterministic", "poisson", "bins"])
def test_each_way_to_choose_series_has_a_table_of_its_own(top_level):
    scenario = varied(SHORT, top_level=top_level)
    noisy = with_noise(scenario, forecast=1.0)
    found = epsilon_of(bound_at_rate(scenario, revealing_rate(noisy)), scenario.delta)
    own = directly(scenario, 0.0, 1.0)
    assert (found.low, found.high) == pytest.approx((own.low, own.high), rel=1e-9)


@settings(max_examples=60)
@given(st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=40, unique=True), st.data())
def test_largest_rate_comes_first_and_each_once(rates, data):
    """The largest has to be known before any cell is; known ones do not come again."""
    rates = sorted(rates)
    known = data.draw(st.sets(st.sampled_from(rates)))
    # Epsilons far apart, so that every rate is wanted.
    table = {rate: Bracket(low=rate * 1e9, high=rate * 1e9) for rate in known}
    wanted = rates_to_come(rates, table)
    assert len(set(wanted)) == len(wanted)
    assert not known & set(wanted)
    if rates[-1] not in known:
        assert wanted[0] == rates[-1]
    assert set(rates_to_come(rates, {})) == set(rates)


def test_nothing_is_computed_between_epsilons_that_hardly_differ():
    rates = [0.1, 0.2, 0.3, 0.4, 0.5]
    same = Bracket(low=2.0, high=2.001)
    assert rates_to_come(rates, {0.1: same, 0.5: same}) == []
    tiny = {0.1: Bracket(low=0.0, high=0.0), 0.5: Bracket(low=5e-5, high=6e-5)}
    assert rates_to_come(rates, tiny) == []
    apart = {0.1: same, 0.5: Bracket(low=3.0, high=3.0)}
    assert rates_to_come(rates, apart) == [0.3, 0.2, 0.4]


def test_where_no_epsilon_is_known_none_is_claimed():
    rates = np.array([[0.4, 0.3], [0.2, 0.1]])
    nothing = Bracket(low=None, high=None)
    table = {0.4: nothing, 0.1: Bracket(low=1.0, high=1.0)}
    shown = noise_map(SHORT, rates, table)
    assert shown.epsilon.tolist() == [[np.inf, np.inf], [np.inf, 1.0]]
    assert shown.at_least.tolist() == [[0.0, 1.0], [1.0, 1.0]]
    assert shown.excess == 0.0  # of what is known
    assert rates_to_come([0.1, 0.2, 0.3, 0.4], table) == [0.2, 0.3]
    assert rates_to_come([0.1, 0.2], {0.1: nothing, 0.2: nothing}) == []


def test_where_no_theorem_covers_the_noise_it_is_the_same_everywhere():
    several = varied(SHORT, num_subsequences=4)
    shown = uncovered_map(several, Bracket(low=3.0, high=3.1))
    assert set(shown.epsilon.flat) == {3.1}
    assert set(shown.at_least.flat) == {3.0}
    assert np.isnan(shown.rates).all()
    with pytest.raises(ValueError, match="covers its noise"):
        uncovered_map(SHORT, Bracket(low=3.0, high=3.1))
    with pytest.raises(ValueError, match="no theorem covers"):
        rates_of_row(several, 1.0)
