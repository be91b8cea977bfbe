"""The panels of the paper's figures: their parameters, and what holds of their lines' orders."""

from dataclasses import replace
from itertools import starmap

import numpy as np
import pytest

from dpviz.guarantees import Kind, PlanarPair, guarantee_for
from dpviz.planning.order import Order
from dpviz.planning.paper_figures import FIGURES
from dpviz.planning.paper_figures.families import Family
from dpviz.planning.paper_figures.lines import (
    SMALLEST_DELTA,
    against_all,
    as_attained,
    as_drawn,
    as_proven,
    largest_difference,
    verdict,
)
from dpviz.scenario import Rates
from dpviz.settings import SETTINGS
from dpviz.settings.paper import MOST_PANELS
from tests.findings.panels import panel_and_runs, panel_and_steps

PANELS = [panel for figure in FIGURES.values() for panel in figure.panels]


def test_every_figure_of_a_link_is_there():
    assert tuple(FIGURES) == tuple(SETTINGS["figure"].choices)
    assert max(len(figure.panels) for figure in FIGURES.values()) <= MOST_PANELS + 1


def test_toy_setting_of_all_but_the_bag():
    """N = 320, sigma = 1, and r and Lambda / N to the last bit."""
    for panel, scenario in [(one, run) for one in PANELS for run in one.scenarios]:
        assert scenario.noise.noise_multiplier == 1.0
        assert scenario.relation.width == 1
        if panel.family is Family.ONE_BAG:
            continue
        if panel.family is Family.EPOCH_LENGTH:
            bottom_rate, batch_share = panel.settings["bottom_rate"], 1.0
        else:
            bottom_rate, batch_share = panel.settings["rates"]
        assert scenario.sampling.batch_size == {0.1: 32, 0.5: 160, 1.0: 320}[batch_share]
        if isinstance(scenario.data, Rates):  # no forecast: half of the values are left
            assert scenario.bottom_rate == bottom_rate / 2
            assert scenario.top_rate == batch_share
        else:
            assert scenario.data.num_series == 320
            assert scenario.bottom_rate == bottom_rate


@pytest.mark.parametrize("number", ["2", "5", "6", "7"])
def test_steps_and_windows_of_the_figures_on_windows(number):
    lengths = (1, 100) if number == "2" else (1, 100, 1000)
    for panel, steps in zip(FIGURES[number].panels, lengths, strict=True):
        assert [run.sampling.num_subsequences for run in panel.scenarios] == [1, 2, 4, 8, 16, 32]
        assert {run.num_steps for run in panel.scenarios} == {steps}
        assert {run.sampling.top_level for run in panel.scenarios} == {"without-replacement"}


@pytest.mark.parametrize("number", ["4", "9"])
def test_noise_of_the_figures_on_labels(number):
    for panel in FIGURES[number].panels:
        *noisy, none = panel.scenarios
        assert [run.noise.forecast_noise for run in noisy] == [0.0, 0.5, 1.0, 2.0, 5.0, 1e6]
        assert {run.noise.context_noise for run in panel.scenarios} == {0.0}
        assert none.noise.forecast_noise == 0.0
        assert {run.num_steps for run in panel.scenarios} == {(1, 100)[panel.number % 2]}


@pytest.mark.parametrize("number", FIGURES)
def test_panels_along_an_axis_differ_in_it_alone(number):
    figure = FIGURES[number]
    for panel in figure.panels:
        for axis, values in figure.axes.items():
            others = [figure.panels[at] for at in figure.along(panel, axis)]
            assert [other.settings[axis] for other in others] == list(values)
            assert panel in others
            for other in others:
                assert other.settings | {axis: panel.settings[axis]} == panel.settings


# Orders of the lines.

CURVES = [("7", 0), ("7", 2), ("8", 1), ("8", 2), ("9", 3), ("13", 0)]


@pytest.mark.every(2)
@pytest.mark.parametrize(("figure", "at"), CURVES)
def test_drawn_line_lies_between_what_is_attained_and_what_is_proven(figure, at):
    """Composing the attained pair's mirror can only add; the theorem's upper bound covers it."""
    _, runs = panel_and_runs(figure, at)
    for run in runs:
        drawn, proven = as_drawn(run), as_proven(run)
        assert np.all(drawn.low <= drawn.high)
        assert np.all(proven.low <= proven.high)
        attained = as_attained(run)
        if attained is not None and not attacks_of_our_own(run):
            assert np.all(attained <= drawn.high)
        assert np.all(drawn.low <= proven.high)


def attacks_of_our_own(run):
    """Whether the lower bound has attacks beside the one whose mirrored pair the paper composes."""
    return any(isinstance(pair, PlanarPair) for pair in guarantee_for(run.scenario).lower.pairs)


