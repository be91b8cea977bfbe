"""What epsilon means for 100 people: found, accused falsely, believed."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.planning.attack_rates import pair_hits
from dpviz.risk import posterior_of_claim
from dpviz.wording.attack_rates import Told
from dpviz.wording.numbers import (
    in_full,
    joined,
    per_hundred,
    percent_down,
    percent_up,
    power_of_ten,
    rounded_up,
)
from dpviz.wording.proven_epsilon import strength
from dpviz.wording.scope import (
    caveats,
    large_delta,
    protected_in,
    run_length,
    scheme_name,
    weak_delta,
)
from dpviz.wording.theorems import composed_source

PEOPLE = 100
_TRAININGS, _RARE = 1000, 10
_CROWDS = tuple(10**power for power in range(2, 9))
_ROUNDING = 1.0 + 2.0**-40  # of a few operations in double precision


@dataclass(frozen=True, kw_only=True)
class Odds:
    """What an attacker gains at one rate of false alarms; shares of people, upper bounds.

    Args:
        rate: the share of others who are accused falsely.
        prior: how likely the attacker held it beforehand that a person's values are there.
        most: the share of people in the data who are found, at most, by ``source``.
        success: the share of guesses that are right at even odds, at most.
        epsilon: the one at delta; ``None`` where none is finite.
        least: the share that some attacker finds, by ``least_source``; ``None``: nothing proven.
        weak: why delta is too large for epsilon to say how strong it is; empty where it is not.
        notes: what the bounds need, as sentences.
        person: of which training, and whom one person stands for, as sentences.
    """

    rate: float
    prior: float
    most: float
    success: float
    epsilon: float | None
    delta: float
    source: str
    least: float | None = None
    least_source: str = ""
    weak: str = ""
    notes: str = ""
    person: str = ""

    @property
    def found_at_most(self) -> int:
        """Of 100 people."""
        return people_at_most(self.most)

    @property
    def found_at_least(self) -> int | None:
        """Of 100 people, by some attacker; ``None`` where that is not told."""
        told = self.least if self.told_at_least else None
        return None if told is None else math.floor(PEOPLE * told)

    @property
    def told_at_most(self) -> str:
        """As a number of people with two digits: of few, whole ones may not differ from a guess."""
        return percent_up(self.most, 2).removesuffix(" %")

    @property
    def told_at_least(self) -> str:
        """As such a number; empty where none is proven to be more than a blind guess finds."""
        told = percent_down(self.least or 0.0, 2).removesuffix(" %")
        return told if float(told) > float(per_hundred(self.rate)) else ""


def odds_of_run(told: Told) -> Odds:
    """Return what is proven of a training run."""
    scenario, upper, lower = told.rates.scenario, told.rates.upper, told.rates.lower
    most, least = told.hits
    epsilon, delta = told.curves.epsilon_upper, power_of_ten(scenario.delta)
    loss = "" if epsilon is None else f", ε ≤ {rounded_up(epsilon)} at δ = {delta}"
    source, least_source = composed_source(upper.bound), ""
    if lower is not None:
        of_lower = composed_source(lower.bound)
        least_source = f"lower bound, {'by the same theorem' if of_lower == source else of_lower}"
    return Odds(
        rate=told.rate,
        prior=told.prior,
        most=most,
        success=(1.0 + upper.advantage.share) / 2.0,
        epsilon=epsilon,
        delta=scenario.delta,
        source=f"upper bound, {source}",
        least=least,
        least_source=least_source,
        weak=weak_delta(scenario),
        notes=caveats(upper.bound),
        person=f"Training: {run_length(scenario, 'step')}, {scheme_name(scenario.sampling)}{loss}. "
        f"A person here stands for {protected_in(scenario)}.",
    )


def odds_of_pair(epsilon: float, delta: float, rate: float, prior: float) -> Odds:
    """Return what (epsilon, delta)-differential privacy allows, whatever it is a property of.

    By its definition for a test and its complement in both directions (Kairouz, Oh and Viswanath
    2015, Theorem 2.1). ``rate`` is the share of false alarms, ``prior`` the belief beforehand.
    """
    return Odds(
        rate=rate,
        prior=prior,
        most=float(pair_hits(epsilon, delta, np.array([rate]))[0]),
        success=_success_of_pair(epsilon, delta),
        epsilon=epsilon,
        delta=delta,
        source=f"upper bound, by (ε, δ) = ({in_full(epsilon)}, {power_of_ten(delta)}) alone",
        weak=large_delta(delta),
        notes="This is the worst case of that ε: a training run usually allows less, as its whole "
        "curve δ(ε) is known.",
    )


def _success_of_pair(epsilon: float, delta: float) -> float:
    advantage = math.tanh(epsilon / 2.0) + 2.0 * delta / (1.0 + math.exp(min(epsilon, 700.0)))
    return min((1.0 + advantage) / 2.0 * _ROUNDING, 1.0)


def right_at_most(success: float, epsilon: float | None, delta: float) -> str:
    """Return for how many of 100 people a guess is right at most, and what epsilon alone allows.

    >>> right_at_most(0.7, 9.993, 1e-7), right_at_most(0.731, 1.0, 1e-7)
    ('70 (ε and δ alone allow 100)', '74')
    """
    right = people_at_most(success)
    alone = 0 if epsilon is None else people_at_most(_success_of_pair(epsilon, delta))
    return f"{right} (ε and δ alone allow {alone})" if alone > right else f"{right}"


def people_headline(odds: Odds) -> str:
    """Return how many of 100 people an attacker finds at most, as Markdown."""
    least = odds.told_at_least
    some = f"Some attacker finds at least {least} ({odds.least_source})." if least else ""
    return joined(
        f"Of {PEOPLE} people in the data, an attacker who falsely accuses {accused(odds.rate)} "
        f"others **finds at most {odds.told_at_most}** on average ({odds.source}).",
        odds.notes,
        f"A blind guess finds {per_hundred(odds.rate)}.",
        some,
        odds.person,
    )


def people_sentences(odds: Odds) -> str:
    """Return how strong that is, and what a guess, a claim and any outcome come to, as a list."""
    right = right_at_most(odds.success, odds.epsilon, odds.delta)
    claims = posterior_of_claim(odds.prior, odds.rate, odds.most)
    believed = per_hundred(odds.prior)
    lines = []
    if odds.epsilon is not None:
        of = "such a person" if odds.person else "whatever it is promised for"
        lines.append(f"**Scale.** {strength(odds.epsilon, of, odds.weak)}")
    lines += [
        f"**Guesses.** With each person as likely in the data as not, a coin toss is right for "
        f"{PEOPLE // 2} of {PEOPLE}, no attacker for more than {right}.",
        f"**Claims.** If that attacker thought it {believed} in {PEOPLE} likely beforehand, a "
        f"claim that a person is in the data is right in at most {people_at_most(claims)} of "
        f"{PEOPLE} cases.",
        f"**Outcomes.** {_outcomes(odds)}",
    ]
    return "\n".join(f"- {line}" for line in lines)


def people_description(odds: Odds) -> str:
    """Return the drawing's content for those who cannot see it."""
    least = odds.told_at_least
    some = f", of whom some attacker finds at least {least}" if least else ""
    return (
        f"{PEOPLE} people in the data: at most {odds.told_at_most} found{some}. {PEOPLE} others: "
        f"{accused(odds.rate)} accused falsely."
    )


