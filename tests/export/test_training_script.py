"""An exported script trains by exactly the mechanism that its epsilon is about."""

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
from dpviz.scenario import PRESETS, Noise, Rates, Relation, ScenarioError, Training, Units
from dpviz.wording.theorems import named_theorem
from tests.export.training_scripts import (
    NOISY,
    SCHEMES,
    SMALL,
    drawn,
    loaded,
    run,
    series_of,
    trained,
)

ROOT = Path(__file__).parents[2]
# One process each is slow: these have every top and every bottom level among them.
AS_PROCESSES = ["without-replacement", "deterministic, two windows", "shuffled", "poisson both"]
RULES = "A,ARG,B,C4,D,E,F,I,N,NPY,PIE,PTH,RET,RUF,SIM,UP,W"


@pytest.mark.parametrize("name", AS_PROCESSES)
def test_the_script_runs_to_its_end(name, tmp_path):
    scenario = SCHEMES[name]
    done = run(training_script(scenario, kind="numpy"), tmp_path, "--demo")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (last,) = (line for line in done.stdout.splitlines() if line.startswith("Trained"))
    said = r"Trained: epsilon <= [\d.]+ at delta 1e-07 after 8 steps \(.+, upper bound over .+\)"
    assert re.fullmatch(said, last)
    statement = json.loads((tmp_path / "private-model" / "privacy.json").read_text())
    assert f"Trained: {statement['statement']}" == last
    assert statement["is_finished"]
    assert np.isfinite(np.load(tmp_path / "private-model" / "model.npz")["weights"]).all()


def test_the_script_needs_none_of_the_dashboards_libraries(tmp_path):
    """Where dpviz was installed without its extras, they are not there."""
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
    done = run(script, tmp_path, "--demo")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_trains_and_states_the_accountants_epsilon(name, tmp_path):
    scenario = SCHEMES[name]
    batches, statement = trained(loaded(scenario, "numpy"), tmp_path, scenario)
    assert len(batches) == statement["steps"] == scenario.num_steps
    upper = best_upper(scenario)
    assert statement["epsilon"] == upper.quoted_epsilon_at(scenario.delta)
    assert statement["theorem"] == named_theorem(upper.bound.theorem)
    assert statement["direction"] == "upper bound"
    assert statement["gradient_noise_deviation"] == 2.0
    # The file can be checked without the script.
    again = saved_scenario(str(tmp_path / "privacy.json"))
    assert best_upper(again).quoted_epsilon_at(again.delta) == statement["epsilon"]


@pytest.mark.parametrize("name", ["without-replacement", "deterministic", "poisson windows"])
def test_training_stops_before_the_target_is_exceeded(name, tmp_path, capsys):
    scenario = replace(SCHEMES[name], training=Training(unit="steps", count=50))
    target = 1.01 * best_upper(
        replace(scenario, training=Training(unit="steps", count=7))
    ).quoted_epsilon_at(scenario.delta)
    last = BudgetTracker(scenario, Target(epsilon=target, delta=scenario.delta)).last_step
    batches, statement = trained(loaded(scenario, "numpy", target), tmp_path, scenario)
    assert 7 <= last < 50
    assert len(batches) == statement["steps"] == last
    assert statement["epsilon"] <= target == statement["target_epsilon"]
    assert f"Stopped: step {last + 1} would exceed epsilon = {target}." in capsys.readouterr().out


def test_a_fixed_seed_gets_no_statement(tmp_path, capsys):
    weights = []
    for folder in ("one", "other"):
        module = loaded(SMALL, "numpy")
        module.DEBUG_SEED = 7
        weights.append(module.train(series_of(SMALL), tmp_path / folder).weights)
        assert not (tmp_path / folder / "privacy.json").exists()
    np.testing.assert_array_equal(*weights)
    assert "nothing is promised" in capsys.readouterr().out


def test_two_runs_differ(tmp_path):
    """Unless a seed is set, nobody can draw the same noise again."""
    module = loaded(SMALL, "numpy")
    one, other = (module.train(series_of(SMALL), tmp_path / at).weights for at in "ab")
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
    script = " ".join(training_script(drawn(top_level="poisson"), kind="numpy").split())
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
    bag = drawn(top_level="flat", bottom_level="poisson")
    script = " ".join(training_script(bag, kind="numpy").replace("#", "").split())
    assert "tosses a coin for each of all" in script
    assert "dpviz's extension" in script


def test_a_visitors_own_words_are_not_in_the_program():
    named = replace(NOISY, units=Units(value_unit='"""; import os'))
    assert "import os" not in training_script(named)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("scenario", "named"),
    [
        (
            replace(SMALL, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10)),
            "num_series: rates draw no batches: give the data's shape",
        ),
        (replace(NOISY, relation=Relation()), "max_change: noise on context and labels"),
        (
            replace(
                drawn(PRESETS["toy"].scenario, top_level="deterministic", num_subsequences=64,
                      batch_size=64),
                data=replace(PRESETS["toy"].scenario.data, series_lengths=(2,)),
                noise=Noise(noise_multiplier=0.1),
            ),
            "target_epsilon: the whole training has no finite one",
        ),
    ],
)  # fmt: skip
def test_what_no_script_can_promise_is_refused_by_name(scenario, named, kind):
    with pytest.raises(ScenarioError, match=named):
        training_script(scenario, kind=kind)


def test_wrong_arguments_are_named():
    with pytest.raises(ScenarioError, match=r"kind = 'jax' .* pytorch, numpy"):
        training_script(SMALL, kind="jax")
    with pytest.raises(ScenarioError, match=r"target_epsilon = -1\.0"):
        training_script(SMALL, target_epsilon=-1.0)


def test_the_example_of_the_documentation_writes_a_script(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "training-script.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], {})
    assert "TARGET_EPSILON = 10.0" in (tmp_path / FILE_NAMES["numpy"]).read_text()


def test_files_have_names_of_their_own():
    assert set(FILE_NAMES) == set(KINDS)
    assert len(set(FILE_NAMES.values())) == len(KINDS)
