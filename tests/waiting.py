"""Waiting for what another thread or process does."""

from collections.abc import Callable
from time import monotonic, sleep


def until(holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something holds; the time is never reached unless something is broken."""
    end = monotonic() + seconds
    while not holds():
        assert monotonic() < end, "not in time"
        sleep(0.005)
