"""The CSV says what every column means, and its numbers read back exactly."""

import io
from csv import DictReader

import numpy as np
import pandas as pd
import pytest

from dpviz.export.curve_tables import curves_table
from dpviz.scenario import from_json
from dpviz.wording.theorems import named_theorem
from tests.planning.kinds import RUNS, curves_of_kind

COLUMNS = [
    "curve", "epsilon", "delta_upper", "delta_upper_bracket_low", "delta_lower",
    "delta_lower_bracket_high",
]  # fmt: skip


def csv_of(*names):
    return curves_table([(name.replace(",", ""), curves_of_kind(name)) for name in names]).csv()


def header_of(csv):
    return [line.removeprefix("# ") for line in csv.splitlines() if line.startswith("#")]


def rows_of(csv):
    return list(DictReader(line for line in csv.splitlines() if not line.startswith("#")))


@pytest.mark.parametrize("name", RUNS)
def test_numbers_read_back_exactly(name):
    """Each is in its column: the quoted sides, and the other ends of their brackets."""
    curves, rows = curves_of_kind(name), rows_of(csv_of(name))
    columns = {
        "epsilon": curves.epsilon,
        "delta_upper": curves.upper.delta_high,
        "delta_upper_bracket_low": curves.upper.delta_low,
    }
    if curves.lower is not None:
        columns |= {
            "delta_lower": curves.lower.delta_low,
            "delta_lower_bracket_high": curves.lower.delta_high,
        }
    for column, values in columns.items():
        assert [float(row[column]) for row in rows] == values[: len(rows)].tolist()
    if curves.lower is None:
        assert {row["delta_lower"] + row["delta_lower_bracket_high"] for row in rows} == {""}
    assert {row["curve"] for row in rows} == {name.replace(",", "")}


@pytest.mark.parametrize("name", RUNS)
def test_rows_go_on_to_the_first_negligible_delta_and_no_further(name):
    curves, rows = curves_of_kind(name), rows_of(csv_of(name))
    if len(rows) < len(curves.epsilon):
        columns = ["delta_upper", *(["delta_lower"] if curves.lower else [])]
        last = [max(float(row[column]) for column in columns) for row in rows[-2:]]
        assert last[-1] < curves.smallest_delta
        assert len(rows) == 1 or last[0] >= curves.smallest_delta


def test_several_runs_stand_below_each_other():
    names = ("drawn", "shuffled", "one bag")
    csv = csv_of(*names)
    rows = rows_of(csv)
    assert list(dict.fromkeys(row["curve"] for row in rows)) == list(names)
    for name in names:
        alone = rows_of(csv_of(name))
        assert [row for row in rows if row["curve"] == name] == alone


@pytest.mark.parametrize("names", [("drawn",), ("drawn", "shuffled", "one bag")])
def test_pandas_reads_it_to_the_last_digit(names):
    csv = csv_of(*names)
    table = pd.read_csv(io.StringIO(csv), comment="#", float_precision="round_trip")
    assert list(table.columns) == COLUMNS
    assert len(table) == len(rows_of(csv))
    of_drawn = table[table["curve"] == "drawn"]["delta_upper"].to_numpy()
    assert np.array_equal(of_drawn, curves_of_kind("drawn").upper.delta_high[: len(of_drawn)])


def test_header_explains_every_column():
    csv = csv_of("drawn")
    header = header_of(csv)
    columns = next(line for line in csv.splitlines() if not line.startswith("#")).split(",")
    assert columns == COLUMNS
    for column in columns:
        (said,) = [line for line in header if line.startswith(f"{column}: ")]
        assert len(said) > len(column) + 15


@pytest.mark.parametrize("name", RUNS)
def test_header_holds_the_scenario(name):
    label = name.replace(",", "")
    (line,) = [line for line in header_of(csv_of(name)) if line.startswith(f"{label}: scenario: ")]
    assert from_json(line.removeprefix(f"{label}: scenario: ")) == RUNS[name]


@pytest.mark.parametrize("name", RUNS)
def test_header_says_what_was_proven_for_whom(name):
    curves, header = curves_of_kind(name), "\n".join(header_of(csv_of(name)))
    bound = curves.upper.bound
    assert named_theorem(bound.theorem) in header
    assert f"composed over {bound.count:,} {bound.unit.value}" in header
    assert "of one series" in header
    assert bound.extension in header
    assert bound.condition in header
    assert ("delta_lower: none proven" in header) == (curves.lower is None)
    if curves.lower is not None:
        assert named_theorem(curves.lower.bound.theorem) in header


def test_header_names_theorems_and_relations():
    text = "\n".join(header_of(csv_of("drawn", "walked", "wide and noisy")))
    assert "drawn: delta_upper: upper bound, Theorem 4.4 composed over 1,000 steps" in text
    lower = "lower bound, dpviz's Proposition 9 composed over 1,000 steps"
    assert f"drawn: delta_lower: {lower}" in text
    assert "walked: delta_upper: upper bound, Theorem 4.2 composed over 100 epochs" in text
    assert "drawn: protected: any single value of one series" in text
    assert "wide and noisy: protected: any 3 values of one series (3-user privacy: " in text
    assert "series walked through in order" in text


def test_every_line_of_the_header_is_a_comment_and_the_bytes_are_the_same_everywhere():
    csv = csv_of("drawn", "one bag")
    assert "\r" not in csv
    body = csv.splitlines()
    first = next(at for at, line in enumerate(body) if not line.startswith("# "))
    assert body[first] == ",".join(COLUMNS)
    assert not any(line.startswith("#") for line in body[first:])
    assert "nan" not in "\n".join(body[first:])
