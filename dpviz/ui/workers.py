"""The processes that compute for all visitors of this server."""

import atexit
import logging
import os
from collections.abc import Iterable
from threading import get_ident
from typing import Any

import streamlit as st

from dpviz.jobs import Pool
from dpviz.ui.results import RESULTS, Part
from dpviz.ui.streamlit_internals import is_test_of_a_page, visitor_name

LOGGER = logging.getLogger(__name__)
# "0" computes in the server's own process: without limits, and each visitor waits for the others.
VARIABLE = "DPVIZ_WORKERS"
_FEWEST, _MOST = 0, 64
_WAVE = "dpviz_wave"
_pool: Pool | None = None


def start_workers() -> None:
    """Start them, once per server; in a test of a page everything is computed where it is asked."""
    global _pool
    if is_test_of_a_page() or _pool is not None or (count := _wanted_count()) == 0:
        return
    _pool = Pool(RESULTS.put, first=count, short=count, long=count)
    atexit.register(_pool.close)


def has_workers() -> bool:
    """Return whether there are processes that compute."""
    return _pool is not None


def are_behind(*, within: float = 0.0) -> bool:
    """Return whether visitors queue for first answers, or have ``within`` the last seconds."""
    return _pool is not None and _pool.is_behind(within=within)


def begin_wave() -> None:
    """Note that a page is drawn anew: what it asks for comes before what was asked earlier."""
    st.session_state[_WAVE] = st.session_state.get(_WAVE, 0) + 1


def want(parts: Iterable[Part[Any]], *, is_first: bool = False) -> None:
    """Ask the processes for results; again and again for as long as they are waited for.

    With ``is_first``, nothing is shown before they are there.
    """
    assert _pool is not None
    visitor = visitor_name()
    wave = st.session_state.get(_WAVE, 0) if visitor else 0
    visitor = visitor or f"thread {get_ident()}"
    with _pool.several():
        for part in parts:
            _pool.want(
                part.key,
                part.compute,
                visitor,
                wave=wave,
                is_first=is_first,
                limits=part.limits,
                is_long=part.is_long,
            )


def _wanted_count() -> int:
    given = os.environ.get(VARIABLE, "").strip()
    if given.isdecimal() and _FEWEST <= int(given) <= _MOST:
        return int(given)
    if given:
        LOGGER.warning(
            "%s = %r is not allowed: it must be a whole number from %d to %d; not given, it is "
            "the number of processors.", VARIABLE, given, _FEWEST, _MOST,
        )  # fmt: skip
    return min(os.cpu_count() or 1, _MOST)
