"""The CSV says what every column means, and its numbers read back exactly."""

import io
from csv import DictReader

import pandas as pd
import pytest

from dpviz.export import curve_csv
from dpviz.planning import compare_top_levels
from dpviz.scenario import PRESETS, from_json


@pytest.fixture(scope="module")
def comparison():
    return compare_top_levels(PRESETS["traffic"].scenario)


@pytest.fixture(scope="module")
def csv(comparison):
    return curve_csv(comparison)


def test_numbers_read_back_exactly(csv, comparison):
    lines = [line for line in csv.splitlines() if not line.startswith("#")]
    rows = list(DictReader(lines))
    drawn = comparison.scheme("without-replacement")
    for column, values in {
        "epsilon": comparison.epsilon,
        "drawn_delta_upper": drawn.upper.delta_high,
        "drawn_delta_lower": drawn.lower.delta_low,
    }.items():
        assert [float(row[column]) for row in rows] == values.tolist()


def test_pandas_reads_it_with_one_option(csv, comparison):
    table = pd.read_csv(io.StringIO(csv), comment="#")
    assert len(table) == len(comparison.epsilon)


def test_header_explains_every_column(csv):
    header = [line[2:] for line in csv.splitlines() if line.startswith("#")]
    columns = next(line for line in csv.splitlines() if not line.startswith("#")).split(",")
    for column in columns:
        assert any(line.startswith(f"{column}: ") for line in header)
    text = "\n".join(header)
    assert "Theorem 4.4 composed over 12,000 steps" in text
    assert "Theorem 4.2 composed over 4,000 epochs" in text
    assert "any single value of one series" in text


def test_header_holds_the_scenario(csv, comparison):
    line = next(line for line in csv.splitlines() if line.startswith("# scenario: "))
    assert from_json(line.removeprefix("# scenario: ")) == comparison.scenario
