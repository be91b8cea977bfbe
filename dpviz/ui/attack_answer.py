"""The answer to what epsilon means: its charts, sentences and table."""

from functools import partial

import streamlit as st

from dpviz.figures import figure_json
from dpviz.figures.beliefs import beliefs_chart
from dpviz.figures.trade_off import trade_off_chart
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import DRAWN_RATES, AttackRates, attack_rates
from dpviz.scenario import Scenario, to_json
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.choice import view_choice
from dpviz.ui.compute import COARSE, content, known_curves
from dpviz.ui.filling import Filled, fill_in, is_known, result_of, together
from dpviz.ui.number_control import view_number_control
from dpviz.ui.shared import Part
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording import attack_rates as words
from dpviz.wording import posterior
from dpviz.wording.attack_rates import Told


def rates_part(scenario: Scenario, rate: float, *, is_rough: bool = False) -> Part:
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


def known_told(state: State) -> tuple[Told, Filled]:
    """Return what the page tells, coarse ones until there was time for more, and what is to come.

    Raises:
        ScenarioError: no bound covers the scenario.
        TooCostlyError: even coarse ones would cost too much.
    """
    scenario, rate = state.scenario, state.view.target_false_positive_rate
    known = known_curves([scenario])
    curves = known.curves[0]
    assert curves is not None  # the first one is there at once, be it coarse
    exact, rough = rates_part(scenario, rate), rates_part(scenario, rate, is_rough=True)
    first = result_of(exact if is_known(exact) else rough)
    filled = fill_in([exact])
    rates = first if filled.results[0] is None else filled.results[0]
    return _told(state, rates, curves), together(known.filled, filled)


def exact_told(state: State, curves: ScenarioCurves) -> Told:
    """Return the same, however long it takes."""
    part = rates_part(state.scenario, state.view.target_false_positive_rate)
    return _told(state, result_of(part), curves)


def attacker_controls(state: State) -> None:
    """Draw the controls of how careful an attacker is, and what is believed beforehand."""
    view_number_control(state, "target_false_positive_rate")
    view_number_control(state, "prior")


def code_rates(state: State) -> list[float]:
    """Return the false positive rates that the shown code asks for."""
    return sorted({*words.TABLE_RATES, state.view.target_false_positive_rate})


def axes_control(state: State) -> None:
    """Choose the axes of the chart."""
    view_choice(state, "rate_axes", shows_label=False)


def draw_rates(state: State, told: Told, filled: Filled) -> None:
    """Draw hits against false alarms."""
    is_log = state.view.rate_axes == "log"

    def chart() -> str:
        return figure_json(trade_off_chart(told, is_log=is_log))

    frame.draw_answer(
        headline=words.rates_headline(told),
        figure_json=content("trade-off", [*_inputs(told), is_log], chart),
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
    st.markdown(posterior.posterior_text(told))
    draw_chart(
        content("beliefs", _inputs(told), lambda: figure_json(beliefs_chart(told))),
        key="beliefs",
        alt=posterior.posterior_description(told),
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
