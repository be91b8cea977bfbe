"""What every page's style takes from Streamlit."""

import re
from pathlib import Path

import streamlit as st

from dpviz.ui import page_style


def test_streamlit_serves_the_faces_of_symbols_under_the_names_that_the_style_has():
    """Another version may name them otherwise; symbols are then upright until the style follows."""
    names = set(re.findall(r'url\("(static/media/[^"]+)"\)', page_style._STYLE))
    assert len(names) == 2
    for name in names:
        assert (Path(st.__file__).parent / "static" / name).is_file()
