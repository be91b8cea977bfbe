"""What may be asked of training, what a visitor asks, and how far a scenario is from it."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dpviz.accounting import Curve, best_upper
from dpviz.guarantees import Bound
from dpviz.planning.proven import Proven, epsilon_of
from dpviz.planning.quantities import value_of
from dpviz.risk import advantage, success, true_positive_rate
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import keep_real
from dpviz.scenario.number_text import number_rounded
from dpviz.scenario.scenario import DELTA_RANGE, TARGET_EPSILON_RANGE
from dpviz.settings import View
from dpviz.settings.planner import RATE_RANGE, SUCCESS_RANGE

_EPSILON_DIGITS, _SHARE_DIGITS = 6, 4
# Below the delta that decides, so that the curve is known well around it.
_SHARE_OF_ADVANTAGE = 0.1

# A goal is a number, called ``field``, that an upper bound must not exceed. How far a curve is from
# it is a logarithm: at most 0 exactly where the goal is met; it grows with what the curve allows.


@dataclass(frozen=True, kw_only=True)
class Target:
    """The privacy to reach: ``epsilon`` at ``delta``."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        keep_real(self, "epsilon", *TARGET_EPSILON_RANGE, field="target_epsilon")
        keep_real(self, "delta", *DELTA_RANGE, field="target_delta")

    field = "target_epsilon"

    @property
    def limit(self) -> float:
        """Epsilon."""
        return self.epsilon

    def resolved_at(self) -> float:
        """Return the delta around which a curve has to be known well: the target's."""
        return self.delta

    def applied_to(self, scenario: Scenario) -> Scenario:
        """Return the scenario that answers are about: at the target's delta."""
        return replace(scenario, delta=self.delta)

    def excess(self, curve: Curve) -> float:
        """Return ln(epsilon / target)."""
        return log_ratio(curve.quoted_epsilon_at(self.delta), self.epsilon)

    def least_excess(self, curve: Curve) -> float:
        """Return the same from below: above 0 only where the bound certainly misses the goal."""
        low = curve.epsilon_at(self.delta).low
        if low is None:
            # No epsilon was found that is large enough: at the target's own delta is too large.
            at_target = float(curve.delta_at(np.array([self.epsilon])).low[0])
            return math.inf if at_target > self.delta else -math.inf
        return math.log(low / self.epsilon) if low > self.epsilon else -math.inf

    def proven(self, curve: Curve) -> Proven:
        """Return epsilon at the target's delta."""
        return epsilon_of(curve, self.delta)

    def reached(self, proven: Proven) -> str:
        """Return what is proven in words that go on from "gives"."""
        epsilon = proven.quoted
        reached = "no finite epsilon"
        if epsilon is not None:
            reached = f"epsilon at most {_rounded_up(epsilon, _EPSILON_DIGITS)}"
        return f"{reached} at delta {self.delta!r}"

    def halved(self) -> "Target":
        """Return the goal of half of epsilon, or raise ``ScenarioError`` if that is none."""
        return Target(epsilon=0.5 * self.epsilon, delta=self.delta)


