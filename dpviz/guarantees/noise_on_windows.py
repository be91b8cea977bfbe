"""Noise on context or labels: Theorem G.1 for one window per series, and bounds from below."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpviz.guarantees.augmentation import (
    LIMITED_CHANGE,
    PLACEMENT,
    augmented_rate,
    clean_rate,
    clean_windows,
    told_apart,
    told_rates,
    total_variation,
)
from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.flat import one_bag, one_bag_by_coins
from dpviz.guarantees.noisy_answers import (
    sums_of_guesses,
    sums_of_guesses_in_bag,
    sums_of_signs,
)
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT, DominatingPair, MixturePair
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.with_replacement import (
    WINDOW_NORM,
    coins_top_level,
    deterministic_top_level,
    sampled_top_level,
)
from dpviz.scenario import DataShape, Scenario, ScenarioError

# Laws of the answers on more windows of a bag take long, and an attacker need not look at all.
_MOST_ANSWERED = 300
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
    upper = windows_with_replacement(scenario, rate).upper
    is_coin = scenario.sampling.takes_series_by_coins
    named = "; ".join(filter(None, (extension, COINS_WITH_NOISE if is_coin else "")))
    return Guarantee(
        upper=replace(
            upper, theorem="G.1", kind=Kind.UPPER, extension=named, condition=LIMITED_CHANGE
        ),
        lower=attained_with_noise(scenario),
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


def windows_with_replacement(scenario: Scenario, bottom_rate: float) -> Guarantee:
    """Return the bounds on windows drawn with replacement at a rate r, without noise on them."""
    sigma, windows = scenario.noise.noise_multiplier, scenario.sampling.num_subsequences
    if scenario.sampling.is_walk:
        return deterministic_top_level(
            bottom_rate=bottom_rate,
            noise_multiplier=sigma,
            epochs=scenario.num_epochs,
            subsequences=windows,
        )
    drawn = coins_top_level if scenario.sampling.takes_series_by_coins else sampled_top_level
    return drawn(
        bottom_rate=bottom_rate,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
        subsequences=windows,
    )


def attained_with_noise(scenario: Scenario) -> Bound | None:
    """Return what gradients attain that look at the part of a window that has no noise, or test it.

    Formal guarantee: in the windows whose clean part holds one of the individual's values they
    tell the two data sets apart for certain, as without noise, and in others not at all. With noise
    on both parts they are +1 where the more likely data set of a touched window is x, else -1; on
    others -1, or 0 (docs/tighter-bounds.md, Propositions 6 and 22).

    Args:
        scenario: of one series per person, and not one bag of windows.
    """
    noise, by_coins = scenario.noise, scenario.sampling.takes_windows_by_coins
    tests = _guesses_by_coins if by_coins else _attained_by_tests
    if noise.context_noise > 0.0 and noise.forecast_noise > 0.0:
        return tests(scenario)
    clean = _clean_by_coins(scenario) if by_coins else _clean_with_replacement(scenario)
    if _is_one_window(scenario) and clean is not None:
        return clean
    # What has noise tells something, too: neither is always the larger.
    both = [bound for bound in (clean, tests(scenario)) if bound is not None]
    if not both:
        return None
    pairs = [pair for bound in both for pair in bound.pairs]
    return replace(both[0], other_pairs=tuple(pairs[1:]))


def attained_in_bag(scenario: Scenario) -> Bound | None:
    """Return the same where all windows are in one bag; ``None`` where their number is not known.

    Of series of several lengths it is that of an individual in the longest, with as many windows in
    the bag as there can be; what noised windows tell is left out, as fewer windows may tell less.

    Args:
        scenario: of one series per person.
    """
    noise, shape, sampling = scenario.noise, scenario.shape, scenario.sampling
    assert shape is not None  # one bag asks for it
    positions, length = shape.longest_positions, shape.series_lengths[-1]
    if positions is None:
        return None
    population, batch = shape.num_series * positions, sampling.batch_size
    sigma = noise.noise_multiplier
    pairs: list[DominatingPair] = []
    clean = 0
    if noise.context_noise == 0.0 or noise.forecast_noise == 0.0:
        clean = clean_windows(shape, length, scenario.relation, noise)
    if clean > 0:
        plain = one_bag_by_coins if sampling.takes_windows_by_coins else one_bag
        lower = plain(
            num_windows=population,
            batch_size=batch,
            touched_windows=clean,
            noise_multiplier=sigma,
            steps=scenario.num_steps,
        ).lower
        assert lower is not None  # the windows are counted
        pairs += lower.pairs
    if len(shape.series_lengths) > 1:
        return _attained(scenario, pairs) if pairs else None
    for windows, tau in told_apart(shape, length, scenario.relation, noise):
        if sampling.takes_windows_by_coins:
            coin = batch / population
            right, wrong = _rounded(coin * (1.0 + tau) / 2, coin * (1.0 - tau) / 2)
            pairs.append(sums_of_guesses(windows, right, wrong, 1.0, sigma))
        else:
            _, wrong = _rounded((1.0 + tau) / 2, (1.0 - tau) / 2)
            answered = min(windows, _MOST_ANSWERED)
            pairs.append(
                sums_of_guesses_in_bag(population, answered, batch, min(wrong, 0.5), sigma)
            )
    return _attained(scenario, pairs)


def _is_one_window(scenario: Scenario) -> bool:
    sampling = scenario.sampling
    by_itself = not sampling.is_bag and not sampling.takes_windows_by_coins
    return sampling.num_subsequences == 1 and by_itself


def _from_below(scenario: Scenario, bound: Bound | None) -> Bound:
    assert bound is not None  # these schemes have one without noise
    theorem = "dpviz 6" if _is_one_window(scenario) else "dpviz 22"
    return replace(bound, theorem=theorem, kind=Kind.LOWER, condition=LIMITED_CHANGE)


def _clean_with_replacement(scenario: Scenario) -> Bound | None:
    """Return what the clean parts of windows tell, drawn with replacement."""
    noise, shape, data = scenario.noise, scenario.shape, scenario.data
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
    return _from_below(scenario, windows_with_replacement(scenario, rate).lower)


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
    right, wrong = _rounded(right, wrong)
    share = 1.0 if scenario.sampling.is_walk else scenario.top_rate
    is_coin = scenario.sampling.takes_series_by_coins
    sigma, windows = scenario.noise.noise_multiplier, scenario.sampling.num_subsequences
    if windows == 1:
        signs = _signs(share, right, wrong, sigma, nothing_in_its_place=is_coin)
        return _attained(scenario, [signs, _guesses(share, right, wrong, sigma)])
    several = [sums_of_guesses(windows, right, wrong, share, sigma)]
    if not is_coin:
        by_sign = sums_of_signs(windows, right, wrong, share, sigma)
        several += [] if by_sign is None else [by_sign]
    return _attained(scenario, several)


def _guesses_by_coins(scenario: Scenario) -> Bound:
    """Return what guesses on touched windows attain, each window taken by a coin."""
    share = 1.0 if scenario.sampling.is_walk else scenario.top_rate
    shape, sigma = scenario.shape, scenario.noise.noise_multiplier
    assert shape is not None  # Poisson windows ask for it
    told = [
        (windows, coin, tau)
        for length, _, coin in _coins(shape, scenario)
        for windows, tau in told_apart(shape, length, scenario.relation, scenario.noise)
    ]
    # Of many lengths two attacks, as of each: any is attained.
    best = {max(told, key=lambda one: one[0] * one[1] * one[2] ** power) for power in (1, 2)}
    pairs = []
    for windows, coin, tau in sorted(best):
        right, wrong = _rounded(coin * (1.0 + tau) / 2, coin * (1.0 - tau) / 2)
        pairs.append(sums_of_guesses(windows, right, wrong, share, sigma))
    return _attained(scenario, pairs)


def _rounded(right: float, wrong: float) -> tuple[float, float]:
    """Return both to the side that tells less, also where noise on windows is as good as none."""
    right *= 1.0 - 1e-15
    return right, max(wrong * (1.0 + 1e-15), 1e-15 * right)


def _clean_by_coins(scenario: Scenario) -> Bound | None:
    """Return what the clean parts of windows tell, each window taken by a coin."""
    shape, sigma, touched = scenario.shape, scenario.noise.noise_multiplier, []
    assert shape is not None  # Poisson windows ask for it
    for length, positions, coin in _coins(shape, scenario):
        count = clean_windows(shape, length, scenario.relation, scenario.noise)
        touched += [(count, positions, coin)] if count > 0 else []
    if not touched:
        return None  # no value is ever in that part
    if scenario.sampling.is_walk:
        counts = [(count, coin) for count, _, coin in touched]
        guarantee = poisson_deterministic(
            touched=counts, noise_multiplier=sigma, epochs=scenario.num_epochs
        )
    else:
        guarantee = poisson_sampled(
            touched=touched,
            top_rate=scenario.top_rate,
            noise_multiplier=sigma,
            steps=scenario.num_steps,
            is_one_length=False,  # only the bound from above knows what it is
        )
    return _from_below(scenario, guarantee.lower)


def _coins(shape: DataShape, scenario: Scenario) -> list[tuple[int, int, float]]:
    """Return the lengths that may be the worst, their windows, and the chance of each window."""
    average = scenario.sampling.num_subsequences
    lengths = lengths_that_may_be_worst(shape, scenario)
    positions = [length - shape.forecast_length + 1 for length in lengths]
    return [
        (length, windows, min(1.0, average / windows))
        for length, windows in zip(lengths, positions, strict=True)
    ]


def _attained(scenario: Scenario, pairs: Sequence[DominatingPair]) -> Bound:
    """Return the bound of attacks none of which is always the best."""
    is_walk = scenario.sampling.is_walk
    bound = Bound(
        theorem="",
        kind=Kind.LOWER,
        unit=Unit.EPOCH if is_walk else Unit.STEP,
        count=scenario.num_epochs if is_walk else scenario.num_steps,
        pair=pairs[0],
        other_pairs=tuple(pairs[1:]),
        composition=Composition.ATTAINED,
    )
    return _from_below(scenario, bound)


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
