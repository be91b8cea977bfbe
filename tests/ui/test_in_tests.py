"""In a test of a page nothing is computed in the background, and nothing is written."""

import threading
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def test_a_page_under_test_is_known_as_one(tmp_path):
    page = tmp_path / "page.py"
    page.write_text(
        "import streamlit as st\n"
        "from dpviz.ui.static_files import ensure_browser_files\n"
        "from dpviz.ui.streamlit_internals import is_test_of_a_page\n"
        "st.write(is_test_of_a_page(), ensure_browser_files())\n",
        encoding="utf-8",
    )
    app = AppTest.from_file(page).run()
    assert app.markdown[0].value == "`True` `True`"
    assert list(tmp_path.iterdir()) == [page]


def test_nothing_is_computed_unasked():
    AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    assert "dpviz-warm-up" not in [thread.name for thread in threading.enumerate()]
