"""What do the theorems say that the numbers come from?"""

import streamlit as st

from dpviz.ui.head import draw_title
from dpviz.ui.reading import linked_part, reading_column
from dpviz.ui.static_files import DOCUMENTS, FOLDER
from dpviz.ui.texts import text, titled_text
from dpviz.wording.theorems import OWN, PROOFS, SECTIONS, section_anchor, short_name

draw_title()
with reading_column():
    st.markdown(text("theorems/introduction"))
    with st.expander("Symbols and composition"):
        st.markdown(text("theorems_symbols"))
    for at, (scheme, sections) in enumerate(SECTIONS.items()):
        explained = [titled_text(f"theorems/{section_anchor(section)}") for section in sections]
        with linked_part(str(at)):
            st.header(scheme, anchor=False)
            with st.expander(" · ".join(map(short_name, sections))):
                for section, (title, body) in zip(sections, explained, strict=True):
                    st.subheader(title, anchor=section_anchor(section))
                    st.markdown(body)
                    if section.startswith(OWN) and PROOFS in DOCUMENTS:
                        st.markdown(f"[Proof]({FOLDER}docs/{PROOFS}#{section_anchor(section)})")
