"""Series protected before anybody sees them, and what that does to forecasts (Bale et al.).

Most of these protections are no privacy guarantee; each says what it is. A protection that is none,
or not for some series, raises :class:`~dpviz.scenario.ScenarioError`; a forecaster or series whose
package is not installed :class:`~dpviz.scenario.errors.MissingPackageError`.
"""

from dpviz.protected_forecasts.data import (
    SeriesToProtect,
    generated_series,
    m3_monthly_micro,
    of_whole_series,
)
from dpviz.protected_forecasts.features import (
    FEATURES,
    features_of,
    reasons_for_change,
    series_features,
)
from dpviz.protected_forecasts.forecaster import FORECASTERS, forecaster_named
from dpviz.protected_forecasts.protections import METHODS
from dpviz.protected_forecasts.study import error_summary, next_values, released

__all__ = [
    "FEATURES",
    "FORECASTERS",
    "METHODS",
    "SeriesToProtect",
    "error_summary",
    "features_of",
    "forecaster_named",
    "generated_series",
    "m3_monthly_micro",
    "next_values",
    "of_whole_series",
    "reasons_for_change",
    "released",
    "series_features",
]
