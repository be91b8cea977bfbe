"""What is proven about epsilon at a scenario's delta: a pair of numbers, without the curves."""

from dataclasses import dataclass

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, account_for
from dpviz.guarantees import Bound
from dpviz.planning.curves import ScenarioCurves
from dpviz.scenario import Scenario


@dataclass(frozen=True, kw_only=True)
class ProvenEpsilon:
    """Upper and lower bound on epsilon at one scenario's delta, after all its training.

    Args:
        upper: bracket of the upper bound; its ``high`` is the one to quote.
        lower: bracket of the lower bound, its ``low`` to quote; ``None`` where none is proven.
        upper_bound: theorem, unit and count of the upper bound.
        lower_bound: the same of the lower one.
    """

    upper: Bracket
    lower: Bracket | None
    upper_bound: Bound
    lower_bound: Bound | None

    @property
    def epsilon_upper(self) -> float | None:
        """Epsilon to quote as an upper bound; ``None`` where no finite one is known."""
        return self.upper.high

    @property
    def epsilon_lower(self) -> float | None:
        """Epsilon to quote as a lower bound; ``None`` where there is none, or none resolved."""
        return None if self.lower is None else self.lower.low


def proven_epsilon(scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE) -> ProvenEpsilon:
    """Return the best proven bounds on epsilon at the scenario's delta.

    Args:
        scenario: the training set-up.
        tolerance: largest relative gap of the brackets.

    Raises:
        ScenarioError: no bound covers the scenario.

    >>> from dpviz.scenario import PRESETS
    >>> proven = proven_epsilon(PRESETS["toy"].scenario)
    >>> f"{proven.epsilon_lower:.1f} to {proven.epsilon_upper:.1f}"
    '17.5 to 19.0'
    """
    account = account_for(scenario, tolerance=tolerance)
    upper, lower = account.upper, account.lower
    return ProvenEpsilon(
        upper=plain_bracket(upper.epsilon_at(scenario.delta)),
        lower=None if lower is None else plain_bracket(lower.epsilon_at(scenario.delta)),
        upper_bound=upper.bound,
        lower_bound=None if lower is None else lower.bound,
    )


def proven_by(curves: ScenarioCurves) -> ProvenEpsilon:
    """Return what curves that are there say about epsilon at their scenario's delta.

    Coarse ones, too: who draws it beside a sentence about the same curves tells the same number.
    """
    upper, lower = curves.upper, curves.lower
    return ProvenEpsilon(
        upper=plain_bracket(upper.epsilon),
        lower=None if lower is None else plain_bracket(lower.epsilon),
        upper_bound=upper.bound,
        lower_bound=None if lower is None else lower.bound,
    )


def plain_bracket(bracket: Bracket) -> Bracket:
    """Return the bracket in Python's own numbers, as JSON and CSV write them."""
    return Bracket(
        low=None if bracket.low is None else float(bracket.low),
        high=None if bracket.high is None else float(bracket.high),
    )


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """What is proven where the varied thing has one value.

    Args:
        x: the value.
        name: the value in words, as in "with ...".
        scenario: the training set-up there.
        proven: what is proven about it, at its delta.
    """

    x: float
    name: str
    scenario: Scenario
    proven: ProvenEpsilon
