"""Where does one start, with data like these?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.head import draw_title
from dpviz.ui.page import require_router
from dpviz.ui.reading import linked_part, reading_column
from dpviz.ui.texts import text, titled_text
from dpviz.wording.choices import CHOICES, examples_table, rests_on
from dpviz.wording.texts import with_formulas

require_router()

draw_title()
with reading_column():
    st.markdown(text("how_to_choose_introduction"))
    advices = [titled_text(f"how_to_choose/{choice.key}") for choice in CHOICES]
    contents = zip(advices, CHOICES, strict=True)
    st.markdown("\n".join(f"- [{advice.title}](#{choice.key})" for advice, choice in contents))
    for advice, choice in zip(advices, CHOICES, strict=True):
        rule, _, reasons = advice.body.removeprefix("**").partition("**")
        with linked_part(choice.key):
            st.header(advice.title, anchor=choice.key, divider="gray")
            st.markdown(rule)
            with st.expander("Why, and an example in numbers"):
                st.markdown(reasons)
                st.markdown(with_formulas(examples_table(choice)))
                st.markdown(rests_on(choice))
