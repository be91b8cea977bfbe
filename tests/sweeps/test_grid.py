"""Which scenarios a file describes."""

import json

import pytest

from dpviz.scenario import from_fields
from dpviz.sweeps import grid as grids
from dpviz.sweeps.grid import GridError, fingerprint, read_grid
from tests.sweeps.grids import TOY, toy_grid, toy_rows


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
