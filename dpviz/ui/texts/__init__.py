"""Long texts live in Markdown files beside this one."""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_SPECIAL = str.maketrans({character: f"\\{character}" for character in r"\`*_{}[]()<>#+-!|~$:"})


@cache
def text(name: str) -> str:
    """Return the Markdown text of this name.

    >>> text("assumptions").startswith("-")
    True
    """
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")


def plain(words: str) -> str:
    r"""Return somebody's words as Markdown that shows them as they are.

    >>> print(plain("series *A* [1]"))
    series \*A\* \[1\]
    """
    return words.translate(_SPECIAL)
