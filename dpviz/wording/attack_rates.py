"""What epsilon means for those who are in the data: an attacker's hits and false alarms."""

from dataclasses import dataclass

import numpy as np

from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import AttackRates, pair_hits
from dpviz.risk import gaussian_dp_mu
from dpviz.wording.numbers import power_of_ten, rounded, rounded_down, rounded_up
from dpviz.wording.protection import caveats
from dpviz.wording.scope import protected_in, run_length, scheme_name
from dpviz.wording.theorems import bound_meaning, named_theorem

_CROWD = 1000
TABLE_RATES = (0.01, 0.1)


@dataclass(frozen=True, kw_only=True, eq=False)
class Told:
    """What a page tells of.

    Args:
        rates: what attackers achieve.
        curves: epsilon at delta, of the same scenario.
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


def rates_headline(told: Told) -> str:
    """Return how many an attacker finds at so many false alarms, as Markdown.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.attack_rates import attack_rates
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> told = Told(rates=attack_rates(toy, 0.01), curves=curves_of(toy), rate=0.01, prior=0.5)
    >>> rates_headline(told).partition("An attacker ")[2].partition("**")[0]
    'who raises a false alarm on 10 of the latter finds on average '
    """
    scenario, bound = told.rates.scenario, told.rates.upper.bound
    crowd, alarms = _crowd(told.rate)
    most, least = told.hits
    parts = [
        f"After {run_length(scenario)} with {scheme_name(scenario.sampling)}, take "
        f"{crowd:,} individuals whose values were trained on, and {crowd:,} whose values had been "
        f"replaced by others before. An attacker who raises a false alarm on {alarms} of the "
        f"latter finds on average **at most {rounded_up(most * crowd)} of the former** "
        f"({bound_meaning(bound)}); guessing finds {alarms}.",
        caveats(bound),
    ]
    lower = told.rates.lower
    if lower is None or least is None:
        parts.append("No lower bound is proven for these settings: it may be far fewer.")
    else:
        parts.append(
            f"Some attacker finds **at least {rounded_down(least * crowd)}**, on some model and "
            f"data ({bound_meaning(lower.bound)})."
        )
    unit = protected_in(scenario)
    whom = f"Here one individual has {unit}."
    return " ".join(part for part in (*parts, whom) if part)


def rates_title(told: Told) -> str:
    """Return what the chart shows, as a finding."""
    most, _ = told.hits
    return unbroken(
        f"After {run_length(told.rates.scenario)}: at {percent(told.rate)} false alarms at most "
        f"{percent_up(most)} hits"
    )


def rates_description(told: Told) -> str:
    """Return the chart's content for those who cannot see it."""
    upper, lower = told.rates.upper, told.rates.lower
    parts = [
        f"{rates_title(told)}.",
        "Hits against false alarms of the best attack; both from 0 to 100 %.",
        f"At most, {bound_meaning(upper.bound)}: {_listed(told, is_upper=True)}.",
    ]
    if lower is not None:
        parts.append(f"At least, {bound_meaning(lower.bound)}: {_listed(told, is_upper=False)}.")
    if (pair := pair_at(told, told.rate)) is not None:
        parts.append(
            f"One pair of epsilon and delta alone allows {percent_up(pair)} at "
            f"{percent(told.rate)} false alarms."
        )
    return " ".join([*parts, "Guessing has as many hits as false alarms."])


def lossy_sentence(told: Told) -> str:
    """Return what one pair (epsilon, delta) allows where the whole curve allows less."""
    epsilon, (most, _) = told.curves.epsilon_upper, told.hits
    delta = power_of_ten(told.rates.scenario.delta)
    if epsilon is None:
        return f"No finite ε is proven at δ = {delta}; the whole curve still bounds the hits."
    pair = pair_at(told, told.rate)
    assert pair is not None  # there is an epsilon
    start = f"The one pair ε = {rounded_up(epsilon)}, δ = {delta} alone allows"
    at = f"at {percent(told.rate)} false alarms"
    if pair <= most or percent_up(pair) == percent_up(most):
        return f"{start} no more than the whole curve δ(ε) here: {percent_up(most)} hits {at}."
    return (
        f"**One pair is not the whole story.** {start} **{percent_up(pair)} hits** {at}; the whole "
        f"curve δ(ε), of which it is one point, allows **{percent_up(most)}**."
    )


