"""How private is this training run?"""

import streamlit as st

from dpviz.scenario import PRESETS, ScenarioError, to_json
from dpviz.ui import controls, data_controls
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import privacy_curve_csv, privacy_curve_page
from dpviz.ui.copy_link import copy_link_button
from dpviz.ui.page import folded, require_router, show_messages
from dpviz.ui.state import current, show_link
from dpviz.ui.texts import plain, text
from dpviz.ui.upload import upload_control

require_router()
state = current()


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    controls.rate_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.top_level_control(state)
    with folded("Data and windows, or a file", key="open_data") as is_open:
        if is_open:
            upload_control(state)
            data_controls.data_controls(state)
    with folded("Who is protected, and at which δ", key="open_relation") as is_open:
        if is_open:
            data_controls.relation_controls(state)
            controls.delta_control(state)


# What a slider move cannot change stays outside of the fragment and is not drawn again.
@st.fragment
def explore() -> None:
    """Draw the settings and the answer to them."""
    show_link(state)
    with st.container():  # always there, so that a message does not make the chart a new one
        show_messages(state)
    answer, settings = st.columns([1.8, 1], gap="large")
    with settings:
        draw_settings()
    try:
        content = privacy_curve_page(state.scenario)
    except ScenarioError as problem:
        answer.error(plain(f"This page does not draw these settings. {problem}"))
        return
    with answer:
        with st.container(key="answer"):
            st.markdown(content.headline)
        draw_chart(
            content.figure_json,
            key="privacy_curve",
            alt=content.description,
            file_name="dpviz-privacy-curve",
        )
        preset = controls.preset_of(state.scenario)
        st.caption(
            "Series drawn at random, or walked through in order. Thick line: upper bound on "
            "what training leaks. Band: down to what some model really leaks. "
            + ("" if preset is None else f"Source: {PRESETS[preset].source}")
        )
    st.markdown(content.bounds)
    with folded("δ at other values of ε", key="open_deltas") as is_open:
        if is_open:
            st.markdown(content.deltas)


with st.container(horizontal=True, vertical_alignment="center"):
    st.title("How private is this training run?", anchor=False, width="stretch")
    copy_link_button(key="copy_link")
    # Called on a click, and so with the scenario of that moment.
    st.download_button(
        "Download CSV",
        lambda: privacy_curve_csv(state.scenario),
        "dpviz-privacy-curve.csv",
        "text/csv",
        on_click="ignore",
    )
    st.download_button(
        "Save scenario",
        lambda: to_json(state.scenario, indent=2) + "\n",
        "dpviz-scenario.json",
        "application/json",
        on_click="ignore",
    )
explore()
st.subheader("What has to hold for these numbers", anchor=False)
st.markdown(text("assumptions"))
with folded("How to read this, and where it comes from", key="open_reading") as is_open:
    if is_open:
        st.markdown(text("reading"))