def test_drawn_line_of_several_windows_is_no_upper_bound():
    """Drawn series, 1,000 steps: with 4 windows or more some model leaks more than the line says.

    The line is the mirrored pair of F.7, whose gradients all lie in one direction. For one step it
    is a lower bound; composed it was known to be no proven one. Two directions tell more.
    """
    _, runs = panel_and_runs("7", 2)
    below = {
        run.scenario.sampling.num_subsequences
        for run in runs
        if np.any(as_attained(run) > as_drawn(run).high)
    }
    assert below == {4, 8, 16, 32}
    assert all(run.scenario.num_steps == 1000 for run in runs)
    # What the figure is drawn for stays: one window is provably more private than those.
    for run in runs[1:]:
        if run.scenario.sampling.num_subsequences in below:
            assert Order.SECOND not in {stretch.order for stretch in verdict(runs[0], run).proven}


@pytest.mark.parametrize(("figure", "at"), CURVES)
def test_order_turns_round_with_the_runs(figure, at):
    """Whoever is first: the same stretches with the other name, where both deltas are told."""
    _, runs = panel_and_runs(figure, at)
    turned = {Order.FIRST: Order.SECOND, Order.SECOND: Order.FIRST}
    for other in runs[1:]:
        one_way, back = verdict(runs[0], other), verdict(other, runs[0])
        for here, there in ((one_way.drawn, back.drawn), (one_way.proven, back.proven)):
            decided = {
                (stretch.start, turned[stretch.order])
                for stretch in here
                if stretch.order in turned
            }
            starts = {(stretch.start, stretch.order) for stretch in there}
            assert decided <= starts


def test_proven_and_drawn_orders_never_contradict_each_other_on_tight_runs():
    """Of an epoch and of a step the lines are the mechanisms."""
    pairs = [(runs[0], run) for _, runs in starmap(panel_and_runs, CURVES) for run in runs[1:]]
    tight = [pair for pair in pairs if {run.kind for run in pair} == {Kind.TIGHT}]
    assert tight
    for pair in tight:
        found = verdict(*pair)
        assert found.drawn == found.proven


def test_run_is_not_told_apart_from_itself():
    _, runs = panel_and_runs("8", 1)
    for run in runs:
        found = verdict(run, run)
        assert {stretch.order for stretch in found.drawn} == {Order.UNPROVEN}
        assert found.proven is not None
        assert {stretch.order for stretch in found.proven} == {Order.UNPROVEN}
        brackets = as_drawn(run)
        told = brackets.high >= SMALLEST_DELTA
        width = np.max(brackets.high[told] / brackets.low[told]) - 1.0
        assert largest_difference(run, run) == width


def test_nothing_is_proven_while_the_bounds_are_computed():
    _, runs = panel_and_runs("7", 2)
    waiting = replace(runs[1], curves=None)
    assert verdict(runs[0], waiting).proven is None
    assert verdict(runs[0], waiting).drawn == verdict(runs[0], runs[1]).drawn
    # A line that is no bound says nothing of the mechanism.
    assert np.all(as_proven(waiting).low == 0.0)
    assert np.all(as_proven(waiting).high == 1.0)


@pytest.mark.parametrize("proven", [False, True])
def test_best_of_all_is_best_against_each(proven):
    _, runs = panel_and_runs("7", 0)
    all_at_once = against_all(runs[0], runs[1:], proven=proven)
    each = [against_all(runs[0], [other], proven=proven) for other in runs[1:]]
    starts = [region[-1].start for region in each]
    assert all(region[-1].order is Order.FIRST for region in each)
    assert all_at_once[-1].order is Order.FIRST
    assert all_at_once[-1].start == max(starts)


def test_drawn_steps_are_the_paper_s_composition():
    """One window: its upper bound. Several: above what is attained, below what is proven."""
    _, runs = panel_and_steps(3)
    assert runs[0].drawn is runs[0].proven.upper
    for run in runs[1:]:
        kinds = {bound.kind_after_composition for bound in run.drawn.bounds}
        assert kinds <= {Kind.LOWER, Kind.UNPROVEN}
        assert {bound.theorem for bound in run.drawn.bounds} == {"4.3"}
        assert np.all(run.proven.lower.delta_low <= run.drawn.delta_high)
        assert np.all(run.drawn.delta_low <= run.proven.upper.delta_high)


def test_panels_are_values():
    """Equal runs are computed once, whatever panel they are in."""
    first, again = FIGURES["2"].panel(1), FIGURES["7"].panel(1)
    assert first.scenarios == again.scenarios
    assert replace(first, figure="7", section=again.section) == again
