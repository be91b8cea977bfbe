"""Attacks on windows with noise: as exact as enumeration, and consistent with all bounds."""

from collections import defaultdict
from dataclasses import replace
from itertools import combinations, product
from math import comb, exp, inf, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr

from dpviz.guarantees import guarantee_for
from dpviz.planning.attacks import privacy_loss
from dpviz.planning.placement import values_in_a_row
from dpviz.planning.readings import Reading
from dpviz.planning.simulated_attack import (
    TESTED_EPSILONS,
    band_of,
    nearest_place,
    part_sizes,
)
from dpviz.planning.worst_case import after_units, unit_draws, worst_case
from dpviz.scenario import DataShape, Relation, ScenarioError
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION
from tests.planning.theory_checks import (
    SCHEMES,
    SEED,
    check_of,
    counts_of,
    scheme_name,
    with_scheme,
)
from tests.scenario.changes import varied

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
    other = -1.0 if scheme["top_level"] == "poisson" and not attack.is_two_sided else 0.0
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
@pytest.mark.every(3)
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
