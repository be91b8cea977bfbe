"""Gradient-boosted trees, one model for all series, by LightGBM."""

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.scenario.missing_package import MissingPackageError

NUM_LAGS = 25  # two years and the same month before them
_SETTINGS = {"n_estimators": 300, "learning_rate": 0.05, "num_leaves": 31, "min_child_samples": 20}


def boosted_trees(series: Series) -> FloatArray:
    """Return forecasts from the last 25 values of each series, by one model for all of them.

    Each window is told relative to its own mean, so that series of different sizes can learn from
    each other. LightGBM is left at its defaults but for 300 trees at a rate of 0.05; Bale et al.
    search for such settings.

    Raises:
        MissingPackageError: LightGBM is not installed.
    """
    try:
        from lightgbm import LGBMRegressor
    except ModuleNotFoundError:
        raise MissingPackageError("lightgbm") from None
    windows = np.concatenate(
        [np.lib.stride_tricks.sliding_window_view(values, NUM_LAGS + 1) for values in series]
    )
    last = np.stack([values[-NUM_LAGS:] for values in series])
    means = windows[:, :-1].mean(axis=1)
    # One thread and a fixed seed: the same forecasts on every machine with the same LightGBM.
    model = LGBMRegressor(**_SETTINGS, n_jobs=1, random_state=0, deterministic=True, verbose=-1)
    model.fit(windows[:, :-1] - means[:, None], windows[:, -1] - means)
    own = last.mean(axis=1)
    forecasts: FloatArray = own + model.predict(last - own[:, None])
    return forecasts
