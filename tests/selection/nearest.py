"""Which tests are nearest to a change: ``make check`` runs them first, for as long as it may take.

A test is as far from a change as there are imports between its file and one that was changed. The
imports are read, not run. A page counts as imported by its own tests, which open it by its path.
"""

import ast
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
# These look at all files, and at each page once.
EVERYWHERE = ("tests/architecture/", "tests/goldens/")
# Of no import: what changes no code, and what no code of ours leads to.
FAR = 1_000

Graph = Mapping[str, frozenset[str]]


def changed_files(since: str, root: Path = ROOT) -> frozenset[str]:
    """Return the files that are not as they were, by their paths from the root.

    Args:
        since: a commit; where nothing differs from it, that commit's own change counts.
        root: of the repository.

    Raises:
        ValueError: git knows no such commit, or nothing of this folder.
    """
    for first in (since, f"{since}~1"):
        files = {
            *_git(root, "diff", "--name-only", "--relative", first),
            *_git(root, "ls-files", "--others", "--exclude-standard"),
        }
        if files:
            return frozenset(files)
    return frozenset()


def import_graph(root: Path = ROOT) -> dict[str, frozenset[str]]:
    """Return which files each file of the package, the pages and the tests imports."""
    files = {
        path.relative_to(root).as_posix(): path
        for place in ("dpviz", "pages", "tests", "bench", "docs")
        for path in sorted((root / place).rglob("*.py"))
    }
    graph = {name: _imported(path, files) for name, path in files.items()}
    pages = {name for name in files if name.startswith("pages/")}
    for name in files:
        if name.startswith("tests/pages/test_"):
            own = f"pages/{Path(name).stem.removeprefix('test_')}.py"
            graph[name] |= {own} if own in pages else pages
    return graph


def distances(graph: Graph, changed: Iterable[str]) -> dict[str, int]:
    """Return for each file how many imports there are between it and the nearest changed one.

    >>> distances({"a": frozenset("b"), "b": frozenset("c"), "c": frozenset()}, ["c"])
    {'c': 0, 'b': 1, 'a': 2}
    """
    importers: dict[str, set[str]] = {}
    for name, imported in graph.items():
        for one in imported:
            importers.setdefault(one, set()).add(name)
    found: dict[str, int] = {}
    ring, distance = set(changed), 0
    while ring:
        found |= dict.fromkeys(sorted(ring), distance)
        ring = {name for one in ring for name in importers.get(one, ())} - found.keys()
        distance += 1
    return found


def distances_of_tests(test_files: Iterable[str], since: str) -> dict[str, int]:
    """Return how far each file of tests is from what was changed; doctests stand in the code.

    Args:
        test_files: by their paths from the root.
        since: a commit.
    """
    by_file = distances(import_graph(), changed_files(since))
    return {
        name: 0 if name.startswith(EVERYWHERE) else by_file.get(name, FAR) for name in test_files
    }


def _imported(path: Path, files: Mapping[str, Path]) -> frozenset[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    stems = {module.replace(".", "/") for module in modules}
    places = {place for stem in stems for place in (f"{stem}.py", f"{stem}/__init__.py")}
    return frozenset(places & files.keys())


def _git(root: Path, *words: str) -> list[str]:
    asked = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if asked.returncode:
        raise ValueError(f"git {' '.join(words)}: {asked.stderr.strip()}")
    return asked.stdout.splitlines()
