"""Where the dashboard lies: its main script, its pages, Streamlit's settings, and classes."""

import os
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
# Where pyproject.toml puts it into a wheel, and where it lies in the repository.
_SCRIPTS = (_PACKAGE / "dashboard" / "app.py", _PACKAGE.parent / "app.py")


def dashboard_script() -> Path | None:
    """Return the main script; ``None`` where the package was copied without it."""
    there = (script for script in _SCRIPTS if (script.parent / "pages").is_dir())
    return next((script for script in there if script.is_file()), None)


# Names the file of classes; ``off`` for none.
CLASSES_VARIABLE, _OFF = "DPVIZ_CLASSES", "off"


def classes_file() -> Path | None:
    """Return where classes of workshops are kept; ``None`` where none can be started.

    That is so where the operator says so, and where nothing can be written. Servers that name the
    same file serve the same classes.
    """
    named = os.environ.get(CLASSES_VARIABLE, "").strip()
    if named.lower() == _OFF:
        return None
    try:
        if named:
            path = Path(named).absolute()
        else:  # in the folder for what a program keeps: XDG's, or Windows' own
            home = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_STATE_HOME", "")
            kept = Path(home) if home else Path.home() / ".local" / "state"
            path = kept / "dpviz" / "classes.sqlite"
        folder = next(one for one in path.parents if one.exists())
        is_writable = os.access(path if path.exists() else folder, os.W_OK | os.R_OK)
    except (OSError, RuntimeError, StopIteration, ValueError):  # there is no home, or no such path
        return None
    return path if is_writable and folder.is_dir() else None
