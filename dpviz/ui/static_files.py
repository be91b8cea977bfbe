"""Files that are served out of memory: what runs in the browser, small fonts, documentation.

Names of scripts carry a hash, so a browser never runs a stale copy after an upgrade.
Fonts are made small at installation (deploy/small_fonts.py), each with the name of Streamlit's own
that it stands in for: where Streamlit brings another version, that is served whole.
"""

import functools
import hashlib
import json
import logging
import re
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.responses import Response

from dpviz.export.document import LIST, document_page, list_of_documents
from dpviz.figures.browser_files import (
    chart_module,
    folder_of_installation,
    packed_plotly_script,
    plotly_script_path,
    script_of,
)
from dpviz.scenario.errors import MissingPackageError
from dpviz.settings.dashboard import dashboard_script
from dpviz.settings.grids import NAMED_GRIDS

LOGGER = logging.getLogger(__name__)
_FONT = ".woff2"
_ICON = re.compile(r":material/([a-z0-9_]+):")
# Below the address of the app.
FOLDER = "app/static/"
_KINDS = {
    "js": "text/javascript", "gz": "application/gzip", "woff2": "font/woff2", "md": "text/html",
}  # fmt: skip
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


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


def _plotly_file() -> str | None:
    try:
        path = plotly_script_path()
    except MissingPackageError:
        return None
    return f"{path.name.removesuffix('.min.js')}-{_hash(path.read_bytes())}.min.js.gz"


def _module(name: str) -> bytes:
    """Return one of the scripts in ``browser/``, with the style of that name in it."""
    folder = Path(__file__).parent / "browser"
    style = (folder / f"{name}.css").read_text("utf-8")
    script = script_of(folder / f"{name}.js").replace("/* STYLE */", style)
    return script.replace("/* GRIDS */", json.dumps(NAMED_GRIDS)[1:-1]).encode()


_CONTENTS = {"chart": chart_module()} | {name: _module(name) for name in ("controls", "picture")}
_FILES = {name: f"dpviz-{name}-{_hash(content)}.js" for name, content in _CONTENTS.items()}
CHART_FILE = _FILES["chart"]
MODULES = {_FILES[name]: content for name, content in _CONTENTS.items()}
PLOTLY_FILE = _plotly_file()
SMALL_FONTS: dict[str, bytes] = {}


def _documents() -> dict[str, bytes]:
    """Return the documents, proofs above all, by name, and what README lists of them.

    Beside a package that pip installed may lie other programs' documentation.
    """
    script = dashboard_script()
    found = [] if script is None else [*script.parent.glob("docs/*.md")]
    documents = {path.name: path.read_bytes() for path in found}
    if script is not None and documents and (readme := script.with_name("README.md")).is_file():
        documents[LIST] = list_of_documents(readme.read_text("utf-8")).encode()
    return documents


DOCUMENTS = _documents()


@functools.cache
def _document(name: str) -> bytes:
    has_list = name != LIST and LIST in DOCUMENTS
    return document_page(DOCUMENTS[name].decode(), has_list=has_list).encode()


def component_of(name: str, module: str, function: str) -> Any:
    """Return the component that is handed to a function of ``browser/MODULE.js``."""
    loader = _LOADER % (FOLDER + _FILES[module], function)
    return st.components.v2.component(f"dpviz_{name}", js=loader, isolate_styles=False)


def file_in_memory(scope: Any) -> Response | None:
    """Return the answer to who asks for a file that is served here, as ASGI has it; or ``None``."""
    name = scope["path"].rpartition("/")[2]
    content = MODULES.get(name) or SMALL_FONTS.get(name)
    if name in DOCUMENTS:
        content = _document(name)
    if name == PLOTLY_FILE:
        # Streamlit would compress it anew for each visitor: 0.3 s for these 4.8 MB. This goes out
        # as it is, and chart.js unpacks it.
        content = packed_plotly_script()
    if content is None or scope.get("method") not in ("GET", "HEAD"):
        return None
    tag = hashlib.sha256(content).hexdigest()[:32]
    # A later version of the app may have more icons in the font at the same address, and so on.
    is_lasting = name in MODULES or name == PLOTLY_FILE
    keeps = "public, immutable, max-age=31536000" if is_lasting else "no-cache"
    headers = {"cache-control": keeps, "etag": f'"{tag}"', "access-control-allow-origin": "*"}
    if tag.encode() in dict(scope["headers"]).get(b"if-none-match", b""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=_KINDS[name.rpartition(".")[2]])


def folder_of_small_fonts() -> Path:
    """Return where they are kept, if they were made at installation."""
    return folder_of_installation() / "fonts"


def list_of_icons() -> Path:
    """Return where the words of those icons stand that the small font has, one a line."""
    return folder_of_small_fonts() / "icons.txt"


def icons_named(package: Path) -> set[str]:
    """Return the words of all icons that the code of a package names."""
    code = [path.read_text("utf-8", "replace") for path in package.rglob("*.[jp][sy]")]
    return set(_ICON.findall("\n".join(code)))


def load_small_fonts() -> None:
    """Read those that were made, once a server; none where the app has an icon more by now."""
    if not list_of_icons().is_file():
        return
    made = list_of_icons().read_text(encoding="utf-8").split()
    if missing := icons_named(Path(__file__).parent).difference(made):
        told = ", ".join(sorted(missing))
        LOGGER.warning(
            "Pages load Streamlit's whole fonts, as the small ones lack icons (%s): "
            "python -m deploy.small_fonts makes them anew.", told,
        )  # fmt: skip
        return
    for path in folder_of_small_fonts().glob(f"*{_FONT}"):
        SMALL_FONTS[path.name] = path.read_bytes()
