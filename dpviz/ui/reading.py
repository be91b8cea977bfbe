"""What a page of explanations needs: lines that can be read, and links that hit their section."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dpviz.ui.page_style import run_script
from dpviz.ui.texts import plain
from dpviz.ui.widgets import text_box
from dpviz.wording.glossary import Term, linked_term, search_problem

_LINE_WIDTH = 840


@contextmanager
def reading_column(text: str = "", *, is_wide: bool = False) -> Iterator[None]:
    """Draw a page of texts; the section that the address names ends up at the top.

    Another ``text``, on a page of several, is shown from its beginning.
    """
    with st.container(width="stretch" if is_wide else _LINE_WIDTH):
        yield
    # Streamlit goes to the section that the address names as soon as its heading is there, and what
    # stands above it, formulas in particular, grows after that. Another text on the same page would
    # be begun where the last one was left. What is folded below the section opens.
    run_script("linked_section", {"text": text}, width="stretch")


@contextmanager
def linked_part(name: str) -> Iterator[None]:
    """Draw what is unfolded when the address names a section of it."""
    with st.container(key=f"linked_{name}"):
        yield


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
        typed=lambda words: st.query_params.from_dict({_SEARCH: words} if words else {}),
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
