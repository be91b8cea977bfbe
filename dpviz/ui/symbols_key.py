"""The key of symbols under each answer."""

import streamlit as st

from dpviz.ui.page import folded
from dpviz.wording.glossary_page import symbols_table


def draw_symbols() -> None:
    """Draw what each symbol stands for, folded at first."""
    with folded("What the symbols mean", key="open_symbols") as is_open:
        if is_open:
            st.markdown(symbols_table())
