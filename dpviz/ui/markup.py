"""Markdown of labels and helps, as the HTML that controls show."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt

# "js-default" lets no HTML through: what a visitor has named stays text.
_MARKDOWN = MarkdownIt("js-default", {"html": False})
_TAG = re.compile(r"<[^>]+>")


@lru_cache(maxsize=1024)
def inline_html(markdown: str) -> str:
    """Return one line of Markdown as HTML.

    >>> inline_html("**A**: 4 < 5")
    '<strong>A</strong>: 4 &lt; 5'
    """
    return _linked(_MARKDOWN.renderInline(markdown))


@lru_cache(maxsize=1024)
def help_html(markdown: str) -> str:
    r"""Return paragraphs of Markdown as HTML.

    >>> help_html("[Glossary](glossary?term=r)")
    '<p><a target="_blank" href="glossary?term=r">Glossary</a></p>\n'
    """
    return _linked(_MARKDOWN.render(markdown))


@lru_cache(maxsize=1024)
def unmarked(markdown: str) -> str:
    """Return the words of one line of Markdown.

    >>> unmarked("**A**: 4 < 5")
    'A: 4 < 5'
    """
    words = _TAG.sub("", _MARKDOWN.renderInline(markdown))
    for name, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        words = words.replace(name, character)
    return words


def _linked(html: str) -> str:
    # The page that explains has no settings: who looks a word up keeps theirs.
    return html.replace("<a ", '<a target="_blank" ')
