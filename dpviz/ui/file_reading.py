"""Files of all visitors are read by processes of their own: in turn, with progress, and a Stop."""

import atexit
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from uuid import uuid4

import streamlit as st

from dpviz.jobs import Limits, LongRun, LongRuns, QueueFullError, TooCostlyError
from dpviz.jobs import State as RunState
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError
from dpviz.series_file.reading_progress import WasRead, told_while_read
from dpviz.series_file.values import import_readers
from dpviz.ui import workers
from dpviz.ui.filling import seconds_drawn
from dpviz.ui.long_runs import follow
from dpviz.ui.state import State
from dpviz.ui.streamlit_internals import (
    UploadedFile,
    is_test_of_a_page,
    receive_files_in_memory,
    session_name,
)
from dpviz.ui.texts import plain
from dpviz.ui.widgets import act_button
from dpviz.wording.numbers import counted
from dpviz.wording.setting_values import labelled

T = TypeVar("T")
_READING = "file that is read"
# A large file takes seconds and hundreds of megabytes (bench/series_files.py): many at once would
# leave the server without memory. Small ones have a place of their own, and leave it where they
# prove to be large: packed, a megabyte may hold what takes as long as any file.
_LIMITS = {True: Limits(seconds=2.0, megabytes=800), False: Limits(seconds=20.0, megabytes=800)}
_SMALL_BYTES = 10**6
_MOST_WAITING = {True: 40, False: 8}
# A page that draws its answer meanwhile, on a busy server, is away for long.
_PATIENCE_SECONDS = 60.0
_NICENESS = 10
_SECONDS_BETWEEN = 0.3
_TOO_MANY = "The server is reading other visitors' files: try again in a minute."
NOT_USED = "The file was not used."
# Of files with a series or more.
SERIES_KINDS = ("csv", "gz", "zst", "tsv", "txt", "parquet", "tsf")
_places: dict[bool, LongRuns] = {}


@dataclass(frozen=True, eq=False, kw_only=True)
class _Reading:
    """A file that is read for one visitor."""

    name: str
    steps: Callable[[], Iterator[Any]]
    run: LongRun
    place: LongRuns
    done: Callable[[Any], None]


def start_reading_places() -> None:
    """Make room for files, once per server."""
    if is_test_of_a_page() or _places or not workers.has_workers():
        return
    for is_small, most_waiting in _MOST_WAITING.items():
        _places[is_small] = LongRuns(
            at_once=1,
            most_waiting=most_waiting,
            most_kept=0,
            limits=_LIMITS[is_small],
            patience_seconds=_PATIENCE_SECONDS,
            niceness=_NICENESS,
            ahead=import_readers,
        )
        atexit.register(_places[is_small].close)


def read_file(
    state: State, read: Callable[[], T], done: Callable[[T], None], *, name: str, size: int
) -> None:
    """Have a file read, by another process and within limits, and go on with what comes of it.

    Where the server may start no processes it is read here and now. ``read`` is a function outside
    of ``dpviz.ui`` with its arguments; ``done`` takes what it has read. Smaller files come first.

    Raises:
        SeriesFileError: it cannot be read, or too many wait.
        ScenarioError: what ``done`` raises.
    """
    stop_reading(state)
    if _places:
        _begin(state, size <= _SMALL_BYTES, name, partial(told_while_read, read), done, size)
        return
    try:
        result = read()
    except TooCostlyError as problem:
        raise _too_costly(problem) from None
    done(result)


def _begin(
    state: State,
    is_small: bool,
    name: str,
    steps: Callable[[], Iterator[Any]],
    done: Callable[[Any], None],
    size: int,
) -> None:
    place = _places[is_small]
    try:
        # Nobody else's, though the file be the same.
        run = place.start(f"file {uuid4()}", steps, session_name(), size=size)
    except QueueFullError:
        raise SeriesFileError(_TOO_MANY) from None
    state.opened[_READING] = _Reading(name=name, steps=steps, run=run, place=place, done=done)


def is_reading(state: State) -> bool:
    """Return whether a file of the visitor's is read, or waits for that."""
    return _READING in state.opened


def stop_reading(state: State) -> None:
    """Stop reading the visitor's file, if one is read."""
    reading: _Reading | None = state.opened.pop(_READING, None)
    if reading is not None:
        reading.place.forget(reading.run)


