"""The simulated gradients are those of the proofs, on windows with noise, too: by enumeration."""

from collections import defaultdict
from dataclasses import replace
from itertools import combinations, islice, product
from math import comb, exp, inf, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr

from dpviz.guarantees import Unit, guarantee_for
from dpviz.planning.attacks import Reading, privacy_loss
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, draws, holds
from dpviz.planning.placement import placement, values_in_a_row
from dpviz.planning.simulated_attack import (
    TESTED_EPSILONS,
    band_of,
    nearest_place,
    part_sizes,
)
from dpviz.planning.step_outputs import components
from dpviz.planning.worst_case import after_units, unit_cost, unit_draws, worst_case
from dpviz.sampling import clipped_sum
from dpviz.scenario import DataShape, Rates, Relation, ScenarioError
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION
from tests.planning.theory_checks import (
    SCHEMES,
    SEED,
    SMALL,
    TOY,
    check_of,
    counts_of,
    hits_of,
    scheme_name,
    with_scheme,
)
from tests.scenario.changes import varied


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_walks_are_seen_by_the_epoch_and_random_numbers_of_windows_from_both_sides(scheme):
    case = worst_case(with_scheme(scheme))
    walks = scheme["top_level"] in ("deterministic", "shuffled")
    assert case.unit is (Unit.EPOCH if walks else Unit.STEP)
    is_random = "poisson" in (scheme["top_level"], scheme.get("bottom_level"))
    assert case.in_order.is_two_sided == is_random


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_clipped_sums_of_real_batches_are_hits_times_the_shift(scheme):
    """A batch's gradients, clipped and summed by the training step itself, on both data sets."""
    scenario = with_scheme(scheme, level="user", width=2)
    is_two_sided = worst_case(scenario).in_order.is_two_sided
    shifts = (1.0, -1.0) if is_two_sided else (2.0, 0.0)
    placed = placement(scenario.shape, scenario.relation)
    for _, batch in islice(draws(scenario, SEED), 60):
        own = batch.series == SENSITIVE_SERIES
        is_hit = own & np.logical_or(*holds(placed, batch.starts))
        # Far beyond the clipping norm: clipping makes them +C, -C or 0.
        there, others = (9.0, 0.0) if is_two_sided else (9.0, -9.0)
        sums = [
            clipped_sum(np.where(is_hit, of_hits, others)[:, None].astype(float), 1.0)[0]
            for of_hits in (there, -9.0)
        ]
        constant = 0.0 if is_two_sided else -float(len(batch))
        for total, shift in zip(sums, shifts, strict=True):
            assert total == pytest.approx(constant + shift * np.count_nonzero(is_hit))


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_loss_is_the_logarithm_of_the_densities_ratio_and_increases(scheme):
    pair = worst_case(with_scheme(scheme)).pair
    x = np.linspace(-12.0, 12.0, 200)
    loss = privacy_loss(pair, x)
    assert (np.diff(loss) > -1e-9).all()
    first, second = (
        sum(
            weight * np.exp(-0.5 * ((x - mean) / pair.noise_multiplier) ** 2)
            for mean, weight in zip(means, weights, strict=True)
        )
        for means, weights in components(pair)
    )
    assert loss == pytest.approx(np.log(first / second), abs=1e-9)


def test_of_several_lengths_the_shortest_is_simulated():
    lengths = varied(SMALL, series_lengths=(20, 30))
    assert worst_case(lengths).scenario.shape.series_lengths == (20,)


def test_scenarios_that_differ_in_what_decides_nothing_share_their_runs():
    other = varied(SMALL, delta=1e-3, steps=7)
    assert worst_case(other) == worst_case(SMALL)


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "poisson"])
@pytest.mark.parametrize(("field", "windows"), [("context_noise", 3), ("forecast_noise", 4)])
def test_with_noise_on_one_part_hits_are_in_the_other(field, windows, top_level):
    """Windows of 4 + 3 values in series of 20, and a value away from the ends."""
    noisy = varied(SMALL, forecast_length=3, top_level=top_level, **{field: 0.5})
    case = worst_case(noisy)
    assert case.theorem == "dpviz 6"
    hits = hits_of(noisy, 4_000)
    rate = windows / 18 * (1.0 if top_level == "deterministic" else case.scenario.top_rate)
    assert set(hits) <= {0, 1}
    assert np.mean(hits) == pytest.approx(rate, abs=5.0 * np.sqrt(rate / 4_000))
    of_hits = case.pair.rate if top_level != "poisson" else 1.0 - case.pair.weights[0]
    assert of_hits == pytest.approx(rate)


