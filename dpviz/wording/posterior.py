"""What an attacker may believe afterwards, in words and in numbers."""

import math

from dpviz.risk import posterior_at_loss, posterior_of_claim
from dpviz.wording.attack_rates import Told, percent, percent_down, percent_up, unbroken
from dpviz.wording.numbers import power_of_ten, rounded_up

# Larger factors than e to this are no more telling than the exponent.
_LARGEST_TOLD = 14.0


def posterior_text(told: Told) -> str:
    """Return what a claim, and any outcome at all, may do to a belief; as Markdown.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.attack_rates import attack_rates
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["traffic"].scenario
    >>> told = Told(rates=attack_rates(toy, 0.01), curves=curves_of(toy), rate=0.01, prior=0.5)
    >>> "right with probability **at most 59 %**" in posterior_text(told)
    True
    """
    return "\n\n".join([_of_a_claim(told), _of_any_outcome(told)])


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
    lower = told.rates.lower
    most = percent_up(claim_at_most(told, told.prior))
    text = (
        f"**After one claim.** An attacker with {percent(told.rate)} false alarms who held it for "
        f"{percent(told.prior)} likely beforehand that the individual's values were trained on, "
        f"and now claims so, is right with probability **at most {most}**"
    )
    least = told.hits[1]
    if lower is not None and least is not None:
        reached = posterior_of_claim(told.prior, told.rate, least)
        text += f"; the claims of some attacker are right with at least {percent_down(reached)}"
    return f"{text}. A more careful attacker, with fewer false alarms, may be surer."


def _of_any_outcome(told: Told) -> str:
    scenario, loss = told.rates.scenario, told.rates.largest_loss
    delta = power_of_ten(scenario.delta)
    if loss is None:
        return (
            "**After any outcome.** No limit is certified that holds but with probability "
            f"{delta}: choose a larger δ."
        )
    anything = outcome_at_most(told, told.prior)
    assert anything is not None  # there is a loss
    grown = math.exp(min(loss, _LARGEST_TOLD)) * (1.0 + 2.0**-40)
    odds = "" if loss > _LARGEST_TOLD else f", {rounded_up(grown)} times"
    belief = percent_up(anything)
    limit = f"nothing that training reveals makes it more than **{belief}** likely"
    if belief == "100 %":
        limit = "training may still make it **all but certain**"
    text = (
        f"**After any outcome.** But for outcomes whose probability is at most δ = {delta} "
        f"together, {limit}: the odds grow by at most e^{rounded_up(loss)}{odds}. This holds for "
        "every attack, careful or not; in the exceptional outcomes anything may be revealed."
    )
    epsilon = told.curves.epsilon_upper
    if epsilon is not None and epsilon < loss:
        text += (
            f" The exponent is more than ε = {rounded_up(epsilon)}: that the odds grow by more "
            "than e^ε with probability at most δ does not follow from (ε, δ)."
        )
    return text
