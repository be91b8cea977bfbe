"""A browser that playwright does not drive, asked as its pages are: the same helpers serve both."""

import json
import time
from pathlib import Path
from typing import Any

# Keys as WebDriver writes them: https://www.w3.org/TR/webdriver2/#keyboard-actions
KEYS = {"Enter": "\ue006", "ArrowRight": "\ue014"}
# Drawn without a graphics card, and where other work shares the machine.
WAIT_MILLISECONDS = 240_000
_LOOK_AGAIN = 0.2  # seconds


class Engine:
    """A window of a browser that no playwright drives.

    An engine adds ``goto``, ``press`` (one of ``KEYS``), ``set_viewport_size`` (of the page, in CSS
    pixels), ``complaints`` (errors in the console since it was last asked), ``close``, and
    ``_run``, which returns what a function of one text answers.

    Attributes:
        downloads: the folder that takes what is downloaded.
    """

    downloads: Path

    def evaluate(self, code: str, argument: Any = None) -> Any:
        """Return the value of an expression, or what the function that it is returns."""
        # Not by ``eval``, which the page's policy forbids.
        function = f"""async (argument) => {{
  const value = ({code.strip().removesuffix(";")}
);
  const result = typeof value === "function" ? await value(JSON.parse(argument)) : await value;
  return JSON.stringify(result ?? null);
}}"""
        return json.loads(self._run(function, json.dumps(argument)))

    def wait_for_function(
        self, code: str, arg: Any = None, timeout: float = WAIT_MILLISECONDS
    ) -> None:
        """Wait until a function returns something that is true.

        Raises:
            TimeoutError: If it does not within ``timeout`` milliseconds, or ``WAIT_MILLISECONDS``
                where those are more.
        """
        timeout = max(timeout, WAIT_MILLISECONDS)
        deadline = time.monotonic() + timeout / 1000
        while not self.evaluate(code, arg):
            if time.monotonic() > deadline:
                raise TimeoutError(f"after {timeout:g} ms still false: {code} of {arg}")
            time.sleep(_LOOK_AGAIN)

    def wait_for_selector(self, selector: str) -> None:
        self.wait_for_function(
            "(selector) => [...document.querySelectorAll(selector)].some("
            "(node) => node.checkVisibility())",
            arg=selector,
        )

    def focus(self, selector: str) -> None:
        """Give the focus to the first element that is seen, when there is one."""
        self.wait_for_selector(selector)
        self.evaluate(
            "(selector) => [...document.querySelectorAll(selector)].find("
            "(node) => node.checkVisibility()).focus()",
            selector,
        )

    def press_button(self, selector: str) -> None:
        self.focus(selector)
        self.press("Enter")

    def download(self) -> Path:
        """Wait for the one file in the folder of downloads, and return it.

        Raises:
            TimeoutError: If none has arrived whole.
        """
        deadline = time.monotonic() + WAIT_MILLISECONDS / 1000
        while time.monotonic() < deadline:
            files = list(self.downloads.iterdir())
            if len(files) == 1 and files[0].suffix != ".part" and files[0].stat().st_size:
                return files[0]
            time.sleep(_LOOK_AGAIN)
        raise TimeoutError(f"no file in {self.downloads}: {list(self.downloads.iterdir())}")
