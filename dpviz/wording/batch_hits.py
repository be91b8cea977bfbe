"""How often a batch hits, counted and by theory, and what one noisy gradient then tells."""

from dataclasses import replace

from dpviz.guarantees import Bound, Kind, Unit, guarantee_for
from dpviz.planning.hit_laws import HitCheck, HitCounts, batch_law, hit_check
from dpviz.planning.proven import Proven
from dpviz.planning.step_outputs import StepOutputs
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Noise, Scenario
from dpviz.wording.numbers import rounded, rounded_down, rounded_up
from dpviz.wording.protected_values import individual
from dpviz.wording.theorems import named_theorem


def weights_source(scenario: Scenario) -> str:
    """Return which theorem's mixture has the weights of the hits, or why none has.

    >>> from dpviz.scenario import PRESETS
    >>> weights_source(PRESETS["toy"].scenario)
    'the mixture weights of Theorem 4.4'
    """
    sampling, noise = scenario.sampling, scenario.noise
    plain = replace(scenario, noise=Noise(noise_multiplier=noise.noise_multiplier))
    guarantee = guarantee_for(plain)
    if sampling.is_shuffled:
        theorem = named_theorem(guarantee.upper.theorem)
        source = (
            f"the mixture weights of {theorem}, given that the step uses the series; in which step "
            "that is, no theorem uses"
        )
    elif guarantee.lower is None:
        source = (
            "how these draws are distributed if each series counts as the shortest; no theorem has "
            "them as weights"
        )
    else:
        source = f"the mixture weights of {named_theorem(guarantee.lower.theorem)}"
    if noise.context_noise > 0.0 or noise.forecast_noise > 0.0:
        source += "; noise on windows, which these weights leave out, makes a hit tell less"
    return source


def batch_headline(scenario: Scenario, outputs: StepOutputs) -> str:
    """Return how often a batch hits and what its noisy gradient tells, as Markdown."""
    law = batch_law(scenario)
    one = "the sensitive value" if scenario.relation.width == 1 else "a sensitive value"
    place = "The one step of an epoch that uses its series" if law.in_its_step else "One batch"
    several = ""
    if law.at_least(2) > 0.0:
        several = f", two or more with {rounded(law.at_least(2), 3)}"
    return (
        f"**{place} has a window with {one} with probability {rounded(law.at_least(1), 4)}**"
        f"{several} ({weights_source(scenario)}). {_apart(scenario, outputs.drawn)}"
    )


def _apart(scenario: Scenario, advantage: Proven) -> str:
    bound = advantage.bound
    is_upper = bound.bounds_from_above
    number = rounded_up(advantage.share) if is_upper else rounded_down(advantage.share)
    whose = "The noisy gradients" if is_upper else "The noisy gradients of some models"
    relation = "at most" if is_upper else "at least"
    whom = individual(scenario, bound)
    return (
        f"**{whose} with and without a change are {relation} {number} apart** (total variation "
        f"distance, {bound_words(bound)}, {unit_words(bound)}). The change: {whom}."
    )


def bound_words(bound: Bound) -> str:
    """Return direction and theorem of a bound on one unit.

    >>> from dpviz.scenario import PRESETS
    >>> bound_words(guarantee_for(PRESETS["toy"].scenario).upper)
    'upper bound, Theorem 4.4, attained by some gradients'
    """
    side = "upper" if bound.bounds_from_above else "lower"
    attained = ", attained by some gradients" if bound.kind is Kind.TIGHT else ""
    return f"{side} bound, {named_theorem(bound.theorem)}{attained}"


def unit_words(bound: Bound) -> str:
    """Return what one unit of a bound is."""
    if bound.unit is Unit.EPOCH:
        return "for one epoch, which uses the series in one step"
    return "for one step"


def hits_sentence(scenario: Scenario, counts: IntArray, seed: int) -> str:
    """Return whether counted hits agree with the theory, and how much chance allows."""
    law = batch_law(scenario)
    check = hit_check(counts, law)
    steps = "steps that use the series" if law.in_its_step else "batches"
    if check.batches == 0:
        return f"None of the drawn steps uses the series: with seed {seed:,} nothing is counted."
    return (
        f"**{check.counted:,} of {check.batches:,} {steps} hold a sensitive value; theory says "
        f"{rounded(check.expected, 4)} on average.** {_likely(check)}"
        f"{_several(counts, law)}"
    )


