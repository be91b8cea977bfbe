"""What the map of epsilon over noise on context and labels says."""

import numpy as np

from dpviz.guarantees import Bound, covers_noise_on_windows
from dpviz.planning.label_noise import NEGLIGIBLE_EPSILON, NOISES, NoiseMap
from dpviz.scenario import Scenario
from dpviz.wording.label_noise import sigma_text
from dpviz.wording.numbers import counted, epsilon_at_most, power_of_ten, rounded, rounded_up
from dpviz.wording.theorems import brief_source

# A coarse table says little beyond this, in per cent.
_STILL_COARSE = 100.0


def map_title(shown: NoiseMap) -> str:
    """Return how far noise on labels alone goes, and noise on both, as a finding."""
    scenario = shown.scenario
    scope = f"at δ = {power_of_ten(scenario.delta)}, after {counted(scenario.num_steps, 'step')}"
    start, labels, both = (shown.epsilon[at] for at in ((0, 0), (-1, 0), (-1, -1)))
    if not covers_noise_on_windows(scenario):
        return f"No theorem says what noise on windows buys here: {epsilon_at_most(start)} {scope}"
    return (
        f"Noise on labels alone brings ε from {_number(start)} to {_number(labels)}, on context, "
        f"too, to {_number(both)} (upper bounds {scope}; σ up to {sigma_text(NOISES[-1])})"
    )


def cell_text(shown: NoiseMap, bound: Bound, labels: int, context: int) -> str:
    """Return what the map says at one place.

    Args:
        shown: the map.
        bound: of the place.
        labels: which noise on labels.
        context: which noise on context.
    """
    scenario = shown.scenario
    epsilon = float(shown.epsilon[labels, context])
    place = f"σ_C = {sigma_text(NOISES[context])} on context, σ_F = {sigma_text(NOISES[labels])}"
    source = f"upper bound, {brief_source(bound)}"
    scope = f"{source}, δ = {power_of_ten(scenario.delta)}"
    extension = "dpviz's extension" if bound.extension else ""
    rate = float(shown.rates[labels, context])
    q = "" if np.isnan(rate) else f"q = {rounded(rate)}"
    lines = [f"{place} on labels", f"<b>{epsilon_at_most(epsilon)}</b>", scope, extension, q]
    return "<br>".join(line for line in lines if line)


def map_description(shown: NoiseMap, own: Scenario) -> str:
    """Return the map for those who cannot see it."""
    corners = [
        f"{epsilon_at_most(float(shown.epsilon[labels, context]))} at σ_C = "
        f"{sigma_text(NOISES[context])} and σ_F = {sigma_text(NOISES[labels])}"
        for labels, context in ((0, 0), (-1, 0), (0, -1), (-1, -1))
    ]
    noise = own.noise
    return (
        f"{map_title(shown)}. A map of upper bounds on epsilon over noise on context, to the "
        f"right, and on labels, upwards, each from 0 to {sigma_text(NOISES[-1])} times v. At its "
        f"corners: {'; '.join(corners)}. Marked is σ_C = {sigma_text(noise.context_noise)}, σ_F = "
        f"{sigma_text(noise.forecast_noise)}."
    )


def coarseness(shown: NoiseMap) -> str:
    """Return how far above the bound's value the map's numbers may be.

    The bound's value is what its theorem gives, computed without rounding.
    """
    if not covers_noise_on_windows(shown.scenario):
        return "It is the same everywhere."
    start = "No number on the map is below the bound's own value"
    percent = 100.0 * shown.excess
    if percent > _STILL_COARSE:
        return f"{start}; how far above it is not computed so far."
    least = power_of_ten(NEGLIGIBLE_EPSILON)
    if percent == 0.0:
        return f"{start}, nor above it by more than ε = {least}."
    return f"{start}, nor above it by more than {rounded_up(percent, 2)} % (or ε = {least})."


def _number(epsilon: float) -> str:
    return rounded_up(epsilon) if np.isfinite(epsilon) else "no finite one"
