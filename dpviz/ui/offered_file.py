"""A file of series: what was read of it is shown before it is used, and what is kept of it then."""

from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from threading import Lock
from weakref import ref

import streamlit as st

from dpviz.planning.first_windows import IN_TIME, left_open
from dpviz.planning.target import goal_of, quantity_of
from dpviz.scenario import Scenario, ScenarioError, from_json
from dpviz.series_file import (
    LAYOUTS,
    MOST_BYTES,
    MOST_ROWS,
    MOST_SERIES,
    NO_COLUMN,
    SHORTEST,
    Choice,
    Offer,
    SeriesFileError,
    SeriesLengths,
    adopt_lengths,
    read_offer,
)
from dpviz.series_file.any_layout import NO_NAMES, ColumnNames, names_in
from dpviz.settings.history import MOST_STEPS_KEPT
from dpviz.ui.file_reading import NOT_USED, SERIES_KINDS, file_box, read_file, stop_reading
from dpviz.ui.state import State, begin_with, page_address
from dpviz.ui.texts import plain
from dpviz.ui.widgets import act_button, menu
from dpviz.wording.file_shape import LAYOUT_NAMES, READINGS, first_rows, lengths_summary
from dpviz.wording.numbers import listed
from dpviz.wording.plan import opened_sentences
from dpviz.wording.setting_values import labelled

# Of one visitor's file, for as long as the page is open: 80 MB in memory.
MOST_FILE_VALUES = 10_000_000
# Of all visitors of a server; what was kept first goes first.
_MOST_BYTES_KEPT = 200 * 2**20
# Of one visitor; undo brings the one before back.
_MOST_KEPT = 2
_USED = "how files of series were read"
_lock = Lock()
_kept: "list[ref[UsedFile]]" = []


@dataclass(eq=False)
class UsedFile:
    """A file whose shape is, or was, planned for."""

    name: str
    size: int
    digest: bytes  # tells it from another of its name, when it is opened once more
    choice: Choice  # how it was read
    lengths: SeriesLengths  # what was read then
    columns: ColumnNames
    content: bytes | None  # all of it, until it was trained on or forgotten


def keep(state: State, file: UsedFile) -> None:
    """Note how the visitor's file was read, and keep it beside the one before."""
    used = (*used_files(state), file)
    forget(*used[:-_MOST_KEPT])
    state.opened[_USED] = used[-1 - MOST_STEPS_KEPT :]
    if file.content is None:
        return
    with _lock:
        others = [one for one in (kept() for kept in _kept) if one is not None and one.content]
        room = _MOST_BYTES_KEPT - file.size
        for one in reversed(others):
            room -= one.size
            if room < 0:
                one.content = None
        _kept[:] = [ref(one) for one in (*others, file) if one.content]


def used_files(state: State) -> tuple[UsedFile, ...]:
    """Return the files that were used, the last at the end."""
    used: tuple[UsedFile, ...] = state.opened.get(_USED, ())
    return used


def planned_file(state: State) -> UsedFile | None:
    """Return the file that the settings have their series from, if from any: undo changes it."""
    return None if state.scenario.shape is None else file_of_lengths(state)


def file_of_lengths(state: State) -> UsedFile | None:
    """Return the same, also where rates are set by hand and its lengths are there to go back to."""
    return next((one for one in used_files(state) if one.lengths is state.file), None)


def used_before(state: State, content: bytes, name: str) -> UsedFile | None:
    """Return what is known of a file that is opened once more; ``None`` where it was not used."""
    named = (name, digest_of(content))
    known = (planned_file(state), *reversed(used_files(state)))
    return next((one for one in known if one and (one.name, one.digest) == named), None)


def digest_of(content: bytes) -> bytes:
    """Return what only equal contents have in common."""
    return sha256(content).digest()


