"""Long texts, in Markdown files beside this one; and Markdown of labels, taken apart."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from dpviz.ui.static_files import DOCUMENTS, FOLDER
from dpviz.wording.markup import plain

__all__ = ["plain", "text", "titled_text"]

_FOLDER = Path(__file__).parent
_NAMED = re.compile(r"(?<![\[/])(`?)docs/([a-z-]+\.md)\1")  # in no link yet


@cache
def text(name: str) -> str:
    """Return the Markdown text of this name.

    >>> text("region_caption").startswith("Thick line")
    True
    """
    return with_documents((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def with_documents(markdown: str) -> str:
    """Return Markdown in which names of documentation that is there are links to it.

    >>> with_documents("Proof: `docs/release.md`, not docs/of-nobody.md.")
    'Proof: [docs/release.md](app/static/docs/release.md), not docs/of-nobody.md.'
    """

    def linked(named: re.Match[str]) -> str:
        name = named[2]
        return f"[docs/{name}]({FOLDER}docs/{name})" if name in DOCUMENTS else named[0]

    return _NAMED.sub(linked, markdown)


def titled_text(name: str) -> tuple[str, str]:
    """Return title and Markdown of a text whose file begins with its title.

    >>> titled_text("theorems/theorem-4-4")[0]
    'Theorem 4.4: one window per series'
    """
    title, _, body = text(name).partition("\n")
    return title.removeprefix("# "), body.strip()


# A piece of text, how it is set ("strong", "em", "code" or ""), and where it leads to, if anywhere.
Span = tuple[str, str, str]

_MARKDOWN = MarkdownIt("js-default", {"html": False})
_SET_AS = {"strong_open": "strong", "em_open": "em", "strong_close": "", "em_close": ""}


@lru_cache(maxsize=1024)
def spans(markdown: str) -> tuple[Span, ...]:
    """Return the pieces of one line of Markdown.

    >>> spans("**A**: 4 < 5, [r](glossary?term=r)")
    (('A', 'strong', ''), (': 4 < 5, ', '', ''), ('r', '', 'glossary?term=r'))
    """
    (line,) = _MARKDOWN.parseInline(markdown)
    return _spans(line.children or ())


@lru_cache(maxsize=1024)
def paragraphs(markdown: str) -> tuple[tuple[Span, ...], ...]:
    r"""Return the pieces of each paragraph of Markdown.

    >>> paragraphs("One.\n\nTwo.")
    ((('One.', '', ''),), (('Two.', '', ''),))
    """
    lines = (token for token in _MARKDOWN.parse(markdown) if token.type == "inline")
    return tuple(_spans(line.children or ()) for line in lines)


def unmarked(markdown: str) -> str:
    """Return the words of one line of Markdown.

    >>> unmarked("**A**: 4 < 5")
    'A: 4 < 5'
    """
    return "".join(text for text, *_ in spans(markdown))


def _spans(tokens: Sequence[Token]) -> tuple[Span, ...]:
    found: list[Span] = []
    kind = address = ""
    for token in tokens:
        if token.type in _SET_AS:
            kind = _SET_AS[token.type]
        elif token.type == "link_open":
            address = str(token.attrs.get("href", ""))
        elif token.type == "link_close":
            address = ""
        elif token.type in ("softbreak", "hardbreak"):
            found.append((" ", kind, address))
        elif token.content:
            found.append((token.content, "code" if token.type == "code_inline" else kind, address))
    return tuple(found)
