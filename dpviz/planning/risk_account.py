"""The bounds of a scenario, computed for what an attacker makes of them."""

from dpviz.accounting import DEFAULT_TOLERANCE, Account, Curve, composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.scenario import Scenario

# What an attacker gains depends on the curve at deltas around this one, whichever is quoted.
_RESOLVED_AT = 1e-3


def risk_account(
    scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE, only_quoted: bool = False
) -> Account:
    """Return the upper bound that allows the smallest advantage, and the lower bound.

    Both are fine where an attacker's rates are read off, not at the scenario's own delta.

    Args:
        scenario: the training set-up.
        tolerance: largest relative gap of the bracket of epsilon at delta 1e-3.
        only_quoted: see :func:`dpviz.accounting.curve.composed_curve`.

    Raises:
        ScenarioError: no bound covers the scenario.

    >>> from dpviz.risk import attained_true_positive_rate, true_positive_rate
    >>> from dpviz.scenario import PRESETS
    >>> account = risk_account(PRESETS["toy"].scenario)
    >>> hits = attained_true_positive_rate(account.lower, 0.01).low
    >>> f"{hits:.3f} to {true_positive_rate(account.upper, 0.01).high:.3f}"
    '0.275 to 0.414'
    """
    lower = guarantee_for(scenario).lower
    return Account(
        scenario=scenario,
        upper=upper_on_attacks(scenario, tolerance=tolerance, only_quoted=only_quoted),
        lower=None
        if lower is None
        else composed_curve(
            lower, at_delta=_RESOLVED_AT, tolerance=tolerance, only_quoted=only_quoted
        ),
    )


def upper_on_attacks(
    scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE, only_quoted: bool = False
) -> Curve:
    """Return the upper bound alone; see :func:`risk_account`."""
    return composed_curve(
        guarantee_for(scenario).upper,
        at_delta=_RESOLVED_AT,
        tolerance=tolerance,
        only_quoted=only_quoted,
    )
