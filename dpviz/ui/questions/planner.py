"""Which settings meet a privacy goal?"""

from collections.abc import Callable

import streamlit as st

from dpviz.export.comparison_tables import region_table
from dpviz.export.table import Table
from dpviz.figures import Band
from dpviz.figures.parts import OWN_RUN
from dpviz.jobs import TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.planning.calibrate import Planned, with_goal_proven
from dpviz.planning.quantities import CALIBRATED, fixed_quantities
from dpviz.planning.target import goal_of, quantity_of
from dpviz.scenario import PRESETS, Scenario, ScenarioError
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.bands import draw_bands, exact_table
from dpviz.ui.compute import known_curves
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.offered_file import upload_control
from dpviz.ui.page import fold, folded_part, in_place, said_below, say, viewed, when
from dpviz.ui.question import Answer, Question
from dpviz.ui.questions import comparison, region
from dpviz.ui.questions import planner_next_steps as next_steps
from dpviz.ui.questions.closer_upper import draw_closer_noise
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.sharing import gain_part
from dpviz.ui.state import Control, State, series_of
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice, view_menu
from dpviz.wording import plan as words
from dpviz.wording import plan_advice
from dpviz.wording.attack_rates import gain_sentence
from dpviz.wording.findings import how_to_read
from dpviz.wording.numbers import joined
from dpviz.wording.scope import protected_in
from dpviz.wording.setting_values import answer_warning


def _heading(words: str) -> Control:
    return lambda _: st.markdown(f"**{words}**")


def _line(of: Callable[..., str]) -> Callable[[State], str]:
    return lambda state: of(state.scenario, found=state.view.free_quantity)


def _data_line(state: State) -> str:
    # The name of the preset that has these series, if any.
    titles = (
        preset.title.partition(":")[0].lower()
        for preset in PRESETS.values()
        if series_of(preset.scenario) == series_of(state.scenario)
    )
    return words.data_line(
        state.scenario,
        found=state.view.free_quantity,
        is_chosen=not state.unchosen,
        example="" if state.file else next(titles, ""),
    )


def _protected_line(state: State) -> str:
    if "relation_width" in state.unchosen:
        return "still to be chosen"
    return protected_in(state.scenario)


def _advice(of: Callable[[Scenario], str]) -> Control:
    """Return what draws advice; there is none on windows of a file that nobody has chosen yet."""
    return said_below(lambda state: "" if state.unchosen else of(state.scenario))


def _is_set(quantity: str) -> Callable[[State], bool]:
    return lambda state: state.view.free_quantity != quantity


# In the order in which a plan is made. What is set once is folded, with its values in the line.
CONTROLS = (
    fold(
        "**1 Your data**",
        "open_data",
        controls.preset_control,
        upload_control,
        data_controls.data_controls,
        _advice(plan_advice.data_advice),
        controls.rate_controls,
        says=_data_line,
    ),
    fold(
        "**2 Who is protected**",
        "open_relation",
        data_controls.relation_controls,
        _advice(plan_advice.protection_advice),
        says=_protected_line,
    ),
    _heading("3 Your goal"),
    view_choice("goal", shows_label=False),
    in_place(
        when(viewed("goal", "success"), "target_success"),
        when(viewed("goal", "hits"), "target_true_positive_rate", "target_false_positive_rate"),
        when(viewed("goal", "epsilon"), "target_epsilon"),
        controls.delta_control,
        when(viewed("goal", "epsilon"), _advice(plan_advice.delta_advice)),
    ),
    view_menu("free_quantity"),
    _heading("4 Your training"),
    in_place(
        when(_is_set("noise_multiplier"), controls.noise_control),
        when(_is_set("training"), controls.training_control),
        when(viewed("free_quantity", "training"), controls.training_unit_control),
    ),
    fold(
        "**Batches**",
        "open_sampling",
        controls.sampling_controls,
        _advice(plan_advice.sampling_advice),
        says=_line(words.sampling_line),
    ),
    fold(
        "**Noise on windows**",
        "open_augmentation",
        controls.noise_on("context_noise"),
        when(_is_set("forecast_noise"), controls.noise_on("forecast_noise")),
        _advice(plan_advice.noise_advice),
        data_controls.max_change_box,
        data_controls.value_unit_box,
        data_controls.channels_box,
        says=_line(words.noise_line),
    ),
)


PLAN = "the plan"


def known_plan(state: State) -> Planned:
    """Return what just meets the visitor's goal, searched for once."""
    goal = goal_of(state.view, state.scenario.delta)
    part = next_steps.plan_part(state.scenario, quantity_of(state.view, state.scenario), goal)
    planned = result_of(part)
    state.plan = None
    if planned.found is not None:
        said = words.unused_plan_sentence(planned, state.scenario)
        state.plan = (state.scenario, planned.found.scenario, said)
    return planned


