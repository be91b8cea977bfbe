"""What a docstring explains is there: arguments, fields and errors have the names that it says."""

import ast
import re

from tests.documentation.pages import ROOT, name_of

MODULES = sorted((ROOT / "dpviz").rglob("*.py"))
SECTION = re.compile(r"^(Args|Attributes|Raises):\n((?:[ \t]+\S.*\n|\n)+)", re.MULTILINE)
# The first line of an entry, not those that go on with it.
ENTRY = re.compile(r"^ {4}(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \([^)]*\))?:", re.MULTILINE)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def explained(node, section):
    """Return the names that a section of a docstring explains."""
    text = (ast.get_docstring(node) or "") + "\n"
    entries = [body for name, body in SECTION.findall(text) if name == section]
    return {
        name.lstrip("*") for body in entries for found in ENTRY.findall(body)
        for name in found.split(", ")
    }  # fmt: skip


def arguments_of(function):
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {one.arg for one in every if one is not None}


def names_of(node):
    """Return a function's arguments; of a class, its fields and those of its construction."""
    if isinstance(node, FUNCTIONS):
        return arguments_of(node)
    made = [one for one in node.body if isinstance(one, FUNCTIONS) and one.name == "__init__"]
    fields = {
        one.target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    return fields.union(*map(arguments_of, made))


def wrong(path):
    """Return what is explained in a module's docstrings and is not there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        inherits = isinstance(node, ast.ClassDef) and node.bases
        unknown = explained(node, "Args") - names_of(node)
        if unknown and not inherits:
            found.append((node.name, sorted(unknown)))
    return found


def test_arguments_that_are_explained_are_there():
    found = {name_of(path): wrong(path) for path in MODULES}
    assert {name: what for name, what in found.items() if what} == {}
