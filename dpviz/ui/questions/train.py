"""How accurate is a model within my budget? A small forecaster is trained here and now."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Any

import streamlit as st

from dpviz.export.code import train_command
from dpviz.export.programs import train_code
from dpviz.export.table import Table, without_cells
from dpviz.export.training_tables import compared_runs_table, forecasts_table, run_table
from dpviz.figures.forecast import forecast_chart
from dpviz.figures.training_runs import compared_chart, training_curve
from dpviz.jobs import LongRun
from dpviz.jobs import State as RunState
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import MissingPackageError
from dpviz.training import compared_runs
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.panel_source import GivenSource, PanelSource
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.settings import TrainingSettings
from dpviz.training.small_run import SmallRun, WithoutPrivacy
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import known_curves
from dpviz.ui.file_reading import is_reading
from dpviz.ui.long_runs import follow, found_run, is_under_way
from dpviz.ui.number_control import view_number
from dpviz.ui.page import folded_part, say
from dpviz.ui.question import Answer, Question
from dpviz.ui.questions import train_runs
from dpviz.ui.questions.ledger import compared_button, ledger_button
from dpviz.ui.questions.train_runs import first_in, result_in, settings_in, told_in
from dpviz.ui.questions.train_settings import (
    CONTROLS,
    chart_control,
    is_of_another,
    is_planned,
    is_private,
    panel_source,
)
from dpviz.ui.questions.training_study import example_sentence
from dpviz.ui.rests_on import chosen_run, draw_certificate, offer_csv
from dpviz.ui.state import State
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import act_button
from dpviz.wording import compared_runs as compared_words
from dpviz.wording import small_run as words
from dpviz.wording.compared_runs import Told
from dpviz.wording.file_shape import guess_words
from dpviz.wording.numbers import joined
from dpviz.wording.setting_values import labelled

_KEPT, _MOST_KEPT = "dpviz_kept_runs", 8


def _before_words(state: State, asked: train_runs.Asked) -> str:
    if isinstance(asked.source, GivenSource):
        guess = guess_words(asked.source.guess)
        return joined(text("train_before_file").strip(), guess, _not_yours(state, asked))
    return f"{text('train_before')}\n\n**Example** ([study](training_study)): {example_sentence()}"


def _not_yours(state: State, asked: train_runs.Asked) -> str:
    """Return that not the visitor's settings are trained: other data, or less of a file."""
    run = asked.run
    if run.model == "naive":  # nothing is trained
        return ""
    if asked.source.is_public:
        return words.not_your_settings(run.scenario, state.scenario, fits_noise=run.fits_noise)
    if (other := is_of_another(state)) is not None:
        return words.other_file(other.name)
    if not is_planned(state):
        return ""
    return words.less_of_each(run.scenario, state.scenario, asked.parts.values_kept)


def _draw_run(state: State, asked: train_runs.Asked, run: LongRun | None) -> None:
    result, settings = result_in(asked, run), settings_in(asked, run)
    curve = told_in(run, Progress)
    if run is not None and result is None and not run.state.is_over:
        headline = words.progress_headline(settings, curve[-1] if curve else None)
    elif run is None or result is None:
        headline = _before_words(state, asked)
        # Of one that diverged its error tells what was spent, since the last look, too.
        is_cut = run is not None and not isinstance(run.error, DivergedError)
        if is_cut and settings is not None and curve:
            headline = words.cut_off_headline(settings, curve[-1])
    else:
        without = first_in(run, WithoutPrivacy)
        headline = joined(
            words.result_headline(result),
            compared_words.beside_words(result, without),
            compared_words.risen_words(result, without),
            _not_yours(state, asked),
        )
        kept: dict[str, list[str]] = st.session_state.setdefault(_KEPT, {})
        kept.setdefault(run.key, words.kept_row(result))
        while len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
    if not curve:
        _draw_forecast(state, asked, result, headline)
        return
    target, caption = asked.run.target_epsilon, text("train_caption")
    if asked.run.is_private:
        caption = joined(caption.strip(), text("train_caption_epsilon"))
    frame.draw_answer(
        headline=headline,
        figure=training_curve(curve, target_epsilon=target, identity=asked.key),
        alt=words.curve_description(curve),
        key="training_curve",
        caption=caption,
        height=430,
    )
    if result is not None:
        _draw_forecast(state, asked, result)


