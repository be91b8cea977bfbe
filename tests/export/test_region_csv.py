"""The map's table: every computed field, its numbers and their meaning."""

import io

import pandas as pd
import pytest

from dpviz.export.comparison_tables import region_table
from dpviz.scenario import from_json
from tests.planning.region_maps import TOY, made_up, rising


def read(text):
    return pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip")


def test_every_column_is_explained():
    text = region_table(made_up(rising)).csv()
    header = [line for line in text.splitlines() if line.startswith("# ")]
    for column in read(text).columns:
        assert any(line.startswith(f"# {column}: ") for line in header)
    assert "# goal: ε ≤ 4 at δ = 10⁻⁷" in header
    assert "# delta: 1e-07" in header


def test_rows_are_the_cells_and_their_scenarios_have_both_values():
    shown = made_up(lambda x, y: None if x == 0 else (float("inf") if y == 0 else rising(x, y)))
    table = read(region_table(shown).csv())
    assert len(table) == 289
    for _, row in table.iloc[::17].iterrows():
        (at,) = [at for at in shown.cells if shown.values_at(at) == (row.batch_size, row.steps)]
        if at[0] == 0:
            assert row.no_answer == shown.cells[at].problem
            assert pd.isna(row.epsilon_upper)
            assert pd.isna(row.scenario)
            continue
        point = shown.cells[at]
        assert from_json(row.scenario) == point.scenario
        assert row.meets_goal == point.meets
        assert row.training_steps == point.scenario.num_steps
        assert row.noise_per_gradient == point.noise_per_gradient
        assert row.upper_meaning.startswith("upper bound, Theorem 4.4 composed over")
        if point.upper.quoted is None:
            assert pd.isna(row.epsilon_upper)
        else:
            assert row.epsilon_upper == point.upper.quoted >= row.epsilon_upper_bracket_low


def test_a_table_of_part_of_the_map_says_so():
    text = region_table(made_up(rising, most=40)).csv()
    assert "(only 40 fields are computed yet)" in text.splitlines()[0]
    assert len(read(text)) == 40
    assert "computed yet" not in region_table(made_up(rising)).csv()


@pytest.mark.parametrize("quantity", ["num_subsequences", "forecast_noise"])
def test_other_quantities_are_columns_too(quantity):
    shown = made_up(rising, quantities=(quantity, "noise_multiplier"), scenario=TOY, most=9)
    assert list(read(region_table(shown).csv()).columns[:2]) == [quantity, "noise_multiplier"]
