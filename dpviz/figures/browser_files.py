"""What a browser needs to draw a figure: plotly.js, and the module that gives it the theme."""

import functools
import gzip
import importlib.util
from pathlib import Path

from dpviz.scenario.errors import MissingPackageError
from dpviz.wording.texts import SYMBOLS

_FOLDER = Path(__file__).parent


def chart_module() -> bytes:
    """Return ``chart.js``, which draws a figure with its colour roles in the page's theme.

    The page's style tells the theme in custom properties with the names that Streamlit gives them:
    ``--st-text-color``, ``--st-background-color`` and so on.
    """
    return with_symbols((_FOLDER / "chart.js").read_text("utf-8")).encode()


def with_symbols(script: str) -> str:
    """Return a script with the pattern of symbols in its place."""
    return script.replace("/SYMBOLS/", f"/{SYMBOLS}/")


@functools.cache
def packed_plotly_script() -> bytes:
    """Return :func:`plotly_script`, compressed with gzip.

    Raises:
        MissingPackageError: see :func:`plotly_script_path`.
    """
    # Level 9 takes twice as long and saves 0.2 %; without a time stamp, the bytes are the same
    # on every machine.
    return gzip.compress(plotly_script(), compresslevel=6, mtime=0)


def plotly_script() -> bytes:
    """Return plotly.js, out of the installed plotly package.

    Raises:
        MissingPackageError: see :func:`plotly_script_path`.
    """
    return plotly_script_path().read_bytes()


def plotly_script_path() -> Path:
    """Return where plotly.js is.

    Raises:
        MissingPackageError: the plotly package is not installed, or lacks the script.
    """
    package = importlib.util.find_spec("plotly")  # importing plotly takes a third of a second
    if package is None or not package.submodule_search_locations:
        raise MissingPackageError("plotly")
    script = Path(package.submodule_search_locations[0]) / "package_data" / "plotly.min.js"
    if not script.is_file():
        raise MissingPackageError("plotly", lacks=script.name)
    return script
