"""What an attacker gains at most from one training run."""

from dataclasses import dataclass

from dpviz.accounting import DEFAULT_TOLERANCE, Bracket
from dpviz.guarantees import Bound
from dpviz.planning.risk_account import upper_on_attacks
from dpviz.risk import success, true_positive_rate
from dpviz.scenario import Scenario

FALSE_POSITIVE_RATES = (0.01, 0.1)


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
    best = upper_on_attacks(scenario, tolerance=tolerance)
    return Gain(
        success=success(best),
        hits=tuple(true_positive_rate(best, rate) for rate in FALSE_POSITIVE_RATES),
        bound=best.bound,
    )