@pytest.mark.parametrize(
    "scheme",
    [
        {"num_subsequences": 2},
        {"bottom_level": "poisson"},
        {"batch_size": 1},
        {"context_noise": 1.0, "forecast_noise": 1.0},
    ],
)
def test_bins_of_which_no_attack_on_epochs_is_known_are_refused_by_name(scheme):
    bins = varied(TOY, num_series=20_000, top_level="bins", **scheme)
    with pytest.raises(ScenarioError, match=r"^top_level\b.* context or labels have no noise, and"):
        worst_case(bins)
    assert worst_case(varied(TOY, top_level="bins", forecast_noise=1.0)).theorem == "dpviz 6"


def test_rates_alone_are_refused_by_name():
    rates = replace(TOY, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10))
    with pytest.raises(ScenarioError, match=r"bottom_rate = 0\.1 is not allowed: rates draw no"):
        worst_case(rates)


@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_walks_cost_least_as_only_one_step_of_an_epoch_is_drawn(scheme):
    cost = unit_cost(worst_case(with_scheme(scheme)).scenario)
    assert (cost < 300.0) == (scheme["top_level"] in ("deterministic", "shuffled"))


PARTS = [(0.8, 0.0), (0.0, 0.8), (0.8, 0.5)]


def noisy(scheme, parts, **relation):
    """Return the small data set, sampled so, with noise on context and labels."""
    scenario = with_scheme(scheme, width=2, **relation)
    return varied(scenario, context_noise=parts[0], forecast_noise=parts[1])


@pytest.mark.parametrize("parts", [(0.0, 0.0), *PARTS])
@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_attacks_are_those_of_the_lower_bound(scheme, parts):
    case = worst_case(noisy(scheme, parts))
    lower = guarantee_for(after_units(case.scenario, 1)).lower
    assert tuple(attack.pair for attack in case.attacks) == lower.pairs
    assert case.theorem == lower.theorem


# Quickly for each sampler and each part with noise; for all with many runs.
QUICK = [(SCHEMES[at], PARTS[at % 3], {}, 1, 4000) for at in (1, 2, 5, 9, 11, 14, 16, 17)]
LONG = [
    pytest.param(scheme, parts, {"num_channels": 2}, units, 40_000, marks=pytest.mark.slow)
    for scheme, parts, units in product(SCHEMES, PARTS, (1, 4))
]


@pytest.mark.every(2)
@pytest.mark.parametrize(("scheme", "parts", "relation", "units", "runs"), QUICK + LONG)
def test_neither_bound_is_contradicted(scheme, parts, relation, units, runs):
    check = check_of(noisy(scheme, parts, **relation), units, runs)
    assert check.attains_lower
    assert (check.band.high >= check.lower).all()
    assert (check.band.low <= check.upper).all()


@pytest.mark.parametrize("parts", [(0.8, 0.0), (0.8, 0.5)])
@pytest.mark.parametrize("scheme", SCHEMES, ids=scheme_name)
def test_outputs_with_the_values_are_never_below_those_without(scheme, parts):
    """What the band rests on: along a line no claim is made on the wrong data set alone."""
    case = worst_case(noisy(scheme, parts))
    draws = unit_draws(case, 300, np.random.default_rng(SEED))
    for attack in case.attacks:
        there, not_there = attack.sums(draws, scheme.get("num_subsequences", 1))
        assert (there >= not_there).all()
        assert (there > not_there).any()


