"""What is proven, as a number: between which values it lies, by which theorem, on which side."""

from dataclasses import dataclass

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, Curve, account_for
from dpviz.guarantees import Bound
from dpviz.scenario import Scenario


@dataclass(frozen=True, kw_only=True)
class Proven:
    """One bound's number: epsilon, delta, or how much an attacker achieves.

    The bound's exact value (where it is of an attack: the attack's) lies in the bracket, which has
    Python's own numbers.
    """

    bound: Bound
    bracket: Bracket

    @property
    def quoted(self) -> float | None:
        """The sound side: the upper end of an upper bound; ``None`` where none can be stated."""
        return self.bracket.high if self.bound.bounds_from_above else self.bracket.low

    @property
    def share(self) -> float:
        """The sound side of what lies from 0 to 1, and is therefore always known."""
        quoted = self.quoted
        return (1.0 if self.bound.bounds_from_above else 0.0) if quoted is None else quoted


@dataclass(frozen=True, kw_only=True)
class ProvenEpsilon:
    """Upper and lower bound on epsilon at one scenario's delta, after all its training."""

    scenario: Scenario
    upper: Proven
    lower: Proven | None

    @property
    def count(self) -> int:
        """Steps or epochs of training, in the scenario's own unit."""
        return self.scenario.training.count

    @property
    def epsilon_upper(self) -> float | None:
        """Epsilon to quote as an upper bound; ``None`` where no finite one is known."""
        return self.upper.bracket.high

    @property
    def epsilon_lower(self) -> float | None:
        """Epsilon to quote as a lower bound; ``None`` where there is none, or none resolved."""
        return None if self.lower is None else self.lower.bracket.low


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """What is proven where one thing is varied to x, called as in "with ...", all else equal."""

    x: float
    name: str
    proven: ProvenEpsilon

    @property
    def scenario(self) -> Scenario:
        """The training set-up there."""
        return self.proven.scenario


def proven_epsilon(
    scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE, may_change_direction: bool = True
) -> ProvenEpsilon:
    """Return the best proven bounds on epsilon at the scenario's delta."""
    account = account_for(scenario, tolerance=tolerance, may_change_direction=may_change_direction)
    upper, lower = account.upper, account.lower
    return ProvenEpsilon(
        scenario=scenario,
        upper=epsilon_of(upper, scenario.delta),
        lower=None if lower is None else epsilon_of(lower, scenario.delta),
    )


def epsilon_of(curve: Curve, delta: float) -> Proven:
    """Return epsilon of a curve at one delta."""
    return Proven(bound=curve.bound_at(delta), bracket=curve.epsilon_at(delta))
