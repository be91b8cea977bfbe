"""Cards that lead to pages: the three doors of the start page, and others."""

import json
from collections.abc import Mapping

import streamlit as st

from dpviz.figures.sampling_picture import picture_scenarios, sampling_picture
from dpviz.ui.compute import epsilon_parts
from dpviz.ui.filling import fill_in
from dpviz.ui.page import page_file
from dpviz.ui.page_style import style_part
from dpviz.ui.static_files import component_of

_DOORS = {
    "planner": ("Plan a training", "Your data and your goal: the noise that meets it."),
    "lessons": ("Teach or learn", "Predict, move one slider, see why."),
    "theory_check": ("Check the theory", "Attack the training, and compare with the bounds."),
}
_STYLE = style_part("doors.css")


def draw_doors() -> None:
    """Draw a card for each way into the app."""
    draw_door_style()
    for column, (page, (title, caption)) in zip(st.columns(3), _DOORS.items(), strict=True):
        with column:
            draw_door(page, page_file(page), title, caption)


def draw_door_style() -> None:
    """Add to a page what its doors take."""
    st.html(_STYLE)


def draw_door(
    name: str, page: str, title: str, caption: str, query: Mapping[str, str] | None = None
) -> None:
    """Draw a card that leads to a page."""
    with st.container(border=True, key=f"door_{name}"):
        st.page_link(page, label=title, query_params=query)
        st.caption(caption)


def draw_sampling_picture() -> None:
    """Draw the picture with the bounds that are known."""
    known = fill_in(epsilon_parts(picture_scenarios())).results
    picture = component_of("sampling_picture", "picture", "drawPicture")
    told = json.dumps(sampling_picture(known), ensure_ascii=False)
    picture(key="sampling_picture", data=told.encode())
