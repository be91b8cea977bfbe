"""The controls of a scenario, grouped as a user thinks of them."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.scenario import PRESETS, DataShape, Rates, Scenario
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW, SMALLEST_RATE
from dpviz.scenario.relation import LEVELS, WIDEST_RELATION
from dpviz.scenario.scenario import DELTA_RANGE, LARGEST_BATCH, MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.series_file import adopt_lengths
from dpviz.ui.number_control import number_control, one_two_five
from dpviz.ui.state import State, change
from dpviz.wording.findings import scheme_change_note
from dpviz.wording.numbers import counted, power_of_ten, rounded
from dpviz.wording.scope import TOP_LEVEL_NAMES

_SIGMAS = (
    0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0,
    70.0, 100.0,
)  # fmt: skip
_COUNTS = tuple(int(number) for number in one_two_five(0, 6))
_DELTAS = tuple(float(f"1e-{power}") for power in range(12, 2, -1))


def preset_control(state: State) -> None:
    """Offer the ready-made scenarios."""
    key = "preset"
    current = next((name for name, p in PRESETS.items() if p.scenario == state.scenario), None)
    st.session_state[key] = current

    def chosen() -> None:
        name = st.session_state[key]
        if name is not None:
            state.file = None
            change(lambda _: PRESETS[name].scenario)

    st.selectbox(
        "Start from a preset",
        list(PRESETS),
        key=key,
        index=None,
        placeholder="Your own settings",
        format_func=lambda name: PRESETS[name].title,
        help="The main paper's toy setting, and its three training set-ups.",
        on_change=chosen,
    )


def rate_controls(state: State) -> None:
    """Sliders for r and rho; moving one of them leaves the data's shape behind."""
    scenario = state.scenario

    def with_rate(name: str) -> Any:
        def apply(before: Scenario, value: float) -> Scenario:
            after = before.with_rates(**{name: value})
            if before.shape is not None:
                state.notes.append(scheme_change_note(before))
            return after

        return apply

    number_control(
        "Bottom-level rate r",
        key="bottom_rate",
        value=scenario.bottom_rate,
        grid=one_two_five(-5, 0),
        limits=(SMALLEST_RATE, 1.0),
        apply=with_rate("bottom_rate"),
        ends=("more private", "longer windows, shorter series"),
        explanation="The probability that one window, drawn from the series, contains a "
        "protected value: k windows that touch it, out of T start positions.",
    )
    number_control(
        "Top-level rate ρ",
        key="top_rate",
        value=scenario.top_rate,
        grid=one_two_five(-3, 0),
        limits=(SMALLEST_RATE, 1.0),
        apply=with_rate("top_rate"),
        ends=("more private", "larger batches"),
        explanation="The probability that a given series is drawn for a training step: series "
        "in a batch, out of all N. It has no effect when series are walked through in order.",
    )


def noise_control(state: State) -> None:
    """Slider for the noise multiplier."""
    number_control(
        "Noise multiplier σ",
        key="noise_multiplier",
        value=state.scenario.noise.noise_multiplier,
        grid=_SIGMAS,
        limits=NOISE_MULTIPLIER_RANGE,
        apply=lambda before, value: replace(
            before, noise=replace(before.noise, noise_multiplier=value)
        ),
        ends=("more accurate", "more private"),
        explanation="Standard deviation of the Gaussian noise on the sum of clipped gradients, "
        "in units of the clipping norm (noise_multiplier in Opacus).",
    )


