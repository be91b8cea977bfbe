"""Gradients that read the clean part of a window, or test a noised one, reach the lower bounds."""

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.guarantees import Composition, Kind, guarantee_for
from dpviz.scenario import DataShape, Noise, Relation, Sampling, Scenario, Training
from tests.guarantees.small_mechanisms import Small
from tests.guarantees.test_attained_pairs import (
    SIGMA,
    assert_reached,
    away_from_the_rest,
    silent_on_the_rest,
)


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


@pytest.mark.parametrize("clean", ["context", "forecast"])
@pytest.mark.parametrize("top_level", ["deterministic", "without-replacement", "poisson"])
@pytest.mark.parametrize(
    ("length", "context", "forecast", "width"),
    [(6, 2, 1, 1), (6, 1, 3, 1), (5, 3, 2, 2), (4, 5, 1, 1), (7, 2, 2, 3)],
)
def test_6_is_reached_by_gradients_that_read_the_clean_part(
    length, context, forecast, width, top_level, clean
):
    """Noise on the other part changes nothing that is read."""
    shape = DataShape(
        num_series=4, series_lengths=(length,), context_length=context, forecast_length=forecast
    )
    noisy = "forecast_noise" if clean == "context" else "context_noise"
    bound = guarantee_for(
        Scenario(
            data=shape,
            sampling=Sampling(batch_size=2, top_level=top_level),
            noise=Noise(noise_multiplier=SIGMA, **{noisy: 0.7}),
            training=Training(unit="steps", count=1),
            relation=Relation(width=width),
        )
    ).lower
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
    shape = DataShape(
        num_series=4, series_lengths=(length,), context_length=context, forecast_length=forecast
    )
    bound = guarantee_for(
        Scenario(
            data=shape,
            sampling=Sampling(batch_size=2, top_level=top_level),
            noise=Noise(noise_multiplier=SIGMA, context_noise=sigmas[0], forecast_noise=sigmas[1]),
            training=Training(unit="steps", count=1),
            relation=Relation(width=width),
        )
    ).lower
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
