"""The page that hides what a forecast reads."""

import re
from dataclasses import replace

import pytest

from dpviz.private_inference.noise import epsilon_of, exact_noise
from dpviz.private_inference.plan import HidingPlan
from dpviz.private_inference.study import shipped_study
from dpviz.ui.questions import private_inference
from dpviz.wording.numbers import rounded_up
from tests.csv_text import rows_of

PAGE, KEY = "private_inference", "context_as_read"
OPEN = (
    "open_hidden_noise", "open_hidden_forecasts", "open_hidden_study", "open_held",
    "open_hidden_paper", "open_code",
)  # fmt: skip
PLAN = HidingPlan(context_length=4, rate=0.5, max_change=10.0, epsilon=2.0, delta=1e-4)
LINK = {"hidden_context": "4"}


def test_headline_has_the_noise_with_all_that_it_means(opened, downloads, capsys, monkeypatch):
    """So have file and program. The study is a file: opening the page trains no 240 models."""
    monkeypatch.setattr("dpviz.private_inference.study.unit_errors", None)
    app = opened()
    app.assert_sound(KEY)
    told = app.headline
    assert f"Noise of {rounded_up(exact_noise(PLAN).noise)} (standard deviation)" in told
    assert "ε ≤ 2 at δ = 10⁻⁴ (upper bound) for 1 released forecast" in told
    assert "an individual who changes 1 value of one series by at most v = 10" in told
    assert private_inference.shipped_study() is shipped_study()
    drawn = app.traces(KEY)
    lines = downloads["Download CSV"]().splitlines()
    rows = rows_of("\n".join(lines))
    assert [float(row["as_it_is"]) for row in rows if row["part"] == "context"] == (
        drawn["context"]["y"]
    )
    assert [float(row["q50"]) for row in rows if row["part"] == "forecast"] == drawn["hidden"]["y"]
    assert any("epsilon: 2.0, upper bound at delta 0.0001" in line for line in lines)
    assert any("a simulation, not private" in line for line in lines)
    exec(compile(app.code[0].value, "shown", "exec"), {})
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(("epsilon at most 1.99", "epsilon at most 2.0"))
    assert " at delta 0.0001 with noise " in first
    assert last == f"median forecast: {[round(y, 2) for y in drawn['hidden']['y']]}"


def test_model_sees_noise_where_a_value_is_kept_and_their_mean_elsewhere(opened):
    app = opened(parts=("open_hidden_rate",))
    assert app.chart_title(KEY).startswith("Made-up series 1: ")
    drawn = app.traces(KEY)
    context = dict(zip(drawn["context"]["x"], drawn["context"]["y"], strict=True))
    kept, filled = drawn["kept"], drawn["filled"]
    assert len(kept["x"]) + len(filled["x"]) == len(context) == 4
    assert all(y != context[x] for x, y in zip(kept["x"], kept["y"], strict=True))
    mean = sum(kept["y"]) / len(kept["y"])
    assert filled["y"] == pytest.approx([mean] * len(filled["y"]))
    before = app.described(KEY)
    app.press("hide_anew")
    assert app.described(KEY) != before
    assert app.control("hide_anew").label == "Draw anew (seed 2)"
    app.act("hidden_rate", "1")
    assert "(standard deviation) on each value: ε ≤ 2" in app.headline
    assert "kept" not in app.headline + app.described(KEY)


def test_noise_that_is_given_is_answered_by_its_epsilon_and_said_to_be_too_little_or_too_much(
    opened,
):
    given = LINK | {"hidden_given": "noise"}
    app = opened(given | {"hidden_noise": "30"})
    assert f"ε ≤ {rounded_up(epsilon_of(PLAN, 30.0))} at δ" in app.headline
    assert exact_noise(PLAN).noise < 30.0
    app = opened(given | {"hidden_noise": "0.001"})
    assert "no finite ε" in app.headline
    assert "no useful ε is proven" in app.notes
    # Nor is any told for a budget that is not seen while the noise is given.
    assert "Noise for ε" not in app.all_words
    app = opened(given | {"hidden_noise": "1e6", "hidden_change": "0.001"})
    assert "Less noise will do" in app.notes


def test_paper_bound_is_there_only_where_it_is_proven(opened):
    for epsilon, is_there in (("0.5", True), ("2", False)):
        app = opened(LINK | {"hidden_epsilon": epsilon})
        assert ("paper" in app.traces("hidden_noise_over_rates")) == is_there
        assert ("The paper's own bound is not there" in app.all_words) != is_there


def test_several_forecasts_are_answered_together(opened):
    query = LINK | {"hidden_forecasts": "7", "hidden_stride": "2", "hidden_width": "3"}
    app = opened(query)
    plan = replace(PLAN, width=3, forecasts=7, stride=2)
    assert rounded_up(exact_noise(plan).noise) in app.headline
    assert "for 7 released forecasts together" in app.headline
    assert f"changed values at most {plan.readings} times in all" in app.all_words


def test_which_rate_is_better_is_left_to_the_errors(opened):
    """Of one value that is read once, half are worse than all at ε = 2, and better at ε = 0.1."""
    error = r"\*\*(\S+)\*\*, against \S+ from contexts as they are and (\S+) with all values kept"
    for epsilon, is_better in (("0.1", True), ("2", False)):
        app = opened({"hidden_epsilon": epsilon})
        own, whole = map(float, re.search(error, app.headline).groups())
        assert (own < whole) == is_better
        assert "recommended" not in app.all_words


def test_a_series_has_the_number_of_its_control(opened):
    app = opened(LINK | {"hidden_series": "7"})
    assert app.chart_title(KEY).startswith("Made-up series 7: ")
