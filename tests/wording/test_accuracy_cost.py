"""What a plan's noise is likely to cost in accuracy: from like runs alone, and with their range."""

from dataclasses import replace

import pytest

from dpviz.scenario import PRESETS, DataShape, Training
from dpviz.training_study.likeness import studied_cost
from dpviz.training_study.questions import BATCH_SIZE
from dpviz.training_study.results import shipped_results
from dpviz.wording.accuracy_cost import accuracy_sentence

TRAFFIC = PRESETS["traffic"].scenario


def like_the_study(noise_multiplier, **changes):
    alike = replace(
        TRAFFIC,
        data=DataShape(num_series=500, series_lengths=(144,), context_length=24, forecast_length=6),
        sampling=replace(TRAFFIC.sampling, batch_size=BATCH_SIZE),
        training=Training(unit="steps", count=500),
        noise=replace(TRAFFIC.noise, noise_multiplier=noise_multiplier),
    )
    return replace(alike, **changes)


def test_the_range_is_that_of_the_studys_own_runs_with_as_much_noise():
    rows = [row for row in shipped_results().rows if row.question == "budget"]
    free = {
        (row.data, row.model, row.seed): row.crps for row in rows if row.noise_multiplier is None
    }
    at_8 = [
        row.crps / free[row.data, row.model, row.seed] - 1.0
        for row in rows
        if row.data == "m3" and row.epsilon == 0.5
    ]
    found = studied_cost(like_the_study(29.362))
    assert (found.low, found.high, found.runs) == (min(at_8), max(at_8), 20)
    said = accuracy_sentence(like_the_study(29.362))
    assert "likely to cost +24 % to +28 % of CRPS" in said
    assert "the range of 20 runs of the [study](training_study)" in said
    assert "on one set of monthly series. Yours are others." in said


@pytest.mark.parametrize(
    "scenario",
    [
        TRAFFIC,
        like_the_study(100.0),
        like_the_study(3.0, training=Training(unit="steps", count=5000)),
        like_the_study(3.0, noise=replace(TRAFFIC.noise, forecast_noise=1.0)),
        PRESETS["toy"].scenario,
    ],
)
def test_nothing_is_guessed_for_a_training_that_the_study_has_not_tried(scenario):
    assert studied_cost(scenario) is None
    assert "%" not in accuracy_sentence(scenario)
    assert "try three noise levels" in accuracy_sentence(scenario)
