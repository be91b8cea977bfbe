"""Where does one start, with data like these?"""

import streamlit as st

from dpviz.ui.head import draw_title
from dpviz.ui.reading import linked_part, reading_column
from dpviz.ui.texts import text, titled_text
from dpviz.wording.how_to_choose import CHOICES, examples_table, more_links
from dpviz.wording.texts import with_formulas

draw_title()
with reading_column():
    st.markdown(text("how_to_choose_introduction"))
    for choice in CHOICES:
        title, body = titled_text(f"how_to_choose/{choice.key}")
        rule, _, reasons = body.removeprefix("**").partition("**")
        with linked_part(choice.key):
            st.header(title, anchor=choice.key, divider="gray")
            st.markdown(rule)
            with st.expander("Why"):
                st.markdown(reasons)
                st.markdown(with_formulas(examples_table(choice)))
                if choice.more:
                    st.markdown(more_links(choice))
