"""What the curves say, as sentences that stay true."""

from dpviz.guarantees import Bound, Kind
from dpviz.planning import SchemeCurves, TopLevelComparison
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.scope import (
    TOP_LEVEL_NAMES,
    composed_units,
    named_theorem,
    protected_unit,
    run_length,
)

# A bracket that is wider says more about the accountant than about the training.
_WIDE_GAP = 0.01


def headline(comparison: TopLevelComparison) -> str:
    """Return the main result with its scope, as Markdown.

    >>> from dpviz.planning import compare_top_levels
    >>> from dpviz.scenario import PRESETS
    >>> text = headline(compare_top_levels(PRESETS["toy"].scenario))
    >>> "**ε ≤ 19.03 at δ = 10⁻⁷**" in text
    True
    """
    scenario = comparison.scenario
    chosen = comparison.chosen
    delta = power_of_ten(scenario.delta)
    scheme = TOP_LEVEL_NAMES[chosen.top_level]
    run = f"After {run_length(scenario)} with {scheme}"
    hidden = protected_unit(scenario.relation, scenario.units)
    composed = composed_units(chosen.upper.bound)
    theorem = f"{named_theorem(chosen.upper.bound.theorem)} composed over {composed}"
    if chosen.epsilon_upper is None:
        return (
            f"{run}, **no finite ε is proven at δ = {delta}** for {hidden} ({theorem}): "
            "δ is smaller than the accountant resolves here. Choose a larger δ."
        )
    sentence = (
        f"{run}, training hides {hidden} with **ε ≤ {rounded_up(chosen.epsilon_upper)} "
        f"at δ = {delta}** (upper bound, {theorem})."
    )
    return f"{sentence} {_room_below(chosen)}"


def chart_title(comparison: TopLevelComparison) -> str:
    """Return the finding of the two curves: which scheme is proven to be the more private.

    Only a gap between one scheme's upper and the other's lower bound is a proof.
    """
    sampled, walked = comparison.schemes
    scenario = comparison.scenario
    if scenario.shape is None and scenario.steps_per_epoch != int((1 + 1e-12) / scenario.top_rate):
        # No walk through the series has this rate with these epochs, so there is no order.
        return f"What training gives away, with {scenario.steps_per_epoch:,} steps per epoch"
    delta = f"at δ = {power_of_ten(scenario.delta)}"
    if _proven_smaller(sampled, walked):
        return f"Drawing series at random is more private {delta}"
    if _proven_smaller(walked, sampled):
        return f"Walking through the series is more private {delta}"
    return f"Neither way of choosing series is proven more private {delta}"


def chart_description(comparison: TopLevelComparison) -> str:
    """Return the chart's content for those who cannot see it."""
    parts = [chart_title(comparison) + "."]
    for curves in comparison.schemes:
        name = TOP_LEVEL_NAMES[curves.top_level]
        parts.append(
            f"With {name}, by {named_theorem(curves.upper.bound.theorem)} composed over "
            f"{composed_units(curves.upper.bound)}, epsilon is {_epsilon_range(curves)} at delta "
            f"{comparison.scenario.delta!r}."
        )
    hidden = protected_unit(comparison.scenario.relation, comparison.scenario.units)
    parts.append(f"Protected is {hidden}.")
    parts.append("Delta falls as epsilon grows, on logarithmic axes.")
    return " ".join(parts)


def bound_meaning(bound: Bound) -> str:
    """Return direction, theorem, unit and count of a bound.

    >>> from dpviz.guarantees import sampled_top_level
    >>> bound_meaning(sampled_top_level(
    ...     bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=100).upper)
    'upper bound, Theorem 4.4 composed over 100 steps'
    """
    theorem = named_theorem(bound.theorem)
    return f"{_direction(bound)}, {theorem} composed over {composed_units(bound)}"


def bound_label(bound: Bound) -> str:
    """Return the same in fewer words, for narrow places."""
    return f"{_direction(bound)}, {named_theorem(bound.theorem)}, {composed_units(bound)}"


def scheme_change_note(scenario: Scenario) -> str:
    """Return what entering rates mode kept from the data's shape."""
    steps = counted(scenario.steps_per_epoch, "step")
    return (
        "The rates are now set directly and no longer follow from the data's shape. An epoch "
        f"keeps its {steps} (at most 1 / ρ); change that under data and windows."
    )


def _room_below(curves: SchemeCurves) -> str:
    if curves.epsilon_lower is None or curves.epsilon_upper is None:
        return ""
    if curves.epsilon_upper == 0.0:
        return "With ε = 0, what is seen of training differs by at most δ in probability."
    gap = curves.upper.epsilon.relative_gap
    if gap is None or gap > _WIDE_GAP:
        return "The accountant could not narrow this down further: see the table below the chart."
    if curves.upper.bound.kind_after_composition is Kind.TIGHT:
        return "The bound itself is tight: some model attains it."
    gap = curves.lower.epsilon.relative_gap
    if curves.epsilon_lower == 0.0 or gap is None or gap > _WIDE_GAP:
        return ""
    return (
        "No analysis can promise every model less than "
        f"ε = {rounded_down(curves.epsilon_lower)} at this δ (attained lower bound)."
    )


def _epsilon_range(curves: SchemeCurves) -> str:
    if curves.epsilon_upper is None:
        return "not bounded by a finite number"
    upper = f"at most {rounded_up(curves.epsilon_upper)}"
    if curves.epsilon_lower is None:
        return upper
    return f"{upper} and at least {rounded_down(curves.epsilon_lower)}"


def _proven_smaller(one: SchemeCurves, other: SchemeCurves) -> bool:
    if one.epsilon_upper is None or other.epsilon_lower is None:
        return False
    return one.epsilon_upper < other.epsilon_lower


def _direction(bound: Bound) -> str:
    kinds = {Kind.UPPER: "upper bound", Kind.LOWER: "lower bound", Kind.TIGHT: "exact"}
    return kinds[bound.kind_after_composition]
