"""Which scenarios a file describes, that their numbers are the accountant's, and resuming."""

import csv
import io
import json

import numpy as np
import pyarrow.parquet as parquet
import pytest

from dpviz.accounting import account_for
from dpviz.scenario import from_fields
from dpviz.sweeps import grid as grids
from dpviz.sweeps.grid import GridError, fingerprint, read_grid
from dpviz.sweeps.results import csv_text, parquet_bytes, results_table
from dpviz.sweeps.run import chunks_of, open_journal, run_sweep
from tests.sweeps.grids import CHEAP, SMALL, TOY, toy_grid, toy_rows


def test_lists_multiply_in_the_file_s_order_and_the_last_one_varies_first():
    rows = toy_rows(steps=None, delta=None, noise_multiplier=[1.0, 2.0], epochs=[3, 4])
    found = [(row.scenario.noise.noise_multiplier, row.scenario.num_epochs) for row in rows]
    assert found == [(1.0, 3), (1.0, 4), (2.0, 3), (2.0, 4)]
    assert [row.number for row in rows] == [1, 2, 3, 4]


def test_a_saved_scenario_is_a_grid_of_one_row():
    [row] = read_grid(toy_grid())
    assert row.scenario == from_fields(TOY)


def test_toml_describes_the_same_rows():
    text = "\n".join(f"{name} = {json.dumps(value)}" for name, value in TOY.items())
    assert read_grid(text, is_toml=True) == read_grid(toy_grid())


@pytest.mark.parametrize("is_toml", [False, True])
def test_a_number_that_no_double_holds_is_refused_and_none_is_rounded_to_a_whole_one(is_toml):
    for name, text in (("forecast_noise", "1e-400"), ("steps", "9999999.9999999999")):
        fields = {key: json.dumps(value) for key, value in TOY.items()} | {name: text}
        lines = [f"{key} = {value}" for key, value in fields.items()]
        if not is_toml:
            lines = ["{", ",".join(f'"{key}": {value}' for key, value in fields.items()), "}"]
        [row] = read_grid("\n".join(lines), is_toml=is_toml)
        assert row.scenario is None
        assert f"{name} = {text} is not allowed" in str(row.problem)


def test_listed_scenarios_take_common_fields_and_series_of_several_lengths():
    common = {name: value for name, value in TOY.items() if name != "series_length"}
    listed = [{"series_length": [20, 30]}, {"series_length": 40, "delta": 1e-5}]
    rows = read_grid(json.dumps({**common, "scenarios": listed}))
    assert [row.scenario.shape.series_lengths for row in rows] == [(20, 30), (40,)]
    assert [row.scenario.delta for row in rows] == [1e-7, 1e-5]
    assert read_grid(json.dumps([common | one for one in listed]))[0].scenario == rows[0].scenario
    in_a_grid = toy_rows(series_length=[20, [20, 30]])
    assert [row.scenario.shape.series_lengths for row in in_a_grid] == [(20,), (20, 30)]


def test_a_bad_row_names_field_value_and_what_is_allowed_and_costs_no_other():
    rows = toy_rows(batch_size=[32, 999, "many"])
    assert [row.scenario is None for row in rows] == [False, True, True]
    assert str(rows[1].problem).startswith("batch_size = 999 is not allowed: it must be at most")
    assert str(rows[2].problem).startswith("batch_size = 'many' is not allowed: it must be a whole")


@pytest.mark.parametrize(
    ("text", "is_toml", "said"),
    [
        ("", False, "it is not JSON"),
        ("steps =", True, "it is not TOML"),
        ("3", False, "it is not allowed"),
        ("{}", False, "it describes no scenario"),
        ("[]", False, "it describes no scenario"),
        ('{"steps": []}', False, "it describes no scenario"),
        ('{"steps": 1, "steps": 2}', False, "steps = 2 is not allowed: it is given more than once"),
        ('{"scenarios": [1]}', False, "scenarios is not allowed"),
        ("[" * 100_000, False, "it is nested too deeply"),
    ],
    ids=range(9),
)
def test_what_is_no_grid_is_said_in_a_sentence(text, is_toml, said):
    with pytest.raises(GridError) as refused:
        read_grid(text, is_toml=is_toml)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_grid_of_too_many_rows_is_refused_before_any_is_made(monkeypatch):
    monkeypatch.setattr(grids, "from_fields", None)
    text = json.dumps({f"field_{at}": list(range(100)) for at in range(9)})
    with pytest.raises(GridError, match="at most 200,000 are computed"):
        read_grid(text)


