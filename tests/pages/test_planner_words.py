"""What the planner says of a plan: its goal in words, and that it is not in use."""

from dataclasses import replace

import pytest

from dpviz.planning.label_noise import with_noise
from dpviz.scenario import from_json, to_json
from dpviz.settings import View
from tests.pages.app import TOY, link_of

NOISY = with_noise(TOY, context=0.0, forecast=2.0)
NOISY_BAG = replace(
    NOISY,
    data=replace(NOISY.data, longer_series_beyond=2),
    sampling=replace(NOISY.sampling, top_level="flat"),
)


@pytest.mark.parametrize(
    ("scenario", "has_band"),
    [(TOY, True), (NOISY, True), (NOISY_BAG, False)],
    ids=["without", "noise on labels", "noise on labels, one bag with longer series"],
)
def test_caption_names_a_lower_bound_only_where_one_is_drawn(open_page, scenario, has_band):
    app = open_page(link_of(scenario, view=View(plan_chart="curve")), "planner", ())
    uids = [trace["uid"] for trace in app.chart("plan")["data"]]
    assert any("lower" in uid for uid in uids) == has_band
    assert ("Band: down to" in app.captions) == has_band
    assert ("No lower bound is proven here" in app.captions) != has_band


def reopened(open_page, downloads):
    """Save the plan for epsilon 2, reset all, and open the file."""
    app = open_page(link_of(TOY, view=View(plan_chart="curve")), "planner", ("open_data",))
    app.act("target_epsilon", "2")
    saved = downloads["Save scenario"]()
    app.press("reset_all")
    app.upload("upload_0", "plan.json", saved.encode())
    return app, from_json(saved)


def test_an_opened_plan_is_told_to_be_planned_anew_for_the_goal_set_here(open_page, downloads):
    """A file holds no goal: its number must not be lost sight of behind another headline."""
    app, saved = reopened(open_page, downloads)
    sigma = f"σ = {saved.noise.noise_multiplier:g}"
    assert app.scenario == saved
    assert f"{sigma} is enough" not in app.headline
    assert "for ε ≤ 10 at δ = 10⁻⁷" in app.headline
    assert (
        f"The scenario was opened: {sigma} in the file. This page looks for the noise multiplier "
        "σ anew, for the goal that is set here (a file holds none): ε ≤ 10 at δ = 10⁻⁷. Other "
        f"pages show {sigma}."
    ) in app.notes


def test_a_file_can_be_opened_while_what_is_asked_for_is_no_goal(open_page):
    view = View(goal="hits", target_false_positive_rate=0.1, target_true_positive_rate=0.05)
    app = open_page(link_of(TOY, view=view), "planner", ("open_data",))
    app.upload("upload_0", "toy.json", to_json(TOY).encode())
    assert "anew, for the goal that is set here (a file holds none). Other pages" in app.notes


def test_the_saving_button_says_that_the_goal_is_in_the_link_alone(open_page):
    app = open_page(link_of(TOY, view=View(plan_chart="curve")), "planner", ())
    told = app.keyed("download_button", "save_scenario").proto.help
    assert told.startswith("The plan, with what was found for the quantity left open; ")
    assert "The goal, and what is left open, are in the link alone" in told


ELSEWHERE = ("epsilon_meaning", "privacy_curve", "protection")


@pytest.fixture
def planned(open_page):
    app = open_page(link_of(TOY, view=View(plan_chart="curve")), "planner", ())
    assert "σ = 1.2358" in app.said
    return app


@pytest.mark.parametrize("page", ELSEWHERE)
def test_other_pages_say_that_the_plan_is_not_in_use(planned, page):
    app = planned.go_to(page)
    assert "Noise multiplier σ = 1.2358 of your plan" in app.said
    assert "is not in use: this page shows σ = 1." in app.said
    app.press("use_plan")
    assert app.scenario.noise.noise_multiplier == pytest.approx(1.2358, abs=1e-4)
    assert "of your plan" not in app.said
    assert "use_plan" not in app.controls


def test_undo_takes_the_plan_back(planned):
    app = planned.go_to("privacy_curve")
    app.press("use_plan")
    app.press("undo")
    assert app.scenario.noise.noise_multiplier == 1.0
    assert "is not in use" in app.said


def test_a_plan_for_other_settings_is_not_offered(planned):
    app = planned.go_to("privacy_curve")
    app.act("steps", 2000)
    assert "of your plan" not in app.said


def test_a_page_without_a_training_scenario_says_nothing(planned):
    assert "of your plan" not in planned.go_to("multistage").said


def test_an_offer_that_was_of_another_plan_does_nothing(planned):
    app = planned.go_to("privacy_curve")
    app.act("use_plan", "{}")
    assert app.scenario.noise.noise_multiplier == 1.0
    assert app.control("use_plan").spec["means"] != "{}"
