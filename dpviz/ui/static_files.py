"""Put what runs in the browser where Streamlit serves it.

Streamlit serves the folder ``static/`` beside the main script under ``app/static/``. There stand
plotly.js, out of the installed plotly package, and the modules of charts and controls. Their
names carry a version or a hash, so a browser never runs a stale copy after an upgrade.

What stands there may be half of a file, after a crash or a bad copy: content is compared, when the
server starts and whenever a file's size or time has changed since.
"""

import base64
import gzip
import hashlib
import importlib.metadata
import json
import logging
import time
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import streamlit as st

from dpviz.figures.browser_files import (
    chart_module,
    packed_plotly_script,
    plotly_script_path,
    script_of,
)
from dpviz.files.replacement import replace_file
from dpviz.scenario.errors import MissingPackageError
from dpviz.settings.grids import NAMED_GRIDS
from dpviz.ui.streamlit_internals import is_test_of_a_page, main_script

LOGGER = logging.getLogger(__name__)
CHART_MODULE = chart_module()
# A folder that could not be used, such as on a full disk, is tried again after so many seconds.
SECONDS_TO_TRY_AGAIN = 60.0
_UNFINISHED = ".new-"
_READ_BY_ALL = 0o644  # also by a server with another user
# A page asks some twenty times, and to look at the files anew would take a tenth of its time.
_SECONDS_TO_BELIEVE = 1.0
# No server takes as long to write a file: one that is older was left by a server that was killed.
_SECONDS_TO_WRITE = 600.0
# Streamlit sends this with every control at every rerun, so it only fetches the module, which
# browsers keep: one for all controls of a page, as they share one queue, one for the live picture.
_SERVED = 'const address = new URL("%s", document.baseURI);'
# Where no file can be served. Addresses of this kind are those that deploy/nginx.conf allows.
_INLINE = """
const bytes = () => Uint8Array.from(atob("%s"), (one) => one.charCodeAt(0));
const address = ((window.dpvizAddresses ??= {})["%s"] ??=
  new URL(URL.createObjectURL(new Blob([bytes()], { type: "text/javascript" }))));
"""
_LOADER = """
%s
export default async function (component) {
  const known = (window.dpvizModules ??= new Map());
  if (!known.has(address.href)) {
    // Tried twice, and then the same for all: two modules would be two queues.
    const module = import(address).catch(() => import(`${address}?again`));
    known.set(address.href, module);
    module.catch(() => known.delete(address.href));
  }
  return (await known.get(address.href)).%s(component);
}
"""


def _plotly_file() -> str:
    try:
        name = plotly_script_path().name.removesuffix(".min.js")
        return f"{name}-{importlib.metadata.version('plotly')}.min.js.gz"
    except (MissingPackageError, importlib.metadata.PackageNotFoundError):
        return "plotly-missing.min.js.gz"  # then there is nothing to serve


def _module(name: str) -> bytes:
    """Return one of the scripts in ``browser/``, with the style of that name in it."""
    folder = Path(__file__).parent / "browser"
    style = (folder / f"{name}.css").read_text("utf-8")
    script = script_of(folder / f"{name}.js").replace("/* STYLE */", style)
    return script.replace("/* GRIDS */", json.dumps(NAMED_GRIDS)[1:-1]).encode()


def _file_name(module: str, content: bytes) -> str:
    return f"dpviz-{module}-{hashlib.sha256(content).hexdigest()[:12]}.js"


_OWN = {name: _module(name) for name in ("controls", "picture")}
_OWN_FILES = {name: _file_name(name, content) for name, content in _OWN.items()}
CHART_FILE = _file_name("chart", CHART_MODULE)
MODULES = {CHART_FILE: CHART_MODULE} | {_OWN_FILES[name]: _OWN[name] for name in _OWN}
PLOTLY_FILE = _plotly_file()


