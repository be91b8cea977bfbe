"""What epsilon means for those who are in the data: hits, false alarms, beliefs afterwards."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import FALSE_POSITIVE_RATES, AttackRates, Gain, pair_hits
from dpviz.risk import gaussian_dp_mu, posterior_at_loss, posterior_of_claim
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    per_hundred,
    percent_down,
    percent_up,
    power_of_ten,
    rounded_up,
)
from dpviz.wording.scope import run_length
from dpviz.wording.theorems import bound_meaning, named_theorem, qualified_meaning

TABLE_RATES = (0.01, 0.1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Told:
    """What a page tells of.

    Args:
        rate: the false positive rate that is told of; one of the known ones.
        prior: how likely an attacker holds it beforehand that the values are there.
    """

    rates: AttackRates
    curves: ScenarioCurves
    rate: float
    prior: float

    @property
    def hits(self) -> tuple[float, float | None]:
        """Hits at most, and at least, at the rate that is told of."""
        return self.rates.at(self.rate)


def rates_description(told: Told) -> str:
    """Return the chart's content for those who cannot see it."""
    upper, lower, at = told.rates.upper, told.rates.lower, f"{percent(told.rate)} false alarms"
    hits = f"at {at} at most {percent_up(told.hits[0])} hits"
    parts = [
        unbroken(f"After {run_length(told.rates.scenario)}: {hits}."),
        "Hits against false alarms of the best attack; both from 0 to 100 %.",
        f"At most, {qualified_meaning(upper.bound)}: {_listed(told, is_upper=True)}.",
    ]
    if lower is not None:
        parts.append(f"At least, {bound_meaning(lower.bound)}: {_listed(told, is_upper=False)}.")
    if (pair := _pair_at(told, told.rate)) is not None:
        parts.append(f"One pair of epsilon and delta alone allows {percent_up(pair)} at {at}.")
    return " ".join([*parts, "Guessing has as many hits as false alarms."])


def lossy_sentence(told: Told) -> str:
    """Return what one pair (epsilon, delta) allows where the whole curve allows less."""
    epsilon, (most, _) = told.curves.epsilon_upper, told.hits
    delta = power_of_ten(told.rates.scenario.delta)
    if epsilon is None:
        return f"No finite ε is proven at δ = {delta}; the whole curve still bounds the hits."
    pair = _pair_at(told, told.rate)
    assert pair is not None  # there is an epsilon
    start = f"The one pair ε = {rounded_up(epsilon)}, δ = {delta} alone allows"
    at = f"at {percent(told.rate)} false alarms"
    if pair <= most or percent_up(pair) == percent_up(most):
        return f"{start} no more than the whole curve δ(ε) here: {percent_up(most)} hits {at}."
    return (
        f"{start} **{percent_up(pair)} hits** {at}; the whole curve δ(ε), of which it is one "
        f"point, **{percent_up(most)}**."
    )


def advantage_sentence(told: Told) -> str:
    """Return the largest difference of hits and false alarms, and mu where there is one."""
    upper, lower = told.rates.upper, told.rates.lower
    most = percent_up(upper.advantage.share).removesuffix(" %")
    text = (
        f"**Advantage**: at no rate do hits exceed false alarms by more than **{most} percentage "
        f"points** ({named_theorem(upper.bound.theorem)})"
    )
    if lower is not None:
        text += (
            f"; some attacker reaches {percent_down(lower.advantage.share).removesuffix(' %')} "
            f"({named_theorem(lower.bound.theorem)})"
        )
    if (mu := gaussian_dp_mu(upper.bound)) is not None:
        text += (
            ". The upper curve is exactly that of telling N(0, 1) from N(μ, 1) with "
            f"μ = {rounded_up(mu, 6)} (Gaussian differential privacy)"
        )
    return f"{text}."


def rates_table(told: Told) -> str:
    """Return hits and misses at a few rates, as a Markdown table."""
    rows = []
    for rate in sorted({*TABLE_RATES, told.rate}):
        (most, least), pair = told.rates.at(rate), _pair_at(told, rate)
        at_least = "none proven" if least is None else percent_down(least)
        missed = percent_down(max(1.0 - most, 0.0))
        alone = "—" if pair is None else percent_up(pair)
        rows.append((percent(rate), at_least, percent_up(most), missed, alone))
    heads = "False alarms", "Hits, at least", "Hits, at most", "Misses, at least"
    return markdown_table([*heads, "(ε, δ) alone: hits"], rows)


def _pair_at(told: Told, rate: float) -> float | None:
    """Return the hits that the quoted epsilon at delta alone allows; ``None`` if there is none."""
    epsilon = told.curves.epsilon_upper
    if epsilon is None:
        return None
    return float(pair_hits(epsilon, told.rates.scenario.delta, np.array([rate]))[0])