def _too_costly(state: State, exceeded: str) -> str:
    goal = goal_of(state.view, state.scenario.delta)
    sought = quantity_of(state.view, state.scenario)
    return words.too_costly_plan_sentence(sought, goal, exceeded)


def _found_run(state: State) -> Scenario | None:
    """Return the run that meets the visitor's goal, where the goal is one and can be met."""
    try:
        found = known_plan(state).found
    except (ScenarioError, TooCostlyError):  # told in the answer's place
        return None
    return None if found is None else found.scenario


def _known(state: State, found: Scenario) -> ScenarioCurves:
    """Return what is proven of the plan: the best lower bound, which costs most, where it is told.

    The map tells the upper one alone, unless it warns of epsilon.
    """
    tells_lower = state.view.plan_chart != "map" or bool(st.session_state.get("open_certificate"))
    known = known_curves([found], may_change_direction=tells_lower).own
    if not tells_lower and answer_warning(known):
        return known_curves([found]).own
    return known


def _plan_or_set(state: State, planned: Planned) -> Scenario:
    return state.scenario if planned.found is None else planned.found.scenario


def _draw_shown(state: State, planned: Planned) -> None:
    shown = _plan_or_set(state, planned)
    curves: ScenarioCurves | None = None
    if planned.found is None:
        headline = words.no_plan_headline(planned)
    else:  # coarse curves may quote a little more
        curves = with_goal_proven(planned, _known(state, shown))
        headline = words.plan_headline(planned, curves)
    if state.view.plan_chart == "map":
        if curves is not None:  # before the map's many fields
            fill_in([gain_part(shown)], only_known=True)
        region.draw_region(state, shown, planned.goal, headline=headline, curves=curves)
    elif state.view.plan_chart == "compare":
        frame.draw_headline(headline, curves)
        comparison.draw_comparison(state, shown)
    elif curves is None:
        frame.draw_headline(headline)
    else:
        # Beyond what can be set there is no looser value.
        just = "" if planned.found and planned.found.at_limit else text("plan_caption").strip()
        draw_bands(
            [Band(curves=curves, label=PLAN, style=OWN_RUN)],
            key="plan",
            headline=headline,
            title=words.plan_title(planned),
            caption=joined(just, how_to_read(curves)),
            warns=True,
            told=[planned.goal],
        )


def _answer(state: State) -> Answer:
    planned = known_plan(state)
    _draw_shown(state, planned)
    yield
    if planned.found is None:
        other_unit = "epochs" if state.scenario.training.unit == "steps" else "steps"
        left_out = {planned.quantity, other_unit} | fixed_quantities(state.scenario)
        names = [name for name in CALIBRATED if name not in left_out]
        found = fill_in(
            [next_steps.plan_part(state.scenario, name, planned.goal) for name in names]
        ).results
        st.subheader("What would meet it, each with all else as it is set", anchor=False)
        with st.container():
            say(words.instead_words(found))
        return
    scenario = planned.found.scenario
    next_steps.draw_own(state, planned, scenario)
    next_steps.draw_coins(planned, scenario)
    known = _known(state, scenario)
    curves = with_goal_proven(planned, known)
    st.header("What it costs", anchor=False)
    say(words.cost_sentence(scenario))
    next_steps.draw_accuracy(state, curves)
    (gain,) = fill_in([gain_part(scenario)]).results
    with st.container():  # always there, so that what follows stays in its place
        if gain is not None:
            say(gain_sentence(gain))
    # Each is a search of its own: nobody waits for them, or pays for them, who does not ask.
    label = "Half the noise or loss by one setting"
    folded_part(label, "open_ways", next_steps.draw_ways, scenario, planned.goal)
    draw_closer_noise(planned)
    next_steps.draw_taken(state, curves)
    draw_certificate(known)
    draw_code([(PLAN, scenario)])


def _table(state: State) -> Table:
    planned = known_plan(state)
    scenario = _plan_or_set(state, planned)
    if state.view.plan_chart == "map":
        return region_table(region.region_so_far(state, scenario, planned.goal))
    if state.view.plan_chart == "compare":
        return comparison.table(state, scenario)
    if planned.problem is not None:
        raise planned.problem
    return exact_table([(PLAN, scenario)])


QUESTION = Question(
    settings=CONTROLS,
    choices=(view_choice("plan_chart", shows_label=False),),
    in_lessons={"plan": (controls.training_control,)},
    answer=_answer,
    table=_table,
    file="dpviz-plan.csv",
    saved=lambda state: _found_run(state) or state.scenario,
    saves="The plan; where there is none, what is set,",
    file_lacks="The link has the goal and what is set, and finds the plan again; opened on this "
    "page, the file is planned anew for the goal that is set here. ",
    pinned=_found_run,
    meanwhile="Solving for what just meets this goal …",
    too_costly=_too_costly,
    shows_pins=lambda state: state.view.plan_chart == "compare",
)
