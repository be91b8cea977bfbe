"""The glossary's search: a text that the link keeps, and the term that a link asks for."""

import streamlit as st

from dpviz.ui.texts import plain
from dpviz.ui.widgets import text_box
from dpviz.wording.glossary import Term
from dpviz.wording.glossary_page import linked_term, search_problem

_TERM, _SEARCH = "term", "search"  # parameters of the link


def searched_text() -> str:
    """Draw the box and return what is looked for; a link may have brought it."""
    given = st.query_params.get(_SEARCH, "")
    problem = search_problem(given)
    if problem:
        st.warning(problem, icon="⚠️")
    text = "" if problem else given
    text_box(
        "Find a symbol or a word",
        shows=text,
        key="glossary_search",
        typed=_searched,
        placeholder="such as λ, lambda, noise, attained",
        explains="Looks at the beginnings of words. The address bar keeps what you look for.",
    )
    return text


def asked_term() -> Term | None:
    """Return the term that the link asks for; says so where there is none."""
    term, problem = linked_term(st.query_params.get(_TERM, ""))
    if problem:
        st.warning(plain(problem), icon="⚠️")
    return term


def _searched(text: str) -> None:
    """Note in the address what is looked for from now on."""
    st.query_params.from_dict({_SEARCH: text} if text else {})
