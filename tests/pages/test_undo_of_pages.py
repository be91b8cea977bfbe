"""Undo, redo and reset of what only one page has."""

import pytest

from dpviz.settings import View
from dpviz.settings.pages import PAGE_SETTINGS, WITHOUT_SCENARIO
from tests.pages.acts import act, control, controls, go_back, open_series, press
from tests.pages.app import (
    TOY,
    checked,
    elements_of,
    keyed,
    link_in_address_bar,
    link_of,
    scenario_of,
    state_of,
)
from tests.pages.test_links import go_to

SMALL = {"release_repetitions": "10", "synth_frequency": "0.0625"}


def toasts(app):
    return [toast.value.replace("\\", "") for toast in app.toast]


def test_a_pages_own_setting_is_taken_back_told_and_done_again(open_page):
    app = open_page(SMALL, "release", parts=())
    assert control(app, "undo").disabled
    assert control(app, "redo").disabled
    act(app, "participation", 200)
    press(app, "undo")
    assert state_of(app).view.participation == 100
    assert "participation" not in app.query_params
    assert control(app, "participation").value == 100
    said = "Steps that one individual is in, at most, from 200 back to 100."
    assert toasts(app) == [f"Undone: {said}"]
    press(app, "redo")
    assert state_of(app).view.participation == 200
    assert toasts(app) == ["Done again: Steps that one individual is in, at most, from 100 to 200."]
    assert not checked(app.run()).toast


def test_one_history_goes_over_all_pages_and_says_where_each_change_was(open_page):
    app = open_page(link_of(TOY) | SMALL, "release", parts=())
    act(app, "participation", 200)
    go_to(app, "privacy_curve")
    act(app, "noise_multiplier", 2.0)
    act(app, "curve_view", "training")
    go_to(app, "multistage")
    assert toasts(press(app, "undo")) == [
        "Undone on Privacy curve: Noise multiplier σ, from 2 back to 1."
    ]
    assert scenario_of(app) == TOY
    (said,) = toasts(press(app, "undo"))
    assert said.startswith("Undone on Release one series: ")
    assert control(app, "undo").disabled
    # Which chart is looked at was no change of a setting.
    assert state_of(app).view == View(
        chart="training", release_repetitions=10, synth_frequency=0.0625
    )


def test_a_refused_number_and_a_look_at_another_chart_are_no_steps(open_page):
    app = open_page(page="label_noise", parts=())
    act(app, "noise_view", "map")
    assert control(checked(app), "undo").disabled


def test_reset_takes_a_page_back_to_its_link_and_leaves_other_pages(open_page):
    """Whoever opens a teacher's link gets back to what the teacher set."""
    link = link_of(TOY) | SMALL | {"participation": "20", "staged_noise": "3"}
    app = open_page(link, "release", parts=())
    assert control(app, "reset_all").disabled
    act(app, "participation", 200)
    act(app, "release_epsilon", 2.0)
    go_to(app, "multistage")
    assert control(app, "reset_all").disabled
    act(app, "staged_noise", 5.0)
    assert "staged_noise" in app.query_params
    go_to(app, "release")
    assert toasts(press(app, "reset_all")) == [
        "All settings of this page are reset. Undo brings back those before."
    ]
    view = state_of(app).view
    assert (view.participation, view.release_epsilon, view.staged_noise) == (20, 0.5, 5.0)
    assert control(app, "reset_all").disabled
    # Going back is itself one change.
    press(app, "undo")
    assert (state_of(app).view.participation, state_of(app).view.release_epsilon) == (200, 2.0)


def test_button_beside_a_number_goes_back_to_the_link(open_page):
    app = open_page(SMALL | {"participation": "20"}, "release", parts=())
    act(app, "participation", 200)
    assert control(app, "participation").spec["origin"] == "20"
    go_back(app, "participation")
    assert state_of(app).view.participation == 20


def test_a_file_stays_open_when_a_setting_of_a_page_is_taken_back(open_page):
    app = open_page(link_of(TOY) | {"chart": "training"}, parts=("open_data",))
    open_series(app, "a.csv", b"a,b\n1,2\n3,4\n5,6\n")
    press(app, "first_keep")
    act(app, "target_epsilon", 5.0)
    press(app, "undo")
    assert state_of(app).view.target_epsilon == 10.0
    assert state_of(app).file is not None
    press(app, "undo")  # that what stands there was taken as it is
    assert "what your file leaves open" in " ".join(one.value for one in app.toast)
    assert state_of(app).file is not None
    press(app, "undo")
    assert state_of(app).file is None
    assert scenario_of(app) == TOY


