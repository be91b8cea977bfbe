"""What stands above every page: the menu, the title, the tabs, and what the page hands over."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache

import pandas as pd
import streamlit as st

from dpviz.export.table import Table
from dpviz.settings.destinations import DESTINATIONS, PAGE_NAMES, START, destination_of
from dpviz.ui.address import holds_link_before
from dpviz.ui.page import hand_over, open_page, page_file
from dpviz.ui.page_style import run_script
from dpviz.ui.presenter import present_button
from dpviz.ui.sharing import SHARE_MENU, qr_button, shut_share_menu
from dpviz.ui.state import State, page_address, session_state
from dpviz.ui.texts import plain
from dpviz.wording.texts import with_formulas

# More would be long to go through, and the file has them all.
MOST_ROWS = 100
# The file's settings as JSON: the page shows them, and a screen reader reads out all its marks.
_SETTINGS, _OF_EACH_ROW = re.compile(r"(^|: )scenario: \{"), "scenario"
_MEANING = "What each column is, in full"
_BOUNDS = {
    "_upper": "upper bounds (at most this)",
    "_lower": "lower bounds (at least this)",
    "_bracket_low": "the least that a bound's exact value can be",
    "_bracket_high": "the most that a bound's exact value can be; "
    "of Propositions 7, 9 and 22 that of the attack computed",
}
_HELP = f"The chart's numbers; of more than {MOST_ROWS} rows, every so many."


@st.dialog("The chart's numbers", width="large")
def _show(make: Callable[[], Table]) -> None:
    with st.spinner("Computing all of the numbers …"):
        table = make()
        numbers = table.as_written().drop(columns=_OF_EACH_ROW, errors="ignore")
    told = [line for line in table.comments if not _SETTINGS.search(line)]
    meaning = "\n".join(f"- {plain(line)}" for line in told)
    shown, sentence = thinned(numbers, table.answers)
    if not sentence:
        st.markdown(meaning)
        return
    st.markdown(f"{sentence} {columns_sentence(numbers.columns)}")
    with st.expander(_MEANING):  # of many curves it is long, and numbers should be in sight
        st.markdown(meaning)
    st.table(shown.map(plain).rename(columns=plain), hide_index=True, alt="The chart's numbers")


def columns_sentence(names: Iterable[str]) -> str:
    """Return in one sentence what the columns are, and where all of it is said.

    >>> columns_sentence(["epsilon", "delta_upper"]).partition(";")[0]
    'Columns that end in `_upper` are upper bounds (at most this)'
    >>> columns_sentence(["series", "count"])
    'What each column is stands below, folded.'
    """
    names = list(names)
    endings = [ending for ending in _BOUNDS if any(name.endswith(ending) for name in names)]
    bounds = [f"`{ending}` are {_BOUNDS[ending]}" for ending in endings]
    if not bounds:
        return "What each column is stands below, folded."
    return (
        f"Columns that end in {', in '.join(bounds)}; by which theorem, over how much training and "
        "for whom stands below, folded."
    )


def thinned(numbers: pd.DataFrame, answers: Sequence[int] = ()) -> tuple[pd.DataFrame, str]:
    """Return at most about ``MOST_ROWS`` rows, each as it was, and what is left out in words.

    The first and the last row stay, and those that answer what the headline does. The words are
    empty where there are no rows.

    >>> shown, sentence = thinned(pd.DataFrame({"epsilon": range(250)}))
    >>> shown["epsilon"].tolist()[:3], shown["epsilon"].tolist()[-2:], sentence
    ([0, 3, 6], [246, 249], 'Every 3rd of 250 rows; the file, by Download CSV, has all.')
    >>> shown, sentence = thinned(pd.DataFrame({"epsilon": range(250)}), [4])
    >>> shown["epsilon"].tolist()[:3], sentence.partition(";")[0]
    ([0, 3, 4], "Every 3rd of 250 rows, and the first with the headline's δ or less")
    """
    count = len(numbers)
    if count == 0:
        return numbers, ""
    step = -(-count // MOST_ROWS)
    if step == 1:
        return numbers, f"All {count} rows of the file." if count > 1 else "The file's one row."
    kept = sorted({*range(0, count, step), count - 1, *answers})
    also = ", and the first with the headline's δ or less" if answers else ""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(step % 10 if step // 10 % 10 != 1 else 0, "th")
    sentence = f"Every {step}{ending} of {count:,} rows{also}; the file, by Download CSV, has all."
    return numbers.iloc[kept], sentence


_MENU = "dpviz_menu"  # the page that the menu was made for


def navigate() -> st.Page:
    """Draw the menu of destinations; return the page that is asked for."""
    page, address = _route(st.session_state.get(_MENU, START))
    if st.session_state.get(_MENU) != address:
        # Which page is asked for is known only now: its entry is to be the one that is marked.
        st.session_state[_MENU] = address
        page, address = _route(address)
    st.set_page_config(page_title=f"{PAGE_NAMES[address]} · dpviz")
    open_page(address)
    return page


def _route(here: str) -> tuple[st.Page, str]:
    """Return the page that is asked for, and its address, after a menu made for a page."""
    pages: dict[str, st.Page] = {}
    for destination, tabs in DESTINATIONS.items():
        entry = here if here in tabs else next(iter(tabs))
        for address, name in tabs.items():
            is_entry = address == entry
            # Each run has pages of its own: Streamlit notes in them which one may be drawn.
            pages[address] = copy(_page(address, destination if is_entry else name, is_entry))
    found = st.navigation(list(pages.values()), position="top")
    return found, next(address for address, page in pages.items() if page is found)


@cache
def _page(address: str, title: str, is_entry: bool) -> st.Page:
    """Return a page of the menu; that there is such a file is looked up once."""
    return st.Page(
        page_file(address),
        title=title,
        url_path=address if address != START else None,
        default=address == START,
        visibility="visible" if is_entry else "hidden",
    )


def begin_at_top() -> None:
    """Show another page from its top, and make it one place of the browser's history."""
    # Streamlit shows a page from where the one before was left. The code of a class that is started
    # below is shown above.
    run_script("page_top", {"page": f"{page_address()} {session_state().view.class_code}"})


