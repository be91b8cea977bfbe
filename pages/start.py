"""What is structured subsampling?"""

import streamlit as st

from dpviz.scenario import PRESETS
from dpviz.ui.address import current
from dpviz.ui.doors import draw_doors, draw_sampling_picture
from dpviz.ui.filling import begin_run, go_on
from dpviz.ui.head import begin_at_top
from dpviz.ui.page import show_messages
from dpviz.ui.state import change
from dpviz.ui.texts import text

state = current()
begin_run()
begin_at_top()

st.title("What does a forecasting model leak?", anchor=False)
show_messages(state)
with st.container(key="start_text"):
    st.markdown(text("start"))
draw_sampling_picture()
draw_doors()
with st.container(horizontal=True, vertical_alignment="center", key="data_sets"):
    st.caption("Or start from one of the main paper's data sets:", width="content")
    for name, preset in PRESETS.items():
        is_data_set = name != "toy"  # made up, for figures
        if is_data_set and st.button(
            preset.title.partition(":")[0], key=f"start_{name}", type="tertiary", help=preset.title
        ):
            change(lambda _, chosen=preset.scenario: chosen, is_origin=True)
            st.switch_page("pages/privacy_curve.py")
go_on()
