"""What does a standard accountant promise about one bag of windows, and what is true?"""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz.export.curve_tables import sweep_table
from dpviz.export.drawing_tables import hits_table
from dpviz.export.table import Table
from dpviz.figures import styled_bands
from dpviz.figures.densities import hit_counts_chart
from dpviz.figures.epsilon_lines import sweep_chart
from dpviz.planning import Order, ScenarioCurves, Stretch, one_bag, proven_order
from dpviz.planning.hit_laws import hit_law
from dpviz.scenario import DataShape, Rates, Scenario
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW
from dpviz.scenario.mechanism import COINS, FIXED_NUMBER, LARGEST_BATCH
from dpviz.settings.grids import round_counts, round_numbers
from dpviz.ui import compute, frame
from dpviz.ui.bands import draw_bands, exact_table
from dpviz.ui.chart import draw_chart
from dpviz.ui.controls import bottom_level_control
from dpviz.ui.data_controls import comparison_settings, reread, way_back
from dpviz.ui.filling import Filled
from dpviz.ui.lesson_links import viewed_lesson
from dpviz.ui.number_control import number_control
from dpviz.ui.page import say, when
from dpviz.ui.pins import draw_pin_rows
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_certificate, draw_code, offer_csv
from dpviz.ui.state import State, change
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button, view_choice
from dpviz.wording import one_bag as words
from dpviz.wording.findings import band_words
from dpviz.wording.numbers import counted, joined, power_of_ten, rounded
from dpviz.wording.proven_epsilon import TIERS_SOURCE, sweep_description
from dpviz.wording.texts import with_formulas

_MOST_TICKS = 7
_FEWER_TICKS = (1, 4, 16, 64, 256, 1024)


@dataclass(frozen=True, kw_only=True, eq=False)
class Sides:
    """What is known of all ways to draw batches, by name, at the visitor's own window length."""

    # The visitor's own bag (or one of fixed size), the other one, and series first, where a number
    # of windows per series is enough.
    ways: list[tuple[str, ScenarioCurves]]
    promises: list[tuple[str, ScenarioCurves]]  # both bags as a standard accountant counts them

    @property
    def first(self) -> ScenarioCurves | None:
        """The run that draws series first."""
        return self.ways[2][1] if len(self.ways) > 2 else None


def _all_runs(scenario: Scenario) -> list[Scenario]:
    """Return both bags, the visitor's own first, and the run that draws series first, if any."""
    own, first = one_bag.bag_run(scenario), one_bag.series_first_run(scenario)
    other = FIXED_NUMBER if own.sampling.takes_windows_by_coins else COINS
    return [own, one_bag.bag_run(scenario, other), *([] if first is None else [first])]


def _known_sides(scenario: Scenario) -> Sides:
    runs = _all_runs(scenario)
    scenarios = [*runs, *map(one_bag.promise_run, runs[:2])]
    known = compute.known_curves(scenarios, first=len(scenarios)).at_once
    named = [(words.loader_label(curves.scenario), curves) for curves in known]
    return Sides(ways=named[:-2], promises=named[-2:])


def _caption(sides: Sides) -> str:
    bands = band_words(*(curves for _, curves in sides.ways))
    return joined(text("one_bag_caption").strip(), bands, TIERS_SOURCE)


def _draw_curves(state: State, sides: Sides) -> None:
    (_, bag), (_, promise) = sides.ways[0], sides.promises[0]
    *bands, promised = styled_bands([*sides.ways, (words.PROMISE, replace(promise, lower=None))])

    def shades() -> list[tuple[Stretch, str]]:
        stretches = () if sides.first is None else proven_order(sides.first, bag)
        won = [one for one in stretches if one.order is Order.FIRST]
        return [(one, "series first wins") for one in won]

    draw_bands(
        bands,
        key="one_bag",
        headline=words.bag_headline(bag, promise),
        title=words.bag_title(bag, promise),
        finding=words.order_by_epsilon(bag, sides.first),
        caption=_caption(sides),
        beside=state,
        shaded=shades,
        undescribed=[promised],
    )


def _draw_why(scenario: Scenario) -> None:
    bag, first = one_bag.bag_run(scenario), one_bag.series_first_run(scenario)
    named = [(words.loader_label(run), hit_law(run)) for run in _all_runs(scenario)]
    title = words.bag_hits_title(bag, first)
    st.header("Why: hits per batch", anchor=False)
    say(words.bag_hits_explanation(bag, named))
    draw_chart(
        lambda: hit_counts_chart(named, title=title, identity="bag-hits"),
        made_of=[bag, first],
        key="bag_hits",
        alt=words.bag_hits_description(title, named),
        height=340,
    )
    offer_csv("Download hits per batch as CSV", lambda: hits_table(named), "dpviz-bag-hits.csv")


