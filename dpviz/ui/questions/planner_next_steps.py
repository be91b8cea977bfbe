"""How a plan is bettered, and taken: as all pages' settings, into files, or to a small run."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from dpviz.guarantees import covers_bins
from dpviz.jobs import Limits
from dpviz.planning import ScenarioCurves, ways
from dpviz.planning.calibrate import Planned, plan
from dpviz.planning.target import Goal, goal_of
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.ui.compute import curves_part, part_of
from dpviz.ui.filling import fill_in
from dpviz.ui.offered_file import planned_file
from dpviz.ui.page import folded_part, leading_button, say
from dpviz.ui.questions.ledger import ledger_button
from dpviz.ui.questions.train_runs import START_AT_ONCE
from dpviz.ui.questions.train_settings import forget_another, is_at_hand
from dpviz.ui.results import Part
from dpviz.ui.sharing import draw_files, draw_request
from dpviz.ui.state import State, change
from dpviz.ui.texts import text
from dpviz.ui.widgets import adopt_button
from dpviz.wording import plan as words
from dpviz.wording.compared_runs import accuracy_sentence
from dpviz.wording.file_shape import too_short_to_train
from dpviz.wording.numbers import in_full, number_rounded_up

_SIGMA = "noise_multiplier"
_MOST_WAYS = 3
_SOLVED_ANEW = "Sets this, and solves anew for what is open."
T = TypeVar("T")
_LONG_LIMITS = Limits(seconds=30.0)


def plan_part(scenario: Scenario, quantity: str, goal: Goal) -> Part[Planned]:
    """Return the search for what just meets a goal, with the time that it takes."""
    return _with_time(part_of(plan, scenario, quantity, goal), scenario)


def _with_time(search: Part[T], scenario: Scenario) -> Part[T]:
    # With each noise a table is made first: of bins, or of hits by windows drawn by coins.
    if covers_bins(scenario) or scenario.sampling.takes_windows_by_coins:
        return replace(search, limits=_LONG_LIMITS, is_long=True)
    return search


def draw_own(state: State, planned: Planned, plan_run: Scenario) -> None:
    """Draw what is proven of the visitor's own settings, where the plan differs from them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if state.scenario == plan_run:
            return
        with suppress(ScenarioError):  # no bound covers them: other pages say so
            (own,) = fill_in([curves_part(state.scenario, may_change_direction=False)]).results
            if own is not None:
                say(words.own_sentence(planned, own), width="stretch")
        adopt_button(
            "Use this plan on all pages",
            plan_run,
            key="plan_adopt",
            explains="Every page then shows this plan. Undo takes it back.",
        )


def draw_coins(planned: Planned, before: Scenario) -> None:
    """Draw the noise that meets the goal with each series drawn by a coin of its own, if less.

    Where σ is not what is solved for, the plan's is not the least, and says nothing beside it.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        changed = ways.by_coins(before)
        if changed is None or planned.quantity != _SIGMA:
            return
        (found,) = fill_in([plan_part(changed, _SIGMA, planned.goal)]).results
        if found is not None and (said := words.coins_sentence(before, found)):
            say(said, width="stretch")
            adopt_button("Adopt", changed, key="adopt_coins", icon="", explains=_SOLVED_ANEW)


def draw_ways(scenario: Scenario, goal: Goal) -> None:
    """Draw the least changes that halve the privacy loss, and the noise."""
    half = None
    with suppress(ScenarioError):  # half of it may be no goal
        half = goal.halved()
    if half is not None:
        names = ways.ways_to_less_loss(scenario)
        title = f"the privacy loss: {words.goal_words(half)}"
        _draw_least(title, "loss", scenario, names, ways.to_less_loss, half)
    names = ways.ways_to_less_noise(scenario)
    title = f"the noise per gradient: still {words.goal_words(goal)}"
    _draw_least(title, "noise", scenario, names, ways.to_less_noise, goal)
    st.caption(text("ways_caption"))


def _draw_least(
    title: str,
    kind: str,
    scenario: Scenario,
    names: Sequence[str],
    search: Callable[[Scenario, str, Goal], ways.Way | None],
    goal: Goal,
) -> None:
    """Draw the least single changes that halve something; ``kind`` is told by their buttons."""
    found = fill_in(
        [
            _with_time(part_of(ways.ways_found, search, scenario, name, goal), scenario)
            for name in names
        ]
    )
    every = [way for some in found.results for way in some or ()]
    enough = [way for way in every if ways.leaves_enough_training(way, scenario)]
    least = sorted(enough, key=lambda way: way.factor)[:_MOST_WAYS]
    known = fill_in([curves_part(way.scenario, may_change_direction=False) for way in least])
    st.markdown(f"**Half {title}**")
    with st.container():
        if not least and found.is_complete:
            say(words.no_way_sentence(names))
        elif not least:
            st.markdown("…" if found.to_come else "None of those that were searched for.")
        for at, (way, curves) in enumerate(zip(least, known.results, strict=True)):
            with st.container(horizontal=True, vertical_alignment="center"):
                say(words.way_sentence(way, curves), width="stretch")
                key = f"adopt_{kind}_{at}"
                adopt_button(
                    "Adopt",
                    way.scenario,
                    key=key,
                    icon="",
                    explains=_SOLVED_ANEW,
                    view={goal.field: goal.limit},
                )


# Of each series two forecasts are kept from training, and a window has to be left.
_FORECASTS_OF_A_SERIES = 3
# Of made-up series: seconds.
_MOST_SMALL_STEPS = 2_000


def draw_taken(state: State, curves: ScenarioCurves) -> None:
    """Draw the ways to take a plan."""
    found = curves.scenario
    st.subheader("Export", anchor=False)
    has_file = planned_file(state) is not None
    folded_part("Name your organisation and data set in the files", "open_request", draw_request)
    draw_files(found, goal=goal_of(state.view, found.delta))
    with st.container(horizontal=True, vertical_alignment="center"):
        becomes = ", on made-up series, fewer and shorter, for which σ is solved anew"
        if has_file:
            file = _becomes_of_file(state)
            becomes = f": windows, batch, σ and steps, within its ε; the file {file}"
        leading_button(
            "Train with this plan" if has_file else "Train a small run with this plan",
            "train",
            lambda: _take_to_training(state, found, _run_view(state, curves)),
            key="train_plan",
            icon=":material/model_training:",
            explains=f"Makes the plan your settings{becomes}. Undo takes it back.",
        )
        ledger_button(state, found, "plan")


def _becomes_of_file(state: State) -> str:
    return "is taken over" if is_at_hand(state) else "has to be opened there again"


def _take_to_training(state: State, found: Scenario, view: dict[str, Any]) -> None:
    """Make a plan the settings, and say what the page that trains has otherwise of its file."""
    forget_another(state)
    change(lambda _: found, view=view)
    if view["trained_on"] == "file":
        state.notes += [
            f"{SETTINGS[name].called}: {in_full(view[name])}, not the plan's {in_full(planned)}."
            for name, planned in _trained_as_planned(found).items()
            if view[name] != planned
        ]
        if found.noise.is_on_windows and found.relation.max_change is None:
            called = SETTINGS["trained_change"].called
            v = in_full(state.view.trained_change)
            state.notes.append(f"{called}: {v}, which the plan leaves open.")


def _trained_as_planned(found: Scenario) -> dict[str, float]:
    """Return what a plan is about for the settings of a run on its file."""
    shape, change = found.given_shape, found.relation.max_change
    return {
        "trained_context": shape.context_length,
        "trained_forecast": shape.forecast_length,
        "trained_batch": found.sampling.batch_size,
        "trained_steps": found.num_steps,
        **({} if change is None else {"trained_change": change}),
    }


def _run_view(state: State, curves: ScenarioCurves) -> dict[str, Any]:
    found, epsilon = curves.scenario, curves.epsilon_upper
    budget = state.view.target_epsilon if state.view.goal == "epsilon" else None
    if planned_file(state) is None:
        return small_run_view(found, epsilon, budget)
    made = _private_run(epsilon, budget) | {"trained_on": "file", "trained_noise": "set"}
    return made | _within(**_trained_as_planned(found))


def small_run_view(found: Scenario, epsilon: float | None, budget: float | None) -> dict[str, Any]:
    """Return the plan's settings as far as made-up series have room, with its proven epsilon."""
    return _private_run(epsilon, budget) | {
        "trained_on": "generated",
        "trained_noise": "fit",
        "trained_steps": min(found.num_steps, _MOST_SMALL_STEPS),
        **(_small_windows(found, found.shape) if found.shape is not None else {}),
    }


