"""Which figure of the paper is shown, which of its panels, and what opens it elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.planning.paper_figures import FIGURES, Family, Figure, Panel
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import menu, view_choice
from dpviz.ui.state import State, change, change_view
from dpviz.wording.paper_figures import axis_name, figure_name, option_name

_KEY = "paper_figure"


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """The page on which a family's settings can be changed.

    Args:
        page: its file.
        view: what it shows at first.
    """

    page: str
    view: Mapping[str, Any]


_EXPLORERS = {
    Family.WINDOWS: Explorer(
        page="pages/subsequences.py", view={"chart": "curve", "compared_steps": 0}
    ),
    Family.TOP_LEVELS: Explorer(page="pages/sample_or_walk.py", view={"compared_length": "run"}),
    Family.LABEL_NOISE: Explorer(page="pages/label_noise.py", view={"noise_chart": "curve"}),
    Family.EPOCH_LENGTH: Explorer(
        page="pages/subsequences.py", view={"chart": "training", "compared_steps": 0}
    ),
    Family.ONE_BAG: Explorer(page="pages/one_bag.py", view={"bag_chart": "curve"}),
}


def shown_figure(state: State) -> Figure:
    """Return the chosen figure."""
    return FIGURES[state.view.figure]


def shown_panel(state: State) -> Panel:
    """Return the chosen panel; beyond the last one, the last."""
    return shown_figure(state).panel(state.view.panel)


def figure_controls(state: State) -> None:
    """Choose the figure and its panel, or go from panel to panel."""
    figure, panel = shown_figure(state), shown_panel(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _figure_box(figure)
        places = [(number, at.number) for number, one in FIGURES.items() for at in one.panels]
        now = places.index((panel.figure, panel.number))
        _step_button("Previous panel", "chevron_left", places[:now][-1:])
        _step_button("Next panel", "chevron_right", places[now + 1 :][:1])
        _open_button(panel)
    with st.container(horizontal=True):
        for axis in figure.axes:
            if len(axis.values) == 1:
                continue
            numbers = figure.along(panel, axis)
            names = {
                number: option_name(axis.name, value)
                for number, value in zip(numbers, axis.values, strict=True)
            }
            view_choice(
                state,
                "panel",
                label=axis_name(axis),
                value=panel.number,
                options=numbers,
                name=names.__getitem__,
                # With other options it is another choice.
                key=f"panel_{panel.figure}_{axis.name}_{numbers[0]}",
                of=lambda: shown_figure(state).number,
            )


def _open_button(panel: Panel) -> None:
    """Offer to go on from the panel's run on the page that varies it."""
    explorer = _EXPLORERS[panel.family]
    if st.button(
        "Open in the explorer",
        key="open_in_explorer",
        icon=":material/tune:",
        help="Makes the settings of this panel yours, to change them one by one. Undo brings your "
        "own back.",
    ):
        view = dict(explorer.view)
        if panel.drawn.epsilon is not None:
            view["fixed_epsilon"] = panel.drawn.epsilon
        change(lambda _: panel.opened, is_origin=True, view=view)
        st.switch_page(explorer.page)


def _figure_box(figure: Figure) -> None:
    menu(
        "Figure",
        value=figure.number,
        options=list(FIGURES),
        name=lambda number: figure_name(FIGURES[number]),
        chosen=lambda number: change_view(lambda: {"figure": number, "panel": 0}),
        key=_KEY,
        explains="Figures of the main paper, drawn anew from its parameters.",
    )


def _step_button(label: str, icon: str, places: list[tuple[str, int]]) -> None:
    figure, panel = places[0] if places else ("", 0)
    act_button(
        label,
        lambda: change_view(lambda: {"figure": figure, "panel": panel}),
        key=label.lower().replace(" ", "_"),
        icon=icon,
        disabled=not places,
    )
