"""Which theorems cover a scenario."""

from dataclasses import replace

import numpy as np

from dpviz.guarantees.augmentation import LIMITED_CHANGE, PLACEMENT, augmented_rate, total_variation
from dpviz.guarantees.bound import Bound, Guarantee, Kind
from dpviz.guarantees.flat import one_bag
from dpviz.guarantees.pairs import ShiftedMixturePair
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.with_replacement import deterministic_top_level, sampled_top_level
from dpviz.scenario import DataShape, Scenario, ScenarioError

SHUFFLE = "dpviz's extension: no amplification is claimed for the shuffle"
POISSON_SERIES = (
    "dpviz's extension: an absent series is replaced by nothing, which only brings the outputs "
    "closer together"
)
NOISE_UNUSED = "no amplification by noise on context or labels is claimed"
_WALKS = ("deterministic", "shuffled")


def guarantee_for(scenario: Scenario) -> Guarantee:
    """Return the proven bounds on a scenario's training run.

    Raises:
        ScenarioError: no bound covers the scenario; names the field to change.
    """
    top_level, noise = scenario.sampling.top_level, scenario.noise
    if top_level == "flat":
        guarantee = _one_bag(scenario)
    elif scenario.sampling.bottom_level == "poisson":
        guarantee = _poisson(scenario)
    else:
        guarantee = _with_replacement(scenario)
    if noise.context_noise > 0.0 or noise.forecast_noise > 0.0:
        guarantee = _augmented(scenario, guarantee)
    if top_level == "shuffled":
        # Given the permutation an epoch is a walk in order; what the shuffle adds is open.
        return _labelled(replace(guarantee, lower=None), SHUFFLE, not_tight=True)
    if top_level == "poisson":
        carries_over = guarantee.lower is not None and guarantee.lower.theorem == "F.8"
        lower = guarantee.lower if carries_over else None
        return _labelled(replace(guarantee, lower=lower), POISSON_SERIES, not_tight=True)
    return guarantee


def covers_noise_on_windows(scenario: Scenario) -> bool:
    """Return whether a theorem says what noise on context and labels adds to this scheme.

    So it is for one window per series, drawn with replacement (Theorem G.1 and its extensions).
    """
    sampling = scenario.sampling
    return (
        sampling.num_subsequences == 1
        and sampling.bottom_level == "with-replacement"
        and sampling.top_level != "flat"
    )


def revealing_rate(scenario: Scenario) -> float:
    """Return q, on which alone a bound with noise on windows depends, beside sigma and the steps.

    It is the weight of what differs between the two data sets in one step (of a walk: in one
    epoch): Theorem G.1 or its extension; without noise on windows rho * r (Theorem 4.4), of a walk
    r (Theorem 4.2).

    Raises:
        ScenarioError: the rates do not tell it.
        ValueError: no theorem covers noise on windows in this scheme.

    >>> from dpviz.scenario import PRESETS
    >>> round(revealing_rate(PRESETS["toy"].scenario), 6)
    0.01
    """
    pair = guarantee_for(scenario).upper.pair
    if not covers_noise_on_windows(scenario) or not isinstance(pair, ShiftedMixturePair):
        raise ValueError("sampling is not allowed: no theorem covers noise on windows in it")
    return pair.rate


def _with_replacement(scenario: Scenario) -> Guarantee:
    sigma, windows = scenario.noise.noise_multiplier, scenario.sampling.num_subsequences
    if scenario.sampling.top_level in _WALKS:
        return deterministic_top_level(
            bottom_rate=scenario.bottom_rate,
            noise_multiplier=sigma,
            epochs=scenario.num_epochs,
            subsequences=windows,
        )
    return sampled_top_level(
        bottom_rate=scenario.bottom_rate,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
        subsequences=windows,
    )


def _poisson(scenario: Scenario) -> Guarantee:
    shape = _shape_of(scenario)
    touched = []
    for length in _lengths_that_may_be_worst(shape, scenario):
        positions = length - shape.forecast_length + 1
        k = scenario.relation.touched_windows(shape, positions)
        touched.append((k, min(1.0, scenario.sampling.num_subsequences / positions)))
    sigma = scenario.noise.noise_multiplier
    if scenario.sampling.top_level in _WALKS:
        return poisson_deterministic(
            touched=touched, noise_multiplier=sigma, epochs=scenario.num_epochs
        )
    return poisson_sampled(
        touched=touched,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
    )