def _known_lengths(scenario: Scenario, sides: Sides) -> tuple[list[compute.Line], Filled[Any]]:
    """Return a line for each way, and last what is promised about the first bag."""
    lengths = one_bag.compared_lengths(scenario)
    runs = {
        label: [one_bag.with_window_length(curves.scenario, length) for length in lengths]
        for label, curves in sides.ways
    }

    def place(run: Scenario) -> tuple[float, str]:
        length = one_bag.shape_of(run).window_length
        return length, words.length_name(length)

    lines, filled = compute.known_lines(runs, [curves for _, curves in sides.ways], place)
    promise = replace(sides.promises[0][1].proven, lower=None)
    points = [replace(point, proven=promise) for point in lines[0][1]]
    return [*lines, (words.PROMISE, points)], filled


def _draw_lengths(scenario: Scenario, sides: Sides) -> None:
    lines, filled = _known_lengths(scenario, sides)
    (_, bag), *other_ways, (_, promise) = lines
    first = other_ways[1][1] if len(other_ways) > 1 else []
    is_complete = filled.is_complete
    title = words.lengths_title(bag, promise[0].proven, is_complete=is_complete)
    known = [[point.x for point in points] for _, points in lines]
    own, lengths = one_bag.shape_of(scenario).window_length, one_bag.compared_lengths(scenario)
    # Others than the own length as far as there is room for their numbers.
    others = lengths if len(lengths) <= _MOST_TICKS else _FEWER_TICKS
    apart = [n for n in others if n <= lengths[-1] and not 0.6 < n / own < 1.6]
    frame.draw_answer(
        headline=words.bag_headline(sides.ways[0][1], sides.promises[0][1]),
        figure=lambda: sweep_chart(
            lines,
            title=f"ε against window length, at δ = {power_of_ten(scenario.delta)}",
            identity="bag-lengths",
            x_title="window length L_C + L_F (values)",
            own_x=own,
            x_ticks=[(float(length), f"{length:,}") for length in sorted({own, *apart})],
        ),
        made_of=[scenario, *sides.ways, *sides.promises, known],
        alt=sweep_description(title, "the window length", lines),
        key="bag_lengths",
        finding=words.lengths_finding(bag, first) if is_complete else "",
        caption=_caption(sides),
    )


def _answer(state: State) -> Answer:
    view_choice("bag_chart")(state)
    scenario = state.scenario
    sides = _known_sides(scenario)
    if state.view.bag_chart == "curve":
        _draw_curves(state, sides)
    else:
        _draw_lengths(scenario, sides)
    yield
    draw_pin_rows(state, scenario, {})
    st.header("All ways to draw batches", anchor=False)
    say(words.loaders_table(sides.ways, sides.promises))
    if order := words.loaders_order(sides.ways, tells_order=viewed_lesson(state) is None):
        say(order)
    _draw_why(scenario)
    for note in words.bag_notes(scenario, one_bag.series_first_run(scenario)):
        st.caption(note)
    for at, (label, curves) in enumerate(sides.ways):
        draw_certificate(curves, label, at=at)
    draw_code([(label, curves.scenario) for label, curves in sides.ways])


def _table(state: State) -> Table:
    scenario = state.scenario
    if state.view.bag_chart == "lengths":
        lines, _ = _known_lengths(scenario, _known_sides(scenario))
        return sweep_table(
            lines,
            x_name="window_length",
            x_meaning="L_C + L_F, in values; N, T and the batch size stay",
            whom={words.PROMISE: "one replaced window, whatever its length"},
        )
    return exact_table((words.loader_label(run), run) for run in _all_runs(scenario))


# Where the sliders stop.
_TOTALS = round_numbers(1.0, 1e10)
_SHARES = round_numbers(1e-12, 1.0)
_WINDOW_LENGTHS = round_counts(1, LONGEST_WINDOW)
_WINDOW = ("context_length", "forecast_length")
_TOLD_APART = 1e-3  # a share that was rounded by less looks the same


