"""What the papers report or draw, as tables: panels in both readings, and tables as printed."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz.export.table import Table, condition_lines, scenario_line, whom, without_cells
from dpviz.files.commented_csv import comments_in, rows_in
from dpviz.planning.paper_figures.families import Panel
from dpviz.planning.paper_figures.lines import (
    LOOKED_AT,
    SMALLEST_DELTA,
    PanelRun,
    StepsRun,
    as_proven,
)
from dpviz.reported.table import ReportedTable, UnreadFigure, table_csv
from dpviz.wording.paper_figures import (
    panel_name,
    parameters,
    printed,
    run_name,
    source,
    steps_title,
)
from dpviz.wording.paper_findings import panel_title
from dpviz.wording.paper_tables import figure_sentences
from dpviz.wording.theorems import bound_label, bound_meaning

_OF_THAT_LINE = "direction, theorem, unit and count of that "
_MEANINGS = {
    "delta_as_in_paper": "what the figure draws, the side of its bracket that is safe to quote; "
    "what it means is in as_in_paper_meaning",
    "delta_as_in_paper_bracket_low": "the exact value of that line lies between this",
    "delta_as_in_paper_bracket_high": "and this",
    "as_in_paper_meaning": f'{_OF_THAT_LINE}line; "as in the paper" is neither an upper nor a '
    "lower bound",
    "delta_upper": "delta of an individual is proven to be at most this: quote it; where the line "
    "that is drawn is an upper bound, too, the smaller of two sound computations; empty where no "
    "such bound is known",
    "upper_meaning": f"{_OF_THAT_LINE}bound",
    "delta_lower": "some gradients attain at least this; empty where no lower bound is proven",
    "lower_meaning": f"{_OF_THAT_LINE}bound",
}


def paper_panel_table(panel: Panel, runs: Sequence[PanelRun]) -> Table:
    """Return the lines of a panel of delta against epsilon; all is known of its runs."""
    tables = [_curve_cells(panel, run) for run in runs]
    x = {"epsilon": "privacy loss in nats"}
    needed = condition_lines([run.line.bound for run in runs])
    return _panel_table(panel, panel_title(panel, runs), needed, x, tables)


def paper_steps_table(panel: Panel, runs: Sequence[StepsRun]) -> Table:
    """Return the lines of a panel of delta over training steps."""
    tables = []
    for run in runs:
        drawn, upper, lower = run.drawn, run.proven.upper, run.attained
        columns = {
            "curve": run_name(panel, run.scenario),
            "steps": run.proven.steps,
            "delta_as_in_paper": drawn.delta_high if drawn is upper else drawn.delta_low,
            "delta_as_in_paper_bracket_low": drawn.delta_low,
            "delta_as_in_paper_bracket_high": drawn.delta_high,
            "as_in_paper_meaning": [bound_label(bound) for bound in drawn.bounds],
            "delta_upper": upper.delta_high,
            "upper_meaning": [bound_meaning(bound) for bound in upper.bounds],
            "delta_lower": lower.delta_low,
            "lower_meaning": [bound_meaning(bound) for bound in lower.bounds],
        }
        tables.append(pd.DataFrame(columns))
    x = {"steps": f"training steps; every delta is at epsilon = {panel.epsilon!r}"}
    return _panel_table(panel, steps_title(panel, runs), [], x, tables)


def _panel_table(
    panel: Panel, finding: str, needed: list[str], x: dict[str, str], tables: list[pd.DataFrame]
) -> Table:
    return Table(
        title=panel_name(panel),
        about=[
            f"source: {source(panel).replace('*', '')}",
            f"in print: {printed(panel)}",
            f"finding: {finding}",
            *(f"parameters: {line}" for line in parameters(panel)),
            f"protected: {whom(panel.opened)}",
            *needed,
            *(f"{run_name(panel, run)}: {scenario_line(run)}" for run in panel.scenarios),
        ],
        meanings={"curve": "which run, see above", **x, **_MEANINGS},
        cells=pd.concat(tables, ignore_index=True),
    )


def _curve_cells(panel: Panel, run: PanelRun) -> pd.DataFrame:
    line, curves = run.line, run.curves
    assert curves is not None  # all is computed
    drawn, proven = (np.isin(one.epsilon, LOOKED_AT) for one in (line, curves))
    low, high = line.delta_low[drawn], line.delta_high[drawn]
    upper, lower = curves.upper, curves.lower
    table = pd.DataFrame(
        {
            "curve": run_name(panel, run.scenario),
            "epsilon": LOOKED_AT,
            "delta_as_in_paper": line.delta[drawn],
            "delta_as_in_paper_bracket_low": low,
            "delta_as_in_paper_bracket_high": high,
            "as_in_paper_meaning": bound_label(line.bound),
            "delta_upper": as_proven(run).high,
            "upper_meaning": bound_meaning(upper.bound),
            "delta_lower": np.nan if lower is None else lower.delta_low[proven],
            "lower_meaning": "" if lower is None else bound_meaning(lower.bound),
        }
    )
    # Beyond, the rows would go on for decades and say nothing more.
    return table.iloc[: int(np.sum(high >= SMALLEST_DELTA)) + 1]


def reported_cells(table: ReportedTable) -> Table:
    """Return a table, one row for each printed error, digits as in print.

    The file as it is kept, since no number type has the digits of print.
    """
    kept = table_csv(table.number)
    return Table(
        title=f"Table {table.number} as reported by the paper",
        about=[
            "provenance: results of the paper's authors, as printed, not recomputed; "
            "names and descriptions are dpviz's own",
            *comments_in(kept),
        ],
        cells=pd.DataFrame(rows_in(kept)),
    )


def unread_figure(figure: UnreadFigure) -> Table:
    """Return why there is no table of a figure."""
    first, *others = (line.replace("*", "") for line in figure_sentences(figure))
    return without_cells(first, *others)
