"""The map of settings that meet a goal; and what a click on a map may ask for."""

from dataclasses import replace
from itertools import count, permutations

import pytest

from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning import curves_of
from dpviz.planning.label_noise import NOISES, with_noise
from dpviz.planning.quantities import value_of
from dpviz.planning.region import RegionMap, places_coarse_to_fine, possible_axes, region_axis
from dpviz.planning.target import SuccessGoal, Target
from dpviz.scenario import PRESETS, ScenarioError
from dpviz.settings import View
from dpviz.ui import compute, filling
from dpviz.ui import results as kept
from dpviz.ui.questions import region
from dpviz.ui.questions.label_noise import at_place
from dpviz.ui.questions.region import adopt_clicked, known_region, region_axes, region_so_far
from dpviz.ui.results import SharedResults
from dpviz.ui.state import State
from dpviz.wording.region_map import value_text
from tests.pages.app import ROOT, Page, link_of
from tests.planning.region_maps import made_up, made_up_cell, rising
from tests.scenario.changes import TOY, varied

BAG = varied(TOY, top_level="flat")
GOAL = Target(epsilon=4.0, delta=1e-7)
APP = ROOT / "tests" / "ui" / "region_app.py"
WHOLE = 17 * 17


@pytest.fixture
def computed(monkeypatch):
    """Make epsilon a made-up number; returns which places were computed, for which goals."""
    results, calls = SharedResults(), []
    for module in (kept, compute, filling, region):
        monkeypatch.setattr(module, "RESULTS", results)

    def cell(scenario, x, y, at, goal):
        calls.append((at, goal))
        return made_up_cell(scenario, x, y, at, rising(*at), getattr(goal, "epsilon", 4.0))

    def cells(scenario, x, y, places, goal, **_):
        return tuple(cell(scenario, x, y, at, goal) for at in places)

    monkeypatch.setattr(region.maps, "region_cells", cells)
    return calls


def opened(scenario=TOY, **view):
    return Page(APP, link=link_of(scenario, view=View(**view))).run()


def with_fields(app):
    """Unfold what does the same as a click."""
    app.session_state["open_fields"] = True
    return app.run()


def whole(scenario=TOY, goal=GOAL, axes=("batch_size", "training")):
    x, y = (region_axis(scenario, quantity) for quantity in axes)
    while (found := known_region(scenario, goal, x, y))[1].to_come:
        pass
    return found[0]


def test_own_place_says_the_same_as_the_curves():
    """To the last digit, so that two pages never disagree on the same settings."""
    x, y = region_axis(TOY, "batch_size"), region_axis(TOY, "training")
    shown, _ = known_region(TOY, GOAL, x, y)
    own = shown.cells[shown.own]
    assert own.upper.quoted == curves_of(TOY).epsilon_upper


def test_map_grows_from_coarse_to_fine_and_never_shows_what_is_not_computed(computed, monkeypatch):
    clock = count()
    monkeypatch.setattr(filling, "monotonic", lambda: float(next(clock)))  # of slow places
    x, y = region_axis(TOY, "batch_size"), region_axis(TOY, "training")
    seen, places = [], places_coarse_to_fine(x, y)
    while True:
        shown, filled = known_region(TOY, GOAL, x, y)
        seen.append(len(shown.cells))
        assert list(shown.cells) == places[: seen[-1]]
        if not filled.to_come:
            break
    assert seen == sorted(seen)
    assert seen[0] <= 1 + 8  # its own place first, by itself, and fields that are computed at once
    assert shown.is_complete
    assert len(set(seen)) < 15  # each drawing is sent to the browser
    assert len(computed) >= WHOLE


def test_fields_that_cost_too_much_together_are_computed_one_by_one(computed, monkeypatch):
    """And what is told of costs is told of the field that has them."""
    cells, costly = region.maps.region_cells, (3, 5)

    def limited(scenario, x, y, places, goal, **options):
        if costly in places:
            raise TooCostlyError(Limits(), "time")
        return cells(scenario, x, y, places, goal, **options)

    monkeypatch.setattr(region.maps, "region_cells", limited)
    shown = whole()
    assert shown.is_complete
    assert set(shown.cells) - set(shown.points) == {costly}


