"""A panel of the paper's figures: its chart, and what holds of it in both readings."""

from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from typing import Any

import streamlit as st

from dpviz.export.paper_code import paper_python
from dpviz.export.paper_csv import paper_panel_csv, paper_steps_csv
from dpviz.figures import figure_json
from dpviz.figures.paper_panel import paper_panel
from dpviz.figures.paper_steps import paper_steps
from dpviz.planning import ProvenCurve, ScenarioCurves
from dpviz.planning.paper_figures import Family, Panel
from dpviz.planning.paper_figures.lines import PanelRun, drawn_line
from dpviz.planning.paper_figures.orders import StepsRun, steps_run
from dpviz.scenario import to_json
from dpviz.ui import frame
from dpviz.ui.compute import content, curves_part
from dpviz.ui.filling import Filled, fill_in, result_of
from dpviz.ui.page import folded
from dpviz.ui.shared import Part
from dpviz.ui.shown_code import draw_code
from dpviz.ui.texts import text
from dpviz.wording.paper_figures import panel_name, parameters, printed, run_name, source
from dpviz.wording.paper_findings import line_names, looked_at, remarks, verdicts_of, verdicts_table
from dpviz.wording.paper_steps import (
    steps_line_names,
    steps_panel_description,
    steps_panel_headline,
    steps_table,
    steps_verdicts,
)
from dpviz.wording.paper_titles import panel_description, panel_headline
from dpviz.wording.tables import bounds_table

_KEY = "paper_figure_chart"
_HEIGHT = 560  # pixels: the legend takes a part


def draw_panel(panel: Panel) -> Filled:
    """Draw a panel as far as it is computed."""
    if panel.family is Family.EPOCH_LENGTH:
        return _draw_steps(panel)
    return _draw_curves(panel)


def panel_csv(panel: Panel) -> str:
    """Return the numbers of a panel's chart."""
    if panel.family is Family.EPOCH_LENGTH:
        return paper_steps_csv(panel, [result_of(part) for part in _steps_parts(panel)])
    lines = [result_of(part) for part in _line_parts(panel)]
    curves = [result_of(part) for part in _curves_parts(panel)]
    return paper_panel_csv(panel, runs_so_far(panel, lines, curves))


def draw_parameters(panel: Panel) -> None:
    """Draw what a panel's parameters are, and where it is from."""
    st.markdown("\n".join(f"- {line}" for line in [*parameters(panel), source(panel)]))


def draw_runs(panel: Panel) -> None:
    """Draw what the numbers of the panel's runs rest on, and the code that gives them."""
    names = [run_name(panel, scenario) for scenario in panel.scenarios]
    if panel.family is not Family.EPOCH_LENGTH:
        known = fill_in(_curves_parts(panel), only_known=True).results
        runs = [(name, one) for name, one in zip(names, known, strict=True) if one is not None]
        if runs:
            with folded("Every proven bound, with its theorem", key="open_bounds") as is_open:
                if is_open:
                    st.markdown(bounds_table(runs))
            frame.draw_certificate(runs[0][1], runs[0][0])
    draw_code(list(zip(names, panel.scenarios, strict=True)))
    with folded("The lines as in the paper, as code", key="open_paper_code") as is_open:
        if is_open:
            st.code(paper_python(panel), language="python")


def runs_so_far(
    panel: Panel, lines: Sequence[ProvenCurve | None], curves: Sequence[ScenarioCurves | None]
) -> list[PanelRun]:
    """Return the runs up to the first whose line is not known.

    A panel compares its runs by their places, which those behind a gap would not have.
    """
    return [
        PanelRun(scenario=scenario, line=line, curves=proven)
        for scenario, line, proven in zip(
            panel.scenarios, _up_to_a_gap(lines), curves, strict=False
        )
    ]


def _up_to_a_gap(results: Sequence[Any]) -> list[Any]:
    return list(takewhile(lambda result: result is not None, results))


def _line_parts(panel: Panel) -> list[Part]:
    return [
        Part(key=f"drawn {to_json(one)}", compute=partial(drawn_line, one))
        for one in panel.scenarios
    ]


def _curves_parts(panel: Panel) -> list[Part]:
    return [curves_part(one) for one in panel.scenarios]


def _steps_parts(panel: Panel) -> list[Part]:
    epsilon = panel.drawn.epsilon
    assert epsilon is not None  # steps are followed at one epsilon
    return [
        Part(
            key=f"drawn steps {epsilon!r} {to_json(one)}", compute=partial(steps_run, one, epsilon)
        )
        for one in panel.scenarios
    ]


def _draw_curves(panel: Panel) -> Filled:
    lines = _line_parts(panel)
    # What the paper draws first: without the others the chart is there, and only the proofs wait.
    result_of(lines[0])
    filled = fill_in([*lines, *_curves_parts(panel)])
    runs = runs_so_far(panel, filled.results[: len(lines)], filled.results[len(lines) :])
    key = [panel.figure, panel.number, [result is not None for result in filled.results]]
    frame.draw_answer(
        headline=content("panel headline", key, lambda: panel_headline(panel, runs)),
        figure_json=content("panel chart", key, lambda: figure_json(paper_panel(panel, runs))),
        alt=content("panel words", key, lambda: panel_description(panel, runs)),
        key=_KEY,
        finding=content("panel finding", key, lambda: _curves_finding(panel, runs)),
        caption=f"{line_names(panel, runs)} {looked_at()}",
        height=_HEIGHT,
        progress=filled.progress,
    )
    return filled


def _draw_steps(panel: Panel) -> Filled:
    parts = _steps_parts(panel)
    result_of(parts[0])  # what the others are compared with
    filled = fill_in(parts)
    runs: list[StepsRun] = _up_to_a_gap(filled.results)
    key = [panel.figure, panel.number, [result is not None for result in filled.results]]
    frame.draw_answer(
        headline=content("panel headline", key, lambda: steps_panel_headline(panel, runs)),
        figure_json=content("panel chart", key, lambda: figure_json(paper_steps(panel, runs))),
        alt=content("panel words", key, lambda: steps_panel_description(panel, runs)),
        key=_KEY,
        finding=_told(panel, steps_table(steps_verdicts(runs))),
        caption=steps_line_names(),
        height=_HEIGHT,
        progress=filled.progress,
    )
    return filled


def _curves_finding(panel: Panel, runs: Sequence[PanelRun]) -> str:
    table = verdicts_table(panel, verdicts_of(panel, runs))
    return "\n\n".join([_told(panel, table), *remarks(panel, runs)])


def _told(panel: Panel, table: str) -> str:
    return f"**In print, {panel_name(panel)}:** {printed(panel)}\n\n**What holds:**\n\n{table}"


def draw_reading() -> None:
    """Draw what the two readings are."""
    st.markdown(text("paper_figures_reading"))
