"""Make pages of all modules from their docstrings: ``python docs/reference.py [FOLDER]``.

pdoc writes them, by default into build/reference/, which is in no repository. The user interface
and the server's processes are left out: they offer nothing to programs. Nothing in the pages is
loaded from elsewhere.
"""

import sys
from pathlib import Path

import pdoc
import pdoc.extract

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "reference"
LEFT_OUT = {"ui", "jobs", "__main__"}


def module_names() -> list[str]:
    """Return the names of all modules that have a page, packages before what is in them."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "dpviz").rglob("*.py")]
    parts = [path.parts[:-1] if path.name == "__init__" else path.parts for path in paths]
    return sorted(".".join(one) for one in parts if LEFT_OUT.isdisjoint(one))


def specifications() -> list[str]:
    """Return what pdoc is asked for: of a package with ``__all__`` it takes no other modules."""
    named: list[str] = []
    included: set[str] = set()
    for name in module_names():
        if name not in included:
            named.append(name)
            included.update(pdoc.extract.walk_specs([name]))
    return [*named, *(f"!dpviz\\.{area}" for area in sorted(LEFT_OUT))]


def make(folder: Path) -> None:
    """Write the pages."""
    pdoc.render.configure(
        docformat="google",
        footer_text="dpviz: how private is a forecasting model, before you train it?",
    )
    pdoc.pdoc(*specifications(), output_directory=folder)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
