"""The script that trains: what it says, and that it draws what is accounted for."""

import gzip
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpviz.accounting import best_upper
from dpviz.command_line.scenario_options import saved_scenario
from dpviz.export.training_script import FILE_NAMES, KINDS, training_script
from dpviz.planning.budget_tracker import BudgetTracker
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS, DataShape, Noise, Rates, Relation, ScenarioError
from dpviz.wording.theorems import named_theorem
from tests.export import training_scripts as scripts
from tests.export.training_scripts import NOISY, SCHEMES, SMALL
from tests.scenario.changes import varied

ROOT = Path(__file__).parents[2]
RULES = "A,ARG,B,C4,D,E,F,I,N,NPY,PIE,PTH,RET,RUF,SIM,UP,W"


def test_the_script_is_a_program_that_needs_none_of_the_dashboards_libraries(tmp_path):
    extras = ("streamlit", "plotly", "pyarrow", "markdown_it", "torch")
    blocked = f"""import sys
class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {extras!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import argparse
"""
    script = training_script(SMALL, kind="numpy").replace("import argparse\n", blocked)
    said, statement = scripts.finished(script, tmp_path, "--demo", by=scripts.run)
    assert f"Trained: {statement['statement']}" in said.splitlines()


@pytest.mark.every(4)
@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_trains_and_states_the_accountants_epsilon(name, tmp_path):
    scenario = SCHEMES[name]
    said, statement = scripts.finished(training_script(scenario, kind="numpy"), tmp_path, "--demo")
    (last,) = (line for line in said.splitlines() if line.startswith("Trained"))
    told = r"epsilon <= [\d.]+ at delta 1e-07 after \d+ steps \(.+, upper bound over .+\)"
    assert re.fullmatch(told, statement["statement"])
    assert last == f"Trained: {statement['statement']}"
    assert "this model: MASE" in said
    assert statement["is_finished"]
    assert statement["steps_taken"] == statement["steps"] == scenario.num_steps
    upper = best_upper(scenario)
    assert statement["epsilon"] == upper.quoted_epsilon_at(scenario.delta)
    assert statement["theorem"] == named_theorem(upper.bound.theorem)
    assert statement["direction"] == "upper bound"
    assert statement["gradient_noise_deviation"] == 2.0
    folder = tmp_path / "private-model"
    assert np.isfinite(np.load(folder / "model.npz")["weights"]).all()
    # The file can be checked without the script.
    again = saved_scenario(str(folder / "privacy.json"))
    assert best_upper(again).quoted_epsilon_at(again.delta) == statement["epsilon"]


@pytest.mark.parametrize("name", ["without-replacement", "deterministic", "poisson windows"])
def test_training_stops_before_the_target_is_exceeded(name, tmp_path, capsys):
    scenario = varied(SCHEMES[name], steps=50)
    target = 1.01 * best_upper(varied(scenario, steps=7)).quoted_epsilon_at(scenario.delta)
    last = BudgetTracker(scenario, Target(epsilon=target, delta=scenario.delta)).last_step
    batches, statement = scripts.trained(
        scripts.loaded(scenario, "numpy", target), tmp_path, scenario
    )
    assert 7 <= last < 50
    assert len(batches) == statement["steps"] == last
    assert statement["epsilon"] <= target == statement["target_epsilon"]
    assert f"Stopped: step {last + 1} would exceed epsilon = {target}." in capsys.readouterr().out


def test_a_fixed_seed_gets_no_statement(tmp_path, capsys):
    weights = []
    for folder in ("one", "other"):
        module = scripts.loaded(SMALL, "numpy")
        module.DEBUG_SEED = 7
        weights.append(module.train(scripts.series_of(SMALL), tmp_path / folder).weights)
        assert not (tmp_path / folder / "privacy.json").exists()
    np.testing.assert_array_equal(*weights)
    assert "nothing is promised" in capsys.readouterr().out


def test_two_runs_differ(tmp_path):
    """Unless a seed is set, nobody can draw the same noise again."""
    module = scripts.loaded(SMALL, "numpy")
    one, other = (module.train(scripts.series_of(SMALL), tmp_path / at).weights for at in "ab")
    assert (one != other).all()


