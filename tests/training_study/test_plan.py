"""The plan: what is trained is what the questions and the documentation say."""

import json
from pathlib import Path

import pytest

from dpviz.command_line import main
from dpviz.reported.table import FIGURES_WITHOUT_NUMBERS, TABLES
from dpviz.scenario import to_json
from dpviz.settings import SETTINGS
from dpviz.training.models import NETWORKS
from dpviz.training_study.questions import (
    DATA,
    DELTA,
    LEARNING_RATES,
    PREVIOUS,
    QUESTIONS,
    SEASONAL_NAIVE,
    SEEDS,
    SEEDS_OF_NETWORKS,
    STEPS,
    UNTRAINED,
)
from dpviz.training_study.results import shipped_results
from dpviz.training_study.study import PlannedRun, planned_runs, scenario_of, settings_of

DOCUMENT = (Path(__file__).parents[2] / "docs" / "training-study.md").read_text(encoding="utf-8")
INF = float("inf")


def run(question: str, value: float, epsilon: float, model: str = "linear") -> PlannedRun:
    return PlannedRun(
        question=question, data="generated", model=model, value=value, epsilon=epsilon, seed=1
    )


def test_pages_offer_all_that_is_planned():
    assert tuple(QUESTIONS) == tuple(SETTINGS["study_question"].choices)
    assert tuple(DATA) == tuple(SETTINGS["study_data"].choices)
    assert tuple(LEARNING_RATES) == tuple(SETTINGS["study_model"].choices)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda question: question.name)
def test_claims_are_about_what_is_trained(question):
    assert len({claim.name for claim in question.claims}) == len(question.claims)
    for claim in question.claims:
        for value in claim.values:
            epsilon = value if claim.epsilon is None else claim.epsilon
            assert (value, epsilon) in question.cells
        if isinstance(claim.against, str):
            assert claim.against in (SEASONAL_NAIVE, UNTRAINED, PREVIOUS)
        else:
            epsilon = claim.against if claim.epsilon is None else claim.epsilon
            assert (claim.against, epsilon) in question.cells
        if claim.against == PREVIOUS:
            assert question.values[0] not in claim.values
    assert all(str(number) in TABLES for number in question.paper_tables)
    if question.paper_figure is not None:
        assert f"figure-{question.paper_figure}" in FIGURES_WITHOUT_NUMBERS


def test_every_claim_is_documented():
    for question in QUESTIONS.values():
        assert f"| `{question.name}`: {question.title[0].lower()}{question.title[1:]} |" in DOCUMENT
        for claim in question.claims:
            assert f"| `{question.name}`: {claim.name} |" in DOCUMENT


def test_no_run_is_planned_twice():
    runs = planned_runs()
    networks = [one for one in runs if one.model in NETWORKS]
    assert len(set(runs)) == len(runs) == 100 * len(SEEDS) + len(networks)
    assert {one.question for one in networks} == {"budget"}
    assert len(networks) == len(NETWORKS) * len(DATA) * 6 * len(SEEDS_OF_NETWORKS)


def test_settings_differ_in_what_is_asked_about():
    sampling = scenario_of(run("windows", 2.0, 8.0)).sampling
    assert (sampling.num_subsequences, sampling.batch_size) == (2, 64)
    assert scenario_of(run("labels", 1.0, 0.5)).noise.forecast_noise == 1.0
    relation = scenario_of(run("width", 2.0, 4.0)).relation
    assert (relation.level, relation.width) == ("user", 2)


def test_without_privacy_there_is_no_budget():
    assert settings_of(run("budget", INF, INF)).target is None
    assert settings_of(run("budget", 4.0, 4.0)).target.epsilon == 4.0


def test_models_differ_in_nothing_but_their_learning_rate():
    found = [settings_of(run("budget", 4.0, 4.0, model)) for model in LEARNING_RATES]
    assert all(one.scenario == found[0].scenario for one in found)
    assert [one.learning_rate for one in found] == [0.002, 0.001, 0.0005, 0.005]


@pytest.mark.parametrize(
    ("question", "value", "epsilon"),
    [("budget", 4.0, 4.0), ("windows", 2.0, 8.0), ("labels", 1.0, 0.5), ("width", 2.0, 4.0)],
)
def test_noise_is_the_least_that_keeps_to_the_budget_and_epsilon_that_of_the_epsilon_command(
    tmp_path, capsys, question, value, epsilon
):
    scenario, path = scenario_of(run(question, value, epsilon)), tmp_path / "scenario.json"
    assert (scenario.num_steps, scenario.delta) == (STEPS, DELTA)
    path.write_text(to_json(scenario), encoding="utf-8")
    assert main(["epsilon", "--scenario", str(path), "--json"]) == 0
    upper = json.loads(capsys.readouterr().out)["upper"]
    assert 0.98 * epsilon < upper["epsilon"][0] <= epsilon
    shipped = [
        row
        for row in shipped_results().rows
        if (row.question, row.data, row.value, row.epsilon)
        == (question, "generated", value, epsilon)
    ]
    assert shipped
    for row in shipped:
        assert row.epsilon_spent == pytest.approx(upper["epsilon"][0], rel=1e-9)
        assert row.theorem == upper["theorem"]
        assert row.delta == DELTA
