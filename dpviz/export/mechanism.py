"""The mechanism of a scenario in words: what is drawn, clipped, noised and divided."""

from dpviz.export.parameters import exact, noise_in_units
from dpviz.scenario import DataShape, Scenario
from dpviz.wording.numbers import counted
from dpviz.wording.scope import run_length

_BAG = "all windows of all series, one bag"


def mechanism_words(scenario: Scenario) -> str:
    """Return the parts of one training step, as a Markdown list.

    >>> from dpviz.scenario import PRESETS
    >>> print(mechanism_words(PRESETS["toy"].scenario).splitlines()[2])
    - **Series.** Each step draws 32 of the 320 series anew, uniformly without replacement.
    """
    sigma = exact(scenario.noise.noise_multiplier)
    divisor = "the constant batch size Λ"
    if isinstance(scenario.data, DataShape):
        divisor += f" = {scenario.sampling.batch_size:,}"
    parts = [
        *_drawing(scenario),
        *_noise_on_windows(scenario),
        "**Clipping.** The gradient of every single window is clipped to the same norm C.",
        f"**Noise.** Gaussian noise of standard deviation σ C, with noise multiplier σ = {sigma}, "
        f"is added to the sum of the clipped gradients; the sum is divided by {divisor}.",
        f"**Length.** {run_length(scenario)}; every intermediate model may be seen.",
    ]
    way = "Structured DP-SGD"
    if scenario.sampling.is_bag:
        way = "DP-SGD on windows from one bag"
    step = f"{way}: a training step draws windows and noises the sum of their clipped gradients."
    return "\n".join([step, "", *(f"- {part}" for part in parts)])


def _drawing(scenario: Scenario) -> list[str]:
    shape, sampling = scenario.data, scenario.sampling
    windows = f"λ = {counted(sampling.num_subsequences, 'window')}"
    if not isinstance(shape, DataShape):
        said = {
            "without-replacement": "Each step draws its series anew, uniformly without "
            f"replacement: each with probability ρ = {exact(scenario.top_rate)}.",
            "poisson": "Each step takes each series by an independent coin of probability ρ = "
            f"{exact(scenario.top_rate)}.",
            "deterministic": "Each step takes the next series in a fixed order.",
            "shuffled": "Each step takes the next series in an order shuffled for each epoch.",
        }[sampling.top_level]
        return [
            f"**Series.** {said}",
            f"**Windows.** {windows} of each drawn series, each touching what is protected with "
            f"probability r = {exact(scenario.bottom_rate)}.",
        ]
    if sampling.is_bag:
        size = sampling.batch_size
        said = f"draws Λ = {size:,} of {_BAG}, anew and uniformly without replacement."
        if sampling.takes_windows_by_coins:
            rate = f"{size:,} / {sampling.largest_batch(shape):,}"
            said = f"takes each of {_BAG}, by an independent coin of probability {rate}."
        return [f"**Windows.** Each step {said}"]
    drawn, all_series = f"{sampling.series_per_batch:,}", f"{shape.num_series:,} series"
    said = {
        "without-replacement": f"Each step draws {drawn} of the {all_series} anew, uniformly "
        "without replacement.",
        "poisson": f"Each step takes each of the {all_series} by an independent coin of "
        f"probability {drawn} / {shape.num_series:,}.",
        "deterministic": f"Each step takes the next {drawn} of the {all_series} in a fixed order; "
        "an epoch uses no series twice.",
        "shuffled": f"Each step takes the next {drawn} of the {all_series}, in an order shuffled "
        "anew for each epoch; an epoch uses no series twice.",
    }[sampling.top_level]
    if sampling.takes_windows_by_coins:
        chosen = (
            f"{windows} of each chosen series on average: every start position by itself "
            "with probability min(1, λ / T)."
        )
    else:
        chosen = (
            f"{windows} of each chosen series, drawn with replacement: every start position among "
            "all T is equally likely."
        )
    return [f"**Series.** {said}", f"**Windows.** {chosen}"]


def _noise_on_windows(scenario: Scenario) -> list[str]:
    noise = scenario.noise
    if noise.context_noise == 0.0 and noise.forecast_noise == 0.0:
        return []
    return [
        "**Noise on context and labels.** Each drawn window gets fresh Gaussian noise before its "
        "gradient is taken. Its standard deviation is "
        f"σ_C = {noise_in_units(scenario, noise.context_noise)} on context values, "
        f"σ_F = {noise_in_units(scenario, noise.forecast_noise)} on labels, where v is the largest "
        "change of one value."
    ]
