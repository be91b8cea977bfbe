"""Long texts live in Markdown files beside this one."""

from dataclasses import dataclass
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


@dataclass(frozen=True, kw_only=True)
class TitledText:
    """A text of its own heading: the first line of its file, and the Markdown after it."""

    title: str
    body: str


def titled_text(name: str) -> TitledText:
    """Return the text of this name, whose file begins with its title.

    >>> titled_text("theorems/theorem-4-4").title
    'Theorem 4.4: one window per series'
    """
    title, _, body = text(name).partition("\n")
    return TitledText(title=title.removeprefix("# "), body=body.strip())


def plain(words: str) -> str:
    r"""Return somebody's words as Markdown that shows them as they are.

    >>> print(plain("series *A* [1]"))
    series \*A\* \[1\]
    """
    return words.translate(_SPECIAL)
