"""The map of settings that meet a goal: every place is what it says."""

import re
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import best_upper
from dpviz.guarantees import guarantee_for
from dpviz.planning import region
from dpviz.planning.attack_rates import attackers_gain
from dpviz.planning.calibrate import calibration
from dpviz.planning.quantities import value_of, with_value
from dpviz.planning.region import (
    RegionPoint,
    alone,
    computed_along,
    judged_anew,
    least_noise,
    meets,
    most_private,
    nearest_that_meet,
    place_along,
    possible_axes,
    region_axis,
    region_cell,
    region_cells,
    region_point,
    region_scenario,
    sources,
)
from dpviz.planning.target import SuccessGoal, Target
from dpviz.scenario import PRESETS, ScenarioError
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.settings.planner import REGION_AXES
from tests.planning.region_maps import made_up, rising
from tests.scenario.changes import TOY, varied
from tests.scenario.strategies import scenarios

GOAL = Target(epsilon=4.0, delta=1e-7)


def settings_at(scenario, x, y, at):
    try:
        return region_scenario(scenario, x, y, at)
    except ScenarioError:
        return None


@settings(max_examples=60)
@given(scenarios(), st.sampled_from(list(REGION_AXES)))
def test_every_axis_holds_the_own_value_in_increasing_order(scenario, quantity):
    if quantity not in possible_axes(scenario):
        with pytest.raises(ScenarioError):
            region_axis(scenario, quantity)
        return
    axis = region_axis(scenario, quantity)
    assert axis.values[axis.own] == value_of(scenario, quantity)
    assert list(axis.values) == sorted(set(axis.values))
    assert len(axis.values) <= 17
    # Easy to read: two digits but for the own value and limits.
    others = {value for value in axis.values[1:-1] if float(f"{value:.2g}") != value}
    assert others <= {value_of(scenario, quantity)}
    assert with_value(scenario, quantity, axis.values[axis.own]) == scenario


def test_a_place_meets_the_goal_exactly_where_its_own_bound_does():
    x, y = region_axis(TOY, "batch_size"), region_axis(TOY, "noise_multiplier")
    met = set()
    for at in [(0, 0), (x.own, y.own), (len(x.values) - 1, 0), (0, len(y.values) - 1)]:
        scenario = region_scenario(TOY, x, y, at)
        point = region_point(scenario, GOAL)
        exact = best_upper(scenario).quoted_epsilon_at(1e-7)
        assert exact <= point.upper.quoted * (1.0 + 1e-9) <= exact * 1.02
        assert point.meets == (point.upper.quoted <= 4.0)
        met.add(point.meets)
    assert met == {True, False}


def test_a_goal_of_success_is_met_from_the_proven_chance_on():
    run = varied(TOY, context_length=15, batch_size=400, num_subsequences=2, steps=1)
    most = attackers_gain(run)
    assert region_point(run, SuccessGoal(success=most.success.share + 1e-6)).meets
    assert not region_point(run, SuccessGoal(success=most.success.share - 1e-3)).meets


def test_most_windows_of_a_plan_by_rates_are_the_most_on_the_map():
    """Both keep the series in a batch: with rates its size says nothing."""
    run = varied(TOY, num_subsequences=2, steps=50).with_rates()
    goal = Target(epsilon=45.0, delta=1e-7)
    most = calibration(run, "num_subsequences", goal).scenario
    assert most.sampling.num_subsequences == 3
    met = [region_point(with_value(most, "num_subsequences", n), goal).meets for n in (2, 3, 4)]
    assert met == [True, True, False]
    assert with_value(most, "num_subsequences", 3) == most


@settings(max_examples=60)
@given(scenarios(), st.data())
def test_a_place_is_the_same_whichever_value_is_set_first(scenario, data):
    first, second = data.draw(st.permutations(possible_axes(scenario)))[:2]
    x, y = region_axis(scenario, first), region_axis(scenario, second)
    column = data.draw(st.integers(0, len(x.values) - 1))
    row = data.draw(st.integers(0, len(y.values) - 1))
    one = settings_at(scenario, x, y, (column, row))
    assert one == settings_at(scenario, y, x, (row, column))
    if one is not None:
        assert (value_of(one, first), value_of(one, second)) == (x.values[column], y.values[row])
        x, y = region_axis(one, first), region_axis(one, second)
        assert region_scenario(one, x, y, (x.own, y.own)) == one


