"""How many words each page shows: ``python -m bench.words [--text] [PAGE ...]``.

Counted are the words that a visitor reads on opening the page, those with all of its folded parts
open, and those of its help texts, which show on pointing. Titles of charts count, their ticks and
numbers do not; nor do menu and tabs, symbols and tables of data.
"""

import argparse
import json
import logging
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from dpviz.settings.destinations import PAGE_NAMES
from dpviz.ui import long_runs
from tests.goldens.visiting import PARTS
from tests.pages.app import Page
from tests.pages.train_page import AtOnce

_WORD = re.compile(r"[^\W\d_]{2,}[\w'’-]*|\b[aAI]\b")
_NOT_READ = re.compile(r"<[^>]*>|\]\([^)]*\)|\$[^$]*\$|:material/\w+:|`[^`]*`")
_FOLDED = ("expander", "popover")
_SAID = ("markdown", "caption", "title", "header", "subheader", "info", "warning", "error")
_PARTS_OF_CONTROL = ("note", "problem", "origin", "shows")


def words(text: str) -> int:
    """Return how many words a Markdown text has.

    >>> words("**ε** is [at most](glossary) 19.03")
    3
    """
    return len(_WORD.findall(_NOT_READ.sub(" ", text)))


def opened(page: str, parts: tuple[str, ...] = ()) -> Page:
    """Return a page as it is at first, with these folded parts open."""
    with patch.object(long_runs, "_runs", AtOnce()):
        app = Page(parts=parts, seconds=300)
        app.switch_page(f"pages/{page}.py")
        return app.run()


def seen_texts(block: Any, *, folded: bool = False) -> Iterator[str]:
    """Yield the texts that are read without pointing at anything.

    Args:
        block: of the page.
        folded: whether what is folded away is read, too.
    """
    for child in getattr(block, "children", {}).values():
        if child.type in _FOLDED:
            yield child.label if child.type == "expander" else child.proto.popover.label
            if not folded and not (child.type == "expander" and child.proto.expanded):
                continue
        elif child.type in _SAID:
            yield str(child.value)
        elif child.type == "bidi_component":
            yield from _component_texts(child.proto)
        elif child.type in ("button", "download_button", "text_input", "selectbox", "multiselect"):
            yield str(getattr(child, "label", None) or getattr(child.proto, "label", ""))
        yield from seen_texts(child, folded=folded)


def _component_texts(proto: Any) -> Iterator[str]:
    spec = json.loads(proto.bytes or proto.json or b"null")
    if proto.component_name == "dpviz_control":
        yield " ".join("".join(text for text, *_ in spec["label"]).split())
        yield from (str(spec.get(name) or "") for name in _PARTS_OF_CONTROL)
        if spec["kind"] == "segments" and not spec.get("listed"):  # else a list drops down
            yield from (str(option[1]) for option in spec.get("options", ()))
    elif proto.component_name == "dpviz_chart":
        yield spec[1].get("layout", {}).get("title", {}).get("text", "")


def help_texts(block: Any) -> Iterator[str]:
    """Yield what shows on pointing."""
    for child in getattr(block, "children", {}).values():
        if child.type == "bidi_component" and child.proto.component_name == "dpviz_control":
            spec = json.loads(child.proto.bytes)
            yield from ("".join(text for text, *_ in spans) for spans in spec.get("help") or ())
        else:
            yield str(getattr(child, "help", "") or "")
        yield from help_texts(child)


def main() -> None:
    """Print the table, or what is counted."""
    parser = argparse.ArgumentParser(prog="python -m bench.words", description=__doc__)
    parser.add_argument("page", nargs="*", help="addresses; all pages if none")
    parser.add_argument("--text", action="store_true", help="print the texts themselves")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    print(f"{'page':<24} {'first':>6} {'open':>6} {'help':>6}")
    for page in options.page or PAGE_NAMES:
        app, whole = opened(page), opened(page, PARTS)
        first, everything = [*seen_texts(app.main)], [*seen_texts(whole.main, folded=True)]
        helps = [*help_texts(whole.main)]
        counts = [sum(map(words, texts)) for texts in (first, everything, helps)]
        print(f"{page:<24} {counts[0]:>6,} {counts[1]:>6,} {counts[2]:>6,}")
        if options.text:
            print(*filter(None, first), sep="\n")


if __name__ == "__main__":
    main()
