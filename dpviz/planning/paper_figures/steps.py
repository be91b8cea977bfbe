"""Delta over training steps in Figure 10: as the paper compares, and as far as it is proven."""

from dataclasses import dataclass

import numpy as np

from dpviz.guarantees import Kind
from dpviz.planning.over_steps import DeltaOverSteps, DeltaSide, delta_over_steps
from dpviz.planning.paper_figures.epoch_length import STEPS
from dpviz.scenario import Scenario


@dataclass(frozen=True, kw_only=True, eq=False)
class StepsRun:
    """Delta of one run after each step.

    Args:
        proven: upper and attained lower bound.
        drawn: the side that the paper's figure draws.
    """

    proven: DeltaOverSteps
    drawn: DeltaSide

    @property
    def scenario(self) -> Scenario:
        """The training set-up."""
        return self.proven.scenario


@dataclass(frozen=True, kw_only=True)
class StepsVerdict:
    """One window per series against several, at the steps that end an epoch of several.

    Args:
        one: the run with one window.
        other: the run with several.
        ends: those steps.
        drawn: the ones at which the drawn delta of one window is the smaller.
        proven: the ones at which its upper bound lies below the other's attained lower bound.
    """

    one: Scenario
    other: Scenario
    ends: tuple[int, ...]
    drawn: tuple[int, ...]
    proven: tuple[int, ...]


def steps_run(scenario: Scenario, epsilon: float) -> StepsRun:
    """Return a run's delta after each of the figure's steps."""
    steps = range(1, STEPS + 1)
    proven = delta_over_steps(scenario, epsilon, steps)
    assert proven.lower is not None  # of fixed numbers of windows from walked series, one is
    drawn = proven.upper
    if any(bound.kind is Kind.LOWER for bound in proven.lower.bounds):
        lower = delta_over_steps(scenario, epsilon, steps, lower_as_in_the_paper=True).lower
        assert lower is not None
        drawn = lower
    return StepsRun(proven=proven, drawn=drawn)


def steps_verdict(one: StepsRun, other: StepsRun) -> StepsVerdict:
    """Return after which steps one window is better than several.

    >>> from dpviz.planning.paper_figures import FIGURES
    >>> one, two, *_ = FIGURES["10"].panel(0).scenarios
    >>> found = steps_verdict(steps_run(one, 1.0), steps_run(two, 1.0))
    >>> len(found.ends), sorted(set(found.ends) - set(found.proven))
    (8, [12, 14, 16])
    """
    epoch = other.scenario.steps_per_epoch
    steps = other.proven.steps
    at_end = steps % epoch == 0
    assert other.proven.lower is not None  # see steps_run
    drawn = at_end & (one.drawn.delta_high < other.drawn.delta_low)
    proven = at_end & (one.proven.upper.delta_high < other.proven.lower.delta_low)
    ends, below, surely = (
        tuple(np.extract(mask, steps).tolist()) for mask in (at_end, drawn, proven)
    )
    return StepsVerdict(
        one=one.scenario, other=other.scenario, ends=ends, drawn=below, proven=surely
    )
