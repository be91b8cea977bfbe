"""A box to type into that begins with what the scenario says."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.ui.state import is_first_in_session


def text_box(
    label: str, *, shows: str, key: str, on_change: Callable[[], None], **options: Any
) -> None:
    """Draw a box; ``on_change`` reads what was typed from the session, by the key.

    A browser that lost its server sends what its boxes hold to the next one, also what was typed
    and never answered. The link says what is so: a box begins with that.

    Args:
        label: what is typed.
        shows: the text it begins with.
        key: its identity: another one for another text, since a box that is made to show another
            one would report it back late and undo what was done meanwhile.
        on_change: called when something was typed.
        options: further ones of ``st.text_input``.
    """
    if is_first_in_session(key):
        st.session_state[key] = shows
    else:
        options["value"] = shows
    st.text_input(label, key=key, on_change=on_change, **options)
