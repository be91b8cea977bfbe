"""The command line answers for saved scenarios, and explains what it refuses."""

import json
import subprocess
import sys

import pytest

from dpviz.__main__ import main
from dpviz.accounting import account_for
from dpviz.scenario import PRESETS, from_fields, to_json

TOY = PRESETS["toy"].scenario


@pytest.fixture
def scenario_file(tmp_path):
    path = tmp_path / "scenario.json"
    path.write_text(to_json(TOY, indent=2), encoding="utf-8")
    return str(path)


def test_epsilon_is_the_accountants_with_its_meaning(scenario_file, capsys):
    assert main(["epsilon", "--scenario", scenario_file, "--delta", "1e-5", "1e-7", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    account = account_for(TOY)
    assert answer["upper"]["epsilon"] == [account.upper.quoted_epsilon_at(d) for d in (1e-5, 1e-7)]
    assert answer["upper"]["theorem"] == "4.4"
    assert answer["upper"]["kind"] == "upper"
    assert answer["lower"]["kind"] == "lower"
    assert answer["composition"] == {"unit": "step", "count": 1000}
    for low, high in answer["upper"]["bracket"]:
        assert low <= high
    assert from_fields(answer["scenario"]) == TOY


def test_delta_of_the_scenario_is_the_default(scenario_file, capsys):
    assert main(["epsilon", "--scenario", scenario_file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["upper"]["delta"] == [TOY.delta]


def test_table_rounds_each_bound_to_its_own_side(scenario_file, capsys):
    assert main(["epsilon", "--scenario", scenario_file]) == 0
    upper, lower = (
        float(line.split()[1]) for line in capsys.readouterr().out.splitlines() if "  eps" in line
    )
    account = account_for(TOY)
    assert upper >= account.upper.quoted_epsilon_at(TOY.delta)
    assert lower <= account.lower.quoted_epsilon_at(TOY.delta)


def test_delta_command(scenario_file, capsys):
    assert main(["delta", "--scenario", scenario_file, "--epsilon", "1", "4", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["upper"]["delta"][0] > answer["upper"]["delta"][1] > 0


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--delta", "2"], "delta = 2.0"),
        (["--delta", "nan"], "delta = nan"),
    ],
)
def test_bad_numbers_are_named_with_what_is_allowed(scenario_file, capsys, options, named):
    assert main(["epsilon", "--scenario", scenario_file, *options]) == 2
    said = capsys.readouterr().err
    assert named in said
    assert "must be a number from" in said


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema": 1}', "\x00"])
def test_bad_scenario_files_are_refused_in_a_sentence(tmp_path, capsys, content):
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")
    assert main(["epsilon", "--scenario", str(path)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_missing_file_is_named(capsys):
    assert main(["epsilon", "--scenario", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_module_runs_as_a_program(scenario_file):
    done = subprocess.run(
        [sys.executable, "-m", "dpviz", "epsilon", "--scenario", scenario_file],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "upper bound, Theorem 4.4" in done.stdout