def test_another_row_question_or_version_is_another_sweep():
    rows = toy_rows(steps=[1, 2])
    same = fingerprint(rows, (1.0,), "1")
    assert fingerprint(toy_rows(steps=[1, 2]), (1.0,), "1") == same
    others = {
        fingerprint(toy_rows(steps=[1, 3]), (1.0,), "1"),
        fingerprint(toy_rows(steps=[2, 1]), (1.0,), "1"),
        fingerprint(rows, (2.0,), "1"),
        fingerprint(rows, (1.0,), "2"),
    }
    assert same not in others
    assert len(others) == 4


EPSILONS = (0.5, 2.0)


def one_by_one(answer, chunks):
    """Compute as scattered as can be: each row by itself, the last one first."""
    for chunk in reversed(chunks):
        for row in reversed(chunk):
            yield answer([row])


def test_upper_bounds_are_the_accountant_s_and_lower_ones_lie_within_its_bracket():
    rows = toy_rows(num_subsequences=[1, 2], steps=[1, 20], delta=[1e-5, 1e-7])
    answers = run_sweep(rows, epsilons=EPSILONS, compute=map)
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
    assert run_sweep(rows, compute=map) == run_sweep(rows, compute=one_by_one)


def test_rows_that_share_their_privacy_loss_are_computed_together():
    rows = toy_rows(steps=[*range(1, 17)], noise_multiplier=[1.0, 2.0], delta=[1e-5, 1e-7])
    chunks = chunks_of({row.name: row.scenario for row in rows})
    noises = [{scenario.noise.noise_multiplier for _, scenario in one} for one in chunks]
    assert noises == [{1.0}, {2.0}]
    assert sorted(int(name) for one in chunks for name, _ in one) == [*range(1, 65)]


def test_what_a_bound_needs_is_in_the_row():
    flat = {"top_level": "flat", "steps": 2}
    [bag] = run_sweep(toy_rows(**flat), compute=map)
    assert bag["upper_theorem"] == "dpviz 4"
    [noised] = run_sweep(toy_rows(forecast_noise=1.0, steps=2), compute=map)
    assert noised["upper_condition"].startswith("no value changes by more than v")
    assert noised["lower_theorem"] == "dpviz 6"


def test_rows_are_refused_where_no_bound_covers_them_and_told_where_none_is_finite():
    rates = {"num_series": None, "series_length": None, "context_length": None}
    rates |= {"forecast_length": None, "top_rate": 0.1, "bottom_rate": 0.5, "steps_per_epoch": 10}
    rates |= {"batch_size": 1, "forecast_noise": 1.0}
    [uncovered] = run_sweep(toy_rows(**rates), compute=map)
    assert (uncovered["status"], uncovered["error_field"]) == ("refused", "forecast_noise")
    walked = {"top_level": "deterministic", "num_subsequences": 64, "batch_size": 64}
    [huge] = run_sweep(toy_rows(**walked, noise_multiplier=0.1, delta=1e-15), compute=map)
    assert (huge["status"], huge["epsilon_upper"]) == ("no finite epsilon", None)


def test_tables_hold_every_row_in_order_with_fields_numbers_and_errors():
    rows = toy_rows(batch_size=[32, 999], noise_multiplier=[1.0, 2.0], steps=3)
    table = results_table(rows, run_sweep(rows, epsilons=EPSILONS, compute=map), EPSILONS)
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
    table = results_table(rows, run_sweep(rows, compute=map), ())
    assert "\n=" not in csv_text(table)
    assert ",=" not in csv_text(table)
    assert ",\"'=HYPERLINK" in csv_text(table)
    rows = toy_rows(top_level="\t=1+1")
    assert rows[0].problem is not None
    table = results_table(rows, run_sweep(rows, compute=map), ())
    assert ",'\t=1+1," in csv_text(table)


ROWS = toy_rows(**CHEAP)
ALLOWED = {row.name: row.scenario for row in ROWS if row.problem is None}


def made_up(chunk):
    """Stand in for seconds of work."""
    return [(name, {"status": "answered", "epsilon_upper": int(name) / 7}) for name, _ in chunk]


def test_rows_of_whole_chunks_are_never_computed_again(tmp_path):
    undisturbed = run_sweep(ROWS, compute=lambda _, chunks: map(made_up, chunks))
    computed = []

    def compute(chunks, after):
        for chunk in chunks[:after]:
            computed.extend(name for name, _ in chunk)
            yield made_up(chunk)
        if len(chunks) > after:
            raise KeyboardInterrupt

    path = tmp_path / "journal"
    with pytest.raises(KeyboardInterrupt), open_journal(path, ROWS, ()) as journal:
        run_sweep(ROWS, journal=journal, compute=lambda _, chunks: compute(chunks, 2))
    with open_journal(path, ROWS, ()) as journal:
        found = run_sweep(ROWS, journal=journal, compute=lambda _, chunks: compute(chunks, 99))
        assert journal.known.keys() == ALLOWED.keys()
    assert found == undisturbed
    assert sorted(computed) == sorted(ALLOWED)
