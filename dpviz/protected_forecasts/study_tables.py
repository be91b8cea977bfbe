"""A study's results as CSV tables, and back."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path

import numpy as np

from dpviz.protected_forecasts.data import FloatArray
from dpviz.protected_forecasts.features import FEATURES
from dpviz.protected_forecasts.published import published_error
from dpviz.protected_forecasts.reasons import Reason, Reasons
from dpviz.protected_forecasts.study import ErrorSummary
from dpviz.protected_forecasts.whole_study import StudyResults

_FOLDER = Path(__file__).parent / "results"
_QUANTILES = ("error_q05", "error_q25", "error_median", "error_q75", "error_q95")
ERROR_COLUMNS = (
    "protection", "forecaster", "series", "without_forecast", "mean_absolute_error", *_QUANTILES,
    "error_variance", "improved_share", "degraded_share", "published_mean_absolute_error",
)  # fmt: skip
FEATURE_COLUMNS = ("protection", "feature", "q25", "median", "q75")
REASON_COLUMNS = (
    "protection", "forecaster", "series", "explained", "predictor", "importance", "correlation",
)  # fmt: skip
NO_GUARANTEE = (
    "No row is a privacy guarantee but those of laplace-known-bounds: epsilon of one value of one "
    "series (whole series of T values: T times that), for bounds that are public. Errors are of "
    "the value after each series, in the data's unit, against what came."
)


def provenance(results: StudyResults, made_on: str) -> list[str]:
    """Return the lines that say what made the tables."""
    versions = ", ".join(f"{name} {one}" for name, one in results.plan.versions.items())
    return [
        f"data: {results.source}",
        f"date: {made_on}",
        f"versions: {versions}",
        f"seed: {results.plan.seed}",
        f"note: {NO_GUARANTEE}",
    ]


def error_rows(results: StudyResults) -> list[list[str]]:
    """Return a row for each cell of the table, in the order of :data:`ERROR_COLUMNS`."""
    is_m3 = results.plan.data_name == "m3"
    return [
        [
            protection,
            forecaster,
            str(summary.num_series),
            str(summary.without_forecast),
            *map(_text, (summary.mean, *summary.quantiles, summary.variance)),
            _text(summary.improved_share),
            _text(summary.degraded_share),
            _text(published_error(forecaster, protection) if is_m3 else None),
        ]
        for (protection, forecaster), summary in results.errors.items()
    ]


def feature_rows(results: StudyResults) -> list[list[str]]:
    """Return a row for each protection and feature, in the order of :data:`FEATURE_COLUMNS`."""
    return [
        [protection, name, *map(_text, quartiles[:, at].tolist())]
        for protection, quartiles in results.features.items()
        for at, name in enumerate(FEATURES)
    ]


def reason_rows(results: StudyResults) -> list[list[str]]:
    """Return a row for each predictor of each cell, in the order of :data:`REASON_COLUMNS`."""
    return [
        [
            protection,
            forecaster,
            str(found.num_series),
            _text(found.explained),
            reason.predictor,
            _text(reason.importance),
            _text(reason.correlation),
        ]
        for (protection, forecaster), found in results.reasons.items()
        for reason in found.reasons
    ]


def csv_text(head: Iterable[str], columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table under lines that begin with ``#``."""
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in head)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


@dataclass(frozen=True, kw_only=True)
class ShippedStudy:
    """The study of the M3 series that comes with dpviz: results, none of the series.

    Args:
        date: on which it was computed.
        versions: of what computed it.
        errors: by protection and forecaster.
        features: quartiles by protection, shape (3, features).
        reasons: by protection and forecaster.
    """

    date: str
    versions: str
    errors: dict[tuple[str, str], ErrorSummary]
    features: dict[str, FloatArray]
    reasons: dict[tuple[str, str], Reasons]


@cache
def shipped_study() -> ShippedStudy:
    """Return the study that comes with dpviz."""
    head, error_table = _read("m3_errors.csv")
    features: dict[str, list[list[float]]] = {}
    for row in _read("m3_features.csv")[1]:
        quartiles = [_number(row[name]) for name in ("q25", "median", "q75")]
        features.setdefault(row["protection"], []).append(quartiles)
    reasons: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in _read("m3_reasons.csv")[1]:
        reasons.setdefault((row["protection"], row["forecaster"]), []).append(row)
    return ShippedStudy(
        date=head["date"],
        versions=head["versions"],
        errors={(row["protection"], row["forecaster"]): _summary(row) for row in error_table},
        features={name: np.array(found).T for name, found in features.items()},
        reasons={cell: _reasons(rows) for cell, rows in reasons.items()},
    )


def shipped_csv(name: str) -> str:
    """Return a file of the study that comes with dpviz, as it is kept."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def _read(name: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    lines = shipped_csv(name).splitlines()
    head = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {key: value for key, _, value in head}, list(rows)


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
