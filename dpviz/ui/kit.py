"""The teacher's kit to download."""

from urllib.parse import urlsplit

import streamlit as st

from dpviz.export.kit import kit_facts, kit_zip
from dpviz.jobs import Limits
from dpviz.ui.filling import result_of
from dpviz.ui.shared import Part
from dpviz.ui.sharing import app_address, is_own_machine

# For all teachers of a server at once: it does not depend on who asks.
_FACTS = Part(key="teacher's kit", compute=kit_facts, limits=Limits(seconds=120.0), is_long=True)


def draw_kit_button() -> None:
    """Draw the button that hands over the kit, with the address at which it was asked for."""
    url = st.context.url
    address = None if url is None or is_own_machine(url) else app_address(urlsplit(url))
    st.download_button(
        "Download the teacher's kit",
        lambda: kit_zip(result_of(_FACTS), address),
        "dpviz-kit.zip",
        "application/zip",
        key="download_kit",
        icon=":material/download:",
        on_click="ignore",
        help="Plans, slides, a handout, exercises and two tests, as pages to print that need no "
        "network. It takes some seconds. Links and QR codes in it lead to the address in your "
        "browser, unless that is this machine's own.",
    )
