"""The picture of a coupling: the two batches are what each data set's draw gives."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.figures import figure_json
from dpviz.figures.batch_drawing import coupled_batches_chart
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, drawn_batch, drawn_run
from dpviz.planning.placement import placement
from dpviz.scenario import Noise, Relation
from dpviz.wording.batch_drawing import (
    MOST_PAIRS,
    coupled_description,
    coupled_sentence,
    coupled_title,
    pairs_of,
)
from tests.figures.reading import traces_of
from tests.sampling.laws import scenario_of

CASES = [
    scenario_of(windows=2, batch=8, lengths=(12,)),
    scenario_of(windows=4, batch=32, lengths=(12,), num_series=9),
    scenario_of(num_series=11, batch=3, top="shuffled"),
    replace(scenario_of(windows=3, batch=6, lengths=(12,)), relation=Relation(width=3)),
]


def values_of(scenario, start, series, changed):
    """Return what a window reads and predicts: of x, or of x′, whose protected values differ."""
    placed = placement(scenario.shape, scenario.relation)
    values = series * 1000.0 + np.arange(placed.length)
    if series == SENSITIVE_SERIES and changed:
        for run in range(placed.count):
            first, last = placed.values(run)
            values[first : last + 1] += 0.5
    padded = np.concatenate([np.zeros(placed.context_length), values])
    return tuple(padded[start : start + placed.window_length])


def shown_of(scenario, batches=60):
    return drawn_run(scenario, 1, batches, shown_from=1).shown


@pytest.mark.parametrize("scenario", CASES)
def test_distance_is_the_number_of_windows_that_differ_in_the_two_data_sets(scenario):
    distances = set()
    for number, shown in enumerate(shown_of(scenario), 1):
        batch = drawn_batch(scenario, 1, number)
        differing = sum(
            values_of(scenario, start, series, False) != values_of(scenario, start, series, True)
            for start, series in zip(batch.starts.tolist(), batch.series.tolist(), strict=True)
        )
        title = coupled_title(shown)
        assert f"distance {differing:,}, {differing or 'none'} of {len(batch)} window" in title
        distances.add(differing)
    assert len(distances) > 1


@pytest.mark.parametrize("scenario", CASES)
def test_each_pair_of_windows_has_its_sign_and_its_marks(scenario):
    placed = placement(scenario.shape, scenario.relation)
    for shown in shown_of(scenario):
        spec = coupled_batches_chart(placed, shown)
        pairs = pairs_of(shown)
        assert len(pairs) <= MOST_PAIRS
        signs = {note["x"]: note["text"] for note in spec["layout"]["annotations"]}
        marks = traces_of(spec)
        for at, window in enumerate(pairs):
            own, other = (
                values_of(scenario, window.start, window.series, is_changed)
                for is_changed in (False, True)
            )
            assert signs[at] == ("=" if own == other else "≠")
            assert (at in marks["alike"]["x"]) == (own == other)
        unequal = [at for at, sign in signs.items() if sign == "≠"]
        assert marks["of-x"]["x"] == marks["of-other"]["x"] == unequal
        assert set(marks["of-x"]["y"]) <= {1.0}
        assert set(marks["of-other"]["y"]) <= {0.0}
        assert len(marks["alike"]["text"]) == 2 * (len(pairs) - len(unequal))
        assert spec["layout"]["xaxis"]["ticktext"] == [str(window.series + 1) for window in pairs]
        assert figure_json(spec)


def test_words_count_what_is_not_shown():
    scenario = scenario_of(windows=16, batch=32, lengths=(12,))
    shown = max(shown_of(scenario), key=lambda one: one.hits)
    left, differing = shown.num_windows - MOST_PAIRS, shown.hits - 6
    assert differing > 0
    said = coupled_sentence(scenario, shown)
    assert f"Not shown: {left} windows, {differing} of them differ." in said
    assert f"here {shown.hits}, " in said
    assert "protected value. One" in said
    assert "is the next with a hit" not in said
    assert coupled_sentence(scenario, shown, is_next=True).startswith(
        f"Batch {shown.step + 1} is the next with a hit."
    )
    noised = replace(scenario, noise=Noise(noise_multiplier=1.0, forecast_noise=1.0))
    assert "without their noise" in coupled_sentence(noised, shown)
    assert "without their noise" not in said
    assert "protected values. One" in coupled_sentence(CASES[3], shown)
    told = coupled_description(shown)
    assert told.count(", differs") == 6
    assert told.count(", the same") == MOST_PAIRS - 6