@dataclass(frozen=True, kw_only=True)
class SuccessGoal:
    """How often an attacker may be right (above one half) to whom both data sets are as likely."""

    success: float

    field: ClassVar[str] = "target_success"

    def __post_init__(self) -> None:
        keep_real(self, "success", *SUCCESS_RANGE, field=self.field)

    @property
    def limit(self) -> float:
        """The share."""
        return self.success

    def resolved_at(self) -> float:
        """Return a delta below the advantage that is allowed, 2 success - 1."""
        return _SHARE_OF_ADVANTAGE * (2.0 * self.success - 1.0)

    def applied_to(self, scenario: Scenario) -> Scenario:
        """Return the scenario; its delta is of no effect on the goal."""
        return scenario

    def excess(self, curve: Curve) -> float:
        """Return the logarithm of advantage over the advantage that is allowed."""
        is_met = self.proven(curve).share <= self.success
        return log_ratio(advantage(curve).high, 2.0 * self.success - 1.0, is_met=is_met)

    def least_excess(self, curve: Curve) -> float:
        """Return the same from below."""
        low = self.proven(curve).bracket.low or 0.0
        if low <= self.success:
            return -math.inf
        return max(0.0, log_ratio(advantage(curve).low, 2.0 * self.success - 1.0))

    def proven(self, curve: Curve) -> Proven:
        """Return how often an attacker may be right."""
        return Proven(bound=curve.bound, bracket=success(curve))

    def reached(self, proven: Proven) -> str:
        """Return the same in words."""
        return f"at most {_rounded_up(proven.share, _SHARE_DIGITS)} of attacks right at even odds"

    def halved(self) -> "SuccessGoal":
        """Return the goal with half of what exceeds guessing."""
        return SuccessGoal(success=0.5 + 0.5 * (self.success - 0.5))


@dataclass(frozen=True, kw_only=True)
class HitsGoal:
    """How large a true positive rate an attacker may have at most at a false positive rate."""

    false_positive_rate: float
    true_positive_rate: float

    field: ClassVar[str] = "target_true_positive_rate"

    def __post_init__(self) -> None:
        for name in ("false_positive_rate", "true_positive_rate"):
            keep_real(self, name, *RATE_RANGE, field=f"target_{name}")
        false, true = self.false_positive_rate, self.true_positive_rate
        if true <= false:
            only = f"it must be more than the false positive rate ({false!r}), which a guess has"
            raise ScenarioError(self.field, true, only)

    @property
    def limit(self) -> float:
        """The share of hits."""
        return self.true_positive_rate

    def resolved_at(self) -> float:
        """Return a delta below what hits may exceed false alarms by."""
        return _SHARE_OF_ADVANTAGE * self._beyond_chance

    def applied_to(self, scenario: Scenario) -> Scenario:
        """Return the scenario; its delta is of no effect on the goal."""
        return scenario

    def excess(self, curve: Curve) -> float:
        """Return the logarithm of hits beyond chance over those that are allowed."""
        high = self.proven(curve).share
        is_met = high <= self.true_positive_rate
        return log_ratio(high - self.false_positive_rate, self._beyond_chance, is_met=is_met)

    def least_excess(self, curve: Curve) -> float:
        """Return the same from below."""
        low = self.proven(curve).bracket.low or 0.0
        if low <= self.true_positive_rate:
            return -math.inf
        return max(0.0, log_ratio(low - self.false_positive_rate, self._beyond_chance))

    def proven(self, curve: Curve) -> Proven:
        """Return how large the true positive rate may be."""
        return Proven(
            bound=curve.bound, bracket=true_positive_rate(curve, self.false_positive_rate)
        )

    def reached(self, proven: Proven) -> str:
        """Return the same in words."""
        high = _rounded_up(proven.share, _SHARE_DIGITS)
        at = f"{self.false_positive_rate!r}"
        return f"a true positive rate of up to {high} at a false positive rate of {at}"

    def halved(self) -> "HitsGoal":
        """Return the goal with half of what exceeds guessing."""
        half = self.false_positive_rate + 0.5 * self._beyond_chance
        return replace(self, true_positive_rate=half)

    @property
    def _beyond_chance(self) -> float:
        return self.true_positive_rate - self.false_positive_rate


def _rounded_up(value: float, digits: int) -> str:
    """Return an upper bound in so many digits."""
    return f"{number_rounded(value, digits, up=True):.{digits}g}"


def log_ratio(value: float | None, limit: float, *, is_met: bool | None = None) -> float:
    """Return ln(value / limit), whose sign is that of the comparison whatever is rounded.

    ``is_met`` says which comparison that is, where it is not that of the two.
    """
    if value is None:
        return math.inf
    by = math.log(value / limit) if value > 0.0 else -math.inf
    is_within = value <= limit if is_met is None else is_met
    return min(by, 0.0) if is_within else max(by, math.ulp(1.0))