def _draw_below(state: State, asked: train_runs.Asked, run: LongRun | None) -> None:
    result = result_in(asked, run)
    if result is not None:
        train_runs.draw_next(asked, result, run)
        train_runs.draw_beside_run(asked, result)
        if result.settings.model != "naive":
            say(words.what_is_trained(result.settings))
        not_covered = asked.not_accounted
        st.markdown(words.not_accounted_words(not_covered, is_private=result.settings.is_private))
        with st.container(horizontal=True):
            offer_csv(
                "Download these forecasts as CSV",
                lambda: forecasts_table(result, asked.source.panel().names, not_covered),
                "dpviz-forecasts.csv",
            )
            _draw_ledger_button(state, asked, result.accounted_scenario)
        if (accounted := result.accounted_scenario) is not None:
            draw_certificate(known_curves([accounted]).own)
    else:
        _draw_ledger_button(state, asked, train_runs.spent_without_result(asked, run))
    _draw_kept()
    settings = None if result is None else result.settings
    folded_part("Show the code", "open_code", _draw_code, settings, asked.source)


def _draw_ledger_button(state: State, asked: train_runs.Asked, spent: Scenario | None) -> None:
    if spent is not None and not asked.source.is_public:  # of public data none is spent
        ledger_button(state, spent, "run")


def _draw_code(settings: TrainingSettings | None, source: PanelSource) -> None:
    if settings is None:
        st.caption("Train the run first: its noise is found then.")
        return
    if command := train_command(settings, source):
        st.caption("The same run from the command line; `--out DIR` keeps the model:")
        st.code(command, language="bash")
    st.caption("The same run from Python:")
    st.code(train_code(settings, source), language="python")


