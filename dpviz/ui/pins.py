"""Scenarios kept beside the current one: pin, show, open and remove them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.figures import Band
from dpviz.figures.parts import PIN as PIN_STYLE
from dpviz.planning import ScenarioCurves
from dpviz.planning.comparison import differences, in_the_same_terms, refusal
from dpviz.scenario import Pin, Scenario, to_json
from dpviz.scenario.pins import MOST_SHOWN, PIN_SLOTS, pinned
from dpviz.ui.compute import curves_part, known_curves
from dpviz.ui.filling import fill_in, is_left_out
from dpviz.ui.page import folded_part, say
from dpviz.ui.state import State, change, change_pins
from dpviz.ui.widgets import act_button, toggle
from dpviz.wording.differences import PinnedRun, differences_notes, differences_table, pin_label
from dpviz.wording.findings import epsilon_with_meaning, quoted_epsilon
from dpviz.wording.numbers import joined
from dpviz.wording.scope import caveats, protected_in

NOW, PIN = "now", "pin "


def at_same_delta(pins: Sequence[Pin], delta: float) -> tuple[Pin, ...]:
    """Return the pins with the current delta: only at the same one are runs comparable."""
    return tuple(replace(pin, scenario=replace(pin.scenario, delta=delta)) for pin in pins)


def pins_shown(state: State) -> tuple[Pin, ...]:
    """Return the pins that charts draw, with the current delta."""
    return tuple(pin for pin in at_same_delta(state.pins, state.scenario.delta) if pin.shown)


def name_of(pin: Pin) -> str:
    """Return what charts and tables call a pin."""
    return f"{PIN}{pin.name}"


def pin_button(state: State, now: Scenario | None) -> None:
    """Draw the button that keeps the current run: ``now``, or else the visitor's scenario."""
    kept = state.scenario if now is None else now
    is_full = len(state.pins) == len(PIN_SLOTS)
    is_pinned = any(pin.scenario == kept for pin in at_same_delta(state.pins, kept.delta))
    act_button(
        f"All {len(PIN_SLOTS)} pins in use" if is_full else "Pin",
        # What the page shows: the visitor's own settings as they are by then, or another run.
        lambda: change_pins(lambda pins: pinned(pins, state.scenario if now is None else now)),
        key="pin",
        icon=":material/push_pin:",
        disabled=is_pinned or is_full,
        explains="Kept in the link, drawn on Compare sampling and Plan. "
        f"At most {len(PIN_SLOTS)}, {MOST_SHOWN} in the chart.",
    )


def draw_pins(state: State, known: Mapping[str, ScenarioCurves]) -> None:
    """Draw the scenarios that are kept, and what differs."""
    draw_pin_rows(state, state.scenario, known)
    if state.pins:
        draw_differences(state, known[NOW])


def pinned_bands(state: State) -> list[Band]:
    """Return what is pinned and shown, to be drawn beside other lines, in one look."""
    pins = [pin for pin in pins_shown(state) if not refusal(pin.scenario)]
    known = known_curves([pin.scenario for pin in pins], first=0)
    return [
        Band(
            curves=curves, label=name_of(pin), style=PIN_STYLE, mark=pin.name, key=f"pin-{pin.slot}"
        )
        for pin, curves in zip(pins, known.curves, strict=True)
        if curves is not None
    ]


def named_curves(bands: Sequence[Band]) -> list[tuple[str, ScenarioCurves]]:
    """Return what is drawn, by name."""
    return [(band.label, band.curves) for band in bands]


def draw_pin_rows(state: State, now: Scenario, known: Mapping[str, ScenarioCurves]) -> None:
    """Draw a row for each pin: whether charts show it, and buttons to open and remove it.

    They say what differs from ``now``, and what is ``known`` of runs, by :func:`name_of`.
    """
    has_room = sum(pin.shown for pin in state.pins) < MOST_SHOWN
    for pin in state.pins:
        _row(now, pin, known.get(name_of(pin)), can_be_shown=pin.shown or has_room)


def draw_differences(state: State, here: ScenarioCurves) -> None:
    """Draw, folded, what differs from the current run, and what it costs alone."""
    label = "What differs, and what it costs in ε"
    folded_part(label, "open_differences", _draw_tables, state, here)


def _draw_tables(state: State, here: ScenarioCurves) -> None:
    now = here.scenario
    # Single differences of a run that no bound covers have nothing to be told of.
    pins = tuple(
        replace(pin, scenario=in_the_same_terms(now, pin.scenario))
        for pin in at_same_delta(state.pins, now.delta)
        if not refusal(pin.scenario)
    )
    found = {pin.slot: differences(now, pin.scenario) for pin in pins}
    wanted = [pin.scenario for pin in pins]
    wanted += [one.alone for pin in pins for one in found[pin.slot] if one.alone is not None]
    parts = [curves_part(scenario) for scenario in wanted]
    known = dict(zip(wanted, fill_in(parts).results, strict=True))
    left_out = {one for one, part in zip(wanted, parts, strict=True) if is_left_out(part)}
    runs = [
        PinnedRun(
            name=pin.name,
            scenario=pin.scenario,
            curves=known[pin.scenario],
            costs=tuple(
                (one, None if one.alone is None else known[one.alone]) for one in found[pin.slot]
            ),
            left_out=left_out,
        )
        for pin in pins
    ]
    for run in runs:  # a table each: next to each other they would be too wide for most screens
        say(differences_table(here, run))
    say(differences_notes(here, runs))


def _row(now: Scenario, pin: Pin, known: ScenarioCurves | None, *, can_be_shown: bool) -> None:
    there = in_the_same_terms(now, pin.scenario)
    epsilon = meaning = ""
    if known is not None:
        whom = protected_in(known.scenario)
        epsilon = f" · {quoted_epsilon(known)}"
        meaning = joined(f"{epsilon_with_meaning(known)}, for {whom}.", caveats(known.upper.bound))
    if refusal(pin.scenario):
        epsilon = " · no bound covers it"
    elif not can_be_shown:
        epsilon = f" · not drawn: the chart shows {MOST_SHOWN} pins"

    def with_tick(shown: bool, pins: tuple[Pin, ...]) -> tuple[Pin, ...]:
        return tuple(replace(one, shown=shown) if one.slot == pin.slot else one for one in pins)

    def without(pins: tuple[Pin, ...]) -> tuple[Pin, ...]:
        return tuple(other for other in pins if other.slot != pin.slot)

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        toggle(
            f"**{pin.name}**: {pin_label(now, there)}{epsilon}",
            value=pin.shown,
            switched=lambda shown: change_pins(partial(with_tick, shown)),
            key=f"pin_{pin.slot}_shown",
            disabled=not can_be_shown,
            explains=joined("Ticked: drawn in the charts.", meaning)
            if can_be_shown
            else "Untick another pin to draw this one.",
        )
        with st.container(horizontal=True, width="content", gap="small"):
            act_button(
                "Open",
                lambda: change(
                    lambda before: replace(pin.scenario, delta=before.delta), replaces=True
                ),
                key=f"pin_{pin.slot}_open",
                means=to_json(pin.scenario),
                explains="Makes these the current settings, at the current δ; the pin stays.",
            )
            act_button(
                "Remove",
                partial(change_pins, without),
                key=f"pin_{pin.slot}_remove",
                explains=f"Remove pin {pin.name}",
            )
