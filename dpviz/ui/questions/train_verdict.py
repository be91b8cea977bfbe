"""What to try next where a run had too much noise for its data."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.jobs import LongRun
from dpviz.planning.target import Target
from dpviz.planning.ways import Way, to_less_noise, ways_found
from dpviz.scenario import Training
from dpviz.training.progress import TrainingResult
from dpviz.training.small_run import WithoutPrivacy
from dpviz.ui.compute import part_of
from dpviz.ui.filling import NOTHING, Filled, fill_in
from dpviz.ui.state import change_view
from dpviz.ui.widgets import act_button
from dpviz.wording import training_verdict as words


def without_privacy_in(run: LongRun | None) -> WithoutPrivacy | None:
    """Return what a run has told of the same model without privacy, if it has."""
    told = () if run is None else run.told
    return next((one for one in told if isinstance(one, WithoutPrivacy)), None)


def draw_next(result: TrainingResult, run: LongRun | None, *, is_public: bool) -> Filled[Any]:
    """Draw what to try next against too much noise; return what is still to come.

    Args:
        result: of the run.
        run: that told it.
        is_public: whether the data are nobody's.
    """
    spent = result.spent
    if (
        spent is None
        or spent.epsilon is None
        or not words.is_too_noisy(result, without_privacy_in(run))
    ):
        return NOTHING
    scenario = replace(
        result.settings.scenario, training=Training(unit="steps", count=result.steps)
    )
    goal = Target(epsilon=spent.epsilon, delta=spent.delta)
    filled = fill_in(
        [
            part_of(ways_found, to_less_noise, scenario, quantity, goal)
            for quantity in words.SETTING_OF
        ]
    )
    if not filled.is_complete:
        return filled
    found = [way for ways in filled.results if ways is not None for way in ways]
    way = min(found, key=lambda one: one.factor, default=None)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(words.next_words(way, is_public=is_public), width="stretch")
        if way is not None:
            act_button(
                "Set it",
                _set(way),
                key="train_next",
                means=f"{way.quantity} {way.after!r}",
                explains="Sets it, with the noise as this ε then needs. Nothing is trained yet.",
            )
    return filled


def _set(way: Way) -> Callable[[], None]:
    choices = {words.SETTING_OF[way.quantity]: int(way.after), "trained_noise": "fit"}
    return partial(change_view, lambda: choices)
