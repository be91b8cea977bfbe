"""What is said of the study is computed from its rows, and says what each number is."""

import re

import pytest

from dpviz.reported.table import TABLES
from dpviz.training_study.findings import finding, findings
from dpviz.training_study.questions import QUESTIONS
from dpviz.training_study.results import shipped_results
from dpviz.wording.training_study import (
    answer_lines,
    answer_name,
    kept_gain,
    numbers_table,
    overview,
    paper_section,
    same_training,
    scope_sentence,
    study_description,
    study_headline,
)
from tests.training_study.rows import rows_of

INF = float("inf")
SHIPPED = findings(shipped_results().rows)
IDS = [f"{one.question.name}-{one.data}-{one.model}" for one in SHIPPED]


def of_rows(question: str, errors, **others):
    rows = rows_of(question, errors, **others)
    return finding(QUESTIONS[question], rows, "generated", "linear")


def budget(errors):
    values = QUESTIONS["budget"].values
    return of_rows("budget", {(at, at): [one] * 3 for at, one in zip(values, errors, strict=True)})


def test_headline_compares_with_the_seasonal_naive_forecast():
    assert study_headline(budget([1.2, 1.0, 0.9, 0.85, 0.8, 0.6])).startswith(
        "**Linear model on made-up series: an error 20.0 % above the seasonal naive forecast's at "
        "ε ≤ 0.5, 20.0 % below at ε ≤ 8 and 40.0 % below without privacy.** Untrained it is "
        "10.0 % above. Errors: CRPS of the last months, means of 3 runs."
    )


def test_headline_tells_first_and_last_value_for_each_budget():
    errors = {
        (value, epsilon): [0.5 + 0.01 * value * (epsilon < INF)] * 2
        for epsilon in (8.0, INF)
        for value in QUESTIONS["windows"].values
    }
    assert (
        "an error from 49.0 % below the seasonal naive forecast's (λ = 1) to 34.0 % below (λ = 16) "
        "at ε ≤ 8 and from 50.0 % below (λ = 1) to 50.0 % below (λ = 16) without privacy.**"
    ) in study_headline(of_rows("windows", errors))


def test_headline_tells_the_smallest_error_in_between():
    errors = {(0.0, 0.5): [0.5], (1.0, 0.5): [0.45], (5.0, 0.5): [0.6]}
    assert (
        "50.0 % below the seasonal naive forecast's (σ_F = 0) to 40.0 % below (σ_F = 5), with "
        "55.0 % below in between (σ_F = 1), at ε ≤ 0.5.**"
    ) in study_headline(of_rows("labels", errors))


def test_gain_that_privacy_leaves_is_told_also_where_nothing_is_left():
    """Measured from the model before its first step (1.1), not from the baseline (1)."""
    assert kept_gain(budget([1.2, 1.1, 1.0, 0.9, 0.8, 0.6])) == (
        "Of what training without privacy gains over the untrained model, private training keeps "
        "nothing at ε ≤ 0.5, nothing at ε ≤ 1, 20 % at ε ≤ 2, 40 % at ε ≤ 4 and 60 % at ε ≤ 8."
    )
    assert "gains nothing" in kept_gain(budget([1.2] * 6))
    assert kept_gain(of_rows("width", {(1.0, 4.0): [0.5]})) == ""


@pytest.mark.parametrize("found", SHIPPED, ids=IDS)
def test_numbers_of_values_that_touch_every_window_are_told_to_be_one_training(found):
    said = same_training(found)
    assert bool(said) == (found.question.name == "width" and found.data == "m3")
    if said:
        assert said == (
            "In the shortest of the M3 series (57 start positions) 2 values anywhere already touch "
            "every window: w = 2, 4 and 8 are the same training."
        )
        errors = {(cell.mean, cell.noise_multiplier) for cell in found.cells if cell.value > 1}
        assert len(errors) == 1


