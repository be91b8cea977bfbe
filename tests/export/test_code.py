"""The code beside a chart prints the chart's own numbers, to the last digit."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from dpviz.accounting import account_for
from dpviz.export import command_line, python_code
from dpviz.scenario import from_fields
from dpviz.wording.theorems import named_theorem
from tests.export.code_examples import SCENARIOS, without_units

ROOT = Path(__file__).parents[2]
# A process for each takes half a second, so the shell is tried on a few of every kind; that all
# commands mean the right scenario is another test.
IN_BASH = [
    ("toy", "epsilon", (1e-5, 1e-7, 3.3e-9)),
    ("traffic", "delta", (0, 1.0, 2 / 3)),
    ("rates only", "epsilon", ()),
    ("rates and last shape", "epsilon", ()),
    ("several lengths", "epsilon", ()),
    ("Poisson windows", "epsilon", ()),
    ("noise on labels", "epsilon", (1e-6,)),
    ("one bag", "delta", (0.1, 4)),
    ("user", "epsilon", ()),
    ("another delta", "epsilon", ()),
    ("no finite epsilon", "epsilon", ()),
]
ASKED = [*((name, "epsilon", ()) for name in SCENARIOS), *IN_BASH]


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


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return what bash prints for all commands, pasted one after the other."""
    bash = shutil.which("bash")
    if bash is None or sys.platform == "win32":  # whose bash is another system's
        pytest.skip("there is no bash")
    snippets = [command_line(SCENARIOS[name], *rest) for name, *rest in IN_BASH]
    paths = [str(Path(sys.executable).parent), os.environ["PATH"]]
    done = subprocess.run(
        [bash, "-eu"],
        input="\n".join(snippets) + "\n",
        capture_output=True,
        text=True,
        cwd=tmp_path_factory.mktemp("pasted"),
        env={**os.environ, "PATH": os.pathsep.join(paths), "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("asked", IN_BASH, ids=lambda asked: asked[0])
def test_the_pasted_command_prints_the_accountants_numbers(asked, answers):
    name, command, _ = asked
    answer = answers[IN_BASH.index(asked)]
    values, quoted = expected(*asked)
    assert from_fields(answer["scenario"]) == without_units(SCENARIOS[name])
    for side in ("upper", "lower"):
        if quoted[side] is None:
            assert answer[side] is None
        else:
            assert answer[side][command] == quoted[side]
            assert answer[side]["delta" if command == "epsilon" else "epsilon"] == values


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
        bound = getattr(account, side).bound
        assert named_theorem(bound.theorem) in text
        assert f"over {bound.count:,} {bound.unit.value}" in text
        for words in (bound.extension, bound.condition):
            assert words in text


def test_the_examples_include_bounds_that_say_nothing():
    """So that the tests above cover a missing lower bound and a missing epsilon."""
    assert account_of("no lower bound").lower is None
    assert account_of("no finite epsilon").upper.quoted_epsilon_at(1e-7) is None
