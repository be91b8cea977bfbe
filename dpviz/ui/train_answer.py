"""The answer of one training run: how far it is, what it came to, what it forecasts."""

from dataclasses import replace

import streamlit as st

from dpviz.export.train_code import train_code, train_command
from dpviz.export.train_csv import forecasts_text, run_csv
from dpviz.figures import figure_json
from dpviz.figures.forecast import forecast_chart
from dpviz.figures.training_curve import training_curve
from dpviz.jobs import LongRun
from dpviz.scenario import Scenario, Training
from dpviz.training.panel_source import PanelSource
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import EvaluationWindows
from dpviz.ui import frame
from dpviz.ui.act_button import act_button
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import known_curves
from dpviz.ui.filling import Filled, together
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.train_baselines import draw_beside_run
from dpviz.ui.train_run import Asked
from dpviz.wording import small_run as words
from dpviz.wording.kept_runs import kept_table
from dpviz.wording.small_run_charts import (
    curve_description,
    forecast_description,
    forecast_title,
)

FILE = "dpviz-training.csv"
_KEPT, _MOST_KEPT = "dpviz_kept_runs", 8
_HEIGHT, _FORECAST_HEIGHT = 430, 360


def before_words(asked: Asked) -> str:
    """Return what is said before anything is trained, as Markdown."""
    return text("train_before" if asked.source.is_public else "train_before_file")


def trained_scenario(result: TrainingResult) -> Scenario | None:
    """Return the scenario that was trained, over the steps accounted for; ``None`` without one."""
    if result.spent is None:
        return None
    return replace(
        result.settings.scenario,
        training=Training(unit="steps", count=result.spent.steps),
        delta=result.spent.delta,
    )


def result_in(run: LongRun | None) -> TrainingResult | None:
    """Return the result that a run has told, if it has."""
    last = run.told[-1] if run is not None and run.told else None
    return last if isinstance(last, TrainingResult) else None


def draw_run(state: State, asked: Asked, run: LongRun | None) -> None:
    """Draw the sentence with the numbers, the course of training, and a forecast."""
    result = result_in(run)
    told = () if run is None else run.told
    settings = next((one for one in told if isinstance(one, TrainingSettings)), None)
    curve = [one for one in told if isinstance(one, Progress)]
    if run is None or (run.state.is_over and result is None):
        headline = before_words(asked)
    elif result is None:
        headline = words.progress_headline(settings, curve[-1] if curve else None)
    else:
        headline = words.result_headline(result)
        _keep(run.key, result)
    if not curve:
        _draw_forecast(state, asked, result, headline)
        return
    frame.draw_answer(
        headline=headline,
        figure_json=figure_json(
            training_curve(curve, target_epsilon=asked.run.target_epsilon, identity=asked.key)
        ),
        alt=curve_description(curve),
        key="training_curve",
        caption=text("train_caption"),
        height=_HEIGHT,
    )
    if result is not None:
        _draw_forecast(state, asked, result)


def draw_below(asked: Asked, run: LongRun | None) -> Filled:
    """Draw what the result rests on, what it does not cover, and the code; return what lacks."""
    result = result_in(run)
    filled = Filled(results=())
    if result is not None:
        beside = draw_beside_run(asked, result)
        st.markdown(words.what_is_trained(result.settings))
        not_covered = asked.not_accounted
        st.markdown(words.not_accounted_words(not_covered, is_private=result.settings.is_private))
        st.download_button(
            "Download these forecasts as CSV",
            lambda: forecasts_text(result, asked.source.panel().names, not_covered),
            "dpviz-forecasts.csv",
            "text/csv",
            on_click="ignore",
        )
        filled = together(_draw_certificate(result), beside)
    _draw_kept()
    with folded("Show the code", key="open_code") as is_open:
        if is_open:
            if result is None:
                st.caption("It is there as soon as the run is trained: its noise is found then.")
            else:
                draw_code_of(result.settings, asked.source)
    return filled


def draw_code_of(settings: TrainingSettings, source: PanelSource) -> None:
    """Draw the command, where there is one, and the Python that train a run once more."""
    if command := train_command(settings, source):
        st.caption("The same run from the command line; `--out DIR` keeps the model:")
        st.code(command, language="bash")
    st.caption("The same run from Python:")
    st.code(train_code(settings, source), language="python")


def csv(asked: Asked, run: LongRun | None) -> str:
    """Return the run as CSV, or that there is none yet."""
    result = result_in(run)
    if result is None:
        return "# Nothing is trained yet with these settings.\n"
    data = "a file" if not asked.source.is_public else asked.source.key
    return run_csv(result, data, asked.not_accounted)


def _draw_forecast(
    state: State, asked: Asked, result: TrainingResult | None, headline: str = ""
) -> None:
    windows = asked.parts.test if result is None else result.forecasts.windows
    at = min(state.view.shown_series, len(windows)) - 1
    name = asked.parts.training.names[int(windows.series[at])]
    title = forecast_title(windows, name, result)
    chart = figure_json(forecast_chart(windows, at, name, result, f"{asked.source.key} {at}"))
    alt = forecast_description(title, has_forecast=result is not None)
    if headline:
        frame.draw_answer(
            headline=headline, figure_json=chart, alt=alt, key="forecast", height=_FORECAST_HEIGHT
        )
    else:
        draw_chart(
            chart, key="forecast", alt=alt, height=_FORECAST_HEIGHT, file_name="dpviz-forecast"
        )
        st.caption(text("train_forecast_caption"))
    count = len(windows)
    grid = sorted({1, *range(10, count, max(10, count // 20)), count})
    view_number_control(state, "shown_series", grid=grid, limits=(1, count))


def _draw_certificate(result: TrainingResult) -> Filled:
    """Draw what epsilon rests on."""
    if (scenario := trained_scenario(result)) is None:
        return Filled(results=())
    known = known_curves([scenario])
    curves = known.curves[0]
    assert curves is not None  # the first one is there at once, be it coarse
    frame.draw_certificate(curves)
    return known.filled


def _keep(key: str, result: TrainingResult) -> None:
    """Note a result of this visit, without its forecasts."""
    kept: dict[str, TrainingResult] = st.session_state.setdefault(_KEPT, {})
    if key in kept:
        return
    forecasts = result.forecasts
    few = replace(forecasts, quantiles=forecasts.quantiles[:1], windows=_none(result))
    kept[key] = replace(result, forecasts=few)
    while len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]


def _none(result: TrainingResult) -> EvaluationWindows:
    windows = result.forecasts.windows
    return replace(
        windows,
        context=windows.context[:0],
        truth=windows.truth[:0],
        histories=(),
        series=windows.series[:0],
        starts=windows.starts[:0],
    )


def _draw_kept() -> None:
    kept: dict[str, TrainingResult] = st.session_state.get(_KEPT, {})
    if len(kept) < 2:
        return
    st.header("Your runs so far", anchor=False)
    st.markdown(kept_table(list(reversed(kept.values()))))
    st.caption(
        f"The last {_MOST_KEPT} results of this visit. The link holds settings, not results. Runs "
        "on the same data add up: who sees several models learns more than one ε tells."
    )
    act_button(
        "Forget these results",
        kept.clear,
        key="train_forget",
        icon="delete",
        explains="Empties the table; what is shown above stays.",
    )
