"""Which settings meet a privacy goal?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dpviz.export.comparison_tables import region_table
from dpviz.export.curve_tables import curves_table
from dpviz.figures import Band, bands_chart
from dpviz.figures.palette import STYLES
from dpviz.figures.spec import Spec
from dpviz.jobs import TooCostlyError
from dpviz.planning.calibrate import Planned, plan, with_goal_proven
from dpviz.planning.quantities import CALIBRATED
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
from dpviz.ui import frame
from dpviz.ui.compute import curves_part, exact_curves, figure_of, known_curves, part_of
from dpviz.ui.filling import NOTHING, Filled, fill_in, result_of, together
from dpviz.ui.frame import Answer, PlanInstead, Question
from dpviz.ui.goal import goal_of, quantity_of
from dpviz.ui.page import folded
from dpviz.ui.questions import comparison, region
from dpviz.ui.questions.planner_settings import CONTROLS, chart_control
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.shared import Part
from dpviz.ui.state import State, change
from dpviz.ui.take_away import draw_take_away, gain_part
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button
from dpviz.wording import plan as words
from dpviz.wording.attack_rates import gain_sentence
from dpviz.wording.findings import curve_title, curves_description, how_to_read
from dpviz.wording.plan import coins_sentence

_SIGMA = "noise_multiplier"
PLAN = "the plan"
_MOST_WAYS = 3


def draw_coins(before: Scenario, goal: Goal) -> Filled[Any]:
    """Draw epsilon with coins, all else the same, and the noise that the goal then needs."""
    changed = by_coins(before)
    if changed is None:
        return NOTHING
    needed = part_of(plan, changed, _SIGMA, goal)
    known, noise = known_curves([before, changed]), fill_in([needed])
    of_coins = known.curves[1]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(coins_sentence(known.own, of_coins, noise.results[0]), width="stretch")
        act_button(
            "Adopt",
            partial(_adopt, changed),
            key="adopt_coins",
            means=to_json(changed),
            explains="Makes this the current settings; what is left open is then searched anew.",
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


def known_plan(state: State) -> Planned:
    """Return what just meets the visitor's goal, searched for once.

    Raises:
        ScenarioError: the goal is none.
    """
    goal = goal_of(state.view, state.scenario.delta)
    part = _plan_part(state.scenario, quantity_of(state.view, state.scenario), goal)
    planned = result_of(part)
    state.plan = None
    if planned.found is not None:
        said = words.unused_plan_sentence(planned, state.scenario)
        state.plan = (state.scenario, planned.found.scenario, said)
    return planned


def found_run(state: State) -> Scenario | None:
    """Return the run that meets the visitor's goal, where the goal is one and can be met."""
    try:
        found = known_plan(state).found
    except (ScenarioError, TooCostlyError):  # told in the answer's place
        return None
    return None if found is None else found.scenario


def draw_plan(state: State, planned: Planned) -> Filled[Any]:
    """Draw what is proven of the run that was found, or why there is none."""
    if planned.found is None:
        with st.container(key="answer"):
            st.markdown(words.no_plan_headline(planned))
        return NOTHING
    known = known_curves([planned.found.scenario])
    curves = with_goal_proven(planned, known.own)  # coarse ones may quote a little more
    title, runs = curve_title(curves), [(PLAN, curves)]

    def chart() -> Spec:
        band = Band(curves=curves, label=PLAN, style=STYLES[0])
        return bands_chart([band], identity="plan")

    frame.draw_answer(
        headline=words.plan_headline(planned, curves),
        curves=curves,
        figure_json=figure_of("plan chart", [*runs, planned.goal], chart),
        alt=curves_description(title, runs),
        key="plan",
        caption=f"{text('plan_caption').strip()} {how_to_read(curves)}",
        progress=known.filled.progress,
    )
    _draw_adopt(state, planned.found.scenario)
    return known.filled


def _draw_adopt(state: State, found: Scenario) -> None:
    act_button(
        "Use this plan on all pages",
        lambda: change(lambda _: found),
        key="plan_adopt",
        means=to_json(found),
        icon="input",
        disabled=found == state.scenario,
        explains="Every page then shows this plan; until then they show what is set. Undo takes it "
        "back.",
    )


def draw_cost(scenario: Scenario) -> Filled[Any]:
    """Draw what the plan costs, and what an attacker gains from it."""
    st.header("What it costs, and what it leaves an attacker", anchor=False)
    st.markdown(words.cost_sentence(scenario))
    filled = fill_in([gain_part(scenario)])
    with st.container():  # always there, so that what follows stays in its place
        if filled.results[0] is not None:
            st.markdown(gain_sentence(filled.results[0]))
    return filled


