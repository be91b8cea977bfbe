"""What does epsilon mean?"""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.export.curve_tables import attack_rates_table
from dpviz.figures.attack_rates import beliefs_chart, trade_off_chart
from dpviz.figures.spec import Spec
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import DRAWN_RATES, AttackRates, attack_rates
from dpviz.scenario import Scenario, to_json
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import COARSE, exact_curves, figure_of, known_curves
from dpviz.ui.filling import Filled, fill_in, is_known, result_of, together
from dpviz.ui.frame import Answer, Question
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.shared import Part
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice
from dpviz.wording import attack_rates as words
from dpviz.wording.attack_rates import Told


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


axes_control = view_choice("rate_axes", shows_label=False)


def draw_rates(state: State, told: Told, filled: Filled[Any]) -> None:
    """Draw hits against false alarms."""
    is_log = state.view.rate_axes == "log"

    def chart() -> Spec:
        return trade_off_chart(told, is_log=is_log)

    frame.draw_answer(
        headline=words.rates_headline(told),
        figure_json=figure_of("trade-off", [*_inputs(told), is_log], chart),
        alt=words.rates_description(told),
        key="trade_off",
        finding=f"{words.lossy_sentence(told)}\n\n{words.advantage_sentence(told)}",
        caption=text("trade_off_caption"),
        progress=filled.progress,
    )
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


def answer(state: State) -> Answer:
    """Draw hits against false alarms, then what an attacker may believe."""
    axes_control(state)
    told, filled = known_told(state)
    draw_rates(state, told, filled)
    yield filled
    draw_beliefs(told)
    draw_certificate(told.curves)
    rates = sorted({*words.TABLE_RATES, state.view.target_false_positive_rate})
    draw_code([("now", state.scenario)], rates)


def csv(state: State) -> str:
    """Return the numbers of the chart."""
    part = rates_part(state.scenario, state.view.target_false_positive_rate)
    return attack_rates_table(_told(state, result_of(part), exact_curves(state.scenario))).csv()


QUESTION = Question(
    settings=(
        controls.preset_control,
        "target_false_positive_rate",
        "prior",
        controls.noise_control,
        controls.training_control,
        controls.rate_controls,
        controls.folded_sampling,
        *data_controls.FOLDED,
    ),
    answer=answer,
    csv=csv,
    file="dpviz-attack-rates.csv",
)
