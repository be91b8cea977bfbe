"""The page that trains a small forecaster: asks first, and tells what it cost."""

from dataclasses import replace

from dpviz.scenario import from_json
from dpviz.training.run import trained
from dpviz.wording.numbers import rounded
from tests.pages.acts import act, press
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    headline,
    link_in_address_bar,
    link_of,
    state_of,
)
from tests.pages.train_page import LINK, SMALL, said, table_in, train
from tests.training.small_runs import SOURCE


def test_nothing_is_trained_before_somebody_asks(open_training, training_runs, downloads):
    app = open_training()
    assert_sound(app, "forecast")
    assert "Not trained yet" in headline(app)
    assert "**Example**" in headline(app)
    assert "upper bound after all 500 training steps" in headline(app)
    assert chart_title(app, "forecast") == "To be forecast: the last 6 values of series 1"
    assert not training_runs.runs
    assert downloads["Download CSV"]().startswith("# Not trained yet")


def test_a_result_tells_error_baseline_epsilon_theorem_and_who_is_hidden(
    open_training, training_runs, downloads
):
    app = train(open_training(parts=("open_code", "open_certificate")))
    assert_sound(app, "training_curve")
    (run,) = training_runs.runs.values()
    result = run.told[-1]
    for words in (
        f"**CRPS {result.crps:.3g}",
        f"against {result.baseline_crps:.3g}",
        "of the seasonal naive forecast",
        "at δ = 10⁻⁷** (upper bound, Theorem 4.4 composed over 20 steps)",
        "which hides any single value of one series, changed by any amount",
    ):
        assert words in headline(app)
    assert result.spent.epsilon <= 20.0
    assert "What ε does not cover here" in said(app)
    assert result.not_accounted[0] in said(app)
    assert "the same model without privacy, trained to compare with" in said(app)
    assert "$N$ = 30 series, $L$ = 68 values of each to train on" in said(app)
    assert "applied to one step" in said(app)  # the certificate
    names = [trace["name"] for trace in chart(app, "forecast")["data"] if "name" in trace]
    assert names == ["before", "80 % band", "40 % band", "median", "actual values"]
    assert "80 %" in described(app, "forecast")
    rows = table_in(downloads["Download CSV"]())
    assert [int(row["step"]) for row in rows] == list(range(21))
    assert float(rows[-1]["epsilon_upper_bound"]) == result.spent.epsilon
    assert "Theorem 4.4" in downloads["Download CSV"]()
    forecasts = table_in(downloads["Download these forecasts as CSV"]())
    assert len(forecasts) == 30 * 6


def test_the_code_that_is_shown_trains_the_same_run(open_training, training_runs, capsys):
    app = train(open_training(parts=("open_code",)))
    (run,) = training_runs.runs.values()
    command, program = (code.value for code in app.code)
    assert "python -m dpviz train --scenario dpviz-scenario.json" in command
    exec(compile(program, "shown", "exec"), {})
    assert f"CRPS {run.told[-1].crps:.4f}" in capsys.readouterr().out


def test_without_privacy_there_is_no_epsilon_and_it_is_said(open_training):
    app = train(open_training(LINK | {"trained_privacy": "none"}))
    assert "without privacy: no noise, no clipping, no ε" in headline(app)
    assert "hides nobody" in headline(app)
    assert "≤" not in chart_title(app, "training_curve")
    assert [trace["uid"] for trace in chart(app, "training_curve")["data"]] == ["error"]
    assert "**No ε is proven.**" in said(app)


def test_naive_forecasts_are_no_trained_model(open_training):
    app = train(open_training(LINK | {"trained_model": "naive"}))
    assert "Nothing was trained, and no ε covers it" in headline(app)


