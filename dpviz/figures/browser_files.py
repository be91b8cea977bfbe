"""What a browser needs to draw a figure: plotly.js, and the module that gives it the theme."""

import functools
import gzip
import importlib.util
import re
import sysconfig
from pathlib import Path

from dpviz.scenario.errors import MissingPackageError
from dpviz.wording.texts import SYMBOLS

_FOLDER = Path(__file__).parent
_VERSION = re.compile(r"plotly\.js .*?v(\d[\w.-]*)")
_HEAD_BYTES = 400


def chart_module() -> bytes:
    """Return ``chart.js``, which draws a figure with its colour roles in the page's theme.

    The page's style tells the theme in custom properties with the names that Streamlit gives them:
    ``--st-text-color``, ``--st-background-color`` and so on.
    """
    return script_of(_FOLDER / "chart.js").encode()


def script_of(path: Path) -> str:
    """Return a script, with what all share and the pattern of symbols in their places."""
    shared = (_FOLDER / "shared.js").read_text("utf-8")
    script = path.read_text("utf-8").replace("/* SHARED */", shared)
    return script.replace("/SYMBOLS/", f"/{SYMBOLS}/")


@functools.cache
def packed_plotly_script() -> bytes:
    """Return what is at :func:`plotly_script_path`, compressed with gzip; its errors."""
    # Level 9 takes twice as long and saves 0.2 %; without a time stamp, the bytes are the same
    # on every machine.
    return gzip.compress(plotly_script_path().read_bytes(), compresslevel=6, mtime=0)


def plotly_script_path() -> Path:
    """Return where plotly.js is: its small part, where that is of the same version.

    Raises:
        MissingPackageError: the plotly package is not installed, or lacks the script.
    """
    whole, small = whole_plotly_script_path(), path_of_small_script()
    version = version_of_script(small)
    return small if version and version == version_of_script(whole) else whole


def whole_plotly_script_path() -> Path:
    """Return where the installed plotly package has plotly.js.

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


def path_of_small_script() -> Path:
    """Return where deploy/small_plotly.py puts the third of it that draws charts with two axes."""
    return folder_of_installation() / "plotly-cartesian.min.js"


def folder_of_installation() -> Path:
    """Return where lies what was fetched or made at installation, as far as it was."""
    return Path(sysconfig.get_path("data")) / "share" / "dpviz"


def version_of_script(script: Path) -> str | None:
    """Return the version that a plotly.js names at its head; ``None`` if it names none."""
    try:
        with script.open("rb") as file:
            head = file.read(_HEAD_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return None
    named = _VERSION.search(head)
    return named[1] if named else None
