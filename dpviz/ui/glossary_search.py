"""The glossary's search: a text that the link keeps, and the term that a link asks for."""

import streamlit as st

from dpviz.ui.texts import plain
from dpviz.wording.glossary import Term
from dpviz.wording.glossary_page import LONGEST_SEARCH, linked_term, search_problem

_TERM, _SEARCH = "term", "search"  # parameters of the link
_BOX, _SHOWN = "glossary_search", "glossary_shown"


def searched_text() -> str:
    """Draw the box and return what is looked for; a link may have brought it."""
    given = st.query_params.get(_SEARCH, "")
    if st.session_state.get(_SHOWN) != given or _BOX not in st.session_state:
        if problem := search_problem(given):
            st.warning(problem, icon="⚠️")
        st.session_state[_BOX] = "" if search_problem(given) else given
        st.session_state[_SHOWN] = given
    text: str = st.text_input(
        "Find a symbol or a word",
        key=_BOX,
        max_chars=LONGEST_SEARCH,
        placeholder="such as λ, lambda, noise, attained",
        help="Looks at the beginnings of words. The address bar keeps what you look for.",
        on_change=_searched,
    )
    return text


def asked_term() -> Term | None:
    """Return the term that the link asks for; says so where there is none."""
    term, problem = linked_term(st.query_params.get(_TERM, ""))
    if problem:
        st.warning(plain(problem), icon="⚠️")
    return term


def _searched() -> None:
    """Note in the address what is looked for from now on."""
    text = st.session_state[_BOX]
    st.query_params.from_dict({_SEARCH: text} if text else {})
    st.session_state[_SHOWN] = text
