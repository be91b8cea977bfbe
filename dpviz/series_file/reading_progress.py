"""How much of a file is read already, told while it is read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

# A text file is read twice: looked at, which is quick, and taken apart.
_PASSES = (0.0, 0.1, 1.0)
_STEP = 0.02
_LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class WasRead:
    """What came of reading a file."""

    result: Any


class _Teller:
    """Tells shares that grow; what reads need not know whether anybody listens."""

    def __init__(self) -> None:
        self.told: Callable[[float], None] | None = None
        self._passes, self._last = 0, 0.0

    def begin(self, told: Callable[[float], None] | None) -> None:
        self.told, self._passes, self._last = told, 0, 0.0

    def note(self, share: float) -> None:
        if self.told is not None and share >= self._last + _STEP:
            self._last = share
            self.told(min(share, 1.0))

    def note_in_pass(self, share: float) -> None:
        if self._passes + 1 < len(_PASSES):
            low, high = _PASSES[self._passes : self._passes + 2]
            self.note(low + (high - low) * share)

    def end_pass(self) -> None:
        self._passes += 1


TELLER = _Teller()
"""Of this process, which reads one file at a time where somebody listens."""


def told_while_read(read: Callable[[], Any]) -> Iterator[float | WasRead]:
    """Yield what share of a file is read, again and again, and last what came of it.

    Raises:
        Exception: what reading raises.

    >>> list(told_while_read(lambda: 7))
    [WasRead(result=7)]
    """
    news: SimpleQueue[float | WasRead | BaseException] = SimpleQueue()

    def run() -> None:
        last: WasRead | BaseException
        TELLER.begin(news.put)
        try:
            last = WasRead(read())
        except BaseException as problem:
            last = problem
        TELLER.begin(None)  # before who hears of the end may begin to read another file
        news.put(last)

    # Beside this thread, which alone hears that the time is up: when it looks up, as the system may
    # have told the other one.
    Thread(target=run, name="dpviz-reading", daemon=True).start()
    while True:
        try:
            told = news.get(timeout=_LOOK_SECONDS)
        except Empty:
            continue
        if isinstance(told, BaseException):
            raise told
        yield told
        if isinstance(told, WasRead):
            return