def advantage_sentence(told: Told) -> str:
    """Return the largest difference of hits and false alarms, and mu where there is one."""
    upper, lower = told.rates.upper, told.rates.lower
    most = rounded_up(min(100.0 * upper.advantage.share, 100.0))
    text = (
        f"**Advantage**: at no rate do hits exceed false alarms by more than **{most} percentage "
        f"points** ({named_theorem(upper.bound.theorem)})"
    )
    if lower is not None:
        text += (
            f"; some attacker reaches {rounded_down(100.0 * lower.advantage.share)} "
            f"({named_theorem(lower.bound.theorem)})"
        )
    if (mu := gaussian_dp_mu(upper.bound)) is not None:
        text += (
            ". The upper curve is exactly that of telling N(0, 1) from N(μ, 1) with "
            f"μ = {rounded(mu, 6)} (Gaussian differential privacy)"
        )
    return f"{text}."


def rates_table(told: Told) -> str:
    """Return hits and misses at a few rates, as a Markdown table."""
    lines = [
        "| False alarms | Hits, at least | Hits, at most | Misses, at least | (ε, δ) alone: hits |",
        "| --- | --- | --- | --- | --- |",
    ]
    for rate in sorted({*TABLE_RATES, told.rate}):
        most, least = told.rates.at(rate)
        pair = pair_at(told, rate)
        lines.append(
            f"| {percent(rate)} | {'none proven' if least is None else percent_down(least)} | "
            f"{percent_up(most)} | {percent_down(max(1.0 - most, 0.0))} | "
            f"{'—' if pair is None else percent_up(pair)} |"
        )
    return "\n".join(lines)


def pair_at(told: Told, rate: float) -> float | None:
    """Return the hits that the quoted epsilon at delta alone allows; ``None`` if there is none."""
    epsilon = told.curves.epsilon_upper
    if epsilon is None:
        return None
    return float(pair_hits(epsilon, told.rates.scenario.delta, np.array([rate]))[0])


def percent(share: float) -> str:
    """Return a given share, as it is.

    >>> percent(0.01), percent(1e-5), percent(0.125)
    ('1 %', '0.001 %', '12.5 %')
    """
    return f"{rounded(100.0 * share, 6)} %"


def percent_up(share: float) -> str:
    """Return a share that is not below this one, and at most all.

    >>> percent_up(0.414191), percent_up(1.0)
    ('41.42 %', '100 %')
    """
    return f"{rounded_up(min(100.0 * share, 100.0))} %"


def percent_down(share: float) -> str:
    """Return a share that is not above this one."""
    return f"{rounded_down(100.0 * share)} %"


def unbroken(title: str) -> str:
    """Return a title in which no line breaks between a number and its per cent sign."""
    return title.replace(" %", "\N{NO-BREAK SPACE}%")


def _crowd(rate: float) -> tuple[int, str]:
    """Return how many people a rate is told of, and how many of them it is: at least one.

    >>> _crowd(0.01), _crowd(2e-5)
    ((1000, '10'), (100000, '2'))
    """
    crowd = _CROWD
    while crowd * rate < 1.0 - 1e-9:
        crowd *= 10
    return crowd, rounded(crowd * rate)


def _listed(told: Told, *, is_upper: bool) -> str:
    parts = []
    for rate in sorted({*TABLE_RATES, told.rate}):
        most, least = told.rates.at(rate)
        shown = percent_up(most) if is_upper else percent_down(least or 0.0)
        parts.append(f"{shown} hits at {percent(rate)} false alarms")
    return ", ".join(parts)
