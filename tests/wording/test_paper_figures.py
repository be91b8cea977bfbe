"""What the page of the paper's figures says: names, parameters, and no number without meaning."""

import numpy as np
import pytest

from dpviz.guarantees import Kind
from dpviz.planning.order import Order
from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.lines import as_attained, as_drawn
from dpviz.ui.texts import text
from dpviz.wording.paper_figures import (
    AXIS_NAMES,
    figure_name,
    option_name,
    panel_name,
    parameters,
    printed,
    run_name,
    short_name,
    source,
    steps_title,
)
from dpviz.wording.paper_findings import (
    line_names,
    panel_description,
    panel_headline,
    panel_title,
    remarks,
    verdicts_of,
    verdicts_table,
)
from tests.findings.panels import panel_and_runs, panel_and_steps
from tests.wording.reading import jargon_in, numbers_after

PANELS = [panel for figure in FIGURES.values() for panel in figure.panels]
# One of each family, the cheap ones.
TOLD = [("7", 0), ("8", 1), ("9", 3), ("13", 0)]


def test_names_are_different_and_short():
    for panel in PANELS:
        names = [run_name(panel, scenario) for scenario in panel.scenarios]
        assert len(set(names)) == len(names)
        assert not any("," in name for name in names)
        legend = {short_name(panel, scenario) for scenario in panel.scenarios}
        assert max(map(len, legend)) <= 22
        assert printed(panel).endswith(".")
        assert panel.figure in panel_name(panel)
        assert f"Figure {panel.figure}, {panel.section} of " in source(panel)
        values, chosen = parameters(panel)
        assert f"Λ = {panel.opened.sampling.batch_size:,} windows" in values
        assert f"training for {option_name('length', panel.opened.training)}" in values
        assert "σ = 1," in values
        assert chosen.startswith("Chosen here, as the paper")


def test_figures_and_panels_have_names_of_their_own():
    assert len({figure_name(figure) for figure in FIGURES.values()}) == len(FIGURES)
    assert len({panel_name(panel) for panel in PANELS}) == len(PANELS)
    for figure in FIGURES.values():
        for axis, values in figure.axes.items():
            assert AXIS_NAMES[axis]
            assert len({option_name(axis, value) for value in values}) == len(values)


@pytest.mark.parametrize(("figure", "at"), TOLD)
def test_only_with_several_windows_of_drawn_series_some_model_exceeds_a_curve(figure, at):
    """Where the pair is an upper bound, the curve is one."""
    assert "with several windows of drawn series, some model can exceed it" in (
        text("paper_figures_reading")
    )
    _, runs = panel_and_runs(figure, at)
    for run in runs:
        if run.scenario.sampling.num_subsequences == 1 and not run.scenario.sampling.is_bag:
            assert run.kind in (Kind.UPPER, Kind.TIGHT)
            if (attained := as_attained(run)) is not None:
                assert np.all(attained <= as_drawn(run).high)


def test_what_is_proven_of_runs_with_noise_is_not_called_an_order_of_bounds():
    panel, runs = panel_and_runs("9", 3)
    proven = [found.proven for found in verdicts_of(panel, runs)]
    assert any(Order.FIRST in {one.order for one in region} for region in proven)
    assert "Where nothing is proven either way, the order is of upper bounds alone" in (
        " ".join(remarks(panel, runs))
    )


@pytest.mark.parametrize(("figure", "at"), TOLD)
def test_headline_names_theorems_and_who_is_protected(figure, at):
    panel, runs = panel_and_runs(figure, at)
    headline = panel_headline(panel, runs)
    assert headline.startswith(f"**{panel_title(panel, runs)}.** By ")
    assert "any single value of one series" in headline
    assert "Theorem 4.4" in headline
    assert jargon_in(headline) == []
    assert jargon_in(line_names(panel, runs)) == []
    assert jargon_in(verdicts_table(panel, verdicts_of(panel, runs)).replace("σ_F", "")) == []
    if figure == "9":
        assert "Theorem G.1 holds if no value changes by more than v" in headline


@pytest.mark.parametrize(("figure", "at"), TOLD)
def test_description_says_of_every_run_what_its_number_is(figure, at):
    """Direction, theorem, unit and count beside each epsilon, rounded to the safe side."""
    panel, runs = panel_and_runs(figure, at)
    parts = panel_description(panel, runs).split("For ")[1:]
    assert len(parts) == len(runs)
    for part, run in zip(parts, runs, strict=True):
        assert part.startswith(run_name(panel, run.scenario))
        assert "at delta 10⁻⁷ epsilon is " in part
        epsilon = run.line.bracket
        if most := numbers_after("at most ", part):
            assert most[0] >= epsilon.high
            assert "(upper bound, " in part or "(tight bound, " in part
        else:
            [least] = numbers_after("at least ", part)
            assert least <= epsilon.low
            assert "(lower bound, " in part


def test_bounds_on_which_an_order_rests_are_named_too():
    """After 1 step of Figure 7's rates several windows win at small epsilon by Proposition 2.

    Where one window wins, the others attain at least what Proposition 7 says. With noise on labels
    no order is told.
    """
    panel, runs = panel_and_runs("7", 0)
    told = "By Theorem 4.4, Theorem F.7, dpviz's Proposition 2 and dpviz's Proposition 7, for any"
    assert told in panel_headline(panel, runs)
    assert "Thin: attained, too, by dpviz's Proposition 7." in line_names(panel, runs)
    panel, runs = panel_and_runs("7", 2)
    told = "By Theorem 4.4, Theorem F.7 and dpviz's Proposition 7, for any"
    assert told in panel_headline(panel, runs)
    assert "By Theorem 4.4 and Theorem G.1, for any" in panel_headline(*panel_and_runs("9", 3))


def test_lines_that_are_no_bound_are_never_called_one():
    panel, runs = panel_and_runs("7", 2)
    assert "Paper: composed as in the paper, proven neither way." in line_names(panel, runs)
    told = panel_description(panel, runs)
    assert told.count("(as in the paper, no proven bound, Theorem F.7, 1,000 steps)") == 5
    assert told.count("epsilon is about ") == 5


def test_nothing_is_claimed_before_all_is_computed():
    panel, runs = panel_and_runs("7", 0)
    assert panel_title(panel, runs[:2]) == "After 1 step: bounds of 2 of 6 runs ready"
    assert len(verdicts_of(panel, runs[:2])) == 1
    walk, steps = panel_and_steps(3)
    assert steps_title(walk, steps[:2]) == "At ε = 4: 2 of 5 curves ready"
