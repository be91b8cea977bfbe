"""Proposition 23 in words: whom it covers, and what it says beside the classical bound."""

from dpviz.accounting import Curve
from dpviz.accounting.closer_upper import MOST_UNITS
from dpviz.guarantees import Bound
from dpviz.planning import ScenarioCurves
from dpviz.wording.numbers import power_of_ten, rounded_up
from dpviz.wording.scope import protected_in
from dpviz.wording.theorems import composed_source, composed_units, named_theorem, theorem_link

CLOSER_SCOPE = (
    "one window per series, drawn with replacement, of series drawn without replacement or walked "
    "through in order, individuals in one series, windows without noise, and 2 to "
    f"{MOST_UNITS:,} steps or epochs"
)
UNDER_WAY = "Goes through the run from its end …"
TOO_LONG = "It was ended: it takes longer than this server gives one visitor."
FAILED = "It was not computed, as something went wrong on this server. You can start it again."
ON_YOUR_OWN = "This server starts no long computations: `epsilon --closer` prints it."


def introduction(closer: Bound, curves: ScenarioCurves) -> str:
    """Return what it is, for whom, and how it differs from the bound that is quoted.

    Args:
        closer: by Proposition 23.
        curves: of the run.
    """
    return (
        f"An upper bound on ε of the whole run, {composed_units(closer)}, for "
        f"{protected_in(curves.scenario)}, by {theorem_link(closer.theorem)}: in one "
        f"{closer.unit.value} gradients cannot be the worst in both directions, as "
        f"{named_theorem(curves.upper.bound.theorem)}, composed, takes them to be."
    )


def closer_sentence(closer: Curve | None, curves: ScenarioCurves) -> str:
    """Return what was found, beside what the page quotes.

    Args:
        closer: by Proposition 23; ``None`` where it is not smaller.
        curves: of the same run.
    """
    delta, classical = curves.scenario.delta, curves.upper.bound
    quoted = f"ε ≤ {rounded_up(curves.epsilon_upper or 0.0)} ({named_theorem(classical.theorem)})"
    epsilon = None if closer is None else closer.quoted_epsilon_at(delta)
    if closer is None or epsilon is None:
        return f"It is not smaller here: {quoted} at δ = {power_of_ten(delta)} stands."
    return (
        f"**ε ≤ {rounded_up(epsilon)} at δ = {power_of_ten(delta)}** (upper bound, "
        f"{composed_source(closer.bound)}), beside {quoted}. Both hold. Statement and report tell "
        "both; all other numbers and files keep to the second."
    )


def closer_facts(closer: Curve, curves: ScenarioCurves) -> str:
    """Return it as a statement tells it, below the bounds that the statement rests on.

    Args:
        closer: by Proposition 23, with a finite epsilon at the scenario's delta.
        curves: of the same run.
    """
    bound, delta = closer.bound, curves.scenario.delta
    epsilon = closer.quoted_epsilon_at(delta)
    assert epsilon is not None  # it is smaller than another one
    facts = (
        f"{theorem_link(bound.theorem)}: the worst gradients of one {bound.unit.value} after the "
        f"other, over {composed_units(bound)}, rounded up. The truth may be smaller.",
        f"Protected: {protected_in(curves.scenario)}.",
        "It holds beside the upper bound above. All other numbers, and what is decided by them, "
        "rest on that one.",
    )
    heading = f"**Closer upper bound:** ε ≤ {rounded_up(epsilon)} at δ = {power_of_ten(delta)}"
    return "\n".join([heading, "", *(f"- {fact}" for fact in facts)])
