"""The current run and the pinned ones in one table: which is the best in what, and why."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.column_config import NumberColumn, TextColumn

from dpviz.export.comparison_tables import comparison_table
from dpviz.export.table import Table
from dpviz.planning.comparison import ComparedRun, refusal
from dpviz.scenario import Scenario
from dpviz.scenario.errors import MissingPackageError
from dpviz.scenario.pins import MOST_SHOWN
from dpviz.ui.compute import content, known_curves
from dpviz.ui.filling import Filled, waiting_for_all
from dpviz.ui.page import draw_progress, say
from dpviz.ui.pins import NOW, at_same_delta, draw_differences, draw_pin_rows, name_of
from dpviz.ui.rests_on import offer_csv
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording.comparison import comparison_headline, comparison_notes, run_sentence
from dpviz.wording.comparison_table import Cell, Column, columns, table_rows
from dpviz.wording.glossary import symbols_help
from dpviz.wording.numbers import power_of_ten
from dpviz.wording.setting_values import NOT_IN_USE

# The columns that come first, in pixels: as wide as the answer on a screen of 1280, those up to σ
# as a phone. To the others, settings and sources, the table is scrolled.
_WIDTHS = {
    "run": 56, "epsilon_upper": 84, "epsilon_lower": 84, "noise_multiplier": 75,
    "best": 109, "noise_per_gradient": 123, "kind": 124,
}  # fmt: skip


def draw_comparison(state: State, now: Scenario) -> None:
    """Draw runs at the delta of ``now``: their table, what differs in words, the pins' controls."""
    if not state.pins:
        st.info(text("comparison_empty"), icon=":material/push_pin:")
        return
    runs, filled = _known_runs(state, now)
    told = [[*vars(run).values()] for run in runs]
    headline, sentences, notes, rows = content(
        "comparison",
        told,
        lambda: (
            comparison_headline(runs),
            [run_sentence(runs[0], run) for run in runs[1:]],
            comparison_notes(runs),
            table_rows(runs),
        ),
    )
    st.markdown(headline, help=symbols_help(headline))
    _draw_table(rows, columns(now.delta), alt=f"Runs compared at δ = {power_of_ten(now.delta)}")
    draw_progress(filled.progress)
    say("\n".join(f"- {sentence}" for sentence in sentences))
    st.caption(f"{notes} To the right the table goes on: settings, theorems.")
    offer_csv(
        "Download this comparison as CSV",
        lambda: table(state, now),
        "dpviz-comparison.csv",
        key="comparison_csv",
    )
    known = {run.name: run.curves for run in runs if run.curves is not None}
    draw_pin_rows(state, now, known)
    st.caption(f"Ticked pins are drawn in charts, {MOST_SHOWN} at most; the table has them all.")
    if NOW in known:
        draw_differences(state, known[NOW])


@waiting_for_all()
def table(state: State, now: Scenario) -> Table:
    """Return the comparison with all digits; computes what is not known yet."""
    return comparison_table(_known_runs(state, now)[0])


def _known_runs(state: State, now: Scenario) -> tuple[list[ComparedRun], Filled[Any]]:
    pins = at_same_delta(state.pins, now.delta)
    named = [(NOW, now), *((name_of(pin), pin.scenario) for pin in pins)]
    covered = [run for _, run in named if not refusal(run)]
    known = known_curves(covered)
    curves = dict(zip(covered, known.curves, strict=True))
    exact = known.filled.by(covered)
    runs = [
        ComparedRun(
            name=name,
            scenario=run,
            curves=curves.get(run),
            is_exact=run in exact,
            is_left_out=run in known.left_out,
            refusal=refusal(run),
        )
        for name, run in named
    ]
    return runs, known.filled


def _draw_table(rows: list[dict[str, Cell]], shown: Sequence[Column], *, alt: str) -> None:
    others = (column.key for column in shown if column.key not in _WIDTHS)
    table = pd.DataFrame(rows, columns=[*_WIDTHS, *others])
    try:
        st.dataframe(
            table,
            column_config={column.key: _config(column) for column in shown},
            hide_index=True,
            alt=alt,
            placeholder=NOT_IN_USE,
            key="comparison_table",
        )
    except ModuleNotFoundError:
        missing = MissingPackageError("pyarrow")
        st.error(f"The table is not drawn on this server, as {missing}. The CSV below has it all.")


def _config(column: Column) -> Any:
    width = _WIDTHS.get(column.key)
    if column.is_number:
        # The digits that a number has; any other format would round bounds to the nearest.
        return NumberColumn(column.label, help=column.explanation, format="%g", width=width)
    is_pinned = column.key == "run"  # always in sight
    return TextColumn(column.label, help=column.explanation, pinned=is_pinned, width=width)