def percent(share: float) -> str:
    """Return a given share, as it is."""
    return f"{per_hundred(share)} %"


def unbroken(title: str) -> str:
    """Return a title in which no line breaks between a number and its per cent sign."""
    return title.replace(" %", "\N{NO-BREAK SPACE}%")


def _listed(told: Told, *, is_upper: bool) -> str:
    parts = []
    for rate in sorted({*TABLE_RATES, told.rate}):
        most, least = told.rates.at(rate)
        shown = percent_up(most) if is_upper else percent_down(least or 0.0)
        parts.append(f"{shown} hits at {percent(rate)} false alarms")
    return ", ".join(parts)


# Larger factors than e to this are no more telling than the exponent.
_LARGEST_TOLD = 14.0


def posterior_text(told: Told) -> str:
    """Return what a claim, and any outcome at all, may do to a belief; as Markdown."""
    return f"{_of_a_claim(told)}\n\n{_of_any_outcome(told)}"


def posterior_title(told: Told) -> str:
    """Return what the chart of beliefs shows, as a finding."""
    claim = percent_up(claim_at_most(told, told.prior))
    return unbroken(f"From {percent(told.prior)} beforehand to at most {claim} after a claim")


def posterior_description(told: Told) -> str:
    """Return the chart's content for those who cannot see it."""
    text = (
        f"{posterior_title(told)}, at {percent(told.rate)} false alarms. The belief afterwards "
        "against the belief beforehand, both from 0 to 100 %."
    )
    anything = outcome_at_most(told, told.prior)
    if anything is not None:
        text += (
            f" After any outcome, but for some of probability at most "
            f"{power_of_ten(told.rates.scenario.delta)}: at most {percent_up(anything)}."
        )
    return f"{text} Without an attack nothing changes."


def claim_at_most(told: Told, prior: float) -> float:
    """Return how likely a claim is right at most, for an attacker with the rate that is told of."""
    return posterior_of_claim(prior, told.rate, told.hits[0])


def outcome_at_most(told: Told, prior: float) -> float | None:
    """Return what any outcome makes of a belief at most, but for some of probability delta."""
    loss = told.rates.largest_loss
    return None if loss is None else posterior_at_loss(prior, loss)


def _of_a_claim(told: Told) -> str:
    most, least = percent_up(claim_at_most(told, told.prior)), told.hits[1]
    text = (
        "**After one claim** that the individual's values were trained on, held for "
        f"{percent(told.prior)} likely beforehand, an attacker with {percent(told.rate)} false "
        f"alarms is right with probability **at most {most}**"
    )
    if least is not None:
        reached = posterior_of_claim(told.prior, told.rate, least)
        text += f"; some attacker is right with at least {percent_down(reached)}"
    return f"{text}. With fewer false alarms an attacker may be surer."


def _of_any_outcome(told: Told) -> str:
    scenario, loss = told.rates.scenario, told.rates.largest_loss
    delta = power_of_ten(scenario.delta)
    if loss is None:
        return (
            "**After any outcome.** No limit is certified that holds except with probability "
            f"{delta}: choose a larger δ."
        )
    grown = math.exp(min(loss, _LARGEST_TOLD)) * (1.0 + 2.0**-40)
    odds = "" if loss > _LARGEST_TOLD else f", {rounded_up(grown)} times"
    belief = percent_up(posterior_at_loss(told.prior, loss))
    limit = f"nothing that training reveals makes it more than **{belief}** likely: "
    if belief == percent_up(told.prior):  # as it was beforehand, in these digits
        limit = ""
    elif belief == "100 %":
        limit = "training may still make it **all but certain**: "
    text = (
        f"**After any outcome,** but for some of probability at most δ = {delta} together, "
        f"{limit}the odds grow by at most e^{rounded_up(loss)}{odds}. This holds for every "
        "attack; after those few anything may be revealed."
    )
    epsilon = told.curves.epsilon_upper
    if epsilon is not None and epsilon < loss:
        text += (
            f" The exponent exceeds ε = {rounded_up(epsilon)}: (ε, δ) alone does not limit the "
            "odds to e^ε with probability 1 − δ."
        )
    return text


def gain_sentence(gain: Gain) -> str:
    """Return how often an attacker can be right at most, as Markdown."""
    right = percent_up(gain.success.share).removesuffix(" %")
    hits = ", ".join(
        f"at {percent(rate)} false alarms **at most {percent_up(one.share)} hits**"
        for rate, one in zip(FALSE_POSITIVE_RATES, gain.hits, strict=True)
    )
    return (
        f"Of 100 attackers who find the protected values as likely in the data as not, **at most "
        f"{right} are right** on average; guessing gets 50 right. {capitalised(hits)} "
        f"({qualified_meaning(gain.bound)}; the attacker knows all settings and sees every model)."
    )
