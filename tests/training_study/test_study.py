"""Runs are kept as they end: a study that was killed ends as if it had not been."""

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
from dpviz.training_study.study import finished_row, open_journal, planned_runs, run_study
from tests.scenario.changes import varied
from tests.training_study.rows import row, rows_of

RUNS = planned_runs([QUESTIONS["width"]], ["generated"], [1], ["linear"])


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    """Train for a moment, with much noise that nobody looks for."""
    monkeypatch.setattr(study, "STEPS", 5)
    monkeypatch.setattr(study, "calibrated", lambda one, *_: varied(one, noise_multiplier=10.0))
    study._scenario.cache_clear()
    yield
    study._scenario.cache_clear()


def timeless(rows):
    return [replace(one, seconds=0.0) for one in rows]


def test_killed_study_goes_on_and_equals_an_uninterrupted_one(tmp_path, monkeypatch):
    with open_journal(tmp_path / "whole") as journal:
        whole = run_study(RUNS, journal=journal)
    trained = []

    def until_killed(run):
        if len(trained) == 3:
            raise KeyboardInterrupt
        trained.append(run)
        return finished_row(run)

    path = tmp_path / "killed"
    monkeypatch.setattr(study, "finished_row", until_killed)
    with pytest.raises(KeyboardInterrupt), open_journal(path) as journal:
        run_study(RUNS, journal=journal)
    monkeypatch.setattr(study, "finished_row", lambda run: trained.append(run) or finished_row(run))
    with open_journal(path) as journal:
        again = run_study(RUNS, journal=journal)
    assert trained == list(RUNS)
    assert timeless(again) == timeless(whole)


def test_journal_of_another_plan_is_refused(tmp_path, monkeypatch):
    open_journal(tmp_path / "journal").__exit__(None, None, None)
    monkeypatch.setattr(study, "DELTA", 1e-5)
    with pytest.raises(JournalError):
        open_journal(tmp_path / "journal")


def test_a_run_is_the_same_again():
    assert timeless([finished_row(RUNS[0])]) == timeless([finished_row(RUNS[0])])
    assert finished_row(RUNS[0]).crps != finished_row(replace(RUNS[0], seed=2)).crps


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
