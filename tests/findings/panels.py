"""The panels of the page of the paper's figures, each run computed once."""

from functools import cache

from dpviz.planning import curves_of
from dpviz.planning.paper_figures import FIGURES, Panel
from dpviz.planning.paper_figures.lines import PanelRun, StepsRun, drawn_line, steps_run
from dpviz.scenario import Scenario


@cache
def known(scenario: Scenario) -> PanelRun:
    """Return what is known of a run when all is computed."""
    return PanelRun(scenario=scenario, line=drawn_line(scenario), curves=curves_of(scenario))


@cache
def known_steps(scenario: Scenario, epsilon: float) -> StepsRun:
    """Return its delta over steps."""
    return steps_run(scenario, epsilon)


def panel_and_runs(figure: str, number: int) -> tuple[Panel, list[PanelRun]]:
    """Return a panel of delta against epsilon with all of its runs."""
    panel = FIGURES[figure].panels[number]
    return panel, [known(scenario) for scenario in panel.scenarios]


def panel_and_steps(number: int) -> tuple[Panel, list[StepsRun]]:
    """Return a panel of Figure 10 with all of its runs."""
    panel = FIGURES["10"].panels[number]
    assert panel.epsilon is not None
    return panel, [known_steps(scenario, panel.epsilon) for scenario in panel.scenarios]
