"""Fonts with the characters and icons of these pages, which stand in for Streamlit's whole ones.

They are made at installation (deploy/small_fonts.py), each with the name of the one that it stands
in for: where Streamlit brings another version, that has another name, and is served whole.
"""

import logging
import re
from pathlib import Path

from dpviz.figures.browser_files import folder_of_installation
from dpviz.ui.static_files import SMALL_FONTS

LOGGER = logging.getLogger(__name__)
_SUFFIX = ".woff2"
_ICON = re.compile(r":material/([a-z0-9_]+):")


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
    for path in folder_of_small_fonts().glob(f"*{_SUFFIX}"):
        SMALL_FONTS[path.name] = path.read_bytes()
