"""What noise on context and labels buys, and what it leaves of one value."""

from decimal import Decimal

import numpy as np

from dpviz.guarantees import Bound, covers_noise_on_windows, revealing_rate
from dpviz.planning import ScenarioCurves
from dpviz.planning.label_noise import (
    NEGLIGIBLE_EPSILON,
    NOISES,
    NoisedValue,
    NoiseMap,
    equivalent_forecast_length,
    noisy_bound,
    untold_by_rates,
    without_noise,
)
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION
from dpviz.wording.findings import epsilon_with_meaning, quoted_epsilon
from dpviz.wording.markup import plain
from dpviz.wording.numbers import (
    capitalised,
    counted,
    epsilon_at_most,
    in_full,
    joined,
    no_less,
    power_of_ten,
    rounded,
    rounded_up,
)
from dpviz.wording.scope import (
    CREDITED_NOISE,
    caveats,
    conditions,
    protected_in,
    run_length,
    scheme_name,
)
from dpviz.wording.texts import with_formulas
from dpviz.wording.theorems import bound_meaning, brief_source, condition_clause, extension_mark

WHAT_IS_COVERED = f"Theorem G.1 credits noise on windows only with {CREDITED_NOISE}."


def sigma_text(sigma: float) -> str:
    """Return a standard deviation in units of v, with all its digits.

    >>> sigma_text(2.0), sigma_text(0.0), sigma_text(1e6)
    ('2', '0', '10⁶')
    """
    if sigma == 0.0:
        return "0"
    return "10⁶" if sigma == LARGEST_AUGMENTATION else power_of_ten(sigma)


def noise_words(scenario: Scenario) -> str:
    """Return which noise the windows get."""
    noise = scenario.noise
    parts = [
        f"{name} = {sigma_text(sigma)} on {what}"
        for name, sigma, what in (
            ("σ_C", noise.context_noise, "context"),
            ("σ_F", noise.forecast_noise, "labels"),
        )
        if sigma > 0.0
    ]
    return f"noise of {' and '.join(parts)}" if parts else "no noise on windows"


def forecast_label(scenario: Scenario, *, is_own: bool = False) -> str:
    """Return a curve's name, by its noise on labels."""
    now = "now: " if is_own else ""
    return f"{now}labels with σ_F = {sigma_text(scenario.noise.forecast_noise)}"


def short_label(curves: ScenarioCurves, *, is_own: bool = False) -> str:
    """Return the same for a legend whose title says what it is, and what it comes to."""
    label = sigma_text(curves.scenario.noise.forecast_noise)
    return f"{label}{' (now)' if is_own else ''}: {quoted_epsilon(curves)}"


def legend_title(scenario: Scenario) -> str:
    """Return what the curves' short names stand for."""
    return f"Noise on labels σ_F (context: σ_C = {sigma_text(scenario.noise.context_noise)})"


def noise_title(own: ScenarioCurves, plain: ScenarioCurves) -> str:
    """Return what the noise buys, as a finding."""
    scenario, quoted, instead = own.scenario, quoted_epsilon(own), ""
    if not covers_noise_on_windows(scenario):
        words = _NOT_COVERED
    elif not scenario.noise.is_on_windows:
        words = "Without noise on windows"
    elif quoted == quoted_epsilon(plain):
        words = f"With {noise_words(scenario)}, as without"
    else:
        words = f"With {noise_words(scenario)}"
        instead = f"instead of {_number(plain.epsilon_upper)} "
    return f"{words}: {quoted} {instead}{_scope(scenario)}"


_NOT_COVERED = "No theorem covers noise on windows here"


def _scope(scenario: Scenario) -> str:
    return f"at δ = {power_of_ten(scenario.delta)}, after {counted(scenario.num_steps, 'step')}"


def noise_headline(own: ScenarioCurves, plain: ScenarioCurves) -> str:
    """Return epsilon with the noise against epsilon without it, with its scope, as Markdown."""
    scenario, words = own.scenario, noise_words(own.scenario)
    sampling, covered = scheme_name(scenario.sampling), covers_noise_on_windows(scenario)
    scope = f"for {protected_in(scenario)}: {run_length(scenario)}, {sampling}."
    told = epsilon_with_meaning(own).replace("finite ε proven", "finite ε is proven")
    if not scenario.noise.is_on_windows:
        rest = ""
        if (problem := untold_by_rates(scenario)) is not None:
            rest = f"{capitalised(problem.allowed)}."
        elif not covered:
            rest = f"Noise on windows would not count here. {WHAT_IS_COVERED}"
        least = f"{capitalised(_attained(own))}." if own.epsilon_lower else ""
        parts = [f"Without noise on windows {told}, {scope}", least, rest]
    elif not covered:
        start = f"**Here {words} does not count.** With or without it {told}, {scope}"
        parts = [start, WHAT_IS_COVERED]
    else:
        source = bound_meaning(plain.upper.bound)
        against = f"against **{quoted_epsilon(plain)}** without noise on windows ({source})"
        parts = [f"With {words} {told}, {against}, {scope}", _gain(own, plain)]
    return joined(*parts, caveats(own.upper.bound))


