"""The planner answers with the value that just meets a goal, and says that it is not in use."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from dpviz.accounting import account
from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning.calibrate import calibrated
from dpviz.planning.label_noise import with_noise
from dpviz.planning.over_steps import under_top_level
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS, from_json
from dpviz.scenario.mechanism import BINS, IN_ORDER
from dpviz.series_file import Choice, SeriesLengths
from dpviz.series_file.any_layout import NO_NAMES
from dpviz.settings import View
from dpviz.ui.offered_file import UsedFile, keep
from dpviz.ui.questions import planner
from dpviz.ui.questions.ledger import shown_runs
from dpviz.ui.questions.planner_next_steps import plan_part, small_run_view
from tests.pages.app import TOY, link_of
from tests.scenario.changes import TRAFFIC, varied

PARTS = ("open_certificate", "open_code")


def opened(open_page, scenario=TOY, view=None, parts=(), shown="curve"):
    """Open the page; the map, of hundreds of fields, is drawn where a test is about it."""
    view = replace(view or View(), plan_chart=shown)
    return open_page(link_of(scenario, view=view), page="planner", parts=parts)


def planned_of(scenario):
    return calibrated(scenario, "noise_multiplier", Target(epsilon=2.0, delta=1e-7))


def labels_of(app):
    return [control.label for control in app.controls.values()]


@pytest.mark.parametrize(
    ("scenario", "is_long"),
    [
        (under_top_level(TRAFFIC, BINS), True),
        (varied(TRAFFIC, bottom_level="poisson"), True),
        (under_top_level(TRAFFIC, IN_ORDER), False),
    ],
    ids=["bins", "Poisson windows", "walk"],
)
def test_a_plan_gets_the_time_that_its_tables_take(scenario, is_long):
    part = plan_part(scenario, "noise_multiplier", Target(epsilon=2.0, delta=1e-7))
    assert part.is_long == is_long
    assert (part.limits is not None and part.limits.seconds > Limits().seconds) == is_long


def test_a_plan_at_a_limit_is_not_told_to_have_a_looser_value(open_page):
    found = opened(open_page, varied(TOY, steps=1), View(target_epsilon=10.0))
    assert "that of the next looser value was not found to" in found.said
    limit = opened(open_page, varied(TOY, steps=1), View(target_epsilon=1000.0))
    assert "the least that can be set" in limit.headline
    assert "looser" not in limit.said


def test_the_practitioners_task(open_page):
    """862 hourly sensors, epsilon 2 at 1e-7 after 4000 epochs: which sigma?"""
    app = opened(open_page, TRAFFIC, View(target_epsilon=2.0), PARTS)
    wanted = planned_of(TRAFFIC)
    sigma = wanted.noise.noise_multiplier
    assert f"**Noise multiplier σ = {sigma:g} is enough for ε ≤ 2 at δ = 10⁻⁷.**" in app.headline
    assert f"--noise-multiplier {sigma!r}" in "\n".join(code.value for code in app.code)
    assert app.scenario == TRAFFIC  # what is open stays what it was until it is adopted
    # Four windows of each series: fewer series in a batch.
    app.session_state["open_sampling"] = True
    app.run()
    app.act("num_subsequences", "4")
    assert app.scenario.sampling.num_subsequences == 4
    assert "is enough for ε ≤ 2" in app.headline
    # Their 4,000 epochs are more steps then: the plan keeps the steps, and says what they asked.
    assert app.control("epochs_again").label == "Train 4,000 epochs (52,000 steps) again"


def test_the_plan_is_what_is_saved_and_becomes_the_current_scenario_and_a_run_on_request(
    open_page, downloads
):
    """Other pages show what is set, not what was found: one click makes them the same."""
    app, plan = opened(open_page, view=View(target_epsilon=2.0)), planned_of(TOY)
    assert app.scenario == TOY
    assert from_json(downloads["Save scenario"]()) == plan
    assert f'"noise_multiplier": {plan.noise.noise_multiplier}'.replace(" ", "") in (
        downloads["Download CSV"]().replace(" ", "")
    )
    assert labels_of(app).count("Use this plan on all pages") == 1
    app.press("plan_adopt")
    assert app.scenario == plan
    assert "plan_adopt" not in app.controls  # nothing is left to take over
    app.click("plan_to_ledger")
    (run,) = shown_runs(app.state)
    assert (run.name, run.scenario.noise) == ("run 1", plan.noise)


@pytest.mark.slow
def test_ways_coins_and_own_settings_are_told_below_the_chart_and_can_be_adopted(open_page):
    app = opened(open_page, TOY, View(target_epsilon=10.0), ("open_ways",))
    app.press("adopt_loss_0")
    assert app.scenario != TOY
    app.press("undo")
    assert "the link have σ = 1: **ε ≤ 19.03 at δ = 10⁻⁷**" in app.all_words
    assert "by a coin of its own (Poisson), σ = " in app.all_words
    app.press("adopt_coins")
    assert app.scenario.sampling.top_level == "poisson"
    # By coins already: nothing is left to change.
    assert "a coin of its own" not in app.all_words
    app.press("plan_adopt")
    assert app.scenario.noise.noise_multiplier < 1.0
    assert "until you use the plan" not in app.all_words


def test_no_way_leaves_next_to_nothing_of_the_training(open_page):
    """69 of 5,000 steps halve the privacy loss here: nobody trains so little."""
    app = opened(open_page, varied(TRAFFIC, steps=5000), View(target_epsilon=4.0), ("open_ways",))
    rows = [text for text in app.texts if "noise per gradient 0" in text]
    assert any("Noise multiplier σ: " in row for row in rows)
    assert not any("Training steps: " in row for row in rows)
    assert "less than a quarter of the steps is not offered" in app.captions
    # How long training is stands in each row once.
    assert all(row.count("5,000 steps") == 1 for row in rows)


def test_a_plan_is_drawn_whole_where_no_bound_covers_the_settings(open_page):
    refused = varied(TOY, series_per_person=2, num_subsequences=4)
    view = View(target_epsilon=100.0, free_quantity="num_subsequences")
    app = opened(open_page, refused, view)
    assert "**Windows per series λ = 1 is the most proven for" in app.headline
    assert not app.errors
    assert "until you use the plan" not in app.all_words
    app.press("plan_adopt")
    assert app.scenario.sampling.num_subsequences == 1


def test_one_bag_has_no_windows_per_series_that_would_meet_a_goal(open_page):
    view = View(target_epsilon=1.0, free_quantity="forecast_noise")
    app = opened(open_page, varied(TOY, top_level="flat"), view)
    assert "What would meet it" in app.all_words
    assert "- Batch size Λ: " in app.all_words
    assert "Windows per series λ: " not in app.all_words


def test_a_goal_that_is_none_is_named_in_the_answers_place(open_page):
    """What is set is pinned then, and files are opened all the same."""
    view = View(goal="hits", target_false_positive_rate=0.1, target_true_positive_rate=0.05)
    app = opened(open_page, TOY, view, ("open_data",))
    assert "Share of hits = 0.05 is not allowed" in app.errors
    assert app.state.view.target_true_positive_rate == 0.05
    app.press("pin")
    assert [pin.scenario for pin in app.state.pins] == [TOY]


def test_documents_name_the_goal_of_attackers_and_that_it_is_met(open_page, downloads):
    app = opened(open_page, view=View(goal="success", target_success=0.6))
    assert "is enough for at most 60 of 100 attackers right at even odds" in app.headline
    statement = downloads["Privacy statement (Markdown)"]()
    assert (
        "**Goal:** at most 60 of 100 attackers right at even odds, for any single value of one "
        "series.\n\n**Met.** After 1,000 training steps: up to "
    ) in statement
    assert "no requirement" not in statement


def test_beside_the_batch_size_stands_how_many_windows_batches_of_bins_have(open_page):
    """N λ / K on average, whatever Λ is."""
    app = opened(open_page, under_top_level(TRAFFIC, BINS), parts=("open_data",))
    assert "ρ = 1 / 3 = 0.3333; a batch has 287.3 windows on average; 3 steps per" in app.captions
    assert "a batch has" not in opened(open_page, TRAFFIC, parts=("open_data",)).captions


def test_the_plan_is_pinned_and_compared_by_one_button(open_page):
    app = opened(open_page, view=View(target_epsilon=2.0), shown="compare")
    assert labels_of(app).count("Pin") == 1
    app.press("pin")
    assert [pin.scenario for pin in app.state.pins] == [planned_of(TOY)]
    assert list(app.dataframe[0].value["run"]) == ["now", "pin A"]
    assert labels_of(app).count("Pin") == 1
    assert app.control("pin").disabled


def test_a_search_that_costs_too_much_is_refused_in_the_answers_place(
    open_page, downloads, monkeypatch
):
    """The settings stay, so that they can be changed, and are what is saved."""
    too_costly = Mock(side_effect=TooCostlyError(Limits(), "time"))
    monkeypatch.setattr(planner, "result_of", too_costly)
    app = opened(open_page)
    assert "it takes more than 2 s of computing" in app.error[0].value
    assert "`python -m dpviz calibrate --find noise-multiplier" in app.error[0].value
    assert app.control("target_epsilon").spec["stops"]
    assert from_json(downloads["Save scenario"]()) == TOY
    assert (
        downloads["Download CSV"]()
        .partition(": ")[2]
        .startswith("This plan, which solves for noise multiplier σ, is not allowed")
    )


def test_a_small_run_is_trained_with_the_plan(open_page):
    """The plan becomes the settings of all pages, and one step back takes all of it back."""
    app = opened(open_page, TRAFFIC, View(target_epsilon=2.0))
    before = app.state.view
    app.click("train_plan")
    view = app.state.view
    assert app.scenario == planned_of(TRAFFIC)
    assert (view.trained_context, view.trained_forecast, view.trained_batch) == (96, 24, 256)
    assert (view.panel_series, view.panel_length) == (500, 1000)
    assert (view.target_epsilon, view.trained_noise) == (2.0, "fit")
    app.press("undo")
    assert app.scenario == TRAFFIC
    assert app.state.view.trained_context == before.trained_context


@pytest.mark.slow
def test_a_plan_is_tried_at_three_noise_levels_and_none_at_once(open_page, training_runs):
    """On made-up series; what privacy costs is told with its range over seeds."""
    short = varied(TOY, steps=20)
    app = opened(open_page, short, View(target_epsilon=20.0, panel_series=30))
    assert "What this noise costs in accuracy depends on the data" in " ".join(app.texts)
    app.click("train_noise_levels")
    view = app.state.view
    assert (view.training_chart, view.compared_setting) == ("compare", "noise_multiplier")
    (run,) = training_runs.runs.values()
    assert len(run.told) == 12
    assert "CRPS against no privacy: half σ " in app.headline
    assert app.headline.count(" to ") >= 3
    assert app.headline.count("for ε ≤ ") == 3


def test_a_plan_of_a_file_is_trained_as_it_is(open_page):
    bounded = varied(TRAFFIC, max_change=300.0)
    app = opened(open_page, bounded, View(target_epsilon=2.0))
    found = planned_of(bounded)
    lengths = app.state.file = SeriesLengths(lengths=(17544,) * 862, layout="long")
    keep(app.state, UsedFile("a.csv", 0, b"", Choice(), lengths, NO_NAMES, content=None))
    app.run()
    app.click("train_plan")
    view = app.state.view
    assert (view.trained_on, view.trained_noise) == ("file", "set")
    assert (view.trained_context, view.trained_forecast, view.trained_batch) == (96, 24, 256)
    assert (view.trained_steps, view.trained_change) == (found.num_steps, 300.0)
    assert app.scenario.noise == found.noise


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_small_run_takes_of_a_plan_is_allowed(preset):
    made = small_run_view(PRESETS[preset].scenario, 1.0, None)
    assert View(**made).target_epsilon == 1.0
    bag = varied(TOY, top_level="flat", batch_size=500)
    assert small_run_view(bag, 1.0, None)["trained_batch"] == 500


@pytest.mark.slow
def test_the_map_around_the_plan_is_the_pages_chart(open_page, monkeypatch):
    """It tells no lower bound: the best one, which takes longest, is not computed."""
    asked = []
    monkeypatch.setattr(account, "with_new_directions", lambda curve, _: asked.append(curve))
    link = link_of(TOY, view=View(target_epsilon=9.7))  # nobody else's: it is known of nothing yet
    app = open_page(link, page="planner", parts=())
    app.assert_sound("region")
    assert not asked
    assert app.chart_title("region").startswith("Settings that meet ε ≤ 9.7 at δ = 10⁻⁷")


NOISY = with_noise(TOY, context=0.0, forecast=2.0)
NOISY_BAG = varied(NOISY, longer_series_beyond=2, top_level="flat")


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


def test_an_opened_plan_is_told_to_be_planned_anew_for_the_goal_set_here(open_page, downloads):
    """A file holds no goal: its number must not be lost sight of behind another headline."""
    app = open_page(link_of(TOY, view=View(plan_chart="curve")), "planner", ("open_data",))
    app.act("target_epsilon", "2")
    text = downloads["Save scenario"]()
    app.press("reset_all")
    app.upload("upload_0", "plan.json", text.encode())
    saved = from_json(text)
    sigma = f"σ = {saved.noise.noise_multiplier:g}"
    assert app.scenario == saved
    assert "for ε ≤ 10 at δ = 10⁻⁷" in app.headline
    assert f"The scenario was opened: {sigma} in the file." in app.notes
    assert "anew, for the goal that is set here (a file holds none): ε ≤ 10 at δ" in app.notes


def test_other_pages_say_that_the_plan_is_not_in_use_and_can_take_it_over(open_page):
    """For its own settings alone."""
    app = open_page(link_of(TOY, view=View(plan_chart="curve")), "planner", ())
    assert "σ = 1.2358" in app.said
    assert "*Plan* finds" not in app.go_to("multistage").said  # of no training scenario
    assert "*Plan* finds" not in app.go_to("train").said  # of other series
    app.go_to("epsilon_meaning")
    assert "*Plan* finds noise multiplier σ = 1.2358 for ε ≤ 10 at δ = 10⁻⁷; this" in app.said
    assert "; this page shows σ = 1." in app.said
    app.go_to("privacy_curve")
    app.act("use_plan", "{}")  # as it was of another plan
    assert app.scenario.noise.noise_multiplier == 1.0
    app.press("use_plan")
    assert app.scenario.noise.noise_multiplier == pytest.approx(1.2358, abs=1e-4)
    assert "*Plan* finds" not in app.said
    assert "use_plan" not in app.controls
    app.press("undo")
    assert app.scenario.noise.noise_multiplier == 1.0
    assert "*Plan* finds" in app.said
    app.act("steps", 2000)
    assert "*Plan* finds" not in app.said


def test_a_script_that_lacks_the_largest_change_says_where_it_is_set_from_here(open_page):
    noisy = varied(TOY, forecast_noise=1.0)
    why = (
        r"There is no training script. Largest change of a value v\: it is needed, as noise on "
        "context and labels is "
    )
    app = opened(open_page, noisy)
    (told,) = (one.value for one in app.caption if one.value.startswith("There is no"))
    assert told == f"{why}measured in it. Set it here, under “Noise on windows”."
    app = open_page(link_of(noisy), "privacy_curve", ("open_take_away",))
    (told,) = (one.value for one in app.caption if one.value.startswith("There is no"))
    assert told == f"{why}measured in it. Set it on [Noise on windows](label_noise)."


def test_half_the_loss_is_adopted_with_its_goal(open_page):
    """Else the page would plan back to the goal before."""
    app = opened(open_page, view=View(target_epsilon=4.0), parts=("open_ways",))
    adopted = from_json(app.control("adopt_loss_0").spec["means"].partition("} ")[0] + "}")
    app.press("adopt_loss_0")
    assert app.state.view.target_epsilon == 2.0
    assert app.scenario == adopted
