"""Runs in the place of Figures 11 and 12: all of them are shipped, and come out the same again."""

from functools import cache

import numpy as np
import pytest

from bench import drawing_study
from bench.drawing_study import SEEDS, finished
from dpviz.planning.calibrate import calibrated
from dpviz.training_study.results import Drawing, shipped_drawing


@pytest.mark.parametrize(("varied", "cells"), [("batch_size", 4 * 3 * 2), ("num_subsequences", 60)])
def test_every_setting_is_there_and_keeps_its_budget(varied, cells):
    found = shipped_drawing(varied)
    assert len(found) == cells
    for drawing, cell in found.items():
        if cell.epsilon_spent is not None:
            assert 0.98 * drawing.epsilon < cell.epsilon_spent <= drawing.epsilon
            assert cell.theorem
        assert (cell.epsilon_spent is None) is (drawing.epsilon == np.inf)


@pytest.mark.every(2)
@pytest.mark.parametrize(
    "drawing",
    [
        Drawing("hourly", 64, 16, "without-replacement", 8.0),
        Drawing("generated", 128, 1, "deterministic", np.inf),
    ],
    ids=str,
)
def test_runs_give_the_shipped_means_again(drawing, monkeypatch):
    monkeypatch.setattr(drawing_study, "calibrated", cache(calibrated))  # the same for each seed
    varied = "batch_size" if drawing.data == "generated" else "num_subsequences"
    again = [finished((drawing, seed)) for seed in SEEDS]
    shipped = shipped_drawing(varied)[drawing]
    mean = np.mean([error / baseline - 1.0 for error, baseline, *_ in again])
    assert mean == pytest.approx(shipped.difference, rel=1e-9)
    spent, theorem = again[0][2:4]
    assert spent == (shipped.epsilon_spent and pytest.approx(shipped.epsilon_spent, rel=1e-9))
    assert theorem == (shipped.theorem or None)