def draw_kept(state: State) -> None:
    """Say which files are kept of those that were used, with the button that drops them."""
    kept = [one for one in used_files(state) if one.content is not None]
    if not kept:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Kept in this server's memory for *Train*: {listed([plain(one.name) for one in kept])}"
            "; at most the last two that you used, until the page is closed."
        )
        act_button("Forget what is kept", partial(forget, *kept), key="forget_kept", quiet=True)


def forget(*used: UsedFile) -> None:
    """Drop what is kept of files; how they were read stays known."""
    for one in used:
        one.content = None


_OFFERED = "file of series"
_MOST_COLUMNS = 200  # menus of more are no help


@dataclass(frozen=True, eq=False)
class _Offered:
    """A file that waits for a decision."""

    content: bytes
    name: str
    choice: Choice
    offer: Offer


def upload_control(state: State) -> None:
    """Offer to read a data set's shape, or a scenario, from a file."""
    file_box(
        state,
        "A file of series (CSV, Parquet, .tsf), or a scenario (JSON)",
        [*SERIES_KINDS, "json"],
        partial(open_file, state),
        name="upload",
        explains="Used here: number and lengths of series; every value counts as trained on. For "
        f"*Train*, up to {MOST_FILE_VALUES:,} values stay in this server's memory, at most until "
        "two minutes after the page is closed; nothing is written to a disk. At most "
        f"{MOST_BYTES // 2**20} MB unpacked, {MOST_ROWS:,} rows, {MOST_SERIES:,} series. "
        "Larger, or data that may not leave your machine: "
        "`python -m dpviz shape FILE` prints a link.",
    )
    offered: _Offered | None = state.opened.get(_OFFERED)
    if offered is not None:
        _draw(state, offered)
    elif state.file is not None:
        st.caption(lengths_summary(state.file))
    draw_kept(state)


def open_file(state: State, content: bytes, name: str) -> None:
    """Open a scenario, or look at a file of series.

    Raises:
        SeriesFileError: it cannot be read as any.
        ScenarioError: it is no scenario.
    """
    state.opened.pop(_OFFERED, None)
    if not name.lower().endswith(".json"):
        _look(state, content, name, Choice())
        return
    before = state.settings
    state.scenario, state.file, state.unchosen = from_json(content), None, frozenset()
    begin_with(state, before)
    said = "The scenario was opened."
    if page_address() == "planner":
        try:
            goal = goal_of(state.view, state.scenario.delta)
        except ScenarioError:  # told in the answer's place
            goal = None
        said = opened_sentences(state.scenario, quantity_of(state.view, state.scenario), goal)
    state.notes.append(said)


def _look(state: State, content: bytes, name: str, choice: Choice) -> None:
    def done(offer: Offer) -> None:
        state.opened[_OFFERED] = _Offered(content, name, choice, offer)
        if offer.problem:
            raise SeriesFileError(offer.problem)

    read_file(state, partial(read_offer, content, name, choice), done, name=name, size=len(content))


def _choose(state: State, offered: _Offered, choice: Choice) -> None:
    state.problems, state.notes = [], []
    try:
        _look(state, offered.content, offered.name, choice)
    except SeriesFileError as problem:
        state.problems.append(f"{NOT_USED} {labelled(str(problem))}")


def _draw(state: State, offered: _Offered) -> None:
    """Show what was read of a file, and how; nothing of it is used yet."""
    offer, choice = offered.offer, offered.choice
    lengths, roles = offer.lengths, offer.roles
    if lengths is not None:
        st.markdown(f"**{lengths_summary(lengths)}.** {plain(offered.name)} is not used yet.")
        if lengths.doubt is not None:
            menu(
                lengths.doubt.sentence,
                value=lengths.layout,
                options=(lengths.layout, lengths.doubt.layout),
                name=READINGS.__getitem__,
                chosen=lambda layout: _choose(state, offered, Choice(layout=layout)),
                key="file_doubt",
                in_sight=True,
            )
    if offer.header:
        st.markdown(first_rows(offer.header, offer.rows, roles))
        menu(
            "Layout of the file",
            value=choice.layout,
            options=LAYOUTS,
            name=LAYOUT_NAMES.__getitem__,
            chosen=lambda layout: _choose(state, offered, Choice(layout=layout)),
            key="layout_of_file",
        )
        if roles is not None:
            if roles.layout != "wide":
                _column_menu(state, offered, "series", roles.series, "Column that names the series")
            if roles.layout != "rows":
                time = next(iter(roles.times), None)
                _column_menu(state, offered, "time", time, "Column of the time")
            if roles.layout == "long":
                _column_menu(state, offered, "value", roles.values[0], "Column of the values")
    if lengths is not None:
        for note in lengths.notes:
            st.caption(plain(note))
        act_button(
            "Use this file",
            partial(_use, state),
            key="use_file",
            means=f"{state.uploads} {choice}",  # it may have been read otherwise since
            primary=True,
        )
    act_button("Discard the new file", lambda: _discard(state), key="discard_file", quiet=True)


