"""What a browser needs to draw a figure: plotly.js, and the module that gives it the theme."""

import functools
import gzip
import importlib.util
from pathlib import Path

_FOLDER = Path(__file__).parent


def chart_module() -> bytes:
    """Return ``chart.js``, which draws a figure with its colour roles in the page's theme.

    The page's style tells the theme in custom properties with the names that Streamlit gives them:
    ``--st-text-color``, ``--st-background-color`` and so on.
    """
    return (_FOLDER / "chart.js").read_bytes()


@functools.cache
def packed_plotly_script() -> bytes:
    """Return plotly.js, out of the installed plotly package, compressed with gzip.

    Raises:
        FileNotFoundError: the plotly package is not installed.
    """
    package = importlib.util.find_spec("plotly")  # importing plotly takes a third of a second
    if package is None or not package.submodule_search_locations:
        raise FileNotFoundError("the plotly package is not installed")
    script = Path(package.submodule_search_locations[0]) / "package_data" / "plotly.min.js"
    # Level 9 takes twice as long and saves 0.2 %; without a time stamp, the bytes are the same
    # on every machine.
    return gzip.compress(script.read_bytes(), compresslevel=6, mtime=0)
