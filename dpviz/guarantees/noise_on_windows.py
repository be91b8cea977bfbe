"""One window per series with noise on context or labels: Theorem G.1, and bounds from below."""

from dataclasses import replace

import numpy as np

from dpviz.guarantees.augmentation import (
    LIMITED_CHANGE,
    PLACEMENT,
    augmented_rate,
    clean_rate,
    told_rates,
    total_variation,
)
from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT, MixturePair
from dpviz.guarantees.with_replacement import (
    WINDOW_NORM,
    coins_top_level,
    deterministic_top_level,
    sampled_top_level,
)
from dpviz.scenario import DataShape, Scenario, ScenarioError

COINS_WITH_NOISE = "dpviz's extension: with Proposition 3 in place of Theorem 4.4"


def covers_noise_on_windows(scenario: Scenario) -> bool:
    """Return whether a theorem says what noise on context and labels adds to this scheme.

    So it is for one window per series, drawn with replacement (Theorem G.1 and its extensions), and
    an individual in one series.
    """
    sampling = scenario.sampling
    return (
        sampling.num_subsequences == 1
        and not sampling.takes_windows_by_coins
        and not sampling.is_bag
        and scenario.relation.series_per_person == 1
    )


def bounds_with_noise(scenario: Scenario) -> Guarantee:
    """Return the bounds with noise on context and labels, where a theorem covers it."""
    rate, extension = augmented_bottom_rate(scenario)
    upper = _one_window(scenario, rate).upper
    is_coin = scenario.sampling.takes_series_by_coins
    named = "; ".join(filter(None, (extension, COINS_WITH_NOISE if is_coin else "")))
    return Guarantee(
        upper=replace(
            upper, theorem="G.1", kind=Kind.UPPER, extension=named, condition=LIMITED_CHANGE
        ),
        lower=_attained_with_noise(scenario),
    )


def augmented_bottom_rate(scenario: Scenario) -> tuple[float, str]:
    """Return r with noise on windows, and what is dpviz's own of it in words."""
    relation, noise, shape = scenario.relation, scenario.noise, scenario.shape
    if shape is None:
        return _augmented_by_rates(scenario), ""
    lengths = lengths_that_may_be_worst(shape, scenario)
    rates = [augmented_rate(shape, length, relation, noise) for length in lengths]
    is_printed = relation.width == 1 and shape.start_positions >= shape.window_length
    return max(rates), "" if is_printed else PLACEMENT


def lengths_that_may_be_worst(shape: DataShape, scenario: Scenario) -> tuple[int, ...]:
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


def _one_window(scenario: Scenario, bottom_rate: float) -> Guarantee:
    """Return the bounds on one window per series, drawn with replacement, at a rate r."""
    sigma = scenario.noise.noise_multiplier
    if scenario.sampling.is_walk:
        return deterministic_top_level(
            bottom_rate=bottom_rate, noise_multiplier=sigma, epochs=scenario.num_epochs
        )
    drawn = coins_top_level if scenario.sampling.takes_series_by_coins else sampled_top_level
    return drawn(
        bottom_rate=bottom_rate,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
    )


def _attained_with_noise(scenario: Scenario) -> Bound | None:
    """Return what gradients attain that look at the part of a window that has no noise, or test it.

    Formal guarantee: in the windows whose clean part holds one of the individual's values they
    tell the two data sets apart for certain, as without noise, and in others not at all. With noise
    on both parts they are +1 where the more likely data set of a touched window is x, else -1; on
    others -1, or 0 (docs/tighter-bounds.md, Proposition 6).
    """
    noise, shape, data = scenario.noise, scenario.shape, scenario.data
    if noise.context_noise > 0.0 and noise.forecast_noise > 0.0:
        return _attained_by_tests(scenario)
    if shape is not None:
        lengths = lengths_that_may_be_worst(shape, scenario)
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


def _attained_by_tests(scenario: Scenario) -> Bound | None:
    """Return what the best tests of single noised windows attain, composed with themselves."""
    shape, data = scenario.shape, scenario.data
    if shape is not None:
        lengths = lengths_that_may_be_worst(shape, scenario)
        told = [told_rates(shape, one, scenario.relation, scenario.noise) for one in lengths]
        right, wrong = max(told, key=lambda rates: rates[0] - rates[1])
    else:
        assert not isinstance(data, DataShape)
        if data.forecast_share is None or data.bottom_rate == 1.0:
            return None  # the series may be shorter than a window
        differs = _augmented_by_rates(scenario) * (1.0 - 1e-15)
        right, wrong = (data.bottom_rate + differs) / 2, (data.bottom_rate - differs) / 2
    share = 1.0 if scenario.sampling.is_walk else scenario.top_rate
    is_coin = scenario.sampling.takes_series_by_coins
    sigma = scenario.noise.noise_multiplier
    # Also where a window's noise is as good as none; to the side that tells less.
    wrong = max(wrong, 1e-15 * right)
    signs = _signs(share, right, wrong, sigma, nothing_in_its_place=is_coin)
    unit = _one_window(scenario, scenario.bottom_rate).upper
    return replace(
        unit,
        theorem="dpviz 6",
        kind=Kind.LOWER,
        pair=signs,
        # Neither is always the larger.
        other_pairs=(_guesses(share, right, wrong, sigma),),
        composition=Composition.ATTAINED,
        condition=LIMITED_CHANGE,
    )


def _signs(
    share: float, right: float, wrong: float, sigma: float, *, nothing_in_its_place: bool
) -> MixturePair:
    """Return the outputs of gradients that are +1 where a window says x, and -1 where not.

    Args:
        share: probability that the series is drawn.
        right: of its windows, the part that say x on x.
        wrong: the part that say x on x'.
        sigma: the noise multiplier.
        nothing_in_its_place: whether a step without the series has a window less; other series'
            gradients are 0 then, and -1 elsewhere, which is a known constant.
    """
    first, second = share * right, share * wrong
    weights: tuple[float, ...] = (1.0 - first, first)
    others: tuple[float, ...] = (1.0 - second, second)
    means: tuple[float, ...] = (0.0, SUBSTITUTION_SHIFT)
    if nothing_in_its_place:
        means = (-WINDOW_NORM, WINDOW_NORM)
        weights, others = (share * (1.0 - right), first), (share * (1.0 - wrong), second)
        if share < 1.0:
            means = (means[0], 0.0, means[1])
            weights = (weights[0], 1.0 - share, first)
            others = (others[0], 1.0 - share, second)
    return MixturePair(
        means=means,
        weights=weights,
        noise_multiplier=sigma,
        reflected=False,
        largest_mean=means[-1],
        other_weights=others,
    )


def _guesses(share: float, right: float, wrong: float, sigma: float) -> MixturePair:
    """Return the outputs of gradients that are +1 or -1 on touched windows, and 0 on others."""
    weights = {-1.0: share * wrong, 0.0: 1.0 - share * (right + wrong), 1.0: share * right}
    listed = {mean: weight for mean, weight in weights.items() if weight > 0.0}
    return MixturePair(
        means=tuple(listed),
        weights=tuple(listed.values()),
        noise_multiplier=sigma,
        reflected=True,
        largest_mean=WINDOW_NORM,
    )


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
