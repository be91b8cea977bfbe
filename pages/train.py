"""How accurate is a model within my budget? A small forecaster is trained here and now."""

from collections.abc import Iterator
from contextlib import suppress
from time import monotonic

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.jobs import State as RunState
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.ui import frame, train_answer, train_compare
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.long_runs import follow, is_under_way
from dpviz.ui.page import require_router
from dpviz.ui.texts import plain, text
from dpviz.ui.train_controls import chart_control, train_settings
from dpviz.ui.train_data import panel_source
from dpviz.ui.train_run import Asked, asked_for, draw_start, failure, known_run
from dpviz.wording.labels import labelled

require_router()
state = current()


def asked_or_refused() -> Asked | None:
    """Return what the settings ask for; where they are refused, say why."""
    try:
        return asked_for(state, panel_source(state))
    except ScenarioError as problem:
        if problem.field == "trained_on":  # no file is open yet, or none any more
            st.info(text("train_no_file"))
            st.info(text("train_cut_off"))
        else:
            st.error(plain(f"These settings are not trained. {labelled(str(problem))}"))
    except MissingPackageError as problem:
        st.error(plain(f"These data are not on this server: {problem}. Choose others."))
    return None


def draw_answer() -> Iterator[None]:
    """Draw the run, or those that are compared; then what they rest on, and go on with them."""
    began = monotonic()
    chart_control(state)
    asked = asked_or_refused()
    if asked is None:
        return
    run = known_run(asked)
    known = (RunState.WAITING, 0) if run is None else (run.state, len(run.told))
    draw_start(asked, run)
    if run is not None and (problem := failure(run)):
        st.error(plain(problem))
    if asked.variants:
        filled = train_compare.draw_comparison(state, asked, run)
        yield
        train_compare.draw_code(state, asked, run)
    else:
        train_answer.draw_run(state, asked, run)
        yield
        filled = train_answer.draw_below(asked, run)
    if run is not None and is_under_way(run):
        follow(run, known, monotonic() - began)
    go_on(filled)


def csv() -> str:
    """Return the numbers of what is shown."""
    try:
        asked = asked_for(state, panel_source(state))
    except (ScenarioError, MissingPackageError) as problem:
        return f"# These settings are not trained. {problem}\n"
    if asked.variants:
        return train_compare.csv(state, asked, known_run(asked))
    return train_answer.csv(asked, known_run(asked))


def saved() -> Scenario:
    """Return the scenario that was trained; before that, the visitor's own."""
    with suppress(ScenarioError, MissingPackageError):
        asked = asked_for(state, panel_source(state))
        result = None if asked.variants else train_answer.result_in(known_run(asked))
        if result is not None:
            return train_answer.trained_scenario(result) or state.scenario
    return state.scenario


frame.page_head(state, "How accurate within my budget?", csv, train_answer.FILE, saved)
frame.explore(state, lambda: train_settings(state), draw_answer)
frame.draw_theory()