def _draw_forecast(
    state: State, asked: train_runs.Asked, result: TrainingResult | None, headline: str = ""
) -> None:
    windows = asked.parts.test if result is None else result.windows
    at = min(state.view.shown_series, len(windows)) - 1
    name = asked.parts.training.names[int(windows.series[at])]
    title = words.forecast_title(windows, name, result)
    chart = forecast_chart(windows, at, name, result, f"{asked.source.key} {at}")
    alt = words.forecast_description(title, has_forecast=result is not None)
    look: dict[str, Any] = {"key": "forecast", "alt": alt, "height": 360}
    if headline:
        frame.draw_answer(headline=headline, figure=chart, **look)
    else:
        draw_chart(chart, **look)
        st.caption(text("train_forecast_caption"))
    count = len(windows)
    grid = sorted({1, *range(10, count, max(10, count // 20)), count})
    view_number("shown_series", grid=grid, limits=(1, count))(state)


def _draw_kept() -> None:
    kept: dict[str, list[str]] = st.session_state.get(_KEPT, {})
    if len(kept) < 2:
        return
    st.header("Your runs so far", anchor=False)
    say(words.kept_table(reversed(kept.values())))
    st.caption(
        f"The last {_MOST_KEPT} results of this visit. The link holds settings, not results. Runs "
        "on the same data add up: who sees several models learns more than one ε tells."
    )
    act_button(
        "Forget these results",
        kept.clear,
        key="train_forget",
        icon=":material/delete:",
        explains="Empties the table; what is shown above stays.",
    )


def _told_by(run: LongRun | None) -> Told:
    return () if run is None else run.told


def _draw_comparison(state: State, asked: train_runs.Asked, run: LongRun | None) -> None:
    setting, told, variants = state.view.compared_setting, _told_by(run), asked.variants
    headline = _before_words(state, asked)
    if told:
        headline = compared_words.comparison_headline(
            asked.run.scenario, setting, variants, told, wanted=asked.wanted
        )
        headline = joined(headline, _not_yours(state, asked))
    if run is None or (run.state.is_over and not told):  # no chart: without a line it says nothing
        frame.draw_headline(headline)
    else:
        title = compared_words.comparison_title(setting, variants, told)
        frame.draw_answer(
            headline=headline,
            figure=compared_chart(setting, variants, told, identity=asked.key),
            alt=f"{title}. A line for each: the mean CRPS of held-out windows over seeds against "
            "what is spent, with a band from the smallest to the largest. The table below has the "
            "numbers.",
            key="compared_runs",
        )


def _draw_below_compared(state: State, asked: train_runs.Asked, run: LongRun | None) -> None:
    """Draw the numbers, a button for all that was spent, and the code of a variant's first run."""
    runs: dict[str, SmallRun] = {}
    costs: dict[str, Scenario] = {}
    told, setting = _told_by(run), state.view.compared_setting
    say(compared_words.comparison_table(setting, asked.variants, told))
    st.caption(compared_words.comparison_note(setting, fits_noise=asked.run.fits_noise))
    train_runs.draw_beside_comparison(asked, setting, told)
    if told:
        st.markdown(words.not_accounted_words(asked.not_accounted, is_private=asked.run.is_private))
    for at, variant in enumerate(asked.variants):
        name = compared_words.variant_label(setting, variant.value)
        if accounted := compared_runs.accounted_runs(told, at):
            spent = compared_runs.together(accounted)
            costs[f"{len(accounted)} × {name}"] = replace(spent, units=asked.run.scenario.units)
        done = compared_runs.of_variant(told, at)
        if variant.run is not None and done:
            runs[name] = variant.run
            if (sigma := done[0].noise_multiplier) is not None:  # the noise that was found
                factor = None if variant.run.noise_factor is None else 1.0  # it is in sigma already
                at_sigma = variant.run.changed("noise_multiplier", sigma)
                runs[name] = replace(at_sigma, fits_noise=False, noise_factor=factor)
    if run is not None and run.state.is_over and not asked.source.is_public and costs:
        compared_button(state, costs)
    folded_part("Show the code", "open_code", _draw_compared_code, runs, asked.source)


def _draw_compared_code(runs: Mapping[str, SmallRun], source: PanelSource) -> None:
    if not runs:
        st.caption("Train a run first: its noise is found then.")
        return
    name = chosen_run(list(runs), explains="Trained with the first of its seeds.")
    _draw_code(runs[name].settings(), source)


def _asked_or_refused(state: State) -> train_runs.Asked | None:
    """Return what the settings ask for; where they are refused, say why."""
    try:
        return train_runs.asked_for(state, panel_source(state))
    except ScenarioError as problem:
        if problem.field == "trained_on" and is_reading(state):
            st.info("The file is being read.")
        elif problem.field == "trained_on":  # no file is open yet, or none any more
            st.info(text("train_no_file"))
            st.info(text("train_cut_off"))
        else:
            st.error(plain(f"These settings are not trained. {labelled(str(problem))}"))
    except MissingPackageError as problem:
        st.error(plain(f"Not to be had on this server: {problem}. Choose other data or models."))
    return None


def _answer(state: State) -> Answer:
    began = monotonic()
    chart_control(state)
    asked = _asked_or_refused(state)
    if asked is None:
        st.session_state.pop(train_runs.START_AT_ONCE, None)  # it would begin by itself later
        return
    run = train_runs.begun_at_once(asked)
    known = (RunState.WAITING, 0) if run is None else (run.state, len(run.told))
    train_runs.draw_start(asked, run)
    if run is not None and (problem := train_runs.failure(run)):
        st.error(plain(problem))
    if asked.variants:
        _draw_comparison(state, asked, run)
        yield
        _draw_below_compared(state, asked, run)
    else:
        _draw_run(state, asked, run)
        yield
        _draw_below(state, asked, run)
    if run is not None and is_under_way(run):
        follow(run, known, monotonic() - began)


def _table(state: State) -> Table:
    try:
        asked = train_runs.asked_for(state, panel_source(state))
    except (ScenarioError, MissingPackageError) as problem:
        return without_cells(f"These settings are not trained. {problem}")
    if asked.variants:
        told, setting = _told_by(found_run(asked.key)), state.view.compared_setting
        return compared_runs_table(
            asked.run.scenario, setting, asked.variants, told, asked.not_accounted
        )
    if (result := result_in(asked, found_run(asked.key))) is None:
        return without_cells("Not trained yet with these settings.")
    data = asked.source.key if asked.source.is_public else "a file"
    return run_table(result, data, asked.not_accounted)


def _accounted(state: State) -> Scenario | None:
    """Return the private run that is shown, as it was accounted for; ``None`` without one."""
    with suppress(ScenarioError, MissingPackageError):
        asked = train_runs.asked_for(state, panel_source(state))
        result = None if asked.variants else result_in(asked, found_run(asked.key))
        return None if result is None else result.accounted_scenario
    return None


QUESTION = Question(
    settings=CONTROLS,
    answer=_answer,
    table=_table,
    file="dpviz-training.csv",
    saved=lambda state: _accounted(state) or state.scenario,
    saves="The private run that is shown; without one, the settings that pages share,",
    pinned=_accounted,
    # Of other series, or of noise that is fitted or left out, the settings say nothing.
    shows_own=lambda state: (
        (state.view.trained_on, state.view.trained_noise) == ("file", "set")
        and is_private(state)
        and is_planned(state)
    ),
    # It has steps and a batch size of its own.
    taken=lambda scenario: (scenario.noise, scenario.sampling.num_subsequences),
)
