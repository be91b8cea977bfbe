"""A run is the same again, results are read as they were written, and other journals refused."""

import json
from dataclasses import replace

import pytest

from dpviz.studies.run import JournalError
from dpviz.training_study import study
from dpviz.training_study.questions import QUESTIONS
from dpviz.training_study.results import (
    ABOUT_FILE,
    ROWS_FILE,
    about_rows,
    packed,
    read_results,
    row_fields,
    row_from,
)
from dpviz.training_study.study import finished_row, open_journal, planned_runs
from tests.scenario.changes import varied
from tests.training_study.rows import row, rows_of

RUN = planned_runs([QUESTIONS["width"]], ["generated"], [1], ["linear"])[0]


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    """Train for a moment, with much noise that nobody looks for."""
    monkeypatch.setattr(study.plan, "STEPS", 5)
    monkeypatch.setattr(study, "calibrated", lambda one, *_: varied(one, noise_multiplier=10.0))
    study._scenario.cache_clear()
    yield
    study._scenario.cache_clear()


def test_journal_of_another_plan_is_refused(tmp_path, monkeypatch):
    open_journal(tmp_path / "journal").__exit__(None, None, None)
    monkeypatch.setattr(study.plan, "DELTA", 1e-5)
    with pytest.raises(JournalError):
        open_journal(tmp_path / "journal")


def test_a_run_is_the_same_again():
    once, again = (replace(finished_row(RUN), seconds=0.0) for _ in range(2))
    assert once == again
    assert once.crps != finished_row(replace(RUN, seed=2)).crps


def test_results_are_read_as_they_were_written(tmp_path):
    rows = rows_of("width", {(1.0, 4.0): [0.1, 1 / 3]})
    rows.append(row("budget", float("inf"), float("inf"), 1, 0.2, untrained_crps=None))
    assert [row_from(json.loads(json.dumps(row_fields(one)))) for one in rows] == rows
    about = about_rows(rows, "2026-01-31")
    (tmp_path / ROWS_FILE).write_bytes(packed(rows))
    (tmp_path / ABOUT_FILE).write_text(json.dumps(about), encoding="utf-8")
    found = read_results(tmp_path)
    assert (found.rows, found.about) == (tuple(rows), (about,))
    assert packed(rows) == packed(list(rows))
    assert about["seeds"] == [1, 2]
    assert set(about["versions"]) == {"dpviz", "numpy", "scipy", "python"}


def test_an_epsilon_by_another_theorem_is_not_told_as_by_todays():
    told = row_fields(row("windows", 2.0, 8.0, 1, 0.5))
    assert (told["theorem"], row_from(told).theorem) == ("dpviz 2", "dpviz 2")
    with pytest.raises(ValueError, match=r"theorem = 'F\.1': today it is 'dpviz 2'"):
        row_from(told | {"theorem": "F.1"})
