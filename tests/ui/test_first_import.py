"""Many may open a server the moment it starts: no two of them import at the same time."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
FIRST = "dpviz.ui.first_import"
# Prints what the imports of a script add to those that the first visitor has made.
ADDED = """
import sys
import dpviz.ui.first_import
there = set(sys.modules)
exec(sys.argv[1])
print(sorted(set(sys.modules) - there))
"""


def imports_of(script: Path) -> list[ast.stmt]:
    body = ast.parse(script.read_text(encoding="utf-8")).body
    return [one for one in body if isinstance(one, ast.Import | ast.ImportFrom)]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_page_waits_for_the_first_import(script):
    """A server's first visitors run pages without the router, so each of them has to."""
    of_ours = [
        one.names[0].name if isinstance(one, ast.Import) else str(one.module)
        for one in imports_of(script)
    ]
    assert next(name for name in of_ours if name.startswith("dpviz")) == FIRST


def test_pages_import_nothing_after_that():
    """A page that needs more names it in dpviz/ui/first_import.py."""
    program = "\n".join(ast.unparse(one) for script in SCRIPTS for one in imports_of(script))
    done = subprocess.run(
        [sys.executable, "-c", ADDED, program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"
