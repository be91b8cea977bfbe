"""All that dpviz uses of Streamlit, and of the server below it, that neither offers to others.

What a new version may take away stands here and nowhere else: :data:`INTERNALS` says of each what
breaks without it. A server names what is gone when it starts, and goes on as well as it can.
"""

import base64
import hashlib
import logging
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import config, file_util, net_util
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunContext, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile as UploadedFile
from streamlit.web.server.starlette import (
    starlette_app_utils,
    starlette_server,
    starlette_websocket,
)

from dpviz.ui.gathered_writes import GatheringTransport

LOGGER = logging.getLogger(__name__)
_CONNECTION: Any = None
with suppress(ImportError):  # Streamlit runs with an older uvicorn, too
    _CONNECTION = import_module(
        "uvicorn.protocols.websockets.websockets_sansio_impl"
    ).WebSocketsSansIOProtocol
_components: Any = None
with suppress(ImportError):
    _components = import_module("streamlit.components.v2.bidi_component.main")
_begun: Any = getattr(_CONNECTION, "connection_made", None)
_theme_of_section: Any = getattr(app_session, "_populate_theme_msg", None)
# Whether each is still there, by what breaks without it.
INTERNALS: dict[str, Callable[[], bool]] = {
    "What is pressed while another page is asked for is lost": lambda: (
        "_new_widget_state" in SessionState.__dataclass_fields__
    ),
    "A page that is filled in goes on after the visitor has done something else": lambda: (
        hasattr(ScriptRequests(), "_state") and "RERUN" in ScriptRequestType.__members__
    ),
    "The browser's back button does not open the settings before": lambda: (
        "is_history_navigation" in ScriptRunContext.__dataclass_fields__
    ),
    "Files pass through the disk": lambda: hasattr(MultiPartParser, "spool_max_size"),
    "The server asks others for its own address": lambda: hasattr(net_util, "get_external_ip"),
    "Pages of others on this machine may open connections": lambda: hasattr(
        starlette_websocket, "_is_origin_allowed"
    ),
    "Who opens many pages has a turn with each": lambda: hasattr(
        starlette_app_utils, "decode_xsrf_token_string"
    ),
    "Each message of an answer is sent by itself": lambda: (
        _begun is not None
        and getattr(starlette_server, "_get_websocket_protocol", str)() == "websockets-sansio"
    ),
    "Each run makes a class of each control": lambda: hasattr(
        _components, "make_bidi_component_presenter"
    ),
    "Each run reads what the theme is": lambda: _theme_of_section is not None,
    "Who opens a page first sees it bare, in a menu of files": lambda: hasattr(
        PagesManager, "uses_pages_directory"
    ),
    "Tests of pages write files and start processes": lambda: (
        "global.appTest" in config.get_config_options()
    ),
}


def prepare_internals() -> None:
    """Change what has to be otherwise, once per server, and name what is gone."""
    for loss, is_there in INTERNALS.items():
        if not is_there():
            LOGGER.warning("%s: dpviz does not know Streamlit %s.", loss, st.__version__)
    net_util.get_external_ip = _nobody_asked
    # Until a first run comes to ``st.navigation``, files in pages/ would be scripts of their own.
    PagesManager.uses_pages_directory = False
    starlette_websocket._is_origin_allowed = _is_own_page
    if _components is not None:
        _components.make_bidi_component_presenter = _nothing_presented
    if _theme_of_section is not None:
        app_session._populate_theme_msg = _tell_theme
        config.on_config_parsed(_theme.cache_clear, force_connect=True)
    if _begun is not None:
        _CONNECTION.connection_made = _connection_made


def _connection_made(connection: Any, transport: Any) -> None:
    """Stand in for the first moment of a page's connection: what it sends is gathered."""
    _begun(connection, GatheringTransport(transport))


def _nothing_presented(*_: Any) -> None:
    """Stand in for what makes a class of each component's state, at which nobody looks."""


@cache
def _theme(section: str) -> CustomThemeConfig:
    theme = CustomThemeConfig()
    _theme_of_section(theme, section)
    return theme