def people_keys(odds: Odds) -> dict[str, str]:
    """Return what the drawing's marks stand for: of those found, and of those accused falsely."""
    most = f"at most {odds.told_at_most}"
    return {
        "found": f"at least {odds.told_at_least}, by some attacker",
        "perhaps": f"in all {most}" if odds.found_at_least else f"{most}, by any attacker",
        "accused": "accused falsely",
    }


def accused(rate: float) -> str:
    """Return a share of people, in whole numbers where there are such.

    >>> accused(0.01), accused(0.2), accused(0.0005), accused(0.0123456789)
    ('1 in 100', '20 in 100', '5 in 10,000', '1.23456789 in 100')
    """
    for crowd in _CROWDS:
        if rate * crowd >= 1.0 and math.isclose(rate * crowd, round(rate * crowd)):
            return f"{round(rate * crowd):,} in {crowd:,}"
    return f"{per_hundred(rate)} in {PEOPLE}"


def _outcomes(odds: Odds) -> str:
    delta = power_of_ten(odds.delta)
    if odds.epsilon is None:
        return f"No finite ε is proven at δ = {delta}: training may reveal anything."
    share = pair_hits(odds.epsilon, odds.delta, np.array([_RARE / _TRAININGS]))[0]
    most, pair = people_at_most(float(share), _TRAININGS), f"ε = {rounded_up(odds.epsilon)}"
    rare = f"{_RARE} of {_TRAININGS:,} trainings without a person's values reveal,"
    if most == _TRAININGS:
        return (
            f"{pair} and δ = {delta} alone hardly limit them: what {rare} nearly all with them may."
        )
    return f"What {rare} at most {most:,} of {_TRAININGS:,} with them do ({pair}, δ = {delta})."


def people_at_most(share: float, of: int = PEOPLE) -> int:
    """Return how many of so many people a share is at most.

    >>> people_at_most(0.021), people_at_most(1.001), people_at_most(0.5, of=1000)
    (3, 100, 500)
    """
    return min(math.ceil(of * share), of)
