"""What a server does once, before visitors come: processes, memory, and their first results."""

import ctypes
import gc
import logging
import platform
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from time import sleep

import streamlit as st

from dpviz.classroom.records import ClassError
from dpviz.figures.browser_files import packed_plotly_script
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import MissingPackageError
from dpviz.settings.grids import BOTTOM_RATES, COUNTS, NOISE_MULTIPLIERS, TOP_RATES
from dpviz.ui import workers
from dpviz.ui.classes import kept_classes
from dpviz.ui.compute import curves_ladder, curves_part
from dpviz.ui.file_reading import start_reading_places
from dpviz.ui.long_runs import start_long_runs
from dpviz.ui.packing import BEST_PACKED
from dpviz.ui.results import RESULTS
from dpviz.ui.state import START
from dpviz.ui.static_files import load_small_fonts
from dpviz.ui.streamlit_internals import is_test_of_a_page, prepare_internals

LOGGER = logging.getLogger(__name__)
# A page takes one open file for its connection, and a new browser six more for a moment; processes
# that compute take two each.
_FILES = 8192
_FEWEST_FILES = 1024
# Parameter of mallopt, from malloc.h.
_M_ARENA_MAX = -8
_ARENAS = 2
NAME = "dpviz-warm-up"
# One at a time, and not one after another without a pause: visitors come first.
_LOOK_SECONDS = 0.25


@st.cache_resource(show_spinner=False)
def prepare_server() -> None:
    """Do once per server what spares every visitor waiting later.

    The modules imported by now live as long as the server does: leaving them out of garbage
    collection saves most of its cost.
    """
    share_memory_among_threads()
    allow_many_connections()
    prepare_internals()
    gc.collect()
    gc.freeze()
    workers.start_workers()
    start_long_runs()
    start_reading_places()
    with suppress(ClassError):
        kept_classes().forget_ended()
    if workers.has_workers():
        threading.Thread(target=_warm_up, name=NAME, daemon=True).start()
    if not is_test_of_a_page():
        with suppress(MissingPackageError):
            BEST_PACKED.find(packed_plotly_script())


@asynccontextmanager
async def prepared(_: object) -> AsyncIterator[None]:
    """Prepare the server before its port opens, and what browsers load from it."""
    load_small_fonts()
    prepare_server()
    yield


def share_memory_among_threads() -> bool:
    """Let all threads take memory from few heaps; return whether the system's C library does so.

    By default each of the threads that draw pages gets a heap of its own, and what one has freed
    no other one can use: some 25 MB with 30 visitors. Only one thread at a time runs Python anyway.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS))


def allow_many_connections() -> int | None:
    """Raise how many files this process may open, as far as it may; say so where that is few.

    Returns:
        How many it may open now; ``None`` where the system does not tell.
    """
    try:
        import resource
    except ImportError:  # on Windows
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if 0 <= soft < most:
        with suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if 0 <= soft <= _FEWEST_FILES:
        LOGGER.warning(
            "This server may open %d files and connections at a time, and %d are what many "
            "visitors need: allow more (ulimit -Hn, LimitNOFILE).", soft, _FILES,
        )  # fmt: skip
    return soft


def one_move_away(scenario: Scenario) -> Iterator[Scenario]:
    """Yield a scenario and those that one move of a slider leads to.

    >>> sum(1 for _ in one_move_away(START)) > 50
    True
    """
    yield scenario
    for sigma in NOISE_MULTIPLIERS:
        yield replace(scenario, noise=replace(scenario.noise, noise_multiplier=sigma))
    for count in COUNTS:
        with suppress(ScenarioError):  # so many epochs would be too many steps
            yield replace(scenario, training=replace(scenario.training, count=count))
    for rate in BOTTOM_RATES:
        yield scenario.with_rates(bottom_rate=rate)
    for rate in TOP_RATES:
        yield scenario.with_rates(top_rate=rate)


def _warm_up() -> None:
    # Of what is one move away a first answer alone: whole curves of hundreds of scenarios take more
    # than a minute of a processor, while visitors wait for theirs.
    moves = (curves_ladder(scenario)[1] for scenario in one_move_away(START))
    for part in (curves_part(START), *moves):
        # What no bound covers is known as soon as its refusal is: whoever asks will be told.
        while RESULTS.outcome(part.key) is None:
            workers.want([part])
            sleep(_LOOK_SECONDS)