def test_values_that_only_fit_together_are_a_place():
    x, y = region_axis(TOY, "num_subsequences"), region_axis(TOY, "batch_size")
    many = region_scenario(TOY, x, y, (x.values.index(64), len(y.values) - 1))
    assert many.sampling.num_subsequences == 64 > TOY.sampling.batch_size


@pytest.mark.parametrize("only_quoted", [False, True])
def test_another_target_is_judged_as_if_it_had_been_asked_at_first(only_quoted):
    x, y = region_axis(TOY, "batch_size"), region_axis(TOY, "noise_multiplier")
    undecided = 0
    for at in [(0, 0), (x.own, y.own), (0, y.own), (0, len(y.values) - 1)]:
        place = region_scenario(TOY, x, y, at)
        any_target = Target(epsilon=1e9, delta=1e-7)
        coarse = region_point(place, any_target, only_quoted=only_quoted)
        assert coarse.only_quoted == only_quoted
        near = [coarse.upper.quoted * by for by in (0.5, 0.999, 1.0, 1.001, 2.0)]
        for target in [Target(epsilon=epsilon, delta=1e-7) for epsilon in near]:
            again = judged_anew(coarse, target)
            undecided += again is None
            assert again is None or again.meets == region_point(place, target).meets
    assert undecided > 0


def test_both_ends_of_a_bracket_are_computed_on_the_coarse_map_and_for_the_own_place():
    x, y = region_axis(TOY, "batch_size"), region_axis(TOY, "noise_multiplier")
    places = [(0, 0), (1, 0), (0, 1), (x.own, y.own), (len(x.values) - 1, len(y.values) - 1)]
    cells = region_cells(TOY, x, y, places, GOAL, only_quoted=True)
    assert [cell.only_quoted for cell in cells] == [False, True, True, False, False]
    for at, cell in zip(places, cells, strict=True):
        quoted = region_cell(TOY, x, y, at, GOAL).upper.quoted
        assert quoted * (1.0 - 1e-9) <= cell.upper.quoted <= 1.01 * quoted


NAMED = re.compile(r"[a-z_]+ = .+ is not allowed: .+\.")
EXTREMES = {
    "one step": varied(TOY, steps=1),
    "most steps": varied(TOY, steps=MOST_STEPS),
    "one window": varied(TOY, batch_size=1),
    "all series": varied(TOY, batch_size=320),
    "one series": varied(TOY, num_series=1, batch_size=1),
    "one position": varied(TOY, series_lengths=(1,)),
    "no context": varied(TOY, context_length=0),
    "wide": varied(TOY, width=10**6),
    "user": varied(TOY, level="user", width=4),
    "least noise": varied(TOY, noise_multiplier=NOISE_MULTIPLIER_RANGE[0]),
    "most noise": varied(TOY, noise_multiplier=NOISE_MULTIPLIER_RANGE[1]),
    "noise on labels": varied(TOY, forecast_noise=1e6),
    "walk": varied(TOY, top_level="deterministic"),
    "poisson": varied(TOY, bottom_level="poisson"),
    "many windows": varied(TOY, num_subsequences=32),
    "bag": varied(TOY, top_level="flat"),
    "rates": TOY.with_rates(bottom_rate=0.2),
    "lengths": varied(TOY, series_lengths=(20, 30)),
}  # fmt: skip


