"""The controls of sampling, noise and training length."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from dpviz.figures.parts import OWN_RUN
from dpviz.planning.over_steps import with_sampling
from dpviz.planning.subsequences import of_equal_work
from dpviz.scenario import PRESETS, Scenario, ScenarioError, TimeStep
from dpviz.scenario.mechanism import MOST_STEPS, MOST_SUBSEQUENCES
from dpviz.scenario.scenario import batch_lowered_note
from dpviz.settings import SETTINGS
from dpviz.settings.grids import COUNTS
from dpviz.ui.chart import Handle
from dpviz.ui.number_control import number_control, typed_number
from dpviz.ui.page import fold, in_place
from dpviz.ui.state import Control, State, change
from dpviz.ui.widgets import act_button, choice, menu
from dpviz.wording.findings import scheme_change_note
from dpviz.wording.numbers import counted
from dpviz.wording.scope import BAG_NAMES, BOTTOM_LEVEL_NAMES, TOP_LEVEL_NAMES, run_length
from dpviz.wording.training_length import equal_work_note, training_line


def preset_of(scenario: Scenario) -> str | None:
    """Return the name of the preset that a scenario is, at whatever δ: no preset declares one."""
    delta = scenario.delta
    named = {name: replace(preset.scenario, delta=delta) for name, preset in PRESETS.items()}
    return next((name for name, preset in named.items() if preset == scenario), None)


def preset_control(state: State) -> None:
    """Offer the ready-made scenarios."""
    menu(
        "Start from a preset",
        value=preset_of(state.scenario),
        options=list(PRESETS),
        name=lambda name: PRESETS[name].title,
        chosen=lambda name: change(lambda _: PRESETS[name].scenario, is_origin=True),
        key="preset",
        placeholder="Your own settings",
        explains="The main paper's toy setting, and its three data sets with its training.",
    )


def rate_controls(state: State, *, compares_bins: bool = False) -> None:
    """Sliders for r and rho; moving one of them leaves the data's shape behind.

    The shape is back once both are again what it gives, by the buttons beside them. What rho is of
    bins is said where they are drawn, or ``compares_bins``.
    """
    if state.unchosen:  # of windows that nobody has chosen
        return

    origin = _of_last_shape(state.scenario)
    if state.scenario.known_shape is None:  # nobody has told a shape
        origin = state.origin

    def with_rate(name: str, before: Scenario, value: float) -> Scenario:
        after = before.with_rates(**{name: value})
        of_shape = _of_last_shape(after)
        if of_shape is not None and of_shape.with_rates() == after:
            return of_shape
        if before.shape is not None:
            state.notes.append(scheme_change_note(before))
        return after

    scenario = state.scenario
    batches, in_bins = scenario.steps_per_epoch, ""
    has_bins = scenario.sampling.has_bins or (compares_bins and not scenario.sampling.is_bag)
    if has_bins and scenario.set_top_rate != 1.0 / batches:
        in_bins = f"In bins it counts as 1 / {batches:,}: each series is in one batch of an epoch."
    for field, name, caption in (
        ("bottom_rate", "bottom_rate", ""),
        ("top_rate", "set_top_rate", in_bins),
    ):
        number_control(
            field,
            value=getattr(scenario, name),
            apply=partial(with_rate, field),
            origin=None if origin is None else getattr(origin, name),
            caption=caption,
        )


def _of_last_shape(scenario: Scenario) -> Scenario | None:
    """Return the scenario with the shape of its data, if that is known and allowed."""
    with suppress(ScenarioError):  # so many epochs may be too many steps of the shape
        return scenario.with_last_shape()
    return None


def noise_on(name: str) -> Control:
    """Return what draws the slider for a noise: on gradients, on context or on labels."""
    return lambda state: number_control(
        name,
        value=getattr(state.scenario.noise, name),
        apply=lambda before, value: replace(before, noise=replace(before.noise, **{name: value})),
        origin=getattr(state.origin.noise, name),
    )


noise_control = noise_on("noise_multiplier")


def training_control(state: State) -> None:
    """Slider for the number of steps or epochs, unless a file leaves it open."""
    if "training" in state.unchosen:
        return
    scenario = state.scenario
    unit = scenario.training.unit
    per_epoch = scenario.steps_per_epoch if unit == "epochs" else 1
    most = MOST_STEPS // per_epoch
    is_asked = "training" in state.start.unchosen  # there is no length to go back to

    def apply(before: Scenario, value: float) -> Scenario:
        after = replace(before, training=replace(before.training, unit=unit, count=int(value)))
        # Who has meanwhile chosen to count otherwise has still set steps, say, and not epochs.
        now = before.training.unit
        return after if unit == now else _counted_in(state, after, now)

    number_control(
        unit,
        value=scenario.training.count,
        grid=[count for count in COUNTS if count <= most],
        limits=(1, most),
        apply=apply,
        origin=None if is_asked else min(_length_in(state.origin, unit), most),
        caption=training_line(scenario),
    )
    in_place(_epochs_again)(state)
    training_unit_control(state)


def _epochs_again(state: State) -> None:
    """Offer as many epochs as were set, where as many steps are kept of them."""
    run = _of_as_many_epochs(state)
    if run is not None:
        label = f"Train {run_length(run)} again"
        act_button(
            label,
            lambda: change(lambda before: replace(before, training=run.training)),
            key="epochs_again",
            means=label,
        )


def _of_as_many_epochs(state: State) -> Scenario | None:
    """Return the run of the epochs that other windows or draws have made the same steps of.

    What was set for other data, as by another preset, was not set for these.
    """
    now, found = state.scenario, None
    for step in reversed(state.history.past):
        if (before := step.scenario) is None:
            continue
        if (_series_of(before), before.num_steps) != (_series_of(now), now.num_steps):
            break
        if before.training.unit == "epochs":
            with suppress(ScenarioError):  # so many would be too many steps
                found = replace(now, training=before.training)
    return None if found is None or found.num_steps == now.num_steps else found


def _series_of(scenario: Scenario) -> tuple[int | None, TimeStep | None]:
    """Return what tells examples and files apart, whatever windows are taken of them."""
    shape = scenario.shape
    return None if shape is None else shape.num_series, scenario.units.time_step


def training_unit_control(state: State) -> None:
    """Choose whether training is counted in steps or epochs."""
    menu(
        SETTINGS["training_unit"].title,
        value=state.scenario.training.unit,
        options=("steps", "epochs"),
        name=str,
        chosen=lambda unit: change(lambda before: _counted_in(state, before, unit)),
        key="training_unit",
        in_sight=True,
        shows_label=False,
    )


def _length_in(scenario: Scenario, unit: str) -> int:
    return scenario.num_epochs if unit == "epochs" else scenario.num_steps


def _counted_in(state: State, before: Scenario, unit: str) -> Scenario:
    count = _length_in(before, unit)
    after = replace(before, training=replace(before.training, unit=unit, count=count))
    if after.num_steps != before.num_steps:
        state.notes.append(
            f"{counted(before.num_steps, 'step')} are no whole number of epochs; training is now "
            f"{counted(count, 'epoch')}, {counted(after.num_steps, 'step')}."
        )
    return after


def delta_control(state: State) -> None:
    """Slider for the delta at which epsilon is quoted."""
    number_control(
        "delta",
        value=state.scenario.delta,
        apply=lambda before, value: replace(before, delta=value),
        origin=state.origin.delta,
    )


def delta_handle(now: float) -> Handle:
    """Return what lets a visitor drag their own delta in a chart, with the point of their run."""

    def set_to(text: str, before: Scenario) -> Scenario:
        limits = SETTINGS["delta"].limits
        return replace(before, delta=typed_number("delta", text, limits, whole=False))

    def dragged(text: Any) -> None:
        if isinstance(text, str):
            change(partial(set_to, text))

    return Handle(value=now, grid="DELTAS", line=f"{OWN_RUN.role}-upper", on_drag=dragged)


def sampling_controls(state: State, *, most_windows: int = MOST_SUBSEQUENCES) -> None:
    """How series and windows are chosen for a batch, and how many windows per series."""
    top_level_control(state)
    if state.scenario.sampling.is_bag:
        bottom_level_control(state)
    else:
        subsequence_controls(state, most_windows=most_windows)


def top_level_control(state: State, *, of_several_windows: bool = False) -> None:
    """How series are chosen for a batch; one bag of windows is left out where λ is compared."""
    chosen = state.scenario.sampling.top_level
    options = dict(TOP_LEVEL_NAMES)
    if of_several_windows and chosen != "flat":
        del options["flat"]
    choice(
        "top_level",
        value=chosen,
        options=options,
        apply=lambda before, new: _with_sampling(state, before, top_level=new),
    )


def bottom_level_control(state: State) -> None:
    """How windows are chosen from a series, or from one bag."""
    sampling = state.scenario.sampling
    choice(
        "bottom_level",
        value=sampling.bottom_level,
        options=BAG_NAMES if sampling.is_bag else BOTTOM_LEVEL_NAMES,
        apply=lambda before, new: _with_sampling(state, before, bottom_level=new),
    )


def subsequence_controls(state: State, *, most_windows: int = MOST_SUBSEQUENCES) -> None:
    """How windows are chosen from a series, and how many."""
    bottom_level_control(state)
    sampling, most = state.scenario.sampling, min(most_windows, MOST_SUBSEQUENCES)
    if state.scenario.known_shape is not None:  # more windows than a batch has are refused
        most = min(most, sampling.batch_size)
    number_control(
        "num_subsequences",
        value=sampling.num_subsequences,
        apply=lambda before, value: _as_long(state, before, of_equal_work(before, int(value))),
        grid=(*(stop for stop in SETTINGS["num_subsequences"].grid if stop < most), most),
        origin=state.origin.sampling.num_subsequences,
    )


def _as_long(state: State, before: Scenario, after: Scenario) -> Scenario:
    """Say how the steps are counted after a change that keeps them."""
    if note := equal_work_note(before, after):
        state.notes.append(note)
    return after


def _with_sampling(state: State, before: Scenario, **changes: Any) -> Scenario:
    """Return the scenario with another way of sampling; says what else that changes."""
    if changes.get("top_level") == "flat" and before.sampling.num_subsequences > 1:
        changes |= {"num_subsequences": 1}
        state.notes.append("λ is now 1: one bag has no windows per series.")
    sampling = replace(before.sampling, **changes)
    if before.shape is not None:
        largest = sampling.largest_batch(before.shape)
        if sampling.batch_size > largest:
            sampling = replace(sampling, batch_size=largest)
            state.notes.append(batch_lowered_note(sampling))
    return _as_long(state, before, with_sampling(before, sampling))


# Where a page is about something else than how batches are drawn.
folded_sampling = fold("How series and windows are drawn", "open_sampling", sampling_controls)
