"""Answers of noised windows: their laws and bounds, by enumeration, quadrature and gradients."""

from collections import defaultdict
from dataclasses import replace
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.accounting import composed_curve
from dpviz.guarantees import Composition, Kind, Unit, guarantee_for, noisy_answers
from dpviz.guarantees.noisy_answers import sums_of_guesses, sums_of_signs
from dpviz.scenario import DataShape, Relation
from tests.accounting.divergences import divergences, masses
from tests.guarantees.small_mechanisms import Small
from tests.guarantees.test_attained_pairs import (
    SIGMA,
    assert_reached,
    away_from_the_rest,
    silent_on_the_rest,
)
from tests.scenario.changes import TOY, varied

EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 2.0])
SHAPE = DataShape(num_series=4, series_lengths=(7,), context_length=2, forecast_length=1)
SMALL = varied(TOY, data=SHAPE, batch_size=2, noise_multiplier=1.5, steps=1, width=2)


def scenario(top_level, bottom_level="with-replacement", windows=3, **changes):
    """Return two of four series drawn for one step; two values in a row are protected."""
    changes |= {"batch_size": 2 * windows, "num_subsequences": windows}
    return varied(SMALL, top_level=top_level, bottom_level=bottom_level, **changes)


def enumerated(answers, share):
    """Return the law of a sum of independent answers, or 0 where the series is not drawn.

    Args:
        answers: of each window a mapping from what it adds to the probability.
        share: rho.
    """
    law = defaultdict(float, {0.0: 1.0 - share})
    for each in product(*(one.items() for one in answers)):
        law[sum(value for value, _ in each)] += share * np.prod([chance for _, chance in each])
    return {mean: weight for mean, weight in law.items() if weight > 0.0}


def laws_of(pair):
    return [dict(zip(*law, strict=True)) for law in pair.components]


def both_ways(right, wrong, answers_of, share, count):
    return [
        enumerated([answers_of(*chances)] * count, share)
        for chances in ((right, wrong), (wrong, right))
    ]


@pytest.mark.parametrize("top_level", ["deterministic", "without-replacement", "poisson"])
@pytest.mark.parametrize("sigmas", [(0.7, 0.7), (2.0, 0.5)])
@pytest.mark.parametrize("windows", [2, 3, 4])
def test_sums_over_windows_drawn_with_replacement(windows, sigmas, top_level):
    given = scenario(top_level, windows=windows, context_noise=sigmas[0], forecast_noise=sigmas[1])
    lower = guarantee_for(given).lower
    assert (lower.theorem, lower.kind) == ("dpviz 22", Kind.LOWER)
    assert lower.composition is Composition.ATTAINED
    right, wrong = says_x(SHAPE, 2, sigmas)
    share = 1.0 if top_level == "deterministic" else 0.5
    guesses = both_ways(
        right, wrong, lambda s, f: {1.0: s, -1.0: f, 0.0: 1.0 - s - f}, share, windows
    )
    for found, law in zip(laws_of(lower.pair), guesses, strict=True):
        assert found == pytest.approx(law, rel=1e-11)
    signs = both_ways(right, wrong, lambda s, _: {2.0: s, 0.0: 1.0 - s}, share, windows)
    for pair in lower.other_pairs:
        for found, law in zip(laws_of(pair), signs, strict=True):
            assert found == pytest.approx(law, rel=1e-11)
    assert len(lower.other_pairs) == 1 or top_level != "deterministic"


@pytest.mark.parametrize("top_level", ["deterministic", "without-replacement", "poisson"])
def test_sums_over_windows_that_are_taken_by_coins(top_level):
    """Of one value: it lies in the context of two windows, and in the forecast of one."""
    given = scenario(top_level, "poisson", context_noise=2.0, forecast_noise=0.5)
    lower = guarantee_for(replace(given, relation=Relation(width=1))).lower
    assert lower.theorem == "dpviz 22"
    share, coin = 1.0 if top_level == "deterministic" else 0.5, 3 / 7
    numbers = []
    for pair in lower.pairs:
        found = laws_of(pair)
        count = int(max(pair.means))
        half = {1: 1.0, 3: 0.25}[count]
        s, f = coin * norm.cdf(half), coin * norm.cdf(-half)
        law = both_ways(s, f, lambda s, f: {1.0: s, -1.0: f, 0.0: 1.0 - s - f}, share, count)
        assert found[0] == pytest.approx(law[0], rel=1e-11)
        assert found[1] == pytest.approx(law[1], rel=1e-11)
        numbers.append(count)
    assert numbers == [1]


