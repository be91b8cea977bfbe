"""What an attacker gains at most from one training run."""

from dataclasses import dataclass

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket, Curve, composed_curve
from dpviz.guarantees import Bound, guarantee_for
from dpviz.risk import success, true_positive_rate
from dpviz.scenario import Scenario

FALSE_POSITIVE_RATES = (0.01, 0.1)
# What an attacker gains depends on the curve at deltas around this one, whichever is quoted.
_RESOLVED_AT = 1e-3


@dataclass(frozen=True, kw_only=True)
class Gain:
    """Upper bounds on what any attacker achieves; see :mod:`dpviz.risk`.

    Args:
        success: share of attacks that are right at even odds.
        hits: largest true positive rate at each of the ``FALSE_POSITIVE_RATES``.
        bound: theorem, unit and count of the bound that all of it is of.
    """

    success: Bracket
    hits: tuple[Bracket, ...]
    bound: Bound


def attackers_gain(scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE) -> Gain:
    """Return what an attacker gains at most, by the upper bound that allows the least success.

    Raises:
        ScenarioError: no bound covers the scenario.

    >>> from dpviz.scenario import PRESETS
    >>> gain = attackers_gain(PRESETS["traffic"].scenario)
    >>> f"{gain.success.high:.3f}", f"{gain.hits[0].high:.4f}"
    ('0.528', '0.0144')
    """
    guarantee = guarantee_for(scenario)
    curves = [
        composed_curve(bound, at_delta=_RESOLVED_AT, tolerance=tolerance)
        for bound in (guarantee.upper, *guarantee.other_uppers)
    ]

    best: Curve = min(curves, key=lambda curve: _high(success(curve)))
    return Gain(
        success=success(best),
        hits=tuple(true_positive_rate(best, rate) for rate in FALSE_POSITIVE_RATES),
        bound=best.bound,
    )


def _high(bracket: Bracket) -> float:
    assert bracket.high is not None  # a share is at most 1
    return bracket.high