def component_of(name: str, module: str, function: str) -> Any:
    """Return the component that is handed to a function of ``browser/MODULE.js``."""
    loader = _loader(module, function, is_served=ensure_browser_files())
    return st.components.v2.component(f"dpviz_{name}", js=loader, isolate_styles=False)


@cache
def _loader(module: str, function: str, *, is_served: bool) -> str:
    if is_served:
        return _LOADER % (_SERVED % f"app/static/{_OWN_FILES[module]}", function)
    content = base64.b64encode(_OWN[module]).decode()
    return _LOADER % (_INLINE % (content, module), function)


def ensure_browser_files(app_folder: Path | None = None) -> bool:
    """Put plotly.js and the modules of charts and controls into the app's served folder, once.

    Cheap after the first call, so every chart and control may ask. A failure is logged once and is
    no error: the caller draws with Streamlit's own chart instead. By default ``app_folder`` is that
    of the running script.

    Returns:
        Whether a browser can load the files.
    """
    if app_folder is not None:
        may_serve = bool(st.get_option("server.enableStaticServing"))
        return may_serve and _served_folder(app_folder).is_ready()
    global _ready_until
    now = time.monotonic()
    # In a test no browser is there to load anything, and its script may stand in any folder.
    if now < _ready_until or is_test_of_a_page():
        return True
    if (script := main_script()) is None or not ensure_browser_files(script.parent):
        return False
    _ready_until = now + _SECONDS_TO_BELIEVE
    return True


@cache
def _served_folder(app_folder: Path) -> "ServedFolder":
    return ServedFolder(app_folder / "static")


class ServedFolder:
    """A folder that holds the files, as far as that is possible."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._seen: list[tuple[int, int]] = []
        self._failed_at: float | None = None

    def is_ready(self) -> bool:
        """Return whether all files are there and whole, after writing those that are not."""
        with self._lock:
            try:
                if self._seen and self._seen == self._stamps():
                    return True
            except OSError:  # deleted: to be written again
                pass
            now = time.monotonic()
            if self._failed_at is not None and now < self._failed_at + SECONDS_TO_TRY_AGAIN:
                return False
            try:
                self._fill()
            except (OSError, MissingPackageError) as error:
                if self._failed_at is None:
                    LOGGER.warning(
                        "Charts are redrawn from scratch at each change, because %s is not usable "
                        "(%s).",
                        self._path,
                        error,
                    )
                self._seen, self._failed_at = [], now
                return False
            self._failed_at = None
            return True

    def _fill(self) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        self._clear_up()
        for name, content in MODULES.items():
            if _content(self._path / name) != content:
                _write(self._path / name, content)
        plotly = self._path / PLOTLY_FILE
        # Streamlit compresses what it serves from static/ anew for each visitor: 0.3 s of the
        # server's time for these 4.8 MB. A .gz file goes out as it is, and chart.js unpacks it.
        if not _is_whole(plotly):
            _write(plotly, packed_plotly_script())
        self._seen = self._stamps()

    def _stamps(self) -> list[tuple[int, int]]:
        """Return sizes and times: what changes when a file does, at hardly any cost."""
        found = [(self._path / name).stat() for name in (*MODULES, PLOTLY_FILE)]
        return [(status.st_size, status.st_mtime_ns) for status in found]

    def _clear_up(self) -> None:
        for unfinished in self._path.glob(f"{_UNFINISHED}*"):
            with suppress(OSError):  # gone by itself, or in a folder that cannot be written
                if time.time() - unfinished.stat().st_mtime > _SECONDS_TO_WRITE:
                    unfinished.unlink()


_ready_until = 0.0


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:  # not there, or not to be read: to be written anew
        return None


def _is_whole(path: Path) -> bool:
    """Return whether a file unpacks to plotly.js; its packed bytes depend on who packed it."""
    try:
        return gzip.decompress(path.read_bytes()) == plotly_script_path().read_bytes()
    except (OSError, EOFError, zlib.error):
        return False


def _write(path: Path, content: bytes) -> None:
    replace_file(path, content, prefix=_UNFINISHED, mode=_READ_BY_ALL)
