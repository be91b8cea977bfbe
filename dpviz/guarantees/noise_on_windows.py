"""Noise on context or labels: Theorem G.1 for one window per series, and bounds from below."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from dpviz.guarantees.allocated import (
    balls_into_bins,
    covers_bins,
    draws_one_window,
    one_window_of_one_series,
)
from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.flat import one_bag, one_bag_by_coins
from dpviz.guarantees.noised_rates import (
    PLACEMENT,
    augmented_rate,
    clean_rate,
    clean_windows,
    condition_on_changes,
    told_apart,
    told_rates,
    total_variation,
)
from dpviz.guarantees.noisy_answers import (
    sign_of_one_window,
    sums_of_guesses,
    sums_of_guesses_in_bag,
    sums_of_signs,
)
from dpviz.guarantees.pairs import DominatingPair
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.with_replacement import (
    coins_top_level,
    deterministic_top_level,
    sampled_top_level,
)
from dpviz.scenario import DataShape, Relation, Scenario, ScenarioError

# Laws of the answers on more windows of a bag take long, and an attacker need not look at all.
_MOST_ANSWERED = 300
# Outputs, and of how many of the touched windows: those that tell most; of all where not said.
Tested = tuple[DominatingPair, int | None]
COINS_WITH_NOISE = "dpviz's extension: with Proposition 3 in place of Theorem 4.4"
BINS_WITH_NOISE = "dpviz's extension: with Proposition 24 in place of Theorem 4.2"
_IN_ITS_PLACE = {"dpviz 3": COINS_WITH_NOISE, "dpviz 24": BINS_WITH_NOISE}


def covers_noise_on_windows(scenario: Scenario) -> bool:
    """Return whether a theorem says what noise on context and labels adds to this scheme.

    So it is for one window per series, drawn with replacement (Theorem G.1 and its extensions), and
    an individual in one series.
    """
    return one_window_of_one_series(scenario)


def bounds_with_noise(scenario: Scenario) -> Guarantee:
    """Return the bounds with noise on context and labels, where a theorem covers it."""
    rate, extension = augmented_bottom_rate(scenario)
    upper = windows_with_replacement(scenario, rate).upper
    return Guarantee(
        upper=at_augmented_rate(upper, extension, scenario.relation),
        lower=attained_with_noise(scenario),
    )


def at_augmented_rate(upper: Bound, extension: str, relation: Relation) -> Bound:
    """Return an upper bound under the name of what its rate is by, and all that it rests on.

    Args:
        upper: without noise on windows, at the rate of :func:`augmented_bottom_rate`.
        extension: what is dpviz's own of that rate.
    """
    words = (extension, _IN_ITS_PLACE.get(upper.theorem, ""), upper.extension)
    return replace(
        upper,
        theorem="G.1",
        kind=Kind.UPPER,
        extension="; ".join(filter(None, words)),
        condition=condition_on_changes(relation),
    )


def augmented_bottom_rate(scenario: Scenario) -> tuple[float, str]:
    """Return r with noise on windows, and what is dpviz's own of it in words."""
    relation, noise, shape = scenario.relation, scenario.noise, scenario.shape
    if shape is None:
        # More is added than its products and sums round away.
        return min(_augmented_by_rates(scenario) * (1.0 + 2e-15), scenario.bottom_rate), ""
    lengths = lengths_that_may_be_worst(scenario)
    rates = [augmented_rate(shape, length, relation, noise) for length in lengths]
    is_printed = relation.width == 1 and shape.start_positions >= shape.window_length
    return max(rates), "" if is_printed else PLACEMENT


def lengths_that_may_be_worst(scenario: Scenario) -> tuple[int, ...]:
    """Return the lengths, if none that could be the worst was left out of the shape.

    Windows or a relation that have grown since the lengths were read may make others the worst.
    """
    shape = scenario.given_shape
    reach, beyond = scenario.relation.reach(shape.window_length), shape.longer_series_beyond
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
    if covers_bins(scenario):
        return balls_into_bins(
            bottom_rate=bottom_rate,
            noise_multiplier=sigma,
            batches=scenario.steps_per_epoch,
            steps=scenario.num_steps,
        )
    if scenario.sampling.is_walk:
        return deterministic_top_level(
            bottom_rate=bottom_rate,
            noise_multiplier=sigma,
            epochs=scenario.num_epochs,
            subsequences=windows,
        )
    drawn = coins_top_level if scenario.has_coins_for_series else sampled_top_level
    return drawn(
        bottom_rate=bottom_rate,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
        subsequences=windows,
    )


