"""Drives an installed WebKitGTK by Selenium: the engine that is nearest to Safari's on Linux."""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from tests.browser.engine import KEYS, Engine

_BROWSERS = sorted(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"))
_NEEDED = {
    "selenium: pip install -e '.[test]'": find_spec("selenium"),
    "WebKitWebDriver: `apt-get install webkit2gtk-driver`": shutil.which("WebKitWebDriver"),
    "its MiniBrowser: `apt-get install webkit2gtk-driver`": _BROWSERS,
    "a screen: `apt-get install xvfb`": shutil.which("Xvfb"),
}
MISSING = " and ".join(f"needs {name}" for name, found in _NEEDED.items() if not found)
_SCREEN = "1600x1200x24"
# Its bar of buttons would keep the window from being as narrow as a phone.
_NARROW_BAR = "* {padding: 0; margin: 0; min-width: 0; border-width: 0; font-size: 4px;}"
# As the console says on the browser's output.
_ERROR, _SEARCH_FOR_SERVER = " ERROR ", "/_stcore/"


class WebKit(Engine):
    """A window of WebKitGTK's small browser, on a screen of its own.

    Args:
        folder: an empty one for its output, settings and downloads.
        color_scheme: "light" or "dark", as its system would say.
    """

    def __init__(self, folder: Path, color_scheme: str) -> None:
        from selenium.webdriver import WebKitGTK, WebKitGTKOptions
        from selenium.webdriver.webkitgtk.service import Service

        self.downloads = folder / "downloads"
        self.downloads.mkdir()
        (folder / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{self.downloads}"\n')
        (folder / "gtk-3.0").mkdir()
        (folder / "gtk-3.0" / "gtk.css").write_text(_NARROW_BAR)
        self._log = folder / "log.txt"
        self._read = 0
        self._screen, display = _screen()
        options = WebKitGTKOptions()
        options.binary_location = str(_BROWSERS[-1])
        options.add_argument("--automation")
        options.add_argument("--enable-write-console-messages-to-stdout=true")
        if color_scheme == "dark":
            options.add_argument("--dark-mode")
        environment = os.environ | {
            "DISPLAY": display,
            "XDG_CONFIG_HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
        }
        try:
            self._driver = WebKitGTK(
                options=options, service=Service(log_output=str(self._log), env=environment)
            )
            self._driver.set_script_timeout(120)  # axe-core's look on a busy machine
        except BaseException:
            self._screen.kill()
            raise

    def goto(self, url: str) -> None:
        self._driver.get(url)

    def press(self, key: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self._driver).send_keys(KEYS[key]).perform()

    def set_viewport_size(self, size: dict[str, int]) -> None:
        # The window has a bar that the page has not.
        inner = self.evaluate("() => [innerWidth, innerHeight]")
        outer = self._driver.get_window_size()
        self._driver.set_window_size(
            size["width"] + outer["width"] - inner[0], size["height"] + outer["height"] - inner[1]
        )
        self.wait_for_function("(width) => innerWidth === width", size["width"])

    def complaints(self) -> list[str]:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        told, self._read = lines[self._read :], len(lines)
        return [line for line in told if _ERROR in line and _SEARCH_FOR_SERVER not in line]

    def close(self) -> None:
        self._driver.quit()
        self._screen.terminate()
        self._screen.wait()

    def _run(self, function: str, argument: str) -> str:
        asked = f"""const [argument, done] = arguments;
({function})(argument).then((value) => done({{ value }}), (error) => done({{
  error: String(error),
}}));"""
        answer = self._driver.execute_async_script(asked, argument)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return str(answer["value"])


def _screen() -> tuple[subprocess.Popen[bytes], str]:
    """Start a screen that nobody sees, and return it and its name."""
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", _SCREEN, "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        return process, f":{told.readline().strip()}"
