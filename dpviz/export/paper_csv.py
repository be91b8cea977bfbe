"""A panel of the paper's figures as CSV, in both readings, with a header that explains it."""

import io
from collections.abc import Sequence

import numpy as np
import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.paper_figures.lines import LOOKED_AT, SMALLEST_DELTA, PanelRun
from dpviz.planning.paper_figures.orders import StepsRun
from dpviz.planning.paper_figures.panel import Panel
from dpviz.wording.paper_figures import panel_name, parameters, printed, run_name, source
from dpviz.wording.paper_findings import panel_title
from dpviz.wording.paper_steps import steps_title
from dpviz.wording.scope import conditions, protected_in, relation_name
from dpviz.wording.theorems import bound_label, bound_meaning

_COMMON = """curve: which run, see above
{x}
delta_as_in_paper: what the figure draws, the side of its bracket that is safe to quote; what it \
means is in as_in_paper_meaning
delta_as_in_paper_bracket_low: the exact value of that line lies between this
delta_as_in_paper_bracket_high: and this
as_in_paper_meaning: direction, theorem, unit and count of that line; "as in the paper" is neither \
an upper nor a lower bound
delta_upper: delta of an individual is proven to be at most this; empty where no such bound is known
upper_meaning: direction, theorem, unit and count of that bound
delta_lower: some gradients attain at least this; empty where no lower bound is proven
lower_meaning: direction, theorem, unit and count of that bound"""


def paper_panel_csv(panel: Panel, runs: Sequence[PanelRun]) -> str:
    """Return the lines of a panel of delta against epsilon as CSV text.

    Lines that begin with # describe it; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        panel: of a figure that draws delta against epsilon.
        runs: all of its runs, with their proven bounds.
    """
    needed = conditions([run.line.bound for run in runs])
    text = _header(panel, panel_title(panel, runs), needed, "epsilon: privacy loss in nats")
    return _csv(text, [_curve_table(panel, run) for run in runs])


def paper_steps_csv(panel: Panel, runs: Sequence[StepsRun]) -> str:
    """Return the lines of a panel of delta over training steps as CSV text."""
    text = _header(
        panel,
        steps_title(panel, runs),
        "",
        f"steps: training steps; every delta is at epsilon = {panel.drawn.epsilon!r}",
    )
    return _csv(text, [_steps_table(panel, run) for run in runs])


def _header(panel: Panel, finding: str, needed: str, x: str) -> list[str]:
    scenario = panel.opened
    hidden = protected_in(scenario)
    lines = [
        f"dpviz {dpviz.__version__}: {panel_name(panel)}",
        f"source: {source(panel).replace('*', '')}",
        f"in print: {printed(panel)}",
        f"finding: {finding}",
        *(f"parameters: {line}" for line in parameters(panel)),
        f"protected: {hidden}; {relation_name(scenario.relation)}",
    ]
    if needed:
        lines.append(f"conditions: {needed}")
    lines += [f"{run_name(panel, run)}: scenario: {json_in_csv(run)}" for run in panel.scenarios]
    return [*lines, *_COMMON.format(x=x).splitlines()]


def _csv(header: Sequence[str], tables: Sequence[pd.DataFrame]) -> str:
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in header)
    # lineterminator: the same bytes on every system; repr digits: floats read back exactly.
    pd.concat(tables, ignore_index=True).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _curve_table(panel: Panel, run: PanelRun) -> pd.DataFrame:
    line, curves = run.line, run.curves
    assert curves is not None  # all is computed
    drawn, proven = (np.isin(one.epsilon, LOOKED_AT) for one in (line, curves))
    is_upper = line.bound.bounds_from_above
    low, high = line.delta_low[drawn], line.delta_high[drawn]
    upper, lower = curves.upper, curves.lower
    table = pd.DataFrame(
        {
            "curve": run_name(panel, run.scenario),
            "epsilon": LOOKED_AT,
            "delta_as_in_paper": high if is_upper else low,
            "delta_as_in_paper_bracket_low": low,
            "delta_as_in_paper_bracket_high": high,
            "as_in_paper_meaning": bound_label(line.bound),
            "delta_upper": upper.delta_high[proven],
            "upper_meaning": bound_meaning(upper.bound),
            "delta_lower": np.nan if lower is None else lower.delta_low[proven],
            "lower_meaning": "" if lower is None else bound_meaning(lower.bound),
        }
    )
    # Beyond, the rows would go on for decades and say nothing more.
    return table.iloc[: int(np.sum(high >= SMALLEST_DELTA)) + 1]


def _steps_table(panel: Panel, run: StepsRun) -> pd.DataFrame:
    drawn, upper, lower = run.drawn, run.proven.upper, run.proven.lower
    assert lower is not None  # see steps_run
    is_upper = drawn is upper
    return pd.DataFrame(
        {
            "curve": run_name(panel, run.scenario),
            "steps": run.proven.steps,
            "delta_as_in_paper": drawn.delta_high if is_upper else drawn.delta_low,
            "delta_as_in_paper_bracket_low": drawn.delta_low,
            "delta_as_in_paper_bracket_high": drawn.delta_high,
            "as_in_paper_meaning": [bound_label(bound) for bound in drawn.bounds],
            "delta_upper": upper.delta_high,
            "upper_meaning": [bound_meaning(bound) for bound in upper.bounds],
            "delta_lower": lower.delta_low,
            "lower_meaning": [bound_meaning(bound) for bound in lower.bounds],
        }
    )