AttackGoal = SuccessGoal | HitsGoal
Goal = Target | AttackGoal


@dataclass(frozen=True, kw_only=True)
class Reached:
    """What attackers may achieve at most, and what is proven in its place of a training run."""

    goal: AttackGoal
    proven: Proven

    @property
    def is_met(self) -> bool:
        """Whether the goal is met."""
        return self.proven.share <= self.goal.limit


def reached_by(scenario: Scenario, goal: AttackGoal) -> Reached:
    """Return what is proven of a run in the place of a goal."""
    return Reached(goal=goal, proven=_proven_of(scenario, goal))


def _proven_of(scenario: Scenario, goal: Goal) -> Proven:
    return goal.proven(best_upper(scenario, at_delta=goal.resolved_at()))


def excess(scenario: Scenario, goal: Goal, tolerance: float, *, only_quoted: bool = False) -> float:
    """Return how far a scenario's best upper bound is from a goal: at most 0 where it is met.

    ``only_quoted``: see :func:`dpviz.accounting.curve.composed_curve`.
    """
    at = goal.resolved_at()
    return goal.excess(
        best_upper(scenario, at_delta=at, tolerance=tolerance, only_quoted=only_quoted)
    )


def least_excess(scenario: Scenario, goal: Goal, tolerance: float) -> float:
    """Return from below what :func:`excess` has from above.

    Where that is not above 0, or not known to be, it is minus infinity.
    """
    at = goal.resolved_at()
    return goal.least_excess(best_upper(scenario, at_delta=at, tolerance=tolerance))


class UnmetError(ScenarioError):
    """No value of a quantity is known to meet a goal.

    Attributes:
        first: the scenario at the value that is told: the tightest, where there is no last one.
        reached: what is proven of that one.
        last: the other end of what was searched, where neither need be the tightest.
    """

    def __init__(
        self,
        quantity: str,
        goal: Goal,
        first: Scenario,
        reached: Proven,
        last: Scenario | None = None,
    ) -> None:
        self.first, self.reached, self.last = first, reached, last
        self._made_of = (quantity, goal, first, reached, last)
        value = f"{value_of(first, quantity):,}".removesuffix(".0")
        gives = f"{quantity} {value} gives {goal.reached(reached)} ({_source(reached.bound)})"
        if last is None:
            allowed = f"even {gives}"
        else:
            searched = f"{quantity} {value} to {value_of(last, quantity):,}"
            allowed = f"of {searched} none is known to meet it; {gives}"
        super().__init__(goal.field, goal.limit, allowed)

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), self._made_of


def _source(bound: Bound) -> str:
    """Return theorem and composition of an upper bound, and what it rests on."""
    units = f"{bound.count:,} {bound.unit.value}{'' if bound.count == 1 else 's'}"
    source = f"upper bound by theorem {bound.theorem}, over {units}"
    needed = f"if {bound.condition}" if bound.condition else ""
    return "; ".join(filter(None, (source, bound.extension, needed)))


def unmet(first: Scenario, quantity: str, goal: Goal, last: Scenario | None = None) -> UnmetError:
    """Return the error where no value meets a goal; for its scenarios see :class:`UnmetError`."""
    return UnmetError(quantity, goal, first, _proven_of(first, goal), last)


def goal_of(view: View, delta: float) -> Goal:
    """Return what a visitor asks for."""
    if view.goal == "success":
        return SuccessGoal(success=view.target_success)
    if view.goal == "hits":
        return HitsGoal(
            false_positive_rate=view.target_false_positive_rate,
            true_positive_rate=view.target_true_positive_rate,
        )
    return Target(epsilon=view.target_epsilon, delta=delta)


def quantity_of(view: View, scenario: Scenario) -> str:
    """Return the open quantity; training is counted as the scenario does."""
    return scenario.training.unit if view.free_quantity == "training" else view.free_quantity