def training_control(state: State) -> None:
    """Slider for the number of steps or epochs."""
    scenario = state.scenario
    per_epoch = scenario.steps_per_epoch if scenario.training.unit == "epochs" else 1
    most = MOST_STEPS // per_epoch
    number_control(
        f"Training length in {scenario.training.unit}",
        key=f"training_{scenario.training.unit}",
        value=scenario.training.count,
        grid=[count for count in _COUNTS if count <= most],
        limits=(1, most),
        apply=lambda before, value: replace(
            before, training=replace(before.training, count=int(value))
        ),
        ends=("more private", "longer training"),
        explanation="A step uses one batch; an epoch is one pass over all series "
        f"({counted(scenario.steps_per_epoch, 'step')} here).",
    )
    key = "training_unit"
    st.session_state[key] = scenario.training.unit

    def switched() -> None:
        unit = st.session_state[key]
        if unit is not None:
            change(
                lambda before: replace(
                    before,
                    training=replace(
                        before.training,
                        unit=unit,
                        count=before.num_epochs if unit == "epochs" else before.num_steps,
                    ),
                )
            )

    st.radio(
        "Count training in",
        ["steps", "epochs"],
        key=key,
        on_change=switched,
        horizontal=True,
        label_visibility="collapsed",
    )


def delta_control(state: State) -> None:
    """Slider for the delta at which epsilon is quoted."""
    number_control(
        "Failure probability δ",
        key="delta",
        value=state.scenario.delta,
        grid=_DELTAS,
        limits=DELTA_RANGE,
        apply=lambda before, value: replace(before, delta=value),
        ends=("stricter promise", "smaller ε"),
        explanation="ε is quoted at this δ. Keep it well below one over the number of "
        "individuals.",
        exact_format="%.3e",
    )


def top_level_control(state: State) -> None:
    """Choice of the scheme that the headline is about."""
    key = "top_level"
    st.session_state[key] = state.scenario.sampling.top_level

    def chosen() -> None:
        top_level = st.session_state[key]
        change(
            lambda before: replace(before, sampling=replace(before.sampling, top_level=top_level))
        )

    st.radio(
        "How series are chosen for a batch",
        ["without-replacement", "deterministic"],
        key=key,
        format_func=lambda name: TOP_LEVEL_NAMES[name].capitalize(),
        on_change=chosen,
        help="At random: each step draws its series anew, without replacement. In order: each "
        "epoch walks through all series once. The headline is about this choice; the chart "
        "shows both.",
    )


def data_controls(state: State) -> None:
    """The data's shape and the windows; read-only while rates are set directly."""
    scenario = state.scenario
    shape, by_rates = _shape_shown(scenario.data), isinstance(scenario.data, Rates)
    if by_rates:
        st.info("r and ρ are set directly, so the data's shape has no effect.", icon="🔒")
        if shape is not None:
            st.button(
                "Back to the data's shape",
                on_click=change,
                args=(lambda before: before.with_last_shape(),),
            )
    if shape is None:
        return
    left, right = st.columns(2)
    with left:
        _whole_number(
            "Series N", "num_series", shape.num_series, 1, LARGEST_COUNT, state, by_rates
        )
        _whole_number(
            "Context length L_C", "context_length", shape.context_length, 0, LONGEST_WINDOW,
            state, by_rates,
            "Every past value that one window reads, lags included.",
        )  # fmt: skip
        _whole_number(
            "Batch size Λ", "batch_size", scenario.sampling.batch_size, 1, LARGEST_BATCH,
            state, by_rates,
            "Windows in a batch; one window is drawn from each chosen series.",
        )  # fmt: skip
    with right:
        _whole_number(
            "Series length L", "series_length", shape.series_lengths[0], 1, LARGEST_COUNT,
            state, by_rates,
            "Values in a series; of several lengths, the shortest decides.",
        )  # fmt: skip
        _whole_number(
            "Forecast length L_F", "forecast_length", shape.forecast_length, 1, LONGEST_WINDOW,
            state, by_rates,
            "Values that one window predicts.",
        )  # fmt: skip
    if len(shape.series_lengths) > 1:
        listed = ", ".join(f"{length:,}" for length in shape.series_lengths[:6])
        more = ", ..." if len(shape.series_lengths) > 6 else ""
        st.caption(f"Lengths that can be the worst: {listed}{more}. The shortest decides.")
    if not by_rates:
        k, T = scenario.touched_windows, shape.start_positions
        st.caption(
            f"r = {k:,} / {T:,} = {rounded(scenario.bottom_rate)}; ρ = "
            f"{scenario.sampling.series_per_batch:,} / {shape.num_series:,} = "
            f"{rounded(scenario.top_rate)}; {counted(scenario.steps_per_epoch, 'step')} per epoch"
        )


