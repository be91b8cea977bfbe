"""What runs in the browser: served out of memory, beside what Streamlit serves by itself.

Names carry a version or a hash, so a browser never runs a stale copy after an upgrade.
"""

import hashlib
import importlib.metadata
import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.responses import Response

from dpviz.figures.browser_files import (
    chart_module,
    packed_plotly_script,
    plotly_script_path,
    script_of,
)
from dpviz.scenario.errors import MissingPackageError
from dpviz.settings.grids import NAMED_GRIDS

# Below the address of the app.
FOLDER = "app/static/"
_KINDS = {"js": "text/javascript", "gz": "application/gzip", "woff2": "font/woff2"}
# Streamlit sends this with every control at every rerun, so it only fetches the module, which
# browsers keep: one for all controls of a page, as they share one queue, one for the live picture.
_LOADER = """
const address = new URL("%s", document.baseURI);
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


def _plotly_file() -> str | None:
    try:
        name = plotly_script_path().name.removesuffix(".min.js")
        return f"{name}-{importlib.metadata.version('plotly')}.min.js.gz"
    except (MissingPackageError, importlib.metadata.PackageNotFoundError):
        return None


def _module(name: str) -> bytes:
    """Return one of the scripts in ``browser/``, with the style of that name in it."""
    folder = Path(__file__).parent / "browser"
    style = (folder / f"{name}.css").read_text("utf-8")
    script = script_of(folder / f"{name}.js").replace("/* STYLE */", style)
    return script.replace("/* GRIDS */", json.dumps(NAMED_GRIDS)[1:-1]).encode()


def _file_name(module: str, content: bytes) -> str:
    return f"dpviz-{module}-{hashlib.sha256(content).hexdigest()[:12]}.js"


_CONTENTS = {"chart": chart_module()} | {name: _module(name) for name in ("controls", "picture")}
_FILES = {name: _file_name(name, content) for name, content in _CONTENTS.items()}
CHART_FILE = _FILES["chart"]
MODULES = {_FILES[name]: content for name, content in _CONTENTS.items()}
PLOTLY_FILE = _plotly_file()
# What a server has made smaller of Streamlit's own, by the name of that.
SMALL_FONTS: dict[str, bytes] = {}


def component_of(name: str, module: str, function: str) -> Any:
    """Return the component that is handed to a function of ``browser/MODULE.js``."""
    return st.components.v2.component(
        f"dpviz_{name}", js=_loader(module, function), isolate_styles=False
    )


@cache
def _loader(module: str, function: str) -> str:
    return _LOADER % (FOLDER + _FILES[module], function)


def file_in_memory(scope: Any) -> Response | None:
    """Return the answer to who asks for a file that is served here, as ASGI has it; or ``None``."""
    name = scope["path"].rpartition("/")[2]
    content = MODULES.get(name) or SMALL_FONTS.get(name)
    if name == PLOTLY_FILE:
        # Streamlit would compress it anew for each visitor: 0.3 s for these 4.8 MB. This goes out
        # as it is, and chart.js unpacks it.
        content = packed_plotly_script()
    if content is None or scope.get("method") not in ("GET", "HEAD"):
        return None
    tag = hashlib.sha256(content).hexdigest()[:32]
    # A later version of the app may have more icons in the font at the same address.
    keeps = "no-cache" if name in SMALL_FONTS else "max-age=86400"
    headers = {"cache-control": keeps, "etag": f'"{tag}"', "access-control-allow-origin": "*"}
    if tag.encode() in dict(scope["headers"]).get(b"if-none-match", b""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=_KINDS[name.rpartition(".")[2]])
