"""What holds for each example: an end in time, and messages that people can read."""

import faulthandler
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

CPU_SECONDS = 10.0
"""What one example may take of the processors: a hundred times what the slowest one needs."""

HANG_SECONDS = 240.0
"""What never returns to Python ends the whole run after this long."""

LONGEST_MESSAGE = 2400
"""Enough to name every field of a link once."""


class HangError(Exception):
    """An example did not end."""


@contextmanager
def bounded(seconds: float = CPU_SECONDS) -> Iterator[None]:
    """Fail if what is inside takes longer; processor time, so that a busy machine does no harm.

    What waits and computes nothing is left to the time that pytest gives a test.
    """

    def end(*_: object) -> None:
        raise HangError(f"no end after {seconds:g} s")

    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True, file=sys.__stderr__)
    is_timed = hasattr(signal, "setitimer")  # not on Windows
    before = signal.signal(signal.SIGPROF, end) if is_timed else None
    if is_timed:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        if is_timed:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            signal.signal(signal.SIGPROF, before)
        faulthandler.cancel_dump_traceback_later()


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """Run a test for a few examples, and where slow tests are run for many."""
    return pytest.mark.parametrize("most", [few, pytest.param(many, marks=pytest.mark.slow)])


def check_examples(
    check: Callable[..., None],
    most: int,
    *drawn: SearchStrategy[Any],
    phases: Iterable[Phase] = tuple(Phase),
) -> None:
    """Check at most so many examples that are drawn."""
    asked = settings(max_examples=most, phases=phases, suppress_health_check=list(HealthCheck))
    asked(given(*drawn)(check))()


def assert_readable(messages: Iterable[Any]) -> None:
    """Check that each message is one line that a person can read."""
    for message in messages:
        text = str(message)
        assert text.strip()
        assert text.isprintable(), ascii(text)
        assert len(text) <= LONGEST_MESSAGE, text
        for inner in ("Traceback", "sys.set_int_max_str_digits", " object at 0x"):
            assert inner not in text, text
