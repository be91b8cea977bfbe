"""The controls of the data's shape, the windows, and who is protected."""

from collections.abc import Callable, Collection, Set
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.planning.protection import length_order_is_known
from dpviz.scenario import DataShape, Rates, Scenario, ScenarioError
from dpviz.scenario.number_text import shown_number
from dpviz.scenario.relation import LEVELS, TimeStep
from dpviz.series_file import SHORTEST, SeriesLengths, adopt_lengths
from dpviz.series_file.series_lengths import is_list_of_lengths, typed_lengths
from dpviz.settings import SETTINGS
from dpviz.ui import controls
from dpviz.ui.controls import delta_control, noise_control, noise_on, sampling_controls
from dpviz.ui.number_control import number_control, typed_number
from dpviz.ui.offered_file import upload_control
from dpviz.ui.page import fold, in_columns, in_order
from dpviz.ui.state import Control, State, change
from dpviz.ui.widgets import act_button, setting_menu, text_box
from dpviz.wording.glossary import field_help
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.plan import batch_words
from dpviz.wording.scope import of_series


def data_controls(state: State) -> None:
    """The data's shape and the windows; read-only while rates are set directly."""
    scenario = state.scenario
    shape, by_rates = scenario.known_shape, isinstance(scenario.data, Rates)
    if isinstance(scenario.data, Rates):
        kept = "" if shape is None else "; the data's shape below is kept to go back to"
        st.info(f"r and ρ are set by hand{kept}.", icon="🔒")
        _whole_number(
            state, "steps_per_epoch", scenario.data.steps_per_epoch, False,
            "They follow ρ until they are set; more than 1 / ρ have no effect.",
        )  # fmt: skip
        if scenario.steps_per_epoch < scenario.data.steps_per_epoch:
            st.caption(
                f"They count as {scenario.steps_per_epoch:,}: a pass that uses no series twice has "
                "at most 1 / ρ steps."
            )
        way_back(scenario.data, "data_shape")
    if shape is None:
        return
    left, right = st.columns(2)
    with left:
        _whole_number(state, "num_series", shape.num_series, by_rates)
        _whole_number(state, "context_length", shape.context_length, by_rates)
        _whole_number(state, "batch_size", scenario.sampling.batch_size, by_rates)
    with right:
        _whole_number(
            state, "series_length", shape.series_lengths[0], by_rates,
            "Several: `1095 x 800, 730 x 400`, each with its number of series.",
        )  # fmt: skip
        _whole_number(state, "forecast_length", shape.forecast_length, by_rates)
    if not shape.is_of_one_length:
        listed = ", ".join(f"{length:,}" for length in shape.series_lengths[:6])
        more = ", ..." if len(shape.series_lengths) > 6 else ""
        more += "" if shape.longer_series_beyond is None else " and longer"
        decides = "The shortest" if length_order_is_known(scenario) else "The worst of them"
        st.caption(f"Series of several lengths: {listed}{more}. {decides} decides.")
    if not by_rates and not state.unchosen:
        k, T = scenario.touched_windows, shape.start_positions
        st.caption(
            f"r = {k:,} / {T:,} = {rounded(scenario.bottom_rate)}; {_top_rate(scenario, shape)}; "
            f"{counted(scenario.steps_per_epoch, 'step')} per epoch"
            f"{_left_over(scenario, shape)}"
        )


def _top_rate(scenario: Scenario, shape: DataShape) -> str:
    rate, sampling = rounded(scenario.top_rate), scenario.sampling
    if sampling.is_bag:
        sign = "=" if shape.is_of_one_length else "≤"
        size, windows = sampling.batch_size, sampling.largest_batch(shape)
        return f"Λ / N_total {sign} {size:,} / {windows:,} = {rate}"
    if sampling.has_bins:
        return f"ρ = 1 / {scenario.steps_per_epoch:,} = {rate}; a batch has {batch_words(scenario)}"
    return f"ρ = {sampling.series_per_batch:,} / {shape.num_series:,} = {rate}"


def _left_over(scenario: Scenario, shape: DataShape) -> str:
    left = shape.num_series - scenario.steps_per_epoch * scenario.sampling.series_per_batch
    return (
        "" if scenario.sampling.has_bins or left <= 0 else f" (a walk leaves {left:,} series out)"
    )


