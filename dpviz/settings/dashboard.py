"""Where the dashboard lies: its main script, its pages and Streamlit's settings."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
# Where pyproject.toml puts it into a wheel, and where it lies in the repository.
_SCRIPTS = (_PACKAGE / "dashboard" / "app.py", _PACKAGE.parent / "app.py")


def dashboard_script() -> Path | None:
    """Return the main script; ``None`` where the package was copied without it."""
    there = (script for script in _SCRIPTS if (script.parent / "pages").is_dir())
    return next((script for script in there if script.is_file()), None)