def windows_by_coins(
    scenario: Scenario, touched: list[tuple[int, int, float]], *, is_one_length: bool
) -> Guarantee:
    """Return the bounds on windows that come by a coin each, without noise on them.

    Args:
        touched: as for :func:`poisson_sampled`.
        is_one_length: likewise.
    """
    sigma = scenario.noise.noise_multiplier
    if scenario.sampling.is_walk:
        return poisson_deterministic(
            touched=[(k, coin) for k, _, coin in touched],
            noise_multiplier=sigma,
            epochs=scenario.num_epochs,
        )
    return poisson_sampled(
        touched=touched,
        top_rate=scenario.top_rate,
        noise_multiplier=sigma,
        steps=scenario.num_steps,
        by_coins=scenario.sampling.takes_series_by_coins,
        is_one_length=is_one_length,
    )


def coins_by_length(scenario: Scenario) -> list[tuple[int, int, float]]:
    """Return the lengths that may be the worst, their windows, and the chance of each window."""
    shape, average = scenario.given_shape, scenario.sampling.num_subsequences
    before = shape.forecast_length - 1
    pairs = [(length, length - before) for length in lengths_that_may_be_worst(scenario)]
    return [(length, positions, min(1.0, average / positions)) for length, positions in pairs]


def attained_with_noise(scenario: Scenario) -> Bound | None:
    """Return what gradients attain that look at the part of a window that has no noise, or test it.

    Formal guarantee: in the windows whose clean part holds one of the individual's values they
    tell the two data sets apart for certain, as without noise, and in others not at all. With noise
    on both parts they are +1 where the more likely data set of a touched window is x, else -1; on
    others -1, or 0 (docs/tighter-bounds.md, Propositions 6 and 22).

    Args:
        scenario: of one series per person.
    """
    clean, tests = attained_by_part(scenario)
    if not tests:
        return clean
    by_tests = _attained(scenario, [pair for pair, _ in tests])
    if clean is None:
        return by_tests
    # What has noise tells something, too: neither is always the larger.
    return replace(clean, other_pairs=(*clean.other_pairs, *by_tests.pairs))


def attained_by_part(scenario: Scenario) -> tuple[Bound | None, list[Tested]]:
    """Return what is attained by the part of windows without noise, and by tests of all of them.

    Of one window per series the tests are left out where it has a part without noise.

    Args:
        scenario: of one series per person.
    """
    noise, sampling = scenario.noise, scenario.sampling
    if sampling.is_bag:
        return _clean_in_bag(scenario), _guesses_in_bag(scenario)
    by_coins = sampling.takes_windows_by_coins
    clean = None
    if noise.context_noise == 0.0 or noise.forecast_noise == 0.0:
        clean = _clean_by_coins(scenario) if by_coins else _clean_with_replacement(scenario)
    if clean is not None and draws_one_window(scenario):
        return clean, []
    return clean, _guesses_by_coins(scenario) if by_coins else _tests(scenario)


def _from_below(scenario: Scenario, bound: Bound | None) -> Bound:
    assert bound is not None  # these schemes have one without noise
    theorem = "dpviz 6" if draws_one_window(scenario) else "dpviz 22"
    condition = condition_on_changes(scenario.relation)
    return replace(bound, theorem=theorem, kind=Kind.LOWER, condition=condition)


def _clean_with_replacement(scenario: Scenario) -> Bound | None:
    """Return what the clean parts of windows tell, drawn with replacement."""
    noise, shape, data = scenario.noise, scenario.shape, scenario.data
    if shape is not None:
        lengths = lengths_that_may_be_worst(scenario)
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


def _tests(scenario: Scenario) -> list[Tested]:
    """Return the outputs under the best tests of single noised windows; of rates maybe none.

    None of several bins: who looks does not know which step uses the series.
    """
    if scenario.has_several_bins:
        return []
    shape, data = scenario.shape, scenario.data
    if shape is not None:
        lengths = lengths_that_may_be_worst(scenario)
        told = [told_rates(shape, one, scenario.relation, scenario.noise) for one in lengths]
        right, wrong = max(told, key=lambda rates: rates[0] - rates[1])
    else:
        assert not isinstance(data, DataShape)
        is_wide = scenario.relation.width > 1
        if data.forecast_share is None or data.bottom_rate == 1.0 or is_wide:
            return []  # nor of several values, and the series may be shorter than a window
        differs = _augmented_by_rates(scenario) * (1.0 - 1e-15)
        right, wrong = (data.bottom_rate + differs) / 2, (data.bottom_rate - differs) / 2
    right, wrong = _rounded(right, wrong)
    share = 1.0 if scenario.sampling.is_walk else scenario.top_rate
    is_coin = scenario.has_coins_for_series
    sigma, windows = scenario.noise.noise_multiplier, scenario.sampling.num_subsequences
    guesses = sums_of_guesses(windows, right, wrong, share, sigma)
    signs = None if is_coin else sums_of_signs(windows, right, wrong, share, sigma)
    if is_coin and windows == 1:
        signs = sign_of_one_window(share, right, wrong, sigma)
    tests = [signs, guesses] if windows == 1 else [guesses, signs]
    return [(pair, None) for pair in tests if pair is not None]


