"""A study's results as CSV tables, and back."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path

import numpy as np

from dpviz.files.commented_csv import rows_in, said_above
from dpviz.protected_forecasts.data import FloatArray
from dpviz.protected_forecasts.features import FEATURES, Reason, Reasons
from dpviz.protected_forecasts.study import ErrorSummary
from dpviz.protected_forecasts.whole_study import StudyResults

# By the names of dpviz's forecasters; the paper's LGBM is boosted-trees here, its RNN recurrent.
# Original, and top coding of 10, 20 and 40 %.
PROTECTIONS = ("none", "top-coding:0.1", "top-coding:0.2", "top-coding:0.4")
PUBLISHED_ERRORS: dict[str, tuple[float, float, float, float]] = {
    "ses": (686.71, 678.27, 694.71, 748.84),
    "des": (680.54, 671.48, 682.41, 736.33),
    "tes": (637.90, 627.09, 642.72, 716.24),
    "auto-arima": (647.34, 631.61, 653.35, 714.68),
    "lasso-var": (729.57, 711.89, 707.07, 734.03),
    "boosted-trees": (700.89, 694.93, 705.39, 772.65),
    "recurrent": (671.28, 671.05, 694.50, 749.51),
}
RESULTS = Path(__file__).parent / "results"
_QUANTILES = ("error_q05", "error_q25", "error_median", "error_q75", "error_q95")
ERROR_COLUMNS = (
    "protection", "forecaster", "series", "without_forecast", "mean_absolute_error", *_QUANTILES,
    "error_variance", "improved_share", "degraded_share", "published_mean_absolute_error",
)  # fmt: skip
FEATURE_COLUMNS = ("protection", "feature", "q25", "median", "q75")
REASON_COLUMNS = (
    "protection", "forecaster", "series", "explained", "predictor", "importance", "correlation",
)  # fmt: skip
HORIZON_COLUMNS = (
    "protection", "forecaster", "horizon", "series", "mean_absolute_error", "bias", "raised_share",
    "improved_of_raised", "improved_of_lowered", "percent_against_trees", "percent_low",
    "percent_high",
)  # fmt: skip
MONTHS_AHEAD = 18
"""Last values of each series that none of the forecasts further ahead reads."""
TREE_COLUMNS = (
    "what", "rule", "series", "improved_share", "held_out_accuracy", "larger_share", *FEATURES,
    "raised", "size", "large", "small",
)  # fmt: skip
_GUARANTEED = "laplace-known-bounds"


def guarantee_note(protections: Iterable[str]) -> str:
    """Return which rows of these protections are a privacy guarantee, and what errors are of."""
    guarantee = "No row is a privacy guarantee."
    if any(one.startswith(_GUARANTEED) for one in protections):
        guarantee = (
            f"Only rows of {_GUARANTEED} are a privacy guarantee: an upper bound on epsilon of one "
            "value of one series (T times that for a whole series of T values), for bounds that "
            "are public."
        )
    return f"{guarantee} Errors are of the value after each series, in the data's unit."


def relative_variances() -> dict[str, list[float]]:
    """Return variances of the shipped errors by forecaster of Table 2, for each of its protections.

    In parts of the least one of the original series, as Figure 4 of Bale et al. has them.
    """
    errors = shipped_study().errors
    least = min(errors[PROTECTIONS[0], name].variance for name in PUBLISHED_ERRORS)
    return {
        name: [errors[one, name].variance / least for one in PROTECTIONS]
        for name in PUBLISHED_ERRORS
    }


def published_error(forecaster: str, protection: str) -> float | None:
    """Return the printed error; ``None`` where there is none."""
    errors = PUBLISHED_ERRORS.get(forecaster)
    if errors is None or protection not in PROTECTIONS:
        return None
    return errors[PROTECTIONS.index(protection)]


def provenance(results: StudyResults, made_on: str) -> list[str]:
    """Return the lines that say what made the tables."""
    versions = ", ".join(f"{name} {one}" for name, one in results.plan.versions.items())
    return [
        f"data: {results.source}",
        f"date: {made_on}",
        f"versions: {versions}",
        f"seed: {results.plan.seed}",
        f"note: {guarantee_note(results.plan.protections)}",
    ]


def tables_of(results: StudyResults) -> dict[str, tuple[Sequence[str], list[list[str]]]]:
    """Return columns and rows of what is told of a study: its errors, features and reasons."""
    is_m3 = results.plan.data_name == "m3"
    errors = [
        [
            *(protection, forecaster, str(one.num_series), str(one.without_forecast)),
            *map(_text, (one.mean, *one.quantiles, one.variance)),
            *map(_text, (one.improved_share, one.degraded_share)),
            _text(published_error(forecaster, protection) if is_m3 else None),
        ]
        for (protection, forecaster), one in results.errors.items()
    ]
    features = [
        [protection, name, *map(_text, quartiles[:, at].tolist())]
        for protection, quartiles in results.features.items()
        for at, name in enumerate(FEATURES)
    ]
    reasons = [
        [
            *(protection, forecaster, str(found.num_series), _text(found.explained)),
            *(reason.predictor, _text(reason.importance), _text(reason.correlation)),
        ]
        for (protection, forecaster), found in results.reasons.items()
        for reason in found.reasons
    ]
    return {
        "errors": (ERROR_COLUMNS, errors),
        "features": (FEATURE_COLUMNS, features),
        "reasons": (REASON_COLUMNS, reasons),
    }


@dataclass(frozen=True, kw_only=True)
class ShippedStudy:
    """The study of the M3 series that comes with dpviz: results, none of the series.

    ``features`` are quartiles by protection, shape (3, features).
    """

    date: str
    versions: str
    errors: dict[tuple[str, str], ErrorSummary]
    features: dict[str, FloatArray]
    reasons: dict[tuple[str, str], Reasons]


@cache
def shipped_study() -> ShippedStudy:
    """Return the study that comes with dpviz."""
    errors = shipped_csv("m3_errors.csv")
    features = defaultdict[str, list[list[float]]](list)
    reasons = defaultdict[tuple[str, str], list[dict[str, str]]](list)
    for row in rows_in(shipped_csv("m3_features.csv")):
        quartiles = [_number(row[name]) for name in ("q25", "median", "q75")]
        features[row["protection"]].append(quartiles)
    for row in rows_in(shipped_csv("m3_reasons.csv")):
        reasons[row["protection"], row["forecaster"]].append(row)
    about = said_above(errors)
    return ShippedStudy(
        date=about["date"],
        versions=about["versions"],
        errors={(row["protection"], row["forecaster"]): _summary(row) for row in rows_in(errors)},
        features={name: np.array(found).T for name, found in features.items()},
        reasons={cell: _reasons(rows) for cell, rows in reasons.items()},
    )


@cache
def shipped_horizons() -> tuple[dict[str, str], ...]:
    """Return the rows of what was found further ahead: columns are :data:`HORIZON_COLUMNS`."""
    return tuple(rows_in(shipped_csv("m3_horizons.csv")))


@cache
def shipped_tree() -> tuple[dict[str, str], ...]:
    """Return a forest's row, then those of a tree's leaves: columns are :data:`TREE_COLUMNS`."""
    return tuple(rows_in(shipped_csv("m3_tree.csv")))


def shipped_csv(name: str) -> str:
    """Return a file of the study that comes with dpviz, as it is kept."""
    return (RESULTS / name).read_text(encoding="utf-8")


def _summary(row: dict[str, str]) -> ErrorSummary:
    def share(name: str) -> float | None:
        return float(row[name]) if row[name] else None

    return ErrorSummary(
        num_series=int(row["series"]),
        without_forecast=int(row["without_forecast"]),
        mean=_number(row["mean_absolute_error"]),
        quantiles=tuple(_number(row[name]) for name in _QUANTILES),
        variance=_number(row["error_variance"]),
        improved_share=share("improved_share"),
        degraded_share=share("degraded_share"),
    )


def _reasons(rows: Sequence[dict[str, str]]) -> Reasons:
    return Reasons(
        num_series=int(rows[0]["series"]),
        explained=float(rows[0]["explained"]),
        reasons=tuple(
            Reason(
                predictor=row["predictor"],
                importance=float(row["importance"]),
                correlation=float(row["correlation"]),
            )
            for row in rows
        ),
    )


def _number(text: str) -> float:
    return float(text) if text else float("nan")


def _text(number: float | None) -> str:
    """Return a number with six digits, more than any other machine is sure to give; or nothing."""
    return f"{number:.6g}" if number is not None and isfinite(number) else ""
