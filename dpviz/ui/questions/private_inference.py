"""What does it take to hide what a forecast reads?"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.accounting.buckets import FloatArray
from dpviz.export.code import INFERENCE_STUDY_COMMAND
from dpviz.export.programs import example_code, template
from dpviz.export.protection_tables import hidden_context_table
from dpviz.export.table import Table
from dpviz.figures import figure_json
from dpviz.figures.forecast import example_chart, noise_chart
from dpviz.private_inference.example import Example, example, example_errors, example_parameters
from dpviz.private_inference.noise import (
    after_forecasts,
    epsilon_of,
    exact_noise,
    noise_over_rates,
    plain,
)
from dpviz.private_inference.plan import HidingPlan
from dpviz.private_inference.study import shipped_study
from dpviz.reported.table import TABLES
from dpviz.scenario.release_settings import EPSILON_RANGE
from dpviz.settings import View
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import content, part_of
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.number_control import view_number
from dpviz.ui.page import fold, folded, in_columns
from dpviz.ui.question import Answer, question_of_no_run
from dpviz.ui.rests_on import draw_reading, folded_code, folded_conditions
from dpviz.ui.results import Part
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import draw_anew, view_choice
from dpviz.wording import private_inference as study_words
from dpviz.wording.glossary import field_help
from dpviz.wording.numbers import in_full
from dpviz.wording.texts import with_formulas


def _given(state: State) -> None:
    view_number("hidden_epsilon" if state.view.hidden_given == "budget" else "hidden_noise")(state)


def _rate_line(state: State) -> str:
    rate = state.view.hidden_rate
    if rate == 1.0:
        return "r = 1: none"
    # With more protected values the study found that it helps more often.
    recommended = "; recommended: r = 1" if state.view.hidden_width == 1 else ""
    return f"r = {in_full(rate)}{recommended}"


# Of the mechanism and of the example.
CONTROLS = (
    "hidden_given",
    _given,
    "hidden_change",
    "hidden_width",
    "hidden_context",
    fold("Leave values out, too", "open_hidden_rate", "hidden_rate", says=_rate_line),
    fold(
        "More forecasts, values anywhere, δ",
        "open_hidden_more",
        "hidden_level",
        "hidden_forecasts",
        "hidden_stride",
        "hidden_delta",
    ),
    fold(
        "The example: model, series, draw", "open_hidden_example", "hidden_model", "hidden_series"
    ),
    draw_anew("hidden_seed", "hide_anew", field_help("hidden_seed")),
)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the page shows.

    Args:
        plan: with the epsilon that holds.
        noise: standard deviation on each kept value.
        epsilon: that holds; infinity for none.
        whole: the noise that takes with all values kept; ``None`` where there is no epsilon.
    """

    plan: HidingPlan
    noise: float
    epsilon: float
    whole: float | None


def _shown_hiding(view: View) -> Shown:
    plan = HidingPlan(
        context_length=view.hidden_context,
        rate=view.hidden_rate,
        max_change=view.hidden_change,
        epsilon=view.hidden_epsilon,
        delta=view.hidden_delta,
        level=view.hidden_level,
        width=view.hidden_width,
        forecasts=view.hidden_forecasts,
        stride=view.hidden_stride,
    )
    given = view.hidden_noise if view.hidden_given == "noise" else None
    return content("hiding", [plan, given], lambda: _shown(plan, given))


def _draw_example(state: State, shown: Shown) -> None:
    view, plan = state.view, shown.plan
    (parameters,) = fill_in([_parameters_part(view)]).results
    errors = None
    if parameters is not None:
        (errors,) = fill_in([_errors_part(view, shown, parameters)]).results
    drawn = _drawn(view, shown, parameters)
    title = study_words.example_title(drawn)
    identity = f"hidden {view.hidden_context} {view.hidden_series}"
    frame.draw_answer(
        headline=study_words.noise_headline(plan, shown.noise, shown.epsilon, shown.whole, errors),
        figure_json=figure_json(example_chart(drawn, title=title, identity=identity)),
        alt=study_words.example_description(plan, shown.noise, drawn, view.hidden_model),
        key="context_as_read",
        finding=study_words.example_finding(drawn),
        caption=text("private_inference_caption"),
        height=460,
    )


def _draw_noise(shown: Shown) -> None:
    plan = shown.plan
    with folded("The noise that each rate needs", key="open_hidden_noise") as is_open:
        if is_open and shown.whole is None:
            st.info(study_words.no_rates(shown.epsilon))
        elif is_open:
            (at_rates,) = fill_in([part_of(noise_over_rates, plan)]).results
            if at_rates is not None:
                title = study_words.noise_title(plan, at_rates)
                chart = noise_chart(at_rates, plan.rate, title=title, identity="hidden noise")
                draw_chart(
                    figure_json(chart),
                    key="hidden_noise_over_rates",
                    alt=f"{title}. The table below has the numbers.",
                    height=380,
                    file_name="dpviz-hidden-context-noise",
                )
                st.markdown(with_formulas(study_words.noise_table(plan, at_rates)))
    with folded("What more forecasts cost", key="open_hidden_forecasts") as is_open:
        if is_open:
            (after,) = fill_in([part_of(after_forecasts, plan, shown.noise)]).results
            if after is not None:
                table = study_words.forecasts_table(
                    plan, shown.noise, after, has_epsilon=shown.whole is not None
                )
                st.markdown(with_formulas(table))


