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
from dpviz.figures.parts import Spec
from dpviz.planning import Order, ScenarioCurves, Stretch, proven_order
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.one_bag import (
    bag_run,
    compared_lengths,
    promise_run,
    series_first_run,
    shape_of,
    with_window_length,
)
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import COINS, FIXED_NUMBER
from dpviz.ui import compute, frame
from dpviz.ui.bands import draw_bands, exact_table
from dpviz.ui.chart import draw_chart
from dpviz.ui.controls import bottom_level_control
from dpviz.ui.data_controls import comparison_settings
from dpviz.ui.filling import Filled
from dpviz.ui.lesson_links import viewed_lesson
from dpviz.ui.page import when
from dpviz.ui.pins import draw_pin_rows
from dpviz.ui.question import Answer, Question
from dpviz.ui.questions.one_bag_settings import bag_settings, window_length_control
from dpviz.ui.rests_on import draw_certificate, draw_code, offer_csv
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import view_choice
from dpviz.wording import one_bag as words
from dpviz.wording.numbers import joined, power_of_ten
from dpviz.wording.proven_epsilon import TIERS_SOURCE, sweep_description
from dpviz.wording.texts import with_formulas

_MOST_TICKS = 7
_FEWER_TICKS = (1, 4, 16, 64, 256, 1024)


@dataclass(frozen=True, kw_only=True, eq=False)
class Sides:
    """What is known of all ways to draw batches, by name, at the visitor's own window length.

    Args:
        ways: the visitor's own bag (or one of fixed size), the other one, and series first, where
            a number of windows per series is enough.
        promises: the two bags as a standard accountant counts them.
    """

    ways: list[tuple[str, ScenarioCurves]]
    promises: list[tuple[str, ScenarioCurves]]

    @property
    def first(self) -> ScenarioCurves | None:
        """The run that draws series first."""
        return self.ways[2][1] if len(self.ways) > 2 else None


def _bag_runs(scenario: Scenario) -> list[Scenario]:
    """Return the visitor's own bag, or one of fixed size, and the other one."""
    own = bag_run(scenario)
    other = FIXED_NUMBER if own.sampling.takes_windows_by_coins else COINS
    return [own, bag_run(scenario, other)]


def _all_runs(scenario: Scenario) -> list[Scenario]:
    """Return both bags and, where there is one, the run that draws series first."""
    first = series_first_run(scenario)
    return _bag_runs(scenario) + ([] if first is None else [first])


def _known_sides(scenario: Scenario) -> Sides:
    promises = [promise_run(bag) for bag in _bag_runs(scenario)]
    scenarios = [*_all_runs(scenario), *promises]
    known = compute.known_curves(scenarios, first=len(scenarios)).at_once
    named = [(words.loader_label(curves.scenario), curves) for curves in known]
    return Sides(ways=named[:-2], promises=named[-2:])


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
        caption=joined(text("one_bag_caption").strip(), TIERS_SOURCE),
        beside=state,
        shaded=shades,
        undescribed=[promised],
    )


def _draw_loaders(sides: Sides, *, tells_order: bool) -> None:
    st.header("All ways to draw batches", anchor=False)
    st.markdown(words.loaders_table(sides.ways, sides.promises))
    if order := words.loaders_order(sides.ways, tells_order=tells_order):
        st.markdown(with_formulas(order))


def _draw_why(scenario: Scenario) -> None:
    bag, first = bag_run(scenario), series_first_run(scenario)
    named = [(words.loader_label(run), hit_law(run)) for run in _all_runs(scenario)]
    title = words.bag_hits_title(bag, first)
    st.header("Why: hits per batch", anchor=False)
    st.markdown(with_formulas(words.bag_hits_explanation(bag, named)))
    draw_chart(
        compute.figure_of(
            "bag hits",
            [bag, first],
            lambda: hit_counts_chart(named, title=title, identity="bag-hits"),
        ),
        key="bag_hits",
        alt=words.bag_hits_description(title, named),
        height=340,
    )
    offer_csv("Download as CSV", lambda: hits_table(named), "dpviz-bag-hits.csv")


def _known_lengths(scenario: Scenario, sides: Sides) -> tuple[list[compute.Line], Filled[Any]]:
    """Return a line for each way, and last what is promised about the first bag."""
    lengths = compared_lengths(scenario)
    runs = {
        label: [with_window_length(curves.scenario, length) for length in lengths]
        for label, curves in sides.ways
    }
    own = [curves for _, curves in sides.ways]
    lines, filled = compute.known_lines(runs, own, _place)
    promise = replace(sides.promises[0][1].proven, lower=None)
    points = [replace(point, proven=promise) for point in lines[0][1]]
    return [*lines, (words.PROMISE, points)], filled


def _place(run: Scenario) -> tuple[float, str]:
    length = _own_length(run)
    return length, words.length_name(length)


def _draw_lengths(scenario: Scenario, sides: Sides) -> None:
    lines, filled = _known_lengths(scenario, sides)
    (_, bag), *others, (_, promise) = lines
    first = others[1][1] if len(others) > 1 else []
    is_complete = filled.is_complete
    title = words.lengths_title(bag, promise[0].proven, is_complete=is_complete)

    def chart() -> Spec:
        return sweep_chart(
            lines,
            title=f"ε against window length, at δ = {power_of_ten(scenario.delta)}",
            identity="bag-lengths",
            x_title="window length L_C + L_F (values)",
            own_x=_own_length(scenario),
            x_ticks=_ticks(scenario),
        )

    known = [[point.x for point in points] for _, points in lines]
    frame.draw_answer(
        headline=words.bag_headline(sides.ways[0][1], sides.promises[0][1]),
        figure_json=compute.figure_of(
            "bag lengths", [scenario, *sides.ways, *sides.promises, known], chart
        ),
        alt=sweep_description(title, "the window length", lines),
        key="bag_lengths",
        finding=words.lengths_finding(bag, first) if is_complete else "",
        caption=joined(text("one_bag_caption").strip(), TIERS_SOURCE),
    )


def _own_length(scenario: Scenario) -> int:
    return shape_of(scenario).window_length


def _ticks(scenario: Scenario) -> list[tuple[float, str]]:
    """Return the visitor's own length, and others as far as there is room for their numbers."""
    others = compared_lengths(scenario)
    others = others if len(others) <= _MOST_TICKS else _FEWER_TICKS
    own, most = _own_length(scenario), compared_lengths(scenario)[-1]
    apart = [n for n in others if n <= most and not 0.6 < n / own < 1.6]
    return [(float(length), f"{length:,}") for length in sorted({own, *apart})]


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
    _draw_loaders(sides, tells_order=viewed_lesson(state) is None)
    _draw_why(scenario)
    for note in words.bag_notes(scenario, series_first_run(scenario)):
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


QUESTION = Question(
    settings=comparison_settings(
        bag_settings,
        rates=(),
        sampling=(when(lambda state: state.scenario.sampling.is_bag, bottom_level_control),),
    ),
    in_lessons={"bag": (window_length_control,)},
    answer=_answer,
    table=_table,
    file="dpviz-one-bag.csv",
    shows_pins=lambda _: True,
    held=lambda state: _all_runs(state.scenario),
)
