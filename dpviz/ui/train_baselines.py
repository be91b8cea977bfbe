"""Exponential smoothing beside what was trained, fitted in the background, once for everybody."""

from functools import partial

import streamlit as st

from dpviz.jobs import Limits
from dpviz.scenario import ScenarioError
from dpviz.training.compared_runs import ComparedRun, of_variant
from dpviz.training.progress import TrainingResult
from dpviz.training.smoothing_baseline import (
    SmoothedBaseline,
    crps_beside,
    smoothed_baseline,
)
from dpviz.ui.filling import Filled, fill_in, is_left_out
from dpviz.ui.shared import Part
from dpviz.ui.train_run import Asked
from dpviz.wording import train_baselines as words
from dpviz.wording.compared_runs import Told, variant_label

_LIMITS = Limits(seconds=60.0)
_NOTHING = Filled(results=())


def draw_beside_run(asked: Asked, result: TrainingResult) -> Filled:
    """Draw a finished run beside simple forecasts; return what is still to come."""
    found, filled = _baseline(asked)
    if found is not None:
        error = crps_beside(result.forecasts, found.of)
        st.markdown(words.baselines_table(found, result, error))
        st.caption(words.baselines_note(found))
    return filled


def draw_beside_comparison(asked: Asked, setting: str, told: Told) -> Filled:
    """Draw compared runs beside simple forecasts; return what is still to come."""
    if not any(isinstance(one, ComparedRun) for one in told):
        return _NOTHING
    found, filled = _baseline(asked)
    if found is not None:
        runs = []
        for at, variant in enumerate(asked.variants):
            errors = [run.crps_beside for run in of_variant(told, at)]
            known = [error for error in errors if error is not None]
            if known:
                runs.append((variant_label(setting, variant.value), sum(known) / len(known)))
        st.markdown(words.compared_baselines(found, runs))
    return filled


def _baseline(asked: Asked) -> tuple[SmoothedBaseline | None, Filled]:
    """Return the simple forecasts once they are there; say so where they are not."""
    shape = asked.run.scenario.shape
    assert shape is not None  # it is the panel's
    lengths = (shape.context_length, shape.forecast_length)
    part = Part(
        # A file's key is known to nobody but the visitor who has opened it.
        key=f"smoothed {asked.source.key} {asked.run.period} {lengths}",
        compute=partial(smoothed_baseline, asked.source, *lengths),
        limits=_LIMITS,
        is_long=True,
    )
    if is_left_out(part):
        st.caption(words.TOO_COSTLY)
        return None, _NOTHING
    try:
        filled = fill_in([part])
    except ScenarioError:  # all that came is zero: the run has told its error as refused, too
        return None, _NOTHING
    if filled.to_come:
        st.caption(words.UNDER_WAY)
    return filled.results[0], filled