@pytest.mark.parametrize("sigmas", [(0.7, 0.7), (2.0, 0.5)])
@pytest.mark.parametrize("batch", [6, 26])
def test_sums_over_a_bag(sigmas, batch):
    """Of 28 windows those that touch one value are drawn together; each is right or wrong."""
    noise = {"context_noise": sigmas[0], "forecast_noise": sigmas[1]}
    given = scenario("flat", windows=1, **noise)
    given = varied(given, batch_size=batch, relation=Relation(width=1))
    lower = guarantee_for(given).lower
    assert (lower.theorem, lower.unit, lower.count) == ("dpviz 22", Unit.STEP, 1)
    for pair in lower.pairs:
        found = laws_of(pair)
        count = int(max(pair.means))
        half = min(1.0 / sigmas[at] for at in ((1,) if count == 1 else (0, 1))) / 2.0
        for law, right in zip(found, (norm.cdf(half), norm.cdf(-half)), strict=True):
            exact = defaultdict(float)
            for drawn in range(count + 1):
                rest = comb(28 - count, batch - drawn)
                each = enumerated([{1.0: right, -1.0: 1.0 - right}] * drawn, 1.0)
                for mean, weight in each.items():
                    exact[mean] += weight * comb(count, drawn) * rest / comb(28, batch)
            exact = {mean: weight for mean, weight in exact.items() if weight > 0.0}
            assert {m: w for m, w in law.items() if w > 1e-50} == pytest.approx(exact, rel=1e-11)


def test_a_bag_without_its_number_of_windows_has_no_bound_from_below():
    given = scenario("flat", windows=1, forecast_noise=1.0)
    longer = replace(given.data, longer_series_beyond=9)
    assert guarantee_for(replace(given, data=longer)).lower is None


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("noisy", ["context_noise", "forecast_noise"])
@pytest.mark.parametrize("top_level", ["deterministic", "without-replacement", "poisson"])
def test_clean_parts_tell_what_windows_tell_without_noise(top_level, noisy, bottom_level):
    """Of 7 windows 3 show one of two values in their context of two, and 2 in their forecast."""
    given = scenario(top_level, bottom_level, **{noisy: 1.0})
    clean = 3 if noisy == "forecast_noise" else 2
    lower = guarantee_for(given).lower
    assert lower.theorem == "dpviz 22"
    weights = np.array(lower.pair.weights)
    means = np.array(lower.pair.means)
    share = 1.0 if top_level == "deterministic" else 0.5
    per_hit = means[1] if bottom_level == "with-replacement" else 1.0
    # All schemes have on average three windows of a drawn series.
    assert weights @ means == pytest.approx(share * 3 * clean / 7 * per_hit, rel=1e-12)


def exact_delta(pair, steps):
    """Return delta of one or two steps from densities on a grid."""
    p, q = masses(*pair.components, pair.noise_multiplier, step=0.07, margin=8.0)
    if steps == 2:
        p, q = (np.outer(one, one) for one in (p, q))
    orders = np.exp(EPSILONS)
    return np.maximum(divergences(p, q, orders), divergences(q, p, orders))


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("top_level", ["deterministic", "without-replacement", "poisson"])
def test_what_is_told_is_that_of_densities(top_level, bottom_level):
    given = scenario(top_level, bottom_level, context_noise=0.7, forecast_noise=0.4)
    lower = guarantee_for(given).lower
    for pair in lower.pairs:
        alone = replace(lower, pair=pair, other_pairs=(), count=2)
        found, exact = composed_curve(alone).delta_at(EPSILONS), exact_delta(pair, 2)
        assert np.all(found.low <= exact * (1.0 + 1e-4) + 1e-12)
        assert found.low == pytest.approx(exact, rel=5e-3, abs=1e-6)


def test_random_scenarios_have_two_ends_in_order():
    rng = np.random.default_rng(22)
    for _ in range(6):
        forecast, windows = int(rng.integers(1, 5)), int(rng.integers(2, 9))
        series = int(rng.integers(1, 6))
        lengths = {int(length) for length in rng.integers(8, 80, size=rng.integers(1, 4))}
        noise = {"context_noise": float(rng.choice([0.0, 0.3, 1.0, 4.0])),
                 "forecast_noise": float(rng.choice([0.2, 0.5, 2.0]))}  # fmt: skip
        given = varied(
            TOY,
            num_series=int(rng.integers(series, 40)),
            series_lengths=tuple(sorted(lengths)),
            context_length=int(rng.integers(1, 9)),
            forecast_length=forecast,
            batch_size=series * windows,
            num_subsequences=windows,
            top_level=str(rng.choice(["deterministic", "without-replacement", "poisson"])),
            bottom_level=str(rng.choice(["with-replacement", "poisson"])),
            noise_multiplier=float(10 ** rng.uniform(0.0, 1.0)),
            steps=int(rng.integers(1, 60)),
            width=int(rng.integers(1, 4)),
            **noise,
        )
        guarantee = guarantee_for(given)
        most = composed_curve(guarantee.upper).delta_at(EPSILONS).high
        least = composed_curve(guarantee.lower).delta_at(EPSILONS).low
        assert guarantee.lower.theorem == "dpviz 22"
        assert np.all(least <= most * (1.0 + 1e-9))
        assert least[0] > 0.0


