"""The code beside a panel of the paper's figures prints what the chart shows."""

import contextlib
import io

import pytest

from dpviz.export.programs import paper_python
from tests.findings.panels import panel_and_runs, panel_and_steps
from tests.wording.reading import numbers_after


def output_of(code: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    return printed.getvalue()


@pytest.mark.parametrize(("figure", "at"), [("8", 1), ("9", 6), ("13", 0)])
def test_lines_of_every_run_are_printed_at_three_epsilons(figure, at):
    panel, runs = panel_and_runs(figure, at)
    printed = output_of(paper_python(panel))
    assert numbers_after("at epsilon ", printed) == [0.1, 1.0, 10.0] * len(runs)
    for run in runs:
        place = list(run.line.epsilon).index(1.0)
        low, high = run.line.delta_low[place], run.line.delta_high[place]
        assert f"delta from {low:.6g} to {high:.6g} at epsilon 1" in printed


def test_steps_of_every_run_are_printed():
    panel, runs = panel_and_steps(3)
    printed = output_of(paper_python(panel))
    assert len(printed.splitlines()) == 16 * len(runs)
    assert printed.count("as in the paper, no proven bound, Theorem 4.3") == 14 + 12 + 8
    last = runs[1].drawn
    assert f"step 16: delta from {last.delta_low[-1]:.6g} to {last.delta_high[-1]:.6g}" in printed