def test_opening_a_panel_of_the_paper_is_one_change(open_page):
    app = open_page(link_of(TOY), "paper_figures", parts=())
    app.button(key="open_in_explorer").click().run()
    assert scenario_of(app) != TOY
    app.switch_page("pages/subsequences.py")
    checked(app.run())
    press(app, "undo")
    assert scenario_of(app) == TOY
    assert state_of(app).view.fixed_epsilon == View().fixed_epsilon
    assert control(app, "undo").disabled


def test_removing_a_run_of_the_ledger_is_taken_back_and_reset_keeps_them(open_page):
    app = open_page(link_of(TOY), "ledger", parts=())
    press(app, "ledger_add")
    kept = state_of(checked(app)).view.run_1
    press(app, "ledger_remove_0")
    assert state_of(checked(app)).view.run_1 == ""
    (said,) = toasts(press(app, "undo"))
    assert said == "Undone: The ledger, from 0 runs back to 1 run."
    act(app, "target_epsilon", 5.0)
    press(app, "reset_all")
    assert state_of(app).view == View(run_1=kept)


def test_a_saved_scenario_is_told_from_a_pages_own_settings(open_page):
    app = open_page(link_of(TOY), "theory_check", parts=())
    button = keyed(app, "download_button", "save_scenario")
    assert "What only this page has is in the link alone." in button.proto.help
    app = open_page(page="ledger", parts=())
    assert not any(element.key == "save_scenario" for element in elements_of(app.main))


# The others take their turn in the long run.
QUICK = ("sample_or_walk",)
OPEN = (
    "open_trials", "open_mechanism", "open_data", "open_relation", "open_augmentation",
    "open_sampling", "open_optimiser", "open_hidden_example", "open_rates",
)  # fmt: skip
# Other states of a page have other controls.
STATES = {
    "privacy_curve": [{"chart": "training"}],
    "subsequences": [{}, {"chart": "training"}],
    "sample_or_walk": [{}],
    "protection": [{"time_step": "1 hour"}],
    "multistage": [{}],
    "release": [SMALL, SMALL | {"release_source": "lane", "lane_days": "1"}],
    "protected_forecasts": [
        {"forecast_count": "2", "live_forecasters": "ses", "protection_method": method}
        for method in ("top-coding", "normal-noise", "laplace-known-bounds", "radius-swap",
                       "nearest-swap")
    ],
    "private_inference": [{}, {"hidden_given": "noise"}],
    "planner": [{}, {"goal": "success"}, {"goal": "hits"}, {"plan_chart": "map"}],
    "train": [{}, {"training_chart": "compare"}],
    "ledger": [{}],
    "sweep_results": [{}, {"sweep_chart": "scatter"}],
    "epsilon_meaning": [{}],
    "batch_drawing": [{}],
    "theory_check": [{"simulated_runs": "1000"}],
}  # fmt: skip
PAGES = [
    page if page in QUICK else pytest.param(page, marks=pytest.mark.slow) for page in PAGE_SETTINGS
]
# Their values are set by buttons and boxes, which tests of their own press.
BY_OTHER_MEANS = {
    "staged_levels", "drawing_seed", "release_seed", "hidden_seed", "protection_seed", "first_date",
    "live_forecasters",
}  # fmt: skip


def controls_of(app):
    """Return what sets a value of the view by sliding or choosing, by the setting's name."""
    found = {name.removeprefix("choose_"): one for name, one in controls(app).items()}
    kinds = ("number", "select", "segments")
    return {name: found[name] for name in found.keys() & vars(View()) if found[name].kind in kinds}


def other_value(one):
    """Return what an act chooses, or slides to: the nearest stop that is not set."""
    if one.kind == "number":
        return min(set(one.stops) - {one.value}, key=lambda stop: abs(stop - one.value))
    return next(token for token in one.tokens if token != one.value)


@pytest.mark.parametrize("page", PAGES)
def test_every_control_of_a_page_is_in_the_link_and_taken_back(open_page, training_runs, page):
    """Also after a reload; together, the controls are those that the page is said to have."""
    seen = set()
    for state in STATES[page]:
        link = state if page in WITHOUT_SCENARIO else link_of(TOY) | {"steps": "10"} | state
        app = open_page(link, page, OPEN)
        own = set(PAGE_SETTINGS[page]) - seen - BY_OTHER_MEANS
        for name in sorted(controls_of(app).keys() & own):
            seen.add(name)
            before = state_of(app).view
            one = controls_of(app)[name]
            act(app, one.name, other_value(one))
            changed = state_of(app).view
            assert getattr(changed, name) != getattr(before, name), name
            assert state_of(open_page(link_in_address_bar(app), page, ())).view == changed, name
            press(app, "undo")
            assert state_of(app).view == before, name
            assert controls_of(app)[name].value == one.value, name
    assert set(PAGE_SETTINGS[page]) - seen <= BY_OTHER_MEANS
