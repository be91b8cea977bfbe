"""Runs beside each other and maps as CSV: numbers read back exactly, with their meaning."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpviz.accounting import Bracket
from dpviz.export.comparison_tables import comparison_table, noise_map_table, region_table
from dpviz.planning.comparison import ComparedRun
from dpviz.planning.label_noise import NOISES, NoiseMap, uncovered_map
from dpviz.scenario import ScenarioError, from_json
from dpviz.wording.theorems import named_theorem
from tests.csv_text import header_of, rows_of, table_of
from tests.planning.kinds import RUNS, TOY, run_of
from tests.planning.region_maps import made_up, rising
from tests.scenario.changes import varied

# All at one delta.
KINDS = [kind for kind, scenario in RUNS.items() if scenario.delta == TOY.delta]


def named(*kinds):
    return [run_of(kind, kind.replace(",", "")) for kind in kinds]


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_read_back_exactly(kind):
    (run,) = named(kind)
    (row,) = rows_of(comparison_table([run]).csv())
    scenario, curves, sampling = run.scenario, run.curves, run.scenario.sampling
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
        "num_subsequences": None if sampling.is_bag else sampling.num_subsequences,
        "steps": scenario.num_steps,
        "epochs": scenario.num_epochs,
        "upper_composed": curves.upper.bound.count,
    }.items():
        assert row[column] == ("" if value is None else str(value))
    assert named_theorem(curves.upper.bound.theorem) in row["upper_theorem"]
    assert row["upper_unit"] == curves.upper.bound.unit.value
    assert "of one series" in row["upper_protects"]
    assert curves.upper.bound.condition in row["upper_protects"]
    assert (row["lower_theorem"] == "") == (curves.lower is None)


def test_header_holds_each_scenario():
    runs = named(*KINDS[:7])
    csv = comparison_table(runs).csv()
    header = header_of(csv)
    for run in runs:
        start = f"{run.name}: scenario: "
        (line,) = [line for line in header if line.startswith(start)]
        assert from_json(line.removeprefix(start)) == run.scenario


def test_pandas_reads_it_to_the_last_digit_and_counts_stay_whole():
    waiting = ComparedRun(name="refused", scenario=TOY, curves=None, refusal="it is not allowed")
    runs = [*named("drawn", "several windows", "one bag", "no lower bound"), waiting]
    csv = comparison_table(runs).csv()
    table = table_of(csv).set_index("run")
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


SIZE = len(NOISES)


def a_map(scenario=TOY):
    row, column = np.indices((SIZE, SIZE))
    epsilon = 20.0 / (1.0 + row + 2.0 * column)
    rates = epsilon / 1000.0
    return NoiseMap(
        scenario=scenario, rates=rates, table_rates=1.01 * rates, epsilon=epsilon,
        at_least=epsilon / 1.0053,
    )  # fmt: skip


def test_rows_are_the_fields_with_all_digits():
    frame = table_of(noise_map_table(a_map()).csv())
    assert len(frame) == SIZE**2
    for labels, context in ((0, 0), (3, 5), (10, 10)):
        row = frame[(frame["sigma_C"] == NOISES[context]) & (frame["sigma_F"] == NOISES[labels])]
        assert row["epsilon_upper"].item() == a_map().epsilon[labels, context]
        assert row["q"].item() == a_map().rates[labels, context]
        assert row["q_of_epsilon"].item() == a_map().table_rates[labels, context]
        assert row["bound_at_least"].item() == a_map().at_least[labels, context]


def test_the_bounds_are_named():
    comments = header_of(noise_map_table(a_map()).csv())
    told = "\n".join(comments)
    assert "without noise on windows: tight bound, Theorem 4.4" not in told
    assert "without noise on windows: upper bound, Theorem 4.4 composed over 1,000 steps" in told
    assert "with it: upper bound, Theorem G.1 composed over 1,000 steps; if no value" in told
    assert "protected: any single value of one series (1-event privacy" in told
    assert "delta: 1e-07" in told
    assert "Each number is rounded up, by at most 0.54 %" in told
    scenario = next(line for line in comments if line.startswith("scenario"))
    assert from_json(scenario.partition(": ")[2]) == TOY


@pytest.mark.parametrize("high", [3.0, None])
def test_without_a_theorem_it_is_said_and_there_is_no_q(high):
    bag = varied(TOY, top_level="flat")
    text = noise_map_table(uncovered_map(bag, Bracket(low=2.9, high=high))).csv()
    frame = table_of(text)
    assert frame["q"].isna().all()
    assert frame["epsilon_upper"].isna().all() == (high is None)
    told = "\n".join(header_of(text))
    assert "no theorem covers the noise: epsilon is that of the run without it" in told
    assert "protected: any single value of one series" in told


def test_rows_are_the_cells_and_their_scenarios_have_both_values():
    shown = made_up(lambda x, y: None if x == 0 else (float("inf") if y == 0 else rising(x, y)))
    table = table_of(region_table(shown).csv())
    assert len(table) == 289
    for _, row in table.iloc[::17].iterrows():
        (at,) = [at for at in shown.cells if shown.values_at(at) == (row.batch_size, row.steps)]
        if at[0] == 0:
            assert row.no_answer == shown.cells[at]
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
    assert len(table_of(text)) == 40
    assert "computed yet" not in region_table(made_up(rising)).csv()


@pytest.mark.parametrize("quantity", ["num_subsequences", "forecast_noise"])
def test_other_quantities_are_columns_too(quantity):
    shown = made_up(rising, quantities=(quantity, "noise_multiplier"), scenario=TOY, most=9)
    assert list(table_of(region_table(shown).csv()).columns[:2]) == [quantity, "noise_multiplier"]
