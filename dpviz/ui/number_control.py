"""A slider on a coarse grid with an exact entry beside it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from dpviz.scenario import Scenario, Units
from dpviz.ui.state import State, change, change_view, show_in_widget
from dpviz.ui.text_box import text_box
from dpviz.ui.typed_number import shown_number, typed_number, typed_values
from dpviz.wording.hover_help import field_help
from dpviz.wording.labels import LABELS
from dpviz.wording.numbers import power_of_ten

_ANCHORS = "dpviz_anchors"
# Takes the new number by a function, which may raise ScenarioError.
_Store = Callable[[Callable[[], Any]], None]


def number_control(
    field: str,
    *,
    value: float,
    grid: Sequence[float],
    limits: tuple[float, float],
    apply: Callable[[Scenario, float], Scenario],
    ends: tuple[str, str],
    explanation: str = "",
    origin: float | None = None,
    units: Units | None = None,
) -> None:
    """Draw the control; a change goes through ``apply`` to the visitor's scenario.

    Args:
        field: the scenario's field, which names the control and its widgets.
        value: the scenario's current value; an int makes the exact entry whole-numbered.
        grid: the slider's values, increasing.
        limits: smallest and largest value of the exact entry.
        apply: returns the scenario with the new value; may raise ScenarioError.
        ends: what the left and the right end of the slider mean.
        explanation: what hovering tells besides what the glossary has on the field.
        origin: the value that the button beside the box goes back to; ``None`` for no button.
        units: the data's own, where a number of values may be typed as a time, too.
    """

    def store(number: Callable[[], float]) -> None:
        change(lambda before: apply(before, number()))

    _slider_and_box(field, value, grid, limits, store, ends, explanation, origin, units)


def view_number_control(
    state: State,
    field: str,
    *,
    grid: Sequence[float],
    limits: tuple[float, float],
    ends: tuple[str, str],
    explanation: str = "",
) -> None:
    """Draw the control of a number of the view; see :func:`number_control`."""

    def store(number: Callable[[], float]) -> None:
        change_view(lambda: {field: number()})

    value, origin = getattr(state.view, field), getattr(state.first_view, field)
    _slider_and_box(field, value, grid, limits, store, ends, explanation, origin)


def _slider_and_box(
    field: str,
    value: float,
    grid: Sequence[float],
    limits: tuple[float, float],
    store: _Store,
    ends: tuple[str, str],
    explanation: str,
    origin: float | None,
    units: Units | None = None,
) -> None:
    """Draw slider, box and the way back.

    The slider stops at the grid's values and at the last value off the grid, so that sliding
    away and back again restores a number that came from a data set.
    """
    key, label = field, LABELS[field]
    slider = f"{key}_slider"
    # A box of its own for each value, since one that is made to show another value would report
    # it back late and undo quick moves of the slider.
    exact = f"{key}_exact_{value!r}"
    st.session_state[f"{key}_shown"] = value
    anchors: dict[str, float] = st.session_state.setdefault(_ANCHORS, {})
    if value not in grid:
        anchors[key] = value
    options = sorted({*grid, *([anchors[key]] if key in anchors else [])})
    show_in_widget(slider, value)

    def slid() -> None:
        store(lambda: st.session_state[slider])

    def typed() -> None:
        # A box that was replaced while the answer to it was under way reports its value late.
        if st.session_state[f"{key}_shown"] == value:
            _store_text(field, exact, value, limits, store, units=units)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.select_slider(
            f"{label}  \n← {ends[0]} · {ends[1]} →",
            options=options,
            key=slider,
            format_func=_short,
            help=field_help(field, explanation),
            on_change=slid,
        )
        text_box(
            f"{label}, exact value",
            shows=shown_number(value),
            key=exact,
            on_change=typed,
            label_visibility="collapsed",
            width=96,
        )
        if origin is not None:
            # Always there, so that nothing moves while the slider does.
            st.button(
                f"Reset: {label}",
                key=f"{key}_reset",
                icon=":material/restart_alt:",
                type="tertiary",
                disabled=value == origin,
                help=f"Back to {shown_number(origin)}",
                on_click=store,
                args=(lambda: origin,),
            )


def whole_number_box(
    field: str,
    value: int,
    limits: tuple[int, int],
    apply: Callable[[Scenario, int], Scenario],
    *,
    units: Units | None = None,
    explanation: str = "",
    disabled: bool = False,
) -> None:
    """Draw a box for one whole number of the scenario; see :func:`number_control`.

    With ``units``, a number of values may also be typed as a time, such as "2 weeks", if the time
    from value to value is among them.
    """
    key = f"box_{field}_{value}"
    shown = f"box_{field}_shown"
    st.session_state[shown] = value

    def store(number: Callable[[], Any]) -> None:
        change(lambda before: apply(before, number()))

    def typed() -> None:
        if st.session_state[shown] == value:
            _store_text(field, key, value, limits, store, units=units)

    text_box(
        LABELS[field],
        shows=shown_number(value),
        key=key,
        help=field_help(field, explanation),
        on_change=typed,
        disabled=disabled,
    )


def _store_text(
    field: str,
    widget: str,
    value: float,
    limits: tuple[float, float],
    store: _Store,
    *,
    units: Units | None = None,
) -> None:
    """Store what was typed into a box that showed ``value``.

    A refused text is answered with a message, and the box shows the value again.
    """
    text = st.session_state[widget]
    whole = isinstance(value, int)
    if text.strip() and text != shown_number(value):
        if units is None:
            store(lambda: typed_number(field, text, limits, whole=whole))
        else:
            store(lambda: typed_values(field, text, limits, units.time_step))
    st.session_state[widget] = shown_number(value)


# Each stop of each slider, at each move. Typed, since 1 and 1.0 are written differently.
@lru_cache(maxsize=2048, typed=True)
def _short(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) >= 1e4:
        return f"{float(f'{value:.4g}'):,.0f}"
    # Few digits, as there is no room for more; the box has them all.
    return power_of_ten(float(f"{value:.4g}")) if 0 < value < 1e-3 else f"{value:.4g}"
