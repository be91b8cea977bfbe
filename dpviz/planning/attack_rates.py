"""What attackers achieve against one scenario, as plain arrays that can be kept and drawn."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from dpviz.accounting import DEFAULT_TOLERANCE, Account, Curve, best_upper, composed_curve
from dpviz.accounting.buckets import FloatArray
from dpviz.guarantees import Bound, guarantee_for
from dpviz.planning.proven import Proven
from dpviz.risk import (
    advantage,
    attained_true_positive_rates,
    loss_exceeded_with,
    success,
    true_positive_rate,
    true_positive_rates,
)
from dpviz.scenario import Scenario

# What an attacker gains depends on the curve at deltas around this one, whichever is quoted.
_RESOLVED_AT = 1e-3
FALSE_POSITIVE_RATES = (0.01, 0.1)
_SMALLEST_RATE = 1e-6


def risk_account(
    scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE, only_quoted: bool = False
) -> Account:
    """Return both bounds, fine where an attacker's rates are read off, not at the scenario's delta.

    ``tolerance`` is the largest relative gap of the bracket of epsilon at delta 1e-3.
    """
    compose = partial(
        composed_curve, at_delta=_RESOLVED_AT, tolerance=tolerance, only_quoted=only_quoted
    )
    guarantee = guarantee_for(scenario)
    lower = None if guarantee.lower is None else compose(guarantee.lower)
    return Account(scenario=scenario, upper=compose(guarantee.upper), lower=lower)


@dataclass(frozen=True, kw_only=True)
class Gain:
    """Upper bounds on what any attacker achieves; see :mod:`dpviz.risk`.

    Args:
        success: share of attacks that are right at even odds.
        hits: largest true positive rate at each of the ``FALSE_POSITIVE_RATES``.
    """

    success: Proven
    hits: tuple[Proven, ...]

    @property
    def bound(self) -> Bound:
        """Theorem, unit and count of the bound that all of it is of."""
        return self.success.bound


def attackers_gain(scenario: Scenario, *, tolerance: float = DEFAULT_TOLERANCE) -> Gain:
    """Return what an attacker gains at most, by the upper bound that allows the least success."""
    best = best_upper(scenario, at_delta=_RESOLVED_AT, tolerance=tolerance)
    rates = (true_positive_rate(best, rate) for rate in FALSE_POSITIVE_RATES)
    return Gain(
        success=Proven(bound=best.bound, bracket=success(best)),
        hits=tuple(Proven(bound=best.bound, bracket=bracket) for bracket in rates),
    )


# As written, since what a processor makes of a power is not always the round number beside it.
_POWERS = [float(f"{rate:.12g}") for rate in np.geomspace(_SMALLEST_RATE, 1.0, 61)]
_ROUND_RATES = [float(f"{digit}e-{power}") for power in range(1, 7) for digit in (1, 2, 5)]
# Every trade-off curve is known here, on linear and logarithmic axes.
DRAWN_RATES = np.unique([0.0, 1.0, *_ROUND_RATES, *_POWERS, *(np.arange(1, 50) / 50)])


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundedRates:
    """Advantage and true positive rates, shape (rates,), under one bound, on its sound side."""

    advantage: Proven
    hits: FloatArray

    @property
    def bound(self) -> Bound:
        """Theorem, direction, unit and count."""
        return self.advantage.bound


@dataclass(frozen=True, kw_only=True, eq=False)
class AttackRates:
    """What attackers achieve against a scenario's training.

    Args:
        rates: false positive rates, shape (rates,), increasing from 0 to 1.
        upper: no attacker has more.
        lower: some attacker has at least this, perhaps another one at another rate; ``None`` where
            nothing is proven.
        largest_loss: no odds grow by more than e to this, but with a probability of the scenario's
            delta at most; by the upper bound. ``None`` where the accountant certifies none.
    """

    scenario: Scenario
    rates: FloatArray
    upper: BoundedRates
    lower: BoundedRates | None
    largest_loss: float | None

    def at(self, rate: float) -> tuple[float, float | None]:
        """Return hits at most, and at least, at one of the rates."""
        place = int(np.searchsorted(self.rates, rate))
        assert self.rates[place] == rate  # the known ones only
        lower = None if self.lower is None else float(self.lower.hits[place])
        return float(self.upper.hits[place]), lower


def attack_rates(
    scenario: Scenario,
    rate: float,
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    only_quoted: bool = False,
) -> AttackRates:
    """Return what attackers achieve at ``DRAWN_RATES``, and at one more rate, from 0 to 1."""
    account = risk_account(scenario, tolerance=tolerance, only_quoted=only_quoted)
    rates = np.union1d(DRAWN_RATES, [rate])
    return AttackRates(
        scenario=scenario,
        rates=rates,
        upper=_bounded(account.upper, rates),
        lower=None if account.lower is None else _bounded(account.lower, rates),
        largest_loss=loss_exceeded_with(account.upper, scenario.delta),
    )


def _bounded(curve: Curve, rates: FloatArray) -> BoundedRates:
    return BoundedRates(
        advantage=Proven(bound=curve.bound, bracket=advantage(curve)),
        hits=true_positive_rates(curve, rates).high
        if curve.quotes_high
        else attained_true_positive_rates(curve, rates).low,
    )


def pair_hits(epsilon: float, delta: float, rates: FloatArray) -> FloatArray:
    """Return the true positive rates that one pair (epsilon, delta) alone allows, rounded up.

    The smaller one of e^epsilon FPR + delta and 1 - e^-epsilon (1 - FPR - delta), at most 1.
    """
    with np.errstate(over="ignore"):
        odds = np.exp(epsilon) * rates if epsilon < 700.0 else np.where(rates > 0.0, np.inf, 0.0)
    # 1 less what is missed, without the difference of two numbers that are nearly equal.
    others = np.exp(-epsilon) * np.minimum(rates + delta, 1.0) - np.expm1(-epsilon)
    hits = np.minimum(odds + delta, others) * (1.0 + 2.0**-40)
    return np.asarray(np.minimum(hits, 1.0))