def test_scripts_are_clean_and_in_ascii(tmp_path):
    for kind in KINDS:
        for name, scenario in {**SCHEMES, "traffic": PRESETS["traffic"].scenario}.items():
            script = training_script(scenario, kind=kind)
            assert script.isascii()
            assert "@@" not in script
            compile(script, name, "exec")
            (tmp_path / f"{kind} {name}.py").write_text(script, encoding="ascii")
    isolated = ["--isolated", "--line-length=88"]
    known = ["--config=lint.isort.known-third-party=['dpviz']"]
    known.append("--config=lint.pydocstyle.convention='google'")
    for command in (
        ["check", *isolated, *known, f"--select={RULES}", "--ignore=D105,D107,N999"],
        ["format", "--check", *isolated],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "."],
            capture_output=True, text=True, cwd=tmp_path, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout


def test_assumptions_stand_where_they_bind():
    script = " ".join(training_script(scripts.drawn(top_level="poisson"), kind="numpy").split())
    for words in (
        "tosses a coin for each series",
        "may be none",
        "an empty batch, too, is a step",
        "added to the SUM",
        "divided by the constant Lambda",
        "debugging only",
        "is present in more series",
        "another one on the same data spends its epsilon again",
        "lengths are taken to be public",
        "Losses, norms, which windows were drawn",
    ):
        assert words in script.replace(" # ", " "), words
    assert script.count("Guarantee:") >= 10
    script = " ".join(training_script(scripts.drawn(top_level="bins"), kind="numpy").split())
    assert "each of 12 series into one of its 2 batches" in script.replace(" # ", " ")
    assert "may be none" in script
    for top_level, words in {"bins": "its only batch", "poisson": "probability 12 / 12"}.items():
        script = training_script(scripts.drawn(top_level=top_level, batch_size=12), kind="numpy")
        assert words in script
        assert "may be none" not in script
    bag = scripts.drawn(top_level="flat", bottom_level="poisson")
    script = " ".join(training_script(bag, kind="numpy").replace("#", "").split())
    assert "tosses a coin for each of all" in script
    assert "dpviz's extension" in script


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("scenario", "named"),
    [
        (
            replace(SMALL, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10)),
            "num_series: rates draw no batches; give the data's shape",
        ),
        (replace(NOISY, relation=Relation()), "max_change: it is needed, as noise on context"),
        (
            replace(
                scripts.drawn(
                    PRESETS["toy"].scenario, top_level="deterministic", num_subsequences=64,
                    batch_size=64,
                ),
                data=replace(PRESETS["toy"].scenario.data, series_lengths=(2,)),
                noise=Noise(noise_multiplier=0.1),
            ),
            "target_epsilon: the whole training has none up to",
        ),
    ],
)  # fmt: skip
def test_what_no_script_can_promise_is_refused_by_name(scenario, named, kind):
    with pytest.raises(ScenarioError, match=named):
        training_script(scenario, kind=kind)


def test_wrong_arguments_are_named():
    with pytest.raises(ScenarioError, match=r"kind = 'jax' .* pytorch, opacus, numpy"):
        training_script(SMALL, kind="jax")
    with pytest.raises(ScenarioError, match=r"target_epsilon = -1\.0"):
        training_script(SMALL, target_epsilon=-1.0)


