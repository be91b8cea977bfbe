"""The reference is made from docstrings without a warning, and lacks nothing public."""

import ast
import subprocess
import sys

import pytest

from tests.documentation.pages import ROOT

PACKAGE = ROOT / "dpviz"
# Named here by themselves, so that nothing is left out unnoticed.
LEFT_OUT = {"ui", "jobs"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Make the pages; warnings are errors."""
    pytest.importorskip("pdoc", reason="make docs installs pdoc")
    folder = tmp_path_factory.mktemp("reference")
    script = ROOT / "docs" / "reference.py"
    command = [sys.executable, "-W", "error", str(script), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def public_names(path):
    """Return what a file defines at its top for others: functions and classes."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return [
        node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")
    ]


@pytest.mark.slow
def test_every_public_module_function_and_class_has_its_entry(pages):
    missing = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[1] in LEFT_OUT or path.name == "__main__.py":
            continue
        parts = parts[:-1] if path.name == "__init__.py" else parts
        page = pages.joinpath(*parts).with_suffix(".html")
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        lacking = [name for name in public_names(path) if f'id="{name}"' not in text]
        if lacking or not text:
            missing.append((".".join(parts), lacking))
    assert missing == []


@pytest.mark.slow
def test_pages_load_nothing_from_elsewhere(pages):
    text = (pages / "dpviz" / "accounting" / "curve.html").read_text(encoding="utf-8")
    assert "<script src=" not in text
    assert "@import" not in text
    assert 'rel="stylesheet"' not in text
