"""Epsilon against how many values are protected, filled in coarse to fine."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.figures.epsilon_lines import SweepRun, sweep_chart
from dpviz.figures.parts import STYLES, Spec
from dpviz.planning import ScenarioCurves
from dpviz.planning.protection import shared_form, swept_relations
from dpviz.planning.proven import ProvenEpsilon, SweepPoint
from dpviz.scenario import Scenario
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import epsilon_parts, figure_of, fill_in_whole
from dpviz.ui.filling import Filled, fill_in, result_of
from dpviz.ui.page import draw_progress
from dpviz.ui.shared import Part
from dpviz.wording import protected_widths as words
from dpviz.wording.numbers import joined
from dpviz.wording.proven_epsilon import TIERS_SOURCE, sweep_description

# The curve itself has taken some of the time that an answer may take.
_BUDGET_BESIDE_CURVE = 0.03
_AT_LEAST = 6  # the ends of both lines, and where they bend
_HEIGHT = 500  # on a phone title and legend take much of it
_Lines = dict[str, list[SweepPoint]]


def draw_widths(protect: Callable[[tuple[Any, Any]], None], curves: ScenarioCurves) -> Filled[Any]:
    """Draw epsilon against the number of protected values, as far as it is known."""
    scenario = curves.scenario
    swept = swept_relations(scenario)
    in_order = _coarse_to_fine(swept)
    # Without some of them the chart would shrink to a point at each move. The answer above it does
    # not wait for them: it is drawn by now.
    fill_in_whole("widths", _parts(in_order)[:_AT_LEAST])
    filled = fill_in(_parts(in_order), budget=_BUDGET_BESIDE_CURVE)
    own = shared_form(scenario)
    known: dict[Scenario, ProvenEpsilon] = {}
    for one, result in zip(in_order, filled.results, strict=True):
        # The same number as in the headline, wherever it is about the same.
        if (proven := curves.proven if shared_form(one) == own else result) is not None:
            known[one] = proven
    lines = {
        level: [_point(one, known[one]) for one in run if one in known]
        for level, run in swept.items()
    }
    title = words.widths_title(_point(scenario, known[scenario]), lines[scenario.relation.level])
    done = [one in known for one in in_order]
    st.header("ε against how much is protected", anchor=False)
    draw_chart(
        figure_of("widths chart", [curves, done], lambda: _chart(scenario, lines, title)),
        key="protection_widths",
        alt=sweep_description(
            title, words.VARIED, [(words.RUN_NAMES[level], lines[level]) for level in lines]
        ),
        height=_HEIGHT,
        on_click=lambda point: protect((point.get("customdata"), point.get("x"))),
    )
    draw_progress(filled.progress)
    st.caption(joined(words.WIDTHS_NOTE, TIERS_SOURCE))
    return filled


def all_widths(scenario: Scenario) -> list[tuple[str, list[SweepPoint]]]:
    """Return all points of the chart by the names of their lines, for its file."""
    if scenario.shape is None:
        return [("rates given directly", [_point(scenario, _proven(scenario))])]
    return [
        (words.RUN_NAMES[level], [_point(one, _proven(one)) for one in run])
        for level, run in swept_relations(scenario).items()
    ]


def _proven(scenario: Scenario) -> ProvenEpsilon:
    return result_of(epsilon_parts([scenario])[0])


def _chart(scenario: Scenario, lines: _Lines, title: str) -> Spec:
    styled = dict(zip(lines, STYLES, strict=False))
    own = scenario.relation.width
    now = lines[scenario.relation.level]
    chart = sweep_chart(
        [
            SweepRun(
                label=words.RUN_NAMES[level],
                style=style,
                points=lines[level],
                marks_own=level == scenario.relation.level,
            )
            for level, style in styled.items()
        ],
        title=title,
        identity="protection-widths",
        x_title="w, protected values of one series",
        own_x=own,
        x_ticks=words.width_ticks([int(point.x) for point in now], scenario.units.time_step),
    )
    # Two lines may have a point each at one w: a click means the one under the pointer.
    chart["layout"]["hovermode"] = "closest"
    chart["layout"]["yaxis"]["title"] = {"text": "ε (smaller is more private)"}
    chart["layout"]["xaxis"]["tickangle"] = 0  # there is no room for them to turn
    for trace in chart["data"]:
        level = next(
            level for level, style in styled.items() if trace["uid"].startswith(style.role)
        )
        trace["customdata"] = [level] * len(trace["x"])
    return chart


def _parts(in_order: list[Scenario]) -> list[Part[ProvenEpsilon]]:
    return epsilon_parts([shared_form(one) for one in in_order])


def _coarse_to_fine(swept: dict[str, list[Scenario]]) -> list[Scenario]:
    """Return the runs so that each line is known at its ends first, then ever more finely."""
    ranked = []
    for line, run in enumerate(swept.values()):
        for at, one in enumerate(run):
            # The largest power of two that divides the place tells how coarse it is.
            is_end = at in (0, len(run) - 1)
            fineness = -len(run) if is_end else -(at & -at)
            ranked.append((fineness, line, at, one))
    return [one for *_, one in sorted(ranked, key=lambda item: item[:3])]


def _point(scenario: Scenario, proven: ProvenEpsilon) -> SweepPoint:
    relation = scenario.relation
    return SweepPoint(
        x=relation.width,
        name=words.width_name(relation, scenario.units),
        proven=replace(proven, scenario=scenario),
    )
