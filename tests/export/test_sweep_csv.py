"""Epsilon against something varied, as CSV."""

import io
from dataclasses import replace

import pandas as pd

from dpviz.export.curve_tables import sweep_table
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.scenario import PRESETS, Noise, Sampling, from_json

TOY = PRESETS["toy"].scenario
BAG = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))
NOISY = replace(TOY, noise=Noise(noise_multiplier=1.0, forecast_noise=2.0))


def point(scenario, x=1.0):
    return SweepPoint(x=x, name="x", proven=proven_epsilon(scenario))


RUNS = [("drawn", [point(TOY), point(NOISY, 2.0)]), ("bag", [point(BAG)])]


def table_of(text):
    return pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip")


def test_every_column_is_explained_and_every_number_read_back():
    text = sweep_table(RUNS, x_name="label_noise", x_meaning="sigma_F, in units of v").csv()
    table = table_of(text)
    for column in table.columns:
        assert f"\n# {column}: " in text, column
    assert "# label_noise: sigma_F, in units of v\n" in text
    for row, (label, known) in zip(
        table.itertuples(), ((label, p) for label, line in RUNS for p in line), strict=True
    ):
        assert (row.run, row.label_noise) == (label, known.x)
        assert row.epsilon_upper == known.proven.epsilon_upper
        assert row.epsilon_upper_bracket_low <= row.epsilon_upper
        if known.proven.lower is None:
            assert pd.isna(row.epsilon_lower)
        else:
            assert row.epsilon_lower == known.proven.epsilon_lower <= row.epsilon_lower_bracket_high
        assert from_json(row.scenario) == known.scenario


def test_whom_both_bounds_are_about_is_said():
    table = table_of(sweep_table(RUNS, x_name="x", x_meaning="m").csv())
    assert table.individual[2].startswith("any single value of one series")
    assert table.lower_meaning[2] == "lower bound, Proposition C.2 composed over 1,000 steps"


def test_what_has_to_hold_is_said_once():
    text = sweep_table(RUNS, x_name="x", x_meaning="m").csv()
    assert "no value changes by more than v" in text
    assert (
        "conditions" not in sweep_table([("drawn", [point(TOY)])], x_name="x", x_meaning="m").csv()
    )