def _guesses_by_coins(scenario: Scenario) -> list[Tested]:
    """Return the outputs of guesses on touched windows, each window taken by a coin."""
    share = 1.0 if scenario.sampling.is_walk else scenario.top_rate
    shape, sigma = scenario.given_shape, scenario.noise.noise_multiplier
    told = [
        (windows, coin, tau)
        for length, _, coin in coins_by_length(scenario)
        for windows, tau in told_apart(shape, length, scenario.relation, scenario.noise)
    ]
    # Of many lengths two attacks, as of each: any is attained.
    best = {max(told, key=lambda one: one[0] * one[1] * one[2] ** power) for power in (1, 2)}
    pairs: list[Tested] = []
    for windows, coin, tau in sorted(best):
        right, wrong = _rounded(coin * (1.0 + tau) / 2, coin * (1.0 - tau) / 2)
        pairs.append((sums_of_guesses(windows, right, wrong, share, sigma), windows))
    return pairs


def _guesses_in_bag(scenario: Scenario) -> list[Tested]:
    """Return the same where all windows are in one bag; of several lengths none.

    There fewer windows may tell less.
    """
    shape, sampling = scenario.given_shape, scenario.sampling
    sigma = scenario.noise.noise_multiplier
    if not shape.is_of_one_length:
        return []
    population, batch = shape.num_series * shape.start_positions, sampling.batch_size
    pairs: list[Tested] = []
    for windows, tau in told_apart(
        shape, shape.series_lengths[0], scenario.relation, scenario.noise
    ):
        if sampling.takes_windows_by_coins:
            coin = batch / population
            right, wrong = _rounded(coin * (1.0 + tau) / 2, coin * (1.0 - tau) / 2)
            pairs.append((sums_of_guesses(windows, right, wrong, 1.0, sigma), windows))
        else:
            _, wrong = _rounded((1.0 + tau) / 2, (1.0 - tau) / 2)
            answered = min(windows, _MOST_ANSWERED)
            wrong = min(wrong, 0.5)
            pair = sums_of_guesses_in_bag(population, answered, batch, wrong, sigma)
            pairs.append((pair, answered))
    return pairs


def _clean_in_bag(scenario: Scenario) -> Bound | None:
    """Return what clean parts tell in one bag; ``None`` where their number is not known, or 0.

    Of series of several lengths it is that of an individual in the longest, with as many windows in
    the bag as there can be.
    """
    noise, shape, sampling = scenario.noise, scenario.given_shape, scenario.sampling
    has_noise_on_all = noise.context_noise > 0.0 and noise.forecast_noise > 0.0
    if has_noise_on_all or shape.longest_positions is None:
        return None
    clean = clean_windows(shape, shape.series_lengths[-1], scenario.relation, noise)
    if clean == 0:
        return None
    plain = one_bag_by_coins if sampling.takes_windows_by_coins else one_bag
    lower = plain(
        num_windows=shape.num_series * shape.longest_positions,
        batch_size=sampling.batch_size,
        touched_windows=clean,
        noise_multiplier=noise.noise_multiplier,
        steps=scenario.num_steps,
    ).lower
    assert lower is not None  # the windows are counted
    return _attained(scenario, lower.pairs)


def _rounded(right: float, wrong: float) -> tuple[float, float]:
    """Return both to the side that tells less, also where noise on windows is as good as none."""
    right *= 1.0 - 1e-15
    return right, max(wrong * (1.0 + 1e-15), 1e-15 * right)


def _clean_by_coins(scenario: Scenario) -> Bound | None:
    """Return what the clean parts of windows tell, each window taken by a coin."""
    shape, touched = scenario.given_shape, []
    for length, positions, coin in coins_by_length(scenario):
        count = clean_windows(shape, length, scenario.relation, scenario.noise)
        touched += [(count, positions, coin)] if count > 0 else []
    if not touched:
        return None  # no value is ever in that part
    # Only the bound from above knows whether there is one length.
    guarantee = windows_by_coins(scenario, touched, is_one_length=False)
    return _from_below(scenario, guarantee.lower)


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
    shift = sqrt(scenario.relation.num_channels)
    of_forecast = total_variation(shift, noise.forecast_noise)
    of_context = total_variation(shift, noise.context_noise)
    if data.bottom_rate == 1.0:
        # The series may be shorter than a window; then no share of the windows is known.
        return max(of_forecast, of_context)
    share = data.forecast_share
    return data.bottom_rate * (share * of_forecast + (1.0 - share) * of_context)
