"""A link as a code that phones read."""

import html

from dpviz.scenario.errors import MissingPackageError
from dpviz.scenario.link import shortened

# Of this many characters the code has 89 modules to a side: a phone at the back of a room reads
# about that from a projector of 1080 lines, on which each module is then some 8 lines high.
MOST_CHARACTERS = 700
# Modules of white around a code, without which many readers do not find it (ISO/IEC 18004).
QUIET_ZONE = 4


def qr_code(link: str) -> str:
    """Return a link's code as SVG markup, dark on white; of a long link, that of a shorter one.

    Raises:
        MissingPackageError: the package that makes it is not installed.
        ValueError: even the shorter link has more than ``MOST_CHARACTERS`` characters.
    """
    place, mark, query = link.partition("?")
    if len(link) > MOST_CHARACTERS and mark:
        link = f"{place}?{shortened(query)}"
    if len(link) > MOST_CHARACTERS:
        raise ValueError(
            f"This link has {len(link):,} characters, and a QR code that can be read from a "
            f"projector holds {MOST_CHARACTERS}. Copy the link instead, or remove pins."
        )
    try:
        import segno
    except ModuleNotFoundError as error:
        raise MissingPackageError("segno") from error
    code = segno.make_qr(link, error="l")
    return str(code.svg_inline(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True))


def code_figure(link: str, words: str) -> str:
    """Return a link with its code above it as HTML; without one where none can be made."""
    try:
        drawing = qr_code(link)
    except (MissingPackageError, ValueError):
        drawing = ""
    target, words = html.escape(link, quote=True), html.escape(words)
    return f'<figure class="code-of-link">{drawing}<a href="{target}">{words}</a></figure>'
