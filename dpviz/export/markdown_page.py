"""Markdown as HTML in which nothing but our own tags can be a tag."""

import functools
import html
import re
from collections.abc import MutableMapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dpviz.export.formulas import typeset
from dpviz.scenario.errors import MissingPackageError
from dpviz.wording.glossary import glossary

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

_COMPARISON = re.compile(" ([≤≥]) ")
_STATEMENT = re.compile(r"\*\*(\d+)\. ")  # what a proposition of docs/ begins with
_WIDE_COLUMNS = 4
_WIDE = '<div class="wide" tabindex="0" role="region" aria-label="Table">'


def html_of(markdown: str, *, is_document: bool = False) -> str:
    r"""Return Markdown as HTML: tables may scroll sideways, code has room for a button.

    Written by markdown-it-py, since what a visitor typed is in the text, and escaping is no place
    for code of our own. HTML in the text is shown as it is written. In a document links lead to
    headings, as on GitHub, and to propositions, and all formulas are typeset.

    Raises:
        MissingPackageError: markdown-it-py is not installed.

    >>> html_of("a *b* <b>c</b>")
    '<p>a <em>b</em> &lt;b&gt;c&lt;/b&gt;</p>\n'
    >>> html_of("σ_F, e^ε")
    '<p><var>σ</var><sub>F</sub>, <var>e</var><sup>ε</sup></p>\n'
    """
    # A line that ended inside of "ε ≤ 2" would be read wrongly.
    text = _COMPARISON.sub("\u00a0\\1\u00a0", markdown)
    return str(_writer().render(text, {"is_document": is_document}))


@functools.cache
def _symbols() -> re.Pattern[str]:
    """Return the pattern of powers of e, and of our own symbols that have an index."""
    indexed = {one for term in glossary() for one in re.findall(r"\w_[A-Za-z]+", term.symbol)}
    return re.compile(rf"\b({'|'.join(sorted(indexed))})\b|\be\^(ε|\d[\d.,]*(?<![.,]))")


def _text(tokens: "Sequence[Token]", at: int, _: object, env: MutableMapping[str, Any]) -> str:
    def variable(symbol: re.Match[str]) -> str:
        if symbol[1] is None:
            return f"<var>e</var><sup>{symbol[2]}</sup>"
        letter, index = symbol[1].split("_")
        return f"<var>{letter}</var><sub>{index}</sub>"

    escaped = html.escape(tokens[at].content, quote=False).replace('"', "&quot;")
    return typeset(escaped) if env.get("is_document") else _symbols().sub(variable, escaped)


def _label_cells(state: "StateCore") -> None:
    """Give each cell of a wide table its column's heading: narrow screens show it as lists."""
    tokens, headings, at = state.tokens, list[str](), 0
    for token, content in pairwise(tokens):
        if token.type == "table_open":
            headings = []
        elif token.type == "th_open":
            headings.append(content.content)
        elif token.type == "tr_open":
            at = 0
        elif token.type == "td_open" and len(headings) >= _WIDE_COLUMNS:
            token.attrSet("data-label", headings[at])
            at += 1


def _set_anchors(state: "StateCore") -> None:
    if state.env.get("is_document"):
        for token, content in pairwise(state.tokens):
            if token.type == "heading_open":
                words = re.sub(r"[^\w\s-]", "", content.content.lower())
                token.attrSet("id", re.sub(r"\s", "-", words))
            elif token.type == "paragraph_open" and (one := _STATEMENT.match(content.content)):
                token.attrSet("id", f"proposition-{one[1]}")


@functools.cache
def _writer() -> "MarkdownIt":
    # Imported here: whoever wants no page needs no package for it.
    try:
        from markdown_it import MarkdownIt
    except ModuleNotFoundError:
        raise MissingPackageError("markdown-it-py") from None
    writer = MarkdownIt("commonmark", {"html": False}).enable("table")
    plain_fence: Any = writer.renderer.rules["fence"]  # type: ignore[attr-defined]

    def fence(
        tokens: "Sequence[Token]", at: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        return f'<div class="code">{plain_fence(tokens, at, options, env)}</div>\n'

    plain_block: Any = writer.renderer.rules["code_block"]  # type: ignore[attr-defined]

    def code_block(
        tokens: "Sequence[Token]", at: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        if not env.get("is_document"):
            return str(plain_block(tokens, at, options, env))
        return f'<p class="formula">{_text(tokens, at, options, env).rstrip()}</p>\n'

    writer.core.ruler.push("labels", _label_cells)
    writer.core.ruler.push("anchors", _set_anchors)
    rules: Any = writer.renderer.rules  # type: ignore[attr-defined]
    rules |= {"table_open": lambda *_: f"{_WIDE}\n<table>\n"}
    rules |= {"table_close": lambda *_: "</table>\n</div>\n"}
    rules |= {"fence": fence, "code_block": code_block, "text": _text}
    return writer
