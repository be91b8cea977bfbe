"""Put the chart's browser files where Streamlit serves them.

Streamlit serves the folder ``static/`` beside the main script under ``app/static/``. The chart
needs two files there: plotly.js, out of the installed plotly package, and ``chart.js``. Their
names carry a version or a hash, so a browser never runs a stale copy after an upgrade.
"""

import functools
import hashlib
import importlib.metadata
import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit import config
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpviz.figures.browser_files import chart_module, packed_plotly_script

LOGGER = logging.getLogger(__name__)
CHART_MODULE = chart_module()

CHART_FILE = f"dpviz-chart-{hashlib.sha256(CHART_MODULE).hexdigest()[:12]}.js"
PLOTLY_FILE = f"plotly-{importlib.metadata.version('plotly')}.min.js.gz"


def ensure_plotly_js(app_folder: Path | None = None) -> bool:
    """Put plotly.js and the chart's own module into the app's served folder, once.

    Cheap after the first call, so every chart may ask. A failure is logged once and is no
    error: the caller draws with Streamlit's own chart instead.

    Args:
        app_folder: The folder of the script that ``streamlit run`` was given. By default that of
            the running script.

    Returns:
        Whether a browser can load both files.
    """
    if is_test_of_a_page():
        # No browser is there to load anything, and a test's script may stand in any folder.
        return True
    if not st.get_option("server.enableStaticServing"):
        return False
    if app_folder is None:
        context = get_script_run_ctx(suppress_warning=True)
        if context is None:
            return False
        app_folder = Path(context.main_script_path).parent
    return _ensure_files(app_folder / "static")


def is_test_of_a_page() -> bool:
    """Return whether Streamlit's AppTest runs the page, and no server."""
    # By its module: ``st.get_option`` holds on to the function that AppTest puts another one for.
    return bool(config.get_option("global.appTest"))


@functools.cache
def _ensure_files(static_folder: Path) -> bool:
    try:
        static_folder.mkdir(parents=True, exist_ok=True)
        _write_unless_there(static_folder / CHART_FILE, lambda: CHART_MODULE)
        # Streamlit compresses what it serves from static/ anew for each visitor: 0.3 s of the
        # server's time for these 4.8 MB. A .gz file goes out as it is, and chart.js unpacks it.
        _write_unless_there(static_folder / PLOTLY_FILE, packed_plotly_script)
    except OSError as error:
        LOGGER.warning(
            "Charts are redrawn from scratch at each change, because %s is not usable (%s).",
            static_folder,
            error,
        )
        return False
    return True


def _write_unless_there(path: Path, content: Callable[[], bytes]) -> None:
    """Write a file in one step, so that no reader ever sees half of it."""
    if path.exists():
        return
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    unfinished = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content())
        unfinished.chmod(0o644)  # mkstemp's 0600 would lock out a server with another user
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
