"""The link to what is shown as a QR code, made when it is asked for."""

from dataclasses import replace
from urllib.parse import urlencode, urlsplit

import streamlit as st

from dpviz.scenario.missing_package import MissingPackageError
from dpviz.settings.lessons import LESSONS
from dpviz.ui.address import link_to
from dpviz.ui.drawing import show_drawing
from dpviz.ui.lesson_links import open_lesson
from dpviz.ui.state import State

# Of this many characters the code has 89 modules to a side: a phone at the back of a room reads
# about that from a projector of 1080 lines, on which each module is then some 8 lines high.
MOST_CHARACTERS = 700
# Modules of white around a code, without which many readers do not find it (ISO/IEC 18004).
QUIET_ZONE = 4
# No larger than what is seen without scrolling.
_PLACE = '<div style="max-width: 66vh; margin: auto; background: #fff">{}</div>'
_LESSONS_PATH = "/lessons"
_THIS_MACHINE = ("localhost", "127.", "::1", "0.0.0.0")


def qr_button(state: State) -> None:
    """Draw the button that shows the code."""
    if st.button("QR code", key="qr_code", icon=":material/qr_code_2:"):
        _show(state)


def shared_link(state: State, url: str) -> str:
    """Return the link for others: without what this visitor answered, and not presented.

    Args:
        state: the visitor's.
        url: the page's address as the visitor's browser shows it, without its query.
    """
    lesson = open_lesson(state)
    if urlsplit(url).path.endswith(_LESSONS_PATH):
        query = "" if lesson is None else urlencode({"lesson": lesson.name})
    else:
        view = replace(state.view, answers="", revealed="", present=0)
        query = link_to(state.scenario, state.pins, view)
    return f"{url}?{query}" if query else url


def qr_drawing(link: str) -> str:
    """Return a link's code as SVG markup, dark on white.

    Raises:
        MissingPackageError: the package that makes it is not installed.
        ValueError: the link has more than ``MOST_CHARACTERS`` characters.
    """
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
    svg = code.svg_inline(border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True)
    return _PLACE.format(svg)


@st.dialog("Open this page on your own device", width="medium")
def _show(state: State) -> None:
    url = st.context.url
    if url is None:
        st.info("Your browser has not told its address: copy the link instead.")
        return
    link = shared_link(state, url)
    try:
        drawing = qr_drawing(link)
    except MissingPackageError as problem:
        st.info(f"This server makes no QR codes, as {problem}.")
        drawing = ""
    except ValueError as problem:
        st.info(str(problem))
        drawing = ""
    if drawing:
        show_drawing(drawing, key="qr_drawing")
    if (urlsplit(url).hostname or "").startswith(_THIS_MACHINE):
        st.warning(
            "This address is that of your own machine: others cannot open it. Open dpviz at the "
            "network address that it printed when it started, and show the code from there."
        )
    st.code(link, language=None, wrap_lines=True)
    if state.view.lesson in LESSONS:
        st.caption("Your own answers are not part of this link.")
