"""What an exported script trains on: its loaders, and data that its guarantee is not about."""

import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

from dpviz.export.training_script import training_script
from dpviz.scenario import DataShape, Noise, Relation, ScenarioError
from tests.export.training_scripts import NOISY, SMALL, drawn, loaded, run, series_of


@pytest.fixture(scope="module")
def script():
    return loaded(SMALL, "numpy")


def entries_of(series):
    return [{"start": "2020-01-01", "target": values.tolist()} for values in series]


def test_entries_in_memory_and_files_of_them_give_the_same_series(script, tmp_path):
    series = series_of(SMALL)
    entries = entries_of(series)
    lines = "".join(json.dumps(entry) + "\n" for entry in entries) + "\n"
    (tmp_path / "data.json").write_text(lines)
    with gzip.open(tmp_path / "data.json.gz", "wt") as file:
        file.write(lines)
    for read in (
        script.series_from_entries(iter(entries)),
        script.load(tmp_path / "data.json").series,
        script.load(tmp_path / "data.json.gz").series,
    ):
        for values, expected in zip(read, series, strict=True):
            np.testing.assert_array_equal(values, expected)


def test_missing_values_stay_missing(script):
    (values,) = script.series_from_entries([{"target": [1, None, "NaN", 4]}])
    np.testing.assert_array_equal(values, [1.0, np.nan, np.nan, 4.0])


def test_channels_come_last(script):
    (values,) = script.series_from_entries([{"target": [[1, 2, 3], [4, 5, 6]]}])
    assert values.tolist() == [[1, 4], [2, 5], [3, 6]]


def test_a_table_has_one_column_for_each_series(script, tmp_path):
    path = tmp_path / "table.CSV"
    path.write_text("time,a,b,c\nmon,1,,7\ntue,2,4.5,\nwed,3,5,9\n\nthu,,6,\n")
    series = script.load(path).series
    np.testing.assert_array_equal(series[0], [1, 2, 3])
    np.testing.assert_array_equal(series[1], [4.5, 5, 6])
    np.testing.assert_array_equal(series[2], [7, np.nan, 9])
    path.write_text("a,b\n1,2\n3,4\n")
    assert [values.tolist() for values in script.load(path).series] == [[1, 3], [2, 4]]


def test_a_window_with_a_missing_value_counts_as_zero(script, tmp_path):
    """And says nothing about it: no warning, no error, a finite model."""
    series = series_of(SMALL)
    series[3][:] = np.nan
    series[4][2] = np.inf
    model = script.train(series, tmp_path)
    assert np.isfinite(model.weights).all()


def test_a_file_and_held_out_values_are_used_from_the_command_line(tmp_path):
    longer = [np.append(values, [0.0, 0.0, 0.0]) for values in series_of(SMALL)]
    lines = "".join(json.dumps(entry) + "\n" for entry in entries_of(longer))
    (tmp_path / "data.json").write_text(lines)
    source = training_script(SMALL, kind="numpy")
    done = run(source, tmp_path, "data.json", "--hold-out", 3, "--out", "here")
    assert done.returncode == 0, done.stderr
    assert "series_length" not in done.stdout
    files = {path.name for path in (tmp_path / "here").iterdir()}
    assert files == {
        "model.npz", "privacy.json", "forecasts.csv", "checkpoint.npz", "checkpoint.lock",
    }  # fmt: skip


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    done = run(training_script(SMALL, kind="numpy"), tmp_path, "nowhere.json")
    assert done.returncode == 1
    assert "nowhere.json cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


