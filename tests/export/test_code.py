"""The code beside a chart prints the chart's own numbers, and is short, readable and safe."""

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from dpviz.accounting import account_for
from dpviz.command_line import main
from dpviz.command_line.command import SCENARIO_FIELDS
from dpviz.command_line.commands import COMMANDS
from dpviz.command_line.parser import parsed
from dpviz.command_line.scenario_options import scenario_from
from dpviz.export.code import FIELDS_WITHOUT_OPTION, command_line, python_code
from dpviz.scenario import Noise, Rates, ScenarioError, Training, Units, from_fields
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.wording.theorems import named_theorem
from tests.scenario import strategies
from tests.scenario.changes import TOY, TRAFFIC, varied

LENGTHS = replace(TOY.data, series_lengths=(4, 5, 9), context_length=6, forecast_length=2)
RATES = replace(TOY, data=Rates(bottom_rate=0.1, top_rate=1 / 3, steps_per_epoch=2))


def drawn(scenario=TOY, **sampling):
    return varied(scenario, **sampling)


SCENARIOS = {
    "toy": TOY,
    "traffic": TRAFFIC,
    "rates only": RATES,
    "rates only, share": varied(
        RATES, forecast_share=0.1, noise=Noise(noise_multiplier=1.0, forecast_noise=0.3)
    ),
    "rates and last shape": TRAFFIC.with_rates(top_rate=0.1),
    "several lengths": replace(TOY, data=LENGTHS),
    "some lengths left out": replace(TOY, data=replace(LENGTHS, longer_series_beyond=10)),
    "four windows": drawn(num_subsequences=4),
    "Poisson windows": drawn(
        replace(TOY, data=LENGTHS), bottom_level="poisson", num_subsequences=4
    ),
    "shuffled": drawn(top_level="shuffled"),
    "no lower bound": replace(
        drawn(
            replace(TOY, data=replace(LENGTHS, longer_series_beyond=10)),
            top_level="flat",
            batch_size=100,
        ),
        noise=Noise(noise_multiplier=1.0, forecast_noise=2.0),
    ),
    "walked": varied(drawn(top_level="deterministic"), epochs=3),
    "Poisson series": drawn(top_level="poisson"),
    "one bag": drawn(top_level="flat", batch_size=100),
    "noise on labels": varied(
        TOY, noise_multiplier=1.0, forecast_noise=2.0, max_change=0.1, num_channels=2
    ),
    "user": varied(TOY, level="user", width=3),
    "another delta": replace(TOY, delta=1e-5),
    "no finite epsilon": replace(
        drawn(top_level="deterministic", num_subsequences=64, batch_size=64),
        data=replace(TOY.data, series_lengths=(2,)),
        noise=Noise(noise_multiplier=0.1),
    ),
    "every field": strategies.SHAPE,
    "one direction tells most": replace(TOY, training=Training(unit="epochs", count=1)),
}


def without_units(scenario):
    return replace(scenario, units=Units())


ROOT = Path(__file__).parents[2]
OTHERWISE = [
    ("toy", "epsilon", (1e-5, 1e-7, 3.3e-9)),
    ("traffic", "delta", (0, 1.0, 2 / 3)),
    ("rates and last shape", "epsilon", ()),
    ("noise on labels", "epsilon", (1e-6,)),
    ("no finite epsilon", "epsilon", ()),
    ("one direction tells most", "epsilon", (0.1,)),
    ("one direction tells most", "epsilon", (0.1, 1e-7)),
]
ASKED = [*((name, "epsilon", ()) for name in SCENARIOS), *OTHERWISE]


@cache
def account_of(name):
    return account_for(SCENARIOS[name])


def expected(name, command, values):
    """Return the values asked for and the quoted numbers of the upper and the lower bound."""
    account = account_of(name)
    values = list(values) or [SCENARIOS[name].delta]
    curves = {"upper": account.upper, "lower": account.lower}
    quoted = {
        side: None
        if curve is None
        else [curve.quoted_epsilon_at(delta) for delta in values]
        if command == "epsilon"
        else curve.quoted_delta_at(np.array(values, dtype=float)).tolist()
        for side, curve in curves.items()
    }
    return values, quoted