@pytest.mark.parametrize("share", [0.2, 1.0])
@pytest.mark.parametrize("sums", [sums_of_guesses, sums_of_signs])
def test_weights_that_are_moved_inwards_tell_less(sums, share, monkeypatch):
    whole = sums(6, 0.2, 0.04, share, 1.5)
    monkeypatch.setattr(noisy_answers, "_LEAST_OF_LIKELIER", noisy_answers.Decimal("0.003"))
    monkeypatch.setattr(noisy_answers, "_LEAST_OF_OTHER", noisy_answers.Decimal("1e-4"))
    moved = sums(6, 0.2, 0.04, share, 1.5)
    assert len(moved.means) < len(whole.means)
    assert sum(moved.weights) == pytest.approx(1.0, rel=1e-14)
    for steps in (1, 2):
        less, more = exact_delta(moved, steps), exact_delta(whole, steps)
        assert np.all(less <= more * (1.0 + 1e-12))
        assert less[2] > 0.5 * more[2]


@pytest.mark.parametrize("windows", [64, 5000])
@pytest.mark.parametrize("rates", [(0.9, 0.1), (1.0 - 1e-15, 1e-15), (1e-6, 1e-21), (0.3, 0.2999)])
def test_many_windows_have_weights_that_doubles_hold(rates, windows):
    pair = sums_of_guesses(windows, *rates, 0.01, 2.0)
    assert min(pair.weights) > 1e-260
    ratios = np.log(pair.weights) - np.log(pair.weights[::-1])
    assert np.all(np.diff(ratios) >= -1e-12 * np.abs(ratios[1:]))


def test_of_many_lengths_the_two_attacks_that_tell_most_are_kept():
    """Short series have fewer windows, of which each is drawn more often."""
    noise = {"context_noise": 2.0, "forecast_noise": 0.5}
    given = scenario("deterministic", "poisson", **noise)
    alone = [guarantee_for(replace(given, data=replace(SHAPE, series_lengths=(length,)))).lower
             for length in range(3, 20)]  # fmt: skip
    both = guarantee_for(replace(given, data=replace(SHAPE, series_lengths=tuple(range(3, 20)))))
    assert len(both.lower.pairs) <= 2
    assert {pair for one in alone for pair in one.pairs} >= set(both.lower.pairs)
    best = max(composed_curve(one).delta_at(EPSILONS).low[0] for one in alone)
    assert composed_curve(both.lower).delta_at(EPSILONS).low[0] == pytest.approx(best, rel=1e-6)


def test_signs_are_left_out_where_their_ratio_does_not_grow():
    assert sums_of_signs(4, 0.9, 0.3, 0.5, 1.0) is None
    assert sums_of_signs(4, 0.9, 0.3, 1.0, 1.0) is not None


@pytest.mark.parametrize(("windows", "right", "wrong"), [(4, 0.9, 0.3), (3, 0.5, 0.2)])
def test_signs_are_left_out_of_series_that_are_drawn_more_rarely_than_their_ratio_allows(
    windows, right, wrong
):
    """From no window to one, where not to be drawn hides most, both ratios solved for rho."""
    of_one = right / wrong * ((1.0 - right) / (1.0 - wrong)) ** (windows - 1)
    odds = (1.0 - of_one) / (of_one * (1.0 - wrong) ** windows - (1.0 - right) ** windows)
    least = odds / (1.0 + odds)
    assert sums_of_signs(windows, right, wrong, least * (1.0 - 1e-9), 1.0) is None
    assert sums_of_signs(windows, right, wrong, least * (1.0 + 1e-9), 1.0) is not None


def windows_that_show(shape, width, clean):
    """Return how many windows show a value in their clean part, for the worst place of ``width``.

    Window t has t - L_C to t - 1 as its context and t to t + L_F - 1 as its forecast.
    """
    length, most = shape.series_lengths[0], 0
    for first in range(length - width + 1):
        changed, count = set(range(first, first + width)), 0
        for t in range(length - shape.forecast_length + 1):
            context = set(range(t - shape.context_length, t))
            forecast = set(range(t, t + shape.forecast_length))
            count += bool(changed & (context if clean == "context" else forecast))
        most = max(most, count)
    return most


