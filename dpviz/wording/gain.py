"""What an attacker gains, in the words of odds."""

from dpviz.planning.attack_rates import FALSE_POSITIVE_RATES, Gain
from dpviz.wording.numbers import capitalised, rounded_up
from dpviz.wording.theorems import bound_meaning, condition_clause


def gain_sentence(gain: Gain) -> str:
    """Return how often an attacker can be right at most, as Markdown.

    >>> from dpviz.planning.attack_rates import attackers_gain
    >>> from dpviz.scenario import PRESETS
    >>> gain_sentence(attackers_gain(PRESETS["traffic"].scenario)).partition("likely, ")[2][:38]
    '**at most 52.79 are right** on average'
    """
    right = rounded_up(100.0 * gain.success.share)
    condition = condition_clause(gain.bound)
    return (
        f"Of 100 attackers who find both data sets equally likely, **at most {right} are right** "
        f"on average; guessing gets 50 right. {hits_sentence(gain)} "
        f"({bound_meaning(gain.bound)}{condition}; the attacker knows all settings and sees every "
        f"model.)"
    )


def hits_sentence(gain: Gain) -> str:
    """Return how many hits an attacker can have at few false alarms."""
    parts = [
        f"at {100.0 * rate:g} % false alarms **at most {rounded_up(100.0 * hits.share)} % hits**"
        for rate, hits in zip(FALSE_POSITIVE_RATES, gain.hits, strict=True)
    ]
    text = ", ".join(parts)
    return f"{capitalised(text)}."
