"""Errors and forecasts of protected series as CSV: none of the series' own values."""

import csv
import io
from collections.abc import Mapping

import numpy as np

import dpviz
from dpviz.protected_forecasts import FEATURES
from dpviz.protected_forecasts.data import FloatArray
from dpviz.protected_forecasts.study import ProtectedSeries
from dpviz.protected_forecasts.study_tables import NO_GUARANTEE

COLUMNS = (
    "series",
    "forecaster",
    "forecast_of_original",
    "forecast_of_protected",
    "absolute_error_of_original",
    "absolute_error_of_protected",
    *(f"{name}_of_{side}" for side in ("original", "protected") for name in FEATURES),
)


def protected_forecasts_csv(
    shown: ProtectedSeries,
    protection: str,
    seed: int,
    forecasts: Mapping[str, tuple[FloatArray, FloatArray]],
) -> str:
    """Return a row for each series and forecaster; series are told by their numbers.

    Lines that begin with # describe it; ``pandas.read_csv(path, comment="#")`` reads the table.
    """
    text = io.StringIO()
    for line in (
        f"dpviz {dpviz.__version__}: forecasts of the value after each series",
        f"data: {shown.source}",
        f"protection: {protection}, seed {seed}",
        f"note: {NO_GUARANTEE}",
    ):
        text.write(f"# {line}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name, (before, after) in forecasts.items():
        for at in range(len(shown.names)):
            errors = np.abs(np.array([before[at], after[at]]) - shown.next_values[at])
            numbers = [
                before[at],
                after[at],
                *errors,
                *shown.features[0][at],
                *shown.features[1][at],
            ]
            writer.writerow([at + 1, name, *map(_cell, numbers)])
    return text.getvalue()


def _cell(number: float) -> str:
    return repr(float(number)) if np.isfinite(number) else ""
