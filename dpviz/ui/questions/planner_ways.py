"""What a plan could change: coins for series, and the least changes that halve loss or noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dpviz.planning.calibrate import plan
from dpviz.planning.target import Goal
from dpviz.planning.ways import (
    Way,
    by_coins,
    to_less_loss,
    to_less_noise,
    ways_found,
    ways_to_less_loss,
    ways_to_less_noise,
)
from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.ui.compute import curves_part, known_curves, part_of
from dpviz.ui.filling import NOTHING, Filled, fill_in, together
from dpviz.ui.page import folded
from dpviz.ui.shared import Part
from dpviz.ui.state import change
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button
from dpviz.wording import plan as words
from dpviz.wording.plan import coins_sentence

_SIGMA = "noise_multiplier"
_MOST_WAYS = 3


def draw_coins(before: Scenario, goal: Goal) -> Filled[Any]:
    """Draw epsilon with coins, all else the same, and the noise that the goal then needs."""
    changed = by_coins(before)
    if changed is None:
        return NOTHING
    needed = part_of(plan, changed, _SIGMA, goal)
    known = known_curves([before, changed], may_change_direction=False)  # upper bounds are told
    noise = fill_in([needed])
    of_coins = known.curves[1]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(coins_sentence(known.own, of_coins, noise.results[0]), width="stretch")
        act_button(
            "Adopt",
            partial(_adopt, changed),
            key="adopt_coins",
            means=to_json(changed),
            explains="Makes this the current settings, and solves anew for what is open.",
        )
    return together(known.filled, noise)


@dataclass(frozen=True, kw_only=True)
class Ways:
    """Single changes that halve something, as far as they are known.

    Args:
        title: what is halved.
        kind: tells their buttons from others.
        found: those that there are, the least change first.
        filled: what is still to come.
    """

    title: str
    kind: str
    found: tuple[Way, ...]
    filled: Filled[Any]


def draw_ways(scenario: Scenario, goal: Goal) -> Filled[Any]:
    """Draw coins for series, and the least changes that halve the privacy loss, and the noise."""
    drawn: list[Filled[Any]] = []
    # Each is a search of its own: nobody waits for them, or pays for them, who does not ask.
    with folded("Halve the loss, or the noise", key="open_ways") as opens:
        if opens:
            drawn.append(draw_coins(scenario, goal))
            for ways in (_ways_to_less_loss(scenario, goal), _ways_to_less_noise(scenario, goal)):
                st.markdown(f"**Half {ways.title}**")
                with st.container():
                    drawn += [ways.filled, _draw_found(ways)]
            st.caption(text("ways_caption"))
    return together(*drawn)


def _adopt(scenario: Scenario) -> None:
    change(lambda _: scenario)


def _ways_to_less_loss(scenario: Scenario, goal: Goal) -> Ways:
    try:
        half = goal.halved()
    except ScenarioError:
        return Ways(title="the privacy loss", kind="loss", found=(), filled=NOTHING)
    parts = [
        part_of(ways_found, to_less_loss, scenario, name, half)
        for name in ways_to_less_loss(scenario)
    ]
    return _ways(f"the privacy loss: {words.goal_words(half)}", "loss", parts)


def _ways_to_less_noise(scenario: Scenario, goal: Goal) -> Ways:
    parts = [
        part_of(ways_found, to_less_noise, scenario, name, goal)
        for name in ways_to_less_noise(scenario)
    ]
    return _ways(f"the noise σ / Λ: still {words.goal_words(goal)}", "noise", parts)


def _ways(title: str, kind: str, parts: Sequence[Part[tuple[Way, ...]]]) -> Ways:
    filled = fill_in(parts)
    found = [way for ways in filled.results if ways is not None for way in ways]
    least = sorted(found, key=lambda way: way.factor)[:_MOST_WAYS]
    return Ways(title=title, kind=kind, found=tuple(least), filled=filled)


def _draw_found(ways: Ways) -> Filled[Any]:
    if not ways.found:
        if ways.filled.is_complete:
            st.markdown("No single number does, within its limits.")
        else:
            st.markdown("…" if ways.filled.missing else "None of those that were searched for.")
    filled = fill_in([curves_part(way.scenario, may_change_direction=False) for way in ways.found])
    for at, (way, curves) in enumerate(zip(ways.found, filled.results, strict=True)):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words.way_sentence(way, curves), width="stretch")
            act_button(
                "Adopt",
                partial(_adopt, way.scenario),
                key=f"adopt_{ways.kind}_{at}",
                means=to_json(way.scenario),
                explains="Makes this the current settings, and solves anew for what is open.",
            )
    return filled