NOISY_PART = {"context": "forecast", "forecast": "context"}


@pytest.mark.parametrize("clean", NOISY_PART)
@pytest.mark.parametrize("top_level", ["deterministic", "without-replacement", "poisson"])
@pytest.mark.parametrize(
    ("length", "context", "forecast", "width"),
    [(6, 2, 1, 1), (6, 1, 3, 1), (5, 3, 2, 2), (4, 5, 1, 1), (7, 2, 2, 3)],
)
def test_6_is_reached_by_gradients_that_read_the_clean_part(
    length, context, forecast, width, top_level, clean
):
    """Noise on the other part changes nothing that is read."""
    shape = replace(
        SHAPE, series_lengths=(length,), context_length=context, forecast_length=forecast
    )
    noise = {"noise_multiplier": SIGMA, f"{NOISY_PART[clean]}_noise": 0.7}
    bound = guarantee_for(scenario(top_level, windows=1, data=shape, width=width, **noise)).lower
    assert (bound.theorem, bound.kind) == ("dpviz 6", Kind.LOWER)
    shown = windows_that_show(shape, width, clean)
    small = Small(windows=(length - forecast + 1,) * 4, touched=shown, series=2, coin=0.5)
    if top_level == "poisson":
        assert_reached(bound, list(small.by_coins()), *silent_on_the_rest(small))
        return
    draws = small.walk() if top_level == "deterministic" else small.without_replacement()
    assert_reached(bound, list(draws), *away_from_the_rest(small))


def says_x(shape, width, sigmas):
    """Return the chances that a drawn window is touched and says x, on x and on x'.

    Of the place of ``width`` changed values where they differ most.
    """
    length, best = shape.series_lengths[0], (0.0, 0.0)
    positions = length - shape.forecast_length + 1
    for first in range(length - width + 1):
        changed, chances = set(range(first, first + width)), np.zeros(2)
        for t in range(positions):
            context = changed & set(range(t - shape.context_length, t))
            forecast = changed & set(range(t, t + shape.forecast_length))
            squares = len(context) / sigmas[0] ** 2 + len(forecast) / sigmas[1] ** 2
            if squares > 0.0:
                half = np.sqrt(squares) / 2.0
                chances += np.array([norm.cdf(half), norm.cdf(-half)]) / positions
        best = max(best, tuple(chances), key=lambda pair: pair[0] - pair[1])
    return best


@pytest.mark.parametrize("sigmas", [(0.7, 0.7), (2.0, 0.5), (1.0, 50.0)])
@pytest.mark.parametrize("top_level", ["deterministic", "without-replacement", "poisson"])
@pytest.mark.parametrize(
    ("length", "context", "forecast", "width"),
    [(6, 2, 1, 1), (6, 1, 3, 1), (5, 3, 2, 2), (7, 2, 2, 3)],
)
def test_6_is_reached_by_gradients_that_test_noised_windows(
    length, context, forecast, width, top_level, sigmas
):
    """Each draw of the series' window, and what the noise makes of it, written out."""
    shape = replace(
        SHAPE, series_lengths=(length,), context_length=context, forecast_length=forecast
    )
    noise = {"noise_multiplier": SIGMA, "context_noise": sigmas[0], "forecast_noise": sigmas[1]}
    bound = guarantee_for(scenario(top_level, windows=1, data=shape, width=width, **noise)).lower
    assert (bound.theorem, bound.kind) == ("dpviz 6", Kind.LOWER)
    assert bound.composition is Composition.ATTAINED
    right, wrong = says_x(shape, width, sigmas)
    drawn = 1.0 if top_level == "deterministic" else 0.5
    signs, guesses = bound.pairs
    for law, chance in zip(signs.components, (right, wrong), strict=True):
        expected = {0.0: 1.0 - drawn * chance, 2.0: drawn * chance}
        if top_level == "poisson":
            expected = {-1.0: drawn * (1.0 - chance), 0.0: 1.0 - drawn, 1.0: drawn * chance}
        assert dict(zip(*law, strict=True)) == pytest.approx(expected, rel=1e-12)
    for law, (one, other) in zip(guesses.components, ((right, wrong), (wrong, right)), strict=True):
        expected = {-1.0: drawn * other, 0.0: 1.0 - drawn * (one + other), 1.0: drawn * one}
        found = dict.fromkeys(expected, 0.0) | dict(zip(*law, strict=True))
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