def _one_bag(scenario: Scenario) -> Guarantee:
    shape = _shape_of(scenario)
    # Of several lengths, the number of all windows is not known, only that it is larger: the
    # rate of a record is then rounded up, and no lower bound can be stated.
    one_length = len(shape.series_lengths) == 1 and shape.longer_series_beyond is None
    guarantee = one_bag(
        num_windows=scenario.sampling.largest_batch(shape),
        batch_size=scenario.sampling.batch_size,
        touched_windows=scenario.touched_windows if one_length else None,
        noise_multiplier=scenario.noise.noise_multiplier,
        steps=scenario.num_steps,
    )
    if one_length:
        return guarantee
    return replace(guarantee, upper=replace(guarantee.upper, kind=Kind.UPPER))


def _augmented(scenario: Scenario, plain: Guarantee) -> Guarantee:
    """Return the bounds with noise on context and labels; none of them is attained."""
    if not covers_noise_on_windows(scenario):
        return _labelled(replace(plain, lower=None), NOISE_UNUSED, not_tight=True)
    rate, extension = _augmented_bottom_rate(scenario)
    if scenario.sampling.top_level not in _WALKS:
        rate *= scenario.top_rate
    upper = replace(
        plain.upper,
        theorem="G.1",
        kind=Kind.UPPER,
        pair=ShiftedMixturePair(rate=rate, noise_multiplier=scenario.noise.noise_multiplier),
        extension=extension,
        condition=LIMITED_CHANGE,
    )
    return Guarantee(upper=upper, lower=None)


def _augmented_bottom_rate(scenario: Scenario) -> tuple[float, str]:
    relation, noise, shape = scenario.relation, scenario.noise, scenario.shape
    if shape is None:
        return _augmented_by_rates(scenario), ""
    lengths = _lengths_that_may_be_worst(shape, scenario)
    rates = [augmented_rate(shape, length, relation, noise) for length in lengths]
    is_printed = relation.width == 1 and shape.start_positions >= shape.window_length
    return max(rates), "" if is_printed else PLACEMENT


def _augmented_by_rates(scenario: Scenario) -> float:
    data, noise = scenario.data, scenario.noise
    assert not isinstance(data, DataShape)  # the caller has looked
    if data.forecast_share is None or scenario.relation.width > 1:
        name = "forecast_noise" if noise.forecast_noise > 0.0 else "context_noise"
        raise ScenarioError(
            name,
            getattr(noise, name),
            "rates determine it only along with forecast_share, and for relation_width 1",
        )
    shift = np.array([np.sqrt(float(scenario.relation.num_channels))])
    of_forecast = float(total_variation(shift, noise.forecast_noise)[0])
    of_context = float(total_variation(shift, noise.context_noise)[0])
    if data.bottom_rate == 1.0:
        # The series may be shorter than a window; then no share of the windows is known.
        return max(of_forecast, of_context)
    share = data.forecast_share
    return data.bottom_rate * (share * of_forecast + (1.0 - share) * of_context)


def _lengths_that_may_be_worst(shape: DataShape, scenario: Scenario) -> tuple[int, ...]:
    """Return the lengths, if none that could be the worst was left out of the shape.

    Windows or a relation that have grown since the lengths were read may make others the worst.
    """
    relation, beyond = scenario.relation, shape.longer_series_beyond
    reach = shape.window_length + relation.width - 1
    if relation.level == "user":
        reach = shape.window_length * relation.width
    if beyond is not None and beyond < reach:
        raise ScenarioError(
            "longer_series_beyond",
            beyond,
            f"it must be at least {reach:,} for these windows and this relation: read the lengths "
            "of all series again",
        )
    return shape.series_lengths


def _labelled(guarantee: Guarantee, extension: str, *, not_tight: bool = False) -> Guarantee:
    def label(bound: Bound) -> Bound:
        kind = Kind.UPPER if not_tight and bound.bounds_from_above else bound.kind
        both = "; ".join(text for text in (bound.extension, extension) if text)
        return replace(bound, extension=both, kind=kind)

    return Guarantee(
        upper=label(guarantee.upper),
        other_uppers=tuple(label(bound) for bound in guarantee.other_uppers),
        lower=None if guarantee.lower is None else label(guarantee.lower),
    )


def _shape_of(scenario: Scenario) -> DataShape:
    assert scenario.shape is not None  # scenarios refuse these schemes without a shape
    return scenario.shape