TINY = DataShape(num_series=4, series_lengths=(5,), context_length=2, forecast_length=1)
POSITIONS = 5
TINY_SCHEMES = [
    ({"top_level": "without-replacement"}, 2, 0.5),
    ({"top_level": "poisson"}, 2, 0.5),
    ({"top_level": "poisson"}, 4, 1.0),
    ({"top_level": "deterministic", "num_subsequences": 3}, 3, 1.0),
    ({"top_level": "without-replacement", "num_subsequences": 2}, 4, 0.5),
    ({"top_level": "deterministic", "num_subsequences": 2, "bottom_level": "poisson"}, 2, 1.0),
    ({"top_level": "flat"}, 8, 1.0),
    ({"top_level": "flat", "bottom_level": "poisson"}, 8, 1.0),
]


def distance_of(start, reading):
    """Return how far apart a window's two laws are, in standard deviations, value by value."""
    first, last = reading.placed.values(0)
    squares = 0.0
    for value in range(start - 2, start + 1):
        sigma = reading.context_noise if value < start else reading.forecast_noise
        if first <= value <= last and (reading.tests or sigma == 0.0):
            squares += inf if sigma == 0.0 else 1.0 / sigma**2
    return sqrt(squares)


def windows_drawn(scheme, size):
    """Return all that may be drawn of the series: start positions, and the probability."""
    own = range(POSITIONS)
    if scheme["top_level"] == "flat" and "bottom_level" not in scheme:
        total = 4 * POSITIONS
        for count in range(POSITIONS + 1):
            chance = comb(total - POSITIONS, size - count) / comb(total, size)
            yield from ((starts, chance) for starts in combinations(own, count))
    elif "bottom_level" in scheme:
        coin = size / (4 * POSITIONS) if scheme["top_level"] == "flat" else 2 / POSITIONS
        for count in range(POSITIONS + 1):
            chance = coin**count * (1.0 - coin) ** (POSITIONS - count)
            yield from ((starts, chance) for starts in combinations(own, count))
    else:
        drawn = scheme.get("num_subsequences", 1)
        for starts in product(own, repeat=drawn):
            yield starts, POSITIONS**-drawn


def law_of(attack, scheme, size, share, *, there):
    """Return the law of what the series adds to the sum, by enumeration."""
    distances = {start: distance_of(start, attack.reading) for start in range(POSITIONS)}
    told = sorted((one for one in distances if distances[one]), key=distances.get, reverse=True)
    told = set(told[: attack.reading.windows])
    has_coins = scheme["top_level"] == "poisson" and share < 1.0
    other = -1.0 if has_coins and not attack.is_two_sided else 0.0
    law = defaultdict(float, {0.0: 1.0 - share})
    for starts, chance in windows_drawn(scheme, size):
        sums = {0.0: share * chance}
        for start in starts:
            right = ndtr(distances[start] / 2.0)
            yes = right if there else 1.0 - right
            answers = {0.0: 1.0} if other == 0.0 else {-1.0: 1.0}
            if start in told and attack.is_two_sided:
                answers = {1.0: yes, -1.0: 1.0 - yes}
            elif start in told:
                answers = {other + 2.0: yes, other: 1.0 - yes}
            sums = added(sums, answers)
        for total, weight in sums.items():
            law[total] += weight
    return law


def added(sums, answers):
    """Return the law of the sum of two independent numbers."""
    law = defaultdict(float)
    for (total, weight), (answer, chance) in product(sums.items(), answers.items()):
        law[total + answer] += weight * chance
    return law


PLACES = [0, nearest_place(0.5), nearest_place(2.0)]


def exact_delta(attack, laws, epsilon):
    """Return delta of the attack's better claim, from the laws of what the series adds."""

    def loss_above(x, least):
        return float(privacy_loss(attack.pair, np.array([x]))[0]) - least

    found = [0.0]
    for sign, (right, wrong) in ((1.0, laws), (-1.0, laws[::-1])):
        least = sign * epsilon
        if loss_above(-30.0, least) < 0.0 < loss_above(30.0, least):
            x = brentq(loss_above, -30.0, 30.0, args=(least,))
            claimed, wrongly = (
                float(np.dot(list(law.values()), ndtr(2.0 * sign * (np.array(list(law)) - x))))
                for law in (right, wrong)
            )
            found.append(claimed - exp(epsilon) * wrongly)
    return max(found)


