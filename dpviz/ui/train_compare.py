"""The answer of several training runs beside each other."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpviz.export.train_csv import comparison_csv
from dpviz.figures import figure_json
from dpviz.figures.compared_runs import compared_chart
from dpviz.jobs import LongRun
from dpviz.training.compared_runs import ComparedRun, RefusedRun, of_variant
from dpviz.training.small_run import SmallRun
from dpviz.ui import frame
from dpviz.ui.filling import Filled
from dpviz.ui.page import folded
from dpviz.ui.shown_code import chosen_run
from dpviz.ui.state import State
from dpviz.ui.train_answer import before_words, draw_code_of
from dpviz.ui.train_baselines import draw_beside_comparison
from dpviz.ui.train_run import Asked
from dpviz.wording import compared_runs as words
from dpviz.wording.small_run import not_accounted_words

_HEIGHT = 460


def told_by(run: LongRun | None) -> Sequence[ComparedRun | RefusedRun]:
    """Return what is known of the compared runs."""
    return () if run is None else run.told


def draw_comparison(state: State, asked: Asked, run: LongRun | None) -> Filled:
    """Draw the finding, error against epsilon, and the table; return what is still to come."""
    setting, told = state.view.compared_setting, told_by(run)
    headline = before_words(asked)
    if told:
        headline = words.comparison_headline(
            asked.run.scenario, setting, asked.variants, told, wanted=asked.wanted
        )
    if run is None:  # no chart: one without a line says nothing
        with st.container(key="answer"):
            st.markdown(headline)
    else:
        _draw_chart(setting, asked, told, headline)
    st.markdown(words.comparison_table(setting, asked.variants, told))
    st.caption(words.comparison_note(fits_noise=asked.run.fits_noise))
    filled = draw_beside_comparison(asked, setting, told)
    if told:
        st.markdown(not_accounted_words(asked.not_accounted, is_private=asked.run.is_private))
    return filled


def _draw_chart(
    setting: str, asked: Asked, told: Sequence[ComparedRun | RefusedRun], headline: str
) -> None:
    title = words.comparison_title(setting, asked.variants, told)
    frame.draw_answer(
        headline=headline,
        figure_json=figure_json(compared_chart(setting, asked.variants, told, identity=asked.key)),
        alt=f"{title}. A line for each: the mean CRPS of held-out windows over seeds against what "
        "is spent, with a band from the smallest to the largest. The table below has the numbers.",
        key="compared_runs",
        height=_HEIGHT,
    )


def draw_code(state: State, asked: Asked, run: LongRun | None) -> None:
    """Draw the code of one of the runs."""
    with folded("Show the code", key="open_code") as is_open:
        if is_open:
            runs = _finished(state, asked, told_by(run))
            if not runs:
                st.caption("It is there as soon as a run is trained: its noise is found then.")
                return
            name = chosen_run(list(runs), explains="Trained with the first of its seeds.")
            draw_code_of(runs[name].settings(), asked.source)


def _finished(
    state: State, asked: Asked, told: Sequence[ComparedRun | RefusedRun]
) -> dict[str, SmallRun]:
    """Return the first run of each variant that is done, with the noise that was found."""
    found = {}
    for at, variant in enumerate(asked.variants):
        done = of_variant(told, at)
        if variant.run is not None and done:
            run = variant.run
            if (sigma := done[0].noise_multiplier) is not None:
                run = replace(run.changed(noise_multiplier=sigma), fits_noise=False)
            found[words.variant_label(state.view.compared_setting, variant.value)] = run
    return found


def csv(state: State, asked: Asked, run: LongRun | None) -> str:
    """Return all runs as CSV, a row each."""
    return comparison_csv(
        asked.run.scenario,
        state.view.compared_setting,
        asked.variants,
        told_by(run),
        asked.not_accounted,
    )
