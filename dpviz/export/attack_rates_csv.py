"""An attacker's hits and false alarms as CSV, with a header that says what every column means."""

import io

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.attack_rates import pair_hits
from dpviz.risk import posterior_of_claim
from dpviz.wording.attack_rates import Told
from dpviz.wording.scope import conditions, protected_in, relation_name
from dpviz.wording.theorems import bound_meaning


def attack_rates_csv(told: Told) -> str:
    """Return the curves as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.attack_rates import attack_rates
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> told = Told(rates=attack_rates(toy, 0.01), curves=curves_of(toy), rate=0.01, prior=0.5)
    >>> attack_rates_csv(told).splitlines()[-1][:12]
    '1.0,1.0,1.0,'
    """
    known, scenario = told.rates, told.rates.scenario
    upper, lower, epsilon = known.upper, known.lower, told.curves.epsilon_upper
    individual = f"{protected_in(scenario)}; " + relation_name(scenario.relation)
    needed = conditions([upper.bound])
    lines = [
        f"dpviz {dpviz.__version__}: true against false positive rates of attackers who tell two "
        "neighbouring data sets apart, after all of training",
        *([f"conditions: {needed}"] if needed else []),
        "false_positive_rate: share of false alarms",
        "true_positive_rate_upper: no attacker has more hits; "
        f"{bound_meaning(upper.bound)}; for {individual}",
        "true_positive_rate_lower: some attacker has at least so many, perhaps another one at "
        "another rate; "
        + ("none proven" if lower is None else f"{bound_meaning(lower.bound)}; for {individual}"),
        f"true_positive_rate_pair: what epsilon = {epsilon!r} at delta = {scenario.delta!r} alone "
        "allows; empty where there is no finite epsilon",
        f"posterior_upper: a claim is right with at most this probability, at prior {told.prior!r}",
        f"advantage: at most {upper.advantage.share!r}"
        + ("" if lower is None else f", at least {lower.advantage.share!r}"),
        f"largest_loss: {known.largest_loss!r} nats, exceeded with probability at most delta",
        f"scenario: {json_in_csv(scenario)}",
    ]
    table = pd.DataFrame(
        {
            "false_positive_rate": known.rates,
            "true_positive_rate_upper": upper.hits,
            "true_positive_rate_lower": None if lower is None else lower.hits,
            "true_positive_rate_pair": None
            if epsilon is None
            else pair_hits(epsilon, scenario.delta, known.rates),
            "posterior_upper": [
                posterior_of_claim(told.prior, rate, hits) if rate > 0.0 else 1.0
                for rate, hits in zip(known.rates.tolist(), upper.hits.tolist(), strict=True)
            ],
        }
    )
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
