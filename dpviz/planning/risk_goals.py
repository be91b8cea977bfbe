"""Goals in terms of what an attacker gains."""

import math
from dataclasses import dataclass
from typing import ClassVar

from dpviz.accounting import Curve
from dpviz.planning.target import log_ratio
from dpviz.risk import advantage, success, true_positive_rate
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_real
from dpviz.scenario.view import RATE_RANGE, SUCCESS_RANGE

# Below the delta that decides, so that the curve is known well around it.
_SHARE_OF_ADVANTAGE = 0.1


@dataclass(frozen=True, kw_only=True)
class SuccessGoal:
    """How often an attacker may be right at most who finds both data sets equally likely.

    Args:
        success: a share of such attacks, above one half.

    Raises:
        ScenarioError: it is out of range.
    """

    success: float

    field: ClassVar[str] = "target_success"

    def __post_init__(self) -> None:
        value = checked_real(self.field, self.success, *SUCCESS_RANGE)
        object.__setattr__(self, "success", value)

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
        high = success(curve).high
        assert high is not None
        return _signed(advantage(curve).high, 2.0 * self.success - 1.0, high <= self.success)

    def least_excess(self, curve: Curve) -> float:
        """Return the same from below."""
        low = success(curve).low
        assert low is not None
        if low <= self.success:
            return -math.inf
        return max(0.0, log_ratio(advantage(curve).low, 2.0 * self.success - 1.0))

    def reached(self, curve: Curve) -> str:
        """Return how often an attacker may be right."""
        return f"at most {success(curve).high:.4g} of attacks right at even odds"


@dataclass(frozen=True, kw_only=True)
class HitsGoal:
    """How large a true positive rate an attacker may have at most at a given false positive rate.

    Args:
        false_positive_rate: share of false alarms.
        true_positive_rate: share of hits, more than that.

    Raises:
        ScenarioError: a rate is out of range, or the hits are not more than the false alarms.
    """

    false_positive_rate: float
    true_positive_rate: float

    field: ClassVar[str] = "target_true_positive_rate"

    def __post_init__(self) -> None:
        name = "target_false_positive_rate"
        false = checked_real(name, self.false_positive_rate, *RATE_RANGE)
        true = checked_real(self.field, self.true_positive_rate, *RATE_RANGE)
        if true <= false:
            raise ScenarioError(
                self.field,
                true,
                f"it must be more than the false positive rate ({false:g}), which a guess has",
            )
        object.__setattr__(self, "false_positive_rate", false)
        object.__setattr__(self, "true_positive_rate", true)

    @property
    def limit(self) -> float:
        """The share of hits."""
        return self.true_positive_rate

    def resolved_at(self) -> float:
        """Return a delta below what hits may exceed false alarms by."""
        return _SHARE_OF_ADVANTAGE * (self.true_positive_rate - self.false_positive_rate)

    def applied_to(self, scenario: Scenario) -> Scenario:
        """Return the scenario; its delta is of no effect on the goal."""
        return scenario

    def excess(self, curve: Curve) -> float:
        """Return the logarithm of hits beyond chance over those that are allowed."""
        high = self._hits(curve)[1]
        allowed = self.true_positive_rate - self.false_positive_rate
        met = high <= self.true_positive_rate
        return _signed(high - self.false_positive_rate, allowed, met)

    def least_excess(self, curve: Curve) -> float:
        """Return the same from below."""
        low = self._hits(curve)[0]
        if low <= self.true_positive_rate:
            return -math.inf
        allowed = self.true_positive_rate - self.false_positive_rate
        return max(0.0, log_ratio(low - self.false_positive_rate, allowed))

    def reached(self, curve: Curve) -> str:
        """Return how large the true positive rate may be."""
        return (
            f"a true positive rate of up to {self._hits(curve)[1]:.4g} at a false positive rate of "
            f"{self.false_positive_rate:g}"
        )

    def _hits(self, curve: Curve) -> tuple[float, float]:
        bracket = true_positive_rate(curve, self.false_positive_rate)
        assert bracket.low is not None
        assert bracket.high is not None
        return bracket.low, bracket.high


def _signed(value: float | None, limit: float, met: bool) -> float:
    """Return ln(value / limit), with the sign that says whether the goal is met."""
    by = log_ratio(value, limit)
    return min(by, 0.0) if met else max(by, math.ulp(1.0))
