"""Hostile words, shown by everything of Streamlit that a visitor's words get into."""

import streamlit as st

from dpviz.ui.texts import plain
from tests.security.hostile import WORDS

for at, words in enumerate(WORDS):
    shown = plain(f"{words} z")
    with st.container(key=f"words_{at}"):
        st.markdown(shown)
        st.caption(shown)
        st.warning(shown)
        st.error(shown)
        st.info(shown)
        st.text_input(shown, key=f"text_{at}")
st.toast(plain(" ".join(WORDS[:12])))
