"""A target (epsilon, delta), what may be left open to meet it, and how far a scenario is."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.accounting import best_upper, composed_curve
from dpviz.guarantees import Bound, guarantee_for
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_real
from dpviz.scenario.scenario import DELTA_RANGE

QUANTITIES = ("noise_multiplier", "steps", "epochs", "batch_size", "num_subsequences")
TARGET_EPSILON_RANGE = (1e-9, 1e9)


@dataclass(frozen=True, kw_only=True)
class Target:
    """The privacy to reach: ``epsilon`` at ``delta``.

    Raises:
        ScenarioError: a value is out of range.
    """

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        epsilon = checked_real("target_epsilon", self.epsilon, *TARGET_EPSILON_RANGE)
        object.__setattr__(self, "epsilon", epsilon)
        delta = checked_real("target_delta", self.delta, *DELTA_RANGE)
        object.__setattr__(self, "delta", delta)


def excess(scenario: Scenario, target: Target, tolerance: float) -> float:
    """Return ln(epsilon / target): at most 0 exactly where the target is met."""
    epsilon = best_upper(scenario, tolerance=tolerance).quoted_epsilon_at(target.delta)
    if epsilon is None:
        return math.inf
    if epsilon == 0.0:
        return -math.inf
    by = math.log(epsilon / target.epsilon)
    # The sign is that of the comparison, whatever the logarithm is rounded to.
    return min(by, 0.0) if epsilon <= target.epsilon else max(by, math.ulp(1.0))


def least_excess(scenario: Scenario, target: Target, tolerance: float) -> float:
    """Return ln(epsilon / target) from below, where :func:`excess` has it from above.

    Where that is not above 0, or not known to be, it is minus infinity.
    """
    guarantee = guarantee_for(scenario)
    bounds = (guarantee.upper, *guarantee.other_uppers)
    return min(_least_excess(bound, target, tolerance) for bound in bounds)


def _least_excess(bound: Bound, target: Target, tolerance: float) -> float:
    curve = composed_curve(bound, at_delta=target.delta, tolerance=tolerance)
    low = curve.epsilon_at(target.delta).low
    if low is None:
        # No epsilon was found that is large enough: at the target's own delta is too large.
        at_target = float(curve.delta_at(np.array([target.epsilon])).low[0])
        return math.inf if at_target > target.delta else -math.inf
    return math.log(low / target.epsilon) if low > target.epsilon else -math.inf


def value_of(scenario: Scenario, quantity: str) -> float | int:
    """Return the scenario's value of one of ``QUANTITIES``."""
    if quantity == "noise_multiplier":
        return scenario.noise.noise_multiplier
    if quantity in ("steps", "epochs"):
        return scenario.num_steps if quantity == "steps" else scenario.num_epochs
    sampling = scenario.sampling
    return sampling.batch_size if quantity == "batch_size" else sampling.num_subsequences


def unreachable(tightest: Scenario, quantity: str, target: Target) -> ScenarioError:
    """Return the error where even the tightest scenario does not meet the target."""
    epsilon = best_upper(tightest).quoted_epsilon_at(target.delta)
    reached = "no finite epsilon" if epsilon is None else f"epsilon {epsilon:.6g}"
    extreme = f"{value_of(tightest, quantity):,}".removesuffix(".0")
    return ScenarioError(
        "target_epsilon",
        target.epsilon,
        f"even {quantity} {extreme} gives {reached} at delta {target.delta:g}",
    )


def none_meets(first: Scenario, last: Scenario, quantity: str, target: Target) -> ScenarioError:
    """Return the error where none from one scenario to another is known to meet the target."""
    searched = f"{value_of(first, quantity):,} to {value_of(last, quantity):,}"
    # Epsilon need not be the smallest at either end: "even" would say too much.
    at_first = unreachable(first, quantity, target).allowed.removeprefix("even ")
    return ScenarioError(
        "target_epsilon",
        target.epsilon,
        f"of {quantity} {searched} none is known to meet it; {at_first}",
    )
