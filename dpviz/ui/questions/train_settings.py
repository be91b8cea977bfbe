"""Which series are trained on, and the settings of the run: model, budget, noise."""

from dataclasses import replace
from functools import partial
from uuid import uuid4

import numpy as np
import streamlit as st

from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import is_installed
from dpviz.series_file import SeriesFileError
from dpviz.series_file.adopt import Choice
from dpviz.settings.history import Step
from dpviz.settings.small_run import MODELS, NETWORKS, PANEL_PERIOD
from dpviz.training.panel_source import (
    GeneratedSource,
    GivenSource,
    M3Source,
    PanelFile,
    PanelSource,
    panel_from_file,
)
from dpviz.ui import controls, offered_file
from dpviz.ui.data_controls import augmentation_controls, relation_controls, relation_fold
from dpviz.ui.file_reading import SERIES_KINDS, file_box, is_reading, read_file
from dpviz.ui.offered_file import MOST_FILE_VALUES, UsedFile, planned_file
from dpviz.ui.page import fold, in_order, viewed, when
from dpviz.ui.state import Control, State, change_view
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import act_button, view_choice
from dpviz.wording.numbers import counted

_FILE, _NOTES = "series to train on", "notes on series to train on"
# The file that was used elsewhere, where they are its series.
_USED = "whose series are trained on"


def panel_source(state: State) -> PanelSource:
    """Return where the series come from.

    Raises:
        ScenarioError: the file has to be opened (again), which names ``trained_on``, or the season
            is out of range.
        MissingPackageError: the M3 competition's series are not installed.
    """
    view = state.view
    if view.trained_on == "generated":
        return GeneratedSource(
            num_series=view.panel_series,
            length=view.panel_length,
            period=view.panel_period,
            seed=view.panel_seed,
        )
    if view.trained_on == "m3":
        return M3Source()
    kept: GivenSource | None = state.opened.get(_FILE)
    if kept is None:
        raise ScenarioError(
            "trained_on",
            "file",
            "no file is open: open one in the settings. A file is in no link and on no disk, so it "
            "has to be opened again after a reload",
        )
    if kept.series.period != view.panel_period:
        kept = replace(kept, series=replace(kept.series, period=view.panel_period))
        state.opened[_FILE] = kept
    return kept


def _file_control(state: State) -> None:
    def opened(content: bytes, file: str) -> None:
        # Columns and layout as they were confirmed where the file was planned for.
        _read(state, content, file, offered_file.used_before(state, content, file))

    _read_planned(state)
    file_box(
        state,
        "A file of series to train on (CSV, Parquet)",
        SERIES_KINDS,
        opened,
        name="panel_upload",
        explains=f"Up to {MOST_FILE_VALUES:,} values, in this server's memory alone, until you "
        "forget them, open another file, or two minutes after you close the page; forecasts of "
        "trained runs until newer runs take their place. Nobody else can ask for them.",
    )
    for note in state.opened.get(_NOTES, ()):
        st.caption(plain(note))
    if _FILE in state.opened:
        kept: GivenSource = state.opened[_FILE]
        batch, asked = trained_batch(state, kept), state.view.trained_batch
        if batch < asked:
            st.caption(f"Λ = {batch:,} is trained: the file has too few series for {asked:,}.")
        act_button("Forget this file", partial(_forget, state), key="forget_panel", quiet=True)


def is_planned(state: State) -> bool:
    """Return whether the series to train on are the file's that the settings are for."""
    used = planned_file(state)
    return used is not None and state.opened.get(_USED) is used


def _is_of_the_plan(state: State) -> bool:
    """Return whether what is trained on has the settings' time step."""
    return state.view.trained_on == "file" and is_planned(state)


def is_of_another(state: State) -> UsedFile | None:
    """Return the file that the settings are for, where another one is trained on."""
    return None if is_planned(state) else planned_file(state)


def is_at_hand(state: State) -> bool:
    """Return whether the file that was planned for need not be opened again to be trained on."""
    used = planned_file(state)
    return used is not None and (used.content is not None or is_planned(state))


def forget_another(state: State) -> None:
    """Forget the series to train on where another file was planned for: its plan is not theirs."""
    if planned_file(state) is not None and not is_planned(state):
        _forget(state)


def _read(
    state: State, content: bytes, name: str, used: UsedFile | None, *, is_asked: bool = True
) -> None:
    """Read a file, and take it: unasked, as part of the last change, if it is the last one then."""
    read = partial(panel_from_file, content, name, choice=None if used is None else used.choice)
    goes_on_with = None if is_asked else state.history.last
    done = partial(_take, state, name, used, is_asked=is_asked, goes_on_with=goes_on_with)
    read_file(state, read, done, name=name, size=len(content))


