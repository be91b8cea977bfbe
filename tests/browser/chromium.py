"""The Chromium that is installed on this machine, as playwright drives it."""

import shutil
from typing import Any

_PATH = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = "" if _PATH else "needs Chromium: install it, e.g. `apt-get install chromium`"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def launched(playwright: Any) -> Any:
    """Return it running.

    Raises:
        SystemExit: It is not installed.
    """
    if MISSING:
        raise SystemExit(MISSING)
    return playwright.chromium.launch(executable_path=_PATH, args=_FLAGS)
