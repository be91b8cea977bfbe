"""Scenarios kept beside the current one: pin, show, open and remove them."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from dpviz.planning import ScenarioCurves
from dpviz.planning.differences import differences, in_the_same_terms
from dpviz.scenario import Pin
from dpviz.scenario.pins import MOST_SHOWN, PIN_SLOTS, pinned
from dpviz.ui.compute import curves_part
from dpviz.ui.page import folded
from dpviz.ui.shared import Filled, fill_in
from dpviz.ui.state import State, change, change_pins, show_in_widget
from dpviz.wording.differences import (
    PinnedRun,
    differences_notes,
    differences_table,
    pin_label,
)
from dpviz.wording.findings import quoted_epsilon


def at_same_delta(state: State) -> tuple[Pin, ...]:
    """Return the pins with the current delta: only at the same one are runs comparable."""
    delta = state.scenario.delta
    return tuple(replace(pin, scenario=replace(pin.scenario, delta=delta)) for pin in state.pins)


def pins_shown(state: State) -> tuple[Pin, ...]:
    """Return the pins that charts draw, with the current delta."""
    return tuple(pin for pin in at_same_delta(state) if pin.shown)


NOW = "now"


def name_of(pin: Pin) -> str:
    """Return what charts and tables call a pin."""
    return f"pin {pin.name}"


def pin_button(state: State) -> None:
    """Draw the button that keeps the current scenario."""
    is_pinned = any(pin.scenario == state.scenario for pin in state.pins)
    st.button(
        "Pin",
        key="pin",
        icon=":material/push_pin:",
        disabled=is_pinned or len(state.pins) == len(PIN_SLOTS),
        on_click=change_pins,
        args=(lambda pins: pinned(pins, state.scenario),),
        help="Keeps these settings in the chart and the link, to compare others with: up to "
        f"{len(PIN_SLOTS)}, {MOST_SHOWN} in the chart.",
    )


def draw_pins(state: State, known: Mapping[str, ScenarioCurves]) -> Filled:
    """Draw the scenarios that are kept, and what differs.

    Args:
        state: the visitor's.
        known: what is proven about the current run and those shown, by :func:`name_of`.

    Returns:
        What the tables of differences still lack.
    """
    shown = sum(pin.shown for pin in state.pins)
    for pin in state.pins:
        can_be_shown = pin.shown or shown < MOST_SHOWN
        _row(state, pin, known.get(name_of(pin)), can_be_shown=can_be_shown)
    if not state.pins:
        return Filled(results=())
    with folded("What differs, and what it costs in ε", key="open_differences") as is_open:
        return _draw_differences(state, known[NOW]) if is_open else Filled(results=())


def _draw_differences(state: State, here: ScenarioCurves) -> Filled:
    pins = tuple(
        replace(pin, scenario=in_the_same_terms(state.scenario, pin.scenario))
        for pin in at_same_delta(state)
    )
    found = {pin.slot: differences(state.scenario, pin.scenario) for pin in pins}
    wanted = [pin.scenario for pin in pins]
    wanted += [one.alone for pin in pins for one in found[pin.slot] if one.alone is not None]
    filled = fill_in([curves_part(scenario) for scenario in wanted])
    known = dict(zip(wanted, filled.results, strict=True))
    runs = [
        PinnedRun(
            name=pin.name,
            scenario=pin.scenario,
            curves=known[pin.scenario],
            costs=tuple(
                (one, None if one.alone is None else known[one.alone]) for one in found[pin.slot]
            ),
        )
        for pin in pins
    ]
    for run in runs:  # a table each: next to each other they would be too wide for most screens
        st.markdown(differences_table(here, [run], with_notes=False))
    st.markdown(differences_notes(here, runs))
    return filled


def _row(state: State, pin: Pin, known: ScenarioCurves | None, *, can_be_shown: bool) -> None:
    key = f"pin_{pin.slot}_shown"
    there = in_the_same_terms(state.scenario, pin.scenario)
    epsilon = "" if known is None else f" · {quoted_epsilon(known)}"
    show_in_widget(key, pin.shown)

    def ticked() -> None:
        change_pins(lambda pins: _with_shown(pins, pin.slot, st.session_state[key]))

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.checkbox(
            f"**{pin.name}**: {pin_label(state.scenario, there)}{epsilon}",
            key=key,
            disabled=not can_be_shown,
            on_change=ticked,
            width="stretch",
            help=None if can_be_shown else f"The chart shows {MOST_SHOWN} at most.",
        )
        st.button(
            "Open",
            key=f"pin_{pin.slot}_open",
            on_click=change,
            args=(lambda before: replace(pin.scenario, delta=before.delta),),
            help="Makes these the current settings, at the current δ; the pin stays.",
        )
        st.button(
            "Remove",
            key=f"pin_{pin.slot}_remove",
            on_click=change_pins,
            args=(lambda pins: tuple(other for other in pins if other.slot != pin.slot),),
            help=f"Remove pin {pin.name}",
        )


def _with_shown(pins: tuple[Pin, ...], slot: str, shown: bool) -> tuple[Pin, ...]:
    return tuple(replace(pin, shown=shown) if pin.slot == slot else pin for pin in pins)
