"""Drives an installed Firefox by WebDriver BiDi, which it speaks itself.

Selenium would need geckodriver besides, which Debian has no package of. The commands are those of
https://www.w3.org/TR/webdriver-bidi/.
"""

import json
import re
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from tests.browser.engine import KEYS, Engine

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
# Streamlit's reader of 64-bit integers asks for WebAssembly, and goes on without.
_WITHOUT = "blocked WebAssembly"
MISSING = "" if FIREFOX else "needs Firefox: install it, e.g. `apt-get install firefox-esr`"
_START_SECONDS = 120
_ANSWER_SECONDS = 240  # axe-core's look at a long page on a busy machine
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_ARGUMENTS = ("--no-remote", "--remote-debugging-port", "0", "about:blank")
# Nobody but the server under test is asked for anything: the rest is sent to a closed port.
_PREFERENCES: dict[str, Any] = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "browser.download.folderList": 2,
    "browser.download.alwaysOpenPanel": False,
}


class Firefox(Engine):
    """A window of Firefox without a screen.

    Args:
        folder: an empty one for its profile and downloads.
        color_scheme: "light" or "dark", as its system would say.
    """

    def __init__(self, folder: Path, color_scheme: str) -> None:
        profile, self.downloads = folder / "profile", folder / "downloads"
        profile.mkdir()
        self.downloads.mkdir()
        preferences = _PREFERENCES | {
            "browser.download.dir": str(self.downloads),
            "layout.css.prefers-color-scheme.content-override": int(color_scheme == "light"),
        }
        lines = [f"user_pref({json.dumps(n)}, {json.dumps(v)});" for n, v in preferences.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        log = folder / "log.txt"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [str(FIREFOX), "--headless", "--profile", str(profile), *_ARGUMENTS],
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self._open = ExitStack()
        self._count = 0
        self._complaints: list[str] = []
        try:
            self._socket = self._open.enter_context(
                connect(_address(log), max_size=None, open_timeout=_START_SECONDS, proxy=None)
            )
            self._ask("session.new", capabilities={})
            self._ask("session.subscribe", events=["log.entryAdded"])
            contexts = self._ask("browsingContext.getTree")["contexts"]
            self._context = contexts[0]["context"]
        except BaseException:
            self._process.kill()
            raise

    def goto(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def press(self, key: str) -> None:
        value = KEYS[key]
        strokes = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        source = {"type": "key", "id": "keyboard", "actions": strokes}
        self._ask("input.performActions", context=self._context, actions=[source])

    def press_button(self, selector: str) -> None:
        """Press a button by a click: a window without a screen has no focus, and no key does it."""
        self.focus(selector)
        self.evaluate("() => document.activeElement.click()")

    def set_viewport_size(self, size: dict[str, int]) -> None:
        self._ask("browsingContext.setViewport", context=self._context, viewport=size)

    def complaints(self) -> list[str]:
        self._ask("session.status")  # what was said before has arrived by then
        told, self._complaints = self._complaints, []
        return told

    def close(self) -> None:
        self._open.close()
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _run(self, function: str, argument: str) -> str:
        answer = self._ask(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": argument}],
            target={"context": self._context},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return str(answer["result"]["value"])

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer; what is logged meanwhile is kept."""
        self._count += 1
        command = {"id": self._count, "method": method, "params": parameters}
        self._socket.send(json.dumps(command))
        while True:
            message = json.loads(self._socket.recv(timeout=_ANSWER_SECONDS))
            if message["type"] == "event":
                entry = message["params"]
                if entry["level"] == "error" and _WITHOUT not in entry["text"]:
                    self._complaints.append(entry["text"])
            elif message["id"] == self._count:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return dict(message["result"])


def _address(log: Path) -> str:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if found := _LISTENS.search(log.read_text(encoding="utf-8", errors="replace")):
            return f"{found[1]}/session"
        time.sleep(0.1)
    raise RuntimeError(f"Firefox did not start:\n{log.read_text(errors='replace')}")
