"""Write the lowest version of each range in pyproject.toml into .ci/lowest.txt, for pip to keep to.

``python .ci/lowest.py``, after a change of a range.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
LOWEST = REPOSITORY / ".ci" / "lowest.txt"
_EXTRAS = ("app", "test", "docs")
_HEAD = "# The lowest version of each range (pip's constraints); made by: python .ci/lowest.py\n"
_ASKED = re.compile(r"(?P<name>[\w-]+)(\[\w+\])?(>=|==)(?P<version>[\d.]+)")


def lowest_versions(project: dict[str, Any]) -> Iterator[str]:
    """Yield ``name==version`` for all that the app, its tests and its reference ask for.

    Args:
        project: pyproject.toml's table of that name.

    Raises:
        ValueError: something is asked for without its lowest version.
    """
    extras = project["optional-dependencies"]
    for text in (*project["dependencies"], *(one for extra in _EXTRAS for one in extras[extra])):
        asked = _ASKED.match(text)
        if asked is None:
            raise ValueError(f"{text} names no lowest version")
        yield f"{asked['name']}=={asked['version']}"


def lowest_text() -> str:
    """Return what the file has to hold."""
    content = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    return _HEAD + "".join(f"{one}\n" for one in lowest_versions(tomllib.loads(content)["project"]))


if __name__ == "__main__":
    LOWEST.write_text(lowest_text(), encoding="utf-8", newline="\n")
