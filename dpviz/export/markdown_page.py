"""Markdown as HTML in which nothing but our own tags can be a tag."""

import functools
import re
from collections.abc import MutableMapping, Sequence
from typing import TYPE_CHECKING, Any

from dpviz.scenario.missing_package import MissingPackageError

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_COMPARISON = re.compile(" ([≤≥]) ")
_WIDE = '<div class="wide" tabindex="0" role="region" aria-label="Table">'


def html_of(markdown: str) -> str:
    r"""Return Markdown as HTML: tables may scroll sideways, code has room for a button.

    Written by markdown-it-py, since what a visitor typed is in the text, and escaping is no place
    for code of our own. HTML in the text is shown as it is written.

    Raises:
        MissingPackageError: markdown-it-py is not installed.

    >>> html_of("a *b* <b>c</b>")
    '<p>a <em>b</em> &lt;b&gt;c&lt;/b&gt;</p>\n'
    """
    # A line that ended inside of "ε ≤ 2" would be read wrongly.
    return str(_writer().render(_COMPARISON.sub("\u00a0\\1\u00a0", markdown)))


def _table_open(*_: object) -> str:
    return f"{_WIDE}\n<table>\n"


def _table_close(*_: object) -> str:
    return "</table>\n</div>\n"


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

    rules: Any = writer.renderer.rules  # type: ignore[attr-defined]
    rules |= {"table_open": _table_open, "table_close": _table_close, "fence": fence}
    return writer
