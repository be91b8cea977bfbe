"""Computations for the tests: found by another process, and of known cost."""

import importlib
import os
import signal
import time
from pathlib import Path

from dpviz.scenario import ScenarioError


def burn(seconds):
    """Use so much processor time, in Python, and return it."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1000))
    return seconds


def burn_though_asked_not_to(seconds):
    """Use processor time, and swallow what an interruption raises at first."""
    try:
        return burn(seconds)
    except BaseException:
        return burn(seconds)


def burn_in_an_import(name):
    return importlib.import_module(f"tests.jobs.{name}").MADE


def sleep(seconds):
    time.sleep(seconds)
    return seconds


def fill(megabytes):
    return len(bytearray(megabytes * 1_000_000))


def refuse():
    raise ScenarioError("delta", 2.0, "it must be less than 1")


class LocalError(Exception):
    """An error that cannot be made again from its arguments."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


def fail_locally():
    """Raise an error that does not survive packing."""
    raise LocalError("this", "that")


def die():
    """End the process as the system does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(path):
    """End the process, the first time."""
    if not Path(path).exists():
        Path(path).touch()
        die()
    return "second time"


def chatter():
    print("not an answer")
    return "an answer"


def pid():
    return os.getpid()


class Unreadable:
    """Something that can be packed, but not unpacked."""

    def __reduce__(self):
        """Return what raises when it is called."""
        return refuse, ()


def unreadable():
    return Unreadable()


def count_to(number, pause=0.0):
    for at in range(number):
        time.sleep(pause)
        yield at


def count_and_fail(number):
    yield from range(number)
    refuse()


def count_and_burn():
    """Yield a number, and compute for ever."""
    yield 1
    burn(1e9)


def tell_who_computes():
    """Yield this process's number, and wait for ever."""
    yield os.getpid()
    time.sleep(1e9)


def end_without_a_word():
    """Yield a number, and end as the system ends who takes too much memory."""
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)