def _private_run(epsilon: float | None, budget: float | None) -> dict[str, Any]:
    made: dict[str, Any] = {"trained_privacy": "private", "training_chart": "run"}
    limits = SETTINGS["target_epsilon"].limits
    if budget is None and epsilon is not None and limits[0] <= epsilon <= limits[1]:
        made["target_epsilon"] = min(number_rounded_up(epsilon), limits[1])
    return made


def _small_windows(found: Scenario, shape: DataShape) -> dict[str, Any]:
    """Return panel, windows and batch; those of the page itself where a series has no room."""
    made = _within(
        panel_series=shape.num_series,
        panel_length=min(shape.series_lengths),
        trained_context=shape.context_length,
        trained_forecast=shape.forecast_length,
    )
    used = made["trained_context"] + _FORECASTS_OF_A_SERIES * made["trained_forecast"]
    if used > made["panel_length"]:
        return {}
    each = found.sampling.num_subsequences
    if found.sampling.is_bag:  # a batch is of the windows of all series
        each = made["panel_length"] - _FORECASTS_OF_A_SERIES * made["trained_forecast"] + 1
    most = made["panel_series"] * each
    return made | _within(trained_batch=min(found.sampling.batch_size, most))


def _within(**numbers: float) -> dict[str, Any]:
    """Return numbers of the view by name, as far as their settings allow."""
    return {
        name: type(number)(np.clip(number, *SETTINGS[name].limits))
        for name, number in numbers.items()
    }


# Twelve runs are trained.
_MOST_STEPS, _SEEDS = 500, 3


def draw_accuracy(state: State, curves: ScenarioCurves) -> None:
    """Draw what the noise costs in accuracy, as far as that is known, and a button to try it."""
    found = curves.scenario

    def take() -> None:
        view = _run_view(state, curves)
        view |= {
            "training_chart": "compare",
            "compared_setting": "noise_multiplier",
            "compared_seeds": _SEEDS,
            "trained_steps": min(view["trained_steps"], _MOST_STEPS),
        }
        # Made-up series are nobody's: there is nothing to ask before.
        st.session_state[START_AT_ONCE] = view["trained_on"] != "file"
        _take_to_training(state, found, view)

    series = "made-up series, for which σ is solved anew"
    if planned_file(state) is not None:
        series = f"your file, which {_becomes_of_file(state)}"
        say(too_short_to_train(found, state.file, _FORECASTS_OF_A_SERIES))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(accuracy_sentence(found), width="stretch")
        leading_button(
            "Train at three noise levels",
            "train",
            take,
            key="train_noise_levels",
            icon=":material/model_training:",
            explains=f"Half σ, σ, twice σ and no privacy, {_SEEDS} seeds each, on {series}. Makes "
            "the plan your settings; undo takes it back.",
        )
