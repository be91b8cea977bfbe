"""A plan that is not in use is said to be so on every page, until it is used or out of date."""

import pytest

from tests.pages.acts import act, control, controls, press
from tests.pages.app import checked, said, scenario_of

ELSEWHERE = ("epsilon_meaning", "privacy_curve", "protection")


@pytest.fixture
def planned(open_page):
    app = open_page(page="planner")
    assert "σ = 1.2358" in said(app)
    return app


def go_to(app, page):
    app.switch_page(f"pages/{page}.py")
    del app.session_state["dpviz_routed"]  # AppTest would leave its router out
    return checked(app.run())


@pytest.mark.parametrize("page", ELSEWHERE)
def test_other_pages_say_that_the_plan_is_not_in_use(planned, page):
    app = go_to(planned, page)
    assert "Noise multiplier σ = 1.2358 of your plan" in said(app)
    assert "is not in use: this page shows σ = 1." in said(app)
    press(app, "use_plan")
    assert scenario_of(app).noise.noise_multiplier == pytest.approx(1.2358, abs=1e-4)
    assert "of your plan" not in said(app)
    assert "use_plan" not in controls(app)


def test_undo_takes_the_plan_back(planned):
    app = go_to(planned, "privacy_curve")
    press(app, "use_plan")
    press(app, "undo")
    assert scenario_of(app).noise.noise_multiplier == 1.0
    assert "is not in use" in said(app)


def test_a_plan_for_other_settings_is_not_offered(planned):
    app = go_to(planned, "privacy_curve")
    act(app, "steps", 2000)
    assert "of your plan" not in said(app)


def test_a_page_without_a_training_scenario_says_nothing(planned):
    assert "of your plan" not in said(go_to(planned, "multistage"))


def test_an_offer_that_was_of_another_plan_does_nothing(planned):
    app = go_to(planned, "privacy_curve")
    act(app, "use_plan", "{}")
    assert scenario_of(app).noise.noise_multiplier == 1.0
    assert control(app, "use_plan").spec["means"] != "{}"