def _column_menu(state: State, offered: _Offered, role: str, place: int | None, label: str) -> None:
    header = offered.offer.header
    places = [*([] if role == "value" else [NO_COLUMN]), *range(min(len(header), _MOST_COLUMNS))]

    menu(
        label,
        value=NO_COLUMN if place is None else place,
        options=places,
        name=lambda at: "none" if at == NO_COLUMN else header[at] or f"column {at + 1}",
        chosen=lambda at: _choose(state, offered, replace(offered.choice, **{role: at})),
        key=f"file_{role}",
    )


def _use(state: State) -> None:
    offered: _Offered | None = state.opened.get(_OFFERED)
    if offered is None or offered.offer.lengths is None:
        return
    before, file = state.settings, offered.offer.lengths
    state.problems, state.notes = [], []
    try:
        unchosen = left_open(before.scenario, state.origin) | before.unchosen
        step = before.scenario.units.time_step
        if step is not None and file.time_step not in (None, step):
            unchosen |= IN_TIME  # as many values are another time now
        adoption = adopt_lengths(
            _base(state, file),
            file,
            untold={*unchosen, "num_series", "series_length"},  # asked for; in the summary below
            forecast_length=SHORTEST if "forecast_length" in unchosen else None,
        )
    except (SeriesFileError, ScenarioError) as problem:
        state.notes = []
        state.problems.append(f"{NOT_USED} {labelled(str(problem))}")
        return
    del state.opened[_OFFERED]
    offer, content, choice = offered.offer, offered.content, offered.choice
    if offer.roles is not None and offer.roles.series is not None:
        choice = replace(choice, series=offer.roles.series)  # shown and used: no guess any more
    used = UsedFile(
        name=offered.name,
        size=len(content),
        digest=digest_of(content),
        choice=choice,
        lengths=file,
        columns=NO_NAMES if offer.roles is None else names_in(offer.header, offer.roles),
        content=content if sum(file.lengths) <= MOST_FILE_VALUES else None,
    )
    keep(state, used)
    state.unchosen = unchosen
    state.scenario, state.file = adoption.scenario, file
    begin_with(state, before)
    state.notes += [lengths_summary(file) + ".", *file.notes, *adoption.changes]
    if state.scenario.bottom_rate == 1.0 and not state.unchosen:
        state.notes.append(
            f"Every window of the shortest series ({file.shortest:,} values) may touch what is "
            "protected (r = 1): shorter windows make ε smaller."
        )


def _base(state: State, file: SeriesLengths) -> Scenario:
    """Return the scenario that a file gives its shape to: without the time step of a preset."""
    units = state.scenario.units
    if file.time_step is not None or units.time_step != state.origin.units.time_step:
        return state.scenario
    if units.time_step is not None:
        state.notes.append(
            'The file gives no time step: set the time from value to value under "Who is '
            'protected", or values are counted instead of hours and days.'
        )
    return replace(state.scenario, units=replace(units, time_step=None))


def _discard(state: State) -> None:
    stop_reading(state)  # it may be read once more, by another choice
    state.opened.pop(_OFFERED, None)
    state.problems, state.notes = [], []
