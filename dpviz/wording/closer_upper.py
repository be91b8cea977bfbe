"""Proposition 23 in words: whom it covers, and what it says beside the classical bound."""

from dpviz.accounting import Curve
from dpviz.accounting.closer_upper import MOST_UNITS
from dpviz.guarantees import Bound
from dpviz.planning import ScenarioCurves
from dpviz.planning.calibrate import CloserNoise
from dpviz.planning.target import Target
from dpviz.scenario import Scenario
from dpviz.wording.numbers import (
    capitalised,
    epsilon_at_most,
    in_full,
    power_of_ten,
    rounded_down,
    rounded_up,
)
from dpviz.wording.scope import protected_in
from dpviz.wording.theorems import composed_source, composed_units, named_theorem, theorem_link

CLOSER_SCOPE = (
    "one window per series, drawn with replacement, of series drawn without replacement or walked "
    "through in order, individuals in one series, windows without noise, and 2 to "
    f"{MOST_UNITS:,} steps or epochs"
)
UNDER_WAY = "Goes through the run from its end …"
FAILED = "It was not computed, as something went wrong on this server. You can start it again."
ON_YOUR_OWN = "This server starts no long computations: `{command} --closer` prints it."


def introduction(closer: Bound, curves: ScenarioCurves) -> str:
    """Return what it is, and how it differs from the bound that is quoted."""
    return (
        f"Another upper bound on ε of the same run, by {theorem_link(closer.theorem)}: in one "
        f"{closer.unit.value} gradients cannot be the worst in both directions, as "
        f"{named_theorem(curves.upper.bound.theorem)}, composed, takes them to be."
    )


def closer_sentence(closer: Curve | None, curves: ScenarioCurves) -> str:
    """Return what was found beside what the page quotes; ``None`` where it is not smaller."""
    delta, theorem = curves.scenario.delta, named_theorem(curves.upper.bound.theorem)
    quoted = f"ε ≤ {rounded_up(curves.epsilon_upper or 0.0)} ({theorem})"
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

    The epsilon of ``closer`` at the scenario's delta is finite.
    """
    bound, delta = closer.bound, curves.scenario.delta
    epsilon = closer.quoted_epsilon_at(delta)
    assert epsilon is not None  # it is smaller than another one
    return (
        f"**Closer upper bound:** ε ≤ {rounded_up(epsilon)} at δ = {power_of_ten(delta)}\n\n"
        f"- {theorem_link(bound.theorem)}: the worst gradients of one {bound.unit.value} after the "
        f"other, over {composed_units(bound)}, rounded up. The truth may be smaller.\n"
        f"- Protected: {protected_in(curves.scenario)}.\n"
        "- It holds beside the upper bound above. All other numbers rest on that one."
    )


def noise_introduction(closer: Bound, classical: Bound) -> str:
    """Return why less noise than a plan's may do."""
    return (
        f"{theorem_link(closer.theorem)} may bound this run more closely than "
        f"{named_theorem(classical.theorem)}, the plan's bound, and so need less noise."
    )


def closer_noise_sentence(less: CloserNoise | None, planned: Scenario, target: Target) -> str:
    """Return the noise that Proposition 23 proves enough, beside the plan's, if it is ``less``."""
    sigma = planned.noise.noise_multiplier
    if less is None:
        return f"It proves no smaller σ here: σ = {in_full(sigma)} stands."
    bound, found = less.curve.bound, less.scenario.noise.noise_multiplier
    epsilon = less.curve.quoted_epsilon_at(target.delta)
    assert epsilon is not None  # it meets the target
    finite = epsilon_at_most(less.classical.quoted_epsilon_at(target.delta), "no finite ε")
    theorem = capitalised(named_theorem(less.classical.bound.theorem))
    return (
        f"**σ = {in_full(found)} is enough, {rounded_down(100.0 * (1.0 - found / sigma), 2)} % "
        f"less than the plan's {in_full(sigma)}: ε ≤ {rounded_up(epsilon)} at "
        f"δ = {power_of_ten(target.delta)}** (upper bound, {composed_source(bound)}), for "
        f"{protected_in(less.scenario)}. {theorem} gives {finite} there, and all other pages tell "
        "that number: once you use this σ, compute *A closer upper bound* on *Privacy curve*, so "
        "that statement and report tell both."
    )
