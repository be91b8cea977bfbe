"""What an attacker gains from a training run, as a section of a statement."""

from dpviz.guarantees import Bound
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import Gain
from dpviz.wording.attack_rates import gain_sentence
from dpviz.wording.numbers import rounded_down, rounded_up
from dpviz.wording.scope import protected_in
from dpviz.wording.theorems import composed_source


def attacker_words(curves: ScenarioCurves, gain: Gain) -> str:
    """Return the limits of every attack in words, as Markdown, with whom they are about.

    Args:
        curves: what is proven.
        gain: what an attacker gains at most from the same run.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.attack_rates import attackers_gain
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> "**at least 0.57" in attacker_words(curves_of(toy), attackers_gain(toy))
    True
    """
    scenario, bound = curves.scenario, gain.bound
    whom = f"what is protected ({protected_in(scenario)})"
    if_held = f" This holds if {bound.condition}." if bound.condition else ""
    advantage = rounded_up(2.0 * gain.success.share - 1.0)  # success is (1 + advantage) / 2
    parts = [
        f"The attacker knows two data sets that differ only in {whom}, and has to say on which of "
        "them the model was trained. No attack does better than this, whatever it computes."
        f"{if_held}",
        "",
        f"- {gain_sentence(gain)}",
        f"- The true positive rate exceeds the false positive rate by **at most {advantage}** "
        f"(advantage; upper bound, {_source(bound)}).",
    ]
    if curves.lower is not None:
        # The first of the epsilons is 0, where delta is the advantage.
        least = rounded_down(float(curves.lower.delta_low[0]))
        parts.append(
            f"- For some model an attacker's advantage is **at least {least}** "
            f"(attained lower bound, {_source(curves.lower.bound)})."
        )
    return "\n".join(parts)


def _source(bound: Bound) -> str:
    return composed_source(bound)
