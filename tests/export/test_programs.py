"""The templates of programs are programs themselves, and every place in them is filled."""

import ast
import re
from importlib import import_module
from importlib.resources import files

import pytest

from dpviz.export import programs

# Parts of one program are no programs alone.
PARTS = ("noise", "missing", "data", "training", "head", "channels", "model_numpy", "model_pytorch")
FOLDER = files("dpviz.export") / "templates"
NAMES = sorted({path.name.removesuffix(".py.txt") for path in FOLDER.iterdir()} - {*PARTS})


def parsed(name):
    text = programs.template(name).replace("@@budget_note@@", "")  # a comment, or nothing
    return ast.parse(re.sub(r"@@(\w+)@@", r"\1", text))


@pytest.mark.parametrize("name", NAMES)
def test_template_is_python_whatever_stands_in_its_places(name):
    assert parsed(name).body


@pytest.mark.parametrize("name", NAMES)
def test_all_that_a_template_imports_is_there(name):
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.ImportFrom):
            module = import_module(node.module)
            assert [one.name for one in node.names if not hasattr(module, one.name)] == []


def test_a_place_that_nothing_fills_is_refused():
    with pytest.raises(KeyError, match="imports"):
        programs.filled(programs.template("batch"), {"version": "1"})
