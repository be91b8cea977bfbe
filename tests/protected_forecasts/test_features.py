"""Features of series, and what goes along with better forecasts."""

import numpy as np
import pytest

from dpviz.protected_forecasts import FEATURES, features_of, reasons_for_change, series_features
from dpviz.protected_forecasts.features import PREDICTORS

RNG = np.random.default_rng
TIME = np.arange(120)


def test_noise_has_the_entropy_of_its_periodogram():
    """Periodogram ordinates of noise are exponential: the expected entropy has a closed form.

    The sum of K exponential shares has entropy psi(K + 1) - psi(2), so log K - 0.4228 nearly.
    """
    count = 2000
    entropies = [series_features(RNG(at).normal(size=count)).spectral_entropy for at in range(20)]
    expected = 1.0 - (1.0 - np.euler_gamma) / np.log(count / 2)
    assert np.mean(entropies) == pytest.approx(expected, abs=0.003)


def test_autocorrelation_by_hand():
    """Of 1 to 24 the mean is 12.5; products of neighbours sum to 1,006.25 less the ends."""
    values = np.arange(1.0, 25.0)
    centred = values - 12.5
    expected = (centred[1:] * centred[:-1]).sum() / (centred**2).sum()
    assert series_features(values).first_autocorrelation == pytest.approx(expected)
    assert expected == pytest.approx(0.875, abs=0.001)


def test_trend_and_season_are_told_apart():
    noise = 0.1 * RNG(1).normal(size=120)
    trend = series_features(0.1 * TIME + noise)
    season = series_features(np.sin(2.0 * np.pi * TIME / 12) + noise)
    assert trend.trend_strength > 0.95 > 0.6 > trend.seasonal_strength
    assert season.seasonal_strength > 0.95 > 0.6 > season.trend_strength
    assert season.spectral_entropy < 0.3 < series_features(noise).spectral_entropy


def test_features_do_not_depend_on_the_unit():
    values = 50.0 + RNG(2).normal(size=60)
    assert series_features(values).as_array() == pytest.approx(
        series_features(1000.0 * values).as_array()
    )


def test_series_of_equal_values_has_no_features():
    assert np.isnan(features_of((np.full(48, 0.1),))).all()


def changed(num_series, rng, *, driven):
    """Return what goes into the search for reasons; the first feature drives it, or nothing."""
    features = rng.uniform(size=(num_series, len(FEATURES)))
    driver = features[:, 0] if driven else rng.uniform(size=num_series)
    before = rng.uniform(10.0, 20.0, num_series)
    after = before + driver - 0.5 + 0.05 * rng.normal(size=num_series)
    forecasts = rng.uniform(90.0, 110.0, (2, num_series))
    shifted = features + 0.1 * rng.normal(size=features.shape)
    means = np.full(num_series, 100.0)
    return reasons_for_change((before, after), tuple(forecasts), (features, shifted), means, RNG(9))


def test_reason_that_is_there_is_found():
    found = changed(300, RNG(3), driven=True)
    by_name = {reason.predictor: reason for reason in found.reasons}
    assert tuple(by_name) == PREDICTORS
    assert found.explained > 0.8
    first = max(found.reasons, key=lambda reason: reason.importance)
    assert first.predictor == "spectral_entropy"
    assert first.correlation > 0.9  # more of it goes along with larger errors


def test_where_there_is_no_reason_none_is_told():
    """Scores are taken on series left out, so that chance does not pass for a reason."""
    found = changed(300, RNG(4), driven=False)
    assert found.explained < 0.05
    assert max(reason.importance for reason in found.reasons) < 0.05


def test_too_few_series_tell_nothing():
    assert changed(39, RNG(5), driven=True) is None