def _bag_settings(state: State) -> None:
    """Draw the sliders of bag, batch and window, or the way back to a shape that has them."""
    data = state.scenario.data
    if isinstance(data, Rates):
        _way_back(data)
        return
    _bag_size_control(state, data)
    _share_control(state, data)
    _window_length_control(state)
    st.caption(with_formulas(words.shape_note(state.scenario)))
    sampling = state.scenario.sampling
    is_usual = sampling.num_subsequences == 1 and not sampling.takes_windows_by_coins
    if not sampling.is_bag and not is_usual:
        act_button(
            "Compare with one window per series",
            lambda: change(one_bag.with_one_window),
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
    way_back(data, "bag_shape")


def _bag_size_control(state: State, shape: DataShape) -> None:
    positions, origin = shape.start_positions, state.origin.shape

    def nearest(total: float, positions: int = positions) -> int:
        return min(max(1, round(total / positions)), LARGEST_COUNT)

    def apply(before: Scenario, total: float) -> Scenario:
        positions = one_bag.shape_of(before).start_positions
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
        value=one_bag.bag_size(shape),
        grid=sorted({nearest(total) * positions for total in _TOTALS}),
        limits=(positions, positions * LARGEST_COUNT),
        apply=apply,
        origin=None if origin is None else origin.num_series * positions,
        explanation="The number of series follows; the batch keeps its share of the bag.",
    )


def _share_control(state: State, shape: DataShape) -> None:
    total, origin = one_bag.bag_size(shape), state.origin.shape
    # Of other windows another batch would have that share, which nobody has chosen.
    is_of_these = origin is not None and origin.start_positions == shape.start_positions
    is_chosen = is_of_these and "batch_size" not in state.start.unchosen
    sizes = {max(1, round(share * total)) for share in _SHARES if share * total <= LARGEST_BATCH}

    def apply(before: Scenario, share: float) -> Scenario:
        state.unchosen -= {"batch_size"}
        return _told(state, before, one_bag.shape_of(before).num_series, share)

    number_control(
        "batch_share",
        value=_share(state.scenario),
        grid=[size / total for size in sorted(sizes)],
        limits=(1.0 / total, 1.0),
        apply=apply,
        origin=_share(state.origin) if is_chosen else None,
        explanation="A standard accountant takes it for the chance that a record is in a batch.",
    )


def _share(scenario: Scenario) -> float:
    return scenario.sampling.batch_size / one_bag.bag_size(one_bag.shape_of(scenario))


def _told(state: State, before: Scenario, series: int, share: float) -> Scenario:
    """Return the scenario with another bag or batch, and tell what else that changes."""
    new = one_bag.with_bag(before, series, share)
    reached = _share(new)
    if abs(reached - share) > _TOLD_APART * share:
        state.notes.append(
            f"Λ is a whole number of windows, {new.sampling.batch_size:,}: "
            f"{rounded(reached)} of the bag."
        )
    if new.sampling.is_bag and not before.sampling.is_bag:
        windows = counted(before.sampling.num_subsequences, "window")
        stays = f" Training stays {counted(new.num_steps, 'step')}."
        state.notes.append(
            f"Batches of {new.sampling.batch_size:,} cannot be made of {windows} of each series: "
            f"the settings now draw windows from one bag."
            f"{stays if before.training.unit == 'epochs' else ''}"
        )
    return new


def _window_length_control(state: State) -> None:
    """Draw the slider of the window's length, or the way back to a shape that has one."""
    shape, is_asked = state.scenario.data, state.start.unchosen & set(_WINDOW)
    origin = None if is_asked else state.origin.shape
    if isinstance(shape, Rates):
        _way_back(shape)
        return

    def apply(before: Scenario, length: float) -> Scenario:
        forecast = None
        if origin is not None and length == origin.window_length:
            forecast = origin.forecast_length  # sliding away and back restores both parts
        chosen = set(_WINDOW)
        after = one_bag.with_window_length(before, int(length), forecast)
        shape = one_bag.shape_of(after)
        if before.shape is not None and shape.series_lengths == before.shape.series_lengths:
            if shape.forecast_length == before.shape.forecast_length:
                chosen -= {"forecast_length"} - state.unchosen  # it was chosen, and told, before
            return reread(state, after, chosen)
        state.unchosen -= chosen
        state.file = None  # from now on the shape is the visitor's own
        lengths = " or ".join(f"{length:,}" for length in shape.series_lengths[:3])
        more = ", ..." if len(shape.series_lengths) > 3 else ""
        state.notes.append(
            f"L_F is now {shape.forecast_length:,} and L_C {shape.context_length:,}. Series of "
            f"{lengths}{more} values have as many windows as before."
        )
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


QUESTION = Question(
    settings=comparison_settings(
        _bag_settings,
        rates=(),
        sampling=(when(lambda state: state.scenario.sampling.is_bag, bottom_level_control),),
    ),
    in_lessons={"bag": (_window_length_control,)},
    answer=_answer,
    table=_table,
    file="dpviz-one-bag.csv",
    shows_pins=lambda _: True,
    held=lambda state: _all_runs(state.scenario),
)
