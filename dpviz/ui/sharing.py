"""The link to what is shown, to copy, as a QR code, or for readers of a report."""

from contextlib import AbstractContextManager
from dataclasses import replace
from ipaddress import ip_address
from urllib.parse import SplitResult, quote, urlencode, urlsplit

import streamlit as st

from dpviz.export.qr_code import qr_code
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.settings.lessons import LESSONS
from dpviz.ui.address import link_to
from dpviz.ui.drawing import show_drawing
from dpviz.ui.lesson_links import open_lesson
from dpviz.ui.page_style import browser_part
from dpviz.ui.state import State

# Clipboard access needs https or localhost: elsewhere the link is shown, selected, to copy by hand.
_SCRIPT = browser_part("copy_link.js")
_STYLE = browser_part("copy_link.css")
_MENU = "share"
# Names that lead somewhere else, or nowhere, in another network (RFC 6761, 6762, 8375 and use).
_OF_A_NETWORK = (".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa", ".test")
# No larger than what is seen without scrolling.
_PLACE = '<div style="max-width: 66vh; margin: auto; background: #fff">{}</div>'
_LESSONS_PATH = "/lessons"
_THIS_MACHINE = ("localhost", "127.", "::1", "0.0.0.0")


def share_menu() -> AbstractContextManager[object]:
    """Return the menu of all that a page is for others."""
    return st.popover("Share", icon=":material/ios_share:", key=_MENU, on_change="rerun")


def shut_share_menu() -> None:
    """Shut the menu, for a dialog or a room that one of its buttons leads to.

    Else it would stay open beside them, and take the Escape key from them.
    """
    st.session_state[_MENU] = False


def copy_link_button(*, key: str) -> None:
    """Draw the button.

    It copies the address bar, which always holds the whole state, without what the visitor
    answered and looked up in lessons.
    """
    button = st.components.v2.component("dpviz_copy_link", js=_SCRIPT, css=_STYLE)
    button(key=key, width="content")


def public_address(url: str | None) -> str | None:
    """Return the app's address without the page.

    Args:
        url: the page's, as the visitor's browser shows it; ``None`` where none has told it.

    Returns:
        ``None`` where others could not open it: on the visitor's own machine, or at a private
        address.

    >>> public_address("https://dp.example.org/app/privacy_curve")
    'https://dp.example.org/app/'
    >>> public_address("http://localhost:8501/privacy_curve") is None
    True
    """
    parts = urlsplit(url or "")
    if parts.scheme not in ("http", "https") or not _is_public(parts.hostname or ""):
        return None
    return app_address(parts)


def app_address(page: SplitResult) -> str:
    """Return the app's address, of that of a page.

    >>> app_address(urlsplit("http://192.168.0.7:8501/lessons"))
    'http://192.168.0.7:8501/'
    """
    folder = quote(page.path.rpartition("/")[0], safe="/%")
    return f"{page.scheme}://{page.netloc}{folder}/"


def _is_public(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:  # it is a name
        return "." in host and not host.rstrip(".").endswith(_OF_A_NETWORK)


def qr_button(state: State) -> None:
    """Draw the button that shows the code."""
    if st.button("QR code", key="qr_code", icon=":material/qr_code_2:", on_click=shut_share_menu):
        _show(state)


def shared_link(state: State, url: str) -> str:
    """Return the link for others: without what this visitor answered, and not presented.

    Args:
        state: the visitor's.
        url: the page's address as the visitor's browser shows it, without its query.
    """
    lesson = open_lesson(state)
    if urlsplit(url).path.endswith(_LESSONS_PATH):
        told = {"class": state.view.class_code, "lesson": "" if lesson is None else lesson.name}
        query = urlencode({name: value for name, value in told.items() if value})
    else:
        view = replace(state.view, answers="", revealed="", participant=0, class_key="", present=0)
        query = link_to(state.scenario, state.pins, view)
    return f"{url}?{query}" if query else url


def qr_drawing(link: str) -> str:
    """Return a link's code as markup for a page; arguments and errors as for :func:`qr_code`."""
    return _PLACE.format(qr_code(link))


def is_own_machine(url: str) -> bool:
    """Return whether nobody else can open an address."""
    return (urlsplit(url).hostname or "").startswith(_THIS_MACHINE)


def warn_of_own_machine(url: str) -> None:
    """Say so where nobody else can open an address."""
    if is_own_machine(url):
        st.warning(
            "This address is that of your own machine: others cannot open it. Open dpviz at the "
            "network address that it printed when it started, and show the code from there."
        )


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
    warn_of_own_machine(url)
    st.code(link, language=None, wrap_lines=True)
    if state.view.lesson in LESSONS:
        st.caption("Your own answers are not part of this link.")
