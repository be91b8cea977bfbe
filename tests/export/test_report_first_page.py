"""The first page of statement and report: the goal, met or not, by how much, what is left out."""

import re
from dataclasses import replace
from datetime import date

import pytest

from dpviz.export.report import html_report
from dpviz.export.report_first_page import NO_REQUEST, Request, decision_page
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.scenario import PRESETS, Relation, ScenarioError, TimeStep, Units
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.planning.kinds import RUNS

DAY = date(2026, 3, 9)
TOY = PRESETS["toy"].scenario
WEEK = replace(
    PRESETS["traffic"].scenario,
    relation=Relation(width=168),
    units=Units(time_step=TimeStep(1, "hour")),
)


def page_of(request, scenario=TOY):
    return decision_page(curves_of(scenario), attackers_gain(scenario), request, DAY)


def answer_of(page):
    return page.split("\n\n")[1]


def test_the_goal_is_said_in_their_own_word():
    page = page_of(Request(epsilon=4.0, series_word="shop", organisation="Office"), WEEK)
    assert page.startswith(
        "**Goal:** ε ≤ 4 at δ = 10⁻⁷ for any 168 consecutive values (1 week) of one shop."
    )
    assert "in more than one shop." in page
    assert "How many shops there are" in page
    assert "| Organisation | Office |" in page
    assert "| Date | 9 March 2026 |" in page


@pytest.mark.parametrize("factor", [0.5, 0.97, 1.0, 1.0001, 3.0])
def test_met_or_not_is_decided_by_the_unrounded_bound_and_told_by_how_much(factor):
    curves = curves_of(TOY)
    asked = curves.epsilon_upper * factor
    answer = answer_of(page_of(Request(epsilon=asked)))
    assert answer.startswith("**Met.**" if factor >= 1.0 else "**Not met.**")
    assert f"ε ≤ {rounded_up(curves.epsilon_upper)} at δ = 10⁻⁷ (upper bound, Theorem 4.4" in answer
    told = float(re.search(r"([\d.]+) % (below|above) the goal", answer)[1])
    # What is spare is rounded down, what is missing is rounded up.
    if factor >= 1.0:
        assert told <= 100.0 * (1.0 - curves.epsilon_upper / asked) + 1e-9
    else:
        assert told >= 100.0 * (curves.epsilon_upper / asked - 1.0) - 1e-9
    is_out_of_reach = "No analysis can promise less than ε = " in answer
    assert is_out_of_reach == (asked < curves.epsilon_lower)
    if is_out_of_reach:
        assert rounded_down(curves.epsilon_lower) in answer


def test_without_a_requirement_nothing_is_called_met():
    page = page_of(NO_REQUEST)
    assert page.startswith("**Goal:** no requirement was named. Protected: ")
    assert answer_of(page).startswith("**Promised:** After 1,000 training steps, ε ≤ 19.03")
    assert "**Met" not in page


def test_no_finite_bound_meets_nothing():
    answer = answer_of(page_of(Request(epsilon=10.0), RUNS["no finite epsilon"]))
    assert answer == "**Not met.** No finite ε is proven at δ = 10⁻¹⁵ for this training."


@pytest.mark.parametrize("name", ["organisation", "data_set", "author", "series_word"])
def test_typed_words_stay_words(name):
    page = page_of(Request(**{name: "<b>*a* | b</b>"}))
    assert r"\<b\>\*a\* \| b\</b\>" in page
    for bad in ("two\nlines", "x" * 121):
        with pytest.raises(ScenarioError, match=f"{name} = .* must be one line of at most 120"):
            Request(**{name: bad})


def test_the_report_begins_with_it_and_has_the_link_as_a_code():
    curves, gain = curves_of(TOY), attackers_gain(TOY)
    report = html_report(curves, gain, made_on=DAY, base_url="https://dp.example/")
    body = report[report.index("<body>") :]
    assert body.index("What is not covered") < body.index("In full") < body.index("The numbers")
    assert '<figure class="code-of-link"><svg' in body
    assert "<svg" not in html_report(curves, gain, made_on=DAY).partition("<script")[0]