def _tell_theme(msg: CustomThemeConfig, section: str = "theme") -> None:
    """Stand in for Streamlit's reading of the theme at each run: once for each file of settings."""
    if (theme := _theme(section)).ByteSize():  # an empty one would count as a theme of its own
        msg.MergeFrom(theme)


def _is_own_page(origin: str | None, host: str | None) -> bool:
    """Stand in for Streamlit's check, which admits any port and some made-up names of this machine.

    >>> _is_own_page("http://localhost:8501", "localhost:8501")
    True
    >>> _is_own_page("http://localhost:8614.evil.example", "localhost:8614")
    False
    """
    # Programs that are no browsers name no origin.
    if origin is None or origin in st.get_option("server.corsAllowedOrigins"):
        return True
    scheme, separator, asked = origin.partition("://")
    return scheme in ("http", "https") and bool(separator) and asked == host


def hashes_of_scripts() -> tuple[str, ...]:
    """Return the hashes of the scripts inside Streamlit's page, as policies name them."""
    page = (Path(file_util.get_static_dir()) / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", page, re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return tuple(f"sha256-{base64.b64encode(digest).decode()}" for digest in digests)


def _nobody_asked() -> None:
    """Stand in for Streamlit's question to the internet for the server's own address.

    It asks whenever it refuses a page of somebody else's: up to two seconds long, in which no
    visitor gets an answer. Pages that are served at that address are admitted anyway.
    """


def receive_files_in_memory() -> None:
    """Let the server keep what arrives in memory alone.

    Else a file of more than a megabyte passes through the folder for temporary files: it would be
    stored, if for a moment, and a full disk would refuse it. Streamlit's own server is made of
    Starlette, and has no setting for this.
    """
    MultiPartParser.spool_max_size = st.get_option("server.maxUploadSize") * 2**20 + 1


def is_test_of_a_page() -> bool:
    """Return whether Streamlit's AppTest runs the page, and no server."""
    # By its module: ``st.get_option`` holds on to the function that AppTest puts another one for.
    return bool(config.get_option("global.appTest"))


def is_run_of_a_page() -> bool:
    """Return whether a visitor's page runs, and no server imports what it will run."""
    return get_script_run_ctx(suppress_warning=True) is not None


def session_name() -> str:
    """Return what tells this visitor's session from others; empty outside of a run of a page."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def visitor_name() -> str:
    """Return the session's name after that of the browser, which all its pages share, and a slash.

    Who sends no cookie by which the browser is known, or another one with each page, is taken for
    many. Empty outside of a run of a page.
    """
    if not (session := session_name()):
        return ""
    cookie = st.context.cookies.get("_streamlit_xsrf", "")
    # The cookie is masked anew with each answer; what it masks stays.
    unmasked = getattr(starlette_app_utils, "decode_xsrf_token_string", None)
    token = unmasked(cookie)[0] if unmasked else None
    return f"{token.hex() if token else session}/{session}"


def goes_through_history() -> bool:
    """Return whether the browser's own buttons have led to this run."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def is_overtaken() -> bool:
    """Return whether the visitor has done something else meanwhile, which waits for this run.

    What concerns the whole page ends the run here; what concerns a fragment only waits for its
    end, and nothing public tells of it.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return False
    # Looking into the state is where Streamlit takes up what concerns the whole page.
    _ = "dpviz" in st.session_state
    requests = getattr(context, "script_requests", None)
    return getattr(requests, "_state", None) is ScriptRequestType.RERUN


def newest_message(component: str, event: str) -> Any:
    """Return what a component's event has brought from the browser; ``None`` for nothing.

    The session's state would tell it, but forgets the component's key, though not what came, where
    another page was asked for before the message was looked at.
    """
    context = get_script_run_ctx()
    values: Mapping[str, Any] = context.session_state._state._new_widget_state if context else {}
    for value in (values.get(name) for name in values if f"-{component}__" in name):
        for one in value if isinstance(value, list) else ():
            if isinstance(one, dict) and one.get("event") == event:
                return one.get("value")
    return None