def _gain(own: ScenarioCurves, plain: ScenarioCurves) -> str:
    """Return how much of the difference is known to be real."""
    if own.epsilon_upper is None:
        return ""
    if plain.epsilon_lower is not None and own.epsilon_upper < plain.epsilon_lower:
        return f"Without it {_attained(plain)}: the gain is proven."
    if quoted_epsilon(own) == quoted_epsilon(plain):
        return "The noise changes none of these digits."
    return "Both are upper bounds: the gain itself is not proven."


def _attained(curves: ScenarioCurves) -> str:
    return f"{no_less(curves.epsilon_lower or 0.0)} (attained lower bound)"


NAMES = {"context": ("Context", "σ_C"), "forecast": ("Labels", "σ_F")}


def overlap_title(part: str, value: NoisedValue) -> str:
    """Return how well a change of one value shows, as a finding."""
    name, symbol = NAMES[part]
    return f"{name} with {symbol} = {sigma_text(value.sigma)}: TV = {told(value)}"


def told(value: NoisedValue) -> str:
    """Return the total variation distance, rounded up as all that an upper bound is made of."""
    return rounded_up(value.told_apart, 3)


def overlap_description(part: str, value: NoisedValue) -> str:
    """Return the drawing for those who cannot see it."""
    distance = rounded(value.distance, 4)
    said = (
        f"Two bell curves of standard deviation {sigma_text(value.sigma)} v, around 0 and around "
        f"{distance} v. Shaded is the area that the second one has beyond the first: "
        f"{told(value)} of 1."
    )
    if value.sigma == 0.0:
        spikes = f"two spikes, at 0 and at {distance} v"
        said = f"{NAMES[part][0]} without noise: {spikes}. The change always shows."
    return f"{overlap_title(part, value)}. {said}"


def overlap_explanation(scenario: Scenario) -> str:
    """Return what the drawings show and how they make q, as Markdown."""
    channels, width = scenario.relation.num_channels, scenario.relation.width
    moved = "v apart"
    if channels > 1:
        moved = f"√{channels:,} v apart, as all {channels:,} channels of a time step may change"
    several = (
        f"A window may show several of the {width:,} protected values at once, which reveals more."
    )
    return joined(
        f"One value with noise, before and after its change: two densities, {moved}. The shaded "
        "area is their total variation distance TV: 1 without noise, 0 where nothing shows.",
        several if width > 1 else "",
    )


def rate_sentence(scenario: Scenario) -> str:
    """Return q with and without the noise, on which alone ε depends; empty where none is proven."""
    if not covers_noise_on_windows(scenario):
        return ""
    plain = rounded(revealing_rate(without_noise(scenario)))
    noisy = rounded_up(revealing_rate(scenario))
    told = f"It is {noisy} with the noise and {plain} without."
    if not scenario.noise.is_on_windows:
        told = f"Without noise it is {plain}."
    return (
        f"q bounds the chance that one {scenario.sampling.composed_unit} shows the change: that a "
        f"drawn window holds it, and the noise does not hide it. {told}"
    )


def equivalent_sentence(scenario: Scenario) -> str:
    """Return how many labels without noise would reveal as much; empty where that is not known."""
    length = equivalent_forecast_length(scenario)
    if length is None or scenario.shape is None:
        return ""
    labels, count = scenario.shape.forecast_length, rounded_up(length, 3)
    return (
        f"{counted(labels, 'label')} with this noise reveal{'s' if labels == 1 else ''} as much as "
        f"{count} label{'' if count == '1' else 's'} without it would, at the same context and "
        "number of start positions."
    )


def times_change(sigma: float, change: float) -> str:
    """Return sigma v, rounded up: whoever adds what is written adds enough."""
    return rounded_up(Decimal(repr(sigma)) * Decimal(repr(change)), 6)


