"""Hostile words, shown by everything that a visitor's words get into."""

import streamlit as st

from dpviz.ui.acts import answering_acts
from dpviz.ui.answer_headers import MIDDLEWARE
from dpviz.ui.streamlit_internals import is_run_of_a_page
from dpviz.ui.widgets import act_button, menu, text_box, toggle
from dpviz.wording.markup import plain
from tests.security.hostile import WORDS

app = st.App(__file__, middleware=MIDDLEWARE)


def main() -> None:
    for at, words in enumerate(WORDS):
        shown = plain(f"{words} z")
        with st.container(key=f"words_{at}"):
            st.markdown(shown)
            st.caption(shown)
            st.warning(shown)
            st.error(shown)
            st.info(shown)
            text_box(shown, shows="", key=f"text_{at}", typed=lambda _: None)
            toggle(shown, value=False, switched=lambda _: None, key=f"toggle_{at}")
            act_button(shown, lambda: None, key=f"button_{at}", explains=shown)
            menu(
                shown,
                value=words,
                options=[words],
                name=lambda one: plain(f"{one} z"),
                chosen=lambda _: None,
                key=f"menu_{at}",
            )
    st.toast(plain(" ".join(WORDS[:12])))


if is_run_of_a_page():
    with answering_acts("page"):
        main()
