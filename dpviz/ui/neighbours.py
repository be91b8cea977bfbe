"""The ways from one of several panels or tables to the one before and after."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from dpviz.ui.state import change_view
from dpviz.ui.widgets import act_button


def neighbour_buttons(noun: str, ways: Sequence[Mapping[str, Any]], now: int) -> None:
    """Draw the buttons that lead to the one before and after, by what the view has at each."""
    for which, icon, way in (
        ("previous", "chevron_left", ways[:now][-1:]),
        ("next", "chevron_right", ways[now + 1 :][:1]),
    ):
        act_button(
            f"{which.capitalize()} {noun}",
            partial(change_view, partial(dict, *way)),
            key=f"{which}_{noun}",
            icon=icon,
            disabled=not way,
        )
