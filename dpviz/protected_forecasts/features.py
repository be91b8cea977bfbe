"""How regular a series is, and which series a protection makes easier to forecast."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.protected_forecasts.forecaster import SEASON

# Shannon entropy of the periodogram over the frequencies above 0, divided by its largest possible
# value: near 0 for one wave, near 1 for noise. Autocorrelation of values with those right after
# them, from -1 to 1. 1 - Var(rest) / Var(trend + rest), at least 0, of an STL decomposition; the
# same with the season in the place of the trend.
FEATURES = ("spectral_entropy", "first_autocorrelation", "trend_strength", "seasonal_strength")
# Below that, held-out scores say more about chance than about series.
FEWEST_SERIES = 40
PREDICTORS = (
    *FEATURES,
    *(f"change_of_{name}" for name in FEATURES),
    "direction_of_adjustment",
    "size_of_adjustment",
)
IntArray = npt.NDArray[np.int64]
_FOLDS, _SHUFFLES, _RIDGE = 5, 50, 10.0


def series_features(values: FloatArray) -> FloatArray:
    """Return :data:`FEATURES` of a series of monthly values, shape (length,), two years at least.

    NaN for a series whose values are all equal. The strengths are those of Wang, Smith and Hyndman
    (2006), in the form of Hyndman and Athanasopoulos (2018), by statsmodels' STL with a period of
    12 and its own defaults. The entropy is taken of the plain periodogram; packages that smooth it
    first give other numbers.

    >>> wave = np.sin(2.0 * np.pi * np.arange(72) / 12)
    >>> [round(float(found), 3) for found in series_features(wave)[[0, 3]]]
    [0.0, 1.0]
    """
    centred = values - values.mean()
    total = float(centred @ centred)
    # A sum of rounding errors is no variation.
    if total <= len(values) * (1e-12 * float(np.abs(values).max())) ** 2:
        return np.full(len(FEATURES), np.nan)
    from statsmodels.tsa.seasonal import STL

    parts = STL(values, period=SEASON).fit()
    return np.array(
        [
            _spectral_entropy(centred),
            float(centred[1:] @ centred[:-1]) / total,
            _strength(parts.trend, parts.resid),
            _strength(parts.seasonal, parts.resid),
        ]
    )


def features_of(series: Series) -> FloatArray:
    """Return the features of each series, shape (series, features)."""
    return np.stack([series_features(values) for values in series])


def _spectral_entropy(centred: FloatArray) -> float:
    power = np.abs(np.fft.rfft(centred))[1:] ** 2
    shares = power / power.sum()
    present = shares[shares > 0.0]
    return float(-(present * np.log(present)).sum() / np.log(len(shares)))


def _strength(part: FloatArray, rest: FloatArray) -> float:
    together = float(np.var(part + rest))
    return max(0.0, 1.0 - float(np.var(rest)) / together) if together > 0.0 else 0.0


@dataclass(frozen=True, kw_only=True)
class Reason:
    """What one of the :data:`PREDICTORS` has to do with the change of errors.

    Args:
        importance: by how much the share of variation that is explained on series that were left
            out falls when the predictor is shuffled among them; 0 or below for nothing.
        correlation: rank correlation (Spearman) with the change of the error: below 0 where series
            with more of it rather improve.
    """

    predictor: str
    importance: float
    correlation: float


@dataclass(frozen=True, kw_only=True)
class Reasons:
    """What all predictors together have to do with it.

    Args:
        num_series: that could be used.
        explained: share of the variation (of ranks) explained on series that were left out; 0 or
            below means that the predictors tell nothing about which series improve.
    """

    num_series: int
    explained: float
    reasons: tuple[Reason, ...]


def reasons_for_change(
    errors: tuple[FloatArray, FloatArray],
    forecasts: tuple[FloatArray, FloatArray],
    features: tuple[FloatArray, FloatArray],
    means: FloatArray,
    rng: np.random.Generator,
) -> Reasons | None:
    """Return what goes along with smaller errors after a protection; ``None`` for too few series.

    A ridge regression on ranks, tried on fifths of the series that it was not made of. It finds
    what goes along with the change, not what causes it.

    Args:
        errors: absolute ones before and after, shape (series,) each, as the forecasts.
        features: before and after, shape (series, features) each.
        means: of the original series, shape (series,): changes are told in them.
    """
    adjustment = (forecasts[1] - forecasts[0]) / means
    predictors = np.column_stack(
        [features[0], features[1] - features[0], np.sign(adjustment), np.abs(adjustment)]
    )
    change = (errors[1] - errors[0]) / means
    usable = np.isfinite(predictors).all(axis=1) & np.isfinite(change)
    if usable.sum() < FEWEST_SERIES or not np.any(change[usable]):
        return None
    inputs = np.column_stack([_ranks(column) for column in predictors[usable].T])
    target = _ranks(change[usable])
    folds = rng.permutation(len(target)) % _FOLDS
    penalty = _RIDGE * np.eye(inputs.shape[1])
    weights: list[FloatArray] = []
    for fold in range(_FOLDS):
        known, wanted = inputs[folds != fold], target[folds != fold]
        weights.append(np.linalg.solve(known.T @ known + penalty, known.T @ wanted))
    explained = _explained(inputs, target, folds, weights)
    return Reasons(
        num_series=len(target),
        explained=explained,
        reasons=tuple(
            Reason(
                predictor=name,
                importance=explained - _explained_without(inputs, target, folds, weights, at, rng),
                correlation=float(inputs[:, at] @ target) / len(target),
            )
            for at, name in enumerate(PREDICTORS)
        ),
    )


def _ranks(values: FloatArray) -> FloatArray:
    """Return ranks with mean 0 and variance 1, equal ones for equal values; zeros if all are."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: FloatArray = (np.cumsum(counts) - (counts - 1) / 2.0).astype(np.float64)[places]
    centred: FloatArray = ranks - float(ranks.mean())
    spread = float(ranks.std())
    return centred / spread if spread > 0.0 else centred


def _explained(
    inputs: FloatArray, target: FloatArray, folds: IntArray, weights: list[FloatArray]
) -> float:
    """Return the share of the variation that is explained on the series left out of each fit."""
    stacked = np.stack(weights)[folds]
    rest = target - np.einsum("ij,ij->i", inputs, stacked)
    return 1.0 - float(rest @ rest) / float(target @ target)


def _explained_without(
    inputs: FloatArray,
    target: FloatArray,
    folds: IntArray,
    weights: list[FloatArray],
    at: int,
    rng: np.random.Generator,
) -> float:
    scores = []
    shuffled = inputs.copy()
    for _ in range(_SHUFFLES):
        shuffled[:, at] = rng.permutation(inputs[:, at])
        scores.append(_explained(shuffled, target, folds, weights))
    return float(np.mean(scores))
