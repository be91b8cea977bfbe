"""Which batch of which run is looked at, what decides how it is drawn, and the way to others."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dpviz.planning.drawn_batches import DrawnRun, drawable_batches, drawn_run
from dpviz.scenario import Noise, Rates, Scenario, Training, Units
from dpviz.ui import controls
from dpviz.ui.compute import part_of
from dpviz.ui.data_controls import DRAWN, folded_augmentation, way_back_to_batches
from dpviz.ui.filling import result_of
from dpviz.ui.number_control import view_number
from dpviz.ui.shared import Part
from dpviz.ui.state import State, change_view
from dpviz.ui.widgets import act_button, next_seed

PLAYED = 20
_PLAYS = "dpviz_batches_play"


@dataclass(frozen=True, kw_only=True, eq=False)
class Shown:
    """Which batch is shown, and the run it belongs to.

    Args:
        scenario: the visitor's.
        seed: of the run.
        number: of the batch, from 1.
        total: how many batches of the run are drawn.
    """

    scenario: Scenario
    seed: int
    number: int
    total: int

    @staticmethod
    def of(state: State) -> "Shown":
        """Return what a visitor looks at.

        Raises:
            ScenarioError: these settings draw no batches here.
        """
        total = drawable_batches(state.scenario)
        return Shown(
            scenario=state.scenario,
            seed=state.view.drawing_seed,
            number=min(state.view.drawn_batch, total),
            total=total,
        )

    def run(self, last: int, shown_from: int | None = None) -> Part[DrawnRun]:
        """Return the part of a page that is the first batches of the run."""
        scenario = as_drawn(self.scenario)
        return part_of(drawn_run, scenario, self.seed, last, shown_from)

    def whole(self) -> Part[DrawnRun]:
        """Return the part of a page that is the hits of all batches."""
        return self.run(self.total)


def as_drawn(scenario: Scenario) -> Scenario:
    """Return the scenario without what decides nothing about its batches."""
    return replace(
        scenario,
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="steps", count=1),
        units=Units(),
    )


def plays() -> bool:
    """Return whether batches are being shown one after the other."""
    return bool(st.session_state.get(_PLAYS))


def start_playing() -> None:
    """Show the next batches one after the other, from the next run of the page on."""
    st.session_state[_PLAYS] = True


def stop_playing() -> None:
    """Show one batch."""
    st.session_state[_PLAYS] = False


def next_hit(shown: Shown) -> int | None:
    """Return the number of the next batch with a sensitive window, if this run has one."""
    hits = np.flatnonzero(result_of(shown.whole()).hits[shown.number :])
    return shown.number + 1 + int(hits[0]) if len(hits) else None


def batch_control(state: State) -> None:
    """Draw the slider of the batch's number, or the way back to data that have batches."""
    if isinstance(state.scenario.data, Rates):
        way_back_to_batches(state)
    else:
        view_number("drawn_batch")(state)


CONTROLS = (controls.preset_control, batch_control, *DRAWN, folded_augmentation)


def steps_bar(state: State, shown: Shown) -> None:
    """Draw the buttons that lead from batch to batch."""
    is_playing = plays()

    def go(step: int) -> None:
        stop_playing()
        # From where the visitor is by now: two quick presses are two batches on.
        now = min(state.view.drawn_batch, shown.total)
        change_view(lambda: {"drawn_batch": min(max(now + step, 1), shown.total)})

    def go_to_hit() -> None:
        stop_playing()
        found = next_hit(shown)
        if found is None:
            change_view(dict)  # what was said before is taken back
            state.notes.append("No later batch of this run has a sensitive window: draw anew.")
        else:
            change_view(lambda: {"drawn_batch": found})

    def other_run() -> None:
        stop_playing()
        change_view(lambda: {"drawing_seed": next_seed(state.view.drawing_seed)})

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        act_button(
            "Previous",
            lambda: go(-1),
            key="previous_batch",
            icon="chevron_left",
            disabled=is_playing or shown.number <= 1,
        )
        act_button(
            "Next",
            lambda: go(1),
            key="next_batch",
            icon="chevron_right",
            disabled=is_playing or shown.number >= shown.total,
        )
        act_button(
            "Next hit",
            go_to_hit,
            key="next_hit",
            icon="skip_next",
            disabled=is_playing or shown.number >= shown.total,
            explains="Goes to the next batch with a sensitive window.",
        )
        act_button(
            f"Play {PLAYED}",
            start_playing,
            key="play_batches",
            icon="play_arrow",
            disabled=is_playing or shown.number >= shown.total,
            explains=f"Shows the next {PLAYED} batches one after the other, and stops. Where your "
            "system asks for little motion, it goes to the last of them at once.",
        )
        act_button(
            "Draw anew",
            other_run,
            key="other_run",
            icon="casino",
            disabled=is_playing,
            explains=f"Draws another run. This one has seed {state.view.drawing_seed:,}.",
        )
