"""An act on any control of any page changes its field alone, until it is undone, or nothing."""

import pytest

from dpviz.settings.pages import PAGE_SETTINGS, WITHOUT_SCENARIO
from tests.pages.app import FOLDED_PARTS, ROOT, TOY, link_of
from tests.scenario.changes import varied

LINK = link_of(varied(TOY, steps=10))
OPEN = (
    *FOLDED_PARTS,
    *("open_trials", "open_mechanism", "open_hidden_example", "open_hidden_rate"),
    *("open_hidden_more", "open_protection"),
)
# Other states of a page have other controls.
STATES = {
    "privacy_curve": [{}, {"chart": "training"}],
    "subsequences": [{}, {"chart": "training"}],
    "protection": [{"time_step": "1 hour"}],
    "release": [
        {"release_repetitions": "10", "synth_frequency": "0.0625"} | source
        for source in ({}, {"release_source": "lane", "lane_days": "1"})
    ],
    "protected_forecasts": [
        {"forecast_count": "2", "live_forecasters": "ses", "protection_method": method}
        for method in ("top-coding", "normal-noise", "laplace-known-bounds", "radius-swap",
                       "nearest-swap")
    ],
    "private_inference": [{}, {"hidden_given": "noise"}],
    "planner": [{}, {"goal": "success"}, {"goal": "hits"}, {"plan_chart": "map"}],
    # Once the chart is chosen, which is no step to undo, that of the first state is another one.
    "train": [{}, {"training_chart": "compare"}, {}],
    "sweep_results": [{}, {"sweep_chart": "scatter"}],
    "epsilon_meaning": [{}, {"meant_epsilon": "typed"}],
    "theory_check": [{"simulated_runs": "1000"}],
}  # fmt: skip
# Their values are set by buttons and boxes, which tests of their own press.
BY_OTHER_MEANS = {
    "staged_levels", "drawing_seed", "release_seed", "hidden_seed", "protection_seed", "first_date",
    "live_forecasters",
}  # fmt: skip
# What an act on a control may change, where that is not the field of its name alone: what follows
# is told beside the control or in the documentation.
SHAPE = {"context_length", "forecast_length", "num_series", "series_length"}
BY_RATES = {"bottom_rate", "top_rate", "steps_per_epoch", "start_positions", "touched_windows"}
COUNT = {"steps", "epochs"}
CHANGES = {
    "preset": set(link_of(TOY)) | COUNT | {"time_step"},
    # Without a budget of its own the ledger would have the goal.
    "target_epsilon": {"target_epsilon", "ledger_budget"},
    "training_unit": COUNT,
    "bottom_rate": BY_RATES | {"forecast_share"},
    "top_rate": BY_RATES | {"forecast_share"},
    "num_subsequences": COUNT | {"num_subsequences", "top_rate", "steps_per_epoch"},
    "top_level": {"top_level", "num_subsequences", "bottom_level", "batch_size"},
    "bag_size": {"num_series", "batch_size"},
    "batch_share": {"batch_size"},
    "window_length": SHAPE,
    "curve_view": {"chart"},
    "subsequences_view": {"chart"},
    "noise_view": {"noise_chart"},
    "paper_figure": {"figure", "panel"},
    "reported_table": {"reported_table", "reported_column"},
    # Two axes show two quantities: each is written as it is drawn, and they may change places.
    "region_x": {"region_x", "region_y"},
    "region_y": {"region_x", "region_y"},
    # Of what is shown, not of what is set.
    "code_of": set(),
    "region_pick_x_of": set(),
    "region_pick_y_of": set(),
}
# Whatever a browser may send in the place of a value.
VALUES = [
    None, True, 0, 7, -1.5, float("nan"), float("inf"), 10**400, "", "nan", "1e999", "x" * 5000,
    "\0", "\ud800", "๑", [], [[]], ["nobody"], [None], {}, {"x": 1},
    {"x": float("nan"), "y": 10**9},
    {"customdata": [10**30, -1]}, {"customdata": True}, {"customdata": {"a": []}},
]  # fmt: skip
# What leads away, and what computes for long.
LEFT_ALONE = {"presenter", "present", "train_start", "train_cancel"}
WITHOUT_CONTROLS = ("start", "theorems", "how_to_choose")
# The others take their turn in the long run.
QUICK = ("multistage",)
PAGES = [
    page if page in QUICK else pytest.param(page, marks=pytest.mark.slow)
    for page in sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
]


def other_value(one):
    """Return what an act chooses, or slides to: the nearest stop that is not set."""
    if one.kind == "number":
        others = set(one.stops) - {one.value}
        return min(others, key=lambda stop: abs(stop - one.value), default=None)
    if isinstance(one.value, list):
        return one.tokens if one.value != one.tokens else one.tokens[:1]
    return next((token for token in one.tokens if token != one.value), None)


@pytest.mark.parametrize("page", PAGES)
def test_an_act_changes_its_field_alone_and_is_in_the_link_and_taken_back(
    open_page, training_runs, made_up_map, page
):
    """Also after a reload; together, the controls are those that the page is said to have.

    In the end no value of an act raises anything, on none of them and on no chart.
    """
    seen, own = set(), set(PAGE_SETTINGS.get(page, ())) - BY_OTHER_MEANS
    for state in STATES.get(page, [{}]):
        app = open_page(({} if page in WITHOUT_SCENARIO else LINK) | state, page, OPEN)
        for name in [name for name in app.controls if name not in seen]:
            one = app.controls.get(name)  # another choice may have taken it away
            if one is None or one.disabled or one.kind not in ("number", "select", "segments"):
                continue
            if (value := other_value(one)) is None:
                continue
            seen.add(name)
            before, view, past = app.link, app.state.view, len(app.state.history.past)
            app.act(name, value)
            now, field = app.link, name.removeprefix("choose_")
            changed = {key for key in before.keys() | now.keys() if before.get(key) != now.get(key)}
            assert changed <= CHANGES.get(name, {field}), (name, value)
            assert changed or app.warnings or name in CHANGES, (name, value)
            if field in own:
                assert getattr(app.state.view, field) != getattr(view, field), name
                assert open_page(now, page, ()).state.view == app.state.view, name
                assert len(app.state.history.past) == past + 1, name
            if one.kind == "number" and app.control(name).can_go_back:  # beside it
                changes = len(app.state.history.past)
                app.go_back(name)
                assert app.control(name).value == one.value, name
                assert not app.control(name).can_go_back, name
                if len(app.state.history.past) > changes:  # what is looked at is no step
                    app.press("undo")
            if len(app.state.history.past) > past and "undo" in app.controls:
                app.press("undo")
                assert (app.link, app.state.view) == (before, view), name
                assert app.control(name).value == one.value, name
    assert own <= {name.removeprefix("choose_") for name in seen}
    assert_nothing_is_raised(app, has_none=page in WITHOUT_CONTROLS)


def assert_nothing_is_raised(app, has_none):
    """Send each value to all controls and charts: the page goes on, or says what it refused."""
    parts = app.session_state["dpviz_acts"].parts.values()
    names = {name for part in parts for name in part.handlers}
    assert bool(names) != has_none
    for value in VALUES:
        told = app.message([(name, value) for name in names - LEFT_ALONE])
        for one in told["acts"]:
            one["value"] = value  # as it is
        app.send(told)