def words_of(snippet, folder):
    """Return the words that a shell gives to dpviz, once it has written the snippet's file."""
    file = re.fullmatch(r"cat > (\S+) <<'END'\n(.*\n)END\n(.*)", snippet, flags=re.DOTALL)
    if file is not None:
        path = folder / file[1]
        path.write_text(file[2], encoding="utf-8")
        snippet = file[3].replace(file[1], str(path))
    words = shlex.split(snippet.replace("\\\n", " "))
    assert words[:3] == ["python", "-m", "dpviz"]
    return words[3:]


@pytest.mark.parametrize("asked", OTHERWISE, ids=lambda asked: asked[0])
def test_the_command_prints_the_accountants_numbers(asked, tmp_path, capsys):
    name, command, values = asked
    assert main(words_of(command_line(SCENARIOS[name], command, values), tmp_path)) == 0
    answer = json.loads(capsys.readouterr().out)
    values, quoted = expected(*asked)
    assert from_fields(answer["scenario"]) == without_units(SCENARIOS[name])
    for side in ("upper", "lower"):
        if quoted[side] is None:
            assert answer[side] is None
        else:
            assert answer[side][command] == quoted[side]
            assert answer[side]["delta" if command == "epsilon" else "epsilon"] == values


@pytest.mark.skipif(sys.platform == "win32", reason="whose bash is another system's")
def test_a_command_and_its_file_can_be_pasted_in_a_shell(tmp_path, capsys):
    bash = shutil.which("bash") or pytest.skip("there is no bash")
    snippet = command_line(SCENARIOS["rates and last shape"])
    assert main(words_of(snippet, tmp_path)) == 0
    paths = [str(Path(sys.executable).parent), os.environ["PATH"]]
    done = subprocess.run(
        [bash, "-eu"],
        input=snippet + "\n",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": os.pathsep.join(paths), "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.stdout, done.stderr) == (capsys.readouterr().out, "")


@pytest.mark.every(2)
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked[0])
def test_the_python_prints_the_accountants_numbers_with_their_meaning(asked):
    name, command, _ = asked
    account = account_of(name)
    printed = io.StringIO()
    names = {}
    with contextlib.redirect_stdout(printed):
        exec(compile(python_code(SCENARIOS[name], *asked[1:]), "code.py", "exec"), names)
    assert names["scenario"] == without_units(SCENARIOS[name])
    values, quoted = expected(*asked)
    other = "delta" if command == "epsilon" else "epsilon"
    upper, lower = re.split(r"^lower bound", printed.getvalue(), flags=re.MULTILINE)
    assert upper.startswith("upper bound")
    for side, text in (("upper", upper), ("lower", lower)):
        if quoted[side] is None:
            assert text == ": none proven\n"
            continue
        said = re.findall(rf"^  {command} (.*) at {other} (.*)$", text, flags=re.MULTILINE)
        assert [float(given) for _, given in said] == values
        shown = ["not reachable" if value is None else repr(float(value)) for value in quoted[side]]
        assert [number for number, _ in said] == shown
        curve = getattr(account, side)
        by = curve.bound_at if command == "epsilon" else curve.bound_at_epsilon
        bounds = [by(value) for value in values]
        bound = bounds[0]
        theorems = dict.fromkeys(named_theorem(one.theorem) for one in bounds)
        assert " or ".join(theorems) in text
        assert f"over {bound.count:,} {bound.unit.value}" in text
        for words in (bound.extension, bound.condition):
            assert words in text


def test_options_are_used_where_they_suffice():
    with_file = {name for name in SCENARIOS if "--scenario" in command_line(SCENARIOS[name])}
    assert with_file == {
        "rates and last shape", "some lengths left out", "no lower bound", "every field"
    }  # fmt: skip


@settings(max_examples=100)
@given(strategies.scenarios() | strategies.RATES_ONLY)
def test_the_command_means_the_same_scenario(tmp_path_factory, scenario):
    """For any scenario: the options, or the file that the snippet writes, give all but units."""
    words = words_of(command_line(scenario), tmp_path_factory.getbasetemp())
    options = parsed(words, COMMANDS)
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
