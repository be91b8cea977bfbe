"""Write docs/licences.md: what the app runs on, of which version, under which licence.

Run it in the environment that serves the app: ``.venv/bin/python docs/licences.py``.
"""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
# A whole licence text in the field is told by its beginning.
LONGEST_NAME = 40
HEAD = """# What dpviz runs on

All that `pip install -r requirements.txt` brings, with the licences that the packages name
themselves. What dpviz asks for itself is in bold; the rest comes along. Written by
`python docs/licences.py`; `make audit` asks whether a weakness of any of them is known.

| package | version | licence |
| --- | --- | --- |
"""


def main() -> None:
    """Write the page."""
    direct = direct_requirements()
    lines = []
    for name, package in sorted(all_packages(direct).items()):
        shown = f"**{name}**" if name in direct else name
        lines.append(f"| {shown} | {package.version} | {licence_of(package)} |\n")
    PAGE.write_text(HEAD + "".join(lines), encoding="utf-8")


def direct_requirements() -> set[str]:
    """Return the names that requirements.txt asks for on this system."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    asked = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {normal(one.name) for one in asked if one.marker is None or one.marker.evaluate()}


def all_packages(names: set[str]) -> dict[str, Distribution]:
    """Return the installed packages that these need, with themselves."""
    found: dict[str, Distribution] = {}
    waiting = sorted(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:  # asked for elsewhere, such as on another system
            continue
        found[name] = package
        for line in package.requires or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                waiting.append(normal(needed.name))
    return found


def licence_of(package: Distribution) -> str:
    """Return the licence that a package names: its expression, its classifiers, or its field."""
    said = package.metadata
    if expression := said.get("License-Expression"):
        return str(expression)
    classifiers = [line for line in said.get_all("Classifier", []) if line.startswith("License ::")]
    named = [line.rsplit(" :: ", 1)[1] for line in classifiers if line.count(" :: ") > 1]
    if named:
        return ", ".join(named)
    field = (said.get("License") or "").strip().splitlines()
    return field[0][:LONGEST_NAME] if field else "not named"


def normal(name: str) -> str:
    """Return a package's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
