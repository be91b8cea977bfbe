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
from dpviz.figures.forecast import example_chart, noise_chart
from dpviz.private_inference import noise as hiding
from dpviz.private_inference.example import Example, example, example_errors, example_parameters
from dpviz.private_inference.plan import HidingPlan
from dpviz.private_inference.study import shipped_study
from dpviz.reported.table import TABLES
from dpviz.scenario.release_settings import EPSILON_RANGE
from dpviz.settings import View
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import content, part_of
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.page import fold, folded_part, in_columns, say, viewed, when
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


def _rate_line(state: State) -> str:
    rate = state.view.hidden_rate
    return "r = 1: none" if rate == 1.0 else f"r = {in_full(rate)}"


# Of the mechanism and of the example.
CONTROLS = (
    "hidden_given",
    when(viewed("hidden_given", "budget"), "hidden_epsilon"),
    when(viewed("hidden_given", "noise"), "hidden_noise"),
    "hidden_change",
    "hidden_width",
    "hidden_context",
    fold("Leave values out, too", "open_hidden_rate", "hidden_rate", says=_rate_line),
    fold(
        "More forecasts, values anywhere, δ",
        "open_hidden_more",
        *("hidden_level", "hidden_forecasts", "hidden_stride", "hidden_delta"),
    ),
    fold(
        "The example: model, series, draw", "open_hidden_example", "hidden_model", "hidden_series"
    ),
    draw_anew("hidden_seed", "hide_anew", field_help("hidden_seed")),
)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the page shows."""

    plan: HidingPlan  # with the epsilon that holds
    noise: float  # standard deviation on each kept value
    epsilon: float  # that holds; infinity for none
    whole: float | None  # the noise with all values kept; ``None`` where there is no epsilon


def _plan(view: View) -> HidingPlan:
    return HidingPlan(
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


def _shown_hiding(view: View) -> Shown:
    plan = _plan(view)
    given = view.hidden_noise if view.hidden_given == "noise" else None

    def found() -> Shown:
        # Also where the noise is given: a delta that asks for none is refused, as it hides nobody.
        needed = hiding.exact_noise(plan).noise
        assert needed is not None  # the exact accounting always has one
        noise, epsilon = needed, plan.epsilon
        if given is not None:
            noise, epsilon = given, hiding.epsilon_of(plan, given)
        if not EPSILON_RANGE[0] <= epsilon <= EPSILON_RANGE[1]:
            return Shown(plan=plan, noise=noise, epsilon=epsilon, whole=None)
        held = replace(plan, epsilon=epsilon)
        whole = hiding.exact_noise(hiding.plain(held)).noise
        return Shown(plan=held, noise=noise, epsilon=epsilon, whole=whole)

    return content("hiding", [plan, given], found)


def _draw_noise(shown: Shown) -> None:
    plan = shown.plan
    if shown.whole is None:
        st.info(study_words.no_rates(shown.epsilon))
        return
    (at_rates,) = fill_in([part_of(hiding.noise_over_rates, plan)]).results
    if at_rates is not None:
        title = study_words.noise_title(plan, at_rates)
        draw_chart(
            noise_chart(at_rates, plan.rate, title=title, identity="hidden noise"),
            key="hidden_noise_over_rates",
            alt=f"{title}. The table below has the numbers.",
            height=380,
            file_name="dpviz-hidden-context-noise",
        )
        say(study_words.noise_table(plan, at_rates))


def _draw_forecasts(shown: Shown) -> None:
    plan, noise = shown.plan, shown.noise
    (after,) = fill_in([part_of(hiding.after_forecasts, plan, noise)]).results
    if after is not None:
        has_epsilon = shown.whole is not None
        table = study_words.forecasts_table(plan, noise, after, has_epsilon=has_epsilon)
        say(table)


def _draw_study(state: State) -> None:
    view, study = state.view, shipped_study()
    names = "hidden_study", "hidden_study_context", "hidden_study_width"
    in_columns(*names, gap="large")(state)
    rows = study_words.chosen_rows(
        study, view.hidden_study, int(view.hidden_study_context), view.hidden_study_width
    )
    say(study_words.study_finding(study, rows))
    say(study_words.study_table(rows))
    st.caption(with_formulas(study_words.study_note(study, rows)))


def _draw_paper(state: State) -> None:
    view_choice("hidden_table")(state)
    table = TABLES[state.view.hidden_table]
    say(study_words.paper_table(table))
    st.caption(with_formulas(study_words.paper_note(table)))


def _code(view: View, shown: Shown) -> list[tuple[str, str, str]]:
    program = example_code(
        shown.plan,
        shown.noise if view.hidden_given == "noise" else None,
        model=view.hidden_model,
        series=view.hidden_series - 1,
        seed=view.hidden_seed,
    )
    return [
        ("Numbers and forecast of this page, from Python:", program, "python"),
        ("Of contexts of your own:", template("hidden_own_data"), "python"),
        ("The study, from the command line:", INFERENCE_STUDY_COMMAND, "bash"),
    ]


def _answer_table(state: State) -> Table:
    view = state.view
    shown = _shown_hiding(view)
    return hidden_context_table(
        shown.plan,
        shown.noise,
        shown.epsilon,
        _drawn(view, shown, result_of(_parameters_part(view))),
        result_of(part_of(hiding.noise_over_rates, shown.plan)) if shown.whole is not None else (),
        model=view.hidden_model,
        seed=view.hidden_seed,
    )


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
    model, length, rate = view.hidden_model, view.hidden_context, view.hidden_rate
    whole = shown.noise if shown.whole is None else shown.whole
    given: dict[str, Any] = {"rate": rate, "noise": shown.noise, "whole_noise": whole}
    given["seed"] = view.hidden_seed
    return Part(
        key=f"hidden errors {model} {length} {given}",
        compute=partial(example_errors, model, length, parameters, **given),
    )


def _answer(state: State) -> Answer:
    view, shown = state.view, _shown_hiding(state.view)
    plan, noise = shown.plan, shown.noise
    (parameters,) = fill_in([_parameters_part(view)]).results
    errors = None
    if parameters is not None:
        (errors,) = fill_in([_errors_part(view, shown, parameters)]).results
    drawn = _drawn(view, shown, parameters)
    title = study_words.example_title(drawn)
    identity = f"hidden {view.hidden_context} {view.hidden_series}"
    frame.draw_answer(
        headline=study_words.noise_headline(plan, noise, shown.epsilon, shown.whole, errors),
        figure=example_chart(drawn, title=title, identity=identity),
        alt=study_words.example_description(plan, noise, drawn, view.hidden_model),
        key="context_as_read",
        finding=study_words.example_finding(drawn),
        caption=text("private_inference_caption"),
    )
    yield
    folded_part("The noise that each rate needs", "open_hidden_noise", _draw_noise, shown)
    folded_part("What more forecasts cost", "open_hidden_forecasts", _draw_forecasts, shown)
    folded_part("Does leaving values out help? A study", "open_hidden_study", _draw_study, state)
    label = "What the paper prints: other data and models"
    folded_part(label, "open_hidden_paper", _draw_paper, state)
    folded_conditions(lambda: study_words.what_has_to_hold(plan))
    folded_code(lambda: _code(view, shown))
    draw_reading("private_inference_reading")


QUESTION = question_of_no_run(
    introduction="private_inference_introduction",
    settings=CONTROLS,
    answer=_answer,
    table=_answer_table,
    file="dpviz-hidden-context.csv",
)