def test_other_data_are_refused_from_the_command_line_by_name(tmp_path):
    (tmp_path / "data.json").write_text(json.dumps({"target": [1, 2, 3]}) + "\n")
    done = run(training_script(SMALL, kind="numpy"), tmp_path, "data.json")
    assert done.returncode == 1
    assert done.stderr.startswith("Refused: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "private-model").exists()


def test_another_number_of_series_is_refused(script, tmp_path):
    for series in (series_of(SMALL)[1:], [*series_of(SMALL), np.ones(10)], []):
        with pytest.raises(ScenarioError, match=r"num_series = .* about 12 series"):
            script.train(series, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_shorter_series_is_refused(script, tmp_path):
    for length in (9, 1, 0):
        series = series_of(SMALL)
        series[5] = series[5][:length]
        with pytest.raises(ScenarioError, match=f"series_lengths = {length} is not allowed"):
            script.train(series, tmp_path)


def test_longer_series_are_covered_or_refused(tmp_path, capsys):
    """With replacement a longer series is never worse; with noise on windows it may be."""
    script = loaded(SMALL, "numpy")
    longer = [np.append(values, 1.0) for values in series_of(SMALL)]
    script.train(longer, tmp_path)
    assert "series_length: up to 11 values, where 10 are stated" in capsys.readouterr().out
    short = replace(NOISY, data=replace(SMALL.data, series_lengths=(5,)))
    longer = [values[:7] for values in longer]
    with pytest.raises(ScenarioError, match="series_lengths = 7"):
        loaded(short, "numpy").train(longer, tmp_path)


def test_series_of_several_lengths(tmp_path, capsys):
    several = DataShape(num_series=12, series_lengths=(5, 10), context_length=3, forecast_length=2)
    for scenario in (
        replace(SMALL, data=several),
        replace(drawn(bottom_level="poisson"), data=several),
        replace(NOISY, data=several),
    ):
        script = loaded(scenario, "numpy")
        script.train(series_of(scenario), tmp_path / str(hash(scenario)))
        assert "series_length" not in capsys.readouterr().out


def test_channels_train_and_noise_on_windows_needs_to_know_them(tmp_path, capsys):
    pairs = [np.stack([values, 2.0 * values], axis=1) for values in series_of(SMALL)]
    model = loaded(SMALL, "numpy").train(pairs, tmp_path)
    assert model.weights.shape == (3 * 2 + 1, 2 * 2)
    assert "num_channels" not in capsys.readouterr().out
    loaded(NOISY, "numpy").train(pairs, tmp_path / "noisy")
    assert "only if max_change bounds their Euclidean norm" in capsys.readouterr().out
    triples = [np.stack([values] * 3, axis=1) for values in series_of(SMALL)]
    two = replace(NOISY, relation=Relation(max_change=3.0, num_channels=2))
    with pytest.raises(ScenarioError, match=r"num_channels = 3 .* about 2"):
        loaded(two, "numpy").train(triples, tmp_path)
    with pytest.raises(ScenarioError, match="num_channels: all series must have the same"):
        loaded(SMALL, "numpy").train([*pairs[1:], triples[0]], tmp_path)


def test_a_budget_too_small_for_one_step_is_refused(tmp_path):
    script = loaded(replace(SMALL, noise=Noise(noise_multiplier=0.2)), "numpy", 0.01)
    with pytest.raises(ScenarioError, match=r"target_epsilon = 0\.01 .* even steps 1 gives"):
        script.train(series_of(SMALL), tmp_path)


def test_a_shape_too_large_to_make_up_is_named():
    huge = replace(SMALL, data=replace(SMALL.data, series_lengths=(10**8,)))
    with pytest.raises(ValueError, match="more than 100,000,000 values"):
        loaded(huge, "numpy", 1.0).made_up_data()


def test_nobody_may_be_in_more_series_than_planned(tmp_path):
    rows = [f"m{at},{home},{day},{at}" for at, home in enumerate("aab") for day in range(10)]
    path = tmp_path / "homes.csv"
    path.write_text("meter_id,home,day,kwh\n" + "\n".join(rows) + "\n", encoding="utf-8")
    one, two = (
        loaded(replace(SMALL, relation=Relation(width=10, series_per_person=many)), "numpy")
        for many in (1, 2)
    )
    two.check_persons(path, "home")
    with pytest.raises(ValueError, match=r"in 2 series, and 1 was planned for.*dpviz shape"):
        one.check_persons(path, "home")
    narrow = loaded(replace(SMALL, relation=Relation(series_per_person=2)), "numpy")
    with pytest.raises(ValueError, match="10 values in one series, and w = 1 was planned for"):
        narrow.check_persons(path, "home")
