"""The map's table has every field, and says what it is."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz.accounting import Bracket
from dpviz.export.comparison_tables import noise_map_table
from dpviz.planning.label_noise import NOISES, NoiseMap, uncovered_map
from dpviz.scenario import PRESETS, Relation, Sampling, from_json

TOY = PRESETS["toy"].scenario
SIZE = len(NOISES)


def a_map(scenario=TOY):
    row, column = np.indices((SIZE, SIZE))
    epsilon = 20.0 / (1.0 + row + 2.0 * column)
    rates = epsilon / 1000.0
    return NoiseMap(
        scenario=scenario, rates=rates, table_rates=1.01 * rates, epsilon=epsilon,
        at_least=epsilon / 1.0053,
    )  # fmt: skip


def read(text):
    comments = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    return pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip"), comments


def test_rows_are_the_fields_with_all_digits():
    frame, _ = read(noise_map_table(a_map()).csv())
    assert len(frame) == SIZE**2
    for labels, context in ((0, 0), (3, 5), (10, 10)):
        row = frame[(frame["sigma_C"] == NOISES[context]) & (frame["sigma_F"] == NOISES[labels])]
        assert row["epsilon_upper"].item() == a_map().epsilon[labels, context]
        assert row["q"].item() == a_map().rates[labels, context]
        assert row["q_of_epsilon"].item() == a_map().table_rates[labels, context]
        assert row["bound_at_least"].item() == a_map().at_least[labels, context]


def test_every_column_is_explained_and_the_bounds_are_named():
    frame, comments = read(noise_map_table(a_map()).csv())
    for column in frame.columns:
        assert any(line.startswith(f"{column}: ") for line in comments)
    told = "\n".join(comments)
    assert "without noise on windows: exact, Theorem 4.4" not in told
    assert "without noise on windows: upper bound, Theorem 4.4 composed over 1,000 steps" in told
    assert "with it: upper bound, Theorem G.1 composed over 1,000 steps; if no value" in told
    assert "protected: any single value of one series (1-event privacy" in told
    assert "delta: 1e-07" in told
    assert "nor above it by more than 0.54 %" in told
    scenario = next(line for line in comments if line.startswith("scenario"))
    assert from_json(scenario.partition(": ")[2]) == TOY


def test_extension_is_labelled():
    wide = replace(TOY, relation=Relation(width=3))
    _, comments = read(noise_map_table(a_map(wide)).csv())
    assert any("with it: " in line and "dpviz's extension" in line for line in comments)


@pytest.mark.parametrize("high", [3.0, None])
def test_without_a_theorem_it_is_said_and_there_is_no_q(high):
    bag = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))
    frame, comments = read(noise_map_table(uncovered_map(bag, Bracket(low=2.9, high=high))).csv())
    assert frame["q"].isna().all()
    assert frame["epsilon_upper"].isna().all() == (high is None)
    told = "\n".join(comments)
    assert "no theorem covers the noise: epsilon is that of the run without it" in told
    assert "protected: any single value of one series" in told
