"""What do the figures of the main paper show, and how much of it is proven?"""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import streamlit as st

from dpviz.export.paper_tables import paper_panel_table, paper_steps_table
from dpviz.export.programs import paper_python
from dpviz.export.table import Table
from dpviz.figures.paper_panel import paper_panel, paper_steps
from dpviz.planning import ProvenCurve, ScenarioCurves
from dpviz.planning.paper_figures import FIGURES, Family, Panel
from dpviz.planning.paper_figures.lines import PanelRun, StepsRun, drawn_line, steps_run
from dpviz.scenario import Scenario
from dpviz.settings.destinations import destination_of
from dpviz.ui import frame
from dpviz.ui.compute import content, curves_part, part_of
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.page import folded_part, folded_text, leading_button, say
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.results import Part
from dpviz.ui.state import State, change, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import menu, neighbour_buttons, view_choice
from dpviz.wording import paper_figures as words
from dpviz.wording import paper_findings
from dpviz.wording.findings import bounds_table

_KEY = "paper_figure_chart"
_HEIGHT = 560  # pixels: the legend takes a part
# The page on which a family's settings can be changed, and what it shows.
EXPLORERS: dict[Family, tuple[str, dict[str, Any]]] = {
    Family.WINDOWS: ("subsequences", {"chart": "curve", "compared_steps": 0}),
    Family.TOP_LEVELS: ("sample_or_walk", {"compared_length": "run"}),
    Family.LABEL_NOISE: ("label_noise", {"noise_chart": "curve"}),
    Family.EPOCH_LENGTH: ("subsequences", {"chart": "training", "compared_steps": 0}),
    Family.ONE_BAG: ("one_bag", {"bag_chart": "curve"}),
}


def _shown_panel(state: State) -> Panel:
    """Return the chosen panel; beyond the last one, the last."""
    return FIGURES[state.view.figure].panel(state.view.panel)