def draw_reading(state: State) -> None:
    """Draw how far the visitor's file is read, and the button that stops it."""
    reading: _Reading | None = state.opened.get(_READING)
    if reading is None:
        return
    run = reading.run
    run.watch(session_name())
    share = run.told[-1] if run.told else 0.0
    if run.state is RunState.WAITING:
        before = reading.place.place(run)
        others = f" after {counted(before, 'other file')}" if before else ""
        words = f"{plain(reading.name)} waits for its turn{others} …"
    else:
        words = f"Reading {plain(reading.name)} …"
    with st.container(horizontal=True, vertical_alignment="center"):
        act_button("Stop", partial(stop_reading, state), key="stop_reading", icon=":material/stop:")
        st.progress(share if isinstance(share, float) else 1.0, text=words)


def take_what_was_read(state: State) -> None:
    """Go on with the visitor's file where it is read; say why where it cannot be."""
    reading: _Reading | None = state.opened.get(_READING)
    if reading is None or not reading.run.state.is_over:
        return
    error = reading.run.error
    is_out_of_time = isinstance(error, TooCostlyError) and error.what == "time"
    stop_reading(state)
    try:
        if is_out_of_time and reading.place is not _places[False]:  # it is one of the large ones
            _begin(state, False, reading.name, reading.steps, reading.done, _SMALL_BYTES + 1)
        else:
            reading.done(_result(reading.run))
    except (SeriesFileError, ScenarioError) as problem:
        state.problems.append(f"{NOT_USED} {labelled(str(problem))}")


def _result(run: LongRun) -> Any:
    last = run.told[-1] if run.told else None
    if isinstance(last, WasRead):
        return last.result
    if isinstance(run.error, SeriesFileError | ScenarioError):
        raise run.error
    if isinstance(run.error, TooCostlyError):
        raise _too_costly(run.error)
    if run.state is RunState.CANCELLED:
        raise SeriesFileError("It was left, as nobody looked at it any more: open it again.")
    raise SeriesFileError("Something went wrong on this server: open it again.")


def _too_costly(problem: TooCostlyError) -> SeriesFileError:
    return SeriesFileError(f"Reading it would cost this server too much: {problem}.")


def follow_reading(state: State) -> None:
    """Wait for news of the visitor's file, and draw the page again; nothing where none is read."""
    reading: _Reading | None = state.opened.get(_READING)
    if reading is not None:
        known = reading.run.state, len(reading.run.told)
        follow(reading.run, known, seconds_drawn(), _SECONDS_BETWEEN)


def file_box(
    state: State,
    label: str,
    kinds: Sequence[str],
    opened: Callable[[bytes, str], None],
    *,
    name: str,
    explains: str,
    megabytes: int | None = None,
    refused: str = NOT_USED,
) -> None:
    """Draw a field for a file, which is read in memory and stored nowhere.

    ``opened`` takes content and name; of the errors that it raises of files, scenarios and costs a
    message tells, which begins with ``refused``.
    """
    receive_files_in_memory()
    # A fresh identity after each file makes Streamlit drop the one before from memory.
    key = f"{name}_{state.uploads}"
    st.file_uploader(
        label,
        type=kinds,
        key=key,
        on_change=lambda: use_file(state, st.session_state[key], opened, refused),
        max_upload_size=megabytes or st.get_option("server.maxUploadSize"),
        help=explains,
    )
    draw_reading(state)


def read_box(
    state: State,
    label: str,
    read: Callable[[bytes, str], T],
    done: Callable[[T], None],
    *,
    name: str,
    explains: str,
    kinds: Sequence[str] = SERIES_KINDS,
    megabytes: int | None = None,
) -> None:
    """Draw a field for a file that :func:`read_file` reads; see :func:`file_box` for the rest.

    ``read`` takes content and name.
    """

    def opened(content: bytes, file: str) -> None:
        read_file(state, partial(read, content, file), done, name=file, size=len(content))

    file_box(state, label, kinds, opened, name=name, explains=explains, megabytes=megabytes)


def use_file(
    state: State, uploaded: UploadedFile | None, opened: Callable[[bytes, str], None], refused: str
) -> None:
    """Open a file that has arrived, or say why it is refused; arguments as above."""
    if uploaded is None:
        return
    state.uploads += 1
    stop_reading(state)
    state.problems, state.notes, state.said = [], [], {}
    try:
        opened(uploaded.getvalue(), uploaded.name)
    except (SeriesFileError, ScenarioError, TooCostlyError) as problem:
        state.problems.append(f"{refused} {labelled(str(problem))}")
