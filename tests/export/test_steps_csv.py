"""Delta over training steps as CSV: columns that are explained, numbers that are exact."""

import io
from csv import DictReader
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz.export.curve_tables import steps_table
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import from_json
from tests.planning.kinds import RUNS, sampled

WALK = sampled(top_level="deterministic", batch_size=320)
STEPS = (1, 2, 3, 7)
EPSILON = 0.1 + 0.2  # a number with all its digits


@pytest.fixture(scope="module")
def runs():
    return [delta_over_steps(with_subsequences(WALK, count), EPSILON, STEPS) for count in (1, 4)]


@pytest.fixture(scope="module")
def csv(runs):
    return steps_table(runs).csv()


def header_of(csv):
    return [line.removeprefix("# ") for line in csv.splitlines() if line.startswith("#")]


def rows_of(csv):
    return list(DictReader(line for line in csv.splitlines() if not line.startswith("#")))


def test_numbers_read_back_exactly(runs, csv):
    rows = rows_of(csv)
    for run in runs:
        windows = str(run.scenario.sampling.num_subsequences)
        own = [row for row in rows if row["windows_per_series"] == windows]
        assert [int(row["steps"]) for row in own] == list(STEPS)
        for column, values in {
            "delta_upper": run.upper.delta_high,
            "delta_upper_bracket_low": run.upper.delta_low,
            "delta_lower": run.lower.delta_low,
            "delta_lower_bracket_high": run.lower.delta_high,
        }.items():
            assert [float(row[column]) for row in own] == values.tolist()


def test_each_row_says_what_its_numbers_mean(runs, csv):
    """After one epoch a theorem may be tight that only bounds from one side after two."""
    meanings = {
        (row["windows_per_series"], row["steps"]): (
            row["delta_upper_meaning"],
            row["delta_lower_meaning"],
        )
        for row in rows_of(csv)
    }
    assert meanings["1", "1"] == ("exact, Theorem 4.2 composed over 1 epoch",) * 2
    assert meanings["1", "2"] == (
        "upper bound, Theorem 4.2 composed over 2 epochs",
        "lower bound, Theorem 4.2 composed over 2 epochs",
    )
    assert meanings["4", "7"] == (
        "upper bound, dpviz's Proposition 1 composed over 2 epochs",
        "lower bound, Theorem 4.3 composed over 2 epochs",
    )
    assert len(meanings) == len(runs) * len(STEPS)


def test_header_explains_every_column_and_says_where_delta_was_read(csv):
    header = header_of(csv)
    assert f"delta at epsilon = {EPSILON!r} over training steps" in header[0]
    columns = next(line for line in csv.splitlines() if not line.startswith("#")).split(",")
    for column in columns:
        assert sum(line.startswith(f"{column}: ") for line in header) == 1
    assert any(line.startswith("protected: any single value of one series; ") for line in header)


def test_header_holds_the_scenarios(runs, csv):
    for run in runs:
        start = f"windows_per_series {run.scenario.sampling.num_subsequences}: scenario: "
        (line,) = [line for line in header_of(csv) if line.startswith(start)]
        assert from_json(line.removeprefix(start)) == run.scenario


def test_pandas_reads_it_to_the_last_digit(runs, csv):
    table = pd.read_csv(io.StringIO(csv), comment="#", float_precision="round_trip")
    assert len(table) == len(runs) * len(STEPS)
    assert np.array_equal(table["delta_upper"][: len(STEPS)], runs[0].upper.delta_high)


def test_where_no_lower_bound_is_proven_its_columns_are_empty():
    run = delta_over_steps(RUNS["no lower bound"], 1.0, (1, 2))
    rows = rows_of(steps_table([run]).csv())
    assert len(rows) == 2
    for row in rows:
        assert float(row["delta_upper"]) > 0.0
        for column in ("delta_lower", "delta_lower_bracket_high", "delta_lower_meaning"):
            assert row[column] == ""


def test_header_tells_what_the_bounds_need_once():
    noisy = replace(
        RUNS["noise on labels"], training=replace(RUNS["noise on labels"].training, count=3)
    )
    header = header_of(steps_table([delta_over_steps(noisy, 1.0, (1, 2))] * 2).csv())
    (line,) = [line for line in header if "holds if" in line]
    assert line.startswith("conditions: Theorem G.1 holds if no value changes by more than v")


def test_header_of_bounds_that_need_nothing_lists_no_conditions(csv):
    assert not any(line.startswith("conditions: ") for line in header_of(csv))
