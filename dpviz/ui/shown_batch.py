"""Which batch of which run a visitor looks at, and whether batches are played."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from dpviz.planning.drawn_batches import drawable_batches, drawn_run
from dpviz.scenario import Noise, Scenario, Training, Units, to_json
from dpviz.ui.filling import result_of
from dpviz.ui.shared import Part
from dpviz.ui.state import State

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

    def run(self, last: int, shown_from: int | None = None) -> Part:
        """Return the part of a page that is the first batches of the run."""
        scenario = as_drawn(self.scenario)
        return Part(
            key=f"drawn run {self.seed} {last} {shown_from} {to_json(scenario)}",
            compute=partial(drawn_run, scenario, self.seed, last, shown_from),
        )

    def whole(self) -> Part:
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
