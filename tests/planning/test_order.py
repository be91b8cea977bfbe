"""An order of two runs, or of ways of choosing series, is claimed where it is proven."""

from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.accounting import Bracket
from dpviz.planning import (
    Order,
    ProvenCurve,
    ScenarioCurves,
    curves_of,
    proven_order,
    proven_order_at_delta,
)
from dpviz.planning.curves import EPSILON_GRID
from dpviz.planning.over_steps import after, under_top_level
from dpviz.planning.proven import Proven
from dpviz.scenario import PRESETS, ScenarioError
from dpviz.scenario.mechanism import AT_RANDOM, IN_ORDER, MOST_STEPS
from dpviz.settings import SETTINGS
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.scenario.changes import varied

SWAPPED = {Order.FIRST: Order.SECOND, Order.SECOND: Order.FIRST, Order.UNPROVEN: Order.UNPROVEN}
PAIRS = list(combinations(sorted(RUNS), 2))
DRAWN = curves_of_kind("drawn")


def made(upper, lower, *, epsilon=(1.0, 2.0)):
    """Return curves with given deltas: constant ones, or one for each epsilon of the grid."""

    def side(bound, delta):
        delta = np.broadcast_to(np.asarray(delta, dtype=np.float64), EPSILON_GRID.shape)
        low, high = epsilon
        return ProvenCurve(
            at_delta=Proven(bound=bound, bracket=Bracket(low=low, high=high)),
            of_curve=bound,
            interval=1e-3,
            epsilon=EPSILON_GRID,
            delta_low=delta,
            delta_high=delta,
        )

    return ScenarioCurves(
        scenario=TOY,
        upper=side(DRAWN.upper.bound, upper),
        lower=None if lower is None else side(DRAWN.lower.bound, lower),
        seconds=0.0,
    )


def told_orders(first, second):
    """Return who wins at each epsilon, read off the stretches."""
    found = {}
    for stretch in proven_order(first, second):
        inside = [one for one in EPSILON_GRID.tolist() if stretch.start <= one <= stretch.end]
        found |= dict.fromkeys(inside, stretch.order)
    return found


def test_swapping_two_runs_swaps_the_words_and_nothing_else():
    for names in PAIRS:
        first, second = map(curves_of_kind, names)
        forwards, backwards = proven_order(first, second), proven_order(second, first)
        assert [(s.start, s.end, SWAPPED[s.order]) for s in forwards] == [
            (s.start, s.end, s.order) for s in backwards
        ], names
        at_delta = proven_order_at_delta(first, second)
        assert SWAPPED[at_delta] is proven_order_at_delta(second, first), names


def test_no_run_is_proven_more_private_than_itself():
    for name in RUNS:
        curves = curves_of_kind(name)
        orders = {stretch.order for stretch in proven_order(curves, curves)}
        assert orders <= {Order.UNPROVEN}, name
        assert proven_order_at_delta(curves, curves) is Order.UNPROVEN, name


def test_each_claim_is_an_upper_bound_below_an_attained_lower_one():
    claims = 0
    for names in PAIRS:
        first, second = map(curves_of_kind, names)
        for epsilon, order in told_orders(first, second).items():
            winner, loser = (first, second) if order is Order.FIRST else (second, first)
            if order is not Order.UNPROVEN:
                assert loser.lower is not None, names
                below = winner.upper.delta_high[winner.upper.place_of(epsilon)]
                assert below < loser.lower.delta_low[loser.upper.place_of(epsilon)], names
                claims += 1
    assert claims > 1000


def test_a_run_without_lower_bound_can_win_but_nobody_wins_against_it():
    """Its upper bound may be far from the truth."""
    unknown = curves_of_kind("no lower bound")
    for other in (DRAWN, curves_of_kind("one step"), curves_of_kind("several windows")):
        assert Order.FIRST not in {stretch.order for stretch in proven_order(other, unknown)}
        assert proven_order_at_delta(other, unknown) is not Order.FIRST
    several = curves_of_kind("several windows")
    assert Order.FIRST in {stretch.order for stretch in proven_order(unknown, several)}
    assert proven_order_at_delta(unknown, several) is Order.FIRST


def test_stretches_cover_what_is_told_once_and_in_order():
    for one, other in PAIRS:
        stretches = proven_order(curves_of_kind(one), curves_of_kind(other))
        for before, behind in pairwise(stretches):
            at = np.searchsorted(EPSILON_GRID, before.end)
            assert EPSILON_GRID[at + 1] == behind.start
            assert before.order is not behind.order
        assert all(stretch.start <= stretch.end for stretch in stretches)
        assert all(stretch.start > 0.0 for stretch in stretches)


