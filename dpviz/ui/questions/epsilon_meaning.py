"""What does epsilon mean?"""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.export.curve_tables import attack_rates_table, pair_table
from dpviz.figures.attack_rates import beliefs_chart, people_chart, trade_off_chart
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import DRAWN_RATES, AttackRates, attack_rates
from dpviz.scenario import Scenario, to_json
from dpviz.settings.lessons import lessons_in
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import COARSE, exact_curves, figure_of, known_curves
from dpviz.ui.filling import NOTHING, Filled, fill_in, is_known, result_of, together
from dpviz.ui.frame import Answer, Question
from dpviz.ui.lesson_links import viewed_lesson
from dpviz.ui.page import page_file, when
from dpviz.ui.questions.game import draw_game, draw_lesson_game
from dpviz.ui.rests_on import draw_certificate, draw_code, draw_not_covered_line
from dpviz.ui.shared import Part
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice
from dpviz.wording import attack_rates as words
from dpviz.wording import people
from dpviz.wording.attack_rates import Told
from dpviz.wording.numbers import rounded

_PEOPLE_HEIGHT = 300


def rates_part(scenario: Scenario, rate: float, *, is_rough: bool = False) -> Part[AttackRates]:
    """Return the part of a page that is what attackers achieve, known at a rate, too.

    Args:
        scenario: of which.
        rate: a false positive rate.
        is_rough: whether it stands in for the part itself for a moment.
    """
    # At most rates all visitors share one result.
    known = float(DRAWN_RATES[1]) if rate in DRAWN_RATES else rate
    compute = partial(attack_rates, scenario, known)
    if not is_rough:
        return Part(key=f"attack rates {known!r} {to_json(scenario)}", compute=compute)
    return Part(
        key=f"rough attack rates {known!r} {to_json(scenario)}",
        compute=partial(compute, tolerance=COARSE, only_quoted=True),
    )


def known_told(state: State) -> tuple[Told, Filled[Any]]:
    """Return what the page tells, coarse ones until there was time for more, and what is to come.

    Raises:
        ScenarioError: no bound covers the scenario.
        TooCostlyError: even coarse ones would cost too much.
    """
    scenario, rate = state.scenario, state.view.target_false_positive_rate
    known = known_curves([scenario])
    exact, rough = rates_part(scenario, rate), rates_part(scenario, rate, is_rough=True)
    first = result_of(exact if is_known(exact) else rough)
    filled = fill_in([exact])
    rates = first if filled.results[0] is None else filled.results[0]
    return _told(state, rates, known.own), together(known.filled, filled)


def draw_people(odds: people.Odds, progress: float | None = None) -> None:
    """Draw 100 people, and what is said of them."""
    frame.draw_answer(
        headline=people.people_headline(odds),
        figure_json=figure_of("people", [odds], lambda: people_chart(odds)),
        alt=people.people_description(odds),
        key="people",
        finding=people.people_sentences(odds),
        progress=progress,
        height=_PEOPLE_HEIGHT,
    )


def draw_rates(state: State, told: Told) -> None:
    """Draw hits against false alarms."""
    st.header("At every rate of false alarms", anchor=False)
    view_choice("rate_axes", shows_label=False)(state)
    is_log = state.view.rate_axes == "log"
    draw_chart(
        figure_of(
            "trade-off", [*_inputs(told), is_log], lambda: trade_off_chart(told, is_log=is_log)
        ),
        key="trade_off",
        alt=words.rates_description(told),
        file_name="dpviz-trade-off",
    )
    st.markdown(f"{words.lossy_sentence(told)}\n\n{words.advantage_sentence(told)}")
    st.caption(text("trade_off_caption"))
    st.markdown(words.rates_table(told))


def draw_beliefs(told: Told) -> None:
    """Draw what an attacker may believe afterwards."""
    st.header("What may an attacker believe afterwards?", anchor=False)
    st.markdown(words.posterior_text(told))
    draw_chart(
        figure_of("beliefs", _inputs(told), lambda: beliefs_chart(told)),
        key="beliefs",
        alt=words.posterior_description(told),
        height=360,
        file_name="dpviz-beliefs",
    )
    st.caption(text("beliefs_caption"))


def _told(state: State, rates: AttackRates, curves: ScenarioCurves) -> Told:
    return Told(
        rates=rates,
        curves=curves,
        rate=state.view.target_false_positive_rate,
        prior=state.view.prior,
    )


def _inputs(told: Told) -> list[object]:
    hits = told.rates.upper.hits.tolist()  # tell coarse ones from the exact
    return [told.curves, told.rate, told.prior, hits]


def is_typed(state: State) -> bool:
    """Return whether the visitor asks for an epsilon of their own, not the run's."""
    return state.view.meant_epsilon == "typed"


def plan_control(state: State) -> None:
    """Draw the button that makes the typed epsilon what a plan has to meet, and opens the plan."""
    epsilon = state.view.typed_epsilon
    if st.button(
        f"Plan for ε ≤ {rounded(epsilon, 6)}",
        key="plan_typed",
        icon=":material/target:",
        help="Plan then finds the noise that this ε needs. Undo takes it back.",
    ):
        change_view(lambda: {"goal": "epsilon", "target_epsilon": epsilon})
        st.switch_page(page_file("planner"))


def answer(state: State) -> Answer:
    """Draw 100 people, then the game of guessing, hits and false alarms, and beliefs."""
    view = state.view
    lesson = viewed_lesson(state)
    if lesson is not None and lesson.name == "guess":
        draw_lesson_game(state, tells_most="guess" in lessons_in(view.revealed))
        yield NOTHING
        return
    if is_typed(state):
        rate, prior = view.target_false_positive_rate, view.prior
        draw_people(people.odds_of_pair(view.typed_epsilon, state.scenario.delta, rate, prior))
        draw_not_covered_line()
        yield NOTHING
        return
    told, filled = known_told(state)
    draw_people(people.odds_of_run(told), filled.progress)
    draw_not_covered_line(told.curves)
    yield filled
    draw_game(state)
    draw_rates(state, told)
    draw_beliefs(told)
    draw_certificate(told.curves)
    rates = sorted({*words.TABLE_RATES, state.view.target_false_positive_rate})
    draw_code([("now", state.scenario)], rates)


def csv(state: State) -> str:
    """Return hits at all rates of false alarms."""
    if is_typed(state):
        return pair_table(state.view.typed_epsilon, state.scenario.delta).csv()
    part = rates_part(state.scenario, state.view.target_false_positive_rate)
    return attack_rates_table(_told(state, result_of(part), exact_curves(state.scenario))).csv()


QUESTION = Question(
    settings=(
        "meant_epsilon",
        when(is_typed, "typed_epsilon", controls.delta_control, plan_control),
        "target_false_positive_rate",
        "prior",
        when(
            lambda state: not is_typed(state),
            controls.preset_control,
            controls.noise_control,
            controls.training_control,
            controls.rate_controls,
            controls.folded_sampling,
            *data_controls.FOLDED,
        ),
    ),
    in_lessons={"epsilon": (controls.noise_control,)},
    answer=answer,
    csv=csv,
    file="dpviz-attack-rates.csv",
    held=lambda state: [] if is_typed(state) else [state.scenario],
)