def _read_planned(state: State) -> None:
    """Begin to read the file that is planned for, or was last, which is kept no longer then."""
    used = offered_file.file_of_lengths(state)
    if used is None and _FILE not in state.opened:
        used = next(reversed(offered_file.used_files(state)), None)
    if used is None or used.content is None or is_reading(state):
        return
    try:
        _read(state, used.content, used.name, used, is_asked=False)
    except SeriesFileError as problem:
        state.problems.append(str(problem))
        return
    offered_file.forget(used)
    if not is_reading(state):  # it was read here and now: what is drawn already knows nothing of it
        st.rerun()


def _forget(state: State) -> None:
    for name in (_FILE, _NOTES, _USED):
        state.opened.pop(name, None)


def _take(
    state: State,
    name: str,
    used: UsedFile | None,
    read: PanelFile,
    *,
    is_asked: bool,
    goes_on_with: Step | None,
) -> None:
    panel = read.panel
    if (total := sum(panel.lengths)) > MOST_FILE_VALUES:
        raise SeriesFileError(
            f"It has {counted(total, 'value')}, and at most {MOST_FILE_VALUES:,} are trained on "
            "here: leave series out, or train it on the command line."
        )
    # Where it was planned for, the visitor has looked at how it is read.
    choice, guess = (Choice(), read.guess) if used is None else (used.choice, "")
    state.opened[_FILE] = GivenSource(panel, f"file {uuid4()}", choice=choice, guess=guess)
    state.opened[_USED] = used
    state.opened[_NOTES] = [f"From {name}: {len(panel):,} series.", *read.notes]
    found = {"panel_period": int(np.clip(panel.period, *PANEL_PERIOD)), "shown_series": 1}
    told = state.notes  # such as what of the file's plan is trained otherwise
    goes_on = goes_on_with is not None and goes_on_with is state.history.last
    redone = state.history.future
    change_view(lambda: found, goes_on=goes_on)
    if not is_asked:  # the visitor has changed nothing: what was undone can still be redone
        state.history.future = redone
    state.notes = [*told, *state.notes]


def trained_batch(state: State, source: PanelSource) -> int:
    """Return the batch size, lowered where a file has too few series for it.

    It is the largest power of two that leaves some of them out.
    """
    asked, sampling = state.view.trained_batch, state.scenario.sampling
    if source.is_public or sampling.is_bag:
        return asked
    series, windows = len(source.panel()), sampling.num_subsequences
    if asked <= series * windows:
        return asked
    return windows << max((series - 1).bit_length() - 1, 0)


def _choice(field: str) -> Control:
    return view_choice(field, key=f"choose_{field}")


chart_control = in_order(
    _choice("training_chart"),
    when(viewed("training_chart", "compare"), _choice("compared_setting")),
)


def _model_choice(state: State) -> None:
    # What is not installed here no visitor can install.
    lacking = set() if is_installed("torch") else set(NETWORKS) - {state.view.trained_model}
    there = [name for name in MODELS if name not in lacking]
    view_choice("trained_model", key="choose_trained_model", options=there)(state)


def is_private(state: State) -> bool:
    """Return whether noise is added; runs are compared beside one without in any case."""
    return state.view.trained_privacy == "private" or state.view.training_chart == "compare"


def _has_budget(state: State) -> bool:
    """Return whether a budget ends training or decides its noise."""
    view = state.view
    differs_in_noise = (view.training_chart, view.compared_setting) == (
        "compare",
        "noise_multiplier",
    )
    return is_private(state) and not (differs_in_noise and view.trained_noise == "set")


CONTROLS = (
    _choice("trained_on"),
    when(viewed("trained_on", "file"), _file_control),
    _model_choice,
    when(viewed("training_chart", "run"), _choice("trained_privacy")),
    when(_has_budget, "target_epsilon"),
    "trained_steps",
    when(viewed("training_chart", "compare"), "compared_seeds"),
    fold(
        "Data, windows and batch size",
        "open_data",
        when(viewed("trained_on", "generated"), "panel_series", "panel_length"),
        when(viewed("trained_on", "generated", "file"), "panel_period"),
        "trained_context",
        "trained_forecast",
        "trained_batch",
    ),
    fold(
        "Noise, and how batches are drawn",
        "open_sampling",
        when(
            is_private,
            _choice("trained_noise"),
            when(viewed("trained_noise", "set"), controls.noise_control),
        ),
        lambda state: controls.sampling_controls(state, most_windows=state.view.trained_batch),
    ),
    relation_fold(lambda state: relation_controls(state, has_time=_is_of_the_plan(state))),
    fold(
        "Noise on context and labels", "open_augmentation", augmentation_controls, "trained_change"
    ),
    fold(
        "Learning rate and seeds",
        "open_optimiser",
        "learning_rate",
        "trained_seed",
        when(viewed("trained_on", "generated"), "panel_seed"),
    ),
    lambda _: st.caption(text("train_settings")),
)
