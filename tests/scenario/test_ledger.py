"""A ledger's runs in a link and in JSON: nothing is lost without a word."""

import json
from dataclasses import replace

import pytest

from dpviz.scenario import PRESETS, Noise, ScenarioError
from dpviz.scenario.ledger import (
    LEDGER_PARAMETERS,
    MOST_RUNS,
    NamedRun,
    ledger_from_json,
    ledger_from_query,
    ledger_to_json,
    ledger_to_query,
    with_run,
)
from dpviz.settings.view import view_from_query, view_to_query

TOY = PRESETS["toy"].scenario
OTHER = replace(TOY, noise=Noise(noise_multiplier=2.0), delta=1e-5)
RUNS = (
    NamedRun(name="pilot & more = 1; ε, %41", scenario=TOY),
    NamedRun(name="+ second", scenario=OTHER),
)


def test_a_link_and_json_give_the_same_runs_back():
    assert ledger_from_query(ledger_to_query(RUNS)) == RUNS
    assert ledger_from_json(ledger_to_json(RUNS)) == RUNS
    assert ledger_from_json(ledger_to_json(RUNS).encode()) == RUNS


def test_a_full_ledger_refuses_one_more_and_keeps_what_it_has():
    runs: tuple[NamedRun, ...] = ()
    for number in range(MOST_RUNS):
        runs = with_run(runs, NamedRun(name=f"run {number}", scenario=TOY))
    with pytest.raises(ScenarioError, match=f"at most {MOST_RUNS} runs"):
        with_run(runs, NamedRun(name="one more", scenario=TOY))
    query = ledger_to_query(runs)
    assert tuple(query) == LEDGER_PARAMETERS
    assert ledger_from_query(query) == runs


def test_two_runs_have_two_names():
    with pytest.raises(ScenarioError, match="another run of the ledger has this name"):
        with_run(RUNS, replace(RUNS[0], scenario=OTHER))


@pytest.mark.parametrize("name", ["", " pilot", "a\nb", "x" * 41, None, 3])
def test_a_name_is_short_printable_text(name):
    with pytest.raises(ScenarioError, match="run_name"):
        NamedRun(name=name, scenario=TOY)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name=x", "schema: it is missing"),
        ("schema=1&name=x&noise=3", "noise = '3' is not allowed: there is no such field"),
        ("name=x&name=y", "name = 'y' is not allowed: it is given more than once"),
        ("%00", "there is no such field"),
    ],
)
def test_a_run_of_a_link_that_cannot_be_used_is_named_and_costs_no_other(text, said):
    view, [problem] = view_from_query({**ledger_to_query(RUNS), "run_3": text})
    assert ledger_from_query(view_to_query(view)) == RUNS
    assert str(problem).startswith("run_3 = ")
    assert "it must be a run of a ledger, but " in str(problem)
    assert said in str(problem)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it must be a JSON object such as"),
        ("[1]", "it must be a JSON object such as"),
        ('{"runs": []}', "it must be a JSON object such as"),
        ('{"runs": [3]}', "run 1 is none"),
        ('{"runs": [{"scenario": {"schema": 1}}]}', "(in run 1 of the ledger)"),
        (json.dumps({"runs": [{}] * 101}), "it has 101 runs: at most 100 are read"),
        ("[" * 10_000, "it must be a JSON object such as"),
        (" " * 1_000_001, "at most 1,000,000 bytes"),
    ],
    ids=range(8),
)
def test_what_is_no_ledger_is_said(text, said):
    with pytest.raises(ScenarioError) as refused:
        ledger_from_json(text)
    assert said in str(refused.value)
