"""docs/private-networks.md tells what bench/loader_accuracy.py has measured."""

import pytest

from bench import loader_accuracy
from dpviz.accounting import best_upper
from dpviz.scenario import DataShape, Noise, Sampling, Scenario, Training


def test_the_page_has_the_table_of_the_runs():
    page = loader_accuracy.PAGE.read_text(encoding="utf-8")
    assert loader_accuracy.table(loader_accuracy.kept()) in page


def test_the_noise_of_the_runs_meets_the_epsilon_that_was_asked_for():
    cases = {}
    for one in loader_accuracy.kept():
        if one.asked is not None:
            cases[one.loader, one.asked] = one
            assert one.spent <= one.asked
    assert len(cases) == len(loader_accuracy.LOADERS) * len(loader_accuracy.EPSILONS)
    one = cases["poisson", 1.0]
    scenario = Scenario(
        data=DataShape(
            num_series=1000, series_lengths=(234,), context_length=24, forecast_length=6
        ),
        sampling=Sampling(batch_size=64, top_level=one.loader),
        noise=Noise(noise_multiplier=one.sigma),
        training=Training(unit="steps", count=200),
        delta=1e-7,
    )
    assert best_upper(scenario).quoted_epsilon_at(1e-7) == pytest.approx(one.spent, rel=1e-9)
