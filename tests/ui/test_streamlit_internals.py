"""What dpviz uses of Streamlit's inside, and what breaks without it or in the first moment."""

import ast
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit import config, net_util
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime.pages_manager import PagesManager
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from dpviz.ui import streamlit_internals
from dpviz.ui.gathered_writes import GatheringTransport
from dpviz.ui.streamlit_internals import INTERNALS, prepare_internals

UI = Path(streamlit_internals.__file__).parent
# What Streamlit documents stands at its top; ``errors`` and ``delta_generator`` are for types.
OFFERED = {"streamlit", "streamlit.errors", "streamlit.delta_generator", "streamlit.column_config"}
OFFERED |= {"starlette.middleware", "starlette.responses"}
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


def test_no_visitor_sees_files_as_pages(monkeypatch):
    """Else a server's first one would, until the router has run."""
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    prepare_internals()
    PagesManager(str(ROOT / "app.py"))  # as a visitor's session has one: it looks for pages/
    assert PagesManager.uses_pages_directory is False


@pytest.mark.parametrize("section", ["theme", "theme.light", "theme.dark", "theme.sidebar"])
def test_the_theme_is_told_as_streamlit_tells_it(section):
    own, theirs = CustomThemeConfig(), CustomThemeConfig()
    streamlit_internals._tell_theme(own, section)
    streamlit_internals._theme_of_section(theirs, section)
    assert own == theirs
    assert own.ByteSize() > 0 or section not in ("theme.light", "theme.dark")


def test_a_page_is_told_the_theme_of_settings_that_were_read_again():
    prepare_internals()
    before = streamlit_internals._theme("theme.light")
    config.get_config_options(force_reparse=True)
    assert streamlit_internals._theme("theme.light") is not before


def test_a_servers_connections_gather_what_they_send(monkeypatch):
    begun = []
    monkeypatch.setattr(streamlit_internals, "_begun", lambda _, transport: begun.append(transport))
    prepare_internals()
    WebSocketsSansIOProtocol.connection_made(None, object())
    assert isinstance(begun[0], GatheringTransport)


def test_nothing_else_looks_inside():
    others = [path for path in UI.rglob("*.py") if path.name != "streamlit_internals.py"]
    assert len(others) > 50
    for path in others:
        used = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                used.add(node.module)
        of_streamlit = {name for name in used if name.split(".")[0] in ("streamlit", "starlette")}
        assert of_streamlit <= OFFERED | EARLY, path


ROOT = Path(__file__).parents[2]
SCRIPTS = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
FIRST = "dpviz.ui.first_import"
# Prints what the imports of a script add to those that the first visitor has made.
ADDED = """
import sys
import dpviz.ui.first_import
there = set(sys.modules)
exec(sys.argv[1])
print(sorted(set(sys.modules) - there))
"""


def imports_of(script: Path) -> list[ast.stmt]:
    body = ast.parse(script.read_text(encoding="utf-8")).body
    return [one for one in body if isinstance(one, ast.Import | ast.ImportFrom)]


def test_the_router_comes_first():
    """It runs around every page, also a server's first."""
    of_ours = [
        one.names[0].name if isinstance(one, ast.Import) else str(one.module)
        for one in imports_of(ROOT / "app.py")
    ]
    assert next(name for name in of_ours if name.startswith("dpviz")) == FIRST


def test_pages_import_nothing_after_that():
    """A page that needs more names it in dpviz/ui/first_import.py."""
    program = "\n".join(ast.unparse(one) for script in SCRIPTS for one in imports_of(script))
    done = subprocess.run(
        [sys.executable, "-c", ADDED, program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"
