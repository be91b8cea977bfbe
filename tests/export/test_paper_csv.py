"""The panels of the paper's figures as CSV: both readings, and every column explained."""

import io

import numpy as np
import pandas as pd
import pytest

from dpviz.export.paper_tables import paper_panel_table, paper_steps_table
from dpviz.planning.paper_figures.lines import LOOKED_AT
from dpviz.wording.paper_figures import run_name
from tests.findings.panels import panel_and_runs, panel_and_steps


def read(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), comment="#", float_precision="round_trip")


def header(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))


@pytest.mark.parametrize(("figure", "at"), [("7", 2), ("8", 1), ("9", 3), ("13", 0)])
def test_every_run_has_its_rows_in_both_readings(figure, at):
    panel, runs = panel_and_runs(figure, at)
    text = paper_panel_table(panel, runs).csv()
    table = read(text)
    for run in runs:
        rows = table[table["curve"] == run_name(panel, run.scenario)]
        count = len(rows)
        assert rows["epsilon"].tolist() == LOOKED_AT[:count].tolist()
        of_line = run.line
        on_grid = np.isin(run.line.epsilon, LOOKED_AT)
        assert rows["delta_as_in_paper_bracket_low"].tolist() == (
            of_line.delta_low[on_grid][:count].tolist()
        )
        assert rows["delta_as_in_paper_bracket_high"].tolist() == (
            of_line.delta_high[on_grid][:count].tolist()
        )
        quoted = "high" if of_line.bound.bounds_from_above else "low"
        assert rows["delta_as_in_paper"].equals(rows[f"delta_as_in_paper_bracket_{quoted}"])
        lower = run.curves.lower
        assert rows["delta_lower"].isna().all() == (lower is None)
        if lower is not None:
            assert np.all(rows["delta_lower"] <= rows["delta_upper"])
        assert run.line.bound.theorem in rows["as_in_paper_meaning"].iloc[0]


@pytest.mark.parametrize("figure", ["7", "10"])
def test_header_explains_every_column_and_says_where_it_is_from(figure):
    if figure == "10":
        text = paper_steps_table(*panel_and_steps(3)).csv()
    else:
        text = paper_panel_table(*panel_and_runs("7", 2)).csv()
    said = header(text)
    for column in read(text).columns:
        assert f"# {column}: " in said
    for words in ("# source: Figure ", "# in print: ", "# finding: ", "# protected: ", "σ = 1"):
        assert words in said
    assert "neither an upper nor a lower bound" in said
    assert said.count(": scenario: {") == len(set(read(text)["curve"]))


def test_curve_as_in_the_paper_is_never_called_a_bound():
    table = read(paper_panel_table(*panel_and_runs("7", 2)).csv())
    several = table[table["curve"] != "1 window per series"]
    assert set(several["as_in_paper_meaning"]) == {
        "as in the paper, no proven bound, Theorem F.7, 1,000 steps"
    }


def test_condition_of_noise_on_labels_is_in_the_header():
    assert "# conditions: Theorem G.1 holds if no value changes by more than v" in header(
        paper_panel_table(*panel_and_runs("9", 3)).csv()
    )


def test_steps_have_their_meaning_row_by_row():
    panel, runs = panel_and_steps(3)
    table = read(paper_steps_table(panel, runs).csv())
    assert len(table) == 5 * 16
    for run in runs:
        rows = table[table["curve"] == run_name(panel, run.scenario)]
        assert rows["steps"].tolist() == list(range(1, 17))
        assert rows["delta_lower"].tolist() == run.proven.lower.delta_low.tolist()
        assert rows["delta_upper"].tolist() == run.proven.upper.delta_high.tolist()
    first = table[(table["curve"] == "16 windows per series")].iloc[0]
    # A single epoch: the same pair either way.
    assert first["as_in_paper_meaning"] == "lower bound, Theorem 4.3, 1 epoch"
