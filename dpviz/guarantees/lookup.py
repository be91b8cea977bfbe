"""Which theorems cover a scenario."""

from dataclasses import replace

from dpviz.guarantees.allocated import covers_bins, shuffled_lower
from dpviz.guarantees.bound import Bound, Guarantee, Kind
from dpviz.guarantees.flat import one_bag, one_bag_by_coins
from dpviz.guarantees.noise_on_windows import (
    attained_with_noise,
    augmented_bottom_rate,
    bounds_with_noise,
    coins_by_length,
    covers_noise_on_windows,
    windows_by_coins,
    windows_with_replacement,
)
from dpviz.guarantees.poisson import poisson_deterministic
from dpviz.guarantees.several_series import several_by_coins, several_drawn, several_walked
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.mechanism import MOST_SUBSEQUENCES

SHUFFLE = "dpviz's extension: no amplification is claimed for the shuffle"
BINS_UNUSED = "dpviz's extension: no amplification by bins is claimed, only what holds for a walk"
SEVERAL_SERIES = "dpviz's extension: the theorem's pair for the windows of several series"
NOISE_UNUSED = "no amplification by noise on context or labels is claimed"


def guarantee_for(scenario: Scenario) -> Guarantee:
    """Return the proven bounds on a scenario's training run.

    Raises:
        ScenarioError: no bound covers the scenario; names the field to change.
    """
    sampling, noise = scenario.sampling, scenario.noise
    if sampling.is_bag:
        guarantee = _one_bag(scenario)
    elif scenario.relation.series_per_person > 1:
        guarantee = _several_series(scenario)
    elif sampling.takes_windows_by_coins:
        guarantee = _poisson(scenario)
    else:
        guarantee = windows_with_replacement(scenario, scenario.bottom_rate)
    if noise.is_on_windows:
        if covers_noise_on_windows(scenario):
            guarantee = bounds_with_noise(scenario)
        else:
            unused = replace(guarantee, lower=None)
            # Who is in up to m series may be in one.
            lower = attained_with_noise(_with_one_series(scenario))
            guarantee = replace(_labelled(unused, NOISE_UNUSED, not_tight=True), lower=lower)
    if scenario.has_several_bins and not covers_bins(scenario):
        # Given the bins an epoch is a walk.
        return _labelled(replace(guarantee, lower=None), BINS_UNUSED, not_tight=True)
    if sampling.is_shuffled:
        # Given the permutation an epoch is a walk in order; what the shuffle adds is open.
        upper = _labelled(replace(guarantee, lower=None), SHUFFLE, not_tight=True)
        attacked = _with_one_series(scenario)
        return replace(upper, lower=shuffled_lower(attacked, lambda one: guarantee_for(one).lower))
    return guarantee


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
    if noise.is_on_windows:
        rate, _ = augmented_bottom_rate(scenario)
    return rate if scenario.sampling.is_walk else rate * scenario.top_rate


def _poisson(scenario: Scenario) -> Guarantee:
    shape = scenario.given_shape
    touched = [
        (scenario.relation.touched_windows(shape, positions), positions, coin)
        for _, positions, coin in coins_by_length(scenario)
    ]
    return windows_by_coins(scenario, touched, is_one_length=shape.is_of_one_length)


