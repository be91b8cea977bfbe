"""What is structured subsampling?"""

import streamlit as st

from dpviz.figures.sampling_picture import sampling_panels
from dpviz.scenario import PRESETS
from dpviz.ui.drawing import show_drawing
from dpviz.ui.page import require_router, show_messages
from dpviz.ui.state import START, change, current
from dpviz.ui.texts import text

require_router()
state = current()

st.title("What does a forecasting model give away?", anchor=False)
show_messages(state)
st.markdown(text("start"))
for column, panel in zip(st.columns(3, border=True), sampling_panels(), strict=True):
    with column:
        st.markdown(f"**{panel.title}**")
        show_drawing(panel.svg, key=panel.title)
        st.caption(panel.caption)

if st.button("See how private a training run is", type="primary", icon=":material/show_chart:"):
    st.switch_page("pages/privacy_curve.py")
with st.container(horizontal=True):
    st.page_link("pages/subsequences.py", label="How many windows per series?")
    st.page_link("pages/sample_or_walk.py", label="Sample series, or walk through them?")
    st.page_link("pages/theorems.py", label="What the theorems say")
st.markdown("Or start from one of the main paper's data sets:")
with st.container(horizontal=True):
    for name, preset in PRESETS.items():
        if preset.scenario != START and st.button(preset.title, key=f"start_{name}"):
            change(lambda _, chosen=preset.scenario: chosen, is_origin=True)
            st.switch_page("pages/privacy_curve.py")
