"""What every page has: its beginning, its parts, and what the visitor has to be told."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Literal

import streamlit as st

from dpviz.settings import SETTINGS
from dpviz.ui.acts import begin_controls, said_of_nothing_drawn
from dpviz.ui.number_control import view_number
from dpviz.ui.state import Control, Said, State, begin_page
from dpviz.ui.texts import plain, with_documents
from dpviz.ui.widgets import view_choice
from dpviz.wording.texts import with_formulas


def open_page(address: str) -> None:
    """Begin a run of a page: another page than before begins with no controls of the last one."""
    if begin_page(address):
        begin_controls()


def page_file(address: str) -> str:
    """Return what Streamlit calls a page."""
    return f"pages/{address}.py"


def show_messages(state: State, *, of_link: bool = True, of_acts: bool = True) -> None:
    """Say what of a link or a file, and of acts, could not be used, and what was changed.

    What a control was refused for stands beside it: acts are told of when all controls are drawn.
    """
    said = [Said(tuple(state.problems), tuple(state.notes))] if of_link else []
    said += said_of_nothing_drawn() if of_acts else []
    problems = [problem for one in said for problem in one.problems]
    notes = [note for one in said for note in one.notes]
    if problems:
        st.warning("  \n".join(map(plain, problems)), icon="⚠️")
    if notes:
        st.info("  \n".join(map(plain, notes)), icon="ℹ️")


@contextmanager
def folded(label: str, *, key: str) -> Iterator[bool]:
    """Draw a part that is folded at first; yields whether it is open and so has to be drawn.

    What nobody sees costs nothing: each element is a message to the browser at each slider move.
    """
    part = st.expander(label, key=key, on_change="rerun")
    with part:
        yield bool(part.open)


def folded_part(label: str, key: str, draw: Callable[..., object], *arguments: Any) -> None:
    """Draw a part that is folded at first, by ``draw`` with its arguments once it is open."""
    with folded(label, key=key) as is_open:
        if is_open:
            draw(*arguments)


def say(words: str, **look: Any) -> None:
    """Draw Markdown with formulas and links to documentation; ``look`` as for ``st.markdown``."""
    st.markdown(with_formulas(with_documents(words)), **look)


def folded_text(label: str, key: str, text: Callable[[], str]) -> None:
    """Draw Markdown in a part that is folded at first; it is made when it is open."""
    folded_part(label, key, lambda: say(text()))


def fold(
    label: str, key: str, *controls: Control | str, says: Callable[[State], str] | None = None
) -> Control:
    """Return what draws controls in a part that is folded at first.

    ``says`` returns what the controls stand at, as Markdown to be read below the label.
    """

    def draw(state: State) -> None:
        # No part of the label: to Streamlit another label is another part, which is shut.
        with nullcontext() if says is None else st.container(key=f"says_{key}"):
            folded_part(label, key, draw_each, state, controls)
            if says is not None:
                st.caption(with_formulas(says(state)))

    return draw


def in_order(*controls: Control | str) -> Control:
    """Return what draws controls below each other."""
    return lambda state: draw_each(state, controls)


def in_place(*controls: Control | str) -> Control:
    """Return what draws controls in a place that is always there: what is below stays the same."""

    def draw(state: State) -> None:
        with st.container():
            draw_each(state, controls)

    return draw


def said_below(words: Callable[[State], str]) -> Control:
    """Return what draws a caption, in a place that is there also where nothing is to be said."""

    def draw(state: State) -> None:
        with st.container():
            if said := words(state):
                st.caption(said)

    return draw


def when(holds: Callable[[State], bool], *controls: Control | str) -> Control:
    """Return what draws controls where something holds of the state."""
    return lambda state: draw_each(state, controls) if holds(state) else None


def viewed(field: str, *values: str) -> Callable[[State], bool]:
    """Return what tells whether a setting of the view has one of some values."""
    return lambda state: getattr(state.view, field) in values


def in_columns(*columns: Control | str, gap: Literal["small", "large"] = "small") -> Control:
    """Return what draws controls in columns of one width."""

    def draw(state: State) -> None:
        for column, one in zip(st.columns(len(columns), gap=gap), columns, strict=True):
            with column:
                control(one)(state)

    return draw


def draw_each(state: State, controls: Iterable[Control | str]) -> None:
    """Draw controls below each other; a name is that of a setting of the view."""
    for one in controls:
        control(one)(state)


def control(one: Control | str) -> Control:
    """Return what draws a control; that of a setting of the view by its name."""
    if not isinstance(one, str):
        return one
    return view_choice(one) if SETTINGS[one].choices else view_number(one)


def hand_over(
    label: str, make: Callable[[], Any], file: str, kind: str = "text/csv", **look: Any
) -> None:
    """Draw a button that hands over a file, made when it is asked for.

    The ``look`` is as for ``st.download_button``.
    """
    st.download_button(label, make, file, kind, on_click="ignore", **look)


def leading_button(
    label: str, page: str, act: Callable[[], None], *, key: str, icon: str, explains: str
) -> None:
    """Draw a button that acts, and then opens another page."""
    if st.button(label, key=key, icon=icon, help=explains):
        act()
        st.switch_page(page_file(page))


def draw_progress(progress: float | None, said: str = "Refining …") -> None:
    """Draw how far a computation is, from 0 to 1, in a place that is there also when it is done."""
    with st.container():  # always there, so that what is drawn below stays the same
        if progress is not None:
            st.progress(progress, text=said)