def some_places(x, y):
    """Return the corners, the own place, and one beside it."""
    last, top = len(x.values) - 1, len(y.values) - 1
    return {(0, 0), (last, 0), (0, top), (last, top), (x.own, y.own), (last // 2, top // 3)}


@pytest.fixture
def bounds_only(monkeypatch):
    """Look the bounds up without composing them, which would take minutes."""

    def point(scenario, goal, **_):
        return guarantee_for(scenario).upper

    monkeypatch.setattr(region, "region_point", point)


@pytest.mark.usefixtures("bounds_only")
@pytest.mark.parametrize("scenario", [
    *(preset.scenario for preset in PRESETS.values()), *EXTREMES.values()
], ids=[*PRESETS, *EXTREMES])  # fmt: skip
def test_every_pair_of_axes_has_answers_or_refusals_by_name(scenario):
    for first, second in combinations(possible_axes(scenario), 2):
        x, y = region_axis(scenario, first), region_axis(scenario, second)
        answers = 0
        for at in some_places(x, y):
            cell = region_cell(scenario, x, y, at, GOAL)
            answers += not isinstance(cell, str)
            if isinstance(cell, str):
                assert NAMED.fullmatch(cell), cell
        assert not isinstance(region_cell(scenario, x, y, (x.own, y.own), GOAL), str)
        assert answers >= 2 or 1 in (len(x.values), len(y.values))


WHOLE = 17 * 17


def patterned(bits, *, most=None):
    """Return a map whose cells meet the goal in any pattern, or have no answer."""
    return made_up(lambda column, row: bits[(17 * row + column) % len(bits)], most=most)


PATTERNS = st.lists(st.sampled_from([1.0, 9.0, None, float("inf")]), min_size=5, max_size=60)


@pytest.mark.parametrize("most", [1, 2, 17, 36, 50, 120, WHOLE - 1, WHOLE])
def test_every_place_is_stood_for_by_itself_or_a_computed_one_near_it(most):
    shown = made_up(rising, most=most)
    found = sources(shown)
    for at, source in found.items():
        assert source in shown.cells
        if at in shown.cells:
            assert source == at
        assert max(abs(at[0] - source[0]), abs(at[1] - source[1])) <= 2
    if most >= 36:
        assert len(found) == WHOLE


@settings(max_examples=40)
@given(PATTERNS, st.integers(1, WHOLE))
def test_a_stretch_holds_every_computed_value_that_meets_and_ends_at_one_that_does_not(bits, most):
    shown = patterned(bits, most=most)
    for axis in (shown.x, shown.y):
        stretch = alone(shown, axis)
        assert (stretch is not None) == meets(shown, shown.own)
        known = computed_along(shown, axis)
        if stretch is None:
            continue
        assert stretch.first <= axis.own <= stretch.last
        inside = [at for at in known if stretch.first <= at <= stretch.last]
        assert all(meets(shown, place_along(shown, axis, at)) for at in inside)
        for at, end in ((stretch.before, known[0]), (stretch.after, known[-1])):
            if at is None:
                assert end in (stretch.first, stretch.last)
            else:
                assert not meets(shown, place_along(shown, axis, at))


@settings(max_examples=40)
@given(PATTERNS, st.integers(1, WHOLE))
def test_nearest_values_meet_and_none_between_them_does(bits, most):
    shown = patterned(bits, most=most)
    if meets(shown, shown.own):
        return
    for axis in (shown.x, shown.y):
        found = nearest_that_meet(shown, axis)
        assert all(meets(shown, place_along(shown, axis, at)) for at in found)
        met = {
            at - axis.own
            for at in computed_along(shown, axis)
            if meets(shown, place_along(shown, axis, at))
        }
        nearest = {max(by for by in met if by < 0)} if min(met, default=1) < 0 else set()
        nearest |= {min(by for by in met if by > 0)} if max(met, default=-1) > 0 else set()
        assert {at - axis.own for at in found} == nearest


@settings(max_examples=40)
@given(PATTERNS, st.integers(1, WHOLE))
def test_extremes_are_those_of_the_computed_cells(bits, most):
    shown = patterned(bits, most=most)
    points = [cell for cell in shown.cells.values() if isinstance(cell, RegionPoint)]
    finite = [point.upper.quoted for point in points if point.upper.quoted is not None]
    best = most_private(shown)
    assert (best is None) == (not finite)
    if best is not None:
        assert shown.points[best].upper.quoted == min(finite)
    met = [point.noise_per_gradient for point in points if point.meets]
    quietest = least_noise(shown)
    assert (quietest is None) == (not met)
    if quietest is not None:
        assert shown.points[quietest].meets
        assert shown.points[quietest].noise_per_gradient == min(met)
