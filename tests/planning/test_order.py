"""An order of two runs, ways or numbers of windows is claimed only where it is proven."""

from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
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
from dpviz.planning.order import winning_region
from dpviz.planning.over_steps import after, after_steps, under_top_level
from dpviz.planning.proven import Proven
from dpviz.planning.subsequences import (
    COMPARED_SUBSEQUENCES,
    of_equal_work,
    possible_subsequences,
    with_subsequences,
)
from dpviz.scenario import PRESETS, DataShape, Rates, ScenarioError
from dpviz.scenario.mechanism import AT_RANDOM, IN_ORDER, MOST_STEPS
from dpviz.settings import SETTINGS
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.scenario.changes import TRAFFIC, varied

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
        with pytest.raises(ScenarioError, match=r"^epochs = 1\b.*one epoch alone has more than"):
            after(longer, length)


def test_an_order_is_claimed_only_where_it_is_proven():
    drawn, walked = in_both_ways(TOY)
    assert drawn.epsilon_upper < walked.epsilon_lower
    assert proven_order_at_delta(drawn, walked) is Order.FIRST
    drawn, walked = in_both_ways(PRESETS["solar_10_minutes"].scenario)
    assert drawn.epsilon_upper > walked.epsilon_lower  # the bands overlap
    assert walked.epsilon_upper > drawn.epsilon_lower
    assert proven_order_at_delta(drawn, walked) is Order.UNPROVEN


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_batch_size_and_number_of_steps_stay(scenario, windows):
    changed = with_subsequences(scenario, windows)
    assert changed.sampling.batch_size == scenario.sampling.batch_size
    assert changed.sampling.num_subsequences == windows
    assert changed.sampling.series_per_batch == scenario.sampling.batch_size // windows
    assert changed.num_steps == scenario.num_steps


@settings(max_examples=60)
@given(
    series=st.integers(1, 400),
    batch=st.integers(1, 400),
    own=st.integers(1, 40),
    windows=st.integers(1, 64),
)
def test_rates_that_came_from_a_shape_change_as_the_shape_would(series, batch, own, windows):
    try:
        scenario = varied(TOY, num_series=series, batch_size=batch, num_subsequences=own)
    except ScenarioError:
        return
    if windows != own and not windows <= batch <= windows * series:
        with pytest.raises(ScenarioError, match="num_subsequences = "):
            with_subsequences(scenario, windows)
        return
    shaped = with_subsequences(scenario, windows)
    rated = with_subsequences(scenario.with_rates(), windows)
    assert rated.top_rate == pytest.approx(shaped.top_rate, rel=1e-12)
    assert rated.steps_per_epoch == shaped.steps_per_epoch
    assert (rated.num_steps, rated.num_epochs) == (shaped.num_steps, shaped.num_epochs)


HALF = Rates(bottom_rate=0.1, top_rate=0.5, steps_per_epoch=2)


def test_bare_rates_keep_the_expected_windows_of_a_series():
    scenario = varied(TOY, data=HALF, batch_size=1)
    changed = with_subsequences(scenario, 8)
    assert changed.top_rate * 8 == pytest.approx(0.5)
    assert changed.steps_per_epoch == 16
    fewer = with_subsequences(changed, 2)
    assert fewer.top_rate == pytest.approx(0.25)
    assert fewer.steps_per_epoch == 4


@pytest.mark.parametrize(
    ("scenario", "windows", "message"),
    [
        (TOY, 33, "num_subsequences = 33 is not allowed: it must be at most batch_size .32"),
        (TOY, 0, "num_subsequences = 0 is not allowed: it must be a whole number from 1"),
        (TOY, 2.5, "num_subsequences = 2.5 is not allowed"),
        (
            varied(TOY, batch_size=800, num_subsequences=4),
            2,
            "num_subsequences = 2 is not allowed: it must be at least 3",
        ),
        (
            varied(TOY, data=HALF, batch_size=8, num_subsequences=8),
            1,
            "top_rate would have to be 4 ",
        ),
        (varied(TOY, top_level="flat"), 1, "top_level"),
    ],
)
def test_what_is_not_possible_is_refused_by_name(scenario, windows, message):
    with pytest.raises(ScenarioError, match=message):
        with_subsequences(scenario, windows)


def test_possible_numbers_are_those_of_the_comparison_that_fit_and_the_own_one():
    scenario = varied(TOY, batch_size=800, num_subsequences=7)
    assert possible_subsequences(scenario) == (4, 7, 8, 16, 32)
    small = varied(TOY, batch_size=3)
    assert possible_subsequences(small) == (1, 2)


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC, TRAFFIC.with_rates()])
@pytest.mark.parametrize("unit", ["steps", "epochs"])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_other_windows_are_the_same_work(scenario, unit, windows):
    count = scenario.num_steps if unit == "steps" else scenario.num_epochs
    before = varied(scenario, **{unit: count})
    after = of_equal_work(before, windows)
    assert after.num_steps == before.num_steps
    is_whole = after.num_steps % after.steps_per_epoch == 0
    assert after.training.unit == ("epochs" if unit == "epochs" and is_whole else "steps")


@lru_cache(maxsize=32)
def toy_curves(windows, steps):
    return curves_of(with_subsequences(after_steps(TOY, steps), windows))


def test_against_all_is_what_holds_against_each():
    one, *others = (toy_curves(windows, 100) for windows in (1, 2, 4, 8))
    region = winning_region(one, others)
    orders = [proven_order(one, other) for other in others]
    for epsilon in (0.01, 0.1, 0.25, 0.4, 1.0, 10.0, 20.0):
        single = {at(epsilon, order) for order in orders}
        expected = Order.FIRST if single == {Order.FIRST} else Order.UNPROVEN
        assert at(epsilon, region) is expected


def test_an_epsilon_counts_where_any_of_the_runs_has_a_delta_worth_telling():
    """A run that gives nothing away there is still compared with those that do."""
    one, *others = (toy_curves(windows, 1) for windows in (1, 2, 32))
    ends = [proven_order(one, other)[-1].end for other in others]
    assert ends[0] < ends[1]
    region = winning_region(one, others)
    assert region[-1].end == ends[1]
    beyond = next(epsilon for epsilon in EPSILON_GRID.tolist() if epsilon > ends[0])
    assert at(beyond, region) is at(beyond, proven_order(one, others[1]))


def at(epsilon, stretches):
    return next(s.order for s in stretches if s.start <= epsilon <= s.end)


def test_one_window_per_series_minimises_delta_of_an_epoch():
    """Theorem 4.1, for windows drawn independently, whose bound is tight."""
    shape = DataShape(num_series=64, series_lengths=(40,), context_length=6, forecast_length=1)
    levels = {"top_level": "deterministic", "bottom_level": "poisson"}
    walk = varied(TOY, data=shape, batch_size=64, **levels, steps=1)
    runs = [curves_of(with_subsequences(walk, windows)) for windows in (1, 2, 4, 8)]
    region = winning_region(runs[0], runs[1:])
    assert [stretch.order for stretch in region] == [Order.FIRST]


def test_a_win_goes_on_where_ones_own_delta_is_negligible():
    """Another's delta there is smaller than what is told, or else larger than its own."""
    one, *others = (curves_of(with_subsequences(TOY, windows)) for windows in (1, 2, 4, 32))
    last = winning_region(one, others)[-1]
    assert last.order is Order.FIRST
    ends = others[-1].upper.delta_at(EPSILON_GRID).high >= one.smallest_delta
    assert last.end == EPSILON_GRID[ends][-1]
    assert all(stretch.order is not Order.FIRST for stretch in winning_region(one, others)[:-1])