def relation_controls(state: State) -> None:
    """Who is protected: which values of a series one individual may change."""
    scenario = state.scenario
    fixed = isinstance(scenario.data, Rates)
    level_key, width_key = "relation_level", "relation_width"
    st.session_state[level_key] = scenario.relation.level
    st.session_state[width_key] = scenario.relation.width

    def changed() -> None:
        level, width = st.session_state[level_key], st.session_state[width_key]
        if level is None or width is None:
            return

        def apply(before: Scenario) -> Scenario:
            relation = replace(before.relation, level=level, width=width)
            return _reread(state, replace(before, relation=relation))

        change(apply)

    left, right = st.columns(2)
    left.selectbox(
        "Protected values",
        LEVELS,
        key=level_key,
        format_func={"event": "in a row", "user": "anywhere"}.__getitem__,
        on_change=changed,
        disabled=fixed,
        help="An individual may change w values of one series: in a row (w-event privacy), or "
        "wherever they are (w-user privacy).",
    )
    right.number_input(
        "How many, w", 1, WIDEST_RELATION, key=width_key, on_change=changed, disabled=fixed
    )
    step = scenario.units.time_step
    if fixed:
        st.caption("Rates alone do not determine another w: go back to the data's shape.")
    elif step is not None and scenario.relation.level == "event":
        st.caption(f"{step.duration(scenario.relation.width)} of one series, a value every {step}")


def _shape_shown(data: DataShape | Rates) -> DataShape | None:
    return data if isinstance(data, DataShape) else data.last_shape


def _whole_number(
    label: str,
    field: str,
    value: int,
    low: int,
    high: int,
    state: State,
    disabled: bool,
    explanation: str | None = None,
) -> None:
    key = f"shape_{field}"
    st.session_state[key] = value

    def changed() -> None:
        entered = st.session_state[key]
        if entered is not None:
            change(lambda before: _with_field(state, before, field, entered))

    st.number_input(
        label, low, high, key=key, help=explanation, on_change=changed, disabled=disabled
    )


def _with_field(state: State, before: Scenario, field: str, value: int) -> Scenario:
    if field == "batch_size":
        return replace(before, sampling=replace(before.sampling, batch_size=value))
    if field in ("num_series", "series_length"):
        state.file = None  # from now on the shape is the visitor's own
    changes: dict[str, Any] = {field: value}
    if field == "series_length":
        changes = {"series_lengths": (value,), "longer_series_beyond": None}
    assert isinstance(before.data, DataShape)  # the fields are disabled otherwise
    return _reread(state, replace(before, data=replace(before.data, **changes)))


def _reread(state: State, scenario: Scenario) -> Scenario:
    """Choose anew which lengths of an uploaded file can be the worst."""
    if state.file is None:
        return scenario
    adoption = adopt_lengths(scenario, state.file)
    state.notes.extend(adoption.changes)
    return adoption.scenario


def settings_summary(scenario: Scenario) -> str:
    """Return the scenario's settings in one line, for whoever reads a screenshot.

    >>> settings_summary(PRESETS["toy"].scenario)
    'r = 0.1, ρ = 0.1, σ = 1, 1,000 steps, δ = 10⁻⁷'
    """
    return (
        f"r = {rounded(scenario.bottom_rate)}, ρ = {rounded(scenario.top_rate)}, "
        f"σ = {rounded(scenario.noise.noise_multiplier)}, {counted(scenario.num_steps, 'step')}, "
        f"δ = {power_of_ten(scenario.delta)}"
    )
