"""Where does one start, with data like these?"""

import streamlit as st

from dpviz.ui.page import require_router
from dpviz.ui.reading import reading_column
from dpviz.ui.texts import text, titled_text
from dpviz.wording.advice import examples_table, rests_on
from dpviz.wording.choices import CHOICES

require_router()

st.title("How to choose", anchor=False)
with reading_column():
    st.markdown(text("how_to_choose_introduction"))
    for choice in CHOICES:
        advice = titled_text(f"how_to_choose/{choice.key}")
        st.header(advice.title, anchor=choice.key, divider="gray")
        st.markdown(advice.body)
        st.markdown(examples_table(choice))
        st.markdown(rests_on(choice))
