"""The study that comes with dpviz: its table is whole, dated, and close to the paper's."""

from importlib.metadata import version

import numpy as np
import pytest

from dpviz.protected_forecasts import FEATURES, FORECASTERS, m3_monthly_micro
from dpviz.protected_forecasts.features import PREDICTORS
from dpviz.protected_forecasts.protections import protection_named
from dpviz.protected_forecasts.study_tables import (
    PROTECTIONS,
    published_error,
    shipped_csv,
    shipped_study,
)
from dpviz.protected_forecasts.whole_study import StudyPlan, cell_forecasts
from dpviz.scenario.missing_package import MissingPackageError

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


def test_quantiles_rise_and_shares_are_shares():
    for (protection, _), found in STUDY.errors.items():
        assert list(found.quantiles) == sorted(found.quantiles)
        assert found.quantiles[0] < found.mean < found.quantiles[-1]
        shares = (found.improved_share, found.degraded_share)
        assert (shares == (None, None)) == (protection == "none")
        if protection != "none":
            assert 0.0 < sum(shares) <= 1.0 + 1e-6  # six digits are kept


@pytest.mark.parametrize("name", ["m3_errors.csv", "m3_features.csv", "m3_reasons.csv"])
def test_no_value_of_the_series_is_shipped_and_the_file_says_what_is_no_guarantee(name):
    text = shipped_csv(name)
    assert "No row is a privacy guarantee but those of laplace-known-bounds" in text
    try:
        data = m3_monthly_micro()
    except MissingPackageError as missing:
        pytest.skip(str(missing))
    assert not any(series in text for series in data.names)


@pytest.mark.slow
@pytest.mark.parametrize("protection", ["none", "nearest-swap:3:12", "laplace-own-range:10"])
def test_the_table_comes_out_again(protection):
    """With the same statsmodels, single smoothing gives the table's numbers."""
    if f"statsmodels {version('statsmodels')}" not in STUDY.versions:
        pytest.skip("the table was computed with another statsmodels")
    try:
        data = m3_monthly_micro()
    except MissingPackageError as missing:
        pytest.skip(str(missing))
    plan = StudyPlan(data_name="m3", protections=(protection,), forecasters=("ses",), seed=1)
    found = cell_forecasts(data, protection, "ses", plan.seed, 1)
    mean = float(np.abs(found - data.next_values).mean())
    assert mean == pytest.approx(STUDY.errors[protection, "ses"].mean, rel=1e-4)