def test_noise_as_set_ends_with_the_budget_and_says_so(open_training):
    link = link_of(replace(TOY, noise=replace(TOY.noise, noise_multiplier=1.5))) | SMALL
    app = train(open_training(link | {"trained_noise": "set", "trained_steps": "2000"}))
    assert "The budget ended the training after" in headline(app)
    assert "of the 2,000 steps asked for" in headline(app)


def test_noise_on_labels_is_told_in_the_data_s_own_unit_with_its_condition(open_training):
    noisy = replace(TOY, noise=replace(TOY.noise, forecast_noise=2.0))
    app = train(open_training(link_of(noisy) | SMALL | {"trained_change": "5"}))
    assert r"$\sigma_{F}$ = 2 (a standard deviation of 10 in the data's unit)" in said(app)
    assert "changed by at most **5**" in headline(app) or "at most" in headline(app)
    assert "It holds if" in headline(app)


def test_results_of_a_visit_stand_beside_each_other_until_forgotten(open_training):
    app = train(open_training())
    app.session_state["open_sampling"] = True
    act(app.run(), "num_subsequences", 2)
    assert "Not trained yet" in headline(app)
    act(app, "target_epsilon", 50.0)
    train(app)
    assert "Your runs so far" in said(app)
    assert "learns more than one ε tells" in said(app)
    press(app, "train_forget")
    assert "Your runs so far" not in said(checked(app))


def test_the_link_brings_the_settings_back_and_the_server_its_results(open_training):
    app = train(open_training(LINK | {"shown_series": "7"}))
    again = open_training(link_in_address_bar(app))
    assert headline(again) == headline(app)
    assert chart_title(again, "forecast").endswith("series 7")


def test_a_restarted_server_has_the_settings_and_says_to_start_again(open_training, training_runs):
    app = train(open_training())
    link = link_in_address_bar(app)
    training_runs.runs.clear()
    again = open_training(link)
    assert "Not trained yet" in headline(again)
    assert state_of(again).view == state_of(app).view


def test_the_run_of_the_page_is_that_of_the_training_loop(open_training, training_runs):
    train(open_training())
    (run,) = training_runs.runs.values()
    assert trained(run.told[0], SOURCE.panel()).crps == run.told[-1].crps


def test_exponential_smoothing_stands_beside_the_model_on_the_same_series(open_training):
    """It is no private forecast, and the page says so; all errors are of the same windows."""
    app = train(open_training())
    assert "| exponential smoothing (ETS), the best form for each series |" in said(app)
    assert "CRPS, all 30 series |" in said(app)
    assert "| this model |" in said(app)
    assert "a yardstick that protects nobody" in said(app)


def test_a_saved_scenario_is_the_one_that_was_trained(open_training, training_runs, downloads):
    """Its noise is that which was found, its steps those that are accounted for."""
    app = open_training()
    assert from_json(downloads["Save scenario"]()) == TOY
    train(app)
    (run,) = training_runs.runs.values()
    result = run.told[-1]
    found = from_json(downloads["Save scenario"]())
    assert found.noise == result.settings.scenario.noise
    assert found.num_steps == result.spent.steps
    assert found.shape == result.settings.shape


def test_where_noise_was_too_much_the_page_says_so_and_sets_what_to_try_next(
    open_training, training_runs
):
    app = train(open_training(LINK | {"target_epsilon": "0.5", "learning_rate": "0.1"}))
    assert "**The held-out error rose** from" in headline(app)
    assert "too much noise for these data" in headline(app)
    (run,) = training_runs.runs.values()
    result = run.told[-1]
    assert f"the same model without privacy ({rounded(run.told[-2].crps, 3)})" in headline(app)
    assert "At the same ε the noise on the averaged gradient halves" in said(app)
    before = state_of(app).view
    press(app, "train_next")
    view = state_of(checked(app)).view
    assert (view.trained_batch, view.trained_steps) != (before.trained_batch, before.trained_steps)
    assert result.steps == before.trained_steps
    # Nothing is trained before somebody asks.
    assert len(training_runs.runs) == 1
