"""The comparison's CSV says what every column means, and its numbers read back exactly."""

import io
from csv import DictReader
from dataclasses import replace

import pandas as pd
import pytest

from dpviz.export.comparison_tables import comparison_table
from dpviz.planning.comparison import ComparedRun
from dpviz.scenario import ScenarioError, from_json
from dpviz.wording.theorems import named_theorem
from tests.planning.comparisons import run_of
from tests.planning.kinds import RUNS, TOY

# All at one delta.
KINDS = [kind for kind, scenario in RUNS.items() if scenario.delta == TOY.delta]


def named(*kinds):
    return [run_of(kind, kind.replace(",", "")) for kind in kinds]


def header_of(csv):
    return [line.removeprefix("# ") for line in csv.splitlines() if line.startswith("#")]


def rows_of(csv):
    return list(DictReader(line for line in csv.splitlines() if not line.startswith("#")))


def told(value):
    return "" if value is None else repr(value)


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_read_back_exactly(kind):
    (run,) = named(kind)
    (row,) = rows_of(comparison_table([run]).csv())
    scenario, curves = run.scenario, run.curves
    assert row["run"] == run.name
    for column, value in {
        "delta": scenario.delta,
        "noise_per_gradient": run.noise_per_gradient,
        "noise_multiplier": scenario.noise.noise_multiplier,
        "top_rate": scenario.top_rate,
        "bottom_rate": scenario.bottom_rate,
        "epsilon_upper": curves.upper.bracket.high,
        "epsilon_upper_bracket_low": curves.upper.bracket.low,
        "epsilon_lower": None if curves.lower is None else curves.lower.bracket.low,
        "epsilon_lower_bracket_high": None if curves.lower is None else curves.lower.bracket.high,
    }.items():
        assert (float(row[column]) if row[column] else None) == value
    for column, value in {
        "batch_size": scenario.sampling.batch_size,
        "num_subsequences": scenario.sampling.num_subsequences,
        "steps": scenario.num_steps,
        "epochs": scenario.num_epochs,
        "upper_composed": curves.upper.bound.count,
    }.items():
        assert row[column] == str(value)
    assert named_theorem(curves.upper.bound.theorem) in row["upper_theorem"]
    assert row["upper_unit"] == curves.upper.bound.unit.value
    assert "of one series" in row["upper_protects"]
    assert curves.upper.bound.condition in row["upper_protects"]
    assert (row["lower_theorem"] == "") == (curves.lower is None)


def test_header_explains_every_column_and_holds_each_scenario():
    runs = named(*KINDS[:7])
    csv = comparison_table(runs).csv()
    header = header_of(csv)
    for column in rows_of(csv)[0]:
        (said,) = [line for line in header if line.startswith(f"{column}: ")]
        assert len(said) > len(column) + 15
    for run in runs:
        start = f"{run.name}: scenario: "
        (line,) = [line for line in header if line.startswith(start)]
        assert from_json(line.removeprefix(start)) == run.scenario


def test_pandas_reads_it_to_the_last_digit_and_counts_stay_whole():
    waiting = ComparedRun(name="refused", scenario=TOY, curves=None, refusal="it is not allowed")
    runs = [*named("drawn", "several windows", "one bag", "no lower bound"), waiting]
    csv = comparison_table(runs).csv()
    table = pd.read_csv(io.StringIO(csv), comment="#", float_precision="round_trip").set_index(
        "run"
    )
    assert list(table.index) == [run.name for run in runs]
    assert list(table[table["best_epsilon"] == "yes"].index) == ["no lower bound"]
    assert table.loc["one bag", "kind"] == "upper"
    assert table.loc["refused", "kind"] == "no bound covers it"
    assert pd.isna(table.loc["refused", "epsilon_upper"])
    assert "refused: no bound covers it: it is not allowed" in header_of(csv)
    assert "no lower bound: epsilon_lower: none proven" in header_of(csv)
    assert [row["upper_composed"] for row in rows_of(csv)] == ["1000", "1000", "1000", "10", ""]
    assert "\r" not in csv
    assert "inf" not in ",".join(rows_of(csv)[4].values())


def test_runs_at_different_deltas_are_refused():
    other = ComparedRun(name="b", scenario=replace(TOY, delta=1e-5), curves=None)
    with pytest.raises(ScenarioError, match="delta = 1e-05"):
        comparison_table([*named("drawn"), other]).csv()
