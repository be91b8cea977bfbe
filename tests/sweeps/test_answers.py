"""The numbers of a sweep are those of the accountant, in the grid's order."""

import csv
import io
import json

import numpy as np
import pyarrow.parquet as parquet
import pytest

from dpviz.accounting import account_for
from dpviz.sweeps.answer import Chunk, answered
from dpviz.sweeps.results import csv_text, parquet_bytes, results_table
from dpviz.sweeps.run import chunks_of, run_sweep
from tests.sweeps.grids import SMALL, toy_rows

EPSILONS = (0.5, 2.0)


def one_by_one(chunks):
    """Compute as scattered as can be: each row by itself, the last one first."""
    for chunk in reversed(chunks):
        for name, text in reversed([*zip(chunk.names, chunk.scenarios, strict=True)]):
            yield answered(Chunk(names=(name,), scenarios=(text,), epsilons=chunk.epsilons))


def together(chunks):
    return map(answered, chunks)


def test_upper_bounds_are_the_accountant_s_and_lower_ones_lie_within_its_bracket():
    rows = toy_rows(num_subsequences=[1, 2], steps=[1, 20], delta=[1e-5, 1e-7])
    answers = run_sweep(rows, epsilons=EPSILONS, compute=together)
    for row, answer in zip(rows, answers, strict=True):
        account = account_for(row.scenario)
        delta = row.scenario.delta
        assert answer["epsilon_upper"] == account.upper.quoted_epsilon_at(delta)
        assert answer["upper_theorem"] == account.upper.bound.theorem
        assert answer["count"] == row.scenario.num_steps
        lower = account.lower.epsilon_at(delta)
        assert 0.99 * lower.low <= answer["epsilon_lower"] <= lower.high
        deltas = account.upper.quoted_delta_at(np.array(EPSILONS))
        assert answer["delta_upper"] == pytest.approx(deltas.tolist(), rel=1e-9)
        assert np.all(np.array(answer["delta_lower"]) <= deltas)


def test_an_answer_does_not_depend_on_what_is_computed_beside_it():
    rows = toy_rows(**SMALL)
    assert run_sweep(rows, compute=together) == run_sweep(rows, compute=one_by_one)


def test_rows_that_share_their_privacy_loss_are_computed_together():
    rows = toy_rows(steps=[*range(1, 17)], noise_multiplier=[1.0, 2.0], delta=[1e-5, 1e-7])
    chunks = chunks_of({row.name: row.scenario for row in rows}, ())
    noises = [{json.loads(text)["noise_multiplier"] for text in one.scenarios} for one in chunks]
    assert noises == [{1.0}, {2.0}]
    assert sorted(int(name) for one in chunks for name in one.names) == [*range(1, 65)]


def test_what_a_bound_needs_is_in_the_row():
    flat = {"top_level": "flat", "steps": 2}
    [bag] = run_sweep(toy_rows(**flat), compute=together)
    assert bag["upper_theorem"] == "dpviz 4"
    [noised] = run_sweep(toy_rows(forecast_noise=1.0, steps=2), compute=together)
    assert noised["upper_condition"].startswith("no value changes by more than v")
    assert noised["lower_theorem"] == "dpviz 6"


def test_rows_are_refused_where_no_bound_covers_them_and_told_where_none_is_finite():
    rates = {"num_series": None, "series_length": None, "context_length": None}
    rates |= {"forecast_length": None, "top_rate": 0.1, "bottom_rate": 0.5, "steps_per_epoch": 10}
    rates |= {"batch_size": 1, "forecast_noise": 1.0}
    [uncovered] = run_sweep(toy_rows(**rates), compute=together)
    assert (uncovered["status"], uncovered["error_field"]) == ("refused", "forecast_noise")
    [huge] = run_sweep(
        toy_rows(noise_multiplier=0.1, batch_size=320, delta=1e-15), compute=together
    )
    assert huge["status"] == "answered" or huge["epsilon_upper"] is None


def test_tables_hold_every_row_in_order_with_fields_numbers_and_errors():
    rows = toy_rows(batch_size=[32, 999], noise_multiplier=[1.0, 2.0], steps=3)
    table = results_table(rows, run_sweep(rows, epsilons=EPSILONS, compute=together), EPSILONS)
    read = [*csv.DictReader(io.StringIO(csv_text(table)))]
    assert [row["row"] for row in read] == ["1", "2", "3", "4"]
    assert [row["status"] for row in read] == ["answered", "answered", "refused", "refused"]
    assert [row["noise_multiplier"] for row in read] == ["1.0", "2.0", "1.0", "2.0"]
    assert read[2]["error"].startswith("batch_size = 999 is not allowed")
    assert read[2]["epsilon_upper"] == ""
    typed = parquet.read_table(io.BytesIO(parquet_bytes(table))).to_pydict()
    assert typed == table
    assert float(read[0]["epsilon_upper"]) == table["epsilon_upper"][0]
    assert table["delta_upper_at_epsilon_0.5"][0] >= table["delta_lower_at_epsilon_0.5"][0] > 0


def test_no_cell_of_a_csv_is_a_formula():
    rows = toy_rows(value_unit=['=HYPERLINK("x")', "cars"], steps=1)
    table = results_table(rows, run_sweep(rows, compute=together), ())
    assert "\n=" not in csv_text(table)
    assert ",=" not in csv_text(table)
    assert ",\"'=HYPERLINK" in csv_text(table)