def test_the_example_of_the_documentation_writes_a_script(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "training-script.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], {})
    assert "TARGET_EPSILON = 10.0" in (tmp_path / FILE_NAMES["numpy"]).read_text()


@pytest.fixture(scope="module")
def script():
    return scripts.loaded(SMALL, "numpy")


def entries_of(series):
    return [{"start": "2020-01-01", "target": values.tolist()} for values in series]


def test_entries_in_memory_and_files_of_them_give_the_same_series(script, tmp_path):
    series = scripts.series_of(SMALL)
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
    series = scripts.series_of(SMALL)
    series[3][:] = np.nan
    series[4][2] = np.inf
    model = script.train(series, tmp_path)
    assert np.isfinite(model.weights).all()


def test_a_file_and_held_out_values_are_used_from_the_command_line(tmp_path):
    longer = [np.append(values, [0.0, 0.0, 0.0]) for values in scripts.series_of(SMALL)]
    lines = "".join(json.dumps(entry) + "\n" for entry in entries_of(longer))
    (tmp_path / "data.json").write_text(lines)
    source = training_script(SMALL, kind="numpy")
    done = scripts.ran(source, tmp_path, "data.json", "--hold-out", 3, "--out", "here")
    assert done.returncode == 0, done.stderr
    assert "series_length" not in done.stdout
    assert "No error is told" not in done.stdout
    few = scripts.ran(source, tmp_path, "data.json", "--hold-out", 1, "--out", "there")
    assert "No error is told: what is held out is less than one forecast.\n" in few.stdout
    files = {path.name for path in (tmp_path / "here").iterdir()}
    assert files == {
        "model.npz", "privacy.json", "forecasts.csv", "checkpoint.npz", "checkpoint.lock",
    }  # fmt: skip


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    done = scripts.ran(training_script(SMALL, kind="numpy"), tmp_path, "nowhere.json")
    assert done.returncode == 1
    assert "nowhere.json cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


def test_other_data_are_refused_from_the_command_line_by_name(tmp_path):
    (tmp_path / "data.json").write_text(json.dumps({"target": [1, 2, 3]}) + "\n")
    done = scripts.ran(training_script(SMALL, kind="numpy"), tmp_path, "data.json")
    assert done.returncode == 1
    assert done.stderr.startswith("Refused: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "private-model").exists()


def test_another_number_of_series_is_refused_and_leaves_no_folder(script, tmp_path):
    for series in (scripts.series_of(SMALL)[1:], [*scripts.series_of(SMALL), np.ones(10)], []):
        with pytest.raises(ScenarioError, match=r"num_series = .* about 12 series"):
            script.train(series, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_shorter_series_is_refused(script, tmp_path):
    for length in (9, 1, 0):
        series = scripts.series_of(SMALL)
        series[5] = series[5][:length]
        with pytest.raises(ScenarioError, match=f"series_lengths = {length} is not allowed"):
            script.train(series, tmp_path)


def test_longer_series_are_covered_or_refused(tmp_path, capsys):
    """With replacement a longer series is never worse; with noise on windows it may be."""
    script = scripts.loaded(SMALL, "numpy")
    longer = [np.append(values, 1.0) for values in scripts.series_of(SMALL)]
    script.train(longer, tmp_path)
    assert "series_length: up to 11 values, where 10 are stated" in capsys.readouterr().out
    short = replace(NOISY, data=replace(SMALL.data, series_lengths=(5,)))
    longer = [values[:7] for values in longer]
    with pytest.raises(ScenarioError, match="series_lengths = 7"):
        scripts.loaded(short, "numpy").train(longer, tmp_path)


def test_series_of_several_lengths(tmp_path, capsys):
    several = DataShape(num_series=12, series_lengths=(5, 10), context_length=3, forecast_length=2)
    for scenario in (
        replace(SMALL, data=several),
        replace(scripts.drawn(bottom_level="poisson"), data=several),
        replace(NOISY, data=several),
    ):
        script = scripts.loaded(scenario, "numpy")
        script.train(scripts.series_of(scenario), tmp_path / str(hash(scenario)))
        assert "series_length" not in capsys.readouterr().out


def test_channels_train_and_noise_on_windows_needs_to_know_them(tmp_path, capsys):
    pairs = [np.stack([values, 2.0 * values], axis=1) for values in scripts.series_of(SMALL)]
    model = scripts.loaded(SMALL, "numpy").train(pairs, tmp_path)
    assert model.weights.shape == (3 * 2 + 1, 2 * 2)
    assert "num_channels" not in capsys.readouterr().out
    scripts.loaded(NOISY, "numpy").train(pairs, tmp_path / "noisy")
    assert "only if max_change bounds their Euclidean norm" in capsys.readouterr().out
    triples = [np.stack([values] * 3, axis=1) for values in scripts.series_of(SMALL)]
    two = replace(NOISY, relation=Relation(max_change=3.0, num_channels=2))
    with pytest.raises(ScenarioError, match=r"num_channels = 3 .* about 2"):
        scripts.loaded(two, "numpy").train(triples, tmp_path)
    with pytest.raises(ScenarioError, match="num_channels: all series must have the same"):
        scripts.loaded(SMALL, "numpy").train([*pairs[1:], triples[0]], tmp_path)


def test_a_budget_too_small_for_one_step_is_refused(tmp_path):
    script = scripts.loaded(replace(SMALL, noise=Noise(noise_multiplier=0.2)), "numpy", 0.01)
    with pytest.raises(ScenarioError, match=r"target_epsilon = 0\.01 .* even steps 1 gives"):
        script.train(scripts.series_of(SMALL), tmp_path)


def test_a_shape_too_large_to_make_up_is_named():
    huge = varied(SMALL, series_lengths=(10**8,))
    with pytest.raises(ValueError, match="more than 100,000,000 values"):
        scripts.loaded(huge, "numpy", 1.0).made_up_data()