@pytest.mark.parametrize("parts", [(0.8, 0.5), (0.8, 0.0)])
@pytest.mark.parametrize(("scheme", "size", "share"), TINY_SCHEMES)
@pytest.mark.every(6)
def test_band_holds_what_enumeration_says_of_a_tiny_case(scheme, size, share, parts):
    """All that is drawn, all answers by Phi(D / 2): the simulation knows none of that."""
    case = worst_case(
        varied(noisy(scheme, parts), data=TINY, batch_size=size, noise_multiplier=0.5, steps=1)
    )
    for attack in case.attacks:
        if attack.is_ordered:  # those in a plane are tested without noise
            laws = [law_of(attack, scheme, size, share, there=there) for there in (True, False)]
            assert sum(laws[0].values()) == pytest.approx(1.0)
            exact = [exact_delta(attack, laws, float(TESTED_EPSILONS[at])) for at in PLACES]
            band = band_of(counts_of(replace(case, attacks=(attack,)), 1, 20_000))
            assert ((band.low[PLACES] <= exact) & (exact <= band.high[PLACES])).all()
            assert exact[0] > 0.05
            assert (band.high - band.low)[0] < 0.05


def reading_of(context_noise, forecast_noise, first=10, **others):
    shape = DataShape(num_series=1, series_lengths=(30,), context_length=4, forecast_length=2)
    return Reading(
        placed=values_in_a_row(shape, Relation(width=2), first),
        context_noise=context_noise,
        forecast_noise=forecast_noise,
        tests=True,
        **others,
    )


@pytest.mark.parametrize(("start", "held"), [(8, (0, 0)), (9, (0, 1)), (10, (0, 2)), (11, (1, 1))])
@pytest.mark.parametrize("channels", [1, 3])
def test_a_window_is_told_rightly_as_often_as_its_distance_says(start, held, channels):
    reading = reading_of(2.0, 1.5, num_channels=channels)
    answered, there, not_there = reading.tell(np.full(20_000, start), np.random.default_rng(SEED))
    assert answered.all() == answered.any() == (sum(held) > 0)
    distance = sqrt(channels * (held[0] / 2.0**2 + held[1] / 1.5**2))
    right = ndtr(distance / 2.0) if sum(held) else 0.0
    margin = 5.0 * sqrt(0.25 / 20_000)
    assert there.mean() == pytest.approx(right, abs=margin)
    assert not_there.mean() == pytest.approx(1.0 - right if sum(held) else 0.0, abs=margin)


@pytest.mark.parametrize("sigma", [5e-324, 1e-200, 1e-12])
@pytest.mark.parametrize("other", [0.0, 5e-324, 1.0, LARGEST_AUGMENTATION])
def test_next_to_no_noise_is_none(sigma, other):
    starts = np.arange(29)
    for reading in (reading_of(sigma, other), reading_of(other, sigma)):
        answered, there, not_there = reading.tell(starts, np.random.default_rng(SEED))
        assert starts[answered].tolist() == list(range(9, 16))
        certain = there & ~not_there
        is_context = reading.context_noise == sigma
        held = range(11, 16) if is_context else range(9, 12)
        assert certain[list(held)].all()


def test_only_windows_that_tell_most_are_answered():
    """A value in the labels, of less noise, tells more than one in the context."""
    answered, _, _ = reading_of(2.0, 1.0, windows=2).tell(np.arange(29), np.random.default_rng(1))
    assert np.flatnonzero(answered).tolist() == [10, 11]


def test_noise_on_too_many_values_is_refused_by_name():
    scheme = {"top_level": "deterministic", "num_subsequences": 4}
    wide = noisy(scheme, (1.0, 1.0), num_channels=1000)
    with pytest.raises(ScenarioError, match="num_channels = 1000 is not allowed: it must be sm"):
        part_sizes(worst_case(wide), 100, 1000)
    assert sum(part_sizes(worst_case(wide), 1, 1000)) == 1000