def relation_controls(state: State, *, has_time: bool = True) -> None:
    """Who is protected: which values of a series one individual may change.

    Without ``has_time`` the settings' time step is not that of the series that are looked at.
    """
    scenario = state.scenario
    fixed, is_open = isinstance(scenario.data, Rates), "relation_width" in state.unchosen
    if has_time:  # first: a width may be typed as a time, which needs it
        time_step_box(state)
    left, right = st.columns(2)
    with left:
        setting_menu(
            "relation",
            value=scenario.relation.level,
            options=LEVELS,
            name={"event": "in a row", "user": "anywhere"}.__getitem__,
            chosen=lambda level: change(lambda before: with_relation(state, before, level=level)),
            disabled=fixed,
        )
    if not is_open:
        with right:
            number_control(
                "relation_width",
                value=scenario.relation.width,
                apply=lambda before, width: with_relation(state, before, width=width),
                has_slider=False,
                takes_time=has_time,
                disabled=fixed,
            )
    number_control(
        "series_per_person",
        value=scenario.relation.series_per_person,
        apply=lambda before, many: with_relation(state, before, series_per_person=many),
        has_slider=False,
        disabled=fixed,
    )
    step = scenario.units.time_step if has_time else None
    if isinstance(scenario.data, Rates):
        st.caption(f"Rates alone do not determine another w: {how_back(scenario.data)}.")
    elif step is not None and not is_open:
        st.caption(
            f"That is {step.duration(scenario.relation.width)} {of_series(scenario.relation)}."
        )


def with_relation(state: State, before: Scenario, **changes: Any) -> Scenario:
    """Return the scenario with another relation; other lengths of a file may be the worst then."""
    after = replace(before, relation=replace(before.relation, **changes))
    return reread(state, after, {"relation_width"} if "width" in changes else set())


augmentation_controls = in_order(noise_on("context_noise"), noise_on("forecast_noise"))


def channels_box(state: State) -> None:
    """How many values a time step has: noise on windows hides each of them less."""

    def apply(before: Scenario, channels: int) -> Scenario:
        return replace(before, relation=replace(before.relation, num_channels=channels))

    value = state.scenario.relation.num_channels
    number_control("num_channels", value=value, apply=apply, has_slider=False)


def time_step_box(state: State, key: str = "time_step") -> None:
    """The time from one value to the next, in which durations are told."""
    step = state.scenario.units.time_step

    def apply(before: Scenario, text: str) -> Scenario:
        after = TimeStep.parse(text.lower()) if text else None
        return replace(before, units=replace(before.units, time_step=after))

    _optional_box("time_step", "" if step is None else str(step), apply, "such as 1 hour", key)


def _whole_number(
    state: State, field: str, value: int, disabled: bool, explanation: str = ""
) -> None:
    """Draw a box unless a file leaves the field open: it is asked for in the answer's place."""
    if field in state.unchosen:
        return
    number_control(
        field,
        value=value,
        apply=lambda before, entered: with_field(state, before, field, entered),
        explanation=explanation,
        has_slider=False,
        disabled=disabled,
        other=partial(_several_lengths, state) if field == "series_length" else None,
    )


def _several_lengths(state: State, text: str) -> Callable[[Scenario], Scenario] | None:
    if not is_list_of_lengths(text):
        return None

    def taken(before: Scenario) -> Scenario:
        lengths = typed_lengths(text)
        adopted = _adopted(state, before, lengths)
        if lengths != state.file:  # else they are typed once more
            state.file = lengths
        return adopted

    return taken


def with_field(state: State, before: Scenario, field: str, value: int) -> Scenario:
    """Return the scenario with another value of its data's shape; says what else that changes."""
    if field == "steps_per_epoch":
        if not isinstance(before.data, Rates):
            raise ScenarioError(field, value, "it follows from the data's shape")
        return replace(before, data=replace(before.data, steps_per_epoch=value))
    if field == "forecast_length" and state.file is not None and before.shape is not None:
        # Which of the file's series are long enough follows: the shortest kept is no limit.
        if value > state.file.longest:
            allowed = f"it must be at most {state.file.longest:,}, the longest series length"
            raise ScenarioError(field, value, allowed)
        return reread(state, before, {field}, forecast_length=value)
    after, notes = before.with_shape_value(field, value)
    if field in ("num_series", "series_length"):
        state.file = None  # from now on the shape is the visitor's own
    after = reread(state, after, {field})
    if "batch_size" not in state.unchosen:
        state.notes.extend(notes)
    return after


