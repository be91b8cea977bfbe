"""What the comparison with one bag is about: how large bag and batch are, how long a window."""

import streamlit as st

from dpviz.planning.one_bag import bag_size, shape_of, with_bag, with_one_window, with_window_length
from dpviz.scenario import DataShape, Rates, Scenario
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW
from dpviz.scenario.mechanism import LARGEST_BATCH
from dpviz.settings.grids import round_counts, round_numbers
from dpviz.ui.data_controls import reread, way_back
from dpviz.ui.number_control import number_control
from dpviz.ui.state import State, change
from dpviz.ui.widgets import act_button
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.one_bag import shape_note
from dpviz.wording.texts import with_formulas

_TOTALS = round_numbers(1.0, 1e10)
_SHARES = round_numbers(1e-12, 1.0)
_WINDOW_LENGTHS = round_counts(1, LONGEST_WINDOW)
_TOLD_APART = 1e-3  # a share that was rounded by less looks the same


def bag_settings(state: State) -> None:
    """Draw the sliders of bag, batch and window, or the way back to a shape that has them."""
    data = state.scenario.data
    if isinstance(data, Rates):
        _way_back(data)
        return
    _bag_size_control(state, data)
    _share_control(state, data)
    window_length_control(state)
    st.caption(with_formulas(shape_note(state.scenario)))
    sampling = state.scenario.sampling
    is_usual = sampling.num_subsequences == 1 and not sampling.takes_windows_by_coins
    if not sampling.is_bag and not is_usual:
        act_button(
            "Compare with one window per series",
            lambda: change(with_one_window),
            key="one_window",
            explains="Draws one window, with replacement, from each series: the fewest that fit.",
        )


def _way_back(data: Rates) -> None:
    st.info(
        "r and ρ are set by hand; how many windows one bag has follows from a data shape only.",
        icon="🔒",
    )
    if data.last_shape is None:
        st.caption("No shape came with these rates: start from a preset or a file.")
        return
    way_back(data, "bag_shape")


def _bag_size_control(state: State, shape: DataShape) -> None:
    positions, origin = shape.start_positions, state.origin.shape

    def nearest(total: float, positions: int = positions) -> int:
        return min(max(1, round(total / positions)), LARGEST_COUNT)

    def apply(before: Scenario, total: float) -> Scenario:
        positions = shape_of(before).start_positions
        series = nearest(total, positions)
        after = _told(state, before, series, _share(before))
        state.file = None  # from now on the shape is the visitor's own
        if series * positions != total:
            state.notes.append(
                f"The bag has {series * positions:,} windows: {counted(positions, 'window')} of "
                f"each of {series:,} series."
            )
        return after

    number_control(
        "bag_size",
        value=bag_size(shape),
        grid=sorted({nearest(total) * positions for total in _TOTALS}),
        limits=(positions, positions * LARGEST_COUNT),
        apply=apply,
        origin=None if origin is None else nearest(bag_size(origin)) * positions,
        explanation="The number of series follows; the batch keeps its share of the bag.",
    )


def _share_control(state: State, shape: DataShape) -> None:
    total = bag_size(shape)
    sizes = sorted(
        {max(1, round(share * total)) for share in _SHARES if share * total <= LARGEST_BATCH}
    )

    def apply(before: Scenario, share: float) -> Scenario:
        num_series = shape_of(before).num_series
        state.unchosen -= {"batch_size"}
        return _told(state, before, num_series, share)

    number_control(
        "batch_share",
        value=_share(state.scenario),
        grid=[size / total for size in sizes],
        limits=(1.0 / total, 1.0),
        apply=apply,
        origin=None if state.origin.shape is None else _share(state.origin),
        explanation="A standard accountant takes it for the chance that a record is in a batch.",
    )


def _share(scenario: Scenario) -> float:
    return scenario.sampling.batch_size / bag_size(shape_of(scenario))


def _told(state: State, before: Scenario, series: int, share: float) -> Scenario:
    """Return the scenario with another bag or batch, and tell what else that changes."""
    new = with_bag(before, series, share)
    reached = _share(new)
    if abs(reached - share) > _TOLD_APART * share:
        state.notes.append(
            f"Λ is a whole number of windows, {new.sampling.batch_size:,}: "
            f"{rounded(reached)} of the bag."
        )
    if new.sampling.is_bag and not before.sampling.is_bag:
        state.notes.append(_left_scheme(new, before))
    return new


def _left_scheme(scenario: Scenario, before: Scenario) -> str:
    windows = counted(before.sampling.num_subsequences, "window")
    text = (
        f"Batches of {scenario.sampling.batch_size:,} cannot be made of {windows} of each series: "
        "the settings now draw windows from one bag."
    )
    if before.training.unit == "epochs":
        text += f" Training stays {counted(scenario.num_steps, 'step')}."
    return text


def window_length_control(state: State) -> None:
    """Draw the slider of the window's length, or the way back to a shape that has one."""
    shape, origin = state.scenario.data, state.origin.shape
    if isinstance(shape, Rates):
        _way_back(shape)
        return

    def apply(before: Scenario, length: float) -> Scenario:
        forecast = None
        if origin is not None and length == origin.window_length:
            forecast = origin.forecast_length  # sliding away and back restores both parts
        state.unchosen -= {"context_length", "forecast_length"}
        after = with_window_length(before, int(length), forecast)
        shape = shape_of(after)
        if before.shape is not None and shape.series_lengths == before.shape.series_lengths:
            return reread(state, after)
        state.file = None  # from now on the shape is the visitor's own
        state.notes.append(_new_lengths(shape))
        return after

    most = max(64, 4 * shape.start_positions)  # windows longer than two series change nothing
    number_control(
        "window_length",
        value=shape.window_length,
        grid=[length for length in _WINDOW_LENGTHS if length <= most],
        limits=(1, LONGEST_WINDOW),
        apply=apply,
        origin=None if origin is None else origin.window_length,
        explanation="The context L_C changes; where it is used up, the forecast L_F. The number of "
        "windows stays.",
    )


def _new_lengths(shape: DataShape) -> str:
    lengths = " or ".join(f"{length:,}" for length in shape.series_lengths[:3])
    more = ", ..." if len(shape.series_lengths) > 3 else ""
    return (
        f"L_F is now {shape.forecast_length:,} and L_C {shape.context_length:,}. Series of "
        f"{lengths}{more} values have as many windows as before."
    )