def test_nothing_is_told_where_both_deltas_are_negligible():
    tiny = curves_of_kind("negligible")
    last = proven_order(DRAWN, curves_of_kind("walked"))[-1].end
    walked = curves_of_kind("walked")
    assert walked.upper.delta_high[walked.upper.place_of(last)] >= walked.smallest_delta
    beyond = EPSILON_GRID[np.searchsorted(EPSILON_GRID, last) + 1]
    assert walked.upper.delta_high[walked.upper.place_of(beyond)] < walked.smallest_delta
    assert proven_order(made(1e-13, 0.0), made(1e-14, 0.0)) == ()
    assert proven_order(tiny, tiny) == ()


DELTAS = st.sampled_from([0.0, 1e-13, 1e-9, 1e-6, 1e-3, 0.5, 1.0])
PAIR_OF_DELTAS = st.tuples(DELTAS, DELTAS).map(sorted)


@given(PAIR_OF_DELTAS, PAIR_OF_DELTAS, st.booleans(), st.integers(1, 300))
def test_any_two_bounds_are_ordered_by_the_rule_alone(one, other, no_lower, cut):
    """Also where bounds cross: each epsilon is judged by itself."""
    beyond = np.arange(len(EPSILON_GRID)) >= cut
    first = made(one[1], None if no_lower else one[0])
    second = made(np.where(beyond, other[1], 1.0), np.where(beyond, other[0], 0.0))
    orders = told_orders(first, second)
    for at, epsilon in enumerate(EPSILON_GRID.tolist()):
        upper, lower = (other[1], other[0]) if at >= cut else (1.0, 0.0)
        first_lower = 0.0 if no_lower else one[0]
        if epsilon == 0.0 or max(one[1], upper) < 1e-12:
            assert epsilon not in orders
        elif one[1] < lower:
            assert orders[epsilon] is Order.FIRST
        elif upper < first_lower:
            assert orders[epsilon] is Order.SECOND
        else:
            assert orders[epsilon] is Order.UNPROVEN


ENDS = (None, 0.0, 1.0, 2.0)


@pytest.mark.parametrize(("low", "high"), list(product(ENDS, ENDS)))
def test_epsilons_that_are_not_known_prove_nothing(low, high):
    one = made(1e-3, 0.0, epsilon=(0.0, high))
    other = made(1.0, 0.5, epsilon=(low, None))
    proven = low is not None and high is not None and high < low
    expected = Order.FIRST if proven else Order.UNPROVEN
    assert proven_order_at_delta(one, other) is expected


SCENARIOS = {name: preset.scenario for name, preset in PRESETS.items()} | {
    "rates": TOY.with_rates(bottom_rate=0.5, top_rate=0.5),
    "windows": sampled(num_subsequences=4),
}
# 3,000,000 steps an epoch, so that only 3 epochs fit into what a scenario may have.
LONG = varied(TOY, num_series=3_000_000, batch_size=1, steps=5)


def in_both_ways(scenario):
    return tuple(curves_of(under_top_level(scenario, way)) for way in (AT_RANDOM, IN_ORDER))


def test_a_way_that_does_not_fit_is_refused_with_its_field():
    for scenario, way in (
        (SCENARIOS["rates"], "flat"),
        (SCENARIOS["windows"], "flat"),
        (TOY, "by hand"),
    ):
        with pytest.raises(ScenarioError, match=r"^top_level\b"):
            under_top_level(scenario, way)


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("length", SETTINGS["compared_length"].choices)
def test_lengths_are_what_they_are_called(name, length):
    scenario = SCENARIOS[name]
    cut = after(scenario, length)
    epoch = scenario.steps_per_epoch
    steps = {"step": 1, "epoch": epoch, "ten-epochs": 10 * epoch, "run": scenario.num_steps}
    assert cut.num_steps == steps[length]
    assert replace(cut, training=scenario.training) == scenario


@pytest.mark.parametrize("length", SETTINGS["compared_length"].choices)
def test_no_length_exceeds_what_a_scenario_may_have(length):
    assert LONG.steps_per_epoch == 3_000_000
    expected = {"step": 1, "epoch": 3_000_000, "ten-epochs": 9_000_000, "run": 5}[length]
    assert after(LONG, length).num_steps == expected <= MOST_STEPS


def test_an_epoch_of_too_many_steps_is_refused_with_its_field():
    longer = varied(LONG, num_series=2 * MOST_STEPS)
    assert after(longer, "step").num_steps == 1
    for length in ("epoch", "ten-epochs"):
        with pytest.raises(ScenarioError, match=r"^epochs\b"):
            after(longer, length)


def test_an_order_is_claimed_only_where_it_is_proven():
    drawn, walked = in_both_ways(TOY)
    assert drawn.epsilon_upper < walked.epsilon_lower
    assert proven_order_at_delta(drawn, walked) is Order.FIRST
    drawn, walked = in_both_ways(PRESETS["solar_10_minutes"].scenario)
    assert drawn.epsilon_upper > walked.epsilon_lower  # the bands overlap
    assert walked.epsilon_upper > drawn.epsilon_lower
    assert proven_order_at_delta(drawn, walked) is Order.UNPROVEN
