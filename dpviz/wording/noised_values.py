"""What noise leaves of one value, in words: how well a change shows, and what it is worth."""

from dpviz.guarantees import covers_noise_on_windows, revealing_rate
from dpviz.planning.label_noise import (
    NoisedValue,
    equivalent_forecast_length,
    has_noise,
    without_noise,
)
from dpviz.scenario import Scenario
from dpviz.wording.label_noise import sigma_text
from dpviz.wording.numbers import counted, rounded, rounded_up

NAMES = {"context": ("Context", "σ_C"), "forecast": ("Labels", "σ_F")}


def overlap_title(part: str, value: NoisedValue) -> str:
    """Return how well a change of one value shows, as a finding.

    >>> overlap_title("forecast", NoisedValue(sigma=2.0, distance=1.0, told_apart=0.38292))
    'Labels with σ_F = 2: TV = 0.383'
    """
    name, symbol = NAMES[part]
    return f"{name} with {symbol} = {sigma_text(value.sigma)}: TV = {told(value)}"


def told(value: NoisedValue) -> str:
    """Return the total variation distance, rounded up as all that an upper bound is made of."""
    return rounded_up(value.told_apart, 3)


def overlap_description(part: str, value: NoisedValue) -> str:
    """Return the drawing for those who cannot see it."""
    name, _ = NAMES[part]
    distance = rounded(value.distance, 4)
    if value.sigma == 0.0:
        return (
            f"{overlap_title(part, value)}. {name} without noise: two spikes, at 0 and at "
            f"{distance} v. The change always shows."
        )
    return (
        f"{overlap_title(part, value)}. Two bell curves of standard deviation "
        f"{sigma_text(value.sigma)} v, around 0 and around {distance} v. Shaded is the area that "
        f"the second one has beyond the first: {told(value)} of 1."
    )


def overlap_explanation(scenario: Scenario) -> str:
    """Return what the drawings show and how they make q, as Markdown."""
    channels = scenario.relation.num_channels
    moved = "1 v apart"
    if channels > 1:
        moved = (
            f"√{channels:,} v apart, as all {channels:,} channels of a time step may change by v"
        )
    parts = [
        "One value as a window shows it, before and after the individual changes it: the noise "
        f"makes two bells of it, {moved}. Shaded is what one bell has beyond the other. Its "
        "area is the total variation distance TV, the part that tells the two apart: 1 without "
        "noise, 0 where nothing shows."
    ]
    if scenario.relation.width > 1:
        parts.append(
            f"With {scenario.relation.width:,} values protected, a window may show several of them "
            "at once, which tells more."
        )
    return " ".join(parts)


def rate_sentence(scenario: Scenario) -> str:
    """Return q with and without the noise, on which alone ε depends; empty where none is proven."""
    if not covers_noise_on_windows(scenario):
        return ""
    unit = scenario.sampling.composed_unit
    plain = rounded(revealing_rate(without_noise(scenario)))
    start = (
        f"q bounds the chance that one {unit} shows the change at all: that it draws a window with "
        "the change in it, and that the noise lets it show"
    )
    if not has_noise(scenario):
        return f"{start}. Without noise it is {plain}."
    noisy = rounded(revealing_rate(scenario))
    return f"{start}. It is {noisy} with the noise and {plain} without."


def equivalent_sentence(scenario: Scenario) -> str:
    """Return how many labels without noise would reveal as much; empty where that is not known.

    >>> from dpviz.planning.label_noise import with_noise
    >>> from dpviz.scenario import PRESETS
    >>> equivalent_sentence(with_noise(PRESETS["traffic"].scenario, forecast=2.0))[:72]
    '24 labels with this noise reveal as much as 4.74 labels without it would'
    """
    length = equivalent_forecast_length(scenario)
    if length is None or scenario.shape is None:
        return ""
    labels = counted(scenario.shape.forecast_length, "label")
    reveal = "reveals" if scenario.shape.forecast_length == 1 else "reveal"
    count = rounded_up(length, 3)
    noun = "label" if count == "1" else "labels"
    return (
        f"{labels} with this noise {reveal} as much as {count} {noun} without it would, at the "
        "same context and the same number of start positions. The more noise, the nearer that "
        "comes to 0: to windows without a forecast."
    )


def noise_in_units(scenario: Scenario) -> str:
    """Return the noise in the data's own unit, as plain words: the unit is what somebody typed.

    >>> from dataclasses import replace
    >>> from dpviz.planning.label_noise import with_noise
    >>> from dpviz.scenario import PRESETS, Relation, Units
    >>> cars = replace(PRESETS["toy"].scenario, relation=Relation(max_change=300.0),
    ...                units=Units(value_unit="vehicles"))
    >>> noise_in_units(with_noise(cars, forecast=2.0))
    'σ_F = 2 is noise of standard deviation 2 v on each label: with v = 300 vehicles, 600 vehicles.'
    """
    noise, change = scenario.noise, scenario.relation.max_change
    unit = scenario.units.value_unit
    suffix = f" {unit}" if unit else ""
    said = []
    for symbol, sigma, what in (
        ("σ_C", noise.context_noise, "each context value"),
        ("σ_F", noise.forecast_noise, "each label"),
    ):
        if sigma == 0.0:
            continue
        text = sigma_text(sigma)
        start = f"{symbol} = {text} is noise of standard deviation {text} v on {what}"
        if change is None:
            said.append(f"{start}.")
        else:
            in_units = f"{rounded(sigma * change, 6)}{suffix}"
            said.append(f"{start}: with v = {rounded(change, 6)}{suffix}, {in_units}.")
    if not said:
        return ""
    if change is None:
        said.append("v is the most that one individual can change one value. Enter it to see the "
                    "noise in the data's unit.")  # fmt: skip
    return " ".join(said)
