"""Runs side by side in a table: each cell is rounded to its side and has its meaning."""

import math
from dataclasses import replace

import pytest

from dpviz.wording.comparison_table import columns, kind_name, table_rows
from dpviz.wording.theorems import named_theorem
from tests.planning.comparisons import run_of
from tests.planning.kinds import RUNS
from tests.wording.compared_runs import bare, large, row


@pytest.mark.parametrize("kind", RUNS)
def test_cells_are_rounded_to_the_safe_side_and_have_their_meaning(kind):
    run = run_of(kind, "now")
    (cells,) = table_rows([run])
    curves = run.curves
    assert list(cells) == [column.key for column in columns(run.scenario.delta)]
    assert cells["epsilon_upper"] >= (curves.epsilon_upper or 0.0)
    assert (cells["epsilon_upper"] == math.inf) == (curves.epsilon_upper is None)
    assert (cells["epsilon_lower"] is None) == (curves.epsilon_lower is None)
    assert (cells["epsilon_lower"] or 0.0) <= (curves.epsilon_lower or 0.0)
    assert named_theorem(curves.upper.bound.theorem) in cells["upper_theorem"]
    assert f"{curves.upper.bound.count:,} {curves.upper.bound.unit.value}" in cells["upper_theorem"]
    assert (cells["lower_theorem"] == "none proven") == (curves.lower is None)
    assert "of one series" in cells["protected"]
    assert curves.upper.bound.condition in cells["protected"]
    # A table shows the shortest digits of a number: at most four here.
    assert len(f"{cells['epsilon_upper']:.0e}") <= 7
    for name in ("epsilon_upper", "epsilon_lower"):
        value = cells[name]
        assert value is None or value in (0.0, math.inf) or float(f"{value:.4g}") == value


def test_marks_are_text_and_in_the_row_of_the_best():
    runs = [run_of("drawn", "now"), row(large(128, 10.0)), run_of("one bag", "pin C")]
    marks = {cells["run"]: cells["best"] for cells in table_rows(runs)}
    assert marks == {"now": "★ noise", "pin B": "★ ε", "pin C": "★ noise"}
    both = [run_of("drawn", "now"), row(large(320, 9.0))]
    assert table_rows(both)[1]["best"] == "★ ε and noise"


def test_kinds_of_bounds():
    kinds = {
        "drawn": "upper", "one step": "tight", "one bag": "upper",
        "no finite epsilon": "no finite ε proven",
    }  # fmt: skip
    assert {kind: kind_name(run_of(kind)) for kind in kinds} == kinds
    assert kind_name(bare(1.0, 32, "b")) == "being computed …"
    assert kind_name(replace(run_of("drawn"), is_exact=False)) == "upper, being refined …"
    assert kind_name(replace(bare(1.0, 32, "b"), refusal="no")) == "no bound covers it"


def test_every_column_says_what_is_better_or_that_nothing_is():
    for column in columns(1e-7):
        if column.is_number:
            said = column.explanation
            assert ("smaller is better" in said) == (
                column.key in ("epsilon_upper", "noise_per_gradient")
            )
            assert ("smaller is better" in said) or "is the best" in said or "Neither" in said
