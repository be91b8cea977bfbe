"""The charts of protected series in words, for those who cannot see them."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from dpviz.protected_forecasts.features import FEATURES
from dpviz.protected_forecasts.study import ProtectedSeries
from dpviz.wording.numbers import rounded
from dpviz.wording.protected_forecasts import SHORT_FORECASTERS, feature_name, protection_words

_Pair = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def series_description(
    shown: ProtectedSeries, at: int, forecasts: Mapping[str, _Pair], protection: str
) -> str:
    """Return the chart of one series in words.

    Args:
        shown: the series.
        at: which of them, from 0.
        forecasts: by forecaster, before and after, shape (series,) each.
        protection: as on the command line.
    """
    known, released = shown.known[at], shown.released[at]
    told = "".join(
        f" {SHORT_FORECASTERS[name]} forecasts {_number(before[at])}, and "
        f"{_number(after[at])} of the protected series."
        for name, (before, after) in forecasts.items()
    )
    return (
        f"Series {shown.names[at][:60]}: {len(known)} values from {rounded(known.min())} to "
        f"{rounded(known.max())}; after {protection_words(protection)} from "
        f"{rounded(released.min())} to {rounded(released.max())}, "
        f"{np.count_nonzero(known != released)} of them changed.{told} What came: "
        f"{rounded(shown.next_values[at])}."
    )


def features_description(shown: ProtectedSeries, protection: str) -> str:
    """Return the chart of features in words: the middle one of the shown series."""
    before, after = shown.features
    told = "; ".join(
        f"{feature_name(name)} {_middle(before[:, at])} before, {_middle(after[:, at])} after"
        for at, name in enumerate(FEATURES)
    )
    return (
        f"Features of the {len(shown.names)} shown series before and after "
        f"{protection_words(protection)}, medians: {told}."
    )


def _middle(values: npt.NDArray[np.float64]) -> str:
    there = values[np.isfinite(values)]
    return rounded(float(np.median(there))) if len(there) else "none"


def _number(value: float) -> str:
    return rounded(value) if np.isfinite(value) else "nothing"