def _draw_study(state: State) -> None:
    view = state.view
    with folded("Does leaving values out help? A study", key="open_hidden_study") as is_open:
        if is_open:
            names = "hidden_study", "hidden_study_context", "hidden_study_width"
            in_columns(*names, gap="large")(state)
            study = shipped_study()
            rows = study_words.chosen_rows(
                study, view.hidden_study, int(view.hidden_study_context), view.hidden_study_width
            )
            st.markdown(with_formulas(study_words.study_finding(study, rows)))
            st.markdown(with_formulas(study_words.study_table(rows)))
            st.caption(with_formulas(study_words.study_note(study, rows)))
    with folded("What the paper prints: other data and models", key="open_hidden_paper") as is_open:
        if not is_open:
            return
        view_choice("hidden_table")(state)
        table = TABLES[view.hidden_table]
        st.markdown(with_formulas(study_words.paper_table(table)))
        st.caption(with_formulas(study_words.paper_note(table)))


def _draw_rests_on(state: State, shown: Shown) -> None:
    folded_conditions(lambda: study_words.what_has_to_hold(shown.plan))
    folded_code(
        lambda: [
            (
                "Numbers and forecast of this page, from Python:",
                example_code(
                    shown.plan,
                    shown.noise if state.view.hidden_given == "noise" else None,
                    model=state.view.hidden_model,
                    series=state.view.hidden_series - 1,
                    seed=state.view.hidden_seed,
                ),
                "python",
            ),
            ("Of contexts of your own:", template("hidden_own_data"), "python"),
            ("The study, from the command line:", INFERENCE_STUDY_COMMAND, "bash"),
        ]
    )
    draw_reading("private_inference_reading")


def _answer_table(state: State) -> Table:
    view = state.view
    shown = _shown_hiding(view)
    return hidden_context_table(
        shown.plan,
        shown.noise,
        shown.epsilon,
        _drawn(view, shown, result_of(_parameters_part(view))),
        result_of(part_of(noise_over_rates, shown.plan)) if shown.whole is not None else (),
        model=view.hidden_model,
        seed=view.hidden_seed,
    )


def _shown(plan: HidingPlan, given: float | None) -> Shown:
    # Also where the noise is given: a delta that asks for none is refused, as it hides nobody.
    needed = exact_noise(plan).noise
    assert needed is not None  # the exact accounting always has one
    noise, epsilon = (needed, plan.epsilon) if given is None else (given, epsilon_of(plan, given))
    if not EPSILON_RANGE[0] <= epsilon <= EPSILON_RANGE[1]:
        return Shown(plan=plan, noise=noise, epsilon=epsilon, whole=None)
    plan = replace(plan, epsilon=epsilon)
    return Shown(plan=plan, noise=noise, epsilon=epsilon, whole=exact_noise(plain(plan)).noise)


def _drawn(view: View, shown: Shown, parameters: Any) -> Example:
    return example(
        view.hidden_model,
        view.hidden_context,
        parameters,
        view.hidden_series - 1,
        rate=view.hidden_rate,
        noise=shown.noise,
        seed=view.hidden_seed,
    )


def _parameters_part(view: View) -> Part[FloatArray]:
    part = part_of(example_parameters, view.hidden_model, view.hidden_context)
    return replace(part, is_long=True)


def _errors_part(view: View, shown: Shown, parameters: Any) -> Part[Any]:
    model, length, seed = view.hidden_model, view.hidden_context, view.hidden_seed
    whole = shown.noise if shown.whole is None else shown.whole
    return Part(
        key=f"hidden errors {model} {length} {view.hidden_rate!r} {shown.noise!r} {whole!r} {seed}",
        compute=partial(
            example_errors,
            model,
            length,
            parameters,
            rate=view.hidden_rate,
            noise=shown.noise,
            whole_noise=whole,
            seed=seed,
        ),
    )


def _answer(state: State) -> Answer:
    shown = _shown_hiding(state.view)
    _draw_example(state, shown)
    yield
    _draw_noise(shown)
    _draw_study(state)
    _draw_rests_on(state, shown)


QUESTION = question_of_no_run(
    introduction="private_inference_introduction",
    settings=CONTROLS,
    answer=_answer,
    table=_answer_table,
    file="dpviz-hidden-context.csv",
)
