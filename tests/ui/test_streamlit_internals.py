"""What dpviz uses of Streamlit that Streamlit does not offer, and what breaks without it."""

import ast
import logging
from pathlib import Path

import pytest
from streamlit import net_util
from streamlit.testing.v1 import AppTest

from dpviz.ui import streamlit_internals
from dpviz.ui.streamlit_internals import INTERNALS, prepare_internals

UI = Path(streamlit_internals.__file__).parent
# What Streamlit documents stands at its top; ``errors`` and ``delta_generator`` are for types.
OFFERED = {"streamlit", "streamlit.errors", "streamlit.delta_generator", "streamlit.column_config"}
# Imported for their time alone, before any visitor comes.
EARLY = {"streamlit.emojis", "streamlit.material_icon_names"}


@pytest.mark.parametrize("loss", INTERNALS)
def test_this_streamlit_has_it(loss):
    assert INTERNALS[loss](), f"{loss}: see dpviz/ui/streamlit_internals.py"


def test_a_server_names_what_is_gone(monkeypatch, caplog):
    monkeypatch.setitem(INTERNALS, "Nothing works", lambda: False)
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    with caplog.at_level(logging.WARNING):
        prepare_internals()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["Nothing works"]
    assert net_util.get_external_ip() is None


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: path.stem)
def test_nothing_else_looks_inside(path):
    if path.name == "streamlit_internals.py":
        return
    used = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            used |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            used.add(node.module)
    of_streamlit = {name for name in used if name.split(".")[0] in ("streamlit", "starlette")}
    assert of_streamlit <= OFFERED | EARLY


def test_a_run_of_a_page_can_ask_whether_it_is_overtaken(tmp_path):
    page = tmp_path / "page.py"
    page.write_text(
        "import streamlit as st\n"
        "from dpviz.ui.streamlit_internals import is_overtaken\n"
        "st.write(is_overtaken())\n",
        encoding="utf-8",
    )
    app = AppTest.from_file(page).run()
    assert not app.exception
    assert app.markdown[0].value == "`False`"