def _several_series(scenario: Scenario) -> Guarantee:
    """Return the bounds on a person in up to m series.

    Of series of several lengths a person may be in one of the worst length only: the lower bound
    is then that of one series.
    """
    shape, sampling = scenario.given_shape, scenario.sampling
    sigma, rate = scenario.noise.noise_multiplier, scenario.bottom_rate
    series = scenario.relation.series_per_person
    if series * sampling.num_subsequences > MOST_SUBSEQUENCES:
        raise ScenarioError(
            "series_per_person",
            series,
            f"times num_subsequences it must be at most {MOST_SUBSEQUENCES:,}",
        )
    if sampling.takes_windows_by_coins:
        return _several_by_window_coins(scenario, shape)
    if sampling.is_walk:
        guarantee = several_walked(
            series=series,
            most_in_a_step=sampling.series_per_batch,
            bottom_rate=rate,
            noise_multiplier=sigma,
            epochs=scenario.num_epochs,
            subsequences=sampling.num_subsequences,
        )
    elif sampling.num_subsequences > 1:
        raise ScenarioError(
            "series_per_person",
            series,
            "it must be 1 where series are drawn and num_subsequences is above 1",
        )
    elif scenario.has_coins_for_series:
        guarantee = several_by_coins(
            series=series,
            top_rate=scenario.top_rate,
            bottom_rate=rate,
            noise_multiplier=sigma,
            steps=scenario.num_steps,
        )
    else:
        guarantee = several_drawn(
            series=series,
            num_series=shape.num_series,
            series_per_batch=sampling.series_per_batch,
            bottom_rate=rate,
            noise_multiplier=sigma,
            steps=scenario.num_steps,
        )
    if shape.is_of_one_length:
        return guarantee
    return _with_lower_of(guarantee, guarantee_for(_with_one_series(scenario)))


def _several_by_window_coins(scenario: Scenario, shape: DataShape) -> Guarantee:
    """Return Theorem E.8 for the windows of several series; they are all in one step at most."""
    sampling, series = scenario.sampling, scenario.relation.series_per_person
    if not sampling.is_walk or not shape.is_of_one_length:
        raise ScenarioError(
            "series_per_person",
            series,
            "it must be 1 where windows come by coins (Poisson), except in a walk "
            "through series of one length",
        )
    k = scenario.relation.touched_windows(shape)
    rate = min(1.0, sampling.num_subsequences / shape.start_positions)
    upper, lower = (
        poisson_deterministic(
            touched=[(many * k, rate)],
            noise_multiplier=scenario.noise.noise_multiplier,
            epochs=scenario.num_epochs,
        )
        for many in (series, min(series, sampling.series_per_batch))
    )
    guarantee = Guarantee(upper=upper.upper, lower=lower.lower)
    is_tight = series <= sampling.series_per_batch
    return _labelled(guarantee, SEVERAL_SERIES, not_tight=not is_tight)


def _with_one_series(scenario: Scenario) -> Scenario:
    return replace(scenario, relation=replace(scenario.relation, series_per_person=1))


def _with_lower_of(guarantee: Guarantee, part: Guarantee) -> Guarantee:
    """Return a guarantee with the lower bound of a part of what it covers, exact for that alone."""
    lower = None if part.lower is None else replace(part.lower, kind=Kind.LOWER)
    return replace(guarantee, lower=lower)


def _one_bag(scenario: Scenario) -> Guarantee:
    shape, relation = scenario.given_shape, scenario.relation
    by_coins = scenario.sampling.takes_windows_by_coins
    drawn = one_bag_by_coins if by_coins else one_bag
    # Of several lengths the number of all windows is not known: at least as many as if all series
    # were the shortest, at most as if all were the longest. The fewer there are, and the more of
    # them an individual is in (in the longest, if that is known), the larger are the counts of
    # touched windows, and the bounds with them.
    is_exact = shape.is_of_one_length
    longest = shape.longest_positions
    reach = LARGEST_COUNT if longest is None else longest
    num_windows = scenario.sampling.largest_batch(shape)
    touched = relation.touched_windows(shape, reach) * relation.series_per_person
    if not by_coins:  # a batch of fixed size has no more hits than if it were all that there is
        touched = min(touched, num_windows)
    guarantee = drawn(
        num_windows=num_windows,
        batch_size=scenario.sampling.batch_size,
        touched_windows=touched,
        noise_multiplier=scenario.noise.noise_multiplier,
        steps=scenario.num_steps,
        is_exact=is_exact,
    )
    if is_exact or longest is None:
        return guarantee
    in_the_longest = drawn(
        num_windows=shape.num_series * longest,
        batch_size=scenario.sampling.batch_size,
        touched_windows=relation.touched_windows(shape, longest),
        noise_multiplier=scenario.noise.noise_multiplier,
        steps=scenario.num_steps,
    )
    return _with_lower_of(guarantee, in_the_longest)


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