def draw_ways(scenario: Scenario, goal: Goal) -> Filled[Any]:
    """Draw coins for series, and the least changes that halve the privacy loss, and the noise."""
    drawn: list[Filled[Any]] = []
    # Each is a search of its own: nobody waits for them, or pays for them, who does not ask.
    with folded("The smallest changes that halve the loss, or the noise", key="open_ways") as opens:
        if opens:
            drawn.append(draw_coins(scenario, goal))
            for ways in (_ways_to_less_loss(scenario, goal), _ways_to_less_noise(scenario, goal)):
                st.markdown(f"**Half {ways.title}**")
                with st.container():
                    drawn += [ways.filled, _draw_found(ways)]
            st.caption(text("ways_caption"))
    return together(*drawn)


def draw_instead(state: State, planned: Planned) -> Filled[Any]:
    """Draw what would meet a goal that the open quantity cannot meet."""
    names = [
        name
        for name in CALIBRATED
        if name != planned.quantity and name != _other_unit(state.scenario.training.unit)
    ]
    filled = fill_in([_plan_part(state.scenario, name, planned.goal) for name in names])
    st.header("What would meet it, each with all else as it is set", anchor=False)
    with st.container():
        st.markdown(words.instead_words([one for one in filled.results if one is not None]))
    return filled


def _adopt(scenario: Scenario) -> None:
    change(lambda _: scenario)


def _plan_part(scenario: Scenario, quantity: str, goal: Goal) -> Part[Planned]:
    return part_of(plan, scenario, quantity, goal)


def _other_unit(unit: str) -> str:
    return "epochs" if unit == "steps" else "steps"


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
    filled = fill_in([curves_part(way.scenario) for way in ways.found])
    for at, (way, curves) in enumerate(zip(ways.found, filled.results, strict=True)):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words.way_sentence(way, curves), width="stretch")
            act_button(
                "Adopt",
                partial(_adopt, way.scenario),
                key=f"adopt_{ways.kind}_{at}",
                means=to_json(way.scenario),
                explains="Makes this the current settings; what is left open is then searched "
                "anew.",
            )
    return filled


def _plan_or_set(state: State, planned: Planned) -> Scenario:
    """Return the plan or, where there is none, what is set."""
    return state.scenario if planned.found is None else planned.found.scenario


def _draw_shown(state: State, planned: Planned) -> Filled[Any]:
    """Draw the plan, the map around it, or the runs to compare it with."""
    if state.view.plan_chart == "map":
        return region.draw_region(state, _plan_or_set(state, planned), planned.goal)
    if state.view.plan_chart == "compare":
        return comparison.draw_comparison(state, _plan_or_set(state, planned))
    drawn = draw_plan(state, planned)
    if planned.found is None:  # in the chart's place: further down nobody would look for it
        return draw_instead(state, planned)
    return together(drawn, draw_cost(planned.found.scenario))


def answer(state: State) -> Answer:
    """Draw the plan, then what it gives, or what would meet the goal instead."""
    planned = known_plan(state)
    is_curve = state.view.plan_chart == "curve"
    yield _draw_shown(state, planned)
    if planned.found is None:
        if not is_curve:
            yield draw_instead(state, planned)
        return
    scenario = planned.found.scenario
    known = known_curves([scenario])
    ways = draw_ways(scenario, planned.goal)
    if not is_curve:  # whose own chart leaves room beside the settings
        yield draw_cost(scenario)
    yield ways
    draw_certificate(known.own)
    budget = state.view.target_epsilon if state.view.goal == "epsilon" else None
    draw_take_away(scenario, target_epsilon=budget)
    draw_code([(PLAN, scenario)])


def csv(state: State) -> str:
    """Return the numbers of what is shown.

    Raises:
        ScenarioError: there is no plan.
    """
    planned = known_plan(state)
    scenario = _plan_or_set(state, planned)
    if state.view.plan_chart == "map":
        return region_table(region.region_so_far(state, scenario, planned.goal)).csv()
    if state.view.plan_chart == "compare":
        return comparison.csv(state, scenario)
    if planned.problem is not None:
        raise planned.problem
    return curves_table([(PLAN, exact_curves(scenario))]).csv()


QUESTION = Question(
    settings=CONTROLS,
    choices=(chart_control,),
    answer=answer,
    csv=csv,
    file="dpviz-plan.csv",
    saved=lambda state: found_run(state) or state.scenario,
    pinned=PlanInstead(
        run=lambda state: found_run(state),
        meanwhile="Searching for what just meets this goal …",
    ),
    shows_pins=lambda state: state.view.plan_chart == "compare",
)