@contextmanager
def _head(title: str = "") -> Iterator[None]:
    address = page_address()
    destination = destination_of(address)
    begin_at_top()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="head"):
        st.title(title or destination, anchor=False, width="content")
        if len(tabs := DESTINATIONS[destination]) > 1:
            with st.container(horizontal=True, vertical_alignment="center", gap=None, key="tabs"):
                for one, name in tabs.items():
                    if one == address:  # no link: where one is is said without its colour, too
                        st.container(key="tab_here").markdown(f"**{name}**")
                    else:
                        st.page_link(page_file(one), label=name)
        yield


def draw_title() -> None:
    """Draw the destination's name and its tabs, above a page that hands nothing over."""
    with _head():
        pass


def draw_head(
    state: State,
    *,
    title: str = "",
    table: Callable[[], Table] | None = None,
    table_name: str = "",
    scenario: Callable[[], str] | None = None,
    saves: str = "",
    lacks: str = "",
) -> None:
    """Draw title, tabs and the menu of all that a page is for others: link, files, a room.

    ``table`` and ``scenario`` are ``None`` where there is nothing to save; ``saves`` says what is.
    ``lacks`` says what has to be chosen first: until then nothing can be taken of the scenario.
    """
    has_no_link, is_open = bool(lacks) and holds_link_before(state), bool(lacks and scenario)
    with (
        _head(title),
        st.popover("Share", icon=":material/ios_share:", key=SHARE_MENU, on_change="rerun"),
    ):
        if has_no_link or is_open:
            st.caption(with_formulas(lacks))
        run_script("copy_link", {"disabled": has_no_link})
        if not state.view.present:  # there the bar has it
            qr_button(state, disabled=has_no_link)
        present_button(state)
        if table is not None:
            if st.button(
                "Table",
                key="show_table",
                icon=":material/table:",
                help=_HELP,
                on_click=shut_share_menu,
                disabled=is_open,
            ):
                _show(table)
            hand_over(
                "Download CSV",
                lambda: table().csv(),
                table_name,
                key="download_csv",
                icon=":material/download:",
                disabled=is_open,
            )
        if scenario is not None:
            hand_over(
                "Save scenario",
                scenario,
                "dpviz-scenario.json",
                "application/json",
                key="save_scenario",
                icon=":material/save:",
                help=saves,
                disabled=is_open,
            )
