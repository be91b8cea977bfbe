"""How every page is laid out, on wide screens and on phones, and what runs in it."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

_FOLDER = Path(__file__).parent / "browser"


def run_script(
    name: str,
    data: Any = None,
    *,
    key: str = "",
    width: Literal["stretch", "content"] = "content",
) -> None:
    """Run a script of ``browser/`` in the page, with ``data`` and the style of its name, if any."""
    script, style = _script_and_style(name)
    place = st.components.v2.component(f"dpviz_{name}", js=script, css=style)
    place(key=key or name, data=data, width=width)


@cache
def _script_and_style(name: str) -> tuple[str, str | None]:
    style = f"{name}.css"
    return _text(f"{name}.js"), _text(style) if (_FOLDER / style).is_file() else None


def _text(name: str) -> str:
    return "\n" + (_FOLDER / name).read_text("utf-8")


def style_part(name: str) -> str:
    """Return a style of ``browser/`` as an element of a page."""
    return f"<style>{_text(name)}</style>"


# The chart is in the first screen, and stays in sight with its headline while the settings are
# scrolled: on a phone a small chart at the top, the headline at the bottom. On a screen that is
# low, too, as one is where all is enlarged, both scroll. An answer that a run has not drawn anew
# yet says so, unless that takes but a moment: it may be of the settings before. On a phone, where a
# chart goes because a file is to be opened first, its room stays: the box for the file is not to
# move away from the finger. Greek letters of prose, and symbols in labels of controls, are set in
# the face that Streamlit's own formulas have, which it serves under these names.
_STYLE = style_part("page.css")


# CanvasText follows the app's own theme, not the system's; buttons have it before they have a ring,
# which would else fade over from the colour of their words. Code breaks its lines, as what scrolls
# sideways needs a mouse. What gets the focus is scrolled clear of what stays at top and bottom.
# What waits for a long run to draw it anew pales less than Streamlit's third, which could not be
# read. Menus and dialogs are outside of the app's element, where only their text's colour is known.
# The navigation of narrow screens cannot be reached while it is not there.
_ACCESSIBLE = style_part("accessible.css")


def tighten_layout() -> None:
    """Fit the pages to small screens, to the keyboard and to who wants little motion."""
    st.html(_STYLE)
    st.html(_ACCESSIBLE)
