"""Long texts live in Markdown files beside this one."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpviz.wording.plain import plain

__all__ = ["TitledText", "plain", "text", "titled_text"]

_FOLDER = Path(__file__).parent


@cache
def text(name: str) -> str:
    """Return the Markdown text of this name.

    >>> text("reading").startswith("**")
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