def test_another_target_computes_only_what_is_too_near_it(computed):
    shown = whole()
    assert len({at for at, _ in computed}) == len(shown.cells) == WHOLE
    del computed[:]
    again = whole(goal=Target(epsilon=10.0, delta=1e-7))
    assert len(computed) < 40
    for at, point in again.points.items():
        assert point.meets == (rising(*at) <= 10.0)


def test_a_goal_about_attackers_is_computed_for_itself(computed):
    whole()
    del computed[:]
    goal = SuccessGoal(success=0.6)
    whole(goal=goal)
    assert [goal_of for _, goal_of in computed] == [goal] * WHOLE


def test_page_shows_the_whole_map_in_the_end(computed):
    app = opened(target_epsilon=40.0)
    app.assert_sound("region")
    assert "Of the 289 fields, " in app.described("region")
    assert "is met here" in app.said
    assert app.chart_title("region") == "Settings that meet ε ≤ 40 at δ = 10⁻⁷"


@pytest.mark.parametrize("view", [{"goal": "success"}, {"goal": "hits"}, {"target_epsilon": 1e-4}])
def test_page_answers_for_every_goal(computed, view):
    opened(**view).assert_sound("region")


def test_axes_that_are_made_the_same_change_places_and_shades_can_show_the_noise(computed):
    app = opened()
    app.act("region_x", "training")
    view = app.state.view
    assert (view.region_x, view.region_y) == ("training", "batch_size")
    # Also before the page is drawn again.
    app.acts([("region_x", "batch_size"), ("region_y", "noise_multiplier")])
    view = app.state.view
    assert (view.region_x, view.region_y) == ("batch_size", "noise_multiplier")
    assert app.link["region_y"] == "noise_multiplier"
    assert app.chart("region")["layout"]["yaxis"]["title"]["text"] == "noise multiplier σ"
    app.act("region_layer", "noise")
    assert app.chart("region")["data"][0]["colorbar"]["title"]["text"] == "noise"


@pytest.mark.parametrize("scenario", [TOY, TOY.with_rates(bottom_rate=0.2), BAG])
@pytest.mark.parametrize("pair", [("training", "training"), ("batch_size", "relation_width")])
def test_links_to_axes_that_there_are_not_show_two_that_there_are(scenario, pair):
    view = View(region_x=pair[0], region_y=pair[1])
    x, y = region_axes(view, scenario, {})
    assert x.quantity != y.quantity
    assert {x.quantity, y.quantity} <= set(possible_axes(scenario))
    if pair[0] in possible_axes(scenario):
        assert x.quantity == pair[0]


def test_a_place_is_adopted_without_a_mouse(computed):
    app = with_fields(opened(target_epsilon=40.0))
    assert app.control("region_adopt").disabled
    app.acts([("region_pick_x_of", 3), ("region_pick_y_of", 5)])
    x, y = region_axis(TOY, "batch_size"), region_axis(TOY, "training")
    assert value_text(TOY, "training", y.values[5]) in app.control("region_pick_y_of").options
    app.press("region_adopt")
    scenario = app.scenario
    assert value_of(scenario, "batch_size") == x.values[3]
    assert value_of(scenario, "training") == y.values[5]
    assert [step.scenario for step in app.state.history.past] == [TOY]
    # The choice starts at the new own place.
    assert app.control("region_adopt").disabled


def test_map_stays_where_it_is_as_long_as_its_mark_is_within(computed):
    app = with_fields(opened(target_epsilon=40.0))
    before = app.chart("region")["data"][0]
    x = region_axis(TOY, "batch_size")

    def adopt(column):
        app.act("region_pick_x_of", column)
        app.press("region_adopt")
        assert value_of(app.scenario, "batch_size") == x.values[column]
        return app.chart("region")["data"][0]

    assert adopt(x.own + 2)["x"] == before["x"]
    moved = app.chart("region")
    assert adopt(len(x.values) - 1)["x"] != before["x"]  # beyond its end there may be more
    app.press("undo")
    assert app.chart("region")["data"] == moved["data"]
    assert app.state.map_axes
    app.open_link(link_of(PRESETS["traffic"].scenario))
    assert not app.state.map_axes


