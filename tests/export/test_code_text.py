"""How the code beside a chart is written: short, readable, safe, and of the same scenario."""

import re
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings

from dpviz.command_line.command import EPSILON_RANGE as TYPED_EPSILONS
from dpviz.command_line.command import SCENARIO_FIELDS
from dpviz.command_line.commands import COMMANDS
from dpviz.command_line.parser import parsed
from dpviz.command_line.scenario_options import scenario_from
from dpviz.export import command_line, python_code
from dpviz.export.code import EPSILON_RANGE, FIELDS_WITHOUT_OPTION
from dpviz.scenario import (
    ScenarioError,
    Units,
)
from dpviz.scenario.fields import FIELD_NAMES
from tests.export.code_examples import LENGTHS, SCENARIOS, TOY, TRAFFIC, without_units
from tests.scenario import strategies


def test_options_are_used_where_they_suffice():
    with_file = {name for name in SCENARIOS if "--scenario" in command_line(SCENARIOS[name])}
    assert with_file == {
        "rates and last shape", "some lengths left out", "every field"
    }  # fmt: skip


@settings(max_examples=100)
@given(strategies.scenarios() | strategies.RATES_ONLY)
def test_the_command_means_the_same_scenario(tmp_path_factory, scenario):
    """For any scenario: the options, or the file that the snippet writes, give all but units."""
    snippet = command_line(scenario)
    file = re.fullmatch(r"cat > (\S+) <<'END'\n(.*\n)END\n(.*)", snippet, flags=re.DOTALL)
    if file is not None:
        path = tmp_path_factory.getbasetemp() / file[1]
        path.write_text(file[2], encoding="utf-8")
        snippet = file[3].replace(file[1], str(path))
    words = shlex.split(snippet.replace("\\\n", " "))
    assert words[:3] == ["python", "-m", "dpviz"]
    options = parsed(words[3:], COMMANDS)
    assert scenario_from(options) == without_units(scenario)
    assert options.delta == [scenario.delta]


@settings(max_examples=100)
@given(strategies.scenarios() | strategies.RATES_ONLY)
def test_the_python_means_the_same_scenario(scenario):
    constructed = python_code(scenario).split("\naccount = ")[0]
    names = {}
    exec(constructed, names)
    assert names["scenario"] == without_units(scenario)
    assert names["deltas"] == [scenario.delta]


def test_the_code_is_the_same_for_other_units():
    """No text that came with a link is ever pasted in a shell."""
    hostile = replace(TRAFFIC, units=Units(value_unit="'; rm -rf ~ #\" END $(ls) !!"))
    for code in (command_line, python_code):
        assert code(hostile) == code(TRAFFIC)
        with_rates = [code(scenario.with_rates()) for scenario in (hostile, TRAFFIC)]
        assert with_rates[0] == with_rates[1]


def test_lines_are_of_readable_length():
    many = replace(LENGTHS, series_lengths=tuple(range(1000, 1200)), context_length=2000)
    scenarios = [*SCENARIOS.values(), replace(TOY, data=many)]
    for scenario in scenarios:
        for line in command_line(scenario, "delta", [1 / k for k in range(1, 50)]).splitlines():
            assert len(line) <= 80 or line.startswith("  ")
        for line in python_code(scenario, "delta", [1 / k for k in range(1, 50)]).splitlines():
            assert len(line) <= 88


def test_the_python_is_formatted_like_code():
    codes = [python_code(scenario) for scenario in SCENARIOS.values()]
    for code in (python_code(TOY, "delta", [1.0]), max(codes, key=len)):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length=88", "-"],
            input=code,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == code


def test_options_are_named_as_the_command_line_names_them():
    without = {*FIELDS_WITHOUT_OPTION, "schema", "time_step", "value_unit"}
    assert set(SCENARIO_FIELDS) == FIELD_NAMES - without
    assert EPSILON_RANGE == TYPED_EPSILONS


@pytest.mark.parametrize("code", [command_line, python_code])
@pytest.mark.parametrize(
    ("command", "values", "named"),
    [
        ("calibrate", (), "command = 'calibrate' is not allowed: it must be one of epsilon, delta"),
        ("epsilon", (1e-7, 2.0), "delta = 2.0 is not allowed"),
        ("epsilon", (float("nan"),), "delta = nan"),
        ("delta", (), "epsilon: one or more numbers from 0 to 1e\\+09 are needed"),
        ("delta", (-1.0,), "epsilon = -1.0 is not allowed"),
        ("delta", ("$(ls)",), "epsilon = '\\$\\(ls\\)' is not allowed"),
    ],
)
def test_wrong_values_are_named(code, command, values, named):
    with pytest.raises(ScenarioError, match=named):
        code(TOY, command, values)