def test_a_difference_too_small_to_matter_is_called_so():
    errors = {(value, 0.5): [0.5 - 0.001 * value] * 2 for value in QUESTIONS["labels"].values}
    harmless, helps = answer_lines(of_rows("labels", errors))
    assert harmless.startswith("**Yes:** ")
    assert helps.startswith("**Yes, but by less than the margin:** ")
    errors = {(value, 0.5): [0.5 - 0.01 * value] * 2 for value in QUESTIONS["labels"].values}
    assert answer_lines(of_rows("labels", errors))[1].startswith("**Yes:** ")


def test_noise_on_labels_holds_only_for_changes_of_v():
    found = of_rows("labels", {(0.0, 0.5): [0.5], (1.0, 0.5): [0.5]})
    assert scope_sentence(found).endswith(
        "by Theorem 4.4 and Theorem G.1. Theorem G.1 holds if no value changes by more than v = 1, "
        "the unit of the noise on windows."
    )
    assert "v = " not in scope_sentence(of_rows("width", {(1.0, 4.0): [0.5]}))


def test_runs_without_privacy_have_no_bound_to_tell():
    found = of_rows("budget", {(INF, INF): [0.5]})
    assert scope_sentence(found) == "Errors: CRPS of the last months, means of 1 run."


def test_answers_carry_their_intervals():
    errors = {(1.0, 4.0): [0.5, 0.5], (8.0, 4.0): [0.6, 0.6]}
    line = answer_lines(of_rows("width", errors))[0]
    assert line.startswith("**Yes:** At ε = 4 the error is smaller where w = 1")
    assert line.endswith("*(w = 1: −10.0 % [−10.0 to −10.0])*")
    assert "*(runs are missing)*" in answer_lines(of_rows("width", {(1.0, 4.0): [0.5]}))[0]


@pytest.mark.parametrize("found", SHIPPED, ids=IDS)
def test_every_shipped_number_says_what_it_is(found):
    said = study_headline(found)
    for part in ("upper bound on all 500 steps", "δ = 10⁻⁷", "of one series"):
        assert part in said
    assert "Theorem 4.4" in said
    assert ("dpviz's Proposition 2" in said) == (found.question.name == "windows")
    assert ("Theorem G.1" in said) == (found.question.name == "labels")
    assert not re.search(r"\b(nan|inf)\b", said + study_description(found) + numbers_table(found))
    # An interval near 0 shows its sign: not "yes, smaller: −0.0 % (−0.0 to −0.0)".
    assert not re.search(r"[+−]0\.0(?!\d)", " ".join(answer_lines(found)))


@pytest.mark.parametrize("found", SHIPPED, ids=IDS)
def test_tables_have_every_setting(found):
    lines = numbers_table(found).splitlines()
    assert len(lines) == 2 + len(found.cells) + 2
    for line, cell in zip(lines[2:], found.cells, strict=False):
        told = float(line.split(" | ")[1])
        assert told == pytest.approx(cell.mean, rel=1e-3)
        if cell.spent is None:
            assert "no bound" in line
        else:
            assert float(line.split(" | ")[6]) >= cell.spent.epsilon
            assert re.search(r"\| upper bound, .*, 500 steps", line)


def test_overview_has_the_answer_of_all_series_and_models():
    found = [one for one in SHIPPED if one.question.name == "windows"]
    rows = [line.strip("| ").split(" | ") for line in overview(found).splitlines()[2:]]
    assert len(rows) == len(found[0].claims)
    for at, row in enumerate(rows):
        assert row[1:] == [answer_name(one.claims[at]) for one in found]


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda question: question.name)
def test_the_papers_numbers_are_called_reported(question):
    said = paper_section(question, "linear")
    for number in question.paper_tables:
        assert f"Table {number}" in said
        line = next(line for line in TABLES[str(number)].lines if line.model == "DLinear")
        assert all(cell.printed in said for cell in line.cells)
        assert "Reported by the paper" in said
        assert "by the paper's own accounting" in said
    if question.paper_figure is not None:
        assert f"Figure {question.paper_figure}" in said