def reread(
    state: State, scenario: Scenario, chosen: Set[str], *, forecast_length: int | None = None
) -> Scenario:
    """Choose anew which lengths of an uploaded file can be the worst, after a choice of fields.

    Only a forecast length decides which of its series are long enough: the scenario's, or a new
    one.
    """
    untold = {"series_length"} if "forecast_length" in chosen else {"forecast_length"}
    if "forecast_length" in state.unchosen:  # how many are long enough was not told before
        untold.add("num_series")
    state.unchosen -= chosen
    if state.file is None:
        return scenario
    return _adopted(state, scenario, state.file, untold, forecast_length)


def _adopted(
    state: State,
    scenario: Scenario,
    lengths: SeriesLengths,
    untold: Collection[str] = (),
    forecast_length: int | None = None,
) -> Scenario:
    """Return the scenario with some lengths; says what that changes. Its time step stays."""
    lengths = replace(lengths, time_step=scenario.units.time_step)
    adoption = adopt_lengths(
        scenario,
        lengths,
        untold={*state.unchosen, *untold},
        forecast_length=SHORTEST if "forecast_length" in state.unchosen else forecast_length,
    )
    state.notes.extend(adoption.changes)
    return adoption.scenario


def max_change_box(state: State) -> None:
    """Draw the box for v, the largest change of one value; empty where it is not known."""
    now = state.scenario.relation.max_change

    def apply(before: Scenario, text: str) -> Scenario:
        limits = SETTINGS["max_change"].limits
        number = typed_number("max_change", text, limits, whole=False) if text else None
        return replace(before, relation=replace(before.relation, max_change=number))

    _optional_box("max_change", "" if now is None else shown_number(now), apply, "such as 300")


def value_unit_box(state: State) -> None:
    """Draw the box for what the values count or measure; empty where it is not known."""

    def apply(before: Scenario, text: str) -> Scenario:
        return replace(before, units=replace(before.units, value_unit=text or None))

    _optional_box("value_unit", state.scenario.units.value_unit or "", apply, "such as vehicles")


def _optional_box(
    field: str, shown: str, apply: Callable[[Scenario, str], Scenario], example: str, key: str = ""
) -> None:
    """Draw a box whose text may be empty; ``apply`` may raise ScenarioError, which is told."""
    text_box(
        SETTINGS[field].title,
        shows=shown,
        key=key or field,
        typed=lambda text: change(lambda before: apply(before, text)),
        placeholder=f"unknown, or {example}",
        explains=field_help(field),
    )


def how_back(data: Rates) -> str:
    """Return what gives rates a data's shape again."""
    if data.last_shape is None:
        return "start from a preset, or open a file"
    return "go back to the data's shape"


def way_back(data: Rates, key: str) -> None:
    """Offer the data's shape that there was before rates were set directly, if any."""
    if data.last_shape is not None:
        back = partial(change, Scenario.with_last_shape)
        act_button("Back to the data's shape", back, key=key)


def way_back_to_batches(state: State) -> None:
    """Say why nothing is drawn while rates are set directly, and offer the shape before them."""
    if isinstance(state.scenario.data, Rates):
        st.info(
            "r and ρ are set by hand. They do not tell how many series and windows there are, so "
            "no batch can be drawn: start from a preset, or open a file.",
            icon="🔒",
        )
        way_back(state.scenario.data, "batch_shape")


change_boxes = in_columns(max_change_box, value_unit_box)
folded_data = fold("Data and windows, or a file", "open_data", upload_control, data_controls)


def relation_fold(relation: Control) -> Control:
    """Return the folded part of who is protected, with delta."""
    return fold("Who is protected, and at which δ", "open_relation", relation, delta_control)


folded_relation = relation_fold(relation_controls)
folded_augmentation = fold(
    "Noise on context and labels", "open_augmentation", augmentation_controls, channels_box
)
# What is set once and seldom changed, each part folded at first.
FOLDED = (folded_data, folded_relation, folded_augmentation)
# What decides which batches are drawn, where the samplers themselves draw them.
DRAWN = (
    sampling_controls,
    noise_control,
    fold("Data, windows and batch size, or a file", "open_data", upload_control, data_controls),
    fold("Which values are protected", "open_relation", relation_controls),
)


def comparison_settings(
    *own: Control,
    rates: tuple[Control, ...] = (controls.rate_controls,),
    sampling: tuple[Control, ...] = (controls.sampling_controls,),
    folded: tuple[Control, ...] = FOLDED,
) -> tuple[Control, ...]:
    """Return the controls of a page, its ``own`` ones on top."""
    return (
        controls.preset_control,
        *own,
        controls.noise_control,
        controls.training_control,
        *rates,
        *sampling,
        *folded,
    )
