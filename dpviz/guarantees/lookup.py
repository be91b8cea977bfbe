"""Which theorems cover a scenario."""

from dataclasses import replace

import numpy as np

from dpviz.guarantees.augmentation import (
    LIMITED_CHANGE,
    PLACEMENT,
    augmented_rate,
    clean_rate,
    total_variation,
)
from dpviz.guarantees.bound import Bound, Guarantee, Kind
from dpviz.guarantees.flat import one_bag, one_bag_by_coins
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.with_replacement import (
    coins_top_level,
    deterministic_top_level,
    sampled_top_level,
)
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.data import LARGEST_COUNT

SHUFFLE = "dpviz's extension: no amplification is claimed for the shuffle"
COINS_WITH_NOISE = "dpviz's extension: with Proposition 3 in place of Theorem 4.4"
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
    if not covers_noise_on_windows(scenario):
        raise ValueError("sampling is not allowed: no theorem covers noise on windows in it")
    noise = scenario.noise
    rate = scenario.bottom_rate
    if noise.context_noise > 0.0 or noise.forecast_noise > 0.0:
        rate, _ = _augmented_bottom_rate(scenario)
    return rate if scenario.sampling.top_level in _WALKS else rate * scenario.top_rate


def _with_replacement(scenario: Scenario) -> Guarantee:
    sigma, windows = scenario.noise.noise_multiplier, scenario.sampling.num_subsequences
    if scenario.sampling.top_level in _WALKS:
        return deterministic_top_level(
            bottom_rate=scenario.bottom_rate,
            noise_multiplier=sigma,
            epochs=scenario.num_epochs,
            subsequences=windows,
        )
    drawn = coins_top_level if scenario.sampling.top_level == "poisson" else sampled_top_level
    return drawn(
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
        rate = min(1.0, scenario.sampling.num_subsequences / positions)
        touched.append((k, positions, rate))
    sigma = scenario.noise.noise_multiplier
    if scenario.sampling.top_level in _WALKS:
        return poisson_deterministic(
            touched=[(k, rate) for k, _, rate in touched],
            noise_multiplier=sigma,
            epochs=scenario.num_epochs,
        )
    return poisson_sampled(
        touched=touched,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
        by_coins=scenario.sampling.top_level == "poisson",
        is_one_length=len(shape.series_lengths) == 1 and shape.longer_series_beyond is None,
    )


def _one_bag(scenario: Scenario) -> Guarantee:
    shape = _shape_of(scenario)
    # Of several lengths, the number of all windows is not known, only that it is larger; a longer
    # series may hold more windows of one individual than the shape's own. Both make the counts of
    # touched windows larger, and the bounds with them.
    is_exact = len(shape.series_lengths) == 1 and shape.longer_series_beyond is None
    touched = scenario.touched_windows
    if not is_exact:
        num_windows = scenario.sampling.largest_batch(shape)
        touched = min(scenario.relation.touched_windows(shape, LARGEST_COUNT), num_windows)
    assert touched is not None  # a shape tells it
    drawn = one_bag_by_coins if scenario.sampling.bottom_level == "poisson" else one_bag
    return drawn(
        num_windows=scenario.sampling.largest_batch(shape),
        batch_size=scenario.sampling.batch_size,
        touched_windows=touched,
        noise_multiplier=scenario.noise.noise_multiplier,
        steps=scenario.num_steps,
        is_exact=is_exact,
    )


def _augmented(scenario: Scenario, plain: Guarantee) -> Guarantee:
    """Return the bounds with noise on context and labels."""
    if not covers_noise_on_windows(scenario):
        return _labelled(replace(plain, lower=None), NOISE_UNUSED, not_tight=True)
    rate, extension = _augmented_bottom_rate(scenario)
    upper = _one_window(scenario, rate).upper
    is_coin = scenario.sampling.top_level == "poisson"
    named = "; ".join(filter(None, (extension, COINS_WITH_NOISE if is_coin else "")))
    return Guarantee(
        upper=replace(
            upper, theorem="G.1", kind=Kind.UPPER, extension=named, condition=LIMITED_CHANGE
        ),
        lower=_attained_without_noise(scenario),
    )


def _one_window(scenario: Scenario, bottom_rate: float) -> Guarantee:
    """Return the bounds on one window per series, drawn with replacement, at a rate r."""
    sigma = scenario.noise.noise_multiplier
    if scenario.sampling.top_level in _WALKS:
        return deterministic_top_level(
            bottom_rate=bottom_rate, noise_multiplier=sigma, epochs=scenario.num_epochs
        )
    drawn = coins_top_level if scenario.sampling.top_level == "poisson" else sampled_top_level
    return drawn(
        bottom_rate=bottom_rate,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
    )


def _attained_without_noise(scenario: Scenario) -> Bound | None:
    """Return what gradients attain that look only at the part of a window that has no noise.

    Formal guarantee: in the windows whose clean part holds one of the individual's values they
    tell the two data sets apart for certain, as without noise, and in others not at all.
    """
    noise, shape, data = scenario.noise, scenario.shape, scenario.data
    if noise.context_noise > 0.0 and noise.forecast_noise > 0.0:
        return None
    if shape is not None:
        lengths = _lengths_that_may_be_worst(shape, scenario)
        rate = max(clean_rate(shape, length, scenario.relation, noise) for length in lengths)
    else:
        assert not isinstance(data, DataShape)
        if data.forecast_share is None or data.bottom_rate == 1.0:
            return None  # the series may be shorter than a window
        share = data.forecast_share if noise.forecast_noise == 0.0 else 1.0 - data.forecast_share
        rate = data.bottom_rate * share * (1.0 - 1e-15)
    if rate == 0.0:
        return None  # no value is ever in that part
    lower = _one_window(scenario, rate).lower
    assert lower is not None
    return replace(lower, theorem="dpviz 6", kind=Kind.LOWER, condition=LIMITED_CHANGE)


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

    return replace(
        guarantee,
        upper=label(guarantee.upper),
        lower=None if guarantee.lower is None else label(guarantee.lower),
    )


def _shape_of(scenario: Scenario) -> DataShape:
    assert scenario.shape is not None  # scenarios refuse these schemes without a shape
    return scenario.shape
