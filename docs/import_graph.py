"""Draw who imports whom, from the code: ``python docs/import_graph.py``.

It writes into docs/architecture.md, between two marks, a drawing (Mermaid, which GitHub and most
viewers of Markdown show as a picture) and a table. The drawing leaves out what follows from other
arrows; the table has every import. tests/architecture/test_house.py holds imports to the ranks.
"""

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dpviz"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- Made by docs/import_graph.py: begin -->"
END = "<!-- Made by docs/import_graph.py: end -->"
PAGES = "pages"
# Imports run from the last to the first; a package may import those of smaller rank only.
LAYERS = (
    ("scenario", "files"),
    ("settings", "series_file", "guarantees", "sampling", "reported", "public_series", "studies"),
    ("accounting", "classroom"),
    ("risk", "release", "multistage", "loaders"),
    ("planning",),
    ("training", "sweeps", "protected_forecasts"),
    ("private_inference", "training_study"),
    ("wording",),
    ("figures",),
    ("export", "jobs", "rehearsal"),
    ("ui", "command_line"),
)
RANKS = {area: rank for rank, areas in enumerate(LAYERS) for area in areas}

Graph = Mapping[str, frozenset[str]]


@cache
def modules_imported(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, wherever it does, and what it takes from them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def areas_imported(path: Path) -> set[str]:
    """Return the areas of dpviz that a file imports from."""
    parts = [module.split(".") for module in modules_imported(path)]
    areas = {part[1] for part in parts if part[0] == "dpviz" and len(part) > 1}
    return {area for area in areas if (PACKAGE / area).is_dir()}


@cache
def import_graph() -> dict[str, frozenset[str]]:
    """Return which areas each area imports, and the pages with app.py as one more."""
    files: dict[str, Iterable[Path]] = {
        area.name: area.rglob("*.py")
        for area in sorted(PACKAGE.iterdir())
        if (area / "__init__.py").exists()
    }
    files[PAGES] = [ROOT / "app.py", *(ROOT / "pages").glob("*.py")]
    return {
        area: frozenset().union(*map(areas_imported, paths)) - {area}
        for area, paths in files.items()
    }


def without_implied(graph: Graph) -> dict[str, frozenset[str]]:
    """Return the graph without arrows that lead where others lead already.

    >>> without_implied({"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()})["a"]
    frozenset({'b'})
    """
    return {
        area: frozenset(
            one
            for one in imported
            if not any(one in reached(graph, other) for other in imported - {one})
        )
        for area, imported in graph.items()
    }


def reached(graph: Graph, area: str) -> set[str]:
    """Return the areas that an area imports, directly or through others."""
    found: set[str] = set()
    waiting = [area]
    while waiting:
        for one in graph[waiting.pop()] - found:
            found.add(one)
            waiting.append(one)
    return found


def mermaid(graph: Graph, rank: Mapping[str, int]) -> str:
    """Return the drawing: a row of boxes for each rank, arrows from who imports to what."""
    lines = ["flowchart TD"]
    for level in sorted(set(rank.values()), reverse=True):
        names = sorted(area for area, its in rank.items() if its == level)
        lines.append(f'  subgraph rank{level}["rank {level}"]')
        lines.append("    direction LR")
        lines += [f"    {name}" for name in names]
        lines.append("  end")
    arrows = without_implied(graph)
    lines += [f"  {area} --> {one}" for area in arrows for one in sorted(arrows[area])]
    return "\n".join(lines)


def table(graph: Graph, rank: Mapping[str, int]) -> str:
    """Return every import, highest rank first."""
    rows = ["| rank | area | imports | what it is |", "| --: | --- | --- | --- |"]
    for area in sorted(graph, key=lambda one: (-rank[one], one)):
        imported = ", ".join(sorted(graph[area], key=lambda one: (-rank[one], one)))
        rows.append(f"| {rank[area]} | {area} | {imported or 'nothing of dpviz'} | {said(area)} |")
    return "\n".join(rows)


def said(area: str) -> str:
    """Return what an area says of itself: the first line of its docstring."""
    if area == PAGES:
        return "The router app.py, and one file for each page."
    source = (PACKAGE / area / "__init__.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or "").split("\n\n")[0].replace("\n", " ")


def drawn() -> str:
    """Return what stands between the marks."""
    graph, rank = import_graph(), RANKS | {PAGES: max(RANKS.values()) + 1}
    return f"```mermaid\n{mermaid(graph, rank)}\n```\n\n{table(graph, rank)}"


def committed() -> str:
    """Return what stands between the marks of the page now."""
    text = PAGE.read_text(encoding="utf-8")
    return text.split(BEGIN)[1].split(END)[0].strip()


def main() -> None:
    """Write the drawing and the table into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n\n{drawn()}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
