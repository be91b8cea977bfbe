"""How far a long command is, on standard error."""

import sys
import time
from contextlib import suppress
from typing import TextIO

_WIDTH = 30
# Where nobody watches, such as in a log: a line now and then.
_SECONDS_BETWEEN_LINES = 30.0
_SECONDS_BETWEEN_DRAWINGS = 0.1


class ProgressBar:
    """Draws how many of all are done.

    Args:
        what: what is counted, in the plural.
        stream: where to draw.
    """

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        self._what = what
        self._stream = sys.stderr if stream is None else stream
        self._began: float | None = None
        self._at_first = 0
        self._drawn = -1e9

    def __call__(self, done: int, total: int) -> None:
        """Draw that so many are done; the first call tells with how many it begins."""
        now = time.monotonic()
        if self._began is None:
            self._began, self._at_first = now, done
        watched = self._stream.isatty()
        wait = _SECONDS_BETWEEN_DRAWINGS if watched else _SECONDS_BETWEEN_LINES
        if now - self._drawn < wait and done < total:
            return
        self._drawn = now
        text = f"{done:,} of {total:,} {self._what}{self._left(done, total, now)}"
        with suppress(OSError):  # nobody watches any more
            self._draw(text, done, total, watched=watched)

    def _draw(self, text: str, done: int, total: int, *, watched: bool) -> None:
        if watched:
            filled = _WIDTH * done // total
            bar = "#" * filled + "." * (_WIDTH - filled)
            text = f"\r[{bar}] {text}\033[K" + ("\n" if done == total else "")
            print(text, end="", file=self._stream, flush=True)
        else:
            print(text, file=self._stream, flush=True)

    def _left(self, done: int, total: int, now: float) -> str:
        assert self._began is not None  # the call has noted it
        new = done - self._at_first
        if new == 0 or done == total:
            return ""
        seconds = (now - self._began) / new * (total - done)
        minutes = -(-seconds // 60)
        return (
            f", about {seconds:.0f} s left" if seconds < 90 else f", about {minutes:.0f} min left"
        )
