"""What do the theorems say that the numbers come from?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.head import draw_title
from dpviz.ui.page import require_router
from dpviz.ui.reading import linked_part, reading_column
from dpviz.ui.texts import text, titled_text
from dpviz.wording.theorems import SECTIONS, section_anchor

require_router()

draw_title()
with reading_column():
    st.markdown(text("theorems/introduction"))
    with st.expander("Symbols, and what composing keeps"):
        st.markdown(text("theorems_symbols"))
    for scheme, sections in SECTIONS.items():
        st.header(scheme, anchor=False, divider="gray")
        for section in sections:
            anchor = section_anchor(section)
            explanation = titled_text(f"theorems/{anchor}")
            claim, details = explanation.body.split("\n\n", 1)
            with linked_part(anchor):
                st.subheader(explanation.title, anchor=anchor)
                st.markdown(claim)
                with st.expander("Pair, limits and source"):
                    st.markdown(details)
