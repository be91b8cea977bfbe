"""A file whose values are too large to compute with, on the page that trains."""

import numpy as np

from dpviz.training.panel import Panel
from dpviz.training.panel_source import GivenSource, parts_of
from tests.pages.acts import act
from tests.pages.app import checked, state_of
from tests.pages.train_page import LINK, PAGE, said, train


def with_huge_values(open_page):
    values = np.ones((20, 60))
    values[:, 3] = 1e308
    app = open_page(LINK | {"trained_steps": "3"}, PAGE, ())
    panel = Panel(series=tuple(values), names=tuple(map(str, range(20))), period=7)
    state_of(app).opened["series to train on"] = GivenSource(panel, "file huge")
    act(app, "choose_trained_on", "file")
    return checked(app)


def test_they_are_refused_before_training_with_what_is_allowed(open_page, training_runs):
    app = with_huge_values(open_page)
    assert "the size of each value must be" in said(app)
    assert not training_runs.runs


def test_a_baseline_that_is_not_finite_is_said_beside_what_was_spent(
    open_page, training_runs, monkeypatch
):
    """Though no size were refused."""
    monkeypatch.setattr("dpviz.training.panel.LARGEST_SIZE", np.inf)
    parts_of.cache_clear()
    app = train(with_huge_values(open_page))
    parts_of.cache_clear()
    assert "The error of the seasonal naive forecast is not finite" in said(app)
    assert "at most ε" in said(app)