def test_a_place_that_is_not_allowed_is_refused_by_name(computed):
    app = with_fields(opened(region_x="num_subsequences", region_y="noise_multiplier"))
    app.act("region_pick_x_of", 6)
    app.press("region_adopt")
    assert "Windows per series λ = 64 is not allowed" in app.warnings
    assert app.scenario == TOY


def clicked(monkeypatch, point, shown: RegionMap):
    """Return the scenario that a click makes of the toy."""
    made = []
    monkeypatch.setattr(region, "change", lambda make: made.append(make(TOY)))
    adopt_clicked(shown, point)
    return made[0]


def test_a_click_takes_over_the_two_values_of_its_field(monkeypatch):
    shown = made_up(rising, most=1)
    key = shown.axes_key
    scenario = clicked(monkeypatch, {"x": 3, "y": 5, "customdata": [3, 5, key]}, shown)
    assert value_of(scenario, "batch_size") == shown.x.values[3]
    assert value_of(scenario, "training") == shown.y.values[5]
    assert scenario.noise == TOY.noise
    # As numbers come from JavaScript.
    assert clicked(monkeypatch, {"customdata": [3.0, 5.0, float(key)]}, shown) == scenario


def test_a_click_on_a_map_whose_axes_have_changed_since_takes_nothing_over(monkeypatch):
    """Its column and row are those of another field by now."""
    shown = made_up(rising, most=1)
    changed = replace(shown, x=replace(shown.x, values=(*shown.x.values[1:], 10**6)))
    with pytest.raises(ScenarioError, match="click one of the map's fields"):
        clicked(monkeypatch, {"customdata": [3, 5, shown.axes_key]}, changed)


@pytest.mark.parametrize(
    "told",
    [[], [3], [17, 0], [0, -1], [2.5, 1], ["3", "5"], [None, 1], [True, 1], [float("nan"), 1],
     [1e300, 1], [10**400, 1], [[3], [5]], None, [3, 5], [3, 5, 7], {"0": 3}, "35", [3, 5, [7]]],
)  # fmt: skip
@pytest.mark.parametrize("is_keyed", [True, False])
def test_what_a_browser_makes_up_is_refused(monkeypatch, told, is_keyed):
    """Also with the key of this map's axes, without which nothing is a place of it."""
    shown = made_up(rising, most=1)
    if is_keyed and isinstance(told, list) and told != [3, 5]:
        told = [*told, shown.axes_key]
    with pytest.raises(ScenarioError, match="click one of the map's fields"):
        clicked(monkeypatch, {"customdata": told}, shown)


def test_table_has_what_is_known(computed):
    shown = region_so_far(State(scenario=TOY), TOY, GOAL)
    assert shown.own in shown.cells


def test_every_pair_of_axes_is_drawn(computed):
    for x, y in list(permutations(possible_axes(TOY), 2))[::9]:
        opened(region_x=x, region_y=y, region_layer="noise").assert_sound("region")


@pytest.mark.parametrize(("x", "y"), [(0, 0), (3, 5.0), (len(NOISES) - 1, 0)])
def test_place_gives_its_two_noises(x, y):
    expected = with_noise(TOY, context=NOISES[x], forecast=NOISES[int(y)])
    assert at_place(TOY, {"x": x, "y": y, "customdata": None}) == expected


@pytest.mark.parametrize(
    ("point", "field"),
    [
        ({"x": len(NOISES), "y": 0}, "context_noise"),
        ({"x": -1, "y": 0}, "context_noise"),
        ({"x": 1, "y": 0.5}, "forecast_noise"),
        ({"x": 1, "y": "0"}, "forecast_noise"),
        ({"x": True, "y": 1}, "context_noise"),
        ({"x": 1, "y": float("nan")}, "forecast_noise"),
        ({"x": 1, "y": [1]}, "forecast_noise"),
        ({"y": 1}, "context_noise"),
        ({}, "context_noise"),
    ],
)
def test_anything_else_is_refused(point, field):
    with pytest.raises(ScenarioError, match="field of the map") as caught:
        at_place(TOY, point)
    assert caught.value.field == field
