"""The three doors of the start page."""

import streamlit as st

from dpviz.ui.page import page_file

_DOORS = {
    "planner": ("Plan a training", "Your data and your goal: the noise that meets it."),
    "lessons": ("Teach or learn", "Predict, move one slider, see why."),
    "theory_check": ("Check the theory", "Attack the training, and compare with the bounds."),
}
# All of a card leads where its link does. Here there is more room than on pages with settings.
_STYLE = """<style>
.st-key-start_text {padding-top: 0.625rem;}
.st-key-sampling_picture {padding-block: 0.75rem;}
[class*="st-key-door_"] {position: relative; gap: 0.125rem; padding: 0.75rem 1rem;}
[class*="st-key-door_"]:hover {border-color: var(--st-primary-color);}
[class*="st-key-door_"] a {padding: 0; background: none;}
[class*="st-key-door_"] a::after {content: ""; position: absolute; inset: 0; z-index: 1;}
[class*="st-key-door_"] a p {font-size: 1.125rem; font-weight: 600;}
[class*="st-key-door_"] :is(.stPageLink, [data-testid=stPageLink], .stElementContainer) {
  position: static;
}
</style>"""


def draw_doors() -> None:
    """Draw a card for each way into the app."""
    st.html(_STYLE)
    for column, (page, (title, caption)) in zip(st.columns(3), _DOORS.items(), strict=True):
        with column, st.container(border=True, key=f"door_{page}"):
            st.page_link(page_file(page), label=title)
            st.caption(caption)
