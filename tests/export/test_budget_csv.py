"""The CSV says what every column means, and its numbers read back exactly."""

import io
from csv import DictReader
from dataclasses import replace

import pandas as pd
import pytest

from dpviz.export.curve_tables import budget_table
from dpviz.planning.budget import budget_point, used_up
from dpviz.scenario import PRESETS, Sampling, from_json

TOY = PRESETS["toy"].scenario
SHUFFLED = replace(TOY, sampling=Sampling(batch_size=32, top_level="shuffled"))
BAG = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))


def header(csv):
    return [line[2:] for line in csv.splitlines() if line.startswith("# ")]


def table(csv):
    return pd.read_csv(io.StringIO(csv), comment="#", float_precision="round_trip")


def test_numbers_read_back_exactly():
    points = [budget_point(TOY, count) for count in (1000, 1, 30)]
    rows = [
        line for line in budget_table(TOY, points).csv().splitlines() if not line.startswith("#")
    ]
    read = list(DictReader(rows))

    def column(name):
        return [float(row[name]) for row in read]

    ordered = sorted(points, key=lambda point: point.count)
    assert column("steps_from") == column("steps_to") == [1, 30, 1000]
    assert column("epsilon_upper") == [point.upper.bracket.high for point in ordered]
    assert column("epsilon_upper_bracket_low") == [point.upper.bracket.low for point in ordered]
    assert column("epsilon_lower") == [point.lower.bracket.low for point in ordered]
    assert column("epsilon_lower_bracket_high") == [point.lower.bracket.high for point in ordered]


@pytest.mark.parametrize("scenario", [TOY, PRESETS["traffic"].scenario])
def test_header_explains_every_column_and_holds_the_scenario(scenario):
    csv = budget_table(scenario, [budget_point(scenario, 1)]).csv()
    for column in table(csv).columns:
        assert any(line.startswith(f"{column}: ") for line in header(csv))
    line = next(line for line in header(csv) if line.startswith("scenario: "))
    assert from_json(line.removeprefix("scenario: ")) == scenario


def test_header_tells_where_the_target_is_used_up():
    csv = budget_table(TOY, [budget_point(TOY, 200)], used_up(TOY, 10.0)).csv()
    line = next(line for line in header(csv) if line.startswith("target: "))
    assert "is proven for up to 126 steps" in line
    assert "After 200 steps no analysis can promise less than ε = 10.89" in line


def test_a_row_covers_the_steps_of_an_epoch_and_has_both_ends():
    csv = budget_table(SHUFFLED, [budget_point(SHUFFLED, 995)]).csv()
    row = table(csv).iloc[0]
    assert (row["steps_from"], row["steps_to"]) == (991, 1000)
    assert (row["composed"], row["composed_unit"]) == (100, "epoch")
    assert row["upper_theorem"] == "Theorem 4.2"
    assert 0.0 < row["epsilon_lower"] < row["epsilon_upper"]
    assert any("no amplification is claimed for the shuffle" in line for line in header(csv))


def test_no_points_make_an_empty_table():
    assert table(budget_table(TOY, []).csv()).empty
