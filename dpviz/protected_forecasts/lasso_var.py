"""Vector autoregression with a lasso, one for all series of the same length, by scikit-learn."""

import warnings
from collections import defaultdict

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.scenario.missing_package import MissingPackageError

# The previous month, and the same month of the year before.
LAGS = (1, 12)
# Weights of the lasso's penalty on standardised values, strong to weak.
PENALTIES = (0.8, 0.4, 0.2, 0.1, 0.05)
# The last so many months say which penalty forecasts best; the model is then made of all months.
_VALIDATED = 12


def lasso_var(series: Series) -> FloatArray:
    """Return forecasts from the earlier values of all series of the same length.

    Bale et al. fit VARX-L by R's BigVAR, one for each length. Here each equation is a lasso on
    lags 1 and 12 of all series of the group, standardised, with one penalty for the whole group,
    the best of five on the last 12 months.

    Raises:
        MissingPackageError: scikit-learn is not installed.
    """
    found = np.full(len(series), np.nan)
    groups: dict[int, list[int]] = defaultdict(list)
    for at, values in enumerate(series):
        groups[len(values)].append(at)
    for group in groups.values():
        found[group] = _group_forecasts(np.stack([series[at] for at in group]))
    return found


def _group_forecasts(values: FloatArray) -> FloatArray:
    """Return the forecast of each series of a group, given as shape (series, length)."""
    mean, spread = values.mean(axis=1), values.std(axis=1)
    spread = np.where(spread > 0.0, spread, 1.0)
    scaled = (values - mean[:, None]) / spread[:, None]
    first = max(LAGS)
    times = np.arange(first, scaled.shape[1])
    inputs = np.hstack([scaled[:, times - lag].T for lag in LAGS])
    targets = scaled[:, times].T
    last = np.hstack([scaled[:, scaled.shape[1] - lag] for lag in LAGS])[None, :]
    errors = [
        np.abs(
            _predicted(inputs[:-_VALIDATED], targets[:-_VALIDATED], inputs[-_VALIDATED:], penalty)
            - targets[-_VALIDATED:]
        ).mean()
        for penalty in PENALTIES
    ]
    best = PENALTIES[int(np.argmin(errors))]
    forecasts: FloatArray = mean + spread * _predicted(inputs, targets, last, best)[0]
    return forecasts


def _predicted(
    inputs: FloatArray, targets: FloatArray, asked: FloatArray, penalty: float
) -> FloatArray:
    try:
        from sklearn.linear_model import Lasso
    except ModuleNotFoundError:
        raise MissingPackageError("scikit-learn") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that coordinates still moved in the last round
        model = Lasso(alpha=penalty, max_iter=2000).fit(inputs, targets)
    predicted: FloatArray = model.predict(asked).reshape(len(asked), targets.shape[1])
    return predicted