def noise_in_units(scenario: Scenario) -> str:
    """Return the noise in the data's own unit, as Markdown; the unit is what somebody typed."""
    noise, change, unit = scenario.noise, scenario.relation.max_change, scenario.units.value_unit
    suffix, said = f" {plain(unit)}" if unit else "", []
    for symbol, sigma, what in (
        ("σ_C", noise.context_noise, "each context value"),
        ("σ_F", noise.forecast_noise, "each label"),
    ):
        if sigma > 0.0:
            text, in_units = sigma_text(sigma), ""
            if change is not None:
                added = times_change(sigma, change)
                in_units = f": with $v$ = {in_full(change)}{suffix}, {added}{suffix}"
            start = f"{symbol} = {text} is noise of standard deviation {text} $v$ on {what}"
            said.append(f"{with_formulas(start)}{in_units}.")
    if said and change is None:
        said.append("Enter $v$, the largest change of one value, to see it in the data's unit.")
    return " ".join(said)


# A coarse table says little beyond this, in per cent.
_STILL_COARSE = 100.0


def map_title(shown: NoiseMap) -> str:
    """Return how far noise on labels alone goes, and noise on both, as a finding."""
    scope = _scope(shown.scenario)
    start, labels, both = (shown.epsilon[at] for at in ((0, 0), (-1, 0), (-1, -1)))
    if not covers_noise_on_windows(shown.scenario):
        return f"{_NOT_COVERED}: {epsilon_at_most(start)} {scope}"
    return (
        f"Noise on labels alone brings ε from {_number(start)} to {_number(labels)}, on context, "
        f"too, to {_number(both)} (upper bounds {scope}; σ up to {sigma_text(NOISES[-1])})"
    )


def cell_text(shown: NoiseMap, bound: Bound, labels: int, context: int) -> str:
    """Return what the map says at one place."""
    rate = float(shown.rates[labels, context])
    # With noise it is an upper bound, without it the chance itself.
    told_rate = rounded_up if labels or context else rounded
    lines = [
        f"σ_C = {sigma_text(NOISES[context])} on context, σ_F = {sigma_text(NOISES[labels])} on "
        "labels",
        f"<b>{epsilon_at_most(float(shown.epsilon[labels, context]))}</b>",
        f"upper bound, {brief_source(bound)}, δ = {power_of_ten(shown.scenario.delta)}",
        condition_clause(bound).removeprefix(", "),
        extension_mark(bound).removeprefix(", "),
        "" if np.isnan(rate) else f"q = {told_rate(rate)}",
    ]
    return "<br>".join(filter(None, lines))


def map_description(shown: NoiseMap, own: Scenario) -> str:
    """Return the map for those who cannot see it."""
    corners = [
        f"{epsilon_at_most(float(shown.epsilon[labels, context]))} at σ_C = "
        f"{sigma_text(NOISES[context])} and σ_F = {sigma_text(NOISES[labels])}"
        for labels, context in ((0, 0), (-1, 0), (0, -1), (-1, -1))
    ]
    noise = own.noise
    return joined(
        f"{map_title(shown)}. A map of upper bounds on epsilon over noise on context, to the "
        f"right, and on labels, upwards, each from 0 to {sigma_text(NOISES[-1])} times v. At its "
        f"corners: {'; '.join(corners)}.",
        conditions([noisy_bound(shown.scenario)]),
        f"Marked is σ_C = {sigma_text(noise.context_noise)}, σ_F = "
        f"{sigma_text(noise.forecast_noise)}.",
    )


def coarseness(shown: NoiseMap, *, has_all_digits: bool = False) -> str:
    """Return how far the map's numbers may be above what the theorem gives.

    Args:
        has_all_digits: whether they are written with all digits, and not told with four.
    """
    if not covers_noise_on_windows(shown.scenario):
        return "It is the same everywhere."
    start = "Each number is rounded up"
    of_digits = 0.0 if has_all_digits else 1e-3 * (1.0 + shown.excess)
    percent = 100.0 * (shown.excess + of_digits)
    if percent > _STILL_COARSE:
        return f"{start}; by how much is not computed."
    most = f"{rounded_up(percent, 2)} % or " if percent else ""
    return f"{start}, by at most {most}{power_of_ten(NEGLIGIBLE_EPSILON)}."


def _number(epsilon: float | None) -> str:
    return rounded_up(epsilon) if epsilon is not None and np.isfinite(epsilon) else "no finite one"
