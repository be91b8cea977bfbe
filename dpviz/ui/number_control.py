"""A slider on a coarse grid with an exact entry beside it."""

from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.scenario import Scenario
from dpviz.ui.state import change, show_in_widget
from dpviz.wording.numbers import power_of_ten

_ANCHORS = "dpviz_anchors"


def number_control(
    label: str,
    *,
    key: str,
    value: float,
    grid: Sequence[float],
    limits: tuple[float, float],
    apply: Callable[[Scenario, float], Scenario],
    ends: tuple[str, str],
    explanation: str,
    disabled: bool = False,
) -> None:
    """Draw the control; a change goes through ``apply`` to the visitor's scenario.

    The slider stops at the grid's values and at the last value off the grid, so that sliding
    away and back again restores a number that came from a data set.

    Args:
        label: words and symbol, such as "Noise multiplier σ".
        key: name of the control, stable over reruns.
        value: the scenario's current value; an int makes the exact entry whole-numbered.
        grid: the slider's values, increasing.
        limits: smallest and largest value of the exact entry.
        apply: returns the scenario with the new value; may raise ScenarioError.
        ends: what the left and the right end of the slider mean.
        explanation: hover help.
        disabled: whether the control is shown but cannot be used.
    """
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
        change(lambda scenario: apply(scenario, st.session_state[slider]))

    def typed() -> None:
        entered = st.session_state[exact]
        # A new box reports its first value as if it had been typed, and so does one that was
        # replaced while the answer to it was under way.
        if entered not in (None, value) and st.session_state[f"{key}_shown"] == value:
            change(lambda scenario: apply(scenario, entered))

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.select_slider(
            f"{label} (← {ends[0]} · {ends[1]} →)",
            options=options,
            key=slider,
            format_func=_short,
            help=explanation,
            on_change=slid,
            disabled=disabled,
        )
        st.number_input(
            f"{label}, exact value",
            min_value=type(value)(limits[0]),
            max_value=type(value)(limits[1]),
            value=value,
            step=1 if isinstance(value, int) else None,
            format=None if isinstance(value, int) else "%.12g",
            key=exact,
            on_change=typed,
            label_visibility="collapsed",
            width=118,
            disabled=disabled,
        )


def one_two_five(first: int, last: int) -> tuple[float, ...]:
    """Return 1, 2 and 5 times the powers of ten from 10^first up to 10^last.

    >>> one_two_five(-2, 0)
    (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
    """
    numbers = [float(f"{digit}e{power}") for power in range(first, last) for digit in (1, 2, 5)]
    return (*numbers, float(f"1e{last}"))


def _short(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return power_of_ten(value) if value < 1e-3 else f"{value:.4g}"
