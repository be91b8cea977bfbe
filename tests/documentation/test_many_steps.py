"""Pages tell what was measured by bench/many_steps.py and bench/loader_accuracy.py."""

from pathlib import Path

import numpy as np
import pytest

from bench import loader_accuracy, many_steps
from dpviz.accounting import best_upper
from dpviz.scenario import DataShape, Noise, Sampling, Scenario, Training

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "many-steps.md").read_text(encoding="utf-8")
KEPT = many_steps.read(ROOT / "bench" / "many_steps.jsonl")


def test_all_drawn_set_ups_were_measured_and_no_bounds_contradict_each_other():
    set_ups = [(one.rate, one.sigma, one.steps) for one in KEPT]
    # Processors differ in the last digit of an exponential.
    drawn = [*many_steps.NAMED, *many_steps.drawn(50)]
    np.testing.assert_allclose(set_ups, drawn, rtol=1e-14, atol=0.0)
    assert not any(one.is_contradictory for one in KEPT)


def test_the_page_tells_these_and_what_they_come_to():
    drawn = KEPT[len(many_steps.NAMED) :]
    assert many_steps.summary(drawn) in " ".join(PAGE.split())
    assert many_steps.HEAD in PAGE
    _, _, table = PAGE.partition(many_steps.HEAD + "\n")
    told = table.partition("\n\n")[0].splitlines()
    assert set(told) <= {one.line() for one in KEPT}
    assert len(told) >= 10


@pytest.mark.slow
def test_what_was_measured_is_measured_again():
    one = min(KEPT, key=lambda one: one.seconds)
    again = many_steps.measured(one.rate, one.sigma, one.steps)
    assert again.closer == pytest.approx(one.closer, rel=1e-4)
    assert [*again.anew] == pytest.approx([*one.anew], rel=1e-4)


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
