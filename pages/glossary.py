"""What does a symbol or a word of the app mean?"""

from itertools import groupby

import streamlit as st

from dpviz.ui.head import draw_title
from dpviz.ui.reading import asked_term, linked_part, reading_column, searched_text
from dpviz.ui.texts import plain, text
from dpviz.wording.glossary import Term, found_terms, not_found_text, term_text
from dpviz.wording.numbers import counted
from dpviz.wording.texts import with_formulas


def draw_term(term: Term, *, in_group: bool = False) -> None:
    """Draw a term with what is said of it, a level below its group's heading where it has one."""
    heading = st.subheader if in_group else st.header
    heading(with_formulas(term.title), anchor=term.key)
    st.markdown(term_text(term))


draw_title()
with reading_column():
    st.markdown(text("glossary"))
    asked = asked_term()
    if asked is not None:
        with st.container(border=True, key="asked_term"):
            draw_term(asked)
    searched = searched_text()
    found = [term for term in found_terms(searched) if term is not asked]
    if searched.strip():
        told = counted(len(found), "term") if found else "No term"
        st.caption(plain(f"{told} with “{searched.strip()}”"))
        if not found:
            st.markdown(not_found_text(searched))
        for term in found:
            draw_term(term)
    else:
        for at, (group, grouped) in enumerate(groupby(found, key=lambda term: term.group)):
            terms = [*grouped]
            with linked_part(str(at)):
                st.header(group, anchor=False)
                names = " · ".join(term.short_title for term in terms)
                with st.expander(with_formulas(names)):
                    for term in terms:
                        draw_term(term, in_group=True)
