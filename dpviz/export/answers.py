"""Answers of the accountant as plain data for scripts, each number with its meaning."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpviz.accounting import Account, Bracket, Curve
from dpviz.accounting.closer_upper import closer_bound, closer_upper
from dpviz.guarantees import Kind
from dpviz.risk import (
    advantage,
    attained_true_positive_rate,
    gaussian_dp_mu,
    true_positive_rate,
)
from dpviz.scenario import to_fields

Answer = dict[str, Any]
NOT_REACHABLE = "no finite epsilon is certified at this delta"


def epsilon_answer(account: Account, deltas: Sequence[float]) -> Answer:
    """Return epsilon for each delta, under the account's upper and lower bound.

    >>> from dpviz.accounting import account_for
    >>> from dpviz.scenario import PRESETS
    >>> answer = epsilon_answer(account_for(PRESETS["toy"].scenario), [1e-7])
    >>> answer["composition"], round(answer["upper"]["epsilon"][0], 1)
    ({'unit': 'step', 'count': 1000}, 19.0)
    """

    def side(curve: Curve) -> Answer:
        brackets = [curve.epsilon_at(delta) for delta in deltas]
        quoted = [_plain(curve.quoted_epsilon_at(delta)) for delta in deltas]
        answer: Answer = {"epsilon": quoted, "delta": list(deltas), "bracket": _pairs(brackets)}
        if None in quoted:
            answer["reason"] = NOT_REACHABLE
        return answer

    return _answer(account, side)


def closer_answer(account: Account, deltas: Sequence[float]) -> Answer | None:
    """Return epsilon for each delta under Proposition 23; ``None`` where that does not apply.

    It is ``None`` at a delta where it is not smaller than the account's upper bound. A bracket has
    what the worst gradients tell: from the account's lower bound to this one.
    """
    bound = closer_bound(account.upper.bound)
    if bound is None:
        return None
    curves = [closer_upper(account.upper.bound, delta) for delta in deltas]
    highs = [
        None if c is None else c.epsilon_at(d).high for c, d in zip(curves, deltas, strict=True)
    ]
    lows = [None if account.lower is None else account.lower.epsilon_at(d).low for d in deltas]
    return {
        "theorem": bound.theorem,
        "kind": bound.kind_after_composition.value,
        "epsilon": [_plain(high) for high in highs],
        "delta": list(deltas),
        "bracket": [[_plain(low), _plain(high)] for low, high in zip(lows, highs, strict=True)],
    }


def delta_answer(account: Account, epsilons: Sequence[float]) -> Answer:
    """Return delta for each epsilon, under the account's upper and lower bound."""

    def side(curve: Curve) -> Answer:
        brackets = curve.delta_at(np.asarray(epsilons, dtype=np.float64))
        quoted = brackets.high if curve.quotes_high else brackets.low
        return {
            "epsilon": list(epsilons),
            "delta": quoted.tolist(),
            "bracket": np.stack([brackets.low, brackets.high], axis=-1).tolist(),
        }

    return _answer(account, side)


def risk_answer(account: Account, false_positive_rates: Sequence[float]) -> Answer:
    """Return what attackers achieve: at most under the upper bound, at least under the lower one.

    >>> from dpviz.planning.attack_rates import risk_account
    >>> from dpviz.scenario import PRESETS
    >>> answer = risk_answer(risk_account(PRESETS["toy"].scenario), [0.01])
    >>> [round(answer[side]["true_positive_rate"][0], 3) for side in ("lower", "upper")]
    [0.275, 0.414]
    """

    def side(curve: Curve) -> Answer:
        reach = true_positive_rate if curve.quotes_high else attained_true_positive_rate
        brackets = [reach(curve, rate) for rate in false_positive_rates]
        more, mu = advantage(curve), gaussian_dp_mu(curve.bound)
        return {
            "false_positive_rate": list(false_positive_rates),
            "true_positive_rate": [_quoted(curve, bracket) for bracket in brackets],
            "bracket": _pairs(brackets),
            "advantage": _quoted(curve, more),
            "advantage_bracket": _pairs([more])[0],
        } | ({} if mu is None else {"gaussian_dp_mu": mu})

    return _answer(account, side)


def _quoted(curve: Curve, bracket: Bracket) -> float | None:
    return _plain(bracket.high if curve.quotes_high else bracket.low)


def _answer(account: Account, side: Callable[[Curve], Answer]) -> Answer:
    bound = account.upper.bound
    return {
        "scenario": to_fields(account.scenario),
        "composition": {"unit": bound.unit.value, "count": bound.count},
        "upper": _meaning(account.upper) | side(account.upper),
        "lower": None if account.lower is None else _meaning(account.lower) | side(account.lower),
    }


def _meaning(curve: Curve) -> Answer:
    bound = curve.bound
    meaning: Answer = {
        "theorem": bound.theorem,
        "kind": bound.kind_after_composition.value,
        "tight_per_unit": bound.kind is Kind.TIGHT,
    }
    words = {
        "extension": bound.extension,
        "condition": bound.condition,
    }
    return meaning | {name: text for name, text in words.items() if text}


def _pairs(brackets: Sequence[Bracket]) -> list[list[float | None]]:
    return [[_plain(bracket.low), _plain(bracket.high)] for bracket in brackets]


def _plain(value: float | None) -> float | None:
    return None if value is None else float(value)