def _likely(check: HitCheck) -> str:
    spread = f" {check.low:,}" if check.low == check.high else f"{check.low:,} to {check.high:,}"
    ends = f"In at least 95 % of such runs chance alone leads to {spread} (exact binomial range)"
    if check.is_likely:
        return f"{ends}, and this one is among them: it does not contradict the weights."
    return (
        f"{ends}; this one is beyond. Up to one seed in twenty is, by chance: draw anew before "
        "you doubt either."
    )


def _several(counts: IntArray, law: HitCounts) -> str:
    check = hit_check(counts, law, hits=2)
    if check.chance == 0.0 and check.counted == 0:
        return ""
    return (
        f" Two sensitive windows or more: {check.counted:,}, expected "
        f"{rounded(check.expected, 3)} (in 95 % of runs {check.low:,} to {check.high:,})."
    )


def outputs_title(outputs: StepOutputs) -> str:
    """Return what the two densities show, as a finding."""
    advantage = outputs.drawn
    if advantage.bound.bounds_from_above:
        return f"One noisy gradient: its outputs are at most {rounded_up(advantage.share)} apart"
    return f"One noisy gradient: some outputs are {rounded_down(advantage.share)} apart or more"


def outputs_sentence(scenario: Scenario, outputs: StepOutputs) -> str:
    """Return which bound the two densities belong to, for whom, and what they mean."""
    drawn = outputs.drawn
    bound = drawn.bound
    parts = [
        f"The two curves are the pair of this {bound_words(bound)}, {unit_words(bound)}, along the "
        "direction that tells the most; the noise has standard deviation σ = "
        f"{rounded(scenario.noise.noise_multiplier)}, in clipping norms. The change: "
        f"{individual(scenario, bound)}."
    ]
    if bound.extension:
        parts.append(f"Note: {bound.extension}.")
    if bound.condition:
        parts.append(f"It holds only if {bound.condition}.")
    if bound.share < 1.0:
        parts.append(
            "They are drawn given that the series is in the batch; that has probability "
            f"{rounded(bound.share)}, and the distance counts times it."
        )
    if bound.other_pairs:
        parts.append("Of the series' several lengths, the shortest's curves are drawn.")
    parts.append(_guess(drawn))
    for other in (outputs.upper, outputs.lower):
        if other is not None and other is not drawn and other.bound.theorem != bound.theorem:
            parts.append(_other(scenario, other))
    if outputs.lower is None:
        parts.append("No lower bound is proven for these settings.")
    parts.append(
        "This is about one gradient: training shows many, and what they tell adds up (see the "
        "privacy curve)."
    )
    return " ".join(parts)


def _guess(advantage: Proven) -> str:
    success = (1.0 + min(advantage.share, 1.0)) / 2.0
    if advantage.bound.bounds_from_above:
        return (
            "Whoever sees that gradient alone, and finds both data sets equally likely before, "
            f"guesses right with probability {rounded_up(success)} at most."
        )
    return (
        "For some models, whoever sees that gradient alone, and finds both data sets equally "
        f"likely before, can guess right with probability {rounded_down(success)} at least."
    )


def _other(scenario: Scenario, other: Proven) -> str:
    is_upper = other.bound.bounds_from_above
    number = rounded_up(other.share) if is_upper else rounded_down(other.share)
    relation = "at most" if is_upper else "for some models at least"
    whom = individual(scenario, other.bound)
    return f"By {bound_words(other.bound)}, the distance is {relation} {number}, for {whom}."


def outputs_description(title: str, outputs: StepOutputs) -> str:
    """Return the chart of the densities for those who cannot see it."""
    bound = outputs.drawn.bound
    return (
        f"{title}. Two curves, the densities of one noisy gradient with and without the change, "
        f"with their common part shaded: {bound_words(bound)}, {unit_words(bound)}. "
        f"{_guess(outputs.drawn)}"
    )


def drawn_note(scenario: Scenario, batches: int, most: int) -> str:
    """Return that fewer batches than usual are drawn, and why; empty where it is not so."""
    if batches >= most:
        return ""
    return (
        f"Only {batches:,} batches are drawn here instead of {most:,}, as batches of "
        f"{scenario.sampling.batch_size:,} windows out of these series take long."
    )