def _figure_controls(state: State) -> None:
    figure, panel = FIGURES[state.view.figure], _shown_panel(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        menu(
            "Figure",
            value=figure.number,
            options=list(FIGURES),
            name=lambda number: words.figure_name(FIGURES[number]),
            chosen=lambda number: change_view(lambda: {"figure": number, "panel": 0}),
            key="paper_figure",
            explains="Figures of the main paper, drawn anew from its parameters.",
        )
        ways = [_way_to(one) for each in FIGURES.values() for one in each.panels]
        neighbour_buttons("panel", ways, ways.index(_way_to(panel)))
        page, view = EXPLORERS[panel.family]
        if panel.epsilon is not None:
            view = view | {"fixed_epsilon": panel.epsilon}
        open_button(
            f"Open in {destination_of(page)}",
            "explorer",
            panel.opened,
            page,
            view,
            explains="Makes the settings of this panel yours, to change them one by one. Undo "
            "brings your own back.",
        )
    with st.container(horizontal=True):
        for axis, values in figure.axes.items():
            if len(values) == 1:
                continue
            numbers = figure.along(panel, axis)
            options = (words.option_name(axis, value) for value in values)
            names = dict(zip(numbers, options, strict=True))
            view_choice(
                "panel",
                options=numbers,
                name=names.__getitem__,
                label=words.AXIS_NAMES[axis],
                key=f"panel_{panel.figure}_{axis}_{numbers[0]}",
                value=lambda _: panel.number,
                of=lambda: state.view.figure,
            )(state)


def _way_to(panel: Panel) -> dict[str, Any]:
    return {"figure": panel.figure, "panel": panel.number}


def open_button(
    label: str, name: str, scenario: Scenario, page: str, view: Mapping[str, Any], *, explains: str
) -> None:
    """Draw the button that makes a scenario the visitor's own, with a view, on another page."""
    leading_button(
        label,
        page,
        lambda: change(lambda _: scenario, is_origin=True, view=view),
        key=f"open_in_{name}",
        icon=":material/tune:",
        explains=explains,
    )


def _table(state: State) -> Table:
    panel = _shown_panel(state)
    if panel.family is Family.EPOCH_LENGTH:
        return paper_steps_table(panel, [*map(result_of, _steps_parts(panel))])
    lines = [*map(result_of, _line_parts(panel))]
    curves = [*map(result_of, _curves_parts(panel))]
    return paper_panel_table(panel, runs_so_far(panel, lines, curves))


def _draw_runs(panel: Panel) -> None:
    names = [words.run_name(panel, scenario) for scenario in panel.scenarios]
    if panel.family is not Family.EPOCH_LENGTH:
        known = fill_in(_curves_parts(panel), only_known=True).results
        runs = [(name, one) for name, one in zip(names, known, strict=True) if one is not None]
        if runs:
            folded_text(
                "Every proven bound, with its theorem", "open_bounds", lambda: bounds_table(runs)
            )
            draw_certificate(runs[0][1], runs[0][0])
    draw_code(list(zip(names, panel.scenarios, strict=True)))
    folded_part(
        "The lines as in the paper, as code",
        "open_paper_code",
        lambda: st.code(paper_python(panel), language="python"),
    )


def runs_so_far(
    panel: Panel, lines: Sequence[ProvenCurve | None], curves: Sequence[ScenarioCurves | None]
) -> list[PanelRun]:
    """Return the runs up to the first whose line is not known.

    A panel compares its runs by their places, which those behind a gap would not have.
    """
    known = zip(panel.scenarios, _up_to_a_gap(lines), curves, strict=False)
    return [
        PanelRun(scenario=scenario, line=line, curves=proven) for scenario, line, proven in known
    ]


def _up_to_a_gap(results: Sequence[Any]) -> list[Any]:
    return list(takewhile(lambda result: result is not None, results))


def _line_parts(panel: Panel) -> list[Part[ProvenCurve]]:
    return [part_of(drawn_line, one) for one in panel.scenarios]


def _curves_parts(panel: Panel) -> list[Part[ScenarioCurves]]:
    return [curves_part(one) for one in panel.scenarios]


def _steps_parts(panel: Panel) -> list[Part[StepsRun]]:
    epsilon = panel.epsilon
    assert epsilon is not None  # steps are followed at one epsilon
    return [part_of(steps_run, one, epsilon) for one in panel.scenarios]


def _draw_curves(panel: Panel) -> None:
    lines = _line_parts(panel)
    parts: list[Part[Any]] = [*lines, *_curves_parts(panel)]
    # What the paper draws first: without the others the chart is there, and only the proofs wait.
    known = fill_in(parts, first=1).results
    runs = runs_so_far(panel, known[: len(lines)], known[len(lines) :])
    key = [panel.figure, panel.number, [result is not None for result in known]]
    frame.draw_answer(
        headline=content("panel headline", key, lambda: paper_findings.panel_headline(panel, runs)),
        figure=lambda: paper_panel(panel, runs),
        made_of=key,
        alt=content("panel words", key, lambda: paper_findings.panel_description(panel, runs)),
        key=_KEY,
        finding=content("panel finding", key, lambda: _curves_finding(panel, runs)),
        caption=f"{paper_findings.line_names(panel, runs)} {paper_findings.LOOKED_AT}",
        height=_HEIGHT,
    )


def _draw_steps(panel: Panel) -> None:
    known = fill_in(_steps_parts(panel), first=1).results  # what the others are compared with
    runs: list[StepsRun] = _up_to_a_gap(known)
    key = [panel.figure, panel.number, [result is not None for result in known]]
    frame.draw_answer(
        headline=content("panel headline", key, lambda: words.steps_panel_headline(panel, runs)),
        figure=lambda: paper_steps(panel, runs),
        made_of=key,
        alt=content("panel words", key, lambda: words.steps_panel_description(panel, runs)),
        key=_KEY,
        finding=_told(panel, words.steps_table(words.steps_verdicts(runs))),
        caption=words.STEPS_LINES,
        height=_HEIGHT,
    )


def _curves_finding(panel: Panel, runs: Sequence[PanelRun]) -> str:
    table = paper_findings.verdicts_table(panel, paper_findings.verdicts_of(panel, runs))
    return "\n\n".join([_told(panel, table), *paper_findings.remarks(panel, runs)])


def _told(panel: Panel, table: str) -> str:
    in_print = f"**In print, {words.panel_name(panel)}:** {words.printed(panel)}"
    return f"{in_print}\n\n**What holds:**\n\n{table}"


def _answer(state: State) -> Answer:
    panel = _shown_panel(state)
    draw = _draw_steps if panel.family is Family.EPOCH_LENGTH else _draw_curves
    draw(panel)
    yield
    said = [*words.parameters(panel), words.source(panel)]
    say("\n".join(f"- {line}" for line in said))
    st.markdown(text("paper_figures_reading"))
    _draw_runs(panel)


QUESTION = Question(
    introduction="paper_figures_introduction",
    settings=(_figure_controls,),
    answer=_answer,
    table=_table,
    file="dpviz-paper-figure.csv",
    saved=lambda state: _shown_panel(state).opened,
    saves="This panel",
    held=lambda state: _shown_panel(state).scenarios,
    is_live=False,
)
